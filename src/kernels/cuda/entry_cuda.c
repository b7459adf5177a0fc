/* SPDX-License-Identifier: Apache-2.0 */
/* entry_cuda.c: what libopmark-cuda.so exports: the device table with the kernels of kernels.def.
 */
#include "core/cuda/device_cuda.h"

#define OM_KERNEL_CPU(kernel)
#define OM_KERNEL_CUDA(kernel) extern const om_kernel kernel;
#include "kernels/kernels.def"
#undef OM_KERNEL_CUDA

/* The leading NULL keeps the table valid while no kernel is listed. */
static const om_kernel *const kernels[] = {
    NULL,
#define OM_KERNEL_CUDA(kernel) &kernel,
#include "kernels/kernels.def"
#undef OM_KERNEL_CUDA
};

static const om_kernel *const *list(size_t *count)
{
    *count = sizeof kernels / sizeof kernels[0] - 1;
    return kernels + 1;
}

static const om_device_api api = {
    .abi = OM_DEVICE_ABI,
    .kind = "cuda",
    .count = om__cuda_count,
    .open = om__cuda_open,
    .close = om__cuda_close,
    .info = om__cuda_info,
    .alloc = om__cuda_alloc,
    .free = om__cuda_free,
    .upload = om__cuda_upload,
    .download = om__cuda_download,
    .set = om__cuda_set,
    .synchronize = om__cuda_synchronize,
    .fill = om__cuda_fill,
    .kernel_env = om__cuda_kernel_env,
    .kernels = list,
};

OM_API const om_device_api *om_device_api_entry(void);

const om_device_api *om_device_api_entry(void)
{
    return &api;
}
