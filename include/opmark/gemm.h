/* SPDX-License-Identifier: Apache-2.0 */
/* gemm.h: d[M,N] = a · b, the dense matrix product in bf16, fp16 or f32.
 *
 * Shapes    a is [M,K], or stored as [K,M] with trans_a; b is [K,N], or stored as [N,K] with
 *           trans_b; d is [M,N]. M, N and K may be 0; K = 0 writes zeros.
 * Types     dtype is that of a, b and d: OM_BF16 (the default), OM_F16 or OM_F32. Products and
 *           sums are f32, with one rounding to dtype at the end.
 * Memory    the tensors are packed and must not overlap; each is aligned to its element.
 * Repeat    the same call gives the same bits, for any number of threads; of a NaN the sign may
 *           differ.
 */
#ifndef OPMARK_GEMM_H
#define OPMARK_GEMM_H

#include "opmark/device.h"
#include "opmark/dtype.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct om_gemm_args {
    int64_t m, n, k;
    om_dtype dtype;
    int trans_a; /* 1: a is stored [K,M] */
    int trans_b; /* 1: b is stored [N,K] */
    const void *a;
    const void *b;
    void *d;
} om_gemm_args;

/* The backward pass of d = a · bᵀ with a [M,K] and b [N,K]: grad_out is [M,N];
 * grad_a[M,K] = grad_out · b and grad_b[N,K] = grad_outᵀ · a. Types and memory as above. */
typedef struct om_gemm_backward_args {
    int64_t m, n, k;
    om_dtype dtype;
    const void *grad_out;
    const void *a;
    const void *b;
    void *grad_a;
    void *grad_b;
} om_gemm_backward_args;

/* Errors: OM_INVALID (negative or overflowing shape, null or misaligned tensor, wrong dtype;
 * nothing is written), OM_UNSUPPORTED, OM_NO_MEMORY, OM_DEVICE. */
OM_API OM_MUST_USE om_status om_gemm(om_context *context, const om_gemm_args *args, om_error *err);
OM_API OM_MUST_USE om_status om_gemm_backward(om_context *context,
                                              const om_gemm_backward_args *args, om_error *err);

#ifdef __cplusplus
}
#endif

#endif
