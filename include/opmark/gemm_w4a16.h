/* SPDX-License-Identifier: Apache-2.0 */
/* gemm_w4a16.h: out[M,N] = activation · wᵀ with int4 weights in groups of 128.
 *
 * Shapes    activation is [M,K] fp16; packed_weight is [N,K] nibbles, two a byte, the even k in
 *           the low one; weight_scale is [N,K/128] f32 and weight_zero [N,K/128] u8; out is [M,N]
 *           fp16. K is a multiple of 128. M, N and K may be 0.
 * Meaning   w[n,k] = (q[n,k] - zero[n,k/128]) · scale[n,k/128]. Sums are f32, with one rounding at
 *           the end; an implementation may round w to fp16 before it multiplies.
 * Memory    packed, without overlap; each tensor is aligned to its element.
 * Repeat    the same call gives the same bits, for any number of threads.
 */
#ifndef OPMARK_GEMM_W4A16_H
#define OPMARK_GEMM_W4A16_H

#include "opmark/device.h"
#include "opmark/dtype.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct om_gemm_w4a16_args {
    int64_t m, n, k;
    const void *activation;
    const void *packed_weight;
    const float *weight_scale;
    const uint8_t *weight_zero;
    void *out;
} om_gemm_w4a16_args;

/* Errors: OM_INVALID (negative or overflowing shape, K no multiple of 128, null or misaligned
 * tensor, wrong dtype; nothing is written), OM_UNSUPPORTED, OM_NO_MEMORY, OM_DEVICE. */
OM_API OM_MUST_USE om_status om_gemm_w4a16(om_context *context, const om_gemm_w4a16_args *args,
                                           om_error *err);

#ifdef __cplusplus
}
#endif

#endif
