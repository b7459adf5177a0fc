/* SPDX-License-Identifier: Apache-2.0 */
/* sample_hangs.c: a test program whose second function never ends. */
#include "helpers/helper.h"

#include <unistd.h>

static void holds(void **state)
{
    (void)state;
}

static void waits_for_ever(void **state)
{
    (void)state;
    for (;;)
        pause();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(holds),
        cmocka_unit_test(waits_for_ever),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
