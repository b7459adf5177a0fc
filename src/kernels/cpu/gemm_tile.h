/* SPDX-License-Identifier: Apache-2.0 */
/* gemm_tile.h: the register tiles of the GEMM core: the shape of their functions and of the tables
 * that list them.
 *
 * A tile multiplies up to OM_TILE_ROWS rows of A by one packed panel of B. One step reads 32 bits
 * of each A row (an f32, or a pair of bf16) and one packed line of B (`width` f32 or bf16 pairs),
 * so the same code serves both kinds; only the multiply-add differs.
 */
#ifndef OM_KERNELS_CPU_GEMM_TILE_H
#define OM_KERNELS_CPU_GEMM_TILE_H

#include <stdint.h>

#define OM_TILE_ROWS    6  /* rows of the largest tile of every level */
#define OM_TILE_VECTORS 4  /* most vectors of a tile's width */
#define OM_PANEL_WIDTH  64 /* columns packed and multiplied at a time */

/* c[r][0..width) (+)= sum over the steps. a: one pointer a row; b: the packed panel, lines `b_step`
 * bytes apart; c: rows `ldc` floats apart; add: 0 overwrites c. */
typedef void (*om__tile_fn)(int64_t steps, const char *const *a, const char *b, int64_t b_step,
                            float *c, int64_t ldc, int add);

typedef struct om__tiles {
    int rows;    /* of the largest tile, at most OM_TILE_ROWS */
    int vector;  /* columns of one vector */
    int vectors; /* most vectors of a tile, at most OM_TILE_VECTORS */
    int pairs;   /* 1: operands are bf16 pairs, one step is two k */
    om__tile_fn tile[OM_TILE_ROWS][OM_TILE_VECTORS]; /* [rows − 1][vectors − 1] */
} om__tiles;

/* The other way round, for few rows of A and B stored [N,K]: rows of B, read where they lie, by a
 * packed panel of A. c[r][0..width) (+)= sum over the steps, r a row of B; asks memory for the rows
 * that follow. Returns 1 when a row of B holds a value that the tile mistakes. */
typedef int (*om__stream_fn)(int64_t steps, const char *b, int64_t b_stride, const char *a,
                             int64_t a_step, float *c, int64_t ldc, int add);

typedef struct om__streams {
    int64_t least_rows;        /* of A: with fewer, dot products are faster */
    int rows[OM_TILE_VECTORS]; /* of B, by vectors − 1 */
    om__stream_fn tile[OM_TILE_VECTORS];
} om__streams;
#define OM_STREAM_MOST_ROWS 128 /* of A: two panels */
#define OM_STREAM_VECTOR    16
#define OM_STREAM_HEIGHT    8   /* rows of B of the tallest tile */
#define OM_STREAM_AHEAD     512 /* bytes of each row asked for in advance */

extern const om__streams om__streams_avx512_f32;
extern const om__streams om__streams_avx512bf16_pairs; /* sees denormals of B */

extern const om__tiles om__tiles_scalar_f32;
extern const om__tiles om__tiles_avx2_f32;
extern const om__tiles om__tiles_avx512_f32;
extern const om__tiles om__tiles_avx512bf16_pairs; /* treats denormal operands as zero */

#endif
