/* SPDX-License-Identifier: Apache-2.0 */
/* norm_rows_body.h: the row functions of the norms, written once for every level.
 *
 * A row stays in the first-level cache between its two passes. Sums run in four chains of vectors.
 */
#include "kernels/cpu/norm_rows.h"
#include "kernels/cpu/vec.h"

VEC_INLINE float sum_of_squares(om_dtype dtype, const char *x, int64_t h)
{
    vf sum[4] = {vf_zero(), vf_zero(), vf_zero(), vf_zero()};
    int64_t j = 0;
    for (; j + 4 * LANES <= h; j += 4 * LANES)
        for (int u = 0; u < 4; u++) {
            vf v = vf_load_as(dtype, x + vec_bytes(dtype, j + u * LANES));
            sum[u] = vf_madd(v, v, sum[u]);
        }
    for (; j < h; j += LANES) {
        vf v = vf_load_some_as(dtype, x + vec_bytes(dtype, j), h - j);
        sum[0] = vf_madd(v, v, sum[0]);
    }
    return vf_sum(vf_add(vf_add(sum[0], sum[1]), vf_add(sum[2], sum[3])));
}

/* `count` elements of y by ordinary stores. */
VEC_INLINE void scale_some(om_dtype dtype, const char *x, const char *gamma, char *y, int64_t count,
                           vf rstd)
{
    for (int64_t j = 0; j < count; j += LANES) {
        vf v = vf_load_some_as(dtype, x + vec_bytes(dtype, j), count - j);
        vf g = vf_load_some_as(dtype, gamma + vec_bytes(dtype, j), count - j);
        vf_store_some_as(dtype, y + vec_bytes(dtype, j), vf_mul(vf_mul(v, rstd), g), count - j);
    }
}

VEC_INLINE void scale_row(om_dtype dtype, const char *x, const char *gamma, char *y, int64_t h,
                          vf rstd, int stream)
{
    const int block = vec_elements(dtype);
    int64_t j = stream ? vec_head(dtype, y, h) : 0;
    scale_some(dtype, x, gamma, y, j, rstd);
    for (; j + block <= h; j += block) {
        vf out[4];
        for (int u = 0; u < block / LANES; u++) {
            vf v = vf_load_as(dtype, x + vec_bytes(dtype, j + u * LANES));
            vf g = vf_load_as(dtype, gamma + vec_bytes(dtype, j + u * LANES));
            out[u] = vf_mul(vf_mul(v, rstd), g);
        }
        vi packed = vf_pack_as(dtype, out);
        if (stream)
            vi_stream(y + vec_bytes(dtype, j), packed);
        else
            vi_store(y + vec_bytes(dtype, j), packed);
    }
    scale_some(dtype, x + vec_bytes(dtype, j), gamma + vec_bytes(dtype, j), y + vec_bytes(dtype, j),
               h - j, rstd);
}

VEC_INLINE void rmsnorm_rows(om_dtype dtype, const char *x, const char *gamma, char *y, float *rstd,
                             int64_t rows, int64_t h, double eps, int stream)
{
    const int64_t bytes = vec_bytes(dtype, h);
    for (int64_t r = 0; r < rows; r++, x += bytes, y += bytes) {
        double mean = h > 0 ? (double)sum_of_squares(dtype, x, h) / (double)h : 0;
        rstd[r] = (float)(1 / sqrt(mean + eps));
        if (stream)
            scale_row(dtype, x, gamma, y, h, vf_set(rstd[r]), 1);
        else
            scale_row(dtype, x, gamma, y, h, vf_set(rstd[r]), 0);
    }
    if (stream)
        vec_fence();
}

#define RMSNORM(NAME, DTYPE)                                                                       \
    static void rmsnorm_##NAME(const void *x, const void *gamma, void *y, float *rstd,             \
                               int64_t rows, int64_t h, double eps, int stream)                    \
    {                                                                                              \
        rmsnorm_rows(DTYPE, x, gamma, y, rstd, rows, h, eps, stream);                              \
    }
RMSNORM(f32, OM_F32)
RMSNORM(bf16, OM_BF16)
RMSNORM(f16, OM_F16)

#define NORM_LEVEL                                                                                 \
    {                                                                                              \
        .rmsnorm = { [OM_F32] = rmsnorm_f32, [OM_BF16] = rmsnorm_bf16, [OM_F16] = rmsnorm_f16 }    \
    }
