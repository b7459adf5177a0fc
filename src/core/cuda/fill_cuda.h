/* SPDX-License-Identifier: Apache-2.0 */
/* fill_cuda.h: drawing tensors on a CUDA device. */
#ifndef OM_CORE_CUDA_FILL_CUDA_H
#define OM_CORE_CUDA_FILL_CUDA_H

#include "core/fill.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Launches the fill of a device tensor on the stream, with the bits of om__fill_tensor. */
om_status om__cuda_fill_launch(void *stream, int sm_count, const om_fill *fill, om_tensor *tensor,
                               om_error *err);

#ifdef __cplusplus
}
#endif

#endif
