/* SPDX-License-Identifier: Apache-2.0 */
/* bmm.h: d[i] = a[i] · b[i] for every i of a batch.
 *
 * Shapes    a is [batch,M,K], b is [batch,K,N], d is [batch,M,N]. Any of them may be 0.
 * Types     dtype is that of a, b and d: OM_BF16 (the default), OM_F16 or OM_F32. Products and
 *           sums are f32, with one rounding to dtype at the end.
 * Memory    packed, without overlap; each tensor is aligned to its element.
 * Repeat    the same call gives the same bits, for any number of threads.
 */
#ifndef OPMARK_BMM_H
#define OPMARK_BMM_H

#include "opmark/device.h"
#include "opmark/dtype.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct om_bmm_args {
    int64_t batch, m, n, k;
    om_dtype dtype;
    const void *a;
    const void *b;
    void *d;
} om_bmm_args;

/* Errors: OM_INVALID (negative or overflowing shape, null or misaligned tensor, wrong dtype;
 * nothing is written), OM_UNSUPPORTED, OM_NO_MEMORY, OM_DEVICE. */
OM_API OM_MUST_USE om_status om_bmm(om_context *context, const om_bmm_args *args, om_error *err);

#ifdef __cplusplus
}
#endif

#endif
