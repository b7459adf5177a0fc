/* SPDX-License-Identifier: Apache-2.0 */
/* attention.h: scaled dot-product attention with grouped queries, forward and backward.
 *
 * Shapes    q, o, grad_o and grad_q are [B,S,Hq,D]; k, v, grad_k and grad_v are [B,S,Hkv,D]; lse
 *           is [B,Hq,S] f32. Hq is a multiple of Hkv; query head h reads key head h / (Hq/Hkv). S
 *           may be 0; b = 0 stands for one batch.
 * Types     dtype is that of all tensors but lse: OM_BF16 (the default), OM_F16 or OM_F32. Sums
 *           and exponentials are f32; probabilities may be rounded to dtype before they multiply
 *           v.
 * Meaning   s = scale · q · kᵀ, masked to keys at or before the query where causal; p = softmax of
 *           each row of s; o = p · v; lse = log of the sum of exp(s), natural. Backward: with p
 *           from lse and delta = the sum of grad_o · o over D, grad_v = pᵀ · grad_o, ds = p ·
 *           (grad_o · vᵀ - delta), grad_q = scale · ds · k and grad_k = scale · dsᵀ · q, summed
 *           over the query heads that share a key head.
 * Repeat    the same call gives the same bits, for any number of threads.
 */
#ifndef OPMARK_ATTENTION_H
#define OPMARK_ATTENTION_H

#include "opmark/device.h"
#include "opmark/dtype.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct om_attention_args {
    int64_t b; /* 0: 1 */
    int64_t s, hq;
    int64_t hkv; /* 0: hq */
    int64_t d;
    om_dtype dtype;
    int causal;
    double scale; /* 0: 1 / sqrt(D) */
    const void *q;
    const void *k;
    const void *v;
    void *o;
    float *lse;
} om_attention_args;

typedef struct om_attention_backward_args {
    int64_t b; /* 0: 1 */
    int64_t s, hq;
    int64_t hkv; /* 0: hq */
    int64_t d;
    om_dtype dtype;
    int causal;
    double scale; /* 0: 1 / sqrt(D) */
    const void *q;
    const void *k;
    const void *v;
    const void *o;
    const float *lse;
    const void *grad_o;
    void *grad_q;
    void *grad_k;
    void *grad_v;
} om_attention_backward_args;

/* Errors: OM_INVALID (negative or overflowing shape, Hq no multiple of Hkv, null or misaligned
 * tensor, wrong dtype; nothing is written), OM_UNSUPPORTED, OM_NO_MEMORY, OM_DEVICE. */
OM_API OM_MUST_USE om_status om_attention(om_context *context, const om_attention_args *args,
                                          om_error *err);

/* Errors: OM_INVALID (negative or overflowing shape, Hq no multiple of Hkv, null or misaligned
 * tensor, wrong dtype; nothing is written), OM_UNSUPPORTED, OM_NO_MEMORY, OM_DEVICE. */
OM_API OM_MUST_USE om_status om_attention_backward(om_context *context,
                                                   const om_attention_backward_args *args,
                                                   om_error *err);

#ifdef __cplusplus
}
#endif

#endif
