/* SPDX-License-Identifier: Apache-2.0 */
/* fp8_linear.h: a linear layer in bf16 whose products run in fp8, the casts included.
 *
 * Forward   x is [M,K], w is [N,K], d is [M,N], all bf16. x_fp8 = cast(x, scale_x) and w_fp8 =
 *           cast(w, scale_w) are e4m3 of the same shapes, made as om_cast makes them; d = x_fp8 ·
 *           w_fp8ᵀ / (scale_x · scale_w). x_fp8 and w_fp8 are outputs: the backward pass takes
 *           them. amax_x and amax_w, the largest |x| and |w| of this call, are outputs too.
 * Backward  grad_out is [M,N] bf16; g = cast(grad_out, scale_g) is e5m2; grad_x[M,K] = g · w_fp8 /
 *           (scale_g · scale_w) and grad_w[N,K] = gᵀ · x_fp8 / (scale_g · scale_x), bf16. amax_g
 *           is the largest |grad_out|.
 * Scales    are f32 [1], the factor a value is multiplied with before its cast. OM_FP8_DELAYED:
 *           they are known and read. OM_FP8_CURRENT: found from this call's amax as om_cast does,
 *           and written (the backward pass finds scale_g only; scale_x and scale_w are always
 *           read).
 * NaN       goes where om_cast sends it. Sums are f32, with one rounding at the end.
 * Repeat    the same call gives the same bits, for any number of threads.
 */
#ifndef OPMARK_FP8_LINEAR_H
#define OPMARK_FP8_LINEAR_H

#include "opmark/device.h"
#include "opmark/dtype.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum om_fp8_scaling {
    OM_FP8_DELAYED = 0,
    OM_FP8_CURRENT,
} om_fp8_scaling;

typedef struct om_fp8_linear_args {
    int64_t m, n, k;
    int scaling; /* an om_fp8_scaling */
    const void *x;
    const void *w;
    float *scale_x; /* read with OM_FP8_DELAYED, written with OM_FP8_CURRENT */
    float *scale_w;
    void *d;
    void *x_fp8;
    void *w_fp8;
    float *amax_x;
    float *amax_w;
} om_fp8_linear_args;

typedef struct om_fp8_linear_backward_args {
    int64_t m, n, k;
    int scaling; /* an om_fp8_scaling, of the gradient */
    const void *grad_out;
    const void *x_fp8;
    const void *w_fp8;
    const float *scale_x;
    const float *scale_w;
    float *scale_g; /* read with OM_FP8_DELAYED, written with OM_FP8_CURRENT */
    void *grad_x;
    void *grad_w;
    float *amax_g;
} om_fp8_linear_backward_args;

/* Errors: OM_INVALID (negative or overflowing shape, null or misaligned tensor, wrong dtype;
 * nothing is written), OM_UNSUPPORTED, OM_NO_MEMORY, OM_DEVICE. */
OM_API OM_MUST_USE om_status om_fp8_linear(om_context *context, const om_fp8_linear_args *args,
                                           om_error *err);

/* Errors: OM_INVALID (negative or overflowing shape, null or misaligned tensor, wrong dtype;
 * nothing is written), OM_UNSUPPORTED, OM_NO_MEMORY, OM_DEVICE. */
OM_API OM_MUST_USE om_status om_fp8_linear_backward(om_context *context,
                                                    const om_fp8_linear_backward_args *args,
                                                    om_error *err);

#ifdef __cplusplus
}
#endif

#endif
