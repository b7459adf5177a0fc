/* SPDX-License-Identifier: Apache-2.0 */
/* tensor.h: a description of one tensor: where it lies, its element type and its shape.
 *
 * Tensors are row-major and packed: the last axis is contiguous and there are no gaps between rows.
 */
#ifndef OPMARK_TENSOR_H
#define OPMARK_TENSOR_H

#include "opmark/dtype.h"

#ifdef __cplusplus
extern "C" {
#endif

#define OM_MAX_RANK 5

typedef struct om_tensor {
    void *data;     /* on the device of the context in use; NULL while undescribed or absent */
    om_dtype dtype; /* OM_DTYPE_DEFAULT marks an optional tensor that this problem does not have */
    int rank;
    int64_t shape[OM_MAX_RANK];
} om_tensor;

/* Number of elements; 0 for an absent tensor. The product is known not to overflow for a tensor
 * that om_tensor_init accepted. */
OM_API int64_t om_tensor_count(const om_tensor *tensor);

/* Bytes of storage (two OM_U4X2 elements a byte, rounded up). */
OM_API int64_t om_tensor_size_bytes(const om_tensor *tensor);

/* Describes a tensor without storage. OM_INVALID when a dimension is negative, the rank is
 * outside 1..OM_MAX_RANK, or the size in bytes overflows int64_t. */
OM_API OM_MUST_USE om_status om_tensor_init(om_tensor *tensor, om_dtype dtype, int rank,
                                            const int64_t *shape, om_error *err);

#ifdef __cplusplus
}
#endif

#endif
