/* SPDX-License-Identifier: Apache-2.0 */
/* gemm_dot_body.h: dot products of few rows of A with rows of B as they are stored, written once
 * for every level. The including file defines LEVEL, which makes names.
 *
 * M rows of A by R rows of B are M·R chains of vectors over k with one sum across each at the end;
 * every element is a chain of its own, so its bits do not depend on M and R. The rows of the next
 * group are asked for while this one is read.
 */
#include "kernels/cpu/gemm_core.h"
#include "kernels/cpu/gemm_dot.h"
#include "kernels/cpu/vec.h"

/* How many rows of B go with M rows of A: as many chains as the registers hold. */
#if LANES == 16
#define WITH1 4 /* more streams get less from memory */
#define WITH2 8
#define WITH3 6
#define WITH4 5
#define MANY  8 /* rows of A in the largest block */
#define WITHM 3
#else
#define WITH1 4
#define WITH2 4
#define WITH3 3
#define WITH4 2
#define MANY  4
#define WITHM 2
#endif

/* What whole vectors leave of k; apart, so that the registers of the blocks stay free of it. */
static __attribute__((noinline)) void add_tails(om_dtype dtype, int m, int n, const char *const *a,
                                                const char *b, const om__dot_place *place,
                                                int64_t i, int64_t k, float *sums, int64_t stride)
{
    for (int64_t c = 0; c < n * place->gap; c += place->gap) {
        vf y = vf_load_part_as(dtype, b + c * place->stride + vec_bytes(dtype, i), k - i);
        for (int r = 0; r < m; r++)
            sums[r * stride + c] += vf_sum(vf_mul(vf_load_part_as(OM_F32, a[r] + i * 4, k - i), y));
    }
}

VEC_INLINE void dot_block(om_dtype dtype, int m, int n, const char *const *a, const char *b,
                          const om__dot_place *place, int64_t k, float *sums, int64_t stride)
{
    const int64_t b_stride = place->gap * place->stride;
    const om__dot_ahead ahead = om__dot_ahead_of(place, n);
    vf sum[8][8];
    int64_t i = 0;
#pragma GCC unroll 8
    for (int r = 0; r < m; r++)
#pragma GCC unroll 8
        for (int c = 0; c < n; c++)
            sum[r][c] = vf_zero();
    for (; i + LANES <= k; i += LANES) {
        vf y[8];
        const int64_t at = vec_bytes(dtype, i);
        const char *next = b + at + (at < ahead.limit ? ahead.near : ahead.far);
#pragma GCC unroll 8
        for (int c = 0; c < n; c++) {
            __builtin_prefetch(next + c * b_stride);
            y[c] = vf_load_as(dtype, b + c * b_stride + at);
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
            sums[r * stride + c * place->gap] =
                (place->first ? sums[r * stride + c * place->gap] : 0) + vf_sum(sum[r][c]);
    if (i < k)
        add_tails(dtype, m, n, a, b, place, i, k, sums, stride);
}

/* e4m3 with a scale for each 128 values: the chain of a group times its scale joins a longer one.
 */
VEC_INLINE void dot_block128(int m, int n, const char *const *a, const om__gemm_operand *b,
                             int64_t row, const om__dot_place *place, int64_t k, float *sums,
                             int64_t stride)
{
    const om__dot_ahead ahead = om__dot_ahead_of(place, n);
    const char *data = (const char *)b->data + row * b->stride;
    vf sum[4][8];
#pragma GCC unroll 8
    for (int r = 0; r < m; r++)
#pragma GCC unroll 8
        for (int c = 0; c < n; c++)
            sum[r][c] = vf_zero();
    for (int64_t g = 0; g * 128 < k; g++) {
        const int64_t end = g * 128 + 128 < k ? g * 128 + 128 : k;
        const char *wanted = data + g * 128 + (g * 128 < ahead.limit ? ahead.near : ahead.far);
#pragma GCC unroll 8
        for (int c = 0; c < n; c++) {
            const char *p = data + c * b->stride;
            vf part[4] = {vf_zero(), vf_zero(), vf_zero(), vf_zero()};
            __builtin_prefetch(wanted + c * b->stride);
            __builtin_prefetch(wanted + c * b->stride + 64);
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

/* The weights of one group of one row: (q − zero) · scale, exact but for the last step. */
#if LANES == 16 /* a table of all sixteen, looked up by the low bits of each word */
typedef vf nibbles;
VEC_INLINE nibbles nibbles_of(float zero, float scale)
{
    const vf all = _mm512_setr_ps(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    return vf_mul(vf_sub(all, vf_set(zero)), vf_set(scale));
}
VEC_INLINE vf nibble_values(const nibbles *of, vi word)
{
    return _mm512_permutexvar_ps(word, *of);
}
#else
typedef struct nibbles {
    vf zero, scale;
} nibbles;
VEC_INLINE nibbles nibbles_of(float zero, float scale)
{
    return (nibbles){vf_set(zero), vf_set(scale)};
}
VEC_INLINE vf nibble_values(const nibbles *of, vi word)
{
    return vf_mul(vf_sub(vf_from_int(vi_and(word, vi_set(15))), of->zero), of->scale);
}
#endif

/* Nibbles in groups of 128, A in the order of pack_a_int4, k in [first, first + count). */
VEC_INLINE void dot_int4(int m, int n, const char *const *a, const om__gemm_operand *b, int64_t row,
                         int64_t first, int64_t count, const om__dot_place *place, int64_t pass,
                         int64_t passes, float *sums, int64_t stride)
{
    const int64_t next = place->stride, group_next = b->scale_stride;
    const om__dot_share share = om__dot_share_of(place, n, pass, passes);
    int64_t turn = share.turn;
    const char *data = (const char *)b->data + row * next + first / 2;
    const uint8_t *zero = b->zero + row * group_next + first / 128;
    const float *scale = b->scale + row * group_next + first / 128;
    vf sum[8][8];
#pragma GCC unroll 8
    for (int r = 0; r < m; r++)
#pragma GCC unroll 8
        for (int c = 0; c < n; c++)
            sum[r][c] = vf_zero();
    for (int64_t i = 0; i < count; i += 128, zero++, scale++) {
        nibbles of[8];
        if (--turn < 0) {
            const char *wanted =
                data + i / 2 + (i / 2 < share.ahead.limit ? share.ahead.near : share.ahead.far);
#pragma GCC unroll 8
            for (int c = 0; c < n; c++)
                __builtin_prefetch(wanted + c * next);
            turn = share.every - 1;
        }
        if ((first + i) % 2048 == 0 || i == 0) /* a line of scales, of the block after the next */
#pragma GCC unroll 8
            for (int c = 0; c < n; c++) {
                __builtin_prefetch(scale + (2 * n + c) * group_next);
                __builtin_prefetch(zero + (2 * n + c) * group_next);
            }
#pragma GCC unroll 8
        for (int c = 0; c < n; c++)
            of[c] = nibbles_of((float)zero[c * group_next], scale[c * group_next]);
        for (int64_t part = i; part < i + 128; part += 8 * LANES) {
            vi word[8];
#pragma GCC unroll 8
            for (int c = 0; c < n; c++)
                word[c] = vi_load(data + c * next + part / 2);
#pragma GCC unroll 8
            for (int j = 0; j < 8; j++) {
                vf q[8];
#pragma GCC unroll 8
                for (int c = 0; c < n; c++) {
                    q[c] = nibble_values(&of[c], word[c]);
                    word[c] = vi_shr(word[c], 4);
                }
#pragma GCC unroll 8
                for (int r = 0; r < m; r++) {
                    vf x = vf_load(a[r] + (part + j * LANES) * 4);
#pragma GCC unroll 8
                    for (int c = 0; c < n; c++)
                        sum[r][c] = vf_madd(x, q[c], sum[r][c]);
                }
            }
        }
    }
#pragma GCC unroll 8
    for (int r = 0; r < m; r++)
#pragma GCC unroll 8
        for (int c = 0; c < n; c++)
            sums[r * stride + c] = (first > 0 ? sums[r * stride + c] : 0) + vf_sum(sum[r][c]);
}

#define PLAIN(DTYPE, M, N)                                                                         \
    dot_block(DTYPE, M, N, at + r, (const char *)b->data + (row + c) * place.stride + place.first, \
              &place, count, sums + r * stride + c, stride)
#define BLOCK128(DTYPE, M, N)                                                                      \
    dot_block128(M, N, at + r, b, row + c, &place, count, sums + r * stride + c, stride)
#define INT4(DTYPE, M, N)                                                                          \
    dot_int4(M, N, at + r, b, row + c, first, count, &place, r / 4, (rows + 3) / 4,                \
             sums + r * stride + c, stride)

/* Whether a block may take rows of B that lie apart. */
#define PLAIN_GAP    1
#define BLOCK128_GAP 0
#define INT4_GAP     0

/* All columns for M rows from r on: N at a time, then one by one. */
#define COLUMNS(HOW, DTYPE, M, N)                                                                  \
    do {                                                                                           \
        int64_t c = 0;                                                                             \
        place.lead = om__dot_lead_of(&place, N);                                                   \
        place.gap = HOW##_GAP ? om__dot_gap(M, columns, N) : 1;                                    \
        for (; place.gap > 1 && c < place.gap; c++) {                                              \
            place.column = c;                                                                      \
            HOW(DTYPE, M, N);                                                                      \
        }                                                                                          \
        if (place.gap > 1)                                                                         \
            break;                                                                                 \
        for (; c + (N) <= columns; c += (N)) {                                                     \
            place.column = c;                                                                      \
            HOW(DTYPE, M, N);                                                                      \
        }                                                                                          \
        for (; c < columns; c++) {                                                                 \
            place.column = c;                                                                      \
            HOW(DTYPE, M, 1);                                                                      \
        }                                                                                          \
    } while (0)

/* Bytes of so many values of B. */
VEC_INLINE int64_t stored_bytes(om_dtype dtype, int64_t count)
{
    return dtype == OM_U4X2 ? count / 2 : vec_bytes(dtype, count);
}

#define DOT(NAME, HOW, DTYPE, N1, N2, N3, N4, M, NM, STEP)                                         \
    void LEVEL(NAME)(const om__gemm_item *item, const char *const *a, int64_t a_row, int64_t rows, \
                     int64_t row, int64_t columns, float *sums, int64_t stride)                    \
    {                                                                                              \
        const om__gemm_operand *b = &item->b;                                                      \
        const int64_t k = item->k, step = (STEP);                                                  \
        (void)a_row;                                                                               \
        for (int64_t first = 0; first < k; first += step) {                                        \
            const char *at[OM_DOT_MOST_ROWS];                                                      \
            const int64_t count = k - first < step ? k - first : step;                             \
            om__dot_place place = {.columns = columns,                                             \
                                   .stride = stored_bytes(DTYPE, b->stride),                       \
                                   .first = stored_bytes(DTYPE, first),                            \
                                   .bytes = stored_bytes(DTYPE, count),                            \
                                   .is_last = k - first <= step};                                  \
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
    }
#define PART om__dot_part(rows, 4)
DOT(f32, PLAIN, OM_F32, WITH1, WITH2, WITH3, WITH4, MANY, WITHM, PART)
DOT(bf16, PLAIN, OM_BF16, WITH1, WITH2, WITH3, WITH4, MANY, WITHM, PART)
DOT(f16, PLAIN, OM_F16, WITH1, WITH2, WITH3, WITH4, MANY, WITHM, PART)
DOT(e4m3, PLAIN, OM_E4M3, WITH1, WITH2, WITH3, WITH4, MANY, WITHM, PART)
DOT(block128, BLOCK128, OM_E4M3, 4, 4, 3, 2, 4, 2, INT64_MAX / 8)
DOT(int4, INT4, OM_U4X2, 4, 4, 4, 4, 4, 4, PART)
