/* SPDX-License-Identifier: Apache-2.0 */
/* gemm_stream.c: rows of B stored [N,K] against packed panels of a small A; see gemm_stream.h.
 *
 * K is cut so that the panels stay in the second-level cache; the cut is of the shape alone.
 */
#include "kernels/cpu/gemm_stream.h"

#include <string.h>

#define BLOCK_BYTES (384 << 10) /* of all panels of an item, in one K block */

/* Fewer have too few tasks for threads to share, since a task takes all rows. */
#define LEAST_COLUMNS 256

/* Elements of each of a vector's rows that are gathered together, where rows come by an index. */
#define GATHERED 512

/* The panels of an item: all of one width. */
typedef struct panels {
    int64_t count, width; /* width in rows of A, whole vectors */
    int64_t steps;
    int tile; /* of the call's streams */
} panels;

static int64_t divide_up(int64_t x, int64_t y)
{
    return (x + y - 1) / y;
}

static panels panels_of(int64_t rows, int64_t steps)
{
    panels p = {.count = divide_up(rows, OM_PANEL_WIDTH), .steps = steps};
    p.tile = (int)divide_up(divide_up(rows, p.count), OM_STREAM_VECTOR) - 1;
    p.width = (p.tile + 1) * OM_STREAM_VECTOR;
    return p;
}

static panels panels_for(const om__gemm *gemm, const om__gemm_item *item)
{
    return panels_of(item->m, gemm->tiles->pairs ? divide_up(item->k, 2) : item->k);
}

int om__stream_serves(const om__gemm *gemm, const om__gemm_item *item)
{
    return gemm->streams != NULL && item->m >= gemm->streams->least_rows &&
           item->m <= OM_STREAM_MOST_ROWS && item->n >= LEAST_COLUMNS && item->k > 0 &&
           gemm->pair_rows % OM_STREAM_VECTOR == 0;
}

int64_t om__stream_panel_bytes(int64_t rows, int64_t steps)
{
    const panels p = panels_of(rows, steps);
    return p.count * p.width * steps * 4;
}

/* Rows [row, row + rows) by their index: the packer takes rows that lie one after another. */
static int pack_by_index(const om__gemm *gemm, const om__gemm_item *item, int64_t row, int64_t rows,
                         char *to, int64_t step)
{
    const int64_t per_step = gemm->tiles->pairs ? 2 : 1, bytes = gemm->a_bytes;
    _Alignas(64) char gathered[OM_STREAM_VECTOR * GATHERED * sizeof(float)];
    const om__gemm_operand from = {.data = gathered, .stride = GATHERED};
    int mistaken = 0;
    for (int64_t r = 0; r < rows; r += OM_STREAM_VECTOR, to += OM_STREAM_VECTOR * 4) {
        const int64_t here = rows - r < OM_STREAM_VECTOR ? rows - r : OM_STREAM_VECTOR;
        for (int64_t k = 0; k < item->k; k += GATHERED) {
            const int64_t count = item->k - k < GATHERED ? item->k - k : GATHERED;
            for (int64_t i = 0; i < here; i++)
                memcpy(gathered + i * GATHERED * bytes,
                       (const char *)item->a.data +
                           (item->a.index[row + r + i] * item->a.stride + k) * bytes,
                       (size_t)(count * bytes));
            mistaken |= gemm->stream_pack(&from, 0, here, 0, count, to + k / per_step * step, step);
        }
    }
    return mistaken;
}

int om__stream_pack(const om__gemm *gemm, const om__gemm_item *item, char *to)
{
    const panels p = panels_for(gemm, item);
    const int64_t bytes = p.width * p.steps * 4;
    int mistaken = 0;
    for (int64_t row = 0; row < item->m; row += p.width, to += bytes) {
        int64_t rows = item->m - row < p.width ? item->m - row : p.width;
        if (rows + OM_STREAM_VECTOR <= p.width) /* a packer fills whole vectors only */
            memset(to, 0, (size_t)bytes);
        mistaken |= item->a.index
                        ? pack_by_index(gemm, item, row, rows, to, p.width * 4)
                        : gemm->stream_pack(&item->a, row, rows, 0, item->k, to, p.width * 4);
    }
    return mistaken;
}

/* Steps of a K block: equal ones, whole cache lines of B. */
static int64_t block_steps(const panels *p)
{
    int64_t most = BLOCK_BYTES / (p->count * p->width * 4);
    int64_t blocks = divide_up(p->steps, most);
    return divide_up(divide_up(p->steps, blocks), 16) * 16;
}

/* The columns from `from` on: strips of the tile's height, the last of which ends with the last
 * column and so may overlap the one before; its sums have rows of their own. */
static int run_strips(const om__gemm *gemm, const om__gemm_item *item, const panels *p,
                      const char *packed, int64_t column, int64_t columns, int64_t step,
                      int64_t steps, float *sums)
{
    const int64_t height = gemm->streams->rows[p->tile], stride = item->b.stride * gemm->a_bytes;
    const char *b = (const char *)item->b.data + column * stride + step * 4;
    int mistaken = 0;
    for (int64_t c = 0; c < columns; c += height, sums += height * OM_STREAM_STRIDE) {
        const int64_t at = c + height <= columns ? c : columns - height;
        for (int64_t i = 0; i < p->count; i++)
            mistaken |= gemm->streams->tile[p->tile](
                steps, b + at * stride, stride, packed + (i * p->steps + step) * p->width * 4,
                p->width * 4, sums + i * p->width, OM_STREAM_STRIDE, step > 0);
    }
    return mistaken;
}

/* Sums of rows [column, column + columns) of B, turned to columns of `turned`. */
static int run_columns(const om__gemm *gemm, const om__gemm_item *item, const panels *p,
                       const char *packed, int64_t column, int64_t columns, float *sums,
                       float *turned)
{
    const int64_t height = gemm->streams->rows[p->tile], block = block_steps(p);
    for (int64_t step = 0; step < p->steps; step += block) {
        int64_t steps = p->steps - step < block ? p->steps - step : block;
        if (run_strips(gemm, item, p, packed, column, columns, step, steps, sums))
            return 1;
    }
    const int64_t even = columns / height * height;
    om__gemm_operand from = {.data = sums, .stride = OM_STREAM_STRIDE};
    gemm->stream_turn(&from, 0, even, 0, item->m, (char *)turned, OM_STREAM_TURNED * 4);
    if (even < columns)
        gemm->stream_turn(&from, even, height, 0, item->m, (char *)(turned + columns - height),
                          OM_STREAM_TURNED * 4);
    return 0;
}

int om__stream_run(const om__gemm *gemm, const om__gemm_item *item, const char *packed,
                   int64_t column, int64_t columns, float *sums)
{
    const panels p = panels_for(gemm, item);
    float *turned = sums + (OM_PANEL_WIDTH + OM_STREAM_HEIGHT) * OM_STREAM_STRIDE;
    const int64_t half = columns / 2, pair = gemm->pair_rows;
    const int mistaken =
        pair == 0
            ? run_columns(gemm, item, &p, packed, column, columns, sums, turned)
            : run_columns(gemm, item, &p, packed, column / 2, half, sums, turned) ||
                  run_columns(gemm, item, &p, packed, pair + column / 2, half, sums, turned + half);
    if (mistaken)
        return 1;
    gemm->store(gemm, item, 0, item->m, column, columns, turned, OM_STREAM_TURNED);
    return 0;
}
