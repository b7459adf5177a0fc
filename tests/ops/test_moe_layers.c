/* SPDX-License-Identifier: Apache-2.0 */
/* test_moe_layers.c: gate_up, experts and the fused layers by hand, and that their parts add up. */
#include "helpers/op_case.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/convert.h"
#include "ops/popularity.h"

static double silu(double x)
{
    return x / (1 + exp(-x));
}

/* Expert 0 has row 1 · [1 2], expert 1 has row 3; gate and up rows are single numbers. */
static void gate_up_multiplies_the_activated_gate(void **state)
{
    (void)state;
    op_case c = op_case_create("moe_gate_up", NULL, "e=3 s=2 f=2 k=1 dtype=f32");
    op_case_set(&c, "a", 1, 3);
    op_case_set(&c, "b", 1, -1, 10, 20, 7, 7, 7, 7, 0.5, 2, 1, 0);
    op_case_set(&c, "sizes", 1, 0, 1);
    op_case_set(&c, "offsets", 0, 1, 1);
    op_case_reference(&c);
    op_case_expect(&c, "c", 1e-5, silu(1) * 10, silu(-1) * 20, silu(1.5) * 3, 0);
    op_case_release(&c);
}

/* gelu(1) = Φ(1) = 0.841345. */
static void gelu_is_the_exact_one(void **state)
{
    (void)state;
    op_case c = op_case_create("moe_gate_up", NULL, "e=1 s=1 f=1 k=1 dtype=f32 activation=gelu");
    op_case_set(&c, "a", 1);
    op_case_set(&c, "b", 1, 2);
    op_case_reference(&c);
    op_case_expect(&c, "c", 1e-6, 2 * 0.8413447461);
    op_case_release(&c);
}

/* h = 1, f = 1: an expert is down · silu(gate·x) · up·x. */
static double expert(double gate, double up, double down, double x)
{
    return down * silu(gate * x) * up * x;
}

static void experts_add_up_with_their_weights(void **state)
{
    (void)state;
    op_case c = op_case_create("moe_experts", NULL, "t=2 h=1 f=1 e=3 k=2");
    op_case_set(&c, "hidden", 1, -2);
    op_case_set(&c, "w_gate_up", 1, 2, 0.5, -1, 2, 1);
    op_case_set(&c, "w_down", 1, 2, 4);
    op_case_set(&c, "ids", 0, 2, 1, 9);
    op_case_set(&c, "weights", 0.5, 0.25, 2, 1);
    op_case_reference(&c);
    op_case_expect(&c, "out", 0.02, 0.5 * expert(1, 2, 1, 1) + 0.25 * expert(2, 1, 4, 1),
                   2 * expert(0.5, -1, 2, -2));
    op_case_release(&c);
}

/* What two ranks give adds up to what one rank with all experts gives. */
static void ranks_add_up_to_the_whole(void **state)
{
    (void)state;
    op_case all = op_case_create("moe_experts", NULL, "t=9 h=16 f=8 e=6 k=3 dtype=fp16");
    double sums[9 * 16] = {0};
    for (int rank = 0; rank < 2; rank++) {
        op_case part = op_case_create("moe_experts", NULL,
                                      "t=9 h=16 f=8 e=6 k=3 e_local=3 has_map=1 dtype=fp16");
        memcpy(op_case_data(&part, "hidden"), op_case_data(&all, "hidden"), 9 * 16 * 2);
        memcpy(op_case_data(&part, "ids"), op_case_data(&all, "ids"), 9 * 3 * 4);
        memcpy(op_case_data(&part, "weights"), op_case_data(&all, "weights"), 9 * 3 * 4);
        memcpy(op_case_data(&part, "w_gate_up"),
               (char *)op_case_data(&all, "w_gate_up") + rank * 3 * 16 * 16 * 2, 3 * 16 * 16 * 2);
        memcpy(op_case_data(&part, "w_down"),
               (char *)op_case_data(&all, "w_down") + rank * 3 * 16 * 8 * 2, 3 * 16 * 8 * 2);
        int32_t *map = op_case_data(&part, "expert_map");
        for (int e = 0; e < 6; e++)
            map[e] = e / 3 == rank ? e % 3 : -1;
        op_case_reference(&part);
        for (int64_t i = 0; i < 9 * 16; i++)
            sums[i] += op_case_get(&part, "out", i);
        op_case_release(&part);
    }
    op_case_reference(&all);
    for (int64_t i = 0; i < 9 * 16; i++) {
        double want = op_case_get(&all, "out", i);
        assert_true(fabs(sums[i] - want) <= 2e-3 * fabs(want) + 1e-6);
    }
    op_case_release(&all);
}

/* A fused layer is its routing followed by its experts, bit for bit. */
static void fused_is_routing_then_experts(void **state)
{
    (void)state;
    const char *routing = "t=13 e=8 k=3 score=sigmoid renormalize=1 has_bias=1 "
                          "routed_scaling_factor=2.5";
    char params[160];
    snprintf(params, sizeof params, "%s h=24 f=12", routing);
    op_case fused = op_case_create("fused_moe", NULL, params);
    snprintf(params, sizeof params, "%s dtype=f32", routing);
    op_case topk = op_case_create("moe_topk", NULL, params);
    op_case experts = op_case_create("moe_experts", NULL, "t=13 h=24 f=12 e=8 k=3");
    memcpy(op_case_data(&topk, "gating"), op_case_data(&fused, "gating"), 13 * 8 * 4);
    memcpy(op_case_data(&topk, "bias"), op_case_data(&fused, "bias"), 8 * 4);
    op_case_reference(&topk);
    const char *shared[] = {"hidden", "w_gate_up", "w_down"};
    for (int i = 0; i < 3; i++)
        memcpy(op_case_data(&experts, shared[i]), op_case_data(&fused, shared[i]),
               (size_t)op_case_count(&fused, shared[i]) * 2);
    memcpy(op_case_data(&experts, "ids"), op_case_data(&topk, "ids"), 13 * 3 * 4);
    memcpy(op_case_data(&experts, "weights"), op_case_data(&topk, "weights"), 13 * 3 * 4);
    op_case_reference(&experts);
    op_case_reference(&fused);
    assert_memory_equal(op_case_data(&fused, "out"), op_case_data(&experts, "out"), 13 * 24 * 2);
    op_case_release(&experts);
    op_case_release(&topk);
    op_case_release(&fused);
}

/* One routed expert with weight 1·2.5 and the shared one with weight 1, h = f = fs = 1. */
static void the_shared_expert_is_added_unscaled(void **state)
{
    (void)state;
    op_case c = op_case_create("shared_fused_moe", NULL,
                               "t=1 h=1 f=1 fs=1 e=1 k=1 routed_scaling_factor=2.5");
    op_case_set(&c, "hidden", 2);
    op_case_set(&c, "gating", 0.3);
    op_case_set(&c, "w_gate_up", 0.5, 1);
    op_case_set(&c, "w_down", 1);
    op_case_set(&c, "shared_w_gate_up", 1, 3);
    op_case_set(&c, "shared_w_down", 0.5);
    op_case_reference(&c);
    op_case_expect(&c, "out", 0.03, 2.5 * expert(0.5, 1, 1, 2) + expert(1, 3, 0.5, 2));
    op_case_release(&c);
}

/* Token 0 has a near tie at the border of its choice, token 1 has none: whatever token 0 gives
 * passes, and it is counted. */
static void near_ties_are_left_out_and_counted(void **state)
{
    (void)state;
    const char *params = "t=2 h=2 f=2 e=2 k=1 score=sigmoid has_bias=1";
    op_case want = op_case_create("fused_moe", NULL, params);
    op_case got = op_case_create("fused_moe", NULL, params);
    op_case *both[] = {&want, &got};
    for (int i = 0; i < 2; i++) {
        op_case_set(both[i], "gating", 0, 0, 3, -3);
        op_case_set(both[i], "bias", 0, 0x1p-24);
        op_case_reference(both[i]);
    }
    uint16_t *out = op_case_data(&got, "out");
    out[0] = out[1] = om__bf16_from_f32(1e9f);
    om_check check = op_case_judge(&got, &want);
    assert_true(check.passed);
    assert_int_equal(check.rows_left_out, 1);
    assert_int_equal(check.rows_checked, 1);
    out[2] = om__bf16_from_f32(1e9f);
    assert_false(op_case_judge(&got, &want).passed);
    op_case_release(&got);
    op_case_release(&want);
}

/* 8 of 256: one token hits 8, many hit all; 2 of 4 twice: 4 · (1 - 1/4) = 3. A bias lets fewer be
 * hit: 163 of 256 by 512 tokens, counted over draws, and no bias is the uniform case. */
static void expected_experts(void **state)
{
    (void)state;
    assert_true(fabs(om__experts_hit(1, 8, 256) - 8) < 1e-9);
    assert_true(fabs(om__experts_hit(2, 2, 4) - 3) < 1e-9);
    assert_true(fabs(om__experts_hit(100000, 8, 256) - 256) < 1e-9);
    assert_true(om__experts_hit(0, 8, 256) == 0);
    assert_true(fabs(om__experts_hit_biased(512, 8, 256, 0.1) - 163) < 4);
    assert_true(fabs(om__experts_hit_biased(1, 8, 256, 0.1) - 8) < 1e-6);
    assert_true(fabs(om__experts_hit_biased(30, 8, 256, 1e-9) - om__experts_hit(30, 8, 256)) < 0.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gate_up_multiplies_the_activated_gate),
        cmocka_unit_test(gelu_is_the_exact_one),
        cmocka_unit_test(experts_add_up_with_their_weights),
        cmocka_unit_test(ranks_add_up_to_the_whole),
        cmocka_unit_test(fused_is_routing_then_experts),
        cmocka_unit_test(the_shared_expert_is_added_unscaled),
        cmocka_unit_test(near_ties_are_left_out_and_counted),
        cmocka_unit_test(expected_experts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
