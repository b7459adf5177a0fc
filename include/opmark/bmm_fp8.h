/* SPDX-License-Identifier: Apache-2.0 */
/* bmm_fp8.h: d[i] = (a[i] · scale_a) (b[i] · scale_b) for every i of a batch, in e4m3.
 *
 * Shapes    a is [batch,M,K] e4m3; b is [batch,N,K] (om_bmm_fp8_nk) or [batch,K,N]
 *           (om_bmm_fp8_kn), e4m3; scale_a and scale_b are [1] f32, for the whole batch; d is
 *           [batch,M,N].
 * Types     out_dtype is that of d: OM_BF16 (the default) or OM_F16. Products and sums are f32,
 *           with one rounding at the end.
 * Memory    packed, without overlap; each tensor is aligned to its element.
 * Repeat    the same call gives the same bits, for any number of threads.
 */
#ifndef OPMARK_BMM_FP8_H
#define OPMARK_BMM_FP8_H

#include "opmark/device.h"
#include "opmark/dtype.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct om_bmm_fp8_args {
    int64_t batch, m, n, k;
    om_dtype out_dtype;
    const void *a;
    const void *b;
    const float *scale_a;
    const float *scale_b;
    void *d;
} om_bmm_fp8_args;

/* Errors: OM_INVALID (negative or overflowing shape, null or misaligned tensor, wrong dtype;
 * nothing is written), OM_UNSUPPORTED, OM_NO_MEMORY, OM_DEVICE. */
OM_API OM_MUST_USE om_status om_bmm_fp8_nk(om_context *context, const om_bmm_fp8_args *args,
                                           om_error *err);

OM_API OM_MUST_USE om_status om_bmm_fp8_kn(om_context *context, const om_bmm_fp8_args *args,
                                           om_error *err);

#ifdef __cplusplus
}
#endif

#endif
