/* SPDX-License-Identifier: Apache-2.0 */
/* gemm_scaled.h: what the stores that scale their sums take as context. */
#ifndef OM_KERNELS_CPU_GEMM_SCALED_H
#define OM_KERNELS_CPU_GEMM_SCALED_H

/* d = sum · (a · b) + bias; with inverse, sum / (a · b) + bias. NULL: a factor of 1, no bias. */
typedef struct om__gemm_scaling {
    const float *a, *b;
    int inverse;
    const void *bias; /* bf16, a value a column */
} om__gemm_scaling;

#endif
