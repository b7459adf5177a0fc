/* SPDX-License-Identifier: Apache-2.0 */
/* gemm_pack_avx512bf16.c: packers of bf16 pairs for vdpbf16ps, and the stores of that level.
 *
 * A tile step is two neighbouring k in one word, so transposing words is all that packing needs.
 */
#include "kernels/cpu/gemm_pack_body.h"
#include "kernels/cpu/pairs512.h"

#define TABLE_LINES 32 /* of B, for which making a table pays */

/* B stored [N,K] in fp8: a word holds two steps. */
static inline int fp8_b_rows(om_dtype dtype, const om__gemm_operand *from, int64_t row,
                             int64_t rows, int64_t k, int64_t count, char *to, int64_t step)
{
    const int64_t stride = from->stride;
    const char *data = (const char *)from->data + row * stride + k;
    const vi byte = vi_set(0xff);
    for (int64_t c = 0; c < rows; c += LANES) {
        char *line = to + c * 4;
        for (int64_t i = 0; i < count; i += 4 * LANES) {
            vi square[LANES];
            load_square(square, data + c * stride + i, stride, rows - c, count - i);
            for (int w = 0; w < LANES && i + 4 * w < count; w++, line += 2 * step) {
                vi x = square[w];
                vi first = vi_or(vi_and(x, byte), vi_shl(vi_and(x, vi_set(0xff00)), 8));
                vi y = vi_shr(x, 16);
                vi second = vi_or(vi_and(y, byte), vi_shl(vi_and(y, vi_set(0xff00)), 8));
                vi_store(line, halves_from(dtype, first));
                if (i + 4 * w + 2 < count)
                    vi_store(line + step, halves_from(dtype, second));
            }
        }
    }
    return 0;
}

/* Codes of the pairs (low[i], high[i]), i < count, each in a lane of 16 bits. */
static inline vi pair_codes(const uint8_t *low, const uint8_t *high, int64_t count)
{
    __mmask16 mask = (__mmask16)(count >= 16 ? 0xffff : (1u << count) - 1);
    vi x = _mm512_cvtepu8_epi32(_mm_maskz_loadu_epi8(mask, low));
    if (high == NULL)
        return x;
    return vi_or(x, vi_shl(_mm512_cvtepu8_epi32(_mm_maskz_loadu_epi8(mask, high)), 16));
}

/* Two lines of 64 codes as four vectors of pairs. The codes are first put where the two rounds of
 * unpacking within 128 bits bring them into order. */
static inline void pair_lines(const e4m3_table *table, vi place, const uint8_t *line,
                              const uint8_t *next, char *to)
{
    vi low[2], high[2];
    halves_by_table(table, _mm512_permutexvar_epi8(place, vi_load(line)), low);
    halves_by_table(table, _mm512_permutexvar_epi8(place, vi_load(next)), high);
    for (int half = 0; half < 2; half++) {
        vi_store(to + half * 128, _mm512_unpacklo_epi16(low[half], high[half]));
        vi_store(to + half * 128 + 64, _mm512_unpackhi_epi16(low[half], high[half]));
    }
}

/* Whole panels of B stored [K,N] in fp8, an even count of k. */
static inline void fp8_b_panel(om_dtype dtype, const uint8_t *line, int64_t stride, int64_t count,
                               char *to, int64_t step)
{
    const e4m3_table table = fp8_table_make(dtype);
    uint8_t from[OM_PANEL_WIDTH];
    for (int i = 0; i < OM_PANEL_WIDTH; i++)
        from[i] = (uint8_t)(i / 4 % 4 * 16 + i / 16 * 4 + i % 4);
    const vi place = vi_load(from);
    for (int64_t i = 0; i < count; i += 2, line += 2 * stride, to += step) {
        __builtin_prefetch(line + AHEAD * stride);
        __builtin_prefetch(line + (AHEAD + 1) * stride);
        pair_lines(&table, place, line, line + stride, to);
    }
}

/* B stored [K,N] in fp8. */
static inline int fp8_b_lines(om_dtype dtype, const om__gemm_operand *from, int64_t row,
                              int64_t rows, int64_t k, int64_t count, char *to, int64_t step)
{
    const uint8_t *line = (const uint8_t *)from->data + k * from->stride + row;
    const int64_t even = rows == OM_PANEL_WIDTH && count >= TABLE_LINES ? count / 2 * 2 : 0;
    if (even > 0) {
        fp8_b_panel(dtype, line, from->stride, even, to, step);
        line += even * from->stride;
        to += even / 2 * step;
    }
    for (int64_t i = even; i < count; i += 2, line += 2 * from->stride, to += step) {
        const uint8_t *next = i + 1 < count ? line + from->stride : NULL;
        for (int64_t c = 0; c < rows; c += LANES)
            vi_store(to + c * 4,
                     halves_from(dtype, pair_codes(line + c, next ? next + c : NULL, rows - c)));
    }
    return 0;
}

/* A stored [M,K] in fp8. */
static inline int fp8_a_rows(om_dtype dtype, const om__gemm_operand *from, int64_t row,
                             int64_t rows, int64_t k, int64_t count, char *to, int64_t step)
{
    for (int64_t r = 0; r < rows; r++, to += step) {
        int64_t stored = from->index ? from->index[row + r] : row + r;
        const uint8_t *p = (const uint8_t *)from->data + stored * from->stride + k;
        for (int64_t i = 0; i < count; i += 2 * LANES) {
            int64_t left = count - i;
            __mmask32 mask = left >= 32 ? 0xffffffffu : (1u << left) - 1;
            vi x = _mm512_cvtepu8_epi16(_mm256_maskz_loadu_epi8(mask, p + i));
            int64_t pairs = (left + 1) / 2;
            vf_store_some_as(OM_F32, to + i * 2, vi_float(halves_from(dtype, x)),
                             pairs < LANES ? pairs : LANES);
        }
    }
    return 0;
}

/* A stored [K,M] in fp8. */
static inline int fp8_a_lines(om_dtype dtype, const om__gemm_operand *from, int64_t row,
                              int64_t rows, int64_t k, int64_t count, char *to, int64_t step)
{
    const uint8_t *data = (const uint8_t *)from->data + k * from->stride + row;
    for (int64_t i = 0; i < count; i += 2 * LANES) {
        const uint8_t *block = data + i * from->stride;
        int64_t pairs = (count - i + 1) / 2;
        pairs = pairs < LANES ? pairs : LANES;
        for (int64_t r = 0; r < rows; r += LANES) {
            vi square[LANES];
            for (int w = 0; w < LANES; w++) {
                const uint8_t *low = block + 2 * w * from->stride + r;
                const uint8_t *high = i + 2 * w + 1 < count ? low + from->stride : NULL;
                square[w] =
                    w < pairs ? halves_from(dtype, pair_codes(low, high, rows - r)) : vi_set(0);
            }
            vi_transpose(square);
            int64_t here = rows - r < LANES ? rows - r : LANES;
            for (int64_t l = 0; l < here; l++)
                vf_store_some_as(OM_F32, to + (r + l) * step + i * 2, vi_float(square[l]), pairs);
        }
    }
    return 0;
}

PACK(pairs_a_rows_e4m3, fp8_a_rows, OM_E4M3)
PACK(pairs_a_lines_e4m3, fp8_a_lines, OM_E4M3)
PACK(pairs_b_rows_e4m3, fp8_b_rows, OM_E4M3)
PACK(pairs_b_lines_e4m3, fp8_b_lines, OM_E4M3)
PACK(pairs_a_rows_e5m2, fp8_a_rows, OM_E5M2)
PACK(pairs_a_lines_e5m2, fp8_a_lines, OM_E5M2)
PACK(pairs_b_rows_e5m2, fp8_b_rows, OM_E5M2)
PACK(pairs_b_lines_e5m2, fp8_b_lines, OM_E5M2)

/* B stored [N,K] in bf16. */
static int pairs_b_rows(const om__gemm_operand *from, int64_t row, int64_t rows, int64_t k,
                        int64_t count, char *to, int64_t step)
{
    const int64_t stride = from->stride * 2;
    const char *data = (const char *)from->data + row * stride + k * 2;
    watch w16 = watch_begin();
    for (int64_t c = 0; c < rows; c += LANES) {
        char *line = to + c * 4;
        for (int64_t i = 0; i < count; i += 2 * LANES) {
            vi square[LANES];
            load_square(square, data + c * stride + i * 2, stride, rows - c, (count - i) * 2);
            for (int w = 0; w < LANES; w++)
                watch_words(&w16, square[w]);
            int64_t lines = (count - i + 1) / 2;
            lines = lines < LANES ? lines : LANES;
            if (lines == LANES)
                for (int w = 0; w < LANES; w++, line += step)
                    vi_store(line, square[w]);
            else
                for (int64_t w = 0; w < lines; w++, line += step)
                    vi_store(line, square[w]);
        }
    }
    return watch_end(&w16);
}

/* Words of the pairs (low[i], high[i]), i < count. */
static inline vi pair_words(const uint16_t *low, const uint16_t *high, int64_t count)
{
    __mmask16 mask = (__mmask16)(count >= 16 ? 0xffff : (1u << count) - 1);
    vi x = _mm512_cvtepu16_epi32(_mm256_maskz_loadu_epi16(mask, low));
    if (high == NULL)
        return x;
    return vi_or(x, vi_shl(_mm512_cvtepu16_epi32(_mm256_maskz_loadu_epi16(mask, high)), 16));
}

/* Pairs of the 16-bit values `from`… of two vectors. */
static inline vi interleave(int from)
{
    uint16_t index[2 * LANES];
    for (int i = 0; i < LANES; i++) {
        index[2 * i] = (uint16_t)(from + i);
        index[2 * i + 1] = (uint16_t)(32 + from + i);
    }
    return vi_load(index);
}

/* B stored [K,N] in bf16. */
static int pairs_b_lines(const om__gemm_operand *from, int64_t row, int64_t rows, int64_t k,
                         int64_t count, char *to, int64_t step)
{
    const uint16_t *line = (const uint16_t *)from->data + k * from->stride + row;
    const vi first_half = interleave(0), second_half = interleave(16);
    watch w16 = watch_begin();
    for (int64_t i = 0; i < count; i += 2, line += 2 * from->stride, to += step) {
        const uint16_t *next = i + 1 < count ? line + from->stride : NULL;
        if (next && rows == OM_PANEL_WIDTH) {
            for (int c = 0; c < OM_PANEL_WIDTH; c += 2 * LANES) {
                __builtin_prefetch(line + AHEAD * from->stride + c);
                __builtin_prefetch(next + AHEAD * from->stride + c);
                vi low = vi_load(line + c), high = vi_load(next + c);
                watch_words(&w16, low);
                watch_words(&w16, high);
                vi_store(to + c * 4, _mm512_permutex2var_epi16(low, first_half, high));
                vi_store(to + (c + LANES) * 4, _mm512_permutex2var_epi16(low, second_half, high));
            }
            continue;
        }
        for (int64_t c = 0; c < rows; c += LANES) {
            vi words = pair_words(line + c, next ? next + c : NULL, rows - c);
            watch_words(&w16, words);
            vi_store(to + c * 4, words);
        }
    }
    return watch_end(&w16);
}

/* Several rows at once: one stream alone gets little more than half of what memory gives. */
static int rows_are_denormal(const char *const *rows, int64_t row_count, int64_t count)
{
    watch w16 = watch_begin();
    for (int64_t r = 0; r < row_count; r += 4) {
        const int64_t here = row_count - r < 4 ? row_count - r : 4;
        int64_t i = 0;
        for (; i + 2 * LANES <= count; i += 2 * LANES)
            for (int64_t j = 0; j < here; j++)
                watch_words(&w16, vi_load(rows[r + j] + i * 2));
        for (int64_t j = 0; j < here && i < count; j++)
            watch_words(&w16, load_words(rows[r + j] + i * 2, (count - i) * 2));
    }
    return watch_end(&w16);
}

static void row_widen(const char *row, int64_t count, float *to)
{
    for (int64_t i = 0; i < count; i += LANES)
        vf_store_some_as(OM_F32, to + i, vf_load_some_as(OM_BF16, row + i * 2, count - i),
                         count - i);
}

/* A stored [M,K] in bf16: copied, for an odd K whose last pair would reach into the next row. */
static int pairs_a_rows(const om__gemm_operand *from, int64_t row, int64_t rows, int64_t k,
                        int64_t count, char *to, int64_t step)
{
    int denormal = 0;
    for (int64_t r = 0; r < rows; r++, to += step) {
        int64_t stored = from->index ? from->index[row + r] : row + r;
        memcpy(to, (const uint16_t *)from->data + stored * from->stride + k, (size_t)count * 2);
        if (count % 2)
            memset(to + count * 2, 0, 2);
        const char *copied = to;
        denormal |= rows_are_denormal(&copied, 1, count);
    }
    return denormal;
}

/* A stored [K,M] in bf16. */
static int pairs_a_lines(const om__gemm_operand *from, int64_t row, int64_t rows, int64_t k,
                         int64_t count, char *to, int64_t step)
{
    const uint16_t *data = (const uint16_t *)from->data + k * from->stride + row;
    watch w16 = watch_begin();
    for (int64_t i = 0; i < count; i += 2 * LANES) {
        const uint16_t *block = data + i * from->stride;
        int64_t pairs = (count - i + 1) / 2;
        pairs = pairs < LANES ? pairs : LANES;
        for (int64_t r = 0; r < rows; r += LANES) {
            vi square[LANES];
            char *out = to + r * step + i * 2;
            if (count - i >= 2 * LANES && rows - r >= LANES) {
                for (int w = 0; w < LANES; w++) {
                    const uint16_t *low = block + 2 * w * from->stride + r;
                    __builtin_prefetch(low + 2 * LANES * from->stride);
                    __builtin_prefetch(low + (2 * LANES + 1) * from->stride);
                    square[w] = pair_words(low, low + from->stride, LANES);
                    watch_words(&w16, square[w]);
                }
                vi_transpose(square);
                for (int l = 0; l < LANES; l++)
                    vi_store(out + l * step, square[l]);
                continue;
            }
            for (int w = 0; w < LANES; w++) {
                const uint16_t *low = block + 2 * w * from->stride + r;
                const uint16_t *high = i + 2 * w + 1 < count ? low + from->stride : NULL;
                square[w] = w < pairs ? pair_words(low, high, rows - r) : vi_set(0);
                watch_words(&w16, square[w]);
            }
            vi_transpose(square);
            int64_t here = rows - r < LANES ? rows - r : LANES;
            for (int64_t l = 0; l < here; l++)
                vf_store_some_as(OM_F32, out + l * step, vi_float(square[l]), pairs);
        }
    }
    return watch_end(&w16);
}

#define PAST_BYTES (4 << 20) /* of results, which no cache near the core keeps */
#define PAST_K     256       /* with more, results are too little of what moves */

/* Whether results are stored without being read into the cache first: whole lines of large ones. */
static int goes_past_cache(const om__gemm_item *item, int64_t column, int64_t columns)
{
    return item->k <= PAST_K && item->m * item->n * 2 >= PAST_BYTES && columns % 32 == 0 &&
           item->d_stride % 32 == 0 && ((uintptr_t)item->d + (uintptr_t)column * 2) % 64 == 0;
}

/* bf16 by the machine's own rounding, which takes denormals as zero: sums of these tiles are none.
 */
static void store_pairs_bf16(const om__gemm *gemm, const om__gemm_item *item, int64_t row,
                             int64_t rows, int64_t column, int64_t columns, const float *sums,
                             int64_t stride)
{
    (void)gemm;
    const int past = goes_past_cache(item, column, columns);
    for (int64_t r = 0; r < rows; r++, sums += stride) {
        uint16_t *to = (uint16_t *)item->d + (row + r) * item->d_stride + column;
        int64_t c = 0;
        for (; past && c < columns; c += 2 * LANES)
            _mm512_stream_si512(
                (void *)(to + c),
                (__m512i)_mm512_cvtne2ps_pbh(vf_load(sums + c + LANES), vf_load(sums + c)));
        for (; c + 2 * LANES <= columns; c += 2 * LANES)
            vi_store(to + c,
                     (__m512i)_mm512_cvtne2ps_pbh(vf_load(sums + c + LANES), vf_load(sums + c)));
        for (; c < columns; c += LANES)
            vf_store_some_as(OM_BF16, to + c, vf_load_some_as(OM_F32, sums + c, columns - c),
                             columns - c);
    }
}

static const om__gemm_wide wide_rows = {
    .tiles = &om__tiles_avx512_f32,
    .pack_b = b_rows_bf16,
    .widen = row_widen,
    .is_denormal = rows_are_denormal,
};
static const om__gemm_wide wide_lines = {
    .tiles = &om__tiles_avx512_f32,
    .pack_b = b_lines_bf16,
    .widen = row_widen,
    .is_denormal = rows_are_denormal,
};

const om__gemm_level om__gemm_avx512bf16 = {
    .isa = OM_ISA_AVX512,
    .tiles = &om__tiles_avx512bf16_pairs,
    .pack_a = {[OM_BF16] = {pairs_a_rows, pairs_a_lines},
               [OM_E4M3] = {pairs_a_rows_e4m3, pairs_a_lines_e4m3},
               [OM_E5M2] = {pairs_a_rows_e5m2, pairs_a_lines_e5m2}},
    .pack_b = {[OM_BF16] = {pairs_b_rows, pairs_b_lines},
               [OM_E4M3] = {pairs_b_rows_e4m3, pairs_b_lines_e4m3},
               [OM_E5M2] = {pairs_b_rows_e5m2, pairs_b_lines_e5m2}},
    .store_glu = LEVEL_GLU,
    .store_scaled = {[OM_BF16] = store_scaled_bf16, [OM_F16] = store_scaled_f16},
    .store = {[OM_F32] = store_f32, [OM_BF16] = store_pairs_bf16, [OM_F16] = store_f16},
    .wide_store = {[OM_BF16] = store_bf16},
    .wide = {&wide_rows, &wide_lines},
    .dot = {[OM_BF16] = om__gemm_dot_pairs_bf16, [OM_E4M3] = om__gemm_dot_pairs_e4m3},
    .dot_wide = om__gemm_dot_pairs_wide,
    .dot_block128 = om__gemm_dot_pairs_block128,
    .dot_int4 = om__gemm_dot_pairs_int4,
    .pack_a_int4 = om__gemm_pack_pairs_int4,
    .dot_rows = 16,
    .streams = &om__streams_avx512bf16_pairs,
    .turn = b_rows_f32,
    .direct = OM_BF16,
};
