/* SPDX-License-Identifier: Apache-2.0 */
/* permute.c: the stable sort of choices by local expert. */
#include "ops/permute.h"

#include <stdlib.h>

#include "base/error.h"

int32_t om__permute_local(int32_t id, int64_t e, int64_t e_local, const int32_t *map)
{
    if (id < 0 || id >= e)
        return -1;
    int32_t local = map ? map[id] : id;
    return local >= 0 && local < e_local ? local : -1;
}

void om__permute_sort(const int32_t *ids, int64_t count, int64_t e, int64_t e_local,
                      const int32_t *map, int64_t *starts, int32_t *fwd_idx, int32_t *slots)
{
    for (int64_t l = 0; l <= e_local; l++)
        starts[l] = 0;
    /* Counts stand two places on, so that handing out slots turns them into starts. */
    for (int64_t i = 0; i < count; i++) {
        int32_t local = om__permute_local(ids[i], e, e_local, map);
        if (local >= 0 && local + 2 <= e_local)
            starts[local + 2]++;
    }
    for (int64_t l = 2; l <= e_local; l++)
        starts[l] += starts[l - 1];
    for (int64_t i = 0; i < count; i++) {
        int32_t local = om__permute_local(ids[i], e, e_local, map);
        if (local >= 0 && slots)
            slots[starts[local + 1]] = (int32_t)i;
        if (fwd_idx)
            fwd_idx[i] = local >= 0 ? (int32_t)starts[local + 1] : -1;
        if (local >= 0)
            starts[local + 1]++;
    }
}

int64_t om__permute_count_local(const int32_t *ids, int64_t count, int64_t e, int64_t e_local,
                                const int32_t *map)
{
    int64_t local = 0;
    for (int64_t i = 0; i < count; i++)
        local += om__permute_local(ids[i], e, e_local, map) >= 0;
    return local;
}

int64_t om__permute_count_hit(const int32_t *ids, int64_t count, int64_t e, int64_t e_local,
                              const int32_t *map)
{
    int64_t hit = 0;
    unsigned char *is_hit = calloc((size_t)e_local + 1, 1);
    if (!is_hit)
        return e_local; /* a bound is better than no figure */
    for (int64_t i = 0; i < count; i++) {
        int32_t local = om__permute_local(ids[i], e, e_local, map);
        if (local < 0 || is_hit[local])
            continue;
        is_hit[local] = 1;
        hit++;
    }
    free(is_hit);
    return hit;
}

void om__draw_expert_map(int64_t e, int64_t e_local, int32_t *map)
{
    for (int64_t i = 0; i < e; i++)
        map[i] = (int32_t)(i < e - e_local ? -1 : i - (e - e_local));
}

om_status om__routing_check(int64_t k, int64_t e, int64_t e_local, int has_map, om_error *err)
{
    if (k > e)
        return om__error_set(err, OM_INVALID, "k is %lld, more than the %lld experts", (long long)k,
                             (long long)e);
    if (e_local > e)
        return om__error_set(err, OM_INVALID, "e_local is %lld, more than the %lld experts",
                             (long long)e_local, (long long)e);
    if (e_local != e && !has_map)
        return om__error_set(err, OM_INVALID, "e_local=%lld of e=%lld needs has_map=1",
                             (long long)e_local, (long long)e);
    return OM_OK;
}
