/* SPDX-License-Identifier: Apache-2.0 */
/* moe_experts.h: the experts of a mixture: each token's weighted sum of its experts' MLPs.
 *
 * Shapes    hidden is [T,H]; w_gate_up is [E_local,2F,H], gate rows before up rows; w_down is
 *           [E_local,H,F]; weights is [T,K] f32 and ids [T,K] i32; expert_map is [E] i32 (with
 *           has_map); out is [T,H]. T may be 0. T·K must fit in an int32.
 * Types     dtype is that of hidden, w_gate_up, w_down and out: OM_BF16 (the default) or OM_F16.
 *           Sums are f32; the result of gate and up, and that of down, may be rounded to dtype.
 * Meaning   out[t] = sum over k of weights[t,k] · (silu(x · gateᵀ) · (x · upᵀ)) · downᵀ of expert
 *           ids[t,k], x = hidden[t]. With a map the local expert is expert_map[id], and experts of
 *           other ranks (-1) add nothing; ids outside 0..E-1 add nothing either.
 * Inputs    routing says how a benchmark draws ids; a call ignores it.
 * Repeat    the same call gives the same bits, for any number of threads.
 */
#ifndef OPMARK_MOE_EXPERTS_H
#define OPMARK_MOE_EXPERTS_H

#include "opmark/device.h"
#include "opmark/dtype.h"
#include "opmark/moe_routing.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct om_moe_experts_args {
    int64_t t, h, f, e, k;
    int64_t e_local; /* 0: e */
    om_dtype dtype;
    int has_map; /* 1: expert_map is read; needed where e_local differs from e */
    int routing; /* an om_moe_routing, for benchmarks */
    const void *hidden;
    const void *w_gate_up;
    const void *w_down;
    const float *weights;
    const int32_t *ids;
    const int32_t *expert_map;
    void *out;
} om_moe_experts_args;

/* Errors: OM_INVALID (negative or overflowing shape, null or misaligned tensor, wrong dtype;
 * nothing is written), OM_UNSUPPORTED, OM_NO_MEMORY, OM_DEVICE. */
OM_API OM_MUST_USE om_status om_moe_experts(om_context *context, const om_moe_experts_args *args,
                                            om_error *err);

#ifdef __cplusplus
}
#endif

#endif
