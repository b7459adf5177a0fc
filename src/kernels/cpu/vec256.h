/* SPDX-License-Identifier: Apache-2.0 */
/* vec256.h: the vectors of vec.h in AVX2 with FMA and F16C: 8 lanes. */
#ifndef OM_KERNELS_CPU_VEC256_H
#define OM_KERNELS_CPU_VEC256_H

#include <immintrin.h>

#define LANES 8
typedef __m256 vf;
typedef __m256i vi; /* LANES 32-bit integers */

VEC_INLINE vf vf_zero(void)
{
    return _mm256_setzero_ps();
}
VEC_INLINE vf vf_set(float x)
{
    return _mm256_set1_ps(x);
}
VEC_INLINE vf vf_load(const void *p)
{
    return _mm256_loadu_ps(p);
}
VEC_INLINE void vf_store(void *p, vf x)
{
    _mm256_storeu_ps(p, x);
}
VEC_INLINE vf vf_add(vf x, vf y)
{
    return _mm256_add_ps(x, y);
}
VEC_INLINE vf vf_sub(vf x, vf y)
{
    return _mm256_sub_ps(x, y);
}
VEC_INLINE vf vf_mul(vf x, vf y)
{
    return _mm256_mul_ps(x, y);
}
VEC_INLINE vf vf_div(vf x, vf y)
{
    return _mm256_div_ps(x, y);
}
/* x·y + z */
VEC_INLINE vf vf_madd(vf x, vf y, vf z)
{
    return _mm256_fmadd_ps(x, y, z);
}
/* z − x·y */
VEC_INLINE vf vf_nmadd(vf x, vf y, vf z)
{
    return _mm256_fnmadd_ps(x, y, z);
}
/* As the instructions: the second operand where either is NaN. */
VEC_INLINE vf vf_max(vf x, vf y)
{
    return _mm256_max_ps(x, y);
}
VEC_INLINE vf vf_min(vf x, vf y)
{
    return _mm256_min_ps(x, y);
}
VEC_INLINE float vf_sum(vf x)
{
    __m128 s = _mm_add_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps(x, 1));
    s = _mm_add_ps(s, _mm_movehl_ps(s, s));
    return _mm_cvtss_f32(_mm_add_ss(s, _mm_movehdup_ps(s)));
}
VEC_INLINE float vf_max_lane(vf x)
{
    __m128 s = _mm_max_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps(x, 1));
    s = _mm_max_ps(s, _mm_movehl_ps(s, s));
    return _mm_cvtss_f32(_mm_max_ss(s, _mm_movehdup_ps(s)));
}
VEC_INLINE vi vf_bits(vf x)
{
    return _mm256_castps_si256(x);
}
VEC_INLINE vf vi_float(vi x)
{
    return _mm256_castsi256_ps(x);
}
VEC_INLINE vi vi_load(const void *p)
{
    return _mm256_loadu_si256(p);
}
VEC_INLINE void vi_store(void *p, vi x)
{
    _mm256_storeu_si256(p, x);
}
VEC_INLINE vi vi_set(uint32_t x)
{
    return _mm256_set1_epi32((int)x);
}
VEC_INLINE vi vi_and(vi x, vi y)
{
    return _mm256_and_si256(x, y);
}
VEC_INLINE vi vi_or(vi x, vi y)
{
    return _mm256_or_si256(x, y);
}
VEC_INLINE vi vi_add(vi x, vi y)
{
    return _mm256_add_epi32(x, y);
}
VEC_INLINE vi vi_sub(vi x, vi y)
{
    return _mm256_sub_epi32(x, y);
}
VEC_INLINE vi vi_max(vi x, vi y)
{
    return _mm256_max_epu32(x, y);
}
VEC_INLINE uint32_t vi_max_lane(vi x)
{
    __m128i s = _mm_max_epu32(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1));
    s = _mm_max_epu32(s, _mm_srli_si128(s, 8));
    s = _mm_max_epu32(s, _mm_srli_si128(s, 4));
    return (uint32_t)_mm_cvtsi128_si32(s);
}
VEC_INLINE uint32_t vi_equal(vi x, uint32_t y)
{
    return (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(x, vi_set(y))));
}
#define vi_shl(x, count) _mm256_slli_epi32(x, count)
#define vi_shr(x, count) _mm256_srli_epi32(x, count)

VEC_INLINE vf vf_from_int(vi x)
{
    return _mm256_cvtepi32_ps(x);
}
VEC_INLINE vi vi_from_u8(const void *p)
{
    return _mm256_cvtepu8_epi32(_mm_loadl_epi64(p));
}
VEC_INLINE vi vi_from_u16(const void *p)
{
    return _mm256_cvtepu16_epi32(_mm_loadu_si128(p));
}
/* The low 16 bits of each lane; their upper 16 must be zero. */
VEC_INLINE __m128i vi_narrow16(vi x)
{
    return _mm_packus_epi32(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1));
}
VEC_INLINE void vi_to_u16(void *p, vi x)
{
    _mm_storeu_si128(p, vi_narrow16(vi_and(x, vi_set(0xffff))));
}
VEC_INLINE void vi_to_u8(void *p, vi x)
{
    __m128i h = vi_narrow16(vi_and(x, vi_set(0xff)));
    _mm_storel_epi64(p, _mm_packus_epi16(h, h));
}
VEC_INLINE vf vf_where_nan(vf x, vf then)
{
    return _mm256_blendv_ps(x, then, _mm256_cmp_ps(x, x, _CMP_UNORD_Q));
}
/* then where x > y as unsigned integers, else other */
VEC_INLINE vi vi_where_gt(vi x, vi y, vi then, vi other)
{
    vi sign = vi_set(0x80000000u);
    vi more = _mm256_cmpgt_epi32(_mm256_xor_si256(x, sign), _mm256_xor_si256(y, sign));
    return _mm256_blendv_epi8(other, then, more);
}
/* then where x > y (false for NaN), else other */
VEC_INLINE vf vf_where_gt(vf x, vf y, vf then, vf other)
{
    return _mm256_blendv_ps(other, then, _mm256_cmp_ps(x, y, _CMP_GT_OQ));
}
/* 2^n for integral n in −126…127, times x */
VEC_INLINE vf vf_scale2(vf x, vf n)
{
    return vf_mul(x, vi_float(vi_shl(vi_add(_mm256_cvtps_epi32(n), vi_set(127)), 23)));
}
VEC_INLINE vf vf_round(vf x)
{
    return _mm256_round_ps(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}

VEC_INLINE vf vf_from_bf16(const void *p)
{
    return vi_float(vi_shl(vi_from_u16(p), 16));
}
VEC_INLINE vf vf_from_f16(const void *p)
{
    return _mm256_cvtph_ps(_mm_loadu_si128(p));
}
/* Half-precision bits in the low 16 of each lane, zeros above. */
VEC_INLINE vf vf_from_half_bits(vi x)
{
    return _mm256_cvtph_ps(vi_narrow16(x));
}
VEC_INLINE void vf_to_f16(void *p, vf x)
{
    _mm_storeu_si128(p, _mm256_cvtps_ph(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
}

/* The low 16 bits of each lane of both, in order. */
VEC_INLINE vi vi_pack16(vi x, vi y)
{
    vi mask = vi_set(0xffff);
    return _mm256_permute4x64_epi64(_mm256_packus_epi32(vi_and(x, mask), vi_and(y, mask)), 0xd8);
}
/* The low 8 bits of each lane of all four, in order. */
VEC_INLINE vi vi_pack8(vi x, vi y, vi z, vi w)
{
    vi mask = vi_set(0xff);
    vi low = _mm256_packus_epi32(vi_and(x, mask), vi_and(y, mask));
    vi high = _mm256_packus_epi32(vi_and(z, mask), vi_and(w, mask));
    return _mm256_permutevar8x32_epi32(_mm256_packus_epi16(low, high),
                                       _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
}
VEC_INLINE vi vf_half_bits(vf x)
{
    return _mm256_cvtepu16_epi32(_mm256_cvtps_ph(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
}

/* Without a place in the cache; p is aligned to the vector. */
/* Of unsigned halves of 16 bits. */
VEC_INLINE vi vi_max16(vi x, vi y)
{
    return _mm256_max_epu16(x, y);
}
VEC_INLINE vi vi_min16(vi x, vi y)
{
    return _mm256_min_epu16(x, y);
}
/* The low byte of each half of 16 bits of both, in order. */
VEC_INLINE vi vi_low_bytes(vi x, vi y)
{
    const vi byte = _mm256_set1_epi16(0xff);
    return _mm256_permute4x64_epi64(
        _mm256_packus_epi16(_mm256_and_si256(x, byte), _mm256_and_si256(y, byte)), 0xd8);
}
/* Two vectors as bf16, even elements and odd ones. A NaN among them has no bits below those of
 * bf16: arithmetic on bf16 makes no others. */
VEC_INLINE vi vf_pair_round(vf even, vf odd)
{
    vi e = vf_bits(even), o = vf_bits(odd);
    e = vi_add(e, vi_add(vi_and(vi_shr(e, 16), vi_set(1)), vi_set(0x7fff)));
    o = vi_add(o, vi_add(vi_and(vi_shr(o, 16), vi_set(1)), vi_set(0x7fff)));
    return vi_or(vi_shr(e, 16), vi_and(o, vi_set(0xffff0000u)));
}

VEC_INLINE void vi_stream(void *p, vi x)
{
    _mm256_stream_si256(p, x);
}
VEC_INLINE void vec_fence(void)
{
    _mm_sfence();
}

/* Rows become columns: LANES × LANES words of 32 bits. */
VEC_INLINE void vi_transpose(vi r[LANES])
{
    vi t[8];
    for (int i = 0; i < 8; i += 2) {
        t[i] = _mm256_unpacklo_epi32(r[i], r[i + 1]);
        t[i + 1] = _mm256_unpackhi_epi32(r[i], r[i + 1]);
    }
    for (int i = 0; i < 8; i += 4) {
        r[i] = _mm256_unpacklo_epi64(t[i], t[i + 2]);
        r[i + 1] = _mm256_unpackhi_epi64(t[i], t[i + 2]);
        r[i + 2] = _mm256_unpacklo_epi64(t[i + 1], t[i + 3]);
        r[i + 3] = _mm256_unpackhi_epi64(t[i + 1], t[i + 3]);
    }
    for (int i = 0; i < 4; i++) {
        t[i] = _mm256_permute2x128_si256(r[i], r[i + 4], 0x20);
        t[i + 4] = _mm256_permute2x128_si256(r[i], r[i + 4], 0x31);
    }
    for (int i = 0; i < 8; i++)
        r[i] = t[i];
}

#include "kernels/cpu/vec_convert.h"

#endif
