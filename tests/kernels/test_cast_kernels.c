/* SPDX-License-Identifier: Apache-2.0 */
/* test_cast_kernels.c: every cast kernel at every level, over all inputs there are. */
#include "helpers/helper.h"
#include "helpers/kernel_check.h"

#include <math.h>
#include <string.h>

#include "core/convert.h"
#include "opmark/cast.h"

static const char *const fp8[] = {"e4m3", "e5m2"};
static float scale_given = 1.0f;

static void all_patterns(const om_op *op, const void *arguments, om_tensor *tensors)
{
    const om_cast_args *args = arguments;
    (void)op;
    for (int64_t i = 0; i < args->m * args->h; i++) {
        if (args->from == OM_BF16)
            ((uint16_t *)tensors[0].data)[i] = (uint16_t)i;
        else
            ((uint8_t *)tensors[0].data)[i] = (uint8_t)i;
    }
    if (args->scaling == OM_CAST_GIVEN)
        *(float *)tensors[1].data = scale_given;
}

/* Against the scalar conversions, code for code; a NaN for each NaN. */
static void every_code_is_right(const om_op *op, const void *arguments, const om_tensor *tensors,
                                const char *kernel)
{
    const om_cast_args *args = arguments;
    (void)op;
    for (int64_t i = 0; i < args->m * args->h; i++) {
        unsigned got, want;
        if (args->from == OM_BF16) {
            float x = om__f32_from_bf16((uint16_t)i) * scale_given;
            want = args->to == OM_E4M3 ? om__e4m3_from_f32(x) : om__e5m2_from_f32(x);
            got = ((uint8_t *)args->y)[i];
        } else {
            float x = args->from == OM_E4M3 ? om__f32_from_e4m3((uint8_t)i)
                                            : om__f32_from_e5m2((uint8_t)i);
            want = om__bf16_from_f32(x * scale_given);
            got = ((uint16_t *)args->y)[i];
        }
        unsigned sign = args->from == OM_BF16 ? 0x80 : 0x8000,
                 nan = args->from == OM_BF16 ? 0x7f : 0x7fc0;
        bool both_nan = (got & ~sign) == nan && (want & ~sign) == nan; /* of any sign */
        if (got != want && !both_nan)
            fail_msg("%s: input %#x gives %#x, not %#x", kernel, (unsigned)i, got, want);
    }
    if (args->from == OM_BF16)
        assert_true(isnan(*(float *)tensors[4].data));
}

static void all_bf16_inputs(void **state)
{
    (void)state;
    kernel_check check = {.op = "cast", .unjudged = 1};
    check.change = all_patterns;
    check.look = every_code_is_right;
    /* Ties are ties of the product; 0, infinity and numbers below 0 are no scales, but numbers. */
    static const float scales[] = {1,         0.37f, 3,        448.0f / 113, 0x1p-9f,
                                   0x1.8p20f, 1e30f, 1e-30f,   1e-37f,       0x1p-140f,
                                   -2.5f,     0,     INFINITY, NAN};
    for (size_t i = 0; i < 2 * sizeof scales / sizeof *scales; i++) {
        const size_t t = i % 2;
        scale_given = scales[i / 2];
        kernel_check_runf(&check, "m=256 h=256 from=bf16 to=%s", fp8[t]);
        kernel_check_runf(&check, "m=16 h=16 from=%s to=bf16", fp8[t]);
        kernel_check_runf(&check, "m=128 h=64 from=%s to=bf16", fp8[t]);
    }
}

static void shapes(void **state)
{
    (void)state;
    static const int counts[] = {0, 1, 15, 16, 17, 63, 64, 65, 127, 129, 1000};
    kernel_check check = {.op = "cast"};
    for (int t = 0; t < 2; t++)
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
            for (check.slack = 0; check.slack < 2; check.slack++) {
                kernel_check_runf(&check, "m=3 h=%d from=bf16 to=%s", counts[i], fp8[t]);
                kernel_check_runf(&check, "m=3 h=%d to=%s scaling=current", counts[i], fp8[t]);
                kernel_check_runf(&check, "m=3 h=%d from=%s to=bf16", counts[i], fp8[t]);
            }
}

static void large_outputs(void **state)
{
    (void)state;
    kernel_check check = {.op = "cast", .slack = 3};
    kernel_check_run(&check, "m=601 h=4003 scaling=current");
    kernel_check_run(&check, "m=301 h=4003 from=e5m2 to=bf16");
}

/* A NaN in the data makes amax, the scale and every value NaN. */
static void put_a_nan(const om_op *op, const void *arguments, om_tensor *tensors)
{
    (void)op;
    (void)arguments;
    ((uint16_t *)tensors[0].data)[77] = 0xffc1;
}

static void all_is_nan(const om_op *op, const void *arguments, const om_tensor *tensors,
                       const char *kernel)
{
    const om_cast_args *args = arguments;
    (void)op;
    (void)tensors;
    assert_true(isnan(args->amax[0]));
    assert_true(isnan(args->scale[0]));
    for (int64_t i = 0; i < args->m * args->h; i++)
        if ((((uint8_t *)args->y)[i] & 0x7f) != 0x7f)
            fail_msg("%s: code %d is no NaN", kernel, (int)i);
}

static void nan_reaches_everything(void **state)
{
    (void)state;
    kernel_check check = {.op = "cast", .unjudged = 1};
    check.change = put_a_nan;
    check.look = all_is_nan;
    kernel_check_run(&check, "m=5 h=33 scaling=current");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_bf16_inputs),
        cmocka_unit_test(shapes),
        cmocka_unit_test(large_outputs),
        cmocka_unit_test(nan_reaches_everything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
