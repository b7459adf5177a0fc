/* SPDX-License-Identifier: Apache-2.0 */
/* cast_run_body.h: casts of runs of elements, written once for every level.
 *
 * A long run is cut into four that are walked in turn: stores past the cache reach their full rate
 * only when they go to several places at once, and so do reads that nothing is known of in advance.
 */
#include "kernels/cpu/cast_run.h"
#include "kernels/cpu/vec.h"

/* A computed stream leaves the hardware too little time to run ahead by itself. */
#define AHEAD_BYTES 1024
#define STREAMS     4
#define BLOCK       (4 * LANES) /* elements that are cast at once */

VEC_INLINE uint32_t largest_half(vi most)
{
    return vi_max_lane(vi_max(vi_and(most, vi_set(0xffff)), vi_shr(most, 16)));
}

VEC_INLINE void prefetch_block(const char *x, int64_t bytes)
{
    for (int64_t line = 0; line < bytes; line += 64)
        __builtin_prefetch(x + AHEAD_BYTES + line);
}

/* ---- bf16 to fp8 ---- */

typedef struct quantising {
    vf scale;
    vi clamp; /* magnitudes from here on saturate: bf16, by halves of 16 bits */
    vi most;  /* the largest magnitudes, by halves of 16 bits: NaN is above infinity */
} quantising;

/* Any scale, any count, NaN too. */
VEC_INLINE void quantise_some(om_dtype to, const char *x, char *y, int64_t count, quantising *q)
{
    for (int64_t i = 0; i < count; i += LANES) {
        vf v = vf_load_some_as(OM_BF16, x + 2 * i, count - i);
        q->most = vi_max16(q->most, vi_and(vi_shr(vf_bits(v), 16), vi_set(0x7fff)));
        vf_store_some_as(to, y + i, vf_mul(v, q->scale), count - i);
    }
}

/* BLOCK elements, no NaN. */
VEC_INLINE void quantise_block(om_dtype to, const char *x, char *y, quantising *q, int stream)
{
    vi words[2];
    vf out[4];
    for (int i = 0; i < 2; i++) {
        words[i] = vi_load(x + i * BLOCK);
        vi magnitude = vi_and(words[i], vi_set(0x7fff7fff));
        q->most = vi_max16(q->most, magnitude);
        magnitude = vi_min16(magnitude, q->clamp);
        out[2 * i] = vf_mul(vi_float(vi_shl(magnitude, 16)), q->scale);
        out[2 * i + 1] = vf_mul(vi_float(vi_and(magnitude, vi_set(0xffff0000u))), q->scale);
    }
    vec_store_or_stream(y, vf_fp8_bytes(out, words[0], words[1], vec_fp8_of(to)), stream);
}

/* The smallest bf16 that reaches the limit of the type; 0: none does, or NaN may come of numbers.
 */
VEC_INLINE uint32_t clamp_of(om_dtype to, float scale)
{
    const double limit = (double)vec_fp8_of(to).limit;
    if (!(scale > 0 && scale < INFINITY) || limit / (double)scale > 3e38)
        return 0;
    float least = (float)(limit / (double)scale);
    uint32_t bits;
    memcpy(&bits, &least, sizeof bits);
    return (bits >> 16) + 1;
}

/* `count` blocks of each of the STREAMS parts. What holds a NaN is done again with care. */
VEC_INLINE void quantise_part(om_dtype to, const char *x, char *y, int64_t part, int64_t count,
                              quantising *q, int stream)
{
    quantising now = *q;
    now.most = vi_set(0);
    for (int64_t j = 0; j < count; j += BLOCK)
        for (int64_t s = 0; s < STREAMS; s++) {
            int64_t at = j + s * part;
            prefetch_block(x + 2 * at, 2 * BLOCK);
            quantise_block(to, x + 2 * at, y + at, &now, stream);
        }
    if (largest_half(now.most) > 0x7f80)
        for (int64_t s = 0; s < STREAMS; s++)
            quantise_some(to, x + 2 * s * part, y + s * part, count, &now);
    q->most = vi_max16(q->most, now.most);
}

VEC_INLINE uint32_t quantise_run(om_dtype to, const char *x, char *y, int64_t count, float scale,
                                 int stream)
{
    enum { STRETCH = 16 * BLOCK };
    const uint32_t clamp = clamp_of(to, scale);
    quantising q = {.scale = vf_set(scale), .clamp = vi_set(clamp * 0x10001u), .most = vi_set(0)};
    int64_t i = clamp == 0 ? count : stream ? vec_head(to, y, count) : 0;
    quantise_some(to, x, y, i, &q);
    const int64_t part = (count - i) / (STREAMS * BLOCK) * BLOCK;
    for (int64_t j = 0; j < part; j += STRETCH) {
        int64_t now = part - j < STRETCH ? part - j : STRETCH;
        quantise_part(to, x + 2 * (i + j), y + i + j, part, now, &q, stream);
    }
    i += STREAMS * part;
    quantise_some(to, x + 2 * i, y + i, count - i, &q);
    if (stream)
        vec_fence();
    return largest_half(q.most);
}

/* ---- fp8 to bf16 ---- */

#if LANES == 16
/* Everything that a code can become, by its seven bits of magnitude: the low and the high bytes. */
typedef struct widening {
    vi low[2], high[2];
} widening;

VEC_INLINE widening widening_of(om_dtype from, float scale)
{
    uint8_t low[128], high[128];
    for (unsigned code = 0; code < 128; code++) {
        float x =
            from == OM_E4M3 ? om__f32_from_e4m3((uint8_t)code) : om__f32_from_e5m2((uint8_t)code);
        uint16_t bits = om__bf16_from_f32(x * scale);
        low[code] = (uint8_t)bits;
        high[code] = (uint8_t)(bits >> 8);
    }
    return (widening){{vi_load(low), vi_load(low + 64)}, {vi_load(high), vi_load(high + 64)}};
}

VEC_INLINE void widen_block(om_dtype from, const char *x, char *y, const widening *w, int stream)
{
    (void)from;
    /* So that interleaving within quarters leaves the elements in order. */
    vi codes = _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 4, 1, 5, 2, 6, 3, 7), vi_load(x));
    vi low = _mm512_permutex2var_epi8(w->low[0], codes, w->low[1]);
    vi high = _mm512_permutex2var_epi8(w->high[0], codes, w->high[1]);
    high = _mm512_xor_si512(high, vi_and(codes, vi_set(0x80808080u)));
    vec_store_or_stream(y, _mm512_unpacklo_epi8(low, high), stream);
    vec_store_or_stream(y + 64, _mm512_unpackhi_epi8(low, high), stream);
}
#else
typedef struct widening {
    vf scale;
} widening;

VEC_INLINE widening widening_of(om_dtype from, float scale)
{
    (void)from;
    return (widening){vf_set(scale)};
}

VEC_INLINE void widen_block(om_dtype from, const char *x, char *y, const widening *w, int stream)
{
    for (int part = 0; part < 2; part++) {
        vf out[4];
        for (int u = 0; u < 2; u++)
            out[u] = vf_mul(vf_load_as(from, x + (2 * part + u) * LANES), w->scale);
        vec_store_or_stream(y + part * 4 * LANES, vf_pack_as(OM_BF16, out), stream);
    }
}
#endif

VEC_INLINE void widen_some(om_dtype from, const char *x, char *y, int64_t count, float scale)
{
    for (int64_t i = 0; i < count; i += LANES)
        vf_store_some_as(OM_BF16, y + 2 * i,
                         vf_mul(vf_load_some_as(from, x + i, count - i), vf_set(scale)), count - i);
}

VEC_INLINE uint32_t widen_run(om_dtype from, const char *x, char *y, int64_t count, float scale,
                              int stream)
{
    int64_t i = stream ? vec_head(OM_BF16, y, count) : 0;
    widen_some(from, x, y, i, scale);
    if (count - i >= 16 * BLOCK) { /* what the table costs */
        const widening w = widening_of(from, scale);
        const int64_t part = (count - i) / (STREAMS * BLOCK) * BLOCK;
        for (int64_t j = i; j < i + part; j += BLOCK)
            for (int64_t s = 0; s < STREAMS; s++) {
                int64_t at = j + s * part;
                prefetch_block(x + at, BLOCK);
                widen_block(from, x + at, y + 2 * at, &w, stream);
            }
        for (i += STREAMS * part; i + BLOCK <= count; i += BLOCK)
            widen_block(from, x + i, y + 2 * i, &w, stream);
    }
    widen_some(from, x + i, y + 2 * i, count - i, scale);
    if (stream)
        vec_fence();
    return 0;
}

#define QUANTISE(NAME, TO)                                                                         \
    static uint32_t NAME(const void *x, void *y, int64_t count, float scale, int stream)           \
    {                                                                                              \
        return stream ? quantise_run(TO, x, y, count, scale, 1)                                    \
                      : quantise_run(TO, x, y, count, scale, 0);                                   \
    }
#define WIDEN(NAME, FROM)                                                                          \
    static uint32_t NAME(const void *x, void *y, int64_t count, float scale, int stream)           \
    {                                                                                              \
        return stream ? widen_run(FROM, x, y, count, scale, 1)                                     \
                      : widen_run(FROM, x, y, count, scale, 0);                                    \
    }
QUANTISE(to_e4m3, OM_E4M3)
QUANTISE(to_e5m2, OM_E5M2)
WIDEN(from_e4m3, OM_E4M3)
WIDEN(from_e5m2, OM_E5M2)

/* ---- the largest magnitude ---- */

static uint32_t amax_run(const void *x, int64_t count)
{
    const char *from = x;
    const int64_t part = count / (STREAMS * 2 * LANES) * 2 * LANES;
    const vi positive = vi_set(0x7fff7fff);
    vi most[STREAMS] = {vi_set(0), vi_set(0), vi_set(0), vi_set(0)};
    for (int64_t j = 0; j < part; j += 2 * LANES)
        for (int64_t s = 0; s < STREAMS; s++) {
            const char *words = from + 2 * (j + s * part);
            __builtin_prefetch(words + AHEAD_BYTES);
            most[s] = vi_max16(most[s], vi_and(vi_load(words), positive));
        }
    for (int64_t i = STREAMS * part; i < count; i += LANES) {
        vf v = vf_load_some_as(OM_BF16, from + 2 * i, count - i);
        most[0] = vi_max16(most[0], vi_and(vi_shr(vf_bits(v), 16), positive));
    }
    return largest_half(vi_max16(vi_max16(most[0], most[1]), vi_max16(most[2], most[3])));
}

#define CAST_LEVEL                                                                                 \
    {                                                                                              \
        .quantise = {[OM_E4M3] = to_e4m3, [OM_E5M2] = to_e5m2},                                    \
        .widen = {[OM_E4M3] = from_e4m3, [OM_E5M2] = from_e5m2}, .amax = amax_run,                 \
    }
