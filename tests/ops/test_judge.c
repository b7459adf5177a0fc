/* SPDX-License-Identifier: Apache-2.0 */
/* test_judge.c: the standard judgement finds what is wrong and passes what is right. */
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

enum { M = 8, N = 4, D = 2 };

typedef struct fixture {
    om_gemm_args args;
    float got[M * N], want[M * N];
    om_tensor got_ports[3], want_ports[3];
} fixture;

static const om_op *gemm(void)
{
    return om__op_find("gemm", NULL);
}

static void prepare(fixture *f)
{
    memset(f, 0, sizeof *f);
    f->args = (om_gemm_args){.m = M, .n = N, .k = 3, .dtype = OM_F32};
    for (int i = 0; i < M * N; i++)
        f->got[i] = f->want[i] = (float)(i - 11);
    assert_int_equal(gemm()->describe(&f->args, f->got_ports, NULL), OM_OK);
    memcpy(f->want_ports, f->got_ports, sizeof f->want_ports);
    f->got_ports[D].data = f->got;
    f->want_ports[D].data = f->want;
}

static om_check judge(fixture *f, const om_rows *rows)
{
    om_check check;
    assert_int_equal(om__judge(gemm(), &f->args, f->got_ports, f->want_ports, rows, &check, NULL),
                     OM_OK);
    return check;
}

static void equal_outputs_pass(void **state)
{
    (void)state;
    fixture f;
    prepare(&f);
    om_check check = judge(&f, NULL);
    assert_true(check.passed);
    assert_true(check.error == 0);
    assert_int_equal(check.rows_checked, M);
    assert_int_equal(check.rows_total, M);
}

static void one_wrong_element_fails_by_name(void **state)
{
    (void)state;
    fixture f;
    prepare(&f);
    f.got[2 * N + 1] += 0.5f;
    om_check check = judge(&f, NULL);
    assert_false(check.passed);
    assert_non_null(strstr(check.where, "d[2,1]"));
    assert_true(fabs(check.max_abs_error - 0.5) < 1e-6);
}

/* ‖ref‖ is fixed by the values; an error of 1e-3 in one of them is 1e-3/‖ref‖. */
static void error_is_relative_frobenius(void **state)
{
    (void)state;
    fixture f;
    prepare(&f);
    double squares = 0;
    for (int i = 0; i < M * N; i++)
        squares += (double)f.want[i] * f.want[i];
    f.got[0] += 1.0f / 1024;
    om_check check = judge(&f, NULL);
    assert_true(fabs(check.error - 1.0 / 1024 / sqrt(squares)) < 1e-9);
}

static void holes_and_trespasses_fail(void **state)
{
    (void)state;
    fixture f;
    prepare(&f);
    memset(&f.got[5], 0xFF, sizeof(float));
    om_check check = judge(&f, NULL);
    assert_false(check.passed);
    assert_non_null(strstr(check.where, "never written"));
    prepare(&f);
    memset(&f.want[6], 0xFF, sizeof(float));
    check = judge(&f, NULL);
    assert_false(check.passed);
    assert_non_null(strstr(check.where, "leaves alone"));
    memset(&f.got[6], 0xFF, sizeof(float));
    assert_true(judge(&f, NULL).passed);
}

static void nan_passes_only_where_it_is_due(void **state)
{
    (void)state;
    fixture f;
    prepare(&f);
    f.got[3] = NAN;
    assert_false(judge(&f, NULL).passed);
    f.want[3] = -NAN;
    f.want[3] = copysignf(NAN, 1);
    assert_true(judge(&f, NULL).passed);
    f.got[3] = 1;
    assert_false(judge(&f, NULL).passed);
    prepare(&f);
    f.want[9] = f.got[9] = INFINITY;
    assert_true(judge(&f, NULL).passed);
    f.got[9] = -INFINITY;
    assert_false(judge(&f, NULL).passed);
}

static void only_picked_rows_count(void **state)
{
    (void)state;
    fixture f;
    prepare(&f);
    f.got[7 * N] = 1e9f;
    int64_t index[] = {0, 3, 6};
    om_rows rows[3] = {[D] = {3, index}};
    om_check check = judge(&f, rows);
    assert_true(check.passed);
    assert_int_equal(check.rows_checked, 3);
    assert_int_equal(check.rows_total, M);
    f.got[3 * N + 2] = 1e9f;
    assert_false(judge(&f, rows).passed);
}

/* cast to e4m3: one code off is allowed in one value of a thousand, two codes never. */
static void codes_have_their_own_rule(void **state)
{
    (void)state;
    enum { COUNT = 4000, Y = 2 };
    static uint8_t got[COUNT], want[COUNT];
    const om_op *op = om__op_find("cast", NULL);
    om_cast_args args = {.m = 1, .h = COUNT, .from = OM_BF16, .to = OM_E4M3};
    om_tensor got_ports[8] = {{0}}, want_ports[8] = {{0}};
    float amax = 1;
    om_check check;
    assert_int_equal(op->describe(&args, got_ports, NULL), OM_OK);
    for (size_t i = 0; i < op->port_count; i++)
        if (op->ports[i].role == OM_PORT_OUT)
            got_ports[i].data = &amax;
    memcpy(want_ports, got_ports, sizeof want_ports);
    got_ports[Y].data = got;
    want_ports[Y].data = want;
    for (int i = 0; i < COUNT; i++)
        got[i] = want[i] = (uint8_t)(i % 120);
    for (int i = 0; i < 4; i++)
        got[i * 200 + 10]++;
    assert_int_equal(om__judge(op, &args, got_ports, want_ports, NULL, &check, NULL), OM_OK);
    assert_true(check.passed);
    got[5]++;
    assert_int_equal(om__judge(op, &args, got_ports, want_ports, NULL, &check, NULL), OM_OK);
    assert_false(check.passed);
    got[5]--;
    got[10]++;
    assert_int_equal(om__judge(op, &args, got_ports, want_ports, NULL, &check, NULL), OM_OK);
    assert_false(check.passed);
}

/* Rows of attention may err by a share of their own size: o of two rows, one of elements near 1,
 * one near 1/16, whose rms together is 0.708. 1.6e-2 · (1 + 3 · 0.708) = 0.050 is allowed by the
 * tensor, 1.6e-2 · (1 + 3) = 0.064 by the first row. */
static void rows_are_judged_by_their_own_size_where_larger(void **state)
{
    (void)state;
    const om_op *op = om__op_find("attention", NULL);
    om_attention_args args = {
        .b = 1, .s = 2, .hq = 1, .hkv = 1, .d = 64, .dtype = OM_BF16, .scale = 1};
    uint16_t want[2 * 64], got[2 * 64];
    float lse[2] = {1, 2};
    om_tensor want_ports[5], got_ports[5];
    om_check check;
    assert_int_equal(op->describe(&args, want_ports, NULL), OM_OK);
    memcpy(got_ports, want_ports, sizeof got_ports);
    want_ports[3].data = want;
    got_ports[3].data = got;
    want_ports[4].data = got_ports[4].data = lse;
    for (int64_t i = 0; i < 128; i++)
        om__store_f64(want, OM_BF16, i, i < 64 ? 1.0 : 0.0625);
    memcpy(got, want, sizeof got);
    om__store_f64(got, OM_BF16, 5, 1.0546875); /* between the two */
    assert_int_equal(om__judge(op, &args, got_ports, want_ports, NULL, &check, NULL), OM_OK);
    assert_true(check.passed);
    om__store_f64(got, OM_BF16, 5, 1.0703125);
    assert_int_equal(om__judge(op, &args, got_ports, want_ports, NULL, &check, NULL), OM_OK);
    assert_false(check.passed);
    memcpy(got, want, sizeof got);
    om__store_f64(got, OM_BF16, 69,
                  0.0625 + 0.0546875); /* a small row gets the tensor's allowance */
    assert_int_equal(om__judge(op, &args, got_ports, want_ports, NULL, &check, NULL), OM_OK);
    assert_false(check.passed);
}

static void gemm_tolerance_is_that_of_its_dtype(void **state)
{
    (void)state;
    om_gemm_args args = {.dtype = OM_BF16};
    om_tolerance tolerance = gemm()->tolerance(&args, D);
    assert_true(tolerance.rtol == 1.6e-2 && tolerance.frobenius < 5.4e-3);
    args.dtype = OM_F32;
    tolerance = gemm()->tolerance(&args, D);
    assert_true(tolerance.rtol == 2e-5 && tolerance.frobenius == 2e-5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_outputs_pass),
        cmocka_unit_test(one_wrong_element_fails_by_name),
        cmocka_unit_test(error_is_relative_frobenius),
        cmocka_unit_test(holes_and_trespasses_fail),
        cmocka_unit_test(nan_passes_only_where_it_is_due),
        cmocka_unit_test(only_picked_rows_count),
        cmocka_unit_test(codes_have_their_own_rule),
        cmocka_unit_test(rows_are_judged_by_their_own_size_where_larger),
        cmocka_unit_test(gemm_tolerance_is_that_of_its_dtype),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
