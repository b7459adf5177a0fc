/* SPDX-License-Identifier: Apache-2.0 */
/* gemm_dot_avx512bf16.c: dot products of few rows of bf16 with rows of B in bf16 or e4m3, two k at
 * a time.
 *
 * Denormals of B, which the instruction takes as zero, are looked for in the same pass; the rare
 * group that holds one is multiplied again in f32.
 */
#include "kernels/cpu/gemm_core.h"
#include "kernels/cpu/pairs512.h"

/* One element in f32. */
static float dot_one(const char *a, const char *b, int64_t k)
{
    vf sum = vf_zero();
    for (int64_t i = 0; i < k; i += LANES)
        sum = vf_madd(vf_load_some_as(OM_BF16, a + i * 2, k - i),
                      vf_load_some_as(OM_BF16, b + i * 2, k - i), sum);
    return vf_sum(sum);
}

/* 32 values of B from p as pairs; the first `count`. */
VEC_INLINE vi load_pairs(om_dtype dtype, const char *p, int64_t count)
{
    const __mmask32 mask = count >= 32 ? 0xffffffffu : (1u << count) - 1;
    if (dtype == OM_BF16)
        return _mm512_maskz_loadu_epi16(mask, p);
    return halves_from_e4m3(_mm512_cvtepu8_epi16(_mm256_maskz_loadu_epi8(mask, p)));
}

VEC_INLINE void dot_pairs(om_dtype dtype, int m, int n, const char *const *a, const char *b,
                          int64_t b_stride, int64_t k, float *sums, int64_t stride)
{
    vf sum[8][8];
    watch seen = watch_begin();
#pragma GCC unroll 8
    for (int r = 0; r < m; r++)
#pragma GCC unroll 8
        for (int c = 0; c < n; c++)
            sum[r][c] = vf_zero();
    for (int64_t i = 0; i < k; i += 32) {
        vi y[8];
        const int64_t left = k - i;
#pragma GCC unroll 8
        for (int c = 0; c < n; c++) {
            const char *p = b + c * b_stride + vec_bytes(dtype, i);
            __builtin_prefetch(p + n * b_stride);
            y[c] = load_pairs(dtype, p, left);
            if (dtype == OM_BF16)
                watch_words(&seen, y[c]);
        }
#pragma GCC unroll 8
        for (int r = 0; r < m; r++) {
            vi x = left >= 32 ? vi_load(a[r] + i * 2) : load_pairs(OM_BF16, a[r] + i * 2, left);
#pragma GCC unroll 8
            for (int c = 0; c < n; c++)
                sum[r][c] = _mm512_dpbf16_ps(sum[r][c], (__m512bh)x, (__m512bh)y[c]);
        }
    }
#pragma GCC unroll 8
    for (int r = 0; r < m; r++)
#pragma GCC unroll 8
        for (int c = 0; c < n; c++)
            sums[r * stride + c] = vf_sum(sum[r][c]);
    if (dtype == OM_BF16 && watch_end(&seen))
#pragma GCC unroll 8
        for (int c = 0; c < n; c++) {
            watch one = watch_begin();
            const char *p = b + c * b_stride;
            for (int64_t i = 0; i < k; i += 32)
                watch_words(&one, load_pairs(dtype, p + i * 2, k - i));
            for (int r = 0; r < m && watch_end(&one); r++)
                sums[r * stride + c] = dot_one(a[r], p, k);
        }
}

#define PAIRS(DTYPE, M, N)                                                                         \
    dot_pairs(DTYPE, M, N, a + r, (const char *)b->data + vec_bytes(DTYPE, (row + c) * b->stride), \
              vec_bytes(DTYPE, b->stride), k, sums + r * stride + c, stride)

#define COLUMNS(DTYPE, M, N)                                                                       \
    do {                                                                                           \
        int64_t c = 0;                                                                             \
        for (; c + (N) <= columns; c += (N))                                                       \
            PAIRS(DTYPE, M, N);                                                                    \
        for (; c < columns; c++)                                                                   \
            PAIRS(DTYPE, M, 1);                                                                    \
    } while (0)

#define DOT(NAME, DTYPE)                                                                           \
    int om__gemm_dot_pairs_##NAME(const char *const *a, int64_t rows, const om__gemm_operand *b,   \
                                  int64_t row, int64_t columns, int64_t k, float *sums,            \
                                  int64_t stride)                                                  \
    {                                                                                              \
        int64_t r = 0;                                                                             \
        for (; r + 8 <= rows; r += 8)                                                              \
            COLUMNS(DTYPE, 8, 3);                                                                  \
        for (; r + 4 <= rows; r += 4)                                                              \
            COLUMNS(DTYPE, 4, 5);                                                                  \
        if (rows - r == 3)                                                                         \
            COLUMNS(DTYPE, 3, 6);                                                                  \
        else if (rows - r == 2)                                                                    \
            COLUMNS(DTYPE, 2, 8);                                                                  \
        else if (rows - r == 1)                                                                    \
            COLUMNS(DTYPE, 1, 8);                                                                  \
        return 0;                                                                                  \
    }
DOT(bf16, OM_BF16)
DOT(e4m3, OM_E4M3)

int om__gemm_dot_pairs_wide(const char *const *a, int64_t rows, const om__gemm_operand *b,
                            int64_t row, int64_t columns, int64_t k, float *sums, int64_t stride)
{
    for (int64_t r = 0; r < rows; r++)
        for (int64_t c = 0; c < columns; c++)
            sums[r * stride + c] =
                dot_one(a[r], (const char *)b->data + (row + c) * b->stride * 2, k);
    return 0;
}
