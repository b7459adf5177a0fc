/* SPDX-License-Identifier: Apache-2.0 */
/* norm_rows.h: the row functions of the norms and of fp8_quant, one table a level. */
#ifndef OM_KERNELS_CPU_NORM_ROWS_H
#define OM_KERNELS_CPU_NORM_ROWS_H

#include <stdint.h>

#include "opmark/dtype.h"

/* One run of rows of a norm. What a norm does not have is NULL: mean and beta of RMS norm. */
typedef struct om__norm_rows {
    int64_t rows, h;
    double eps;
    int stream; /* outputs bypass the cache */
    const void *x, *gamma, *beta;
    void *y;
    float *mean, *rstd;
    /* backward */
    const void *grad_y;
    void *grad_x;
    float *grad_gamma, *grad_beta; /* om__partial_stride(h) sums over these rows, written, in an
                                    * order that sum_partials of the same type knows */
} om__norm_rows;

typedef void (*om__norm_rows_fn)(const om__norm_rows *rows);

typedef struct om__norm_level {
    om__norm_rows_fn rmsnorm[OM_DTYPE_COUNT], rmsnorm_backward[OM_DTYPE_COUNT];
    om__norm_rows_fn layernorm[OM_DTYPE_COUNT], layernorm_backward[OM_DTYPE_COUNT];
    /* Columns [first, last) of the sum of `count` partial gradients, `stride` floats apart, rounded
     * to the type; first is a multiple of OM_PARTIAL_STEP. */
    void (*sum_partials[OM_DTYPE_COUNT])(const float *partials, int64_t count, int64_t stride,
                                         int64_t first, int64_t last, void *to);
    /* Rows of d values to e4m3 with a scale each. */
    void (*quantise[OM_DTYPE_COUNT])(const void *x, int64_t rows, int64_t d, float *scale,
                                     void *out);
} om__norm_level;

/* Columns that may change places in a partial gradient: two vectors of the widest level. */
#define OM_PARTIAL_STEP 32

static inline int64_t om__partial_stride(int64_t h)
{
    return (h + OM_PARTIAL_STEP - 1) / OM_PARTIAL_STEP * OM_PARTIAL_STEP;
}

extern const om__norm_level om__norm_scalar;
extern const om__norm_level om__norm_avx2;
extern const om__norm_level om__norm_avx512;

#endif
