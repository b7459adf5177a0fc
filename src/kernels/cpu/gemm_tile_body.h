/* SPDX-License-Identifier: Apache-2.0 */
/* gemm_tile_body.h: the tiles, written once. The including file defines tile_vector, TILE_LANES,
 * tile_zero, tile_load, tile_store, tile_add, tile_broadcast and tile_madd, then lists instances
 * with TILE.
 *
 * Rows and vectors are constants, so that all accumulators stay in registers.
 */
#include "kernels/cpu/gemm_tile.h"

/* So that a loop lies in its cache lines as it was measured, whatever is linked before it. */
#define TILE_ALIGNED __attribute__((aligned(64)))

#define TILE(R, V)                                                                                 \
    TILE_ALIGNED static void tile_##R##x##V(int64_t steps, const char *const *a, const char *b,    \
                                            int64_t b_step, float *c, int64_t ldc, int add)        \
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

/* Rows of B against a panel of A. CHAINS: sums of an element, so that a tile of few vectors has
 * enough multiply-adds on the way. What is not of the level: tile_seen, tile_see_nothing,
 * tile_see(seen, p, bytes) and tile_saw(seen), which look for values that the tile mistakes.
 *
 * Eight rows at most: rows of a power of two bytes share one set of a cache of 8 to 12 ways. */
#define STREAM_STEP(R, V, CHAIN, STEP)                                                             \
    do {                                                                                           \
        tile_vector line[V];                                                                       \
        const char *from = a + (STEP)*a_step;                                                      \
        _Pragma("GCC unroll 8") for (int v = 0; v < V; v++) line[v] =                              \
            tile_load(from + v * TILE_LANES * 4);                                                  \
        _Pragma("GCC unroll 8") for (int r = 0; r < R; r++)                                        \
        {                                                                                          \
            tile_vector x = tile_broadcast(b + r * b_stride + (STEP)*4);                           \
            _Pragma("GCC unroll 8") for (int v = 0; v < V; v++) acc[CHAIN][r][v] =                 \
                tile_madd(x, line[v], acc[CHAIN][r][v]);                                           \
        }                                                                                          \
    } while (0)

#define STREAM(R, V, CHAINS)                                                                       \
    TILE_ALIGNED static int stream_##V(int64_t steps, const char *b, int64_t b_stride,             \
                                       const char *a, int64_t a_step, float *c, int64_t ldc,       \
                                       int add)                                                    \
    {                                                                                              \
        tile_vector acc[CHAINS][R][V];                                                             \
        tile_seen seen = tile_see_nothing();                                                       \
        const int64_t bytes = steps * 4;                                                           \
        _Pragma("GCC unroll 2") for (int i = 0; i < CHAINS; i++)                                   \
            _Pragma("GCC unroll 8") for (int r = 0; r < R; r++)                                    \
                _Pragma("GCC unroll 8") for (int v = 0; v < V; v++) acc[i][r][v] = tile_zero();    \
        for (int64_t s = 0; s < steps; s += 16) {                                                  \
            int64_t ahead = s * 4 + OM_STREAM_AHEAD;                                               \
            ahead += ahead < bytes ? 0 : R * b_stride - bytes;                                     \
            _Pragma("GCC unroll 8") for (int r = 0; r < R; r++)                                    \
            {                                                                                      \
                __builtin_prefetch(b + r * b_stride + ahead);                                      \
                tile_see(&seen, b + r * b_stride + s * 4, bytes - s * 4);                          \
            }                                                                                      \
            if (steps - s >= 16)                                                                   \
                for (int64_t t = s; t < s + 16; t += CHAINS)                                       \
                    _Pragma("GCC unroll 2") for (int i = 0; i < CHAINS; i++)                       \
                        STREAM_STEP(R, V, i, t + i);                                               \
            else                                                                                   \
                for (int64_t t = s; t < steps; t++)                                                \
                    STREAM_STEP(R, V, 0, t);                                                       \
        }                                                                                          \
        _Pragma("GCC unroll 8") for (int r = 0; r < R; r++)                                        \
            _Pragma("GCC unroll 8") for (int v = 0; v < V; v++)                                    \
        {                                                                                          \
            float *to = c + r * ldc + v * TILE_LANES;                                              \
            tile_vector sum = acc[0][r][v];                                                        \
            if (CHAINS > 1)                                                                        \
                sum = tile_add(sum, acc[CHAINS - 1][r][v]);                                        \
            tile_store(to, add ? tile_add(sum, tile_load((const char *)to)) : sum);                \
        }                                                                                          \
        return tile_saw(&seen);                                                                    \
    }
