/* SPDX-License-Identifier: Apache-2.0 */
/* device_cuda.h: the CUDA device behind device_api.h, and what it hands to its kernels. */
#ifndef OM_CORE_CUDA_DEVICE_CUDA_H
#define OM_CORE_CUDA_DEVICE_CUDA_H

#include "core/device_api.h"

/* om_kernel_env.device_state on a CUDA device. */
typedef struct om_cuda_state {
    int index;
    int compute_major, compute_minor;
    int sm_count;
    int shared_bytes_per_block; /* the opt-in limit of dynamic shared memory */
    int threads_per_sm;
    int64_t l2_bytes;
    void *encode_tiled; /* cuTensorMapEncodeTiled of the driver; NULL: it has none */
} om_cuda_state;

om_status om__cuda_count(int *count, om_error *err);
om_status om__cuda_open(int index, void *stream, om_device **device, om_error *err);
void om__cuda_close(om_device *device);
om_status om__cuda_info(om_device *device, om_device_info *info, om_error *err);
om_status om__cuda_alloc(om_device *device, size_t size_bytes, void **memory, om_error *err);
void om__cuda_free(om_device *device, void *memory);
om_status om__cuda_upload(om_device *device, void *to, const void *from_host, size_t size_bytes,
                          om_error *err);
om_status om__cuda_download(om_device *device, void *to_host, const void *from, size_t size_bytes,
                            om_error *err);
om_status om__cuda_set(om_device *device, void *memory, unsigned char byte, size_t size_bytes,
                       om_error *err);
om_status om__cuda_synchronize(om_device *device, om_error *err);
om_status om__cuda_fill(om_device *device, const om_fill *fill, om_tensor *tensor, om_error *err);
void om__cuda_kernel_env(om_device *device, om_kernel_env *env);

#endif
