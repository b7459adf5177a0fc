/* SPDX-License-Identifier: Apache-2.0 */
/* vec_math.h: exponentials and what is made of them, for the vectors of vec.h.
 *
 * exp: x = n·ln 2 + r, 2^n · p(r) with p of degree 6; within 2 units in the last place. Results
 * below the normal range are 0, so that no denormal reaches a later multiplication.
 */
#ifndef OM_KERNELS_CPU_VEC_MATH_H
#define OM_KERNELS_CPU_VEC_MATH_H

#include "kernels/cpu/vec.h"

VEC_INLINE vf vf_exp(vf x)
{
    const float least = -87.33f, most = 89.0f;
    vf y =
        vf_max(vf_set(least), vf_min(vf_set(most), x)); /* a NaN stays: it is the second operand */
    vf n = vf_round(vf_mul(y, vf_set(1.44269504f)));
    vf r = vf_madd(n, vf_set(-0.693359375f), y);
    r = vf_madd(n, vf_set(2.12194440e-4f), r);
    vf p = vf_set(1.0f / 720);
    p = vf_madd(p, r, vf_set(1.0f / 120));
    p = vf_madd(p, r, vf_set(1.0f / 24));
    p = vf_madd(p, r, vf_set(1.0f / 6));
    p = vf_madd(p, r, vf_set(0.5f));
    p = vf_madd(p, r, vf_set(1));
    p = vf_madd(p, r, vf_set(1));
    /* In two steps, because 2^128 is no float. */
    vf half = vf_round(vf_mul(n, vf_set(0.5f)));
    p = vf_scale2(vf_scale2(p, half), vf_sub(n, half));
    return vf_where_gt(vf_set(least), x, vf_zero(), p);
}

/* 1 / (1 + e^−x) */
VEC_INLINE vf vf_sigmoid(vf x)
{
    return vf_div(vf_set(1), vf_add(vf_set(1), vf_exp(vf_sub(vf_zero(), x))));
}

VEC_INLINE vf vf_silu(vf x)
{
    return vf_div(x, vf_add(vf_set(1), vf_exp(vf_sub(vf_zero(), x))));
}

/* erf by a rational in t = 1/(1 + c·|x|) times e^−x² (Abramowitz and Stegun 7.1.26), within
 * 1.5e-7. */
VEC_INLINE vf vf_erf(vf x)
{
    vi sign = vi_and(vf_bits(x), vi_set(0x80000000u));
    vf size = vi_float(vi_and(vf_bits(x), vi_set(0x7fffffff)));
    vf t = vf_div(vf_set(1), vf_madd(size, vf_set(0.3275911f), vf_set(1)));
    vf p = vf_set(1.061405429f);
    p = vf_madd(p, t, vf_set(-1.453152027f));
    p = vf_madd(p, t, vf_set(1.421413741f));
    p = vf_madd(p, t, vf_set(-0.284496736f));
    p = vf_mul(vf_madd(p, t, vf_set(0.254829592f)), t);
    vf tail = vf_mul(p, vf_exp(vf_sub(vf_zero(), vf_mul(size, size))));
    return vi_float(vi_or(vf_bits(vf_sub(vf_set(1), tail)), sign));
}

VEC_INLINE vf vf_gelu(vf x)
{
    return vf_mul(vf_mul(x, vf_set(0.5f)),
                  vf_add(vf_set(1), vf_erf(vf_mul(x, vf_set(0.70710678f)))));
}

#endif
