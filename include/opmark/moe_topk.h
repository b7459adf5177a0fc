/* SPDX-License-Identifier: Apache-2.0 */
/* moe_topk.h: for each token the K best experts and their weights.
 *
 * Shapes    gating is [T,E]; bias is [E] f32 (with has_bias); weights is [T,K] f32, ids is [T,K]
 *           i32. T may be 0; 1 <= K <= E.
 * Types     dtype is that of gating: OM_BF16 (the default), OM_F16 or OM_F32.
 * Meaning   score = softmax over the E logits of the token, or sigmoid of each, in f32. Without a
 *           bias the order is by logit, equal logits by lower id. With one (sigmoid only) it is by
 *           score + bias in f32; sums closer than 2^-22 · max(1, |sum|) may change places; the
 *           weight is the score without the bias. Within a token the order is descending.
 *           renormalize divides the K weights by their sum (a sum of 0 leaves them);
 *           routed_scaling_factor multiplies last.
 * NaN       NaN logits (and NaN sums) order last, by id. A softmax over logits that hold a NaN or
 *           +infinity, or nothing but -infinity, is NaN in all its weights; a sigmoid of NaN is
 *           NaN.
 * Repeat    the same call gives the same bits, for any number of threads.
 */
#ifndef OPMARK_MOE_TOPK_H
#define OPMARK_MOE_TOPK_H

#include "opmark/device.h"
#include "opmark/dtype.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum om_moe_score {
    OM_MOE_SOFTMAX = 0,
    OM_MOE_SIGMOID,
} om_moe_score;

typedef struct om_moe_topk_args {
    int64_t t, e, k;
    om_dtype dtype;
    int score; /* an om_moe_score */
    int renormalize;
    int has_bias;                 /* 1: bias is read; needs OM_MOE_SIGMOID */
    double routed_scaling_factor; /* 0: 1 */
    const void *gating;
    const float *bias;
    float *weights;
    int32_t *ids;
} om_moe_topk_args;

/* Errors: OM_INVALID (negative or overflowing shape, K not in 1..E, null or misaligned tensor,
 * wrong dtype, a bias with softmax; nothing is written), OM_UNSUPPORTED, OM_NO_MEMORY, OM_DEVICE.
 */
OM_API OM_MUST_USE om_status om_moe_topk(om_context *context, const om_moe_topk_args *args,
                                         om_error *err);

#ifdef __cplusplus
}
#endif

#endif
