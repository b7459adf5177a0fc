/* SPDX-License-Identifier: Apache-2.0 */
/* cast.h: conversion between bf16 and an fp8 type with a scale.
 *
 * Quantise  (to is OM_E4M3, the default, or OM_E5M2): y = saturate(x · scale), rounded to nearest
 *           even; the largest |x| goes to amax. OM_CAST_GIVEN: scale[0] is read. OM_CAST_CURRENT:
 *           amax is found first and scale[0] = limit / amax is written (1 where amax is 0; limit
 *           is 448 for e4m3, 57344 for e5m2).
 * Widen     (to is OM_BF16; from names the fp8 type): y = x · scale[0], where scale holds the
 *           inverse of the scale used to quantise. amax is then absent.
 * NaN       stays NaN; the amax of data that holds a NaN is NaN, and with OM_CAST_CURRENT so are
 *           scale and y.
 * Shapes    x and y are [M,H]; scale and amax are [1] f32. M and H may be 0 (amax is then 0).
 * Repeat    the same call gives the same bits, for any number of threads.
 */
#ifndef OPMARK_CAST_H
#define OPMARK_CAST_H

#include "opmark/device.h"
#include "opmark/dtype.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum om_cast_scaling {
    OM_CAST_GIVEN = 0, /* the scale is known; amax is reduced in the same pass */
    OM_CAST_CURRENT,   /* amax first, then the cast */
} om_cast_scaling;

typedef struct om_cast_args {
    int64_t m, h;
    om_dtype from; /* 0: OM_BF16 */
    om_dtype to;   /* 0: OM_E4M3 */
    int scaling;   /* an om_cast_scaling; OM_CAST_GIVEN when widening */
    const void *x;
    void *y;
    float *scale; /* read with OM_CAST_GIVEN, written with OM_CAST_CURRENT */
    float *amax;  /* written when quantising; ignored when widening */
} om_cast_args;

/* Errors: OM_INVALID (negative or overflowing shape, null or misaligned tensor, a pair of types
 * that is not one of bf16→e4m3, bf16→e5m2, e4m3→bf16, e5m2→bf16; nothing is written),
 * OM_UNSUPPORTED, OM_NO_MEMORY, OM_DEVICE. */
OM_API OM_MUST_USE om_status om_cast(om_context *context, const om_cast_args *args, om_error *err);

#ifdef __cplusplus
}
#endif

#endif
