/* SPDX-License-Identifier: Apache-2.0 */
/* moe_rows_body.h: routing of tokens and sums of rows, written once for every level.
 *
 * Choosing works on integer keys that order like the logits: 0 has been taken or was never there, 1
 * is a NaN. The largest key, then the first place that holds it, K times.
 */
#include "kernels/cpu/moe_rows.h"
#include "kernels/cpu/vec_math.h"

VEC_INLINE vi order_keys(vf x)
{
    vi bits = vf_bits(vf_add(x, vf_zero())); /* −0 becomes 0 */
    vi positive = vi_or(bits, vi_set(0x80000000u));
    vi negative = vi_sub(vi_set(0xffffffffu), bits);
    vi key = vi_where_gt(bits, vi_set(0x7fffffff), negative, positive);
    vi magnitude = vi_and(bits, vi_set(0x7fffffff));
    return vi_where_gt(magnitude, vi_set(0x7f800000), vi_set(1), key);
}

/* Scores into `score` and keys into `key`; both padded to whole vectors, keys with 0. */
VEC_INLINE void score_token(om_dtype dtype, const om__routing *r, const char *gating, float *score,
                            uint32_t *key)
{
    const int64_t e = r->e;
    if (r->score == OM_MOE_SOFTMAX) {
        vf top = vf_set(-INFINITY), sum = vf_zero();
        for (int64_t i = 0; i < e; i += LANES) {
            vf x = vf_load_some_as(dtype, gating + vec_bytes(dtype, i), e - i);
            vf_store(score + i, x);
            vi_store(key + i, order_keys(x));
        }
        for (int64_t i = e; i % LANES != 0; i++) {
            score[i] = -INFINITY;
            key[i] = 0;
        }
        for (int64_t i = 0; i < e; i += LANES)
            top = vf_max(vf_load(score + i), top);
        float most = -INFINITY, lanes[LANES];
        vf_store(lanes, top);
        for (int i = 0; i < LANES; i++)
            most = lanes[i] > most ? lanes[i] : most;
        for (int64_t i = 0; i < e; i += LANES) {
            vf x = vf_exp(vf_sub(vf_load(score + i), vf_set(most)));
            vf_store(score + i, x);
        }
        for (int64_t i = e; i % LANES != 0; i++)
            score[i] = 0; /* −∞ − −∞ is no number */
        for (int64_t i = 0; i < e; i += LANES)
            sum = vf_add(sum, vf_load(score + i));
        vf by = vf_set(1 / vf_sum(sum));
        for (int64_t i = 0; i < e; i += LANES)
            vf_store(score + i, vf_mul(vf_load(score + i), by));
        return;
    }
    for (int64_t i = 0; i < e; i += LANES) {
        vf x = vf_load_some_as(dtype, gating + vec_bytes(dtype, i), e - i);
        vf s = vf_sigmoid(x);
        vf_store(score + i, s);
        if (r->bias != NULL)
            x = vf_add(s, vf_load_some_as(OM_F32, r->bias + i, e - i));
        vi_store(key + i, order_keys(x));
    }
    for (int64_t i = e; i % LANES != 0; i++)
        key[i] = 0;
}

/* The place of the largest key, the first of equals. */
VEC_INLINE int64_t first_largest(const uint32_t *key, int64_t e)
{
    vi most = vi_load(key);
    for (int64_t i = LANES; i < e; i += LANES)
        most = vi_max(most, vi_load(key + i));
    uint32_t largest = vi_max_lane(most);
    for (int64_t i = 0;; i++)
        if (key[i] == largest)
            return i;
}

VEC_INLINE void route_tokens(om_dtype dtype, const om__routing *r, int64_t first, int64_t last,
                             float *scratch)
{
    float *score = scratch;
    uint32_t *key = (uint32_t *)(void *)(scratch + (r->e + 15) / 16 * 16);
    for (int64_t t = first; t < last; t++) {
        float *weights = r->weights + t * r->k;
        int32_t *ids = r->ids + t * r->k;
        double sum = 0;
        score_token(dtype, r, (const char *)r->gating + vec_bytes(dtype, t * r->e), score, key);
        for (int64_t j = 0; j < r->k; j++) {
            int64_t id = first_largest(key, r->e);
            key[id] = 0;
            ids[j] = (int32_t)id;
            weights[j] = score[id];
            sum += (double)score[id];
        }
        double scale = (r->renormalize && sum != 0 ? 1 / sum : 1) * (double)r->factor;
        for (int64_t j = 0; j < r->k; j++)
            weights[j] = (float)((double)weights[j] * scale);
    }
}

VEC_INLINE void sum_rows(om_dtype from, om_dtype dtype, const char *rows, int64_t h,
                         const int32_t *index, const float *weights, int64_t k, char *to)
{
    int64_t c = 0;
    for (; c + 4 * LANES <= h; c += 4 * LANES) {
        vf sum[4] = {vf_zero(), vf_zero(), vf_zero(), vf_zero()};
        for (int64_t j = 0; j < k; j++) {
            if (index[j] < 0)
                continue;
            const char *row = rows + vec_bytes(from, index[j] * h + c);
            vf w = vf_set(weights[j]);
            for (int u = 0; u < 4; u++)
                sum[u] = vf_madd(w, vf_load_as(from, row + vec_bytes(from, u * LANES)), sum[u]);
        }
        for (int u = 0; u < 4; u++)
            vf_store_as(dtype, to + vec_bytes(dtype, c + u * LANES), sum[u]);
    }
    for (; c < h; c += LANES) {
        vf sum = vf_zero();
        for (int64_t j = 0; j < k; j++)
            if (index[j] >= 0)
                sum = vf_madd(
                    vf_set(weights[j]),
                    vf_load_some_as(from, rows + vec_bytes(from, index[j] * h + c), h - c), sum);
        vf_store_some_as(dtype, to + vec_bytes(dtype, c), sum, h - c);
    }
}

static void copy_bytes(void *to, const void *from, int64_t bytes, int stream)
{
    char *out = to;
    const char *in = from;
    if (!stream) {
        memcpy(out, in, (size_t)bytes);
        return;
    }
    int64_t head = (int64_t)(-(uintptr_t)out % (LANES * 4));
    head = head < bytes ? head : bytes;
    memcpy(out, in, (size_t)head);
    int64_t i = head;
    for (; i + LANES * 4 <= bytes; i += LANES * 4)
        vi_stream(out + i, vi_load(in + i));
    memcpy(out + i, in + i, (size_t)(bytes - i));
}

static void fence(void)
{
    vec_fence();
}

#define MOE(NAME, DTYPE)                                                                           \
    static void route_##NAME(const om__routing *routing, int64_t first, int64_t last,              \
                             float *scratch)                                                       \
    {                                                                                              \
        route_tokens(DTYPE, routing, first, last, scratch);                                        \
    }                                                                                              \
    static void sum_rows_##NAME(const void *rows, int64_t h, const int32_t *index, const float *w, \
                                int64_t k, void *to)                                               \
    {                                                                                              \
        sum_rows(DTYPE, DTYPE, rows, h, index, w, k, to);                                          \
    }                                                                                              \
    static void sum_wide_rows_##NAME(const void *rows, int64_t h, const int32_t *index,            \
                                     const float *w, int64_t k, void *to)                          \
    {                                                                                              \
        sum_rows(OM_F32, DTYPE, rows, h, index, w, k, to);                                         \
    }
MOE(f32, OM_F32)
MOE(bf16, OM_BF16)
MOE(f16, OM_F16)

#define MOE_LEVEL                                                                                  \
    {                                                                                              \
        .route = {[OM_F32] = route_f32, [OM_BF16] = route_bf16, [OM_F16] = route_f16},             \
        .sum_rows = {[OM_F32] = sum_rows_f32, [OM_BF16] = sum_rows_bf16, [OM_F16] = sum_rows_f16}, \
        .sum_wide_rows = {[OM_F32] = sum_wide_rows_f32,                                            \
                          [OM_BF16] = sum_wide_rows_bf16,                                          \
                          [OM_F16] = sum_wide_rows_f16},                                           \
        .copy = copy_bytes, .fence = fence,                                                        \
    }
