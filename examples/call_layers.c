/* SPDX-License-Identifier: Apache-2.0 */
/* call_layers.c: a product, attention and a mixture of experts, from one context.
 *
 *     cc examples/call_layers.c $(pkg-config --cflags --libs opmark) -o call_layers
 *
 * Tensors are bf16, whose bits are the upper half of an f32. All inputs are ones: o of attention is
 * then 1, each element of the product is the contraction length, and an expert gives
 * F · silu(H) · H, weighted with 1 over all its choices.
 */
#include <opmark/opmark.h>
#include <stdio.h>

enum { T = 4, H = 32, F = 8, E = 2, D = 16 };
static uint16_t ones[E * 2 * F * H], product[T * H], o[T * H], moe[T * H];
static float gating[T * E], lse[2 * T];

static float value(uint16_t bits)
{
    union {
        uint32_t bits;
        float value;
    } wide = {.bits = (uint32_t)bits << 16};
    return wide.value;
}

int main(void)
{
    om_context *context = NULL;
    om_error err = {0};
    om_gemm_args gemm = {.m = T, .n = H, .k = D, .a = ones, .b = ones, .d = product};
    om_attention_args attention = {
        .s = T, .hq = 2, .d = D, .causal = 1, .q = ones, .k = ones, .v = ones, .o = o, .lse = lse};
    om_fused_moe_args layer = {.t = T,
                               .h = H,
                               .f = F,
                               .e = E,
                               .k = 2,
                               .hidden = ones,
                               .gating = gating,
                               .w_gate_up = ones,
                               .w_down = ones,
                               .out = moe};
    for (size_t i = 0; i < sizeof ones / sizeof *ones; i++)
        ones[i] = 0x3F80;
    om_status status = om_context_create(NULL, &context, &err);
    if (status == OM_OK)
        status = om_gemm(context, &gemm, &err);
    if (status == OM_OK)
        status = om_attention(context, &attention, &err);
    if (status == OM_OK)
        status = om_fused_moe(context, &layer, &err);
    om_context_destroy(context);
    if (status != OM_OK) {
        fprintf(stderr, "call_layers: %s: %s\n", om_status_name(status), err.text);
        return 1;
    }
    printf("%g %g %g\n", value(product[0]), value(o[0]), value(moe[0]));
    return 0;
}
