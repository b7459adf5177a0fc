/* SPDX-License-Identifier: Apache-2.0 */
/* cast_run.h: conversion of runs of elements between bf16 and fp8, one table a level. */
#ifndef OM_KERNELS_CPU_CAST_RUN_H
#define OM_KERNELS_CPU_CAST_RUN_H

#include <stdint.h>

#include "core/kernel.h"
#include "opmark/dtype.h"

/* y = x · scale in the type of the table's column; returns the bits of the largest |x| (bf16 bits,
 * a NaN counts as larger than any number) where x is bf16. stream: y bypasses the cache. */
typedef uint32_t (*om__cast_run_fn)(const void *x, void *y, int64_t count, float scale, int stream);
typedef uint32_t (*om__amax_run_fn)(const void *x, int64_t count);

typedef struct om__cast_level {
    om__cast_run_fn quantise[OM_DTYPE_COUNT]; /* bf16 to … */
    om__cast_run_fn widen[OM_DTYPE_COUNT];    /* … to bf16 */
    om__amax_run_fn amax;
} om__cast_level;

/* A whole cast, its scale and its largest magnitude; shared between the threads. */
typedef struct om__cast_call {
    const void *x;
    void *y;
    int64_t count;
    om_dtype from, to;
    int finds_scale; /* 1: from the largest magnitude, and written */
    float *scale, *amax;
} om__cast_call;

void om__cast_all(const om__cast_level *level, const om_kernel_env *env, const om__cast_call *call);

extern const om__cast_level om__cast_scalar;
extern const om__cast_level om__cast_avx2;
extern const om__cast_level om__cast_avx512;

#endif
