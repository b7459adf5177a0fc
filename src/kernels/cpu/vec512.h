/* SPDX-License-Identifier: Apache-2.0 */
/* vec512.h: the vectors of vec.h in AVX-512: 16 lanes. */
#ifndef OM_KERNELS_CPU_VEC512_H
#define OM_KERNELS_CPU_VEC512_H

#include <immintrin.h>

#define LANES 16
typedef __m512 vf;
typedef __m512i vi; /* LANES 32-bit integers */

VEC_INLINE vf vf_zero(void)
{
    return _mm512_setzero_ps();
}
VEC_INLINE vf vf_set(float x)
{
    return _mm512_set1_ps(x);
}
VEC_INLINE vf vf_load(const void *p)
{
    return _mm512_loadu_ps(p);
}
VEC_INLINE void vf_store(void *p, vf x)
{
    _mm512_storeu_ps(p, x);
}
VEC_INLINE vf vf_add(vf x, vf y)
{
    return _mm512_add_ps(x, y);
}
VEC_INLINE vf vf_sub(vf x, vf y)
{
    return _mm512_sub_ps(x, y);
}
VEC_INLINE vf vf_mul(vf x, vf y)
{
    return _mm512_mul_ps(x, y);
}
VEC_INLINE vf vf_div(vf x, vf y)
{
    return _mm512_div_ps(x, y);
}
/* x·y + z */
VEC_INLINE vf vf_madd(vf x, vf y, vf z)
{
    return _mm512_fmadd_ps(x, y, z);
}
/* z − x·y */
VEC_INLINE vf vf_nmadd(vf x, vf y, vf z)
{
    return _mm512_fnmadd_ps(x, y, z);
}
/* As the instructions: the second operand where either is NaN. */
VEC_INLINE vf vf_max(vf x, vf y)
{
    return _mm512_max_ps(x, y);
}
VEC_INLINE vf vf_min(vf x, vf y)
{
    return _mm512_min_ps(x, y);
}
VEC_INLINE float vf_sum(vf x)
{
    return _mm512_reduce_add_ps(x);
}
VEC_INLINE float vf_max_lane(vf x)
{
    return _mm512_reduce_max_ps(x);
}
VEC_INLINE vi vf_bits(vf x)
{
    return _mm512_castps_si512(x);
}
VEC_INLINE vf vi_float(vi x)
{
    return _mm512_castsi512_ps(x);
}
VEC_INLINE vi vi_load(const void *p)
{
    return _mm512_loadu_si512(p);
}
VEC_INLINE void vi_store(void *p, vi x)
{
    _mm512_storeu_si512(p, x);
}
VEC_INLINE vi vi_set(uint32_t x)
{
    return _mm512_set1_epi32((int)x);
}
VEC_INLINE vi vi_and(vi x, vi y)
{
    return _mm512_and_si512(x, y);
}
VEC_INLINE vi vi_or(vi x, vi y)
{
    return _mm512_or_si512(x, y);
}
VEC_INLINE vi vi_add(vi x, vi y)
{
    return _mm512_add_epi32(x, y);
}
VEC_INLINE vi vi_sub(vi x, vi y)
{
    return _mm512_sub_epi32(x, y);
}
VEC_INLINE vi vi_max(vi x, vi y)
{
    return _mm512_max_epu32(x, y);
}
VEC_INLINE uint32_t vi_max_lane(vi x)
{
    return _mm512_reduce_max_epu32(x);
}
/* A bit for each lane that is y, the first lane's lowest. */
VEC_INLINE uint32_t vi_equal(vi x, uint32_t y)
{
    return _mm512_cmpeq_epi32_mask(x, vi_set(y));
}
#define vi_shl(x, count) _mm512_slli_epi32(x, count)
#define vi_shr(x, count) _mm512_srli_epi32(x, count)

VEC_INLINE vf vf_from_int(vi x)
{
    return _mm512_cvtepi32_ps(x);
}
VEC_INLINE vi vi_from_u8(const void *p)
{
    return _mm512_cvtepu8_epi32(_mm_loadu_si128(p));
}
VEC_INLINE vi vi_from_u16(const void *p)
{
    return _mm512_cvtepu16_epi32(_mm256_loadu_si256(p));
}
VEC_INLINE void vi_to_u8(void *p, vi x)
{
    _mm_storeu_si128(p, _mm512_cvtepi32_epi8(x));
}
VEC_INLINE void vi_to_u16(void *p, vi x)
{
    _mm256_storeu_si256(p, _mm512_cvtepi32_epi16(x));
}
VEC_INLINE vf vf_where_nan(vf x, vf then)
{
    return _mm512_mask_mov_ps(x, _mm512_cmp_ps_mask(x, x, _CMP_UNORD_Q), then);
}
/* then where x > y as unsigned integers, else other */
VEC_INLINE vi vi_where_gt(vi x, vi y, vi then, vi other)
{
    return _mm512_mask_mov_epi32(other, _mm512_cmpgt_epu32_mask(x, y), then);
}
/* then where x > y (false for NaN), else other */
VEC_INLINE vf vf_where_gt(vf x, vf y, vf then, vf other)
{
    return _mm512_mask_mov_ps(other, _mm512_cmp_ps_mask(x, y, _CMP_GT_OQ), then);
}
/* 2^n for integral n, x·2^n rounded once */
VEC_INLINE vf vf_scale2(vf x, vf n)
{
    return _mm512_scalef_ps(x, n);
}
VEC_INLINE vf vf_round(vf x)
{
    return _mm512_roundscale_ps(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}

VEC_INLINE vf vf_from_bf16(const void *p)
{
    return vi_float(vi_shl(vi_from_u16(p), 16));
}
VEC_INLINE vf vf_from_f16(const void *p)
{
    return _mm512_cvtph_ps(_mm256_loadu_si256(p));
}
/* Half-precision bits in the low 16 of each lane. */
VEC_INLINE vf vf_from_half_bits(vi x)
{
    return _mm512_cvtph_ps(_mm512_cvtepi32_epi16(x));
}
VEC_INLINE void vf_to_f16(void *p, vf x)
{
    _mm256_storeu_si256(p, _mm512_cvtps_ph(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
}

/* The low 16 bits of each lane of both, in order. */
VEC_INLINE vi vi_pack16(vi x, vi y)
{
    return _mm512_inserti64x4(_mm512_castsi256_si512(_mm512_cvtepi32_epi16(x)),
                              _mm512_cvtepi32_epi16(y), 1);
}
/* The low 8 bits of each lane of all four, in order. */
VEC_INLINE vi vi_pack8(vi x, vi y, vi z, vi w)
{
    vi r = _mm512_castsi128_si512(_mm512_cvtepi32_epi8(x));
    r = _mm512_inserti32x4(r, _mm512_cvtepi32_epi8(y), 1);
    r = _mm512_inserti32x4(r, _mm512_cvtepi32_epi8(z), 2);
    return _mm512_inserti32x4(r, _mm512_cvtepi32_epi8(w), 3);
}
VEC_INLINE vi vf_half_bits(vf x)
{
    return _mm512_cvtepu16_epi32(_mm512_cvtps_ph(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
}

/* Of unsigned halves of 16 bits. */
VEC_INLINE vi vi_max16(vi x, vi y)
{
    return _mm512_max_epu16(x, y);
}
VEC_INLINE vi vi_min16(vi x, vi y)
{
    return _mm512_min_epu16(x, y);
}
/* Two vectors as bf16, even elements and odd ones. A NaN among them has no bits below those of
 * bf16: arithmetic on bf16 makes no others. Rounded by halves: up where
 * the lower half, one more if the upper is odd, is above one half. */
VEC_INLINE vi vf_pair_round(vf even, vf odd)
{
    vi e = vf_bits(even), o = vf_bits(odd);
    vi high = _mm512_mask_blend_epi16(0xaaaaaaaa, vi_shr(e, 16), o);
    vi low = _mm512_mask_blend_epi16(0xaaaaaaaa, e, vi_shl(o, 16));
    low = _mm512_adds_epu16(low, _mm512_and_si512(high, _mm512_set1_epi16(1)));
    return _mm512_mask_sub_epi16(high,
                                 _mm512_cmpgt_epu16_mask(low, _mm512_set1_epi16((short)0x8000)),
                                 high, _mm512_set1_epi16(-1));
}

/* Without a place in the cache; p is aligned to the vector. */
VEC_INLINE void vi_stream(void *p, vi x)
{
    _mm512_stream_si512(p, x);
}
VEC_INLINE void vec_fence(void)
{
    _mm_sfence();
}

/* Rows become columns: LANES × LANES words of 32 bits. */
VEC_INLINE void vi_transpose(vi r[LANES])
{
    vi t[16];
    for (int i = 0; i < 16; i += 2) {
        t[i] = _mm512_unpacklo_epi32(r[i], r[i + 1]);
        t[i + 1] = _mm512_unpackhi_epi32(r[i], r[i + 1]);
    }
    for (int i = 0; i < 16; i += 4) {
        r[i] = _mm512_unpacklo_epi64(t[i], t[i + 2]);
        r[i + 1] = _mm512_unpackhi_epi64(t[i], t[i + 2]);
        r[i + 2] = _mm512_unpacklo_epi64(t[i + 1], t[i + 3]);
        r[i + 3] = _mm512_unpackhi_epi64(t[i + 1], t[i + 3]);
    }
    for (int i = 0; i < 4; i++) {
        t[i] = _mm512_shuffle_i32x4(r[i], r[i + 4], 0x88);
        t[i + 4] = _mm512_shuffle_i32x4(r[i], r[i + 4], 0xdd);
        t[i + 8] = _mm512_shuffle_i32x4(r[i + 8], r[i + 12], 0x88);
        t[i + 12] = _mm512_shuffle_i32x4(r[i + 8], r[i + 12], 0xdd);
    }
    for (int i = 0; i < 4; i++) {
        r[i] = _mm512_shuffle_i32x4(t[i], t[i + 8], 0x88);
        r[i + 8] = _mm512_shuffle_i32x4(t[i], t[i + 8], 0xdd);
        r[i + 4] = _mm512_shuffle_i32x4(t[i + 4], t[i + 12], 0x88);
        r[i + 12] = _mm512_shuffle_i32x4(t[i + 4], t[i + 12], 0xdd);
    }
}

#include "kernels/cpu/vec_convert.h"

#endif
