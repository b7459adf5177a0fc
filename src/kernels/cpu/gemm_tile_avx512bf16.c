/* SPDX-License-Identifier: Apache-2.0 */
/* gemm_tile_avx512bf16.c: register tiles over pairs of bf16, up to 6 rows by 64 columns.
 *
 * vdpbf16ps multiplies two k at a time at the rate of one FMA. It takes denormal operands as zero:
 * whoever calls these tiles must keep denormals away from them.
 */
#include <immintrin.h>

#include <string.h>

#include "kernels/cpu/pairs512.h"

typedef __m512 tile_vector;

/* Two bf16 to every place; they are aligned to one of them only. */
VEC_INLINE __m512 broadcast_pair(const void *p)
{
    float pair;
    memcpy(&pair, p, sizeof pair);
    return _mm512_set1_ps(pair);
}

#define TILE_LANES        16
#define tile_zero()       _mm512_setzero_ps()
#define tile_load(p)      _mm512_loadu_ps(p)
#define tile_store(p, x)  _mm512_storeu_ps(p, x)
#define tile_add(x, y)    _mm512_add_ps(x, y)
#define tile_broadcast(p) broadcast_pair(p)
#define tile_madd(x, y, z)                                                                         \
    _mm512_dpbf16_ps(z, (__m512bh)_mm512_castps_si512(x), (__m512bh)_mm512_castps_si512(y))
#include "kernels/cpu/gemm_tile_body.h"

typedef watch tile_seen;
#define tile_see_nothing() watch_begin()
#define tile_saw(seen)     watch_end(seen)

VEC_INLINE void tile_see(watch *seen, const char *p, int64_t bytes)
{
    const __mmask16 mask = (__mmask16)(bytes >= 64 ? 0xffff : (1u << bytes / 4) - 1);
    watch_words(seen, _mm512_maskz_loadu_epi32(mask, p));
}

#define ROW(V) TILE(1, V) TILE(2, V) TILE(3, V) TILE(4, V) TILE(5, V) TILE(6, V)
ROW(1)
ROW(2)
ROW(3)
ROW(4)

const om__tiles om__tiles_avx512bf16_pairs = {
    .rows = 6,
    .vector = 16,
    .vectors = 4,
    .pairs = 1,
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

const om__streams om__streams_avx512bf16_pairs = {
    .least_rows = 8,
    .rows = {8, 8, 8, 6},
    .tile = {stream_1, stream_2, stream_3, stream_4},
};
