/* SPDX-License-Identifier: Apache-2.0 */
/* layernorm.h: y = (x - mean) · rstd · gamma + beta, row by row, forward and backward.
 *
 * Forward   x and y are [M,H]; gamma and beta are [H]; mean and rstd are [M] f32; rstd = 1 /
 *           sqrt(mean((x - mean)²) + eps).
 * Backward  grad_y is [M,H]; with xh = (x - mean) · rstd and c = grad_y · gamma: grad_x = rstd ·
 *           (c - mean(c) - xh · mean(c · xh)), grad_gamma = the sum of grad_y · xh over the rows,
 *           grad_beta = that of grad_y; both [H].
 * Types     dtype is that of all tensors but mean and rstd: OM_BF16 (the default), OM_F16 or
 *           OM_F32. Sums are f32 or wider.
 * Memory    packed, without overlap; each tensor is aligned to its element. M and H may be 0.
 * Repeat    the same call gives the same bits, for any number of threads.
 */
#ifndef OPMARK_LAYERNORM_H
#define OPMARK_LAYERNORM_H

#include "opmark/device.h"
#include "opmark/dtype.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct om_layernorm_args {
    int64_t m, h;
    om_dtype dtype;
    double eps; /* 0: 1e-5 */
    const void *x;
    const void *gamma;
    const void *beta;
    void *y;
    float *mean;
    float *rstd;
} om_layernorm_args;

typedef struct om_layernorm_backward_args {
    int64_t m, h;
    om_dtype dtype;
    const void *grad_y;
    const void *x;
    const void *gamma;
    const float *mean;
    const float *rstd;
    void *grad_x;
    void *grad_gamma;
    void *grad_beta;
} om_layernorm_backward_args;

/* Errors: OM_INVALID (negative or overflowing shape, eps negative or not finite, null or misaligned
 * tensor, wrong dtype; nothing is written), OM_UNSUPPORTED, OM_NO_MEMORY, OM_DEVICE. */
OM_API OM_MUST_USE om_status om_layernorm(om_context *context, const om_layernorm_args *args,
                                          om_error *err);

/* Errors: OM_INVALID (negative or overflowing shape, null or misaligned tensor, wrong dtype;
 * nothing is written), OM_UNSUPPORTED, OM_NO_MEMORY, OM_DEVICE. */
OM_API OM_MUST_USE om_status om_layernorm_backward(om_context *context,
                                                   const om_layernorm_backward_args *args,
                                                   om_error *err);

#ifdef __cplusplus
}
#endif

#endif
