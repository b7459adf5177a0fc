/* SPDX-License-Identifier: Apache-2.0 */
/* gemm_tile_scalar.c: f32 register tiles of up to 4 rows by 8 columns in plain C. */
#include <string.h>

typedef float tile_vector __attribute__((vector_size(16)));

static inline tile_vector tile_load(const void *p)
{
    tile_vector x;
    memcpy(&x, p, sizeof x);
    return x;
}

static inline tile_vector tile_broadcast(const void *p)
{
    float x;
    memcpy(&x, p, sizeof x);
    return (tile_vector){x, x, x, x};
}

#define TILE_LANES         4
#define tile_zero()        ((tile_vector){0, 0, 0, 0})
#define tile_store(p, x)   memcpy(p, &(x), sizeof(x))
#define tile_add(x, y)     ((x) + (y))
#define tile_madd(x, y, z) ((x) * (y) + (z))
#include "kernels/cpu/gemm_tile_body.h"

#define ROW(V) TILE(1, V) TILE(2, V) TILE(3, V) TILE(4, V)
ROW(1)
ROW(2)

const om__tiles om__tiles_scalar_f32 = {
    .rows = 4,
    .vector = 4,
    .vectors = 2,
    .tile = {{tile_1x1, tile_1x2},
             {tile_2x1, tile_2x2},
             {tile_3x1, tile_3x2},
             {tile_4x1, tile_4x2}},
};
