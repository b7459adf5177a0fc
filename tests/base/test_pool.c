/* SPDX-License-Identifier: Apache-2.0 */
/* test_pool.c: texts kept once. */
#include "helpers/helper.h"

#include <stdio.h>
#include <string.h>

#include "base/pool.h"

static void test_equal_bytes_are_kept_once(void **state)
{
    (void)state;
    om_pool *pool = om__pool_create();
    assert_non_null(pool);
    char *first = om__pool_keep(pool, "abc", 3);
    assert_string_equal(first, "abc");
    char name[16];
    for (int i = 0; i < 5000; i++) {
        int size = snprintf(name, sizeof name, "text %d", i);
        assert_non_null(om__pool_keep(pool, name, (size_t)size));
    }
    assert_ptr_equal(om__pool_keep(pool, "abcd", 3), first);
    assert_ptr_not_equal(om__pool_keep(pool, "abcd", 4), first);
    assert_string_equal(om__pool_keep(pool, "", 0), "");
    assert_string_equal(om__pool_keep(pool, "text 4999", 9), "text 4999");
    om__pool_destroy(pool);
}

static void test_storage_of_its_own(void **state)
{
    (void)state;
    om_pool *pool = om__pool_create();
    char *small = om__pool_reserve(pool, 3);
    char *large = om__pool_reserve(pool, (size_t)1 << 20);
    char *next = om__pool_reserve(pool, 8);
    assert_non_null(small);
    assert_non_null(large);
    assert_non_null(next);
    memset(large, 1, (size_t)1 << 20);
    memset(small, 2, 3);
    memset(next, 3, 8);
    assert_int_equal(large[0], 1);
    assert_int_equal((uintptr_t)next % 8, 0);
    assert_null(om__pool_reserve(pool, SIZE_MAX - 4));
    om__pool_destroy(pool);
    om__pool_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_bytes_are_kept_once),
        cmocka_unit_test(test_storage_of_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
