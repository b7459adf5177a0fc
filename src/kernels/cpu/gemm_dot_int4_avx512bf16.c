/* SPDX-License-Identifier: Apache-2.0 */
/* gemm_dot_int4_avx512bf16.c: dot products of few rows of fp16 with rows of int4 weights, as bf16
 * pairs.
 *
 * Nothing is rounded: an fp16 value is the sum of two bf16 values, and q − zero is one. Products of
 * them are exact in f32; those of a group of 128 are summed and multiplied by its scale.
 */
#include "kernels/cpu/gemm_core.h"
#include "kernels/cpu/gemm_dot.h"
#include "kernels/cpu/vec.h"

/* q − zero for every zero point: the sixteen of one lie in a row. */
typedef struct differences {
    uint16_t of[256 + 16];
} differences;

static differences differences_make(void)
{
    const vf lanes = _mm512_setr_ps(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    differences d;
    for (int i = 0; i < 272; i += LANES)
        _mm256_storeu_si256((void *)(d.of + i),
                            (__m256i)_mm512_cvtneps_pbh(vf_add(lanes, vf_set((float)(i - 255)))));
    return d;
}

/* Twice, so that the bit above a nibble does not matter in a look-up. */
VEC_INLINE vi differences_from(const uint16_t *of, uint8_t zero)
{
    return _mm512_broadcast_i64x4(_mm256_loadu_si256((const void *)(of + 255 - zero)));
}

VEC_INLINE vf madd_pairs(vf sum, vi x, vi y)
{
    return _mm512_dpbf16_ps(sum, (__m512bh)x, (__m512bh)y);
}

/* One block: M rows of A, k of one part, N rows of B from `row` on. */
typedef struct block {
    const om__gemm_operand *b;
    const char *const *a;
    int64_t row, first, count;
    const om__dot_place *place;
    om__dot_share ask;
    int64_t rows_ahead; /* to the second block from here */
    const differences *table;
    float *sums;
    int64_t stride;
} block;

VEC_INLINE void dot_int4(int m, int n, const block *at)
{
    const om__gemm_operand *b = at->b;
    const char *const *a = at->a;
    const int64_t gap = at->place->gap, next = gap * at->place->stride,
                  group_next = gap * b->scale_stride, count = at->count, stride = at->stride;
    const char *data = (const char *)b->data + at->row * at->place->stride + at->first / 2;
    const uint8_t *zero = b->zero + at->row * b->scale_stride + at->first / 128;
    const float *scale = b->scale + at->row * b->scale_stride + at->first / 128;
    const om__dot_share ask = at->ask;
    const uint16_t *table = at->table->of;
    float *sums = at->sums;
    const int64_t scales_ahead = at->rows_ahead * b->scale_stride;
    const int apart = m == 1; /* so few chains would wait for themselves */
    int64_t turn = ask.turn;
    vf sum[8][8];
#pragma GCC unroll 8
    for (int r = 0; r < m; r++)
#pragma GCC unroll 8
        for (int c = 0; c < n; c++)
            sum[r][c] = vf_zero();
    for (int64_t i = 0; i < count; i += 128, zero++, scale++) {
        const char *here = data + i / 2;
        vf part[2][8][8];
        vi word[8], of[8];
        if ((at->first + i) % 2048 == 0 ||
            i == 0) /* a line of scales, of the second block from here */
#pragma GCC unroll 8
            for (int c = 0; c < n; c++) {
                __builtin_prefetch(scale + c * group_next + scales_ahead);
                __builtin_prefetch(zero + c * group_next + scales_ahead);
            }
        if (--turn < 0) {
            const char *wanted = here + (i / 2 < ask.ahead.limit ? ask.ahead.near : ask.ahead.far);
#pragma GCC unroll 8
            for (int c = 0; c < n; c++)
                __builtin_prefetch(wanted + c * next);
            turn = ask.every - 1;
        }
#pragma GCC unroll 8
        for (int c = 0; c < n; c++) {
            word[c] = vi_load(here + c * next);
            of[c] = differences_from(table, zero[c * group_next]);
#pragma GCC unroll 8
            for (int r = 0; r < m; r++)
                part[0][r][c] = part[1][r][c] = vf_zero();
        }
#pragma GCC unroll 4
        for (int j = 0; j < 4; j++) {
            vi q[8];
#pragma GCC unroll 8
            for (int c = 0; c < n; c++) {
                q[c] = _mm512_permutexvar_epi16(word[c], of[c]);
                word[c] = _mm512_srli_epi16(word[c], 4);
            }
#pragma GCC unroll 2
            for (int h = 0; h < 2; h++)
#pragma GCC unroll 8
                for (int r = 0; r < m; r++) {
                    vi x = vi_load(a[r] + i * 4 + j * 128 + h * 64);
#pragma GCC unroll 8
                    for (int c = 0; c < n; c++)
                        part[h * apart][r][c] = madd_pairs(part[h * apart][r][c], x, q[c]);
                }
        }
#pragma GCC unroll 8
        for (int c = 0; c < n; c++) {
            vf s = vf_set(scale[c * group_next]);
#pragma GCC unroll 8
            for (int r = 0; r < m; r++)
                sum[r][c] = vf_madd(apart ? vf_add(part[0][r][c], part[1][r][c]) : part[0][r][c], s,
                                    sum[r][c]);
        }
    }
#pragma GCC unroll 8
    for (int r = 0; r < m; r++)
#pragma GCC unroll 8
        for (int c = 0; c < n; c++)
            sums[r * stride + c * gap] =
                (at->first > 0 ? sums[r * stride + c * gap] : 0) + vf_sum(sum[r][c]);
}

/* Functions of their own, so that each has all registers. */
#define BLOCK(M, N)                                                                                \
    static __attribute__((noinline)) void block##M##x##N(const block *at)                          \
    {                                                                                              \
        dot_int4(M, N, at);                                                                        \
    }
BLOCK(1, 1)
BLOCK(2, 1)
BLOCK(3, 1)
BLOCK(4, 1)
BLOCK(1, 4)
BLOCK(2, 4)
BLOCK(3, 4)
BLOCK(4, 4)

typedef void (*block_fn)(const block *at);
static const block_fn blocks[2][4] = {{block1x1, block2x1, block3x1, block4x1},
                                      {block1x4, block2x4, block3x4, block4x4}};
#define WITH 4

/* All columns of a task for the rows of one pass: WITH at a time, then one by one. */
static void run_pass(block at, om__dot_place place, int64_t rows, int64_t pass, int64_t passes)
{
    const int64_t row = at.row;
    float *sums = at.sums;
    at.place = &place;
    place.lead = om__dot_lead_of(&place, WITH);
    place.gap = passes == 1 ? om__dot_gap(rows, place.columns, WITH) : 1;
    for (int64_t c = 0, n;
         c<(place.gap > 1 ? place.gap : place.columns); c += place.gap> 1 ? 1 : n) {
        n = place.gap > 1 || c + WITH <= place.columns ? WITH : 1;
        place.column = c;
        at.ask = om__dot_share_of(&place, n, pass, passes);
        at.rows_ahead = place.gap > 1 ? 2 : 2 * n;
        if (place.gap > 1 && c + 2 >= place.gap)
            at.rows_ahead += place.columns - place.gap;
        at.row = row + c;
        at.sums = sums + c;
        blocks[n == WITH][rows - 1](&at);
    }
}

void om__gemm_dot_pairs_int4(const om__gemm_item *item, const char *const *a, int64_t a_row,
                             int64_t rows, int64_t row, int64_t columns, float *sums,
                             int64_t stride)
{
    const differences table = differences_make();
    const om__gemm_operand *b = &item->b;
    const int64_t k = item->k, step = om__dot_part(rows, 4), passes = (rows + 3) / 4;
    (void)a_row;
    for (int64_t first = 0; first < k; first += step) {
        const char *at[OM_DOT_MOST_ROWS];
        const int64_t count = k - first < step ? k - first : step;
        om__dot_place place = {.columns = columns,
                               .stride = b->stride / 2,
                               .first = first / 2,
                               .bytes = count / 2,
                               .is_last = k - first <= step};
        for (int64_t i = 0; i < rows; i++)
            at[i] = a[i] + first * 4;
        for (int64_t r = 0; r < rows; r += 4)
            run_pass((block){.b = b,
                             .a = at + r,
                             .row = row,
                             .first = first,
                             .count = count,
                             .table = &table,
                             .sums = sums + r * stride,
                             .stride = stride},
                     place, rows - r < 4 ? rows - r : 4, r / 4, passes);
    }
}

/* The sixteen of 64 values that lie at j, j + 4, j + 8…, in f32. */
VEC_INLINE vf every_fourth(const uint16_t *p, int j)
{
    uint16_t index[2 * LANES] = {0};
    for (int i = 0; i < LANES; i++)
        index[i] = (uint16_t)(4 * i + j);
    vi words = _mm512_permutex2var_epi16(vi_load(p), vi_load(index), vi_load(p + 32));
    return _mm512_cvtph_ps(_mm512_castsi512_si256(words));
}

/* The upper halves of the words of both, in order. */
VEC_INLINE vi upper_halves(vi x, vi y)
{
    return _mm512_inserti64x4(_mm512_castsi256_si512(_mm512_cvtepi32_epi16(vi_shr(x, 16))),
                              _mm512_cvtepi32_epi16(vi_shr(y, 16)), 1);
}

/* What truncation to bf16 leaves of a value; nothing of an infinity or a NaN. */
VEC_INLINE vf below_bf16(vf x)
{
    vf rest = vf_sub(x, vi_float(vi_and(vf_bits(x), vi_set(0xffff0000))));
    return _mm512_maskz_mov_ps(_mm512_cmp_ps_mask(rest, rest, _CMP_ORD_Q), rest);
}

int om__gemm_pack_pairs_int4(const om__gemm_operand *from, int64_t row, int64_t rows, int64_t k,
                             int64_t count, char *to, int64_t step)
{
    for (int64_t r = 0; r < rows; r++, to += step) {
        const uint16_t *p = (const uint16_t *)from->data + (row + r) * from->stride + k;
        char *out = to;
        for (int64_t i = 0; i < count; i += 128)
            for (int j = 0; j < 4; j++, out += 128) {
                vf x = every_fourth(p + i, j), y = every_fourth(p + i + 64, j);
                vi_store(out, upper_halves(vf_bits(x), vf_bits(y)));
                vi_store(out + 64, upper_halves(vf_bits(below_bf16(x)), vf_bits(below_bf16(y))));
            }
    }
    return 0;
}
