/* SPDX-License-Identifier: Apache-2.0 */
/* test_examples.c: the example programs do what they say; the plug-ins are
 * tested where plug-ins are. */
#include "helpers/helper.h"

static void a_program_calls_gemm(void **state)
{
    (void)state;
    helper_output o = helper_run(NULL, OM_BUILD_DIR "/tests/call_gemm");
    assert_int_equal(o.code, 0);
    assert_string_equal(o.out, "4 5\n10 11\n");
    helper_output_release(&o);
}

static void a_program_calls_layers(void **state)
{
    (void)state;
    helper_output o = helper_run(NULL, OM_BUILD_DIR "/tests/call_layers");
    assert_int_equal(o.code, 0);
    assert_string_equal(o.out, "16 1 8192\n");
    helper_output_release(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_program_calls_gemm),
        cmocka_unit_test(a_program_calls_layers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
