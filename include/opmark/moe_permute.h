/* SPDX-License-Identifier: Apache-2.0 */
/* moe_permute.h: gathers the rows of the tokens by expert, without padding.
 *
 * Shapes    hidden is [T,H]; ids is [T,K] i32; expert_map is [E] i32 (with has_map); perm_h is
 *           [T·K,H]; offsets and sizes are [E_local] i32; first_token_offset is [E_local+1] i64;
 *           fwd_idx is [T·K] i32. T and H may be 0. T·K must fit in an int32.
 * Types     dtype is that of hidden and perm_h: OM_BF16 (the default), OM_F16 or OM_F32; rows are
 *           copied bit for bit.
 * Meaning   a stable counting sort of the flat indices t·K+k by local expert: without a map that
 *           is the id itself (e_local is then E), with one expert_map[id]; a value outside
 *           0..e_local-1 (such as -1), or an id outside 0..E-1, belongs to another rank.
 *           fwd_idx[flat] is the slot of that choice, -1 where another rank owns it; perm_h[slot]
 *           is hidden[t]; offsets[l] is the first slot and sizes[l] the number of slots of local
 *           expert l; first_token_offset holds the offsets again, and the number of local slots
 *           last. Rows of perm_h from there on are not written.
 * Inputs    routing says how a benchmark draws ids; a call ignores it.
 * Repeat    the same call gives the same bits, for any number of threads.
 */
#ifndef OPMARK_MOE_PERMUTE_H
#define OPMARK_MOE_PERMUTE_H

#include "opmark/device.h"
#include "opmark/dtype.h"
#include "opmark/moe_routing.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct om_moe_permute_args {
    int64_t t, h, e, k;
    int64_t e_local; /* 0: e */
    om_dtype dtype;
    int has_map; /* 1: expert_map is read; needed where e_local differs from e */
    int routing; /* an om_moe_routing, for benchmarks */
    const void *hidden;
    const int32_t *ids;
    const int32_t *expert_map;
    void *perm_h;
    int32_t *offsets;
    int32_t *sizes;
    int64_t *first_token_offset;
    int32_t *fwd_idx;
} om_moe_permute_args;

/* Errors: OM_INVALID (negative or overflowing shape, null or misaligned tensor, wrong dtype,
 * e_local unlike e without a map; nothing is written), OM_UNSUPPORTED, OM_NO_MEMORY, OM_DEVICE. */
OM_API OM_MUST_USE om_status om_moe_permute(om_context *context, const om_moe_permute_args *args,
                                            om_error *err);

#ifdef __cplusplus
}
#endif

#endif
