/* SPDX-License-Identifier: Apache-2.0 */
/* norm_rows.h: the row functions of the norms, one table a level. */
#ifndef OM_KERNELS_CPU_NORM_ROWS_H
#define OM_KERNELS_CPU_NORM_ROWS_H

#include <stdint.h>

#include "opmark/dtype.h"

/* y = x · rstd · gamma for `rows` rows of `h`; stream: y bypasses the cache. */
typedef void (*om__rmsnorm_rows_fn)(const void *x, const void *gamma, void *y, float *rstd,
                                    int64_t rows, int64_t h, double eps, int stream);

typedef struct om__norm_level {
    om__rmsnorm_rows_fn rmsnorm[OM_DTYPE_COUNT];
} om__norm_level;

extern const om__norm_level om__norm_scalar;
extern const om__norm_level om__norm_avx2;
extern const om__norm_level om__norm_avx512;

#endif
