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

/* An fp8 code with `mantissa` bits below an exponent of bias `bias`, saturated at the code `last`;
 * to nearest even. Normal values round in the integer domain; below the smallest normal a magic sum
 * leaves the code in the low bits. NaN becomes 0x7f. */
VEC_INLINE vi vf_fp8_bits(vf x, int mantissa, int bias, uint32_t last, float limit)
{
    vi bits = vf_bits(x);
    vi sign = vi_shr(vi_and(bits, vi_set(0x80000000u)), 24);
    vi magnitude = vi_and(bits, vi_set(0x7fffffff));
    vi top = vf_bits(vf_set(limit));
    vi clamped = vi_where_gt(magnitude, top, top, magnitude);
    int drop = 23 - mantissa;
    vi odd = vi_and(vi_shr(clamped, drop), vi_set(1));
    vi normal = vi_add(clamped, vi_add(odd, vi_set((1u << (drop - 1)) - 1)));
    normal = vi_sub(vi_shr(normal, drop), vi_set((uint32_t)(127 - bias) << mantissa));
    /* One unit of the subnormals is 2^(1 − bias − mantissa); adding 2^23 of them rounds to one. */
    vf magic = vi_float(vi_set((uint32_t)(127 + 1 - bias - mantissa + 23) << 23));
    vi small = vi_sub(vf_bits(vf_add(vi_float(clamped), magic)), vf_bits(magic));
    vi least = vi_set((uint32_t)(127 + 1 - bias) << 23);
    vi code = vi_where_gt(least, clamped, small, normal);
    code = vi_where_gt(code, vi_set(last), vi_set(last), code);
    code = vi_where_gt(magnitude, vi_set(0x7f800000), vi_set(0x7f), code);
    return vi_or(code, sign);
}

VEC_INLINE vi vf_e4m3_bits(vf x)
{
    return vf_fp8_bits(x, 3, 7, 0x7e, 448.0f);
}

VEC_INLINE vi vf_e5m2_bits(vf x)
{
    return vf_fp8_bits(x, 2, 15, 0x7b, 57344.0f);
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
