/* SPDX-License-Identifier: Apache-2.0 */
/* gemm_tile_avx512.c: f32 register tiles of up to 6 rows by 64 columns.
 *
 * 24 accumulators, 4 lines of B and a broadcast fill the 32 registers; 10 loads serve 24 FMA.
 */
#include <immintrin.h>

typedef __m512 tile_vector;
#define TILE_LANES         16
#define tile_zero()        _mm512_setzero_ps()
#define tile_load(p)       _mm512_loadu_ps(p)
#define tile_store(p, x)   _mm512_storeu_ps(p, x)
#define tile_add(x, y)     _mm512_add_ps(x, y)
#define tile_broadcast(p)  _mm512_set1_ps(*(const float *)(const void *)(p))
#define tile_madd(x, y, z) _mm512_fmadd_ps(x, y, z)
#include "kernels/cpu/gemm_tile_body.h"

/* Every value is taken as it is. */
typedef int tile_seen;
#define tile_see_nothing()       0
#define tile_see(seen, p, bytes) ((void)(seen))
#define tile_saw(seen)           (*(seen))

#define ROW(V) TILE(1, V) TILE(2, V) TILE(3, V) TILE(4, V) TILE(5, V) TILE(6, V)
ROW(1)
ROW(2)
ROW(3)
ROW(4)

const om__tiles om__tiles_avx512_f32 = {
    .rows = 6,
    .vector = 16,
    .vectors = 4,
    .tile = {{tile_1x1, tile_1x2, tile_1x3, tile_1x4},
             {tile_2x1, tile_2x2, tile_2x3, tile_2x4},
             {tile_3x1, tile_3x2, tile_3x3, tile_3x4},
             {tile_4x1, tile_4x2, tile_4x3, tile_4x4},
             {tile_5x1, tile_5x2, tile_5x3, tile_5x4},
             {tile_6x1, tile_6x2, tile_6x3, tile_6x4}},
};

STREAM(8, 1, 2)
STREAM(8, 2, 1)
STREAM(8, 3, 1)
STREAM(6, 4, 1)

const om__streams om__streams_avx512_f32 = {
    .least_rows = 9,
    .rows = {8, 8, 8, 6},
    .tile = {stream_1, stream_2, stream_3, stream_4},
};
