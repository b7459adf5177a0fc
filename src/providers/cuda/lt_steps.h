/* SPDX-License-Identifier: Apache-2.0 */
/* lt_steps.h: data movement that a product needs before cuBLASLt can take it; part of every call.
 */
#ifndef OM_PROVIDERS_CUDA_LT_STEPS_H
#define OM_PROVIDERS_CUDA_LT_STEPS_H

#include <stdint.h>

#include "opmark/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* to[column][row] = from[row][column], f32: cuBLASLt wants the scales of one block of k together.
 */
om_status om__transpose_scales_launch(void *stream, const float *from, int64_t rows,
                                      int64_t columns, float *to, om_error *err);

/* to[i][column][row] = from[i][row][column] of bytes; rows and columns are multiples of 4. */
om_status om__transpose_bytes_launch(void *stream, const void *from, int64_t batch, int64_t rows,
                                     int64_t columns, void *to, om_error *err);

#ifdef __cplusplus
}
#endif

#endif
