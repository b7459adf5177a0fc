/* SPDX-License-Identifier: Apache-2.0 */
/* device_fake.c: a pretended accelerator in host memory: the second back end behind the device
 * table.
 *
 * It has two indices, little memory of its own accounting and no kernels, so that tests reach the
 * paths of a device that is not the CPU (out of memory, no kernel, fill and copies through the
 * table) on any machine.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "core/device_api.h"

#define FAKE_COUNT        2
#define FAKE_MEMORY_BYTES ((int64_t)64 << 20)
#define FAKE_ALIGNMENT    256

struct om_device {
    int index;
    int64_t used_bytes;
};

static om_status fake_count(int *count, om_error *err)
{
    (void)err;
    *count = FAKE_COUNT;
    return OM_OK;
}

static om_status fake_open(int index, void *stream, om_device **device, om_error *err)
{
    (void)stream;
    if (index < 0 || index >= FAKE_COUNT)
        return om__error_set(err, OM_UNSUPPORTED, "there is no device fake:%d", index);
    *device = calloc(1, sizeof **device);
    if (*device == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for the fake device");
    (*device)->index = index;
    return OM_OK;
}

static void fake_close(om_device *device)
{
    free(device);
}

static om_status fake_info(om_device *device, om_device_info *info, om_error *err)
{
    (void)err;
    *info = (om_device_info){.memory_bytes = FAKE_MEMORY_BYTES,
                             .memory_free_bytes = FAKE_MEMORY_BYTES - device->used_bytes,
                             .l2_bytes = 1 << 20,
                             .unit_count = 1};
    snprintf(info->name, sizeof info->name, "fake accelerator");
    snprintf(info->machine_class, sizeof info->machine_class, "fake accelerator, 64 MiB");
    snprintf(info->instance, sizeof info->instance, "fake-%d", device->index);
    snprintf(info->driver, sizeof info->driver, "none");
    return OM_OK;
}

/* The size stands in front of each block, a whole alignment unit away. */
static om_status fake_alloc(om_device *device, size_t size_bytes, void **memory, om_error *err)
{
    int64_t left = FAKE_MEMORY_BYTES - device->used_bytes;
    if (size_bytes > (size_t)left)
        return om__error_set(err, OM_NO_MEMORY, "the fake device has %lld bytes left, not %zu",
                             (long long)left, size_bytes);
    size_t whole = (size_bytes + FAKE_ALIGNMENT - 1) / FAKE_ALIGNMENT * FAKE_ALIGNMENT;
    char *block = aligned_alloc(FAKE_ALIGNMENT, whole + FAKE_ALIGNMENT);
    if (block == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for %zu bytes", size_bytes);
    memcpy(block, &size_bytes, sizeof size_bytes);
    device->used_bytes += (int64_t)size_bytes;
    *memory = block + FAKE_ALIGNMENT;
    return OM_OK;
}

static void fake_free(om_device *device, void *memory)
{
    if (memory == NULL)
        return;
    char *block = (char *)memory - FAKE_ALIGNMENT;
    size_t size_bytes;
    memcpy(&size_bytes, block, sizeof size_bytes);
    device->used_bytes -= (int64_t)size_bytes;
    free(block);
}

static om_status fake_upload(om_device *device, void *to, const void *from, size_t size_bytes,
                             om_error *err)
{
    return om_device_api_cpu.upload(device, to, from, size_bytes, err);
}

static om_status fake_download(om_device *device, void *to, const void *from, size_t size_bytes,
                               om_error *err)
{
    return om_device_api_cpu.download(device, to, from, size_bytes, err);
}

static om_status fake_set(om_device *device, void *memory, unsigned char byte, size_t size_bytes,
                          om_error *err)
{
    return om_device_api_cpu.set(device, memory, byte, size_bytes, err);
}

static om_status fake_synchronize(om_device *device, om_error *err)
{
    (void)device;
    (void)err;
    return OM_OK;
}

static om_status fake_fill(om_device *device, const om_fill *fill, om_tensor *tensor, om_error *err)
{
    (void)device;
    return om__fill_tensor(fill, tensor, err);
}

static void fake_kernel_env(om_device *device, om_kernel_env *env)
{
    (void)device;
    env->sm_count = 1;
    env->l2_bytes = 1 << 20;
}

static const om_kernel *const *fake_kernels(size_t *count)
{
    *count = 0;
    return NULL;
}

const om_device_api om_device_api_fake = {
    .abi = OM_DEVICE_ABI,
    .kind = "fake",
    .count = fake_count,
    .open = fake_open,
    .close = fake_close,
    .info = fake_info,
    .alloc = fake_alloc,
    .free = fake_free,
    .upload = fake_upload,
    .download = fake_download,
    .set = fake_set,
    .synchronize = fake_synchronize,
    .fill = fake_fill,
    .kernel_env = fake_kernel_env,
    .kernels = fake_kernels,
};
