/* SPDX-License-Identifier: Apache-2.0 */
/* test_quantile.c: medians, quantiles, the interval of the median, trends and the clock's tick. */
#include "vectors.h"

#include "stats/quantile.h"
#include "stats/tick.h"
#include "stats/trend.h"

static void median_is_the_middle(void **state)
{
    (void)state;
    double scratch[8];
    assert_true(om__stats_median((double[]){3, 1, 2}, 3, scratch) == 2);
    assert_true(om__stats_median((double[]){4, 1, 3, 2}, 4, scratch) == 2.5);
    assert_true(om__stats_median((double[]){NAN, 7, NAN}, 3, scratch) == 7);
    assert_true(isnan(om__stats_median((double[]){NAN}, 1, scratch)));
    assert_true(isnan(om__stats_median(NULL, 0, scratch)));
}

static void quantiles_interpolate(void **state)
{
    (void)state;
    double sorted[] = {10, 20, 30, 40, 50};
    assert_true(om__stats_quantile_sorted(sorted, 5, 0) == 10);
    assert_true(om__stats_quantile_sorted(sorted, 5, 1) == 50);
    assert_true(om__stats_quantile_sorted(sorted, 5, 0.25) == 20);
    assert_true(fabs(om__stats_quantile_sorted(sorted, 5, 0.9) - 46) < 1e-12);
    assert_true(om__stats_quantile_sorted(sorted, 1, 0.9) == 10);
    assert_true(isnan(om__stats_quantile_sorted(sorted, 0, 0.5)));
}

/* The tabled ranks of the sign interval: n = 5 has none, 6: 1, 10: 2, 20: 6, 30: 10, 100: 40. */
static void median_interval_has_the_tabled_ranks(void **state)
{
    (void)state;
    static const struct {
        size_t n, k;
    } table[] = {{0, 0},  {1, 0},  {5, 0},   {6, 1},    {8, 1},      {9, 2},
                 {10, 2}, {20, 6}, {30, 10}, {100, 40}, {5000, 2431}};
    double *values = malloc(5000 * sizeof *values);
    assert_non_null(values);
    for (size_t i = 0; i < 5000; i++)
        values[i] = (double)(i + 1);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        double low, high;
        bool there = om__stats_median_interval_sorted(values, table[i].n, 0.95, &low, &high);
        assert_int_equal(there, table[i].k > 0);
        if (!there) {
            assert_true(isnan(low) && isnan(high));
            continue;
        }
        assert_int_equal((size_t)low, table[i].k);
        assert_int_equal((size_t)high, table[i].n + 1 - table[i].k);
    }
    free(values);
}

static int by_value(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* Shapes that are hard on a quicksort, and every order statistic of them. */
static void long_lists_sort_like_short_ones(void **state)
{
    (void)state;
    double values[301], sorted[301], work[301];
    uint64_t seed = 7;
    for (int shape = 0; shape < 6; shape++) {
        for (size_t i = 0; i < 301; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            double random = (double)(seed >> 40);
            values[i] = shape == 0   ? random
                        : shape == 1 ? (double)i
                        : shape == 2 ? (double)(301 - i)
                        : shape == 3 ? (double)(i % 3)
                        : shape == 4 ? 1.0
                                     : (double)(i < 150 ? i : 301 - i);
        }
        memcpy(sorted, values, sizeof values);
        qsort(sorted, 301, sizeof *sorted, by_value);
        memcpy(work, values, sizeof values);
        om__stats_sort(work, 301);
        assert_memory_equal(work, sorted, sizeof sorted);
        for (size_t k = 0; k < 301; k += 7) {
            memcpy(work, values, sizeof values);
            assert_true(om__stats_select(work, 301, k) == sorted[k]);
            for (size_t i = 0; i < k; i++)
                assert_true(work[i] <= sorted[k]);
        }
    }
}

static void warming_up_is_a_trend(void **state)
{
    (void)state;
    double falling[30], flat[30], many[3000];
    uint64_t seed = 3;
    for (size_t i = 0; i < 3000; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        double noise = (double)(seed >> 44) / (1 << 20);
        if (i < 30) {
            falling[i] = 12 + 4 * exp(-(double)i / 8) + 0.05 * noise;
            flat[i] = 12 + noise;
        }
        many[i] = 12 - 0.001 * (double)i + noise;
    }
    om_trend trend;
    assert_int_equal(om__stats_trend(falling, 30, &trend, NULL), OM_OK);
    assert_int_equal(trend.direction, -1);
    assert_true(trend.change < -0.1 && trend.p < 1e-4);
    assert_int_equal(om__stats_trend(flat, 30, &trend, NULL), OM_OK);
    assert_int_equal(trend.direction, 0);
    assert_int_equal(om__stats_trend(many, 3000, &trend, NULL), OM_OK);
    assert_int_equal(trend.direction, -1);
    assert_int_equal(om__stats_trend((double[]){5, 5, 5, 5, 5, 5, 5, 5, 5, 5}, 10, &trend, NULL),
                     OM_OK);
    assert_true(trend.direction == 0 && trend.p == 1 && trend.change == 0);
    assert_int_equal(om__stats_trend(falling, 7, &trend, NULL), OM_OK);
    assert_true(trend.direction == 0 && isnan(trend.change));
}

/* Mann-Kendall by hand: 1..8 rising has S = 28, variance 8 7 21 / 18 = 65.33, z = 27 / 8.083. */
static void trend_has_the_hand_worked_p(void **state)
{
    (void)state;
    om_trend trend;
    assert_int_equal(om__stats_trend((double[]){1, 2, 3, 4, 5, 6, 7, 8}, 8, &trend, NULL), OM_OK);
    assert_true(fabs(trend.p - erfc(27 / sqrt(1176.0 / 18) / sqrt(2))) < 1e-12);
    assert_int_equal(trend.direction, 1);
    assert_true(fabs(trend.change - (7.5 / 1.5 - 1)) < 1e-12);
}

static void check_tick(const om_vector *vector)
{
    struct json_object *lists = get(vector->input, "rows_ns"), *inner = get(vector->input, "inner");
    size_t count = json_object_array_length(lists);
    om_tick_row *rows = calloc(count, sizeof *rows);
    double **values = calloc(count, sizeof *values), tick;
    assert_non_null(rows);
    assert_non_null(values);
    for (size_t i = 0; i < count; i++) {
        values[i] = numbers(json_object_array_get_idx(lists, i), &rows[i].count);
        rows[i].values = values[i];
        rows[i].inner = inner == NULL ? 1 : number(json_object_array_get_idx(inner, i));
    }
    assert_int_equal(om__stats_tick(rows, count, &tick, NULL), OM_OK);
    check_number(vector, "tick", tick, number(vector->expect));
    for (size_t i = 0; i < count; i++)
        free(values[i]);
    free(values);
    free(rows);
}

static void tick_vectors(void **state)
{
    (void)state;
    for_each_vector("tick", 9, check_tick);
    double tick = 1;
    assert_int_equal(om__stats_tick(NULL, 0, &tick, NULL), OM_OK);
    assert_true(tick == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(median_is_the_middle),
        cmocka_unit_test(quantiles_interpolate),
        cmocka_unit_test(median_interval_has_the_tabled_ranks),
        cmocka_unit_test(long_lists_sort_like_short_ones),
        cmocka_unit_test(warming_up_is_a_trend),
        cmocka_unit_test(trend_has_the_hand_worked_p),
        cmocka_unit_test(tick_vectors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
