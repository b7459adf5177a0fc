/* SPDX-License-Identifier: Apache-2.0 */
/* device_cuda.c: device, memory and stream of one NVIDIA GPU through the CUDA runtime.
 *
 * The runtime's current device belongs to the calling thread, so every entry sets it first. The
 * primary context is shared with whatever else the process does on the GPU.
 */
#include "core/cuda/device_cuda.h"

#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "core/cuda/cuda_status.h"
#include "core/cuda/fill_cuda.h"

struct om_device {
    om_cuda_state state;
    cudaStream_t stream;
};

om_status om__cuda_count(int *count, om_error *err)
{
    *count = 0;
    cudaError_t code = cudaGetDeviceCount(count);
    if (code == cudaErrorNoDevice) {
        (void)cudaGetLastError();
        *count = 0;
        return OM_OK;
    }
    return om__cuda_check((int)code, "cudaGetDeviceCount", err);
}

static om_status attribute(int index, enum cudaDeviceAttr which, int *value, om_error *err)
{
    return om__cuda_check((int)cudaDeviceGetAttribute(value, which, index),
                          "cudaDeviceGetAttribute", err);
}

static om_status read_state(int index, om_cuda_state *state, om_error *err)
{
    int l2 = 0;
    state->index = index;
    OM_TRY(attribute(index, cudaDevAttrComputeCapabilityMajor, &state->compute_major, err));
    OM_TRY(attribute(index, cudaDevAttrComputeCapabilityMinor, &state->compute_minor, err));
    OM_TRY(attribute(index, cudaDevAttrMultiProcessorCount, &state->sm_count, err));
    OM_TRY(attribute(index, cudaDevAttrMaxSharedMemoryPerBlockOptin, &state->shared_bytes_per_block,
                     err));
    OM_TRY(attribute(index, cudaDevAttrMaxThreadsPerMultiProcessor, &state->threads_per_sm, err));
    OM_TRY(attribute(index, cudaDevAttrL2CacheSize, &l2, err));
    state->l2_bytes = l2;
    return OM_OK;
}

om_status om__cuda_open(int index, void *stream, om_device **device, om_error *err)
{
    int count;
    om_status status;
    om_device *d = NULL;
    enum cudaDriverEntryPointQueryResult found;

    *device = NULL;
    OM_TRY(om__cuda_count(&count, err));
    if (count == 0)
        return om__error_set(err, OM_UNSUPPORTED, "the NVIDIA driver sees no GPU here");
    if (index < 0 || index >= count)
        return om__error_set(err, OM_UNSUPPORTED, "no device cuda:%d: %d GPU%s here", index, count,
                             count == 1 ? "" : "s");
    d = calloc(1, sizeof *d);
    if (d == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for a device");
    OM_TRY_OUT(om__cuda_check((int)cudaSetDevice(index), "cudaSetDevice", err));
    OM_TRY_OUT(read_state(index, &d->state, err));
    if (d->state.compute_major != 9) {
        status = om__error_set(err, OM_UNSUPPORTED,
                               "cuda:%d has compute capability %d.%d; the kernels are built for "
                               "9.0 (Hopper) alone",
                               index, d->state.compute_major, d->state.compute_minor);
        goto out;
    }
    d->stream = (cudaStream_t)stream;
    if (cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &d->state.encode_tiled, 12000,
                                         cudaEnableDefault, &found) != cudaSuccess ||
        found != cudaDriverEntryPointSuccess) {
        (void)cudaGetLastError();
        d->state.encode_tiled = NULL;
    }
    *device = d;
    d = NULL;
    status = OM_OK;
out:
    free(d);
    return status;
}

void om__cuda_close(om_device *device)
{
    free(device);
}

static om_status enter(const om_device *device, om_error *err)
{
    return om__cuda_check((int)cudaSetDevice(device->state.index), "cudaSetDevice", err);
}

/* The version of the kernel module, which is what users call their driver. */
static void driver_version(char *text, size_t size)
{
    char line[256];
    int version = 0;
    FILE *file = fopen("/proc/driver/nvidia/version", "re");
    text[0] = '\0';
    if (file != NULL) {
        if (fgets(line, sizeof line, file) != NULL) {
            /* "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.159.04  Release …" */
            for (char *save = NULL, *word = strtok_r(line, " \t\n", &save); word != NULL;
                 word = strtok_r(NULL, " \t\n", &save)) {
                if (word[0] >= '0' && word[0] <= '9' && strchr(word, '.') != NULL) {
                    snprintf(text, size, "%s", word);
                    break;
                }
            }
        }
        fclose(file);
    }
    if (text[0] == '\0' && cudaDriverGetVersion(&version) == cudaSuccess)
        snprintf(text, size, "CUDA %d.%d", version / 1000, version % 1000 / 10);
}

static void format_uuid(const cudaUUID_t *uuid, char *text, size_t size)
{
    const unsigned char *b = (const unsigned char *)uuid->bytes;
    snprintf(text, size, "GPU-%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x",
             b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13],
             b[14], b[15]);
}

om_status om__cuda_info(om_device *device, om_device_info *info, om_error *err)
{
    struct cudaDeviceProp properties;
    size_t free_bytes, total_bytes;
    int index = device->state.index, clock_khz, memory_khz, bus_bits;

    memset(info, 0, sizeof *info);
    OM_TRY(enter(device, err));
    OM_TRY_CUDA(cudaGetDeviceProperties(&properties, index), err);
    OM_TRY_CUDA(cudaMemGetInfo(&free_bytes, &total_bytes), err);
    OM_TRY(attribute(index, cudaDevAttrClockRate, &clock_khz, err));
    OM_TRY(attribute(index, cudaDevAttrMemoryClockRate, &memory_khz, err));
    OM_TRY(attribute(index, cudaDevAttrGlobalMemoryBusWidth, &bus_bits, err));
    snprintf(info->name, sizeof info->name, "%.127s", properties.name);
    snprintf(info->machine_class, sizeof info->machine_class, "%.100s %.0f GiB", properties.name,
             (double)total_bytes / 1073741824.0);
    format_uuid(&properties.uuid, info->instance, sizeof info->instance);
    driver_version(info->driver, sizeof info->driver);
    info->memory_bytes = (int64_t)total_bytes;
    info->memory_free_bytes = (int64_t)free_bytes;
    info->l2_bytes = device->state.l2_bytes;
    info->unit_count = device->state.sm_count;
    /* Dense tensor-core rate of compute capability 9.0 at the highest clock: 4,096 floating-point
     * operations a clock and SM with 16-bit operands, twice that with 8-bit ones; memory moves two
     * transfers a clock. */
    info->peak_tflops_16 = 4096.0 * info->unit_count * clock_khz * 1e3 / 1e12;
    info->peak_tflops_8 = 2.0 * info->peak_tflops_16;
    info->peak_gbps = 2.0 * memory_khz * 1e3 * (bus_bits / 8.0) / 1e9;
    return OM_OK;
}

om_status om__cuda_alloc(om_device *device, size_t size_bytes, void **memory, om_error *err)
{
    *memory = NULL;
    OM_TRY(enter(device, err));
    cudaError_t code = cudaMalloc(memory, size_bytes > 0 ? size_bytes : 256);
    if (code == cudaErrorMemoryAllocation) {
        size_t free_bytes = 0, total_bytes = 0;
        (void)cudaGetLastError();
        (void)cudaMemGetInfo(&free_bytes, &total_bytes);
        *memory = NULL;
        return om__error_set(err, OM_NO_MEMORY,
                             "%.2f GiB of device memory asked for, %.2f of %.2f GiB free",
                             (double)size_bytes / 1073741824.0, (double)free_bytes / 1073741824.0,
                             (double)total_bytes / 1073741824.0);
    }
    return om__cuda_check((int)code, "cudaMalloc", err);
}

void om__cuda_free(om_device *device, void *memory)
{
    if (memory != NULL && cudaSetDevice(device->state.index) == cudaSuccess)
        (void)cudaFree(memory);
}

/* Both copies go through the stream, so that they are ordered with the launches of the context. */
static om_status copy(om_device *device, void *to, const void *from, size_t size_bytes,
                      enum cudaMemcpyKind kind, om_error *err)
{
    if (size_bytes == 0)
        return OM_OK;
    OM_TRY(enter(device, err));
    OM_TRY_CUDA(cudaMemcpyAsync(to, from, size_bytes, kind, device->stream), err);
    OM_TRY_CUDA(cudaStreamSynchronize(device->stream), err);
    return OM_OK;
}

om_status om__cuda_upload(om_device *device, void *to, const void *from_host, size_t size_bytes,
                          om_error *err)
{
    return copy(device, to, from_host, size_bytes, cudaMemcpyHostToDevice, err);
}

om_status om__cuda_download(om_device *device, void *to_host, const void *from, size_t size_bytes,
                            om_error *err)
{
    return copy(device, to_host, from, size_bytes, cudaMemcpyDeviceToHost, err);
}

om_status om__cuda_set(om_device *device, void *memory, unsigned char byte, size_t size_bytes,
                       om_error *err)
{
    if (size_bytes == 0)
        return OM_OK;
    OM_TRY(enter(device, err));
    OM_TRY_CUDA(cudaMemsetAsync(memory, byte, size_bytes, device->stream), err);
    return OM_OK;
}

om_status om__cuda_synchronize(om_device *device, om_error *err)
{
    OM_TRY(enter(device, err));
    OM_TRY_CUDA(cudaStreamSynchronize(device->stream), err);
    return OM_OK;
}

om_status om__cuda_fill(om_device *device, const om_fill *fill, om_tensor *tensor, om_error *err)
{
    OM_TRY(enter(device, err));
    return om__cuda_fill_launch(device->stream, device->state.sm_count, fill, tensor, err);
}

void om__cuda_kernel_env(om_device *device, om_kernel_env *env)
{
    env->stream = (void *)device->stream;
    env->sm_count = device->state.sm_count;
    env->l2_bytes = (size_t)device->state.l2_bytes;
    env->device_state = &device->state;
}
