/* SPDX-License-Identifier: Apache-2.0 */
/* fp8_quant.h: quantises rows of D values to e4m3, each with a scale of its own.
 *
 * Shapes    x and out are [B,S,G,D]; scale is [B,S,G] f32. S may be 0;
 *           b = 0 and g = 0 stand for 1.
 * Types     dtype is that of x: OM_BF16 (the default), OM_F16 or OM_F32; out is e4m3.
 * Meaning   scale = max(amax, 1e-4) / 448 with amax the largest |x| of the row, one f32 division;
 *           out = x / scale, one f32 division, saturated and rounded to nearest even.
 * NaN       the scale and every value of a row that holds a NaN is NaN.
 * Repeat    the same call gives the same bits, for any number of threads.
 */
#ifndef OPMARK_FP8_QUANT_H
#define OPMARK_FP8_QUANT_H

#include "opmark/device.h"
#include "opmark/dtype.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct om_fp8_quant_args {
    int64_t b; /* 0: 1 */
    int64_t s;
    int64_t g; /* 0: 1 */
    int64_t d;
    om_dtype dtype;
    const void *x;
    float *scale;
    void *out;
} om_fp8_quant_args;

/* Errors: OM_INVALID (negative or overflowing shape, null or misaligned tensor, wrong dtype;
 * nothing is written), OM_UNSUPPORTED, OM_NO_MEMORY, OM_DEVICE. */
OM_API OM_MUST_USE om_status om_fp8_quant(om_context *context, const om_fp8_quant_args *args,
                                          om_error *err);

#ifdef __cplusplus
}
#endif

#endif
