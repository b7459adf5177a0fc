/* SPDX-License-Identifier: Apache-2.0 */
/* vec128.h: the vectors of vec.h in plain C: 4 lanes, left to the compiler. */
#ifndef OM_KERNELS_CPU_VEC128_H
#define OM_KERNELS_CPU_VEC128_H

#define LANES 4
typedef float vf __attribute__((vector_size(16)));
typedef uint32_t vi __attribute__((vector_size(16))); /* LANES 32-bit integers */

VEC_INLINE vf vf_set(float x)
{
    return (vf){x, x, x, x};
}
VEC_INLINE vf vf_zero(void)
{
    return vf_set(0);
}
VEC_INLINE vf vf_load(const void *p)
{
    vf x;
    memcpy(&x, p, sizeof x);
    return x;
}
VEC_INLINE void vf_store(void *p, vf x)
{
    memcpy(p, &x, sizeof x);
}
VEC_INLINE vf vf_add(vf x, vf y)
{
    return x + y;
}
VEC_INLINE vf vf_sub(vf x, vf y)
{
    return x - y;
}
VEC_INLINE vf vf_mul(vf x, vf y)
{
    return x * y;
}
VEC_INLINE vf vf_div(vf x, vf y)
{
    return x / y;
}
/* x·y + z */
VEC_INLINE vf vf_madd(vf x, vf y, vf z)
{
    return x * y + z;
}
/* z − x·y */
VEC_INLINE vf vf_nmadd(vf x, vf y, vf z)
{
    return z - x * y;
}
VEC_INLINE vi vf_bits(vf x)
{
    return (vi)x;
}
VEC_INLINE vf vi_float(vi x)
{
    return (vf)x;
}
VEC_INLINE vi vi_load(const void *p)
{
    vi x;
    memcpy(&x, p, sizeof x);
    return x;
}
VEC_INLINE void vi_store(void *p, vi x)
{
    memcpy(p, &x, sizeof x);
}
VEC_INLINE vi vi_set(uint32_t x)
{
    return (vi){x, x, x, x};
}
VEC_INLINE vi vi_and(vi x, vi y)
{
    return x & y;
}
VEC_INLINE vi vi_or(vi x, vi y)
{
    return x | y;
}
VEC_INLINE vi vi_add(vi x, vi y)
{
    return x + y;
}
VEC_INLINE vi vi_sub(vi x, vi y)
{
    return x - y;
}
/* then where the lanes of mask are all ones, else other */
VEC_INLINE vi vi_blend(vi mask, vi then, vi other)
{
    return (mask & then) | (~mask & other);
}
VEC_INLINE vi vi_max(vi x, vi y)
{
    return vi_blend((vi)(x > y), x, y);
}
VEC_INLINE uint32_t vi_max_lane(vi x)
{
    uint32_t most = x[0];
    for (int i = 1; i < LANES; i++)
        most = x[i] > most ? x[i] : most;
    return most;
}
/* The second operand where either is NaN. */
VEC_INLINE vf vf_max(vf x, vf y)
{
    return (vf)vi_blend((vi)(x > y), (vi)x, (vi)y);
}
VEC_INLINE vf vf_min(vf x, vf y)
{
    return (vf)vi_blend((vi)(x < y), (vi)x, (vi)y);
}
VEC_INLINE float vf_sum(vf x)
{
    return (x[0] + x[2]) + (x[1] + x[3]);
}
VEC_INLINE float vf_max_lane(vf x)
{
    float most = x[0];
    for (int i = 1; i < LANES; i++)
        most = x[i] > most ? x[i] : most;
    return most;
}
VEC_INLINE uint32_t vi_equal(vi x, uint32_t y)
{
    uint32_t bits = 0;
    for (int i = 0; i < LANES; i++)
        bits |= (uint32_t)(x[i] == y) << i;
    return bits;
}
#define vi_shl(x, count) ((x) << (count))
#define vi_shr(x, count) ((x) >> (count))

VEC_INLINE vf vf_from_int(vi x)
{
    return __builtin_convertvector((int __attribute__((vector_size(16))))x, vf);
}
VEC_INLINE vi vi_from_u8(const void *p)
{
    const uint8_t *from = p;
    return (vi){from[0], from[1], from[2], from[3]};
}
VEC_INLINE vi vi_from_u16(const void *p)
{
    uint16_t from[4];
    memcpy(from, p, sizeof from);
    return (vi){from[0], from[1], from[2], from[3]};
}
VEC_INLINE void vi_to_u8(void *p, vi x)
{
    uint8_t to[4] = {(uint8_t)x[0], (uint8_t)x[1], (uint8_t)x[2], (uint8_t)x[3]};
    memcpy(p, to, sizeof to);
}
VEC_INLINE void vi_to_u16(void *p, vi x)
{
    uint16_t to[4] = {(uint16_t)x[0], (uint16_t)x[1], (uint16_t)x[2], (uint16_t)x[3]};
    memcpy(p, to, sizeof to);
}
VEC_INLINE vf vf_where_nan(vf x, vf then)
{
    return (vf)vi_blend((vi)(x == x), (vi)x, (vi)then);
}
/* then where x > y as unsigned integers, else other */
VEC_INLINE vi vi_where_gt(vi x, vi y, vi then, vi other)
{
    return vi_blend((vi)(x > y), then, other);
}
/* then where x > y (false for NaN), else other */
VEC_INLINE vf vf_where_gt(vf x, vf y, vf then, vf other)
{
    return (vf)vi_blend((vi)(x > y), (vi)then, (vi)other);
}
VEC_INLINE vf vf_round(vf x)
{
    return (vf){rintf(x[0]), rintf(x[1]), rintf(x[2]), rintf(x[3])};
}
/* 2^n for integral n in −126…127, times x */
VEC_INLINE vf vf_scale2(vf x, vf n)
{
    int __attribute__((vector_size(16))) e =
        __builtin_convertvector(n, int __attribute__((vector_size(16))));
    return x * (vf)(((vi)e + 127u) << 23);
}

VEC_INLINE vf vf_from_bf16(const void *p)
{
    return (vf)(vi_from_u16(p) << 16);
}
/* Half-precision bits in the low 16 of each lane, zeros above. */
VEC_INLINE vf vf_from_half_bits(vi x)
{
    return (vf){om__f32_from_f16((uint16_t)x[0]), om__f32_from_f16((uint16_t)x[1]),
                om__f32_from_f16((uint16_t)x[2]), om__f32_from_f16((uint16_t)x[3])};
}
VEC_INLINE vf vf_from_f16(const void *p)
{
    return vf_from_half_bits(vi_from_u16(p));
}
VEC_INLINE void vf_to_f16(void *p, vf x)
{
    uint16_t to[4];
    for (int i = 0; i < LANES; i++)
        to[i] = om__f16_from_f32(x[i]);
    memcpy(p, to, sizeof to);
}

/* The low 16 bits of each lane of both, in order. */
VEC_INLINE vi vi_pack16(vi x, vi y)
{
    vi r;
    vi_to_u16(&r, x);
    vi_to_u16((char *)&r + 8, y);
    return r;
}
/* The low 8 bits of each lane of all four, in order. */
VEC_INLINE vi vi_pack8(vi x, vi y, vi z, vi w)
{
    vi r;
    vi_to_u8(&r, x);
    vi_to_u8((char *)&r + 4, y);
    vi_to_u8((char *)&r + 8, z);
    vi_to_u8((char *)&r + 12, w);
    return r;
}
VEC_INLINE vi vf_half_bits(vf x)
{
    return (vi){om__f16_from_f32(x[0]), om__f16_from_f32(x[1]), om__f16_from_f32(x[2]),
                om__f16_from_f32(x[3])};
}

typedef uint16_t vec_halves[2 * LANES];
/* Of unsigned halves of 16 bits. */
VEC_INLINE vi vi_max16(vi x, vi y)
{
    vec_halves a, b;
    vi_store(a, x);
    vi_store(b, y);
    for (int i = 0; i < 2 * LANES; i++)
        a[i] = a[i] > b[i] ? a[i] : b[i];
    return vi_load(a);
}
VEC_INLINE vi vi_min16(vi x, vi y)
{
    vec_halves a, b;
    vi_store(a, x);
    vi_store(b, y);
    for (int i = 0; i < 2 * LANES; i++)
        a[i] = a[i] < b[i] ? a[i] : b[i];
    return vi_load(a);
}
/* The low byte of each half of 16 bits of both, in order. */
VEC_INLINE vi vi_low_bytes(vi x, vi y)
{
    vec_halves a, b;
    uint8_t bytes[4 * LANES];
    vi_store(a, x);
    vi_store(b, y);
    for (int i = 0; i < 2 * LANES; i++) {
        bytes[i] = (uint8_t)a[i];
        bytes[2 * LANES + i] = (uint8_t)b[i];
    }
    return vi_load(bytes);
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
    vi_store(p, x);
}
VEC_INLINE void vec_fence(void)
{
}

/* Rows become columns: LANES × LANES words of 32 bits. */
VEC_INLINE void vi_transpose(vi r[LANES])
{
    vi t[4];
    for (int i = 0; i < 4; i++)
        t[i] = (vi){r[0][i], r[1][i], r[2][i], r[3][i]};
    for (int i = 0; i < 4; i++)
        r[i] = t[i];
}

#include "kernels/cpu/vec_convert.h"

#endif
