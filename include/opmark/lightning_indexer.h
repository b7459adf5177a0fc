/* SPDX-License-Identifier: Apache-2.0 */
/* lightning_indexer.h: scores of every query against the keys of its window, in fp8.
 *
 * Shapes    q is [B,S,H,D]; k is [B,N,G,D]; weights is [S,H] f32; ks and ke are [S] i32; k_scale is
 *           [B,N,G] f32 (with has_k_scale); logits is [B,S,N·G] f32, the G logits of a key side by
 *           side. H is a multiple of G; head h belongs to group h / (H/G). S and N may
 *           be 0; b = 0 and g = 0 stand for 1.
 * Types     dtype is that of q and k. OM_E4M3: used as they are, k multiplied by k_scale where
 *           there is one. OM_BF16 (the default): quantised inside: q is cast to e4m3 as it stands
 *           (saturating), each row of k as fp8_quant does it, whose scale is then k's scale.
 * Meaning   logits[b,s,n,g] = k_scale[b,n,g] · sum over the heads of group g of
 *           weights[s,h] · relu(q[b,s,h] · k[b,n,g]) for ks[s] <= n < ke[s]; elsewhere -infinity,
 *           or not written (keep_masked). Products and sums are f32.
 * Inputs    windows says how a benchmark draws ks and ke; a call ignores it.
 */
#ifndef OPMARK_LIGHTNING_INDEXER_H
#define OPMARK_LIGHTNING_INDEXER_H

#include "opmark/device.h"
#include "opmark/dtype.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How windows are drawn for benchmarks. */
typedef enum om_indexer_windows {
    OM_WINDOWS_CAUSAL = 0, /* [0, N-S+s+1): the last query sees all N keys, each earlier one a key
                              less */
    OM_WINDOWS_FULL,       /* [0, N) */
    OM_WINDOWS_BEYOND,     /* [N, 2N): all masked, as in the published row */
    OM_WINDOWS_DOCUMENTS,  /* causal within documents of drawn lengths, packed one after another */
} om_indexer_windows;

typedef struct om_lightning_indexer_args {
    int64_t b; /* 0: 1 */
    int64_t s, n, h;
    int64_t g; /* groups of keys; 0: 1 */
    int64_t d;
    om_dtype dtype;
    int has_k_scale; /* 1: k_scale is read; with OM_E4M3 only */
    int keep_masked; /* 1: logits outside the window are not written; 0: they are -infinity */
    int windows;     /* an om_indexer_windows, for benchmarks */
    const void *q;
    const void *k;
    const float *k_scale;
    const float *weights;
    const int32_t *ks;
    const int32_t *ke;
    float *logits;
} om_lightning_indexer_args;

/* Errors: OM_INVALID (negative or overflowing shape, H no multiple of G, null or misaligned tensor,
 * wrong dtype, a k_scale with bf16; nothing is written), OM_UNSUPPORTED, OM_NO_MEMORY, OM_DEVICE.
 */
OM_API OM_MUST_USE om_status om_lightning_indexer(om_context *context,
                                                  const om_lightning_indexer_args *args,
                                                  om_error *err);

#ifdef __cplusplus
}
#endif

#endif
