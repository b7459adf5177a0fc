/* SPDX-License-Identifier: Apache-2.0 */
/* cast_run_body.h: casts of runs of elements, written once for every level. */
#include "kernels/cpu/cast_run.h"
#include "kernels/cpu/vec.h"

/* A computed stream leaves the hardware too little time to run ahead by itself. */
#define AHEAD_BYTES 2048

/* As integers the magnitudes of bf16 order like the numbers, NaN above infinity. */
VEC_INLINE vi magnitude_max(vi most, vf x)
{
    return vi_max(most, vi_and(vf_bits(x), vi_set(0x7fffffff)));
}

VEC_INLINE void cast_some(om_dtype from, om_dtype to, const char *x, char *y, int64_t count,
                          vf scale, vi *most)
{
    for (int64_t i = 0; i < count; i += LANES) {
        vf v = vf_load_some_as(from, x + vec_bytes(from, i), count - i);
        *most = magnitude_max(*most, v);
        vf_store_some_as(to, y + vec_bytes(to, i), vf_mul(v, scale), count - i);
    }
}

VEC_INLINE uint32_t cast_run(om_dtype from, om_dtype to, const char *x, char *y, int64_t count,
                             float scale, int stream)
{
    const int block = vec_elements(to);
    const vf factor = vf_set(scale);
    vi most[4] = {vi_set(0), vi_set(0), vi_set(0), vi_set(0)};
    int64_t i = stream ? vec_head(to, y, count) : 0;
    cast_some(from, to, x, y, i, factor, &most[0]);
    for (; i + block <= count; i += block) {
        vf out[4];
        for (int line = 0; line < vec_bytes(from, block); line += 64)
            __builtin_prefetch(x + vec_bytes(from, i) + AHEAD_BYTES + line);
        for (int u = 0; u < block / LANES; u++) {
            vf v = vf_load_as(from, x + vec_bytes(from, i + u * LANES));
            if (from == OM_BF16)
                most[u] = magnitude_max(most[u], v);
            out[u] = vf_mul(v, factor);
        }
        vi packed = vf_pack_as(to, out);
        if (stream)
            vi_stream(y + vec_bytes(to, i), packed);
        else
            vi_store(y + vec_bytes(to, i), packed);
    }
    cast_some(from, to, x + vec_bytes(from, i), y + vec_bytes(to, i), count - i, factor, &most[0]);
    if (stream)
        vec_fence();
    return vi_max_lane(vi_max(vi_max(most[0], most[1]), vi_max(most[2], most[3]))) >> 16;
}

#define CAST(NAME, FROM, TO)                                                                       \
    static uint32_t NAME(const void *x, void *y, int64_t count, float scale, int stream)           \
    {                                                                                              \
        return stream ? cast_run(FROM, TO, x, y, count, scale, 1)                                  \
                      : cast_run(FROM, TO, x, y, count, scale, 0);                                 \
    }
CAST(to_e4m3, OM_BF16, OM_E4M3)
CAST(to_e5m2, OM_BF16, OM_E5M2)
CAST(from_e4m3, OM_E4M3, OM_BF16)
CAST(from_e5m2, OM_E5M2, OM_BF16)

static uint32_t amax_run(const void *x, int64_t count)
{
    const char *from = x;
    vi most[4] = {vi_set(0), vi_set(0), vi_set(0), vi_set(0)};
    int64_t i = 0;
    for (; i + 4 * LANES <= count; i += 4 * LANES)
        for (int u = 0; u < 4; u++)
            most[u] = magnitude_max(most[u], vf_from_bf16(from + 2 * (i + u * LANES)));
    for (; i < count; i += LANES)
        most[0] = magnitude_max(most[0], vf_load_some_as(OM_BF16, from + 2 * i, count - i));
    return vi_max_lane(vi_max(vi_max(most[0], most[1]), vi_max(most[2], most[3]))) >> 16;
}

#define CAST_LEVEL                                                                                 \
    {                                                                                              \
        .quantise = {[OM_E4M3] = to_e4m3, [OM_E5M2] = to_e5m2},                                    \
        .widen = {[OM_E4M3] = from_e4m3, [OM_E5M2] = from_e5m2}, .amax = amax_run,                 \
    }
