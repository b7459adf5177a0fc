/* SPDX-License-Identifier: Apache-2.0 */
/* attention_rows.h: the row functions of attention, one table a level. */
#ifndef OM_KERNELS_CPU_ATTENTION_ROWS_H
#define OM_KERNELS_CPU_ATTENTION_ROWS_H

#include <stdint.h>

#include "opmark/dtype.h"

typedef struct om__attention_level {
    /* One row of scores: the first `valid` of `count` are seen. Makes them e^(scale·s − top), with
     * top raised to what is met, adds them to *sum (rescaled), and returns what the row of o must
     * be multiplied by. narrow: NULL, or where the values go as bf16 instead. */
    float (*soften)(float *scores, int64_t valid, int64_t count, float scale, float *top,
                    float *sum, uint16_t *narrow);
    void (*multiply)(float *row, int64_t d, float factor);
    void (*finish[OM_DTYPE_COUNT])(const float *row, int64_t d, float factor, void *to);
    /* p = e^(scale·s − lse) for the first `valid`, else 0; ds = p · (dp − delta) · scale, in place
     * of dp. */
    void (*differentiate)(float *scores, float *dp, int64_t valid, int64_t count, float scale,
                          float lse, float delta);
    /* In the order of the tiles, one k after another: where o is a row of v, this is that row's dp
     * to the bit, and the difference a clean 0. */
    float (*dot[OM_DTYPE_COUNT])(const void *x, const void *y, int64_t d);
    /* to[c][r] = from[r][c]; rows and columns padded to whole vectors in both. */
    void (*turn)(const float *from, int64_t from_stride, int64_t rows, int64_t columns, float *to,
                 int64_t to_stride);
    /* sums[0..64) += weights[r] · max(0, products[r][0..64)), row after row. */
    void (*score)(const float *products, int64_t rows, const float *weights, float *sums);
    void (*fill)(float *to, int64_t count, float value);
} om__attention_level;

extern const om__attention_level om__attention_scalar;
extern const om__attention_level om__attention_avx2;
extern const om__attention_level om__attention_avx512;

#endif
