/* SPDX-License-Identifier: Apache-2.0 */
/* pairs512.h: bf16 pairs in AVX-512: finding denormals, and fp8 codes as bf16. */
#ifndef OM_KERNELS_CPU_PAIRS512_H
#define OM_KERNELS_CPU_PAIRS512_H

#include "kernels/cpu/vec.h"

/* Denormals are found as the smallest of |bits| − 1 over all values: zero becomes the largest. */
typedef struct watch {
    __m512i least;
} watch;

VEC_INLINE watch watch_begin(void)
{
    return (watch){_mm512_set1_epi16(-1)};
}

VEC_INLINE void watch_words(watch *w, vi words)
{
    __m512i magnitude = _mm512_and_si512(words, _mm512_set1_epi16(0x7fff));
    w->least = _mm512_min_epu16(w->least, _mm512_add_epi16(magnitude, _mm512_set1_epi16(-1)));
}

VEC_INLINE int watch_end(const watch *w)
{
    return _mm512_cmplt_epu16_mask(w->least, _mm512_set1_epi16(0x7f)) != 0;
}

/* bf16 of fp8 codes, one in each lane of 16 bits. Both types fit bf16 exactly: shift the magnitude
 * into place and move the exponent; subnormals, infinities and NaN come from a table of the lowest
 * and highest codes. */
VEC_INLINE vi halves_from_e4m3(vi codes)
{
    const __m512i sign = _mm512_slli_epi16(_mm512_and_si512(codes, _mm512_set1_epi16(0x80)), 8);
    const __m512i magnitude = _mm512_and_si512(codes, _mm512_set1_epi16(0x7f));
    const __m512i low = _mm512_castsi128_si512(
        _mm_setr_epi16(0, 0x3b00, 0x3b80, 0x3bc0, 0x3c00, 0x3c20, 0x3c40, 0x3c60)); /* n · 2^-9 */
    __m512i value = _mm512_add_epi16(_mm512_slli_epi16(magnitude, 4), _mm512_set1_epi16(120 << 7));
    value = _mm512_mask_permutexvar_epi16(
        value, _mm512_cmplt_epu16_mask(magnitude, _mm512_set1_epi16(8)), magnitude, low);
    value =
        _mm512_mask_mov_epi16(value, _mm512_cmpeq_epi16_mask(magnitude, _mm512_set1_epi16(0x7f)),
                              _mm512_set1_epi16(0x7fc0));
    return vi_or(value, sign);
}

/* All 128 magnitudes of an fp8 type as bf16, low and high bytes apart. */
typedef struct e4m3_table {
    vi low[2], high[2];
} e4m3_table;

/* 64 codes as bf16. values[0] are the first eight of each sixteen, values[1] the others. */
VEC_INLINE void halves_by_table(const e4m3_table *t, vi codes, vi values[2])
{
    vi low = _mm512_permutex2var_epi8(t->low[0], codes, t->low[1]);
    vi high = _mm512_permutex2var_epi8(t->high[0], codes, t->high[1]);
    /* high | (codes & 0x80) */
    high = _mm512_ternarylogic_epi32(high, codes, _mm512_set1_epi8((char)0x80), 0xf8);
    values[0] = _mm512_unpacklo_epi8(low, high);
    values[1] = _mm512_unpackhi_epi8(low, high);
}

/* 64 bf16 in the order of halves_by_table. */
VEC_INLINE void halves_in_order(vi first, vi second, vi values[2])
{
    values[0] = _mm512_shuffle_i64x2(first, second, 0x88);
    values[1] = _mm512_shuffle_i64x2(first, second, 0xdd);
}

VEC_INLINE vi halves_from_e5m2(vi codes)
{
    const __m512i sign = _mm512_slli_epi16(_mm512_and_si512(codes, _mm512_set1_epi16(0x80)), 8);
    const __m512i magnitude = _mm512_and_si512(codes, _mm512_set1_epi16(0x7f));
    const __m512i low = _mm512_castsi128_si512(
        _mm_setr_epi16(0, 0x3780, 0x3800, 0x3840, 0, 0, 0, 0)); /* n · 2^-16 */
    const __m512i high =
        _mm512_castsi128_si512(_mm_setr_epi16(0x7f80, 0x7fc0, 0x7fc0, 0x7fc0, 0, 0, 0, 0));
    __m512i value = _mm512_add_epi16(_mm512_slli_epi16(magnitude, 5), _mm512_set1_epi16(112 << 7));
    value = _mm512_mask_permutexvar_epi16(
        value, _mm512_cmplt_epu16_mask(magnitude, _mm512_set1_epi16(4)), magnitude, low);
    value = _mm512_mask_permutexvar_epi16(
        value, _mm512_cmpge_epu16_mask(magnitude, _mm512_set1_epi16(0x7c)),
        _mm512_and_si512(magnitude, _mm512_set1_epi16(3)), high);
    return vi_or(value, sign);
}

VEC_INLINE vi halves_from(om_dtype dtype, vi codes)
{
    return dtype == OM_E4M3 ? halves_from_e4m3(codes) : halves_from_e5m2(codes);
}

VEC_INLINE e4m3_table fp8_table_make(om_dtype dtype)
{
    uint8_t low[128], high[128];
    e4m3_table t;
    for (int half = 0; half < 4; half++) {
        uint16_t values[32], codes[32];
        for (int i = 0; i < 32; i++)
            codes[i] = (uint16_t)(32 * half + i);
        _mm512_storeu_si512(values, halves_from(dtype, _mm512_loadu_si512(codes)));
        for (int i = 0; i < 32; i++) {
            low[32 * half + i] = (uint8_t)values[i];
            high[32 * half + i] = (uint8_t)(values[i] >> 8);
        }
    }
    for (int half = 0; half < 2; half++) {
        t.low[half] = _mm512_loadu_si512(low + 64 * half);
        t.high[half] = _mm512_loadu_si512(high + 64 * half);
    }
    return t;
}

VEC_INLINE e4m3_table e4m3_table_make(void)
{
    return fp8_table_make(OM_E4M3);
}

#endif
