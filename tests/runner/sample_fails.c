/* SPDX-License-Identifier: Apache-2.0 */
/* sample_fails.c: a test program with one passing, one failing and one skipped function. */
#include "helpers/helper.h"

static void holds(void **state)
{
    (void)state;
}

static void breaks(void **state)
{
    (void)state;
    assert_int_equal(1 + 1, 3);
}

static void lacks_something(void **state)
{
    (void)state;
    skip_because("no %s here", "unicorn");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(holds),
        cmocka_unit_test(breaks),
        cmocka_unit_test(lacks_something),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
