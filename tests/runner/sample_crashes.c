/* SPDX-License-Identifier: Apache-2.0 */
/* sample_crashes.c: a test program that is killed in its second function. */
#include "helpers/helper.h"

#include <signal.h>

static void holds(void **state)
{
    (void)state;
}

/* SIGKILL: the one signal that no test framework turns into a failure of its own. */
static void dies(void **state)
{
    (void)state;
    raise(SIGKILL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(holds),
        cmocka_unit_test(dies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
