/* SPDX-License-Identifier: Apache-2.0 */
/* moe_unpermute.h: brings the experts' rows back to their tokens as a weighted sum.
 *
 * Shapes    rows is [T·K,H]; fwd_idx is [T,K] i32; weights is [T,K] f32; out is [T,H]. T and H may
 *           be 0. T·K must fit in an int32.
 * Types     dtype is that of rows and out: OM_BF16 (the default), OM_F16 or OM_F32.
 * Meaning   out[t] = sum over k of weights[t,k] · rows[fwd_idx[t,k]], k ascending, in f32, with
 *           one rounding at the end. A negative fwd_idx adds nothing; a token with none left is 0.
 *           One of T·K or more is not looked for: it reads past rows.
 * Inputs    missing says how many entries of fwd_idx a benchmark sets to -1; a call ignores it.
 */
#ifndef OPMARK_MOE_UNPERMUTE_H
#define OPMARK_MOE_UNPERMUTE_H

#include "opmark/device.h"
#include "opmark/dtype.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct om_moe_unpermute_args {
    int64_t t, h, k;
    om_dtype dtype;
    int64_t missing; /* for benchmarks */
    const void *rows;
    const int32_t *fwd_idx;
    const float *weights;
    void *out;
} om_moe_unpermute_args;

/* Errors: OM_INVALID (negative or overflowing shape, null or misaligned tensor, wrong dtype;
 * nothing is written), OM_UNSUPPORTED, OM_NO_MEMORY, OM_DEVICE. */
OM_API OM_MUST_USE om_status om_moe_unpermute(om_context *context,
                                              const om_moe_unpermute_args *args, om_error *err);

#ifdef __cplusplus
}
#endif

#endif
