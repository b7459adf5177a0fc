/* SPDX-License-Identifier: Apache-2.0 */
/* permute.h: sorting (token, expert) choices by local expert, as moe_permute and the fused
 * operators define it.
 */
#ifndef OM_OPS_PERMUTE_H
#define OM_OPS_PERMUTE_H

#include <stdint.h>

#include "opmark/status.h"

/* The local expert of a global id, or -1. map NULL: ids are local; e_local then equals e. */
int32_t om__permute_local(int32_t id, int64_t e, int64_t e_local, const int32_t *map);

/* A stable counting sort of `count` choices. starts [e_local+1] gets the first slot of each local
 * expert and the number of local slots; fwd_idx [count] (may be NULL) the slot of each choice or
 * -1; slots [count] (may be NULL) the choice of each slot. */
void om__permute_sort(const int32_t *ids, int64_t count, int64_t e, int64_t e_local,
                      const int32_t *map, int64_t *starts, int32_t *fwd_idx, int32_t *slots);

int64_t om__permute_count_local(const int32_t *ids, int64_t count, int64_t e, int64_t e_local,
                                const int32_t *map);

/* The number of distinct local experts among them. */
int64_t om__permute_count_hit(const int32_t *ids, int64_t count, int64_t e, int64_t e_local,
                              const int32_t *map);

/* The map of a rank that owns the last e_local of e experts. */
void om__draw_expert_map(int64_t e, int64_t e_local, int32_t *map);

/* OM_INVALID unless k <= e, e_local <= e, and e_local = e without a map. */
om_status om__routing_check(int64_t k, int64_t e, int64_t e_local, int has_map, om_error *err);

#endif
