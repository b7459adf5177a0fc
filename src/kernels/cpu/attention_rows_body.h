/* SPDX-License-Identifier: Apache-2.0 */
/* attention_rows_body.h: the row functions of attention, written once for every level. */
#include "kernels/cpu/attention_rows.h"
#include "kernels/cpu/vec_math.h"

static float soften(float *scores, int64_t valid, int64_t count, float scale, float *top,
                    float *sum, uint16_t *narrow)
{
    const vf by = vf_set(scale);
    vf most = vf_set(-INFINITY);
    for (int64_t j = valid; j < count; j++)
        scores[j] = -INFINITY;
    for (int64_t j = 0; j < count; j += LANES) {
        vf s = vf_mul(vf_load(scores + j), by);
        /* scale may be negative or 0: what is not seen stays out by its place */
        if (j + LANES > valid) {
            float lanes[LANES];
            vf_store(lanes, s);
            for (int i = 0; i < LANES; i++)
                if (j + i >= valid)
                    lanes[i] = -INFINITY;
            s = vf_load(lanes);
        }
        vf_store(scores + j, s);
        most = vf_max(s, most);
    }
    float raised = vf_max_lane(most), before = *top;
    raised = raised > before ? raised : before;
    const vf shift = vf_set(raised == -INFINITY ? 0 : raised);
    vf total = vf_zero();
    for (int64_t j = 0; j < count; j += LANES) {
        vf p = vf_exp(vf_sub(vf_load(scores + j), shift));
        total = vf_add(total, p);
        if (narrow != NULL)
            vf_to_bf16(narrow + j, p);
        else
            vf_store(scores + j, p);
    }
    float factor = before == -INFINITY ? 0 : before == raised ? 1 : expf(before - raised);
    *sum = *sum * factor + vf_sum(total);
    *top = raised;
    return factor;
}

static void multiply(float *row, int64_t d, float factor)
{
    const vf by = vf_set(factor);
    for (int64_t j = 0; j < d; j += LANES)
        vf_store(row + j, vf_mul(vf_load(row + j), by));
}

#define FINISH(NAME, DTYPE)                                                                        \
    static void finish_##NAME(const float *row, int64_t d, float factor, void *to)                 \
    {                                                                                              \
        for (int64_t j = 0; j < d; j += LANES)                                                     \
            vf_store_some_as(DTYPE, (char *)to + vec_bytes(DTYPE, j),                              \
                             vf_mul(vf_load(row + j), vf_set(factor)), d - j);                     \
    }                                                                                              \
    static float dot_##NAME(const void *x, const void *y, int64_t d)                               \
    {                                                                                              \
        vf sum = vf_zero();                                                                        \
        for (int64_t j = 0; j < d; j += LANES) {                                                   \
            float xs[LANES], ys[LANES];                                                            \
            vf_store(xs, vf_load_some_as(DTYPE, (const char *)x + vec_bytes(DTYPE, j), d - j));    \
            vf_store(ys, vf_load_some_as(DTYPE, (const char *)y + vec_bytes(DTYPE, j), d - j));    \
            for (int64_t i = 0; i < LANES && j + i < d; i++)                                       \
                sum = vf_madd(vf_set(xs[i]), vf_set(ys[i]), sum);                                  \
        }                                                                                          \
        float lanes[LANES];                                                                        \
        vf_store(lanes, sum);                                                                      \
        return lanes[0];                                                                           \
    }
FINISH(f32, OM_F32)
FINISH(bf16, OM_BF16)
FINISH(f16, OM_F16)

static void differentiate(float *scores, float *dp, int64_t valid, int64_t count, float scale,
                          float lse, float delta)
{
    for (int64_t j = 0; j < count; j += LANES) {
        vf p = vf_exp(vf_sub(vf_mul(vf_load(scores + j), vf_set(scale)), vf_set(lse)));
        vf ds = vf_mul(vf_mul(p, vf_sub(vf_load(dp + j), vf_set(delta))), vf_set(scale));
        if (j + LANES > valid) {
            int64_t left = valid > j ? valid - j : 0;
            float some[LANES];
            vf_store(some, p);
            p = vf_load_part_as(OM_F32, some, left);
            vf_store(some, ds);
            ds = vf_load_part_as(OM_F32, some, left);
        }
        vf_store(scores + j, p);
        vf_store(dp + j, ds);
    }
}

static void turn(const float *from, int64_t from_stride, int64_t rows, int64_t columns, float *to,
                 int64_t to_stride)
{
    for (int64_t r = 0; r < rows; r += LANES)
        for (int64_t c = 0; c < columns; c += LANES) {
            vi square[LANES];
            for (int i = 0; i < LANES; i++)
                square[i] = vi_load(from + (r + i) * from_stride + c);
            vi_transpose(square);
            for (int i = 0; i < LANES; i++)
                vi_store(to + (c + i) * to_stride + r, square[i]);
        }
}

static void score(const float *products, int64_t rows, const float *weights, float *sums)
{
    for (int64_t c = 0; c < 64; c += LANES) {
        vf sum = vf_load(sums + c);
        for (int64_t r = 0; r < rows; r++) {
            vf x = vf_max(vf_zero(), vf_load(products + r * 64 + c)); /* a NaN stays */
            sum = vf_madd(vf_set(weights[r]), x, sum);
        }
        vf_store(sums + c, sum);
    }
}

static void fill(float *to, int64_t count, float value)
{
    int64_t i = vec_head(OM_F32, to, count);
    for (int64_t j = 0; j < i; j++)
        to[j] = value;
    for (; i + LANES <= count; i += LANES)
        vf_store(to + i, vf_set(value));
    for (; i < count; i++)
        to[i] = value;
}

#define ATTENTION_LEVEL                                                                            \
    {                                                                                              \
        .soften = soften, .multiply = multiply,                                                    \
        .finish = {[OM_F32] = finish_f32, [OM_BF16] = finish_bf16, [OM_F16] = finish_f16},         \
        .differentiate = differentiate,                                                            \
        .dot = {[OM_F32] = dot_f32, [OM_BF16] = dot_bf16, [OM_F16] = dot_f16}, .turn = turn,       \
        .score = score, .fill = fill,                                                              \
    }
