/* SPDX-License-Identifier: Apache-2.0 */
/* rmsnorm.h: y = x · rstd · gamma with rstd = 1 / sqrt(mean(x²) + eps), row by row.
 *
 * Shapes    x and y are [M,H]; gamma is [H]; rstd is [M] f32. M and H may be 0.
 * Types     dtype is that of x, gamma and y: OM_BF16 (the default), OM_F16 or OM_F32. Sums are f32
 *           or wider.
 * Memory    packed; y may not overlap x; each tensor is aligned to its element.
 * Repeat    the same call gives the same bits, for any number of threads.
 */
#ifndef OPMARK_RMSNORM_H
#define OPMARK_RMSNORM_H

#include "opmark/device.h"
#include "opmark/dtype.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct om_rmsnorm_args {
    int64_t m, h;
    om_dtype dtype;
    double eps; /* 0: 1e-5 */
    const void *x;
    const void *gamma;
    void *y;
    float *rstd;
} om_rmsnorm_args;

/* The backward pass: grad_y is [M,H]; with xh = x · rstd and c = grad_y · gamma:
 * grad_x = rstd · (c - xh · mean(c · xh)), and grad_gamma[H] is the sum of grad_y · xh over the
 * rows. Types and memory as above. */
typedef struct om_rmsnorm_backward_args {
    int64_t m, h;
    om_dtype dtype;
    const void *grad_y;
    const void *x;
    const void *gamma;
    const float *rstd;
    void *grad_x;
    void *grad_gamma;
} om_rmsnorm_backward_args;

/* Errors: OM_INVALID (negative or overflowing shape, null or misaligned tensor, wrong dtype, eps
 * negative or not finite; nothing is written), OM_UNSUPPORTED, OM_NO_MEMORY, OM_DEVICE. */
OM_API OM_MUST_USE om_status om_rmsnorm(om_context *context, const om_rmsnorm_args *args,
                                        om_error *err);
OM_API OM_MUST_USE om_status om_rmsnorm_backward(om_context *context,
                                                 const om_rmsnorm_backward_args *args,
                                                 om_error *err);

#ifdef __cplusplus
}
#endif

#endif
