/* SPDX-License-Identifier: Apache-2.0 */
/* fused_moe.h: a whole mixture-of-experts layer: routing and experts in one call.
 *
 * Shapes    hidden is [T,H]; gating is [T,E] f32; bias is [E] f32 (with has_bias); w_gate_up is
 *           [E,2F,H] and w_down [E,H,F]; out is [T,H]. om_shared_fused_moe takes a shared expert
 *           as well: shared_w_gate_up is [2Fs,H] and shared_w_down [H,Fs]. T may be 0.
 * Types     dtype is that of hidden, the weights and out: OM_BF16 (the default) or OM_F16. Sums
 *           are f32; the result of gate and up, and that of down, may be rounded to dtype.
 * Meaning   om_moe_topk on gating (score, renormalize, bias and routed_scaling_factor mean what
 *           they mean there), then om_moe_experts with its ids and weights; the shared form adds
 *           (silu(x · gateᵀ) · (x · upᵀ)) · downᵀ of the shared expert, x = hidden[t], with weight
 *           1.
 * Ties      tokens whose choice of experts is a near tie of moe_topk may go either way.
 * Repeat    the same call gives the same bits, for any number of threads.
 */
#ifndef OPMARK_FUSED_MOE_H
#define OPMARK_FUSED_MOE_H

#include "opmark/device.h"
#include "opmark/dtype.h"
#include "opmark/moe_topk.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct om_fused_moe_args {
    int64_t t, h, f, e, k;
    om_dtype dtype;
    int score; /* an om_moe_score */
    int renormalize;
    int has_bias;                 /* 1: bias is read; needs OM_MOE_SIGMOID */
    double routed_scaling_factor; /* 0: 1 */
    const void *hidden;
    const float *gating;
    const float *bias;
    const void *w_gate_up;
    const void *w_down;
    void *out;
} om_fused_moe_args;

typedef struct om_shared_fused_moe_args {
    int64_t t, h, f, e, k;
    int64_t fs; /* FFN size of the shared expert */
    om_dtype dtype;
    int score;
    int renormalize;
    int has_bias;
    double routed_scaling_factor; /* 0: 1 */
    const void *hidden;
    const float *gating;
    const float *bias;
    const void *w_gate_up;
    const void *w_down;
    const void *shared_w_gate_up;
    const void *shared_w_down;
    void *out;
} om_shared_fused_moe_args;

/* Errors: OM_INVALID (negative or overflowing shape, null or misaligned tensor, wrong dtype;
 * nothing is written), OM_UNSUPPORTED, OM_NO_MEMORY, OM_DEVICE. */
OM_API OM_MUST_USE om_status om_fused_moe(om_context *context, const om_fused_moe_args *args,
                                          om_error *err);

/* Errors: OM_INVALID (negative or overflowing shape, null or misaligned tensor, wrong dtype;
 * nothing is written), OM_UNSUPPORTED, OM_NO_MEMORY, OM_DEVICE. */
OM_API OM_MUST_USE om_status om_shared_fused_moe(om_context *context,
                                                 const om_shared_fused_moe_args *args,
                                                 om_error *err);

#ifdef __cplusplus
}
#endif

#endif
