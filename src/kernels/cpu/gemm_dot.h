/* SPDX-License-Identifier: Apache-2.0 */
/* gemm_dot.h: what dot products of every level share: which bytes of B to ask for in advance.
 *
 * A block walks n rows of B at once. Asking about 8 KiB ahead of all of them together is far enough
 * for memory, and the first-level cache still holds it when it is read; asking for the same place
 * in the next n rows, often 64 KiB ahead, lost a quarter of the rate.
 */
#ifndef OM_KERNELS_CPU_GEMM_DOT_H
#define OM_KERNELS_CPU_GEMM_DOT_H

#include <stdint.h>

#define OM_DOT_AHEAD 8192

/* A distance in n rows together, as whole blocks and bytes of a row. */
typedef struct om__dot_lead {
    int64_t blocks, rest;
} om__dot_lead;

/* Where a block is: columns (rows of B) of a task are taken n at a time, over one part of K after
 * the other. */
typedef struct om__dot_place {
    int64_t column, columns; /* of the block in the task; of the task */
    int64_t stride;          /* bytes of a row of B */
    int64_t gap;             /* from row to row of the block; 1: they follow each other */
    int64_t first, bytes;    /* of the part, in a row */
    int is_last;             /* part of K: the next task follows */
    om__dot_lead lead;       /* how far ahead its blocks ask */
} om__dot_place;

/* Offsets from the byte at hand: `near` up to `limit` bytes of the part, `far` from there on. */
typedef struct om__dot_ahead {
    int64_t limit, near, far;
} om__dot_ahead;

/* From the beginning of the block to that of the block `blocks` later. */
static inline int64_t om__dot_jump(const om__dot_place *at, int64_t n, int64_t blocks)
{
    const int64_t wrap = at->gap > 1 ? at->gap : at->columns;
    const int64_t to = at->gap > 1 ? blocks : blocks * n;
    if (at->column + to < wrap)
        return to * at->stride;
    return at->is_last ? (to - wrap + at->columns) * at->stride - at->first
                       : (to - wrap) * at->stride + at->bytes;
}

/* Of blocks of n rows; it divides, so once for all of them. */
static inline om__dot_lead om__dot_lead_of(const om__dot_place *at, int64_t n)
{
    const int64_t distance = OM_DOT_AHEAD / n;
    return (om__dot_lead){.blocks = distance / at->bytes, .rest = distance % at->bytes};
}

static inline om__dot_ahead om__dot_ahead_of(const om__dot_place *at, int64_t n)
{
    const om__dot_lead lead = at->lead;
    return (om__dot_ahead){
        .limit = at->bytes - lead.rest,
        .near = om__dot_jump(at, n, lead.blocks) + lead.rest,
        .far = om__dot_jump(at, n, lead.blocks + 1) + lead.rest - at->bytes,
    };
}

/* Where `every` passes read the same part of B, each asks for a share of what follows the part, so
 * that memory is busy in all of them: lines `turn`, `turn` + `every`… of each row. */
typedef struct om__dot_share {
    om__dot_ahead ahead;
    int64_t turn, every;
} om__dot_share;

static inline om__dot_share om__dot_share_of(const om__dot_place *at, int64_t n, int64_t pass,
                                             int64_t passes)
{
    if (passes == 1)
        return (om__dot_share){.ahead = om__dot_ahead_of(at, n), .every = 1};
    const int64_t to = at->is_last ? at->columns * at->stride - at->first : at->bytes;
    return (om__dot_share){
        .ahead = {.limit = at->bytes, .near = to}, .turn = pass, .every = passes};
}

/* For one row of A the rows of a block lie apart, so that each of n streams runs through memory
 * without a jump over a whole task. */
static inline int64_t om__dot_gap(int64_t rows, int64_t columns, int64_t n)
{
    return rows == 1 && columns % n == 0 ? columns / n : 1;
}

/* k of a part: the rows of A that a block takes together stay in the first-level cache. */
static inline int64_t om__dot_part(int64_t rows, int64_t a_bytes)
{
    int64_t together = rows >= 8 ? 8 : rows > 2 ? 4 : rows;
    return (32 << 10) / together / a_bytes;
}

#endif
