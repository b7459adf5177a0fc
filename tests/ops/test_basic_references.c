/* SPDX-License-Identifier: Apache-2.0 */
/* test_basic_references.c: gemm, rmsnorm and cast references on numbers worked by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "core/convert.h"
#include "opmark/opmark.h"
#include "ops/op.h"

/* [1 2 3; 4 5 6] · [1 0; 2 1; 0 3] = [5 11; 14 23], stored all four ways. */
static void gemm_has_four_layouts(void **state)
{
    (void)state;
    static const float a[6] = {1, 2, 3, 4, 5, 6}, at[6] = {1, 4, 2, 5, 3, 6};
    static const float b[6] = {1, 0, 2, 1, 0, 3}, bt[6] = {1, 2, 0, 0, 1, 3};
    static const float want[4] = {5, 11, 14, 23};
    for (int layout = 0; layout < 4; layout++) {
        float d[4] = {0};
        om_gemm_args args = {.m = 2, .n = 2, .k = 3, .dtype = OM_F32};
        args.trans_a = layout & 1;
        args.trans_b = layout >> 1;
        args.a = args.trans_a ? at : a;
        args.b = args.trans_b ? bt : b;
        args.d = d;
        assert_int_equal(om__op_find("gemm", NULL)->reference(&args, NULL, NULL), OM_OK);
        assert_memory_equal(d, want, sizeof want);
    }
}

static void gemm_reference_keeps_to_its_rows(void **state)
{
    (void)state;
    float a[3] = {1, 2, 3}, b[1] = {2}, d[3] = {-1, -1, -1};
    int64_t index[] = {1};
    om_rows rows[3] = {[2] = {1, index}};
    om_gemm_args args = {.m = 3, .n = 1, .k = 1, .dtype = OM_F32, .a = a, .b = b, .d = d};
    assert_int_equal(om__op_find("gemm", NULL)->reference(&args, rows, NULL), OM_OK);
    assert_true(d[0] == -1 && d[1] == 4 && d[2] == -1);
}

static void gemm_without_k_writes_zeros(void **state)
{
    (void)state;
    float d[2] = {7, 7};
    om_gemm_args args = {.m = 1, .n = 2, .k = 0, .dtype = OM_F32, .d = d};
    assert_int_equal(om__op_find("gemm", NULL)->reference(&args, NULL, NULL), OM_OK);
    assert_true(d[0] == 0 && d[1] == 0);
}

/* x = [3 4], gamma = [1 2]: mean square 12.5, rstd 1/sqrt(12.5 + 0.5), y = [3 8]·rstd. */
static void rmsnorm_by_hand(void **state)
{
    (void)state;
    float x[2] = {3, 4}, gamma[2] = {1, 2}, y[2], rstd[1];
    om_rmsnorm_args args = {
        .m = 1, .h = 2, .dtype = OM_F32, .eps = 0.5, .x = x, .gamma = gamma, .y = y, .rstd = rstd};
    assert_int_equal(om__op_find("rmsnorm", NULL)->reference(&args, NULL, NULL), OM_OK);
    double want = 1 / sqrt(13);
    assert_true(fabs(rstd[0] - want) < 1e-7);
    assert_true(fabs(y[0] - 3 * want) < 1e-6 && fabs(y[1] - 8 * want) < 1e-6);
}

static void cast_by_hand(void **state)
{
    (void)state;
    uint16_t x[4] = {om__bf16_from_f32(1), om__bf16_from_f32(-2), om__bf16_from_f32(300),
                     om__bf16_from_f32(0.0625f)};
    uint8_t y[4];
    float scale = 2, amax = -1;
    om_cast_args args = {.m = 2,
                         .h = 2,
                         .from = OM_BF16,
                         .to = OM_E4M3,
                         .x = x,
                         .y = y,
                         .scale = &scale,
                         .amax = &amax};
    const om_op *op = om__op_find("cast", NULL);
    assert_int_equal(op->reference(&args, NULL, NULL), OM_OK);
    assert_true(amax == 300);
    static const uint8_t want[4] = {0x40, 0xC8, 0x7E, 0x20}; /* 2, −4, 448 (saturated), 0.125 */
    assert_memory_equal(y, want, 4);
    args.scaling = OM_CAST_CURRENT;
    assert_int_equal(op->reference(&args, NULL, NULL), OM_OK);
    assert_true(scale == 448.0f / 300.0f);
    assert_int_equal(y[2], 0x7E);
    uint16_t wide[4];
    scale = 0.5f;
    om_cast_args back = {
        .m = 2, .h = 2, .from = OM_E4M3, .to = OM_BF16, .x = want, .y = wide, .scale = &scale};
    assert_int_equal(op->reference(&back, NULL, NULL), OM_OK);
    assert_int_equal(wide[0], om__bf16_from_f32(1));
    assert_int_equal(wide[2], om__bf16_from_f32(224));
}

static void cast_of_nan_is_nan_all_the_way(void **state)
{
    (void)state;
    uint16_t x[2] = {0x7FC0, om__bf16_from_f32(1)};
    uint8_t y[2];
    float scale = 0, amax = 0;
    om_cast_args args = {.m = 1,
                         .h = 2,
                         .from = OM_BF16,
                         .to = OM_E5M2,
                         .scaling = OM_CAST_CURRENT,
                         .x = x,
                         .y = y,
                         .scale = &scale,
                         .amax = &amax};
    assert_int_equal(om__op_find("cast", NULL)->reference(&args, NULL, NULL), OM_OK);
    assert_true(isnan(amax) && isnan(scale));
    assert_int_equal(y[1] & 0x7F, 0x7F);
    x[0] = x[1] = 0; /* all zero: scale 1 */
    assert_int_equal(om__op_find("cast", NULL)->reference(&args, NULL, NULL), OM_OK);
    assert_true(amax == 0 && scale == 1 && y[0] == 0);
}

static void work_is_analytic(void **state)
{
    (void)state;
    om_gemm_args gemm = {.m = 2, .n = 3, .k = 5, .dtype = OM_BF16};
    om_work work = om__op_find("gemm", NULL)->work(&gemm, NULL);
    assert_true(work.flops == 60 && work.bytes == (10 + 15 + 6) * 2);
    om_cast_args cast = {.m = 4, .h = 8, .from = OM_BF16, .to = OM_E4M3};
    assert_true(om__op_find("cast", NULL)->work(&cast, NULL).bytes == 32 * 3);
    cast.scaling = OM_CAST_CURRENT;
    assert_true(om__op_find("cast", NULL)->work(&cast, NULL).bytes == 32 * 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gemm_has_four_layouts),
        cmocka_unit_test(gemm_reference_keeps_to_its_rows),
        cmocka_unit_test(gemm_without_k_writes_zeros),
        cmocka_unit_test(rmsnorm_by_hand),
        cmocka_unit_test(cast_by_hand),
        cmocka_unit_test(cast_of_nan_is_nan_all_the_way),
        cmocka_unit_test(work_is_analytic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
