/* SPDX-License-Identifier: Apache-2.0 */
/* rows.c: which rows of an output are judged when judging all of them would take too long. */
#include <stdlib.h>

#include "bench/stage.h"

/* Half of the picks go to places where tiled kernels break, the other half anywhere. */
static const int64_t tiles[] = {256, 128, 64, 192, 96, 32, 48, 16, 8};

static int compare(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static void add(int64_t row, int64_t total, int64_t *index, int64_t *used, int64_t limit)
{
    if (row < 0 || row >= total || *used >= limit)
        return;
    for (int64_t i = 0; i < *used; i++)
        if (index[i] == row)
            return;
    index[(*used)++] = row;
}

int64_t om__rows_pick(int64_t total, int64_t count, uint64_t seed, int64_t *index)
{
    int64_t used = 0;
    if (count >= total) {
        for (int64_t i = 0; i < total; i++)
            index[i] = i;
        return total;
    }
    add(0, total, index, &used, count);
    add(total - 1, total, index, &used, count);
    add(1, total, index, &used, count);
    add(total - 2, total, index, &used, count);
    /* Both sides of a border in the middle, of the first one and of the last one. */
    for (size_t i = 0; i < sizeof tiles / sizeof tiles[0]; i++) {
        int64_t t = tiles[i], last = total / t * t, middle = total / 2 / t * t;
        int64_t limit = count / 2 > 4 ? count / 2 : count;
        add(t - 1, total, index, &used, limit);
        add(last - 1, total, index, &used, limit);
        add(last, total, index, &used, limit);
        add(t, total, index, &used, limit);
        add(middle - 1, total, index, &used, limit);
        add(middle, total, index, &used, limit);
    }
    /* Evenly spread strata with a drawn row in each, so that no region is missed. */
    int64_t left = count - used;
    for (int64_t i = 0; i < left; i++) {
        int64_t from = total / left * i, size = i + 1 < left ? total / left : total - from;
        add(from + (int64_t)(om__fill_bits(seed, 77, (uint64_t)i) % (uint64_t)size), total, index,
            &used, count);
    }
    for (int64_t row = 0; used < count; row++)
        add(row, total, index, &used, count);
    qsort(index, (size_t)used, sizeof *index, compare);
    return used;
}
