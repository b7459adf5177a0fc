/* SPDX-License-Identifier: Apache-2.0 */
/* gemm_dot_avx512bf16.c: dot products of few rows of bf16 with rows of B in bf16 or e4m3, two k at
 * a time.
 *
 * Denormals of B, which the instruction takes as zero, are looked for in the same pass; the rare
 * group that holds one is multiplied again in f32. Codes of e4m3 become bf16 by a table of bytes.
 */
#include "kernels/cpu/gemm_core.h"
#include "kernels/cpu/gemm_dot.h"
#include "kernels/cpu/pairs512.h"

/* One element in f32. */
static float dot_one(const char *a, const char *b, int64_t k)
{
    vf sum = vf_zero();
    for (int64_t i = 0; i < k; i += LANES)
        sum = vf_madd(vf_load_some_as(OM_BF16, a + i * 2, k - i),
                      vf_load_some_as(OM_BF16, b + i * 2, k - i), sum);
    return vf_sum(sum);
}

VEC_INLINE vi load_halves(const char *p, int64_t count)
{
    const __mmask32 mask = count >= 32 ? 0xffffffffu : count <= 0 ? 0 : (1u << count) - 1;
    return _mm512_maskz_loadu_epi16(mask, p);
}

VEC_INLINE vi load_codes(const char *p, int64_t count)
{
    const __mmask64 mask = count >= 64 ? ~(__mmask64)0 : ((__mmask64)1 << count) - 1;
    return _mm512_maskz_loadu_epi8(mask, p);
}

VEC_INLINE vf madd_pairs(vf sum, vi x, vi y)
{
    return _mm512_dpbf16_ps(sum, (__m512bh)x, (__m512bh)y);
}

/* M rows of A by N of B; sums are added to from the second part of K on. 1: B holds a denormal. */
VEC_INLINE int dot_halves(int m, int n, const char *const *a, const char *b,
                          const om__dot_place *place, int64_t k, float *sums, int64_t stride)
{
    const int64_t b_stride = place->gap * place->stride;
    const om__dot_ahead ahead = om__dot_ahead_of(place, n);
    vf sum[8][8];
    watch seen = watch_begin();
#pragma GCC unroll 8
    for (int r = 0; r < m; r++)
#pragma GCC unroll 8
        for (int c = 0; c < n; c++)
            sum[r][c] = vf_zero();
    for (int64_t i = 0; i < k; i += 32) {
        vi y[8];
        const int64_t left = k - i;
        const char *next = b + i * 2 + (i * 2 < ahead.limit ? ahead.near : ahead.far);
#pragma GCC unroll 8
        for (int c = 0; c < n; c++) {
            __builtin_prefetch(next + c * b_stride);
            y[c] = load_halves(b + c * b_stride + i * 2, left);
            watch_words(&seen, y[c]);
        }
#pragma GCC unroll 8
        for (int r = 0; r < m; r++) {
            vi x = left >= 32 ? vi_load(a[r] + i * 2) : load_halves(a[r] + i * 2, left);
#pragma GCC unroll 8
            for (int c = 0; c < n; c++)
                sum[r][c] = madd_pairs(sum[r][c], x, y[c]);
        }
    }
#pragma GCC unroll 8
    for (int r = 0; r < m; r++)
#pragma GCC unroll 8
        for (int c = 0; c < n; c++)
            sums[r * stride + c * place->gap] =
                (place->first ? sums[r * stride + c * place->gap] : 0) + vf_sum(sum[r][c]);
    return watch_end(&seen);
}

static int is_denormal(const char *p, int64_t k)
{
    watch one = watch_begin();
    for (int64_t i = 0; i < k; i += 32)
        watch_words(&one, load_halves(p + i * 2, k - i));
    return watch_end(&one);
}

/* Columns whose row of B holds a denormal, again. */
static void mend(const om__gemm_item *item, const char *const *a, int64_t rows, int64_t row,
                 int64_t columns, float *sums, int64_t stride)
{
    for (int64_t c = 0; c < columns; c++) {
        const char *b = (const char *)item->b.data + (row + c) * item->b.stride * 2;
        if (!is_denormal(b, item->k))
            continue;
        for (int64_t r = 0; r < rows; r++)
            sums[r * stride + c] = dot_one(a[r], b, item->k);
    }
}

/* Codes of e4m3. With by_group each 128 products are summed apart and multiplied by the scales of
 * both operands. */
VEC_INLINE void dot_codes(int m, int n, int by_group, const om__gemm_item *item,
                          const char *const *a, int64_t a_row, int64_t row, float *sums,
                          int64_t stride, const om__dot_place *place, const e4m3_table *table)
{
    const om__dot_ahead ahead = om__dot_ahead_of(place, n);
    const om__gemm_operand *from = &item->b;
    const char *b = (const char *)from->data + row * from->stride;
    const int64_t k = item->k, gap = place->gap, next = gap * from->stride,
                  group = by_group ? 128 : k;
    vf sum[8][8], part[8][8];
#pragma GCC unroll 8
    for (int r = 0; r < m; r++)
#pragma GCC unroll 8
        for (int c = 0; c < n; c++)
            sum[r][c] = part[r][c] = vf_zero();
    for (int64_t first = 0; first < k; first += group) {
        if (by_group && first % 2048 == 0) /* a line of scales, of the block after the next */
#pragma GCC unroll 8
            for (int c = 0; c < n; c++)
                __builtin_prefetch(
                    &from->scale[(row + c * gap + (gap > 1 ? 2 : 2 * n)) * from->scale_stride +
                                 first / 128]);
        for (int64_t i = first; i < first + group && i < k; i += 64) {
            const int64_t left = k - i;
            const char *wanted = b + i + (i < ahead.limit ? ahead.near : ahead.far);
            vi y[8][2];
#pragma GCC unroll 8
            for (int c = 0; c < n; c++) {
                __builtin_prefetch(wanted + c * next);
                halves_by_table(table, load_codes(b + c * next + i, left), y[c]);
            }
#pragma GCC unroll 8
            for (int r = 0; r < m; r++) {
                vi x[2];
                halves_in_order(load_halves(a[r] + i * 2, left),
                                load_halves(a[r] + i * 2 + 64, left - 32), x);
#pragma GCC unroll 8
                for (int c = 0; c < n; c++)
                    part[r][c] = madd_pairs(madd_pairs(part[r][c], x[0], y[c][0]), x[1], y[c][1]);
            }
        }
        if (by_group)
#pragma GCC unroll 8
            for (int c = 0; c < n; c++)
#pragma GCC unroll 8
                for (int r = 0; r < m; r++) {
                    const int64_t g = first / 128;
                    float scale = from->scale[(row + c * gap) * from->scale_stride + g] *
                                  item->a.scale[(a_row + r) * item->a.scale_stride + g];
                    sum[r][c] = vf_madd(part[r][c], vf_set(scale), sum[r][c]);
                    part[r][c] = vf_zero();
                }
    }
#pragma GCC unroll 8
    for (int r = 0; r < m; r++)
#pragma GCC unroll 8
        for (int c = 0; c < n; c++)
            sums[r * stride + c * gap] = vf_sum(by_group ? sum[r][c] : part[r][c]);
}

/* All columns for M rows from r on: N at a time, then one by one. */
#define COLUMNS(HOW, M, N)                                                                         \
    do {                                                                                           \
        int64_t c = 0;                                                                             \
        place.lead = om__dot_lead_of(&place, N);                                                   \
        place.gap = om__dot_gap(M, columns, N);                                                    \
        for (; place.gap > 1 && c < place.gap; c++) {                                              \
            place.column = c;                                                                      \
            HOW(M, N);                                                                             \
        }                                                                                          \
        if (place.gap > 1)                                                                         \
            break;                                                                                 \
        for (; c + (N) <= columns; c += (N)) {                                                     \
            place.column = c;                                                                      \
            HOW(M, N);                                                                             \
        }                                                                                          \
        for (; c < columns; c++) {                                                                 \
            place.column = c;                                                                      \
            HOW(M, 1);                                                                             \
        }                                                                                          \
    } while (0)

#define HALVES(M, N)                                                                               \
    denormal |= dot_halves(M, N, at + r, b + c * place.stride + place.first, &place, count,        \
                           sums + r * stride + c, stride)

void om__gemm_dot_pairs_bf16(const om__gemm_item *item, const char *const *a, int64_t a_row,
                             int64_t rows, int64_t row, int64_t columns, float *sums,
                             int64_t stride)
{
    const char *b = (const char *)item->b.data + row * item->b.stride * 2;
    const int64_t k = item->k, step = om__dot_part(rows, 2);
    int denormal = 0;
    (void)a_row;
    for (int64_t first = 0; first < k; first += step) {
        const char *at[OM_DOT_MOST_ROWS];
        const int64_t count = k - first < step ? k - first : step;
        om__dot_place place = {.columns = columns,
                               .stride = item->b.stride * 2,
                               .first = first * 2,
                               .bytes = count * 2,
                               .is_last = k - first <= step};
        int64_t r = 0;
        for (int64_t i = 0; i < rows; i++)
            at[i] = a[i] + first * 2;
        for (; r + 8 <= rows; r += 8)
            COLUMNS(HALVES, 8, 3);
        for (; r + 4 <= rows; r += 4)
            COLUMNS(HALVES, 4, 5);
        if (rows - r == 3)
            COLUMNS(HALVES, 3, 6);
        else if (rows - r == 2)
            COLUMNS(HALVES, 2, 8);
        else if (rows - r == 1)
            COLUMNS(HALVES, 1, 4);
    }
    if (denormal)
        mend(item, a, rows, row, columns, sums, stride);
}

#define CODES(M, N)                                                                                \
    dot_codes(M, N, 0, item, a + r, a_row + r, row + c, sums + r * stride + c, stride, &place,     \
              &table)
#define GROUPS(M, N)                                                                               \
    dot_codes(M, N, 1, item, a + r, a_row + r, row + c, sums + r * stride + c, stride, &place,     \
              &table)

#define DOT(NAME, HOW, N1, N2, N4)                                                                 \
    void om__gemm_dot_pairs_##NAME(const om__gemm_item *item, const char *const *a, int64_t a_row, \
                                   int64_t rows, int64_t row, int64_t columns, float *sums,        \
                                   int64_t stride)                                                 \
    {                                                                                              \
        const e4m3_table table = e4m3_table_make();                                                \
        om__dot_place place = {                                                                    \
            .columns = columns, .stride = item->b.stride, .bytes = item->k, .is_last = 1};         \
        int64_t r = 0;                                                                             \
        for (; r + 4 <= rows; r += 4)                                                              \
            COLUMNS(HOW, 4, N4);                                                                   \
        for (; r + 2 <= rows; r += 2)                                                              \
            COLUMNS(HOW, 2, N2);                                                                   \
        for (; r < rows; r++)                                                                      \
            COLUMNS(HOW, 1, N1);                                                                   \
    }
DOT(e4m3, CODES, 4, 6, 4)
DOT(block128, GROUPS, 4, 3, 2)

void om__gemm_dot_pairs_wide(const om__gemm_item *item, const char *const *a, int64_t a_row,
                             int64_t rows, int64_t row, int64_t columns, float *sums,
                             int64_t stride)
{
    (void)a_row;
    for (int64_t r = 0; r < rows; r++)
        for (int64_t c = 0; c < columns; c++)
            sums[r * stride + c] =
                dot_one(a[r], (const char *)item->b.data + (row + c) * item->b.stride * 2, item->k);
}
