/* SPDX-License-Identifier: Apache-2.0 */
/* test_intervals.c: device time as the union of kernel intervals, attributed by number. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/intervals.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void test_union_counts_overlap_once(void **state)
{
    (void)state;
    /* 10..20 and 15..30 overlap by 5; 40..45 comes after a gap of 10; 41..43 lies inside it. */
    om_interval all[] = {{1, 40, 45}, {1, 15, 30}, {1, 41, 43}, {1, 10, 20}};
    om_busy busy;
    om__intervals_sort(all, COUNT(all));
    om__intervals_busy(all, COUNT(all), 1, &busy);
    assert_int_equal(busy.count, 4);
    assert_true(busy.busy_ns == 25);
    assert_true(busy.span_ns == 35);
    assert_true(busy.gap_ns == 10);
}

static void test_a_flush_inside_the_window_is_not_counted(void **state)
{
    (void)state;
    /* A flush of 50 us before and one in the midst of the call carry another owner. */
    om_interval all[] = {{UINT64_MAX, 0, 50000}, {7, 52000, 57000}, {UINT64_MAX, 53000, 54000}};
    om_busy busy;
    om__intervals_sort(all, COUNT(all));
    om__intervals_busy(all, COUNT(all), 7, &busy);
    assert_int_equal(busy.count, 1);
    assert_true(busy.busy_ns == 5000);
    assert_true(busy.span_ns == 5000);
}

static void test_touching_and_empty_intervals(void **state)
{
    (void)state;
    om_interval all[] = {{3, 10, 20}, {3, 20, 30}, {3, 30, 30}, {3, 35, 35}};
    om_busy busy;
    om__intervals_busy(all, COUNT(all), 3, &busy);
    assert_true(busy.busy_ns == 20);
    assert_true(busy.span_ns == 25);
    assert_true(busy.gap_ns == 5);
    assert_int_equal(busy.damaged, 0);
}

static void test_nothing_ran(void **state)
{
    (void)state;
    om_interval all[] = {{1, 5, 6}, {3, 5, 6}};
    om_busy busy;
    om__intervals_busy(all, COUNT(all), 2, &busy);
    assert_int_equal(busy.count, 0);
    assert_true(busy.busy_ns == 0 && busy.span_ns == 0 && busy.gap_ns == 0);
    om__intervals_busy(NULL, 0, 2, &busy);
    assert_int_equal(busy.count, 0);
}

static void test_damaged_records_are_counted_not_summed(void **state)
{
    (void)state;
    om_interval all[] = {{1, 0, 0}, {1, 100, 90}, {1, 200, 210}};
    om_busy busy;
    om__intervals_busy(all, COUNT(all), 1, &busy);
    assert_int_equal(busy.count, 3);
    assert_int_equal(busy.damaged, 2);
    assert_true(busy.busy_ns == 10 && busy.span_ns == 10);
}

static void test_attribution_takes_the_innermost_owner(void **state)
{
    (void)state;
    om_api_owner owners[] = {{9, 2}, {5, 1}, {9, UINT64_MAX}, {7, 2}};
    size_t count = om__api_owners_sort(owners, COUNT(owners));
    assert_int_equal(count, 3);
    assert_true(om__api_owner_find(owners, count, 5) == 1);
    assert_true(om__api_owner_find(owners, count, 7) == 2);
    assert_true(om__api_owner_find(owners, count, 9) == UINT64_MAX);
    assert_true(om__api_owner_find(owners, count, 6) == 0);
    assert_true(om__api_owner_find(owners, count, 10) == 0);
    assert_true(om__api_owner_find(NULL, 0, 1) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_union_counts_overlap_once),
        cmocka_unit_test(test_a_flush_inside_the_window_is_not_counted),
        cmocka_unit_test(test_touching_and_empty_intervals),
        cmocka_unit_test(test_nothing_ran),
        cmocka_unit_test(test_damaged_records_are_counted_not_summed),
        cmocka_unit_test(test_attribution_takes_the_innermost_owner),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
