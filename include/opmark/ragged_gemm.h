/* SPDX-License-Identifier: Apache-2.0 */
/* ragged_gemm.h: one product for each of G groups of rows whose sizes are data.
 *
 * Groups    sizes and offsets are [G] i32: group g holds the sizes[g] rows from row offsets[g] on.
 *           Groups may be empty and of any size; they do not overlap and lie within the S rows.
 *           Rows of no group are not read, and rows of d that belong to none are not written.
 * om_grouped_gemm_nt, om_moe_grouped_gemm
 *           a is [S,K], b is [G,N,K], d is [S,N]: rows of d = rows of a · b[g]ᵀ.
 * om_grouped_gemm_nn
 *           b is [G,K,N]: rows of d = rows of a · b[g].
 * om_grouped_gemm_tn
 *           a is [S,N], b is [S,K], d is [G,N,K]: d[g] = (rows of a)ᵀ · rows of b; an empty group
 *           gives zeros.
 * om_grouped_gemm_tt
 *           as tn, with b stored [K,S].
 * Types     dtype is that of a, b and d: OM_BF16 (the default), OM_F16 or OM_F32. Products and sums
 *           are f32, with one rounding to dtype at the end.
 * Inputs    routing says how a benchmark draws the sizes; a call ignores it.
 * Repeat    the same call gives the same bits, for any number of threads; of a NaN the sign may
 *           differ.
 */
#ifndef OPMARK_RAGGED_GEMM_H
#define OPMARK_RAGGED_GEMM_H

#include "opmark/device.h"
#include "opmark/dtype.h"
#include "opmark/moe_routing.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct om_ragged_gemm_args {
    int64_t g, s, n, k;
    om_dtype dtype;
    int routing; /* an om_moe_routing, for benchmarks */
    const void *a;
    const void *b;
    const int32_t *sizes;
    const int32_t *offsets;
    void *d;
} om_ragged_gemm_args;

/* Errors: OM_INVALID (negative or overflowing shape, null or misaligned tensor, wrong dtype;
 * nothing is written), OM_UNSUPPORTED, OM_NO_MEMORY, OM_DEVICE. */
OM_API OM_MUST_USE om_status om_grouped_gemm_nt(om_context *context,
                                                const om_ragged_gemm_args *args, om_error *err);

OM_API OM_MUST_USE om_status om_grouped_gemm_nn(om_context *context,
                                                const om_ragged_gemm_args *args, om_error *err);
OM_API OM_MUST_USE om_status om_grouped_gemm_tn(om_context *context,
                                                const om_ragged_gemm_args *args, om_error *err);
OM_API OM_MUST_USE om_status om_grouped_gemm_tt(om_context *context,
                                                const om_ragged_gemm_args *args, om_error *err);
OM_API OM_MUST_USE om_status om_moe_grouped_gemm(om_context *context,
                                                 const om_ragged_gemm_args *args, om_error *err);

#ifdef __cplusplus
}
#endif

#endif
