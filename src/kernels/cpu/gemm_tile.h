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

extern const om__tiles om__tiles_scalar_f32;
extern const om__tiles om__tiles_avx2_f32;
extern const om__tiles om__tiles_avx512_f32;
extern const om__tiles om__tiles_avx512bf16_pairs; /* treats denormal operands as zero */

#endif
