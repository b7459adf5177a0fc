/* SPDX-License-Identifier: Apache-2.0 */
/* gemm_fp8.h: d[M,N] = (a · scale_a) (b · scale_b)ᵀ + bias, with e4m3 operands.
 *
 * Shapes    a is [M,K] and b is [N,K], e4m3; d is [M,N]; bias is [N] bf16 (with has_bias). scale_a
 *           and scale_b are f32: [1] each with OM_SCALE_PER_TENSOR; with OM_SCALE_BLOCK128
 *           [M,ceil(K/128)] and [N,ceil(K/128)], one scale for each row and each 128 values of K.
 *           M, N and K may be 0; K = 0 gives the bias, or zeros.
 * Types     out_dtype is that of d: OM_BF16 (the default) or OM_F16. Products and sums are f32,
 *           with one rounding at the end.
 * Memory    packed, without overlap; each tensor is aligned to its element.
 * Repeat    the same call gives the same bits, for any number of threads.
 */
#ifndef OPMARK_GEMM_FP8_H
#define OPMARK_GEMM_FP8_H

#include "opmark/device.h"
#include "opmark/dtype.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum om_scale_mode {
    OM_SCALE_PER_TENSOR = 0,
    OM_SCALE_BLOCK128,
} om_scale_mode;

typedef struct om_gemm_fp8_args {
    int64_t m, n, k;
    int scale_mode; /* an om_scale_mode */
    int has_bias;   /* 1: bias is read */
    om_dtype out_dtype;
    const void *a;
    const void *b;
    const float *scale_a;
    const float *scale_b;
    const void *bias;
    void *d;
} om_gemm_fp8_args;

/* Errors: OM_INVALID (negative or overflowing shape, null or misaligned tensor, wrong dtype;
 * nothing is written), OM_UNSUPPORTED, OM_NO_MEMORY, OM_DEVICE. */
OM_API OM_MUST_USE om_status om_gemm_fp8(om_context *context, const om_gemm_fp8_args *args,
                                         om_error *err);

#ifdef __cplusplus
}
#endif

#endif
