/* SPDX-License-Identifier: Apache-2.0 */
/* gemm_dot_body.h: dot products of few rows of A with rows of B as they are stored, written once
 * for every level. The including file defines LEVEL, which makes names.
 *
 * M rows of A by R rows of B are M·R chains of vectors over k with one sum across each at the end;
 * every element is a chain of its own, so its bits do not depend on M and R. The rows of the next
 * group are asked for while this one is read.
 */
#include "kernels/cpu/gemm_core.h"
#include "kernels/cpu/vec.h"

/* How many rows of B go with M rows of A: as many chains as the registers hold. */
#if LANES == 16
#define WITH1 8
#define WITH2 8
#define WITH3 6
#define WITH4 5
#define MANY  8 /* rows of A in the largest block */
#define WITHM 3
#else
#define WITH1 6
#define WITH2 4
#define WITH3 3
#define WITH4 2
#define MANY  4
#define WITHM 2
#endif

/* What whole vectors leave of k; apart, so that the registers of the blocks stay free of it. */
static __attribute__((noinline)) void add_tails(om_dtype dtype, int m, int n, const char *const *a,
                                                const char *b, int64_t b_stride, int64_t i,
                                                int64_t k, float *sums, int64_t stride)
{
    for (int c = 0; c < n; c++) {
        vf y = vf_load_part_as(dtype, b + c * b_stride + vec_bytes(dtype, i), k - i);
        for (int r = 0; r < m; r++)
            sums[r * stride + c] += vf_sum(vf_mul(vf_load_part_as(OM_F32, a[r] + i * 4, k - i), y));
    }
}

VEC_INLINE void dot_block(om_dtype dtype, int m, int n, const char *const *a, const char *b,
                          int64_t b_stride, int64_t k, float *sums, int64_t stride, int add)
{
    vf sum[8][8];
    const int64_t ahead = n * b_stride;
    int64_t i = 0;
#pragma GCC unroll 8
    for (int r = 0; r < m; r++)
#pragma GCC unroll 8
        for (int c = 0; c < n; c++)
            sum[r][c] = vf_zero();
    for (; i + LANES <= k; i += LANES) {
        vf y[8];
#pragma GCC unroll 8
        for (int c = 0; c < n; c++) {
            const char *p = b + c * b_stride + vec_bytes(dtype, i);
            __builtin_prefetch(p + ahead);
            y[c] = vf_load_as(dtype, p);
        }
#pragma GCC unroll 8
        for (int r = 0; r < m; r++) {
            vf x = vf_load(a[r] + i * 4);
#pragma GCC unroll 8
            for (int c = 0; c < n; c++)
                sum[r][c] = vf_madd(x, y[c], sum[r][c]);
        }
    }
#pragma GCC unroll 8
    for (int r = 0; r < m; r++)
#pragma GCC unroll 8
        for (int c = 0; c < n; c++)
            sums[r * stride + c] = (add ? sums[r * stride + c] : 0) + vf_sum(sum[r][c]);
    if (i < k)
        add_tails(dtype, m, n, a, b, b_stride, i, k, sums, stride);
}

/* e4m3 with a scale for each 128 values: the chain of a group times its scale joins a longer one.
 */
VEC_INLINE void dot_block128(int m, int n, const char *const *a, const om__gemm_operand *b,
                             int64_t row, int64_t k, float *sums, int64_t stride)
{
    vf sum[4][8];
#pragma GCC unroll 8
    for (int r = 0; r < m; r++)
#pragma GCC unroll 8
        for (int c = 0; c < n; c++)
            sum[r][c] = vf_zero();
    for (int64_t g = 0; g * 128 < k; g++) {
        const int64_t end = g * 128 + 128 < k ? g * 128 + 128 : k;
#pragma GCC unroll 8
        for (int c = 0; c < n; c++) {
            const char *p = (const char *)b->data + (row + c) * b->stride;
            vf part[4] = {vf_zero(), vf_zero(), vf_zero(), vf_zero()};
            __builtin_prefetch(p + n * b->stride + g * 128);
            __builtin_prefetch(p + n * b->stride + g * 128 + 64);
            for (int64_t i = g * 128; i < end; i += LANES) {
                vf y = vf_load_some_as(OM_E4M3, p + i, end - i);
#pragma GCC unroll 8
                for (int r = 0; r < m; r++)
                    part[r] = vf_madd(vf_load_some_as(OM_F32, a[r] + i * 4, end - i), y, part[r]);
            }
            vf scale = vf_set(b->scale[(row + c) * b->scale_stride + g]);
#pragma GCC unroll 8
            for (int r = 0; r < m; r++)
                sum[r][c] = vf_madd(part[r], scale, sum[r][c]);
        }
    }
#pragma GCC unroll 8
    for (int r = 0; r < m; r++)
#pragma GCC unroll 8
        for (int c = 0; c < n; c++)
            sums[r * stride + c] = vf_sum(sum[r][c]);
}

/* Nibbles in groups of 128, A in the order of pack_a_int4: (q − zero) is exact; the scale joins
 * once a group. */
VEC_INLINE void dot_int4(int m, int n, const char *const *a, const om__gemm_operand *b, int64_t row,
                         int64_t k, float *sums, int64_t stride)
{
    vf sum[4][8];
#pragma GCC unroll 8
    for (int r = 0; r < m; r++)
#pragma GCC unroll 8
        for (int c = 0; c < n; c++)
            sum[r][c] = vf_zero();
    for (int64_t g = 0; g * 128 < k; g++) {
        vf part[4][8], zero[8];
#pragma GCC unroll 8
        for (int c = 0; c < n; c++) {
            zero[c] = vf_set((float)b->zero[(row + c) * b->scale_stride + g]);
#pragma GCC unroll 8
            for (int r = 0; r < m; r++)
                part[r][c] = vf_zero();
        }
        for (int64_t i = g * 128; i < g * 128 + 128; i += 8 * LANES) {
            vi word[8];
#pragma GCC unroll 8
            for (int c = 0; c < n; c++) {
                const char *p = (const char *)b->data + ((row + c) * b->stride + i) / 2;
                __builtin_prefetch(p + n * b->stride / 2);
                word[c] = vi_load(p);
            }
            for (int j = 0; j < 8; j++) {
                vf x[4];
#pragma GCC unroll 8
                for (int r = 0; r < m; r++)
                    x[r] = vf_load(a[r] + (i + j * LANES) * 4);
#pragma GCC unroll 8
                for (int c = 0; c < n; c++) {
                    vf q = vf_sub(vf_from_int(vi_and(word[c], vi_set(15))), zero[c]);
                    word[c] = vi_shr(word[c], 4);
#pragma GCC unroll 8
                    for (int r = 0; r < m; r++)
                        part[r][c] = vf_madd(x[r], q, part[r][c]);
                }
            }
        }
#pragma GCC unroll 8
        for (int c = 0; c < n; c++) {
            vf scale = vf_set(b->scale[(row + c) * b->scale_stride + g]);
#pragma GCC unroll 8
            for (int r = 0; r < m; r++)
                sum[r][c] = vf_madd(part[r][c], scale, sum[r][c]);
        }
    }
#pragma GCC unroll 8
    for (int r = 0; r < m; r++)
#pragma GCC unroll 8
        for (int c = 0; c < n; c++)
            sums[r * stride + c] = vf_sum(sum[r][c]);
}

/* k at a time: the rows of A of a block stay in the first-level cache. */
#define PART_K 1024

#define PLAIN(DTYPE, M, N)                                                                         \
    dot_block(DTYPE, M, N, at + r,                                                                 \
              (const char *)b->data + vec_bytes(DTYPE, (row + c) * b->stride + first),             \
              vec_bytes(DTYPE, b->stride), k - first < PART_K ? k - first : PART_K,                \
              sums + r * stride + c, stride, first > 0)
#define BLOCK128(DTYPE, M, N)                                                                      \
    dot_block128(M, N, at + r, b, row + c, k, sums + r * stride + c, stride)
#define INT4(DTYPE, M, N) dot_int4(M, N, at + r, b, row + c, k, sums + r * stride + c, stride)

/* All columns for M rows from r on: N at a time, then one by one. */
#define COLUMNS(HOW, DTYPE, M, N)                                                                  \
    do {                                                                                           \
        int64_t c = 0;                                                                             \
        for (; c + (N) <= columns; c += (N))                                                       \
            HOW(DTYPE, M, N);                                                                      \
        for (; c < columns; c++)                                                                   \
            HOW(DTYPE, M, 1);                                                                      \
    } while (0)

#define DOT(NAME, HOW, DTYPE, N1, N2, N3, N4, M, NM, STEP)                                         \
    int LEVEL(NAME)(const char *const *a, int64_t rows, const om__gemm_operand *b, int64_t row,    \
                    int64_t columns, int64_t k, float *sums, int64_t stride)                       \
    {                                                                                              \
        for (int64_t first = 0; first < k; first += (STEP)) {                                      \
            const char *at[OM_DOT_MOST_ROWS];                                                      \
            int64_t r = 0;                                                                         \
            for (int64_t i = 0; i < rows; i++)                                                     \
                at[i] = a[i] + first * 4;                                                          \
            for (; r + (M) <= rows; r += (M))                                                      \
                COLUMNS(HOW, DTYPE, M, NM);                                                        \
            for (; r + 4 <= rows; r += 4)                                                          \
                COLUMNS(HOW, DTYPE, 4, N4);                                                        \
            if (rows - r == 3)                                                                     \
                COLUMNS(HOW, DTYPE, 3, N3);                                                        \
            else if (rows - r == 2)                                                                \
                COLUMNS(HOW, DTYPE, 2, N2);                                                        \
            else if (rows - r == 1)                                                                \
                COLUMNS(HOW, DTYPE, 1, N1);                                                        \
        }                                                                                          \
        return 0;                                                                                  \
    }
DOT(f32, PLAIN, OM_F32, WITH1, WITH2, WITH3, WITH4, MANY, WITHM, PART_K)
DOT(bf16, PLAIN, OM_BF16, WITH1, WITH2, WITH3, WITH4, MANY, WITHM, PART_K)
DOT(f16, PLAIN, OM_F16, WITH1, WITH2, WITH3, WITH4, MANY, WITHM, PART_K)
DOT(e4m3, PLAIN, OM_E4M3, WITH1, WITH2, WITH3, WITH4, MANY, WITHM, PART_K)
DOT(block128, BLOCK128, OM_E4M3, 4, 4, 3, 2, 4, 2, INT64_MAX / 8)
DOT(int4, INT4, OM_U4X2, 4, 3, 2, 2, 4, 2, INT64_MAX / 8)
