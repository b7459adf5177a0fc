/* SPDX-License-Identifier: Apache-2.0 */
/* test_products.c: matrix products by hand: fp8, int4, batched, grouped, ragged, and gradients. */
#include "helpers/op_case.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/convert.h"
#include "opmark/gemm.h"
#include "opmark/gemm_fp8.h"

/* a = [1 2; 3 4], b = [5 6; 7 8; 9 10], grad_out = [1 0 2; 0 1 1]. */
static void gemm_gradients(void **state)
{
    (void)state;
    op_case c = op_case_create("gemm", "backward", "m=2 n=3 k=2 dtype=f32");
    op_case_set(&c, "grad_out", 1, 0, 2, 0, 1, 1);
    op_case_set(&c, "a", 1, 2, 3, 4);
    op_case_set(&c, "b", 5, 6, 7, 8, 9, 10);
    op_case_reference(&c);
    op_case_expect(&c, "grad_a", 0, 5 + 18, 6 + 20, 7 + 9, 8 + 10);
    op_case_expect(&c, "grad_b", 0, 1, 2, 3, 4, 2 + 3, 4 + 4);
    op_case_release(&c);
}

/* The gradients of the sum of grad_out · d are those of finite differences of the forward pass. */
static void gemm_gradients_equal_finite_differences(void **state)
{
    (void)state;
    op_case forward = op_case_create("gemm", NULL, "m=5 n=4 k=3 dtype=f32 trans_b=1");
    op_case back = op_case_create("gemm", "backward", "m=5 n=4 k=3 dtype=f32");
    memcpy(op_case_data(&back, "a"), op_case_data(&forward, "a"), 15 * 4);
    memcpy(op_case_data(&back, "b"), op_case_data(&forward, "b"), 12 * 4);
    op_case_reference(&back);
    op_case_expect_gradient(&back, "grad_a", &forward, "a", "d", "grad_out");
    op_case_expect_gradient(&back, "grad_b", &forward, "b", "d", "grad_out");
    op_case_release(&back);
    op_case_release(&forward);
}

static void fp8_scales_the_whole_operands(void **state)
{
    (void)state;
    op_case c = op_case_create("gemm_fp8", NULL, "m=2 n=2 k=3 has_bias=1");
    op_case_set(&c, "a", 1, 2, 3, -1, 0.5, 0);
    op_case_set(&c, "b", 1, 1, 1, 2, -2, 4);
    op_case_set(&c, "scale_a", 2);
    op_case_set(&c, "scale_b", 0.25);
    op_case_set(&c, "bias", 10, -1);
    op_case_reference(&c);
    op_case_expect(&c, "d", 0, 10 + 3, -1 + 5, 10 - 0.25, -1 - 1.5);
    op_case_release(&c);
}

/* k = 130 has two blocks: 128 products of 1 and 2 of 1, scaled (1·2) and (10·3) for row 0. */
static void fp8_scales_each_block(void **state)
{
    (void)state;
    op_case c =
        op_case_create("gemm_fp8", NULL, "m=2 n=1 k=130 scale_mode=block128 out_dtype=fp16");
    assert_int_equal(op_case_count(&c, "scale_a"), 4);
    assert_int_equal(op_case_count(&c, "scale_b"), 2);
    memset(op_case_data(&c, "a"), om__e4m3_from_f32(1), 260);
    memset(op_case_data(&c, "b"), om__e4m3_from_f32(1), 130);
    op_case_set(&c, "scale_a", 1, 10, 0.5, 0);
    op_case_set(&c, "scale_b", 2, 3);
    op_case_reference(&c);
    op_case_expect(&c, "d", 0, 128 * 2 + 2 * 30, 128);
    op_case_release(&c);
}

static void empty_contraction_gives_the_bias(void **state)
{
    (void)state;
    op_case c = op_case_create("gemm_fp8", NULL, "m=1 n=2 k=0 has_bias=1 scale_mode=block128");
    op_case_set(&c, "bias", 3, -4);
    op_case_reference(&c);
    op_case_expect(&c, "d", 0, 3, -4);
    op_case_release(&c);
}

/* Weights of one group: nibble pairs (15, 0) with zero 8 and scale 0.5 are 3.5 and -4. */
static void int4_weights_are_nibbles_with_a_zero_point(void **state)
{
    (void)state;
    op_case c = op_case_create("gemm_w4a16", NULL, "m=1 n=1 k=256");
    memset(op_case_data(&c, "packed_weight"), 0x0F, 128);
    op_case_set(&c, "weight_scale", 0.5, 2);
    op_case_set(&c, "weight_zero", 8, 0);
    uint16_t *activation = op_case_data(&c, "activation");
    memset(activation, 0, 512);
    activation[0] = om__f16_from_f32(1);   /* even k: 15, (15-8)·0.5 */
    activation[1] = om__f16_from_f32(10);  /* odd k: 0, (0-8)·0.5 */
    activation[128] = om__f16_from_f32(1); /* second group: 15·2 */
    op_case_reference(&c);
    op_case_expect(&c, "out", 0, 3.5 - 40 + 30);
    op_case_release(&c);
}

static void batches_are_independent(void **state)
{
    (void)state;
    op_case c = op_case_create("bmm", NULL, "batch=2 m=1 n=2 k=2 dtype=f32");
    op_case_set(&c, "a", 1, 2, 3, 4);
    op_case_set(&c, "b", 1, 2, 3, 4, 10, 20, 30, 40);
    op_case_reference(&c);
    op_case_expect(&c, "d", 0, 7, 10, 150, 220);
    op_case_release(&c);
}

/* The same product from both layouts of b. */
static void fp8_batches_in_both_layouts(void **state)
{
    (void)state;
    op_case nk = op_case_create("bmm_fp8_nk", NULL, "batch=1 m=1 n=2 k=3");
    op_case kn = op_case_create("bmm_fp8_kn", NULL, "batch=1 m=1 n=2 k=3");
    op_case *both[] = {&nk, &kn};
    op_case_set(&nk, "b", 1, 2, 3, 4, 5, 6);
    op_case_set(&kn, "b", 1, 4, 2, 5, 3, 6);
    for (int i = 0; i < 2; i++) {
        op_case_set(both[i], "a", 1, 1, 2);
        op_case_set(both[i], "scale_a", 0.5);
        op_case_set(both[i], "scale_b", 4);
        op_case_reference(both[i]);
        op_case_expect(both[i], "d", 0, 2 * 9, 2 * 21);
        op_case_release(both[i]);
    }
}

/* Two groups of one row each; the weights are [1 2; 3 4] and [5 6; 7 8]. */
static void equal_groups(void **state)
{
    (void)state;
    op_case c = op_case_create("grouped_gemm", NULL, "g=2 m=1 n=2 k=2 dtype=f32");
    op_case_set(&c, "a", 1, 1, 2, 0);
    op_case_set(&c, "b", 1, 2, 3, 4, 5, 6, 7, 8);
    op_case_reference(&c);
    op_case_expect(&c, "d", 0, 3, 7, 10, 14);
    op_case_release(&c);

    c = op_case_create("grouped_gemm", "backward", "g=2 m=1 n=2 k=2 dtype=f32");
    op_case_set(&c, "grad_out", 1, 10, 2, 0);
    op_case_set(&c, "a", 1, 1, 2, 0);
    op_case_set(&c, "b", 1, 2, 3, 4, 5, 6, 7, 8);
    op_case_reference(&c);
    op_case_expect(&c, "grad_a", 0, 31, 42, 10, 12);
    op_case_expect(&c, "grad_b", 0, 1, 1, 10, 10, 4, 0, 0, 0);
    op_case_release(&c);
}

/* Three groups: two rows, none, one row. */
static void set_groups(op_case *c)
{
    op_case_set(c, "sizes", 2, 0, 1);
    op_case_set(c, "offsets", 0, 2, 2);
}

static void ragged_rows(void **state)
{
    (void)state;
    const char *names[] = {"grouped_gemm_nt", "moe_grouped_gemm", "grouped_gemm_nn"};
    for (int i = 0; i < 3; i++) {
        op_case c = op_case_create(names[i], NULL, "g=3 s=3 n=2 k=2 dtype=f32");
        set_groups(&c);
        op_case_set(&c, "a", 1, 0, 0, 1, 1, 1);
        if (i < 2)
            op_case_set(&c, "b", 1, 2, 3, 4, 9, 9, 9, 9, 5, 6, 7, 8);
        else
            op_case_set(&c, "b", 1, 3, 2, 4, 9, 9, 9, 9, 5, 7, 6, 8);
        op_case_reference(&c);
        op_case_expect(&c, "d", 0, 1, 3, 2, 4, 11, 15);
        op_case_release(&c);
    }
}

/* d[0] = a0ᵀ·b0 + a1ᵀ·b1, d[1] = 0, d[2] = a2ᵀ·b2. */
static void ragged_weight_gradients(void **state)
{
    (void)state;
    op_case tn = op_case_create("grouped_gemm_tn", NULL, "g=3 s=3 n=1 k=2 dtype=f32");
    op_case tt = op_case_create("grouped_gemm_tt", NULL, "g=3 s=3 n=1 k=2 dtype=f32");
    op_case_set(&tn, "b", 1, 2, 3, 4, 5, 6);
    op_case_set(&tt, "b", 1, 3, 5, 2, 4, 6);
    op_case *both[] = {&tn, &tt};
    for (int i = 0; i < 2; i++) {
        set_groups(both[i]);
        op_case_set(both[i], "a", 1, 10, 100);
        op_case_reference(both[i]);
        op_case_expect(both[i], "d", 0, 31, 42, 0, 0, 500, 600);
        op_case_release(both[i]);
    }
}

static void rows_of_no_group_stay_alone(void **state)
{
    (void)state;
    op_case c = op_case_create("grouped_gemm_nt", NULL, "g=1 s=3 n=1 k=1 dtype=f32");
    op_case_set(&c, "sizes", 1);
    op_case_set(&c, "offsets", 1);
    op_case_set(&c, "a", NAN, 2, NAN);
    op_case_set(&c, "b", 3);
    op_case_reference(&c);
    const uint32_t *d = op_case_data(&c, "d");
    assert_int_equal(d[0], 0xFFFFFFFF);
    assert_true(op_case_get(&c, "d", 1) == 6);
    assert_int_equal(d[2], 0xFFFFFFFF);
    op_case_release(&c);
}

static void sizes_add_up(void **state)
{
    (void)state;
    const char *words[] = {"uniform", "skewed", "zipf", "one"};
    for (int i = 0; i < 4; i++) {
        char params[64];
        snprintf(params, sizeof params, "g=10 s=103 n=1 k=1 routing=%s", words[i]);
        op_case c = op_case_create("grouped_gemm_nt", NULL, params);
        double next = 0, largest = 0;
        for (int64_t g = 0; g < 10; g++) {
            assert_true(op_case_get(&c, "offsets", g) == next);
            next += op_case_get(&c, "sizes", g);
            largest = fmax(largest, op_case_get(&c, "sizes", g));
        }
        assert_true(next == 103);
        /* 95 rows on two experts; 1/2.93 of the rows; all */
        const double expected[] = {11, 48, 36, 103};
        assert_true(fabs(largest - expected[i]) <= 1);
        op_case_release(&c);
    }
}

/* x = [2 -4] with scale 8 are the codes 16 and -32; w = [1 0.5] with 2 are 2 and 1. */
static void fp8_linear_with_known_scales(void **state)
{
    (void)state;
    op_case c = op_case_create("fp8_linear", NULL, "m=1 n=1 k=2");
    op_case_set(&c, "x", 2, -4);
    op_case_set(&c, "w", 1, 0.5);
    op_case_set(&c, "scale_x", 8);
    op_case_set(&c, "scale_w", 2);
    op_case_reference(&c);
    op_case_expect(&c, "x_fp8", 0, 16, -32);
    op_case_expect(&c, "w_fp8", 0, 2, 1);
    op_case_expect(&c, "d", 0, 0);
    op_case_expect(&c, "amax_x", 0, 4);
    op_case_expect(&c, "amax_w", 0, 1);
    op_case_release(&c);
}

static void fp8_linear_finds_its_scales(void **state)
{
    (void)state;
    op_case c = op_case_create("fp8_linear", NULL, "m=1 n=1 k=2 scaling=current");
    op_case_set(&c, "x", 2, -4);
    op_case_set(&c, "w", 0, 0);
    op_case_reference(&c);
    op_case_expect(&c, "scale_x_out", 0, 112);
    op_case_expect(&c, "scale_w_out", 0, 1); /* nothing to scale */
    op_case_expect(&c, "x_fp8", 0, 224, -448);
    op_case_expect(&c, "d", 0, 0);
    op_case_release(&c);
}

/* grad = [3 1] cast with scale 2 is [6 2]; in current scaling 57344/3 sends 3 to 57344. */
static void fp8_linear_gradients(void **state)
{
    (void)state;
    op_case c = op_case_create("fp8_linear", "backward", "m=1 n=2 k=1");
    op_case_set(&c, "grad_out", 3, 1);
    op_case_set(&c, "x_fp8", 10);
    op_case_set(&c, "w_fp8", 4, 8);
    op_case_set(&c, "scale_x", 5);
    op_case_set(&c, "scale_w", 4);
    op_case_set(&c, "scale_g", 2);
    op_case_reference(&c);
    op_case_expect(&c, "grad_x", 0, 3 * 1 + 1 * 2);
    op_case_expect(&c, "grad_w", 0, 3 * 2, 1 * 2);
    op_case_expect(&c, "amax_g", 0, 3);
    op_case_release(&c);
    c = op_case_create("fp8_linear", "backward", "m=1 n=1 k=1 scaling=current");
    op_case_set(&c, "grad_out", -7);
    op_case_set(&c, "x_fp8", 1);
    op_case_set(&c, "w_fp8", 2);
    op_case_set(&c, "scale_x", 1);
    op_case_set(&c, "scale_w", 1);
    op_case_reference(&c);
    op_case_expect(&c, "scale_g_out", 1e-3, 8192);
    op_case_expect(&c, "grad_x", 0, -14);
    op_case_release(&c);
}

static void bad_parameters_are_refused(void **state)
{
    (void)state;
    char args[OM_MAX_ARGS_SIZE];
    om_error err;
    assert_int_equal(op_case_parse("gemm_w4a16", NULL, "m=1 n=1 k=100", args, &err), OM_INVALID);
    assert_int_equal(op_case_parse("gemm_fp8", NULL, "m=1 n=1 k=1 out_dtype=f32", args, &err),
                     OM_INVALID);
    assert_int_equal(op_case_parse("bmm", NULL, "batch=1 m=1 n=1 k=1 dtype=i32", args, &err),
                     OM_INVALID);
    assert_int_equal(
        op_case_parse("grouped_gemm", NULL, "g=4000000000 m=4000000000 n=1 k=1", args, &err),
        OM_INVALID);
    assert_int_equal(op_case_parse("grouped_gemm_nt", NULL, "g=0 s=1 n=1 k=1", args, &err),
                     OM_INVALID);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gemm_gradients),
        cmocka_unit_test(gemm_gradients_equal_finite_differences),
        cmocka_unit_test(fp8_scales_the_whole_operands),
        cmocka_unit_test(fp8_scales_each_block),
        cmocka_unit_test(empty_contraction_gives_the_bias),
        cmocka_unit_test(int4_weights_are_nibbles_with_a_zero_point),
        cmocka_unit_test(batches_are_independent),
        cmocka_unit_test(fp8_batches_in_both_layouts),
        cmocka_unit_test(equal_groups),
        cmocka_unit_test(ragged_rows),
        cmocka_unit_test(ragged_weight_gradients),
        cmocka_unit_test(rows_of_no_group_stay_alone),
        cmocka_unit_test(sizes_add_up),
        cmocka_unit_test(fp8_linear_with_known_scales),
        cmocka_unit_test(fp8_linear_finds_its_scales),
        cmocka_unit_test(fp8_linear_gradients),
        cmocka_unit_test(bad_parameters_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
