/* SPDX-License-Identifier: Apache-2.0 */
/* moe_permute_align.h: sorts the T·K (token, expert) choices by expert, each expert's run padded
 * to whole blocks.
 *
 * Shapes    ids is [T,K] i32; with cap = T·K + (E+1)·(block_size-1): sorted_token_ids is [cap],
 *           expert_ids is [ceil(cap/block_size)], num_tokens_post_pad is [1], all i32. T may be 0;
 *           cap must fit in an int32.
 * Meaning   sorted_token_ids holds flat indices t·K+k, grouped by expert in ascending order, in
 *           ascending order within an expert; each expert's run is filled up to a multiple of
 *           block_size with T·K, and so is every slot after the last run. expert_ids names the
 *           expert of each block, -1 after the last used block. num_tokens_post_pad is the sum of
 *           the padded runs. An id outside 0..E-1 (such as -1) belongs to no expert: left out.
 * Inputs    routing says how a benchmark draws ids; a call ignores it.
 */
#ifndef OPMARK_MOE_PERMUTE_ALIGN_H
#define OPMARK_MOE_PERMUTE_ALIGN_H

#include "opmark/device.h"
#include "opmark/dtype.h"
#include "opmark/moe_routing.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct om_moe_permute_align_args {
    int64_t t, e, k;
    int64_t block_size; /* 0: 64 */
    int routing;        /* an om_moe_routing, for benchmarks */
    const int32_t *ids;
    int32_t *sorted_token_ids;
    int32_t *expert_ids;
    int32_t *num_tokens_post_pad;
} om_moe_permute_align_args;

/* Errors: OM_INVALID (negative or overflowing shape, null or misaligned tensor; nothing is
 * written), OM_UNSUPPORTED, OM_NO_MEMORY, OM_DEVICE. */
OM_API OM_MUST_USE om_status om_moe_permute_align(om_context *context,
                                                  const om_moe_permute_align_args *args,
                                                  om_error *err);

#ifdef __cplusplus
}
#endif

#endif
