/* SPDX-License-Identifier: Apache-2.0 */
/* norm_rows_body.h: the row functions of the norms, written once for every level.
 *
 * A row stays in the first-level cache between its passes. Sums run in four chains of vectors. The
 * flag `mean` of a function is a constant at its calls: layer norm where 1, RMS norm where 0.
 */
#include "kernels/cpu/norm_rows.h"
#include "kernels/cpu/vec.h"

#define AT(p, i) ((const char *)(p) + vec_bytes(dtype, i))

VEC_INLINE float sum_row(om_dtype dtype, const void *x, int64_t h)
{
    vf sum[4] = {vf_zero(), vf_zero(), vf_zero(), vf_zero()};
    int64_t j = 0;
    for (; j + 4 * LANES <= h; j += 4 * LANES)
        for (int u = 0; u < 4; u++)
            sum[u] = vf_add(sum[u], vf_load_as(dtype, AT(x, j + u * LANES)));
    for (; j < h; j += LANES)
        sum[0] = vf_add(sum[0], vf_load_some_as(dtype, AT(x, j), h - j));
    return vf_sum(vf_add(vf_add(sum[0], sum[1]), vf_add(sum[2], sum[3])));
}

/* Sum of (x − shift)². */
VEC_INLINE float sum_squares(om_dtype dtype, const void *x, int64_t h, float shift)
{
    const vf by = vf_set(shift);
    vf sum[4] = {vf_zero(), vf_zero(), vf_zero(), vf_zero()};
    int64_t j = 0;
    for (; j + 4 * LANES <= h; j += 4 * LANES)
        for (int u = 0; u < 4; u++) {
            vf v = vf_sub(vf_load_as(dtype, AT(x, j + u * LANES)), by);
            sum[u] = vf_madd(v, v, sum[u]);
        }
    float most = vf_sum(vf_add(vf_add(sum[0], sum[1]), vf_add(sum[2], sum[3])));
    sum[0] = vf_zero();
    for (; j + LANES <= h; j += LANES) {
        vf v = vf_sub(vf_load_as(dtype, AT(x, j)), by);
        sum[0] = vf_madd(v, v, sum[0]);
    }
    float rest = vf_sum(sum[0]);
    if (j < h) {
        float last[LANES];
        vf_store(last, vf_load_part_as(dtype, AT(x, j), h - j));
        for (int64_t i = 0; i < h - j; i++)
            rest += (last[i] - shift) * (last[i] - shift);
    }
    return most + rest;
}

/* What stands between x and y. */
typedef struct scaling {
    vf mean, rstd;
} scaling;

VEC_INLINE vf scale_vector(int mean, vf x, vf gamma, vf beta, scaling by)
{
    if (!mean)
        return vf_mul(vf_mul(x, by.rstd), gamma);
    return vf_madd(vf_mul(vf_sub(x, by.mean), by.rstd), gamma, beta);
}

/* `count` elements of y from `first` on by ordinary stores. */
VEC_INLINE void scale_some(om_dtype dtype, int mean, const om__norm_rows *n, const char *x, char *y,
                           int64_t first, int64_t count, scaling by)
{
    for (int64_t j = 0; j < count; j += LANES) {
        int64_t at = first + j, left = count - j;
        vf v = vf_load_some_as(dtype, AT(x, at), left);
        vf g = vf_load_some_as(dtype, AT(n->gamma, at), left);
        vf b = mean ? vf_load_some_as(dtype, AT(n->beta, at), left) : vf_zero();
        vf_store_some_as(dtype, y + vec_bytes(dtype, at), scale_vector(mean, v, g, b, by), left);
    }
}

VEC_INLINE void scale_row(om_dtype dtype, int mean, const om__norm_rows *n, const char *x, char *y,
                          scaling by, int stream)
{
    const int block = vec_elements(dtype);
    int64_t j = stream ? vec_head(dtype, y, n->h) : 0;
    scale_some(dtype, mean, n, x, y, 0, j, by);
    for (; j + block <= n->h; j += block) {
        vf out[4];
        __builtin_prefetch(AT(x, n->h + j)); /* the next row, while this one is computed */
        for (int u = 0; u < block / LANES; u++) {
            vf v = vf_load_as(dtype, AT(x, j + u * LANES));
            vf g = vf_load_as(dtype, AT(n->gamma, j + u * LANES));
            vf b = mean ? vf_load_as(dtype, AT(n->beta, j + u * LANES)) : vf_zero();
            out[u] = scale_vector(mean, v, g, b, by);
        }
        vi packed = vf_pack_as(dtype, out);
        if (stream)
            vi_stream(y + vec_bytes(dtype, j), packed);
        else
            vi_store(y + vec_bytes(dtype, j), packed);
    }
    scale_some(dtype, mean, n, x, y, j, n->h - j, by);
}

VEC_INLINE void norm_rows(om_dtype dtype, int mean, const om__norm_rows *n)
{
    const double h = (double)(n->h > 0 ? n->h : 1);
    for (int64_t r = 0; r < n->rows; r++) {
        const char *x = AT(n->x, r * n->h);
        char *y = (char *)n->y + vec_bytes(dtype, r * n->h);
        float middle = mean ? (float)((double)sum_row(dtype, x, n->h) / h) : 0;
        double square = (double)sum_squares(dtype, x, n->h, middle) / h;
        n->rstd[r] = (float)(1 / sqrt(square + n->eps));
        if (mean)
            n->mean[r] = middle;
        scaling by = {vf_set(middle), vf_set(n->rstd[r])};
        if (n->stream)
            scale_row(dtype, mean, n, x, y, by, 1);
        else
            scale_row(dtype, mean, n, x, y, by, 0);
    }
    if (n->stream)
        vec_fence();
}

/* c = grad_y · gamma and xh of one vector. */
VEC_INLINE void load_pair(om_dtype dtype, int mean, const om__norm_rows *n, const char *x,
                          const char *gy, int64_t j, scaling by, vf *dy, vf *c, vf *xh)
{
    int64_t left = n->h - j;
    *dy = vf_load_some_as(dtype, AT(gy, j), left);
    *c = vf_mul(*dy, vf_load_some_as(dtype, AT(n->gamma, j), left));
    vf v = vf_load_some_as(dtype, AT(x, j), left);
    *xh = vf_mul(mean ? vf_sub(v, by.mean) : v, by.rstd);
}

VEC_INLINE void norm_rows_backward(om_dtype dtype, int mean, const om__norm_rows *n)
{
    const int64_t h = n->h;
    memset(n->grad_gamma, 0, (size_t)h * sizeof(float));
    if (mean)
        memset(n->grad_beta, 0, (size_t)h * sizeof(float));
    for (int64_t r = 0; r < n->rows; r++) {
        const char *x = AT(n->x, r * h), *gy = AT(n->grad_y, r * h);
        char *gx = (char *)n->grad_x + vec_bytes(dtype, r * h);
        scaling by = {vf_set(mean ? n->mean[r] : 0), vf_set(n->rstd[r])};
        vf of_c[2] = {vf_zero(), vf_zero()}, of_cx[2] = {vf_zero(), vf_zero()}, dy, c, xh;
        for (int64_t j = 0, u = 0; j < h; j += LANES, u ^= 1) {
            load_pair(dtype, mean, n, x, gy, j, by, &dy, &c, &xh);
            of_cx[u] = vf_madd(c, xh, of_cx[u]);
            if (mean)
                of_c[u] = vf_add(of_c[u], c);
        }
        vf mean_cx = vf_set(vf_sum(vf_add(of_cx[0], of_cx[1])) / (float)h);
        vf mean_c = vf_set(mean ? vf_sum(vf_add(of_c[0], of_c[1])) / (float)h : 0);
        for (int64_t j = 0; j < h; j += LANES) {
            int64_t left = h - j;
            __builtin_prefetch(AT(x, h + j));
            __builtin_prefetch(AT(gy, h + j));
            load_pair(dtype, mean, n, x, gy, j, by, &dy, &c, &xh);
            vf inner = vf_sub(vf_sub(c, mean_c), vf_mul(xh, mean_cx));
            vf_store_some_as(dtype, gx + vec_bytes(dtype, j), vf_mul(by.rstd, inner), left);
            vf sum = vf_load_some_as(OM_F32, n->grad_gamma + j, left);
            vf_store_some_as(OM_F32, n->grad_gamma + j, vf_madd(dy, xh, sum), left);
            if (mean) {
                sum = vf_load_some_as(OM_F32, n->grad_beta + j, left);
                vf_store_some_as(OM_F32, n->grad_beta + j, vf_add(sum, dy), left);
            }
        }
    }
}

VEC_INLINE void sum_partials(om_dtype dtype, const float *partials, int64_t count, int64_t h,
                             int64_t first, int64_t last, char *to)
{
    for (int64_t j = first; j < last; j += LANES) {
        vf sum = vf_zero();
        for (int64_t p = 0; p < count; p++)
            sum = vf_add(sum, vf_load_some_as(OM_F32, partials + p * h + j, last - j));
        vf_store_some_as(dtype, to + vec_bytes(dtype, j), sum, last - j);
    }
}

VEC_INLINE void quantise_rows(om_dtype dtype, const char *x, int64_t rows, int64_t d, float *scale,
                              uint8_t *out)
{
    const vi positive = vi_set(0x7fffffff);
    for (int64_t r = 0; r < rows; r++, x += vec_bytes(dtype, d), out += d) {
        vi most = vi_set(0);
        for (int64_t j = 0; j < d; j += LANES)
            most = vi_max(most, vi_and(vf_bits(vf_load_some_as(dtype, AT(x, j), d - j)), positive));
        uint32_t bits = vi_max_lane(most);
        float amax;
        bits = bits > 0x7f800000 ? 0x7fc00000 : bits;
        memcpy(&amax, &bits, sizeof amax);
        scale[r] = (amax < 1e-4f ? 1e-4f : amax) / 448.0f;
        const vf by = vf_set(scale[r]);
        for (int64_t j = 0; j < d; j += LANES)
            vf_store_some_as(OM_E4M3, out + j, vf_div(vf_load_some_as(dtype, AT(x, j), d - j), by),
                             d - j);
    }
}

#define NORM(NAME, DTYPE)                                                                          \
    static void rmsnorm_##NAME(const om__norm_rows *rows)                                          \
    {                                                                                              \
        norm_rows(DTYPE, 0, rows);                                                                 \
    }                                                                                              \
    static void layernorm_##NAME(const om__norm_rows *rows)                                        \
    {                                                                                              \
        norm_rows(DTYPE, 1, rows);                                                                 \
    }                                                                                              \
    static void rmsnorm_backward_##NAME(const om__norm_rows *rows)                                 \
    {                                                                                              \
        norm_rows_backward(DTYPE, 0, rows);                                                        \
    }                                                                                              \
    static void layernorm_backward_##NAME(const om__norm_rows *rows)                               \
    {                                                                                              \
        norm_rows_backward(DTYPE, 1, rows);                                                        \
    }                                                                                              \
    static void sum_partials_##NAME(const float *partials, int64_t count, int64_t h,               \
                                    int64_t first, int64_t last, void *to)                         \
    {                                                                                              \
        sum_partials(DTYPE, partials, count, h, first, last, to);                                  \
    }                                                                                              \
    static void quantise_##NAME(const void *x, int64_t rows, int64_t d, float *scale, void *out)   \
    {                                                                                              \
        quantise_rows(DTYPE, x, rows, d, scale, out);                                              \
    }
NORM(f32, OM_F32)
NORM(bf16, OM_BF16)
NORM(f16, OM_F16)

#define NORM_TYPES(NAME)                                                                           \
    {                                                                                              \
        [OM_F32] = NAME##_f32, [OM_BF16] = NAME##_bf16, [OM_F16] = NAME##_f16                      \
    }
#define NORM_LEVEL                                                                                 \
    {                                                                                              \
        .rmsnorm = NORM_TYPES(rmsnorm), .rmsnorm_backward = NORM_TYPES(rmsnorm_backward),          \
        .layernorm = NORM_TYPES(layernorm), .layernorm_backward = NORM_TYPES(layernorm_backward),  \
        .sum_partials = NORM_TYPES(sum_partials), .quantise = NORM_TYPES(quantise),                \
    }
