/* SPDX-License-Identifier: Apache-2.0 */
/* vec_convert.h: the conversions of vec.h that read the same at every width: bf16 and fp8 codes. */
#ifndef OM_KERNELS_CPU_VEC_CONVERT_H
#define OM_KERNELS_CPU_VEC_CONVERT_H

/* bf16 bits in the low 16 of each lane, rounded to nearest even; a NaN becomes the quiet one of its
 * sign, as om__bf16_from_f32 says. */
VEC_INLINE vi vf_bf16_bits(vf x)
{
    vi bits = vf_bits(x);
    vi odd = vi_and(vi_shr(bits, 16), vi_set(1));
    vi rounded = vi_add(bits, vi_add(odd, vi_set(0x7fff)));
    vi magnitude = vi_and(bits, vi_set(0x7fffffff));
    vi quiet = vi_or(vi_and(bits, vi_set(0x80000000u)), vi_set(0x7fc00000));
    return vi_shr(vi_where_gt(magnitude, vi_set(0x7f800000), quiet, rounded), 16);
}

VEC_INLINE void vf_to_bf16(void *p, vf x)
{
    vi_to_u16(p, vf_bf16_bits(x));
}

/* e5m2 is the upper byte of a half. code: in the low 8 bits of each lane. */
VEC_INLINE vf vf_from_e5m2_bits(vi code)
{
    return vf_from_half_bits(vi_shl(code, 8));
}

/* e4m3: seven bits shifted into a half whose exponent bias is 8 too high; exact, subnormals
 * included. */
VEC_INLINE vf vf_from_e4m3_bits(vi code)
{
    vi magnitude = vi_and(code, vi_set(0x7f));
    vi half = vi_or(vi_shl(magnitude, 7), vi_shl(vi_and(code, vi_set(0x80)), 8));
    vf value = vf_mul(vf_from_half_bits(half), vf_set(256));
    vi sign = vi_shl(vi_and(code, vi_set(0x80)), 24);
    return vi_float(
        vi_where_gt(magnitude, vi_set(0x7e), vi_or(sign, vi_set(0x7fc00000)), vf_bits(value)));
}

VEC_INLINE vf vf_from_e4m3(const void *p)
{
    return vf_from_e4m3_bits(vi_from_u8(p));
}

VEC_INLINE vf vf_from_e5m2(const void *p)
{
    return vf_from_e5m2_bits(vi_from_u8(p));
}

/* What an fp8 type is to the arithmetic below. */
typedef struct vec_fp8 {
    int mantissa;   /* bits of it */
    uint32_t least; /* biased exponent of the smallest normal in f32 */
    float limit;    /* the largest value */
} vec_fp8;

VEC_INLINE vec_fp8 vec_fp8_of(om_dtype dtype)
{
    return dtype == OM_E4M3 ? (vec_fp8){3, 121, 448.0f} : (vec_fp8){2, 113, 57344.0f};
}

/* What vf_fp8_raw adds to a code. */
VEC_INLINE uint32_t vec_fp8_excess(vec_fp8 type)
{
    return (type.least + 23 - (uint32_t)type.mantissa) << type.mantissa;
}

/* The code of x, 0 to the limit and half a unit, rounded to nearest even, + vec_fp8_excess(): below
 * 2^16.
 *
 * In the sum with a power of two whose unit in the last place is that of the code (for subnormals,
 * that of the smallest normal) the hardware rounds; the low bits then count those units. Each
 * binade adds 2^mantissa, and the first one (that of the subnormals too) nothing. */
VEC_INLINE vi vf_fp8_raw(vf x, vec_fp8 type)
{
    const int drop = 23 - type.mantissa;
    vi binade = vi_max(vi_and(vf_bits(x), vi_set(0x7f800000)), vi_set(type.least << 23));
    vi magic = vi_add(binade, vi_set((uint32_t)drop << 23));
    vi sum = vf_bits(vf_add(x, vi_float(magic)));
    return vi_add(vi_sub(sum, magic), vi_shr(magic, drop));
}

#if LANES == 16
/* Codes of 4·LANES magnitudes, as vf_fp8_raw takes them: y[0] and y[1] the even and the odd ones of
 * the bf16 words that lend their signs, y[2] and y[3] those of `next`.
 *
 * The halves of a sum are its exponent · 2^7 and the count of units: one multiplication of halves
 * makes 2^(7 − mantissa) · (code + excess) of them. */
VEC_INLINE vi vf_fp8_bytes(const vf y[4], vi words, vi next, vec_fp8 type)
{
#define FROM(e) (uint8_t)((e) / 8 * 16 + (e) % 2 * 8 + (e) % 8 / 2 * 2)
#define FROM_8(e)                                                                                  \
    FROM(e), FROM((e) + 1), FROM((e) + 2), FROM((e) + 3), FROM((e) + 4), FROM((e) + 5),            \
        FROM((e) + 6), FROM((e) + 7)
    /* Packing two vectors to halves leaves four even ones before four odd ones. */
    static const uint8_t codes_at[64] = {FROM_8(0),  FROM_8(8),  FROM_8(16), FROM_8(24),
                                         FROM_8(32), FROM_8(40), FROM_8(48), FROM_8(56)};
#undef FROM_8
#undef FROM
#define ODD_8(b) (b) + 1, (b) + 3, (b) + 5, (b) + 7, (b) + 9, (b) + 11, (b) + 13, (b) + 15
    static const uint8_t signs_at[64] = {ODD_8(0),  ODD_8(16), ODD_8(32), ODD_8(48),
                                         ODD_8(64), ODD_8(80), ODD_8(96), ODD_8(112)};
#undef ODD_8
    const int drop = 23 - type.mantissa, shift = 7 - type.mantissa;
    vi sums[4], halves[2];
    for (int u = 0; u < 4; u++) {
        vi binade = vi_max(vi_and(vf_bits(y[u]), vi_set(0x7f800000)), vi_set(type.least << 23));
        vi magic = vi_add(binade, vi_set((uint32_t)drop << 23));
        sums[u] = _mm512_madd_epi16(vf_bits(vf_add(y[u], vi_float(magic))),
                                    vi_set(0x10000u | 1u << shift));
    }
    halves[0] = _mm512_srli_epi16(_mm512_packus_epi32(sums[0], sums[1]), (unsigned)shift);
    halves[1] = _mm512_srli_epi16(_mm512_packus_epi32(sums[2], sums[3]), (unsigned)shift);
    vi codes = _mm512_permutex2var_epi8(halves[0], vi_load(codes_at), halves[1]);
    vi signs = _mm512_permutex2var_epi8(words, vi_load(signs_at), next);
    codes = _mm512_sub_epi8(codes, _mm512_set1_epi8((char)vec_fp8_excess(type)));
    return vi_or(codes, vi_and(signs, vi_set(0x80808080u)));
}
#else
/* Codes of 4·LANES magnitudes, as vf_fp8_raw takes them: y[0] and y[1] the even and the odd ones of
 * the bf16 words that lend their signs, y[2] and y[3] those of `next`. */
VEC_INLINE vi vf_fp8_bytes(const vf y[4], vi words, vi next, vec_fp8 type)
{
    vi halves[2];
    for (int i = 0; i < 2; i++) {
        vi codes = vi_or(vf_fp8_raw(y[2 * i], type), vi_shl(vf_fp8_raw(y[2 * i + 1], type), 16));
        vi sign = vi_and(vi_shr(i == 0 ? words : next, 8), vi_set(0x00800080));
        halves[i] = vi_or(vi_sub(codes, vi_set(vec_fp8_excess(type) * 0x10001u)), sign);
    }
    return vi_low_bytes(halves[0], halves[1]);
}
#endif

/* One code in the low 8 bits of each lane; NaN becomes 0x7f with its sign. */
VEC_INLINE vi vf_fp8_bits(vf x, vec_fp8 type)
{
    vi bits = vf_bits(x);
    vi magnitude = vi_and(bits, vi_set(0x7fffffff));
    vf clamped = vf_min(vi_float(magnitude), vf_set(type.limit));
    vi code = vi_sub(vf_fp8_raw(clamped, type), vi_set(vec_fp8_excess(type)));
    code = vi_where_gt(magnitude, vi_set(0x7f800000), vi_set(0x7f), code);
    return vi_or(code, vi_shr(vi_and(bits, vi_set(0x80000000u)), 24));
}

VEC_INLINE vi vf_e4m3_bits(vf x)
{
    return vf_fp8_bits(x, vec_fp8_of(OM_E4M3));
}

VEC_INLINE vi vf_e5m2_bits(vf x)
{
    return vf_fp8_bits(x, vec_fp8_of(OM_E5M2));
}

VEC_INLINE void vf_to_e4m3(void *p, vf x)
{
    vi_to_u8(p, vf_e4m3_bits(x));
}

VEC_INLINE void vf_to_e5m2(void *p, vf x)
{
    vi_to_u8(p, vf_e5m2_bits(x));
}

#endif
