/* SPDX-License-Identifier: Apache-2.0 */
/* expert_sort.c: the stable counting sort of a routing's choices by expert. */
#include "kernels/cpu/expert_sort.h"

#include <string.h>

void om__expert_sort_run(const om__expert_sort *sort, int64_t *starts, int32_t *slot_of,
                         int32_t *choice_of)
{
    memset(starts, 0, (size_t)(sort->local + 1) * sizeof *starts);
    for (int64_t i = 0; i < sort->count; i++) {
        int32_t expert = om__expert_of(sort, i);
        if (expert >= 0)
            starts[expert]++;
    }
    int64_t slots = 0;
    for (int64_t l = 0; l <= sort->local; l++) {
        int64_t size = starts[l];
        starts[l] = slots;
        slots += size;
    }
    /* Each start moves on as its slots are given away, and becomes the next expert's. */
    for (int64_t i = 0; i < sort->count; i++) {
        int32_t expert = om__expert_of(sort, i);
        int32_t slot = expert < 0 ? -1 : (int32_t)starts[expert]++;
        if (slot_of != NULL)
            slot_of[i] = slot;
        if (choice_of != NULL && slot >= 0)
            choice_of[slot] = (int32_t)i;
    }
    for (int64_t l = sort->local; l > 0; l--)
        starts[l] = starts[l - 1];
    starts[0] = 0;
}
