/* SPDX-License-Identifier: Apache-2.0 */
/* grouped_gemm.h: G products of one shape: forward and backward of equal groups of tokens.
 *
 * Forward   a is [G·M,K], the M rows of each group one after another; b is [G,N,K]; d is [G·M,N]:
 *           d of a group is its a · bᵀ.
 * Backward  grad_out is [G·M,N]; grad_a[G·M,K] = grad_out · b and grad_b[G,N,K] = grad_outᵀ · a,
 *           group by group.
 * Types     dtype is that of all tensors: OM_BF16 (the default), OM_F16 or OM_F32. Products and
 *           sums are f32, with one rounding to dtype at the end.
 * Memory    packed, without overlap; each tensor is aligned to its element.
 * Repeat    the same call gives the same bits, for any number of threads; of a NaN the sign may
 *           differ.
 */
#ifndef OPMARK_GROUPED_GEMM_H
#define OPMARK_GROUPED_GEMM_H

#include "opmark/device.h"
#include "opmark/dtype.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct om_grouped_gemm_args {
    int64_t g, m, n, k;
    om_dtype dtype;
    const void *a;
    const void *b;
    void *d;
} om_grouped_gemm_args;

typedef struct om_grouped_gemm_backward_args {
    int64_t g, m, n, k;
    om_dtype dtype;
    const void *grad_out;
    const void *a;
    const void *b;
    void *grad_a;
    void *grad_b;
} om_grouped_gemm_backward_args;

/* Errors: OM_INVALID (negative or overflowing shape, null or misaligned tensor, wrong dtype;
 * nothing is written), OM_UNSUPPORTED, OM_NO_MEMORY, OM_DEVICE. */
OM_API OM_MUST_USE om_status om_grouped_gemm(om_context *context, const om_grouped_gemm_args *args,
                                             om_error *err);

/* Errors: OM_INVALID (negative or overflowing shape, null or misaligned tensor, wrong dtype;
 * nothing is written), OM_UNSUPPORTED, OM_NO_MEMORY, OM_DEVICE. */
OM_API OM_MUST_USE om_status om_grouped_gemm_backward(om_context *context,
                                                      const om_grouped_gemm_backward_args *args,
                                                      om_error *err);

#ifdef __cplusplus
}
#endif

#endif
