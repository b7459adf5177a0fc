/* SPDX-License-Identifier: Apache-2.0 */
/* gemm_tile_avx2.c: f32 register tiles of up to 6 rows by 16 columns.
 *
 * 12 accumulators, 2 lines of B and a broadcast in 16 registers.
 */
#include <immintrin.h>

typedef __m256 tile_vector;
#define TILE_LANES         8
#define tile_zero()        _mm256_setzero_ps()
#define tile_load(p)       _mm256_loadu_ps((const float *)(const void *)(p))
#define tile_store(p, x)   _mm256_storeu_ps(p, x)
#define tile_add(x, y)     _mm256_add_ps(x, y)
#define tile_broadcast(p)  _mm256_broadcast_ss((const float *)(const void *)(p))
#define tile_madd(x, y, z) _mm256_fmadd_ps(x, y, z)
#include "kernels/cpu/gemm_tile_body.h"

#define ROW(V) TILE(1, V) TILE(2, V) TILE(3, V) TILE(4, V) TILE(5, V) TILE(6, V)
ROW(1)
ROW(2)

const om__tiles om__tiles_avx2_f32 = {
    .rows = 6,
    .vector = 8,
    .vectors = 2,
    .tile = {{tile_1x1, tile_1x2},
             {tile_2x1, tile_2x2},
             {tile_3x1, tile_3x2},
             {tile_4x1, tile_4x2},
             {tile_5x1, tile_5x2},
             {tile_6x1, tile_6x2}},
};
