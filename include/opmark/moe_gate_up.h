/* SPDX-License-Identifier: Apache-2.0 */
/* moe_gate_up.h: the first half of the experts' MLP: c = act(a · gateᵀ) · (a · upᵀ), group by
 * group.
 *
 * Shapes    a is [S,K]; b is [E,2F,K], the F gate rows of an expert before its F up rows; sizes
 *           and offsets are [E] i32: expert e has the sizes[e] rows of a from row offsets[e] on; c
 *           is [S,F]. Experts may have no rows; rows of no expert are not written.
 * Types     dtype is that of a, b and c: OM_BF16 (the default), OM_F16 or OM_F32. Sums and act are
 *           f32, with one rounding to dtype at the end.
 * Meaning   act is silu(x) = x / (1 + exp(-x)), or gelu(x) = x/2 · (1 + erf(x/sqrt(2))).
 * Inputs    routing says how a benchmark draws the sizes; a call ignores it.
 * Repeat    the same call gives the same bits, for any number of threads.
 */
#ifndef OPMARK_MOE_GATE_UP_H
#define OPMARK_MOE_GATE_UP_H

#include "opmark/device.h"
#include "opmark/dtype.h"
#include "opmark/moe_routing.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum om_activation {
    OM_SILU = 0,
    OM_GELU,
} om_activation;

typedef struct om_moe_gate_up_args {
    int64_t e, s, f, k;
    om_dtype dtype;
    int activation; /* an om_activation */
    int routing;    /* an om_moe_routing, for benchmarks */
    const void *a;
    const void *b;
    const int32_t *sizes;
    const int32_t *offsets;
    void *c;
} om_moe_gate_up_args;

/* Errors: OM_INVALID (negative or overflowing shape, null or misaligned tensor, wrong dtype;
 * nothing is written), OM_UNSUPPORTED, OM_NO_MEMORY, OM_DEVICE. */
OM_API OM_MUST_USE om_status om_moe_gate_up(om_context *context, const om_moe_gate_up_args *args,
                                            om_error *err);

#ifdef __cplusplus
}
#endif

#endif
