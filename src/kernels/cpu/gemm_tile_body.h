/* SPDX-License-Identifier: Apache-2.0 */
/* gemm_tile_body.h: the tiles, written once. The including file defines tile_vector, TILE_LANES,
 * tile_zero, tile_load, tile_store, tile_add, tile_broadcast and tile_madd, then lists instances
 * with TILE.
 *
 * Rows and vectors are constants, so that all accumulators stay in registers.
 */
#include "kernels/cpu/gemm_tile.h"

#define TILE(R, V)                                                                                 \
    static void tile_##R##x##V(int64_t steps, const char *const *a, const char *b, int64_t b_step, \
                               float *c, int64_t ldc, int add)                                     \
    {                                                                                              \
        tile_vector acc[R][V];                                                                     \
        const char *row[R];                                                                        \
        _Pragma("GCC unroll 8") for (int r = 0; r < R; r++)                                        \
        {                                                                                          \
            row[r] = a[r];                                                                         \
            _Pragma("GCC unroll 8") for (int v = 0; v < V; v++) acc[r][v] = tile_zero();           \
        }                                                                                          \
        for (int64_t s = 0; s < steps; s++) {                                                      \
            tile_vector line[V];                                                                   \
            _Pragma("GCC unroll 8") for (int v = 0; v < V; v++) line[v] =                          \
                tile_load(b + v * TILE_LANES * 4);                                                 \
            _Pragma("GCC unroll 8") for (int r = 0; r < R; r++)                                    \
            {                                                                                      \
                tile_vector x = tile_broadcast(row[r] + s * 4);                                    \
                _Pragma("GCC unroll 8") for (int v = 0; v < V; v++) acc[r][v] =                    \
                    tile_madd(x, line[v], acc[r][v]);                                              \
            }                                                                                      \
            b += b_step;                                                                           \
        }                                                                                          \
        _Pragma("GCC unroll 8") for (int r = 0; r < R; r++)                                        \
        {                                                                                          \
            float *to = c + r * ldc;                                                               \
            _Pragma("GCC unroll 8") for (int v = 0; v < V; v++)                                    \
            {                                                                                      \
                tile_vector sum = acc[r][v];                                                       \
                if (add)                                                                           \
                    sum = tile_add(sum, tile_load((const char *)(to + v * TILE_LANES)));           \
                tile_store(to + v * TILE_LANES, sum);                                              \
            }                                                                                      \
        }                                                                                          \
    }
