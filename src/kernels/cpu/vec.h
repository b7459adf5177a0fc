/* SPDX-License-Identifier: Apache-2.0 */
/* vec.h: one small vocabulary of f32 vectors, in the instruction set the including file is compiled
 * for.
 *
 * A kernel written with it serves every level: the file X_avx512.c includes X_body.h under AVX-512
 * flags, X_avx2.c under AVX2, X_scalar.c under neither, where the vectors are four lanes of plain
 * C. All functions are static: nothing is shared between levels, so no wide instruction can leak
 * into a narrower path.
 */
#ifndef OM_KERNELS_CPU_VEC_H
#define OM_KERNELS_CPU_VEC_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "core/convert.h"
#include "opmark/dtype.h"

#define VEC_INLINE static inline __attribute__((always_inline, unused))

#if defined(__AVX512F__)
#include "kernels/cpu/vec512.h"
#elif defined(__AVX2__)
#include "kernels/cpu/vec256.h"
#else
#include "kernels/cpu/vec128.h"
#endif

/* Bytes of `count` elements. */
VEC_INLINE int64_t vec_bytes(om_dtype dtype, int64_t count)
{
    return dtype == OM_F32 ? 4 * count : dtype == OM_BF16 || dtype == OM_F16 ? 2 * count : count;
}

/* LANES elements at p as f32. dtype is a constant at every call. */
VEC_INLINE vf vf_load_as(om_dtype dtype, const void *p)
{
    switch (dtype) {
    case OM_BF16:
        return vf_from_bf16(p);
    case OM_F16:
        return vf_from_f16(p);
    case OM_E4M3:
        return vf_from_e4m3(p);
    case OM_E5M2:
        return vf_from_e5m2(p);
    default:
        return vf_load(p);
    }
}

/* The first `count` (0..LANES) elements, zeros behind them; reads nothing beyond them. */
VEC_INLINE vf vf_load_part_as(om_dtype dtype, const void *p, int64_t count)
{
    unsigned char copy[LANES * 4] = {0};
    memcpy(copy, p, (size_t)vec_bytes(dtype, count));
    return vf_load_as(dtype, copy);
}

VEC_INLINE vf vf_load_some_as(om_dtype dtype, const void *p, int64_t count)
{
    return count >= LANES ? vf_load_as(dtype, p) : vf_load_part_as(dtype, p, count);
}

VEC_INLINE void vf_store_as(om_dtype dtype, void *p, vf x)
{
    switch (dtype) {
    case OM_BF16:
        vf_to_bf16(p, x);
        break;
    case OM_F16:
        vf_to_f16(p, x);
        break;
    case OM_E4M3:
        vf_to_e4m3(p, x);
        break;
    case OM_E5M2:
        vf_to_e5m2(p, x);
        break;
    default:
        vf_store(p, x);
    }
}

/* Writes the first `count` (0..LANES) elements only. */
VEC_INLINE void vf_store_some_as(om_dtype dtype, void *p, vf x, int64_t count)
{
    if (count >= LANES) {
        vf_store_as(dtype, p, x);
        return;
    }
    unsigned char copy[LANES * 4];
    vf_store_as(dtype, copy, x);
    memcpy(p, copy, (size_t)vec_bytes(dtype, count));
}

/* Elements of a type that fill one vector of bytes: how much a streaming store takes. */
VEC_INLINE int vec_elements(om_dtype dtype)
{
    return (int)(LANES * 4 / vec_bytes(dtype, 1));
}

/* vec_elements() values, given as 1, 2 or 4 vectors, as one vector of bytes. */
VEC_INLINE vi vf_pack_as(om_dtype dtype, const vf *x)
{
    switch (dtype) {
    case OM_BF16:
        return vi_pack16(vf_bf16_bits(x[0]), vf_bf16_bits(x[1]));
    case OM_F16:
        return vi_pack16(vf_half_bits(x[0]), vf_half_bits(x[1]));
    case OM_E4M3:
        return vi_pack8(vf_e4m3_bits(x[0]), vf_e4m3_bits(x[1]), vf_e4m3_bits(x[2]),
                        vf_e4m3_bits(x[3]));
    case OM_E5M2:
        return vi_pack8(vf_e5m2_bits(x[0]), vf_e5m2_bits(x[1]), vf_e5m2_bits(x[2]),
                        vf_e5m2_bits(x[3]));
    default:
        return vf_bits(x[0]);
    }
}

/* 2·LANES elements at p in two vectors: of bf16 the even ones and the odd ones, which leaves each
 * in its lane; of other types as they come. vec_pair_store undoes it. */
VEC_INLINE void vec_pair_load(om_dtype dtype, const void *p, vf x[2])
{
    if (dtype == OM_BF16) {
        vi words = vi_load(p);
        x[0] = vi_float(vi_shl(words, 16));
        x[1] = vi_float(vi_and(words, vi_set(0xffff0000u)));
    } else {
        x[0] = vf_load_as(dtype, p);
        x[1] = vf_load_as(dtype, (const char *)p + vec_bytes(dtype, LANES));
    }
}

VEC_INLINE void vec_store_or_stream(void *p, vi x, int stream)
{
    if (stream)
        vi_stream(p, x);
    else
        vi_store(p, x);
}

/* stream: past the cache; p is aligned to a vector then. What becomes bf16 came from bf16: see
 * vf_pair_round. */
VEC_INLINE void vec_pair_store(om_dtype dtype, void *p, const vf x[2], int stream)
{
    if (dtype == OM_F32) {
        vec_store_or_stream(p, vf_bits(x[0]), stream);
        vec_store_or_stream((char *)p + LANES * 4, vf_bits(x[1]), stream);
    } else {
        vec_store_or_stream(p, dtype == OM_BF16 ? vf_pair_round(x[0], x[1]) : vf_pack_as(dtype, x),
                            stream);
    }
}

/* How many elements to store before p is aligned to a vector; at most count. p is aligned to its
 * element. */
VEC_INLINE int64_t vec_head(om_dtype dtype, const void *p, int64_t count)
{
    int64_t head = (int64_t)(-(uintptr_t)p % (LANES * 4)) / vec_bytes(dtype, 1);
    return head < count ? head : count;
}

#endif
