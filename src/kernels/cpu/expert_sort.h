/* SPDX-License-Identifier: Apache-2.0 */
/* expert_sort.h: the stable counting sort of a routing's choices by expert. */
#ifndef OM_KERNELS_CPU_EXPERT_SORT_H
#define OM_KERNELS_CPU_EXPERT_SORT_H

#include <stdint.h>

typedef struct om__expert_sort {
    const int32_t *ids;
    int64_t count;      /* choices */
    int64_t e, local;   /* experts in all, and here */
    const int32_t *map; /* id → local expert; NULL: the same */
} om__expert_sort;

/* The local expert of choice i; −1 where it belongs to none here. */
static inline int32_t om__expert_of(const om__expert_sort *sort, int64_t i)
{
    int32_t id = sort->ids[i];
    if (id < 0 || id >= sort->e)
        return -1;
    int32_t local = sort->map ? sort->map[id] : id;
    return local >= 0 && local < sort->local ? local : -1;
}

/* starts[local + 1]: the first slot of each expert, and the number of slots last. slot_of[i]: the
 * slot of choice i or −1. choice_of[slot]: the reverse. Either may be NULL. */
void om__expert_sort_run(const om__expert_sort *sort, int64_t *starts, int32_t *slot_of,
                         int32_t *choice_of);

#endif
