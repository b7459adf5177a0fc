/* SPDX-License-Identifier: Apache-2.0 */
/* moe_rows_body.h: routing of tokens and sums of rows, written once for every level.
 *
 * Choosing works on integer keys that order like the logits: 0 has been taken or was never there, 1
 * is a NaN. The largest key, then the first place that holds it, K times: first among the largest
 * of groups of LANES, then in its group.
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

/* The keys of a token and, of each group of LANES of them, the largest; padded with 0. */
typedef struct key_groups {
    uint32_t *key, *most;
    int64_t count; /* groups */
} key_groups;

VEC_INLINE void find_groups(const key_groups *g)
{
    for (int64_t i = 0; i < g->count; i++)
        g->most[i] = vi_max_lane(vi_load(g->key + i * LANES));
    for (int64_t i = g->count; i % LANES != 0; i++)
        g->most[i] = 0;
}

/* x with `value` in one lane. A word stored and then loaded with its vector would be waited for. */
VEC_INLINE vi put_lane(vi x, int64_t lane, uint32_t value)
{
    static const uint32_t others[2 * LANES] = {[0 ... LANES - 2] = 0xffffffffu,
                                               [LANES... 2 * LANES - 1] = 0xffffffffu};
    vi keep = vi_load(others + LANES - 1 - lane);
    return vi_or(vi_and(x, keep), vi_and(vi_set(value), vi_sub(vi_set(0xffffffffu), keep)));
}

/* The place of the largest key, the first of equals; it is taken: the key becomes 0. */
VEC_INLINE int64_t take_largest(const key_groups *g)
{
    vi most = vi_load(g->most);
    for (int64_t i = LANES; i < g->count; i += LANES)
        most = vi_max(most, vi_load(g->most + i));
    const uint32_t largest = vi_max_lane(most);
    int64_t first = 0;
    uint32_t lanes;
    while ((lanes = vi_equal(vi_load(g->most + first), largest)) == 0)
        first += LANES;
    const int64_t in = __builtin_ctz(lanes), group = first + in;
    vi keys = vi_load(g->key + group * LANES);
    const int64_t lane = __builtin_ctz(vi_equal(keys, largest));
    keys = put_lane(keys, lane, 0);
    vi_store(g->key + group * LANES, keys);
    vi_store(g->most + first, put_lane(vi_load(g->most + first), in, vi_max_lane(keys)));
    return group * LANES + lane;
}

/* A choice waits for the one before it from end to end, so tokens take turns. */
VEC_INLINE void route_tokens(om_dtype dtype, const om__routing *r, int64_t first, int64_t last,
                             float *scratch)
{
    const int64_t padded = (r->e + 15) / 16 * 16;
    const float *score[OM__ROUTED_AT_ONCE];
    key_groups groups[OM__ROUTED_AT_ONCE];
    double sum[OM__ROUTED_AT_ONCE];
    for (int64_t t = first; t < last; t += OM__ROUTED_AT_ONCE) {
        const int64_t tokens = last - t < OM__ROUTED_AT_ONCE ? last - t : OM__ROUTED_AT_ONCE;
        int32_t *ids = r->ids + t * r->k;
        float *weights = r->weights + t * r->k;
        for (int64_t n = 0; n < tokens; n++) {
            float *scores = scratch + 3 * n * padded;
            uint32_t *key = (uint32_t *)(void *)(scores + padded);
            groups[n] = (key_groups){key, key + padded, (r->e + LANES - 1) / LANES};
            score[n] = scores;
            sum[n] = 0;
            score_token(dtype, r, (const char *)r->gating + vec_bytes(dtype, (t + n) * r->e),
                        scores, key);
            find_groups(&groups[n]);
        }
        for (int64_t j = 0; j < r->k; j++)
            for (int64_t n = 0; n < tokens; n++) {
                const int64_t id = take_largest(&groups[n]);
                ids[n * r->k + j] = (int32_t)id;
                weights[n * r->k + j] = score[n][id];
                sum[n] += (double)score[n][id];
            }
        for (int64_t n = 0; n < tokens; n++) {
            const double scale =
                (r->renormalize && sum[n] != 0 ? 1 / sum[n] : 1) * (double)r->factor;
            for (int64_t j = 0; j < r->k; j++)
                weights[n * r->k + j] = (float)((double)weights[n * r->k + j] * scale);
        }
    }
}

/* How far ahead the rows of a sum are asked for: they lie anywhere, so nobody else foresees them.
 */
#define AHEAD_BYTES 1024

enum { PAIR = 2 * LANES, MOST_ROWS = 16 };

/* The rows of a sum that are there. */
typedef struct row_list {
    const char *row[MOST_ROWS], *ahead[MOST_ROWS];
    float weight[MOST_ROWS];
    int64_t count;
} row_list;

/* Columns [first, last), whole blocks, of the sum of the rows; `ahead` is asked for meanwhile. */
VEC_INLINE void sum_columns(om_dtype dtype, const row_list *list, char *to, int64_t first,
                            int64_t last, int stream)
{
    for (int64_t c = first; c < last; c += 2 * PAIR) {
        const int64_t at = vec_bytes(dtype, c);
        vf sum[4] = {vf_zero(), vf_zero(), vf_zero(), vf_zero()};
        for (int64_t j = 0; j < list->count; j++) {
            const char *row = list->row[j] + at;
            const vf w = vf_set(list->weight[j]);
            vf x[4];
            for (int64_t line = 0; line < vec_bytes(dtype, 2 * PAIR); line += 64)
                __builtin_prefetch(list->ahead[j] + at + line);
            vec_pair_load(dtype, row, x);
            vec_pair_load(dtype, row + vec_bytes(dtype, PAIR), x + 2);
            for (int u = 0; u < 4; u++)
                sum[u] = vf_madd(w, x[u], sum[u]);
        }
        vec_pair_store(dtype, to + at, sum, stream);
        vec_pair_store(dtype, to + at + vec_bytes(dtype, PAIR), sum + 2, stream);
    }
}

/* Rows and sum of one type, whole blocks of columns; returns how many columns that were. */
VEC_INLINE int64_t sum_blocks(om_dtype dtype, const om__row_sum *s, int stream)
{
    const int64_t row = vec_bytes(dtype, s->h), whole = s->h / (2 * PAIR) * (2 * PAIR);
    const int64_t ahead = AHEAD_BYTES / vec_bytes(dtype, 1),
                  turn = whole > ahead ? whole - ahead : 0;
    row_list list = {.count = 0};
    if (s->k > MOST_ROWS)
        return 0;
    for (int64_t j = 0; j < s->k; j++) {
        if (s->index[j] < 0)
            continue;
        list.row[list.count] = (const char *)s->rows + s->index[j] * row;
        list.ahead[list.count] = list.row[list.count] + AHEAD_BYTES;
        list.weight[list.count++] = s->weights[j];
    }
    sum_columns(dtype, &list, s->to, 0, turn, stream);
    /* Behind the end of these rows begin the next ones. */
    int64_t n = 0;
    for (int64_t j = 0; j < s->k && s->next != NULL && n < list.count; j++)
        if (s->next[j] >= 0)
            list.ahead[n++] = (const char *)s->rows + s->next[j] * row - vec_bytes(dtype, turn);
    sum_columns(dtype, &list, s->to, turn, whole, stream);
    return whole;
}

VEC_INLINE int has_nan(const float *x, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (isnan(x[i]))
            return 1;
    return 0;
}

VEC_INLINE void sum_rows(om_dtype from, om_dtype dtype, const om__row_sum *s)
{
    const char *rows = s->rows;
    char *to = s->to;
    int64_t c = 0;
    if (from == dtype && !has_nan(s->weights, s->k)) { /* theirs may have bits that no bf16 has */
        const uintptr_t misfit = (uintptr_t)to | (uintptr_t)vec_bytes(dtype, s->h);
        c = s->stream && misfit % (4 * LANES) == 0 ? sum_blocks(dtype, s, 1)
                                                   : sum_blocks(dtype, s, 0);
    }
    for (; c + 4 * LANES <= s->h; c += 4 * LANES) {
        vf sum[4] = {vf_zero(), vf_zero(), vf_zero(), vf_zero()};
        for (int64_t j = 0; j < s->k; j++) {
            if (s->index[j] < 0)
                continue;
            const char *row = rows + vec_bytes(from, s->index[j] * s->h + c);
            vf w = vf_set(s->weights[j]);
            for (int u = 0; u < 4; u++)
                sum[u] = vf_madd(w, vf_load_as(from, row + vec_bytes(from, u * LANES)), sum[u]);
        }
        for (int u = 0; u < 4; u++)
            vf_store_as(dtype, to + vec_bytes(dtype, c + u * LANES), sum[u]);
    }
    for (; c < s->h; c += LANES) {
        const int64_t left = s->h - c;
        vf sum = vf_zero();
        for (int64_t j = 0; j < s->k; j++)
            if (s->index[j] >= 0)
                sum = vf_madd(
                    vf_set(s->weights[j]),
                    vf_load_some_as(from, rows + vec_bytes(from, s->index[j] * s->h + c), left),
                    sum);
        vf_store_some_as(dtype, to + vec_bytes(dtype, c), sum, left);
    }
}

/* Stores past the cache to `count` places in turn, a constant at most calls: to one place after the
 * other they would be a third slower. */
VEC_INLINE void spread_lines(char *const *to, int64_t count, const char *from, int64_t bytes)
{
    for (int64_t i = 0; i < bytes; i += LANES * 4) {
        const vi x = vi_load(from + i);
        __builtin_prefetch(from + bytes + i); /* most often the next row */
        for (int64_t c = 0; c < count; c++)
            vi_stream(to[c] + i, x);
    }
}

static void spread_bytes(char *const *to, int64_t count, const char *from, int64_t bytes,
                         int stream)
{
    uintptr_t misfit = (uintptr_t)bytes;
    for (int64_t c = 0; c < count; c++)
        misfit |= (uintptr_t)to[c];
    if (!stream || misfit % (LANES * 4) != 0) {
        for (int64_t c = 0; c < count; c++)
            memcpy(to[c], from, (size_t)bytes);
    } else if (count == 8) {
        spread_lines(to, 8, from, bytes);
    } else {
        spread_lines(to, count, from, bytes);
    }
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
    static void sum_rows_##NAME(const om__row_sum *sum)                                            \
    {                                                                                              \
        sum_rows(DTYPE, DTYPE, sum);                                                               \
    }                                                                                              \
    static void sum_wide_rows_##NAME(const om__row_sum *sum)                                       \
    {                                                                                              \
        sum_rows(OM_F32, DTYPE, sum);                                                              \
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
        .spread = spread_bytes, .fence = fence,                                                    \
    }
