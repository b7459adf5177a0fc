/* SPDX-License-Identifier: Apache-2.0 */
/* draw.c: integers drawn on the host: routing, group sizes, shuffles.
 *
 * Integer arithmetic only, so that every machine draws the same.
 */
#include <stdlib.h>
#include <string.h>

#include "core/fill.h"
#include "ops/reference.h"

const char *const om__routing_words[] = {
    [OM_MOE_UNIFORM] = "uniform",
    [OM_MOE_SKEWED] = "skewed",
    [OM_MOE_ZIPF] = "zipf",
    [OM_MOE_ONE] = "one",
    NULL,
};

int64_t om__draw_below(om_draw *draw, int64_t bound)
{
    uint64_t bits = om__fill_bits(draw->seed, draw->tensor, draw->index++);
    return (int64_t)((bits >> 32) * (uint64_t)bound >> 32);
}

double om__draw_uniform(om_draw *draw)
{
    uint64_t bits = om__fill_bits(draw->seed, draw->tensor, draw->index++);
    return (double)(bits >> 11) * 0x1p-53;
}

void om__draw_shuffle(om_draw *draw, int32_t *values, int64_t count)
{
    for (int64_t i = count - 1; i > 0; i--) {
        int64_t j = om__draw_below(draw, i + 1);
        int32_t keep = values[i];
        values[i] = values[j];
        values[j] = keep;
    }
}

/* Integer weights of the experts, as running sums; the experts that are hot differ with the seed.
 */
static void routing_weights(int routing, om_draw *draw, int64_t rows, int64_t e, int32_t *order,
                            int64_t *sums)
{
    for (int64_t i = 0; i < e; i++)
        order[i] = (int32_t)i;
    om__draw_shuffle(draw, order, e);
    int64_t hot = e / 5 > 0 ? e / 5 : 1;
    int64_t sum = 0;
    for (int64_t rank = 0; rank < e; rank++) {
        if (routing == OM_MOE_ZIPF)
            sum += ((int64_t)1 << 20) / (rank + 1) + 1;
        else if (routing == OM_MOE_SKEWED)
            sum += rank < hot ? rows + 1 : hot;
        else
            sum += 1;
        sums[rank] = sum;
    }
}

static int64_t weighted_rank(om_draw *draw, const int64_t *sums, int64_t e)
{
    uint64_t bits = om__fill_bits(draw->seed, draw->tensor, draw->index++);
    int64_t at = (int64_t)(bits % (uint64_t)sums[e - 1]);
    int64_t low = 0, high = e - 1;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (sums[middle] > at)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

om_status om__draw_ids(int routing, uint64_t seed, uint32_t tensor, int64_t t, int64_t k, int64_t e,
                       int32_t *ids, om_error *err)
{
    if (routing == OM_MOE_ONE) {
        for (int64_t i = 0; i < t * k; i++)
            ids[i] = (int32_t)(i % k);
        return OM_OK;
    }
    int64_t *sums = om__scratch(e, sizeof *sums, err);
    int32_t *order = om__scratch(e, sizeof *order, err);
    int64_t *taken_by = om__scratch(e, sizeof *taken_by, err);
    om_status status = sums && order && taken_by ? OM_OK : OM_NO_MEMORY;
    if (status != OM_OK)
        goto out;
    om_draw draw = {.seed = seed, .tensor = tensor};
    routing_weights(routing, &draw, t * k, e, order, sums);
    for (int64_t i = 0; i < e; i++)
        taken_by[i] = -1;
    for (int64_t i = 0; i < t; i++) {
        for (int64_t j = 0; j < k; j++) {
            int64_t rank = weighted_rank(&draw, sums, e);
            for (int attempt = 0; taken_by[rank] == i && attempt < 64; attempt++)
                rank = weighted_rank(&draw, sums, e);
            while (taken_by[rank] == i) /* k <= e: there is a free one */
                rank = (rank + 1) % e;
            taken_by[rank] = i;
            ids[i * k + j] = order[rank];
        }
    }
out:
    free(taken_by);
    free(order);
    free(sums);
    return status;
}

static void share_equally(int32_t *sizes, int64_t rows, int64_t groups)
{
    for (int64_t g = 0; g < groups; g++)
        sizes[g] = (int32_t)(rows / groups + (g < rows % groups));
}

static void sizes_skewed(om_draw *draw, int64_t rows, int64_t groups, int32_t *sizes)
{
    int64_t hot = groups / 5 > 0 ? groups / 5 : 1;
    int64_t single = groups - hot < rows ? groups - hot : rows;
    share_equally(sizes, rows - single, hot);
    for (int64_t g = hot; g < groups; g++)
        sizes[g] = g - hot < single;
    om__draw_shuffle(draw, sizes, groups);
}

static void sizes_zipf(om_draw *draw, int64_t rows, int64_t groups, int32_t *sizes)
{
    double weights = 0;
    for (int64_t g = 0; g < groups; g++)
        weights += 1.0 / (double)(g + 1);
    int64_t left = rows;
    for (int64_t g = 0; g < groups; g++) {
        sizes[g] = (int32_t)((double)rows / weights / (double)(g + 1));
        left -= sizes[g];
    }
    for (int64_t g = 0; left > 0; g = (g + 1) % groups, left--)
        sizes[g]++;
    om__draw_shuffle(draw, sizes, groups);
}

void om__draw_sizes(int routing, uint64_t seed, uint32_t tensor, int64_t rows, int64_t groups,
                    int32_t *sizes)
{
    om_draw draw = {.seed = seed, .tensor = tensor};
    if (groups < 1)
        return;
    switch (routing) {
    case OM_MOE_SKEWED:
        sizes_skewed(&draw, rows, groups, sizes);
        return;
    case OM_MOE_ZIPF:
        sizes_zipf(&draw, rows, groups, sizes);
        return;
    case OM_MOE_ONE:
        memset(sizes, 0, (size_t)groups * sizeof *sizes);
        sizes[0] = (int32_t)rows;
        return;
    default:
        share_equally(sizes, rows, groups);
    }
}

void om__draw_groups(int routing, uint64_t seed, uint32_t tensor, int64_t rows, int64_t groups,
                     int32_t *sizes, int32_t *offsets)
{
    if (sizes)
        om__draw_sizes(routing, seed, tensor, rows, groups, sizes);
    if (!offsets)
        return;
    /* Sizes are drawn where the offsets are to stand, then summed in place. */
    om__draw_sizes(routing, seed, tensor, rows, groups, offsets);
    int32_t start = 0;
    for (int64_t g = 0; g < groups; g++) {
        int32_t size = offsets[g];
        offsets[g] = start;
        start += size;
    }
}
