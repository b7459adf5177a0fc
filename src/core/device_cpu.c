/* SPDX-License-Identifier: Apache-2.0 */
/* device_cpu.c: the CPU as a device: host memory behind the device table. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"
#include "core/cpu.h"
#include "core/device_api.h"

struct om_device {
    int index;
};

static om_status cpu_count(int *count, om_error *err)
{
    (void)err;
    *count = 1;
    return OM_OK;
}

static om_status cpu_open(int index, void *stream, om_device **device, om_error *err)
{
    (void)stream;
    if (index != 0)
        return om__error_set(err, OM_UNSUPPORTED, "there is one CPU device, cpu:0, not cpu:%d",
                             index);
    *device = calloc(1, sizeof **device);
    if (*device == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for the CPU device");
    return OM_OK;
}

static void cpu_close(om_device *device)
{
    free(device);
}

static int64_t pages_bytes(int name)
{
    long pages = sysconf(name), page = sysconf(_SC_PAGESIZE);
    return pages < 0 || page < 0 ? 0 : (int64_t)pages * page;
}

/* What the kernel says can be had without swapping; the free pages where it does not say. */
static int64_t available_bytes(void)
{
    int64_t kib = 0;
    char line[128];
    FILE *file = fopen("/proc/meminfo", "r");
    if (file != NULL) {
        while (fgets(line, sizeof line, file) != NULL) {
            long long value;
            if (sscanf(line, "MemAvailable: %lld", &value) == 1)
                kib = value;
        }
        fclose(file);
    }
    return kib > 0 ? kib * 1024 : pages_bytes(_SC_AVPHYS_PAGES);
}

static om_status cpu_info(om_device *device, om_device_info *info, om_error *err)
{
    (void)device;
    (void)err;
    const om_cpu_info *cpu = om__cpu_info_get();
    *info = (om_device_info){0};
    info->memory_bytes = pages_bytes(_SC_PHYS_PAGES);
    info->memory_free_bytes = available_bytes();
    info->l2_bytes = cpu->l3_bytes > 0 ? cpu->l3_bytes : cpu->l2_bytes;
    info->unit_count = cpu->processors;
    snprintf(info->name, sizeof info->name, "%.96s (%d cores)", cpu->model, cpu->processors);
    snprintf(info->machine_class, sizeof info->machine_class, "%.64s, %d cores, %s, %lld GiB",
             cpu->model, cpu->processors, om__isa_name(cpu->isa),
             (long long)((info->memory_bytes + (1 << 29)) >> 30));
    if (gethostname(info->instance, sizeof info->instance - 1) != 0)
        snprintf(info->instance, sizeof info->instance, "unknown");
    return OM_OK;
}

/* Large blocks start on a huge page and ask for them, so that no contender depends on where malloc
 * put its data. */
#define HUGE_PAGE ((size_t)2 << 20)

static om_status cpu_alloc(om_device *device, size_t size_bytes, void **memory, om_error *err)
{
    (void)device;
    size_t alignment = size_bytes >= HUGE_PAGE ? HUGE_PAGE : 256;
    if (size_bytes > SIZE_MAX - alignment)
        return om__error_set(err, OM_NO_MEMORY, "%zu bytes are more than an address space holds",
                             size_bytes);
    size_t size = (size_bytes + alignment - 1) / alignment * alignment;
    *memory = aligned_alloc(alignment, size == 0 ? alignment : size);
    if (*memory == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for %zu bytes", size_bytes);
    if (alignment == HUGE_PAGE)
        madvise(*memory, size, MADV_HUGEPAGE);
    return OM_OK;
}

static void cpu_free(om_device *device, void *memory)
{
    (void)device;
    free(memory);
}

static om_status cpu_copy(om_device *device, void *to, const void *from, size_t size_bytes,
                          om_error *err)
{
    (void)device;
    (void)err;
    if (size_bytes > 0)
        memcpy(to, from, size_bytes);
    return OM_OK;
}

static om_status cpu_set(om_device *device, void *memory, unsigned char byte, size_t size_bytes,
                         om_error *err)
{
    (void)device;
    (void)err;
    if (size_bytes > 0)
        memset(memory, byte, size_bytes);
    return OM_OK;
}

static om_status cpu_synchronize(om_device *device, om_error *err)
{
    (void)device;
    (void)err;
    return OM_OK;
}

static om_status cpu_fill(om_device *device, const om_fill *fill, om_tensor *tensor, om_error *err)
{
    (void)device;
    return om__fill_tensor(fill, tensor, err);
}

static void cpu_kernel_env(om_device *device, om_kernel_env *env)
{
    (void)device;
    const om_cpu_info *cpu = om__cpu_info_get();
    env->l2_bytes = (size_t)cpu->l2_bytes;
}

/* The CPU's kernels are linked in: dispatch.c holds their list. */
static const om_kernel *const *cpu_kernels(size_t *count)
{
    *count = 0;
    return NULL;
}

const om_device_api om_device_api_cpu = {
    .abi = OM_DEVICE_ABI,
    .kind = "cpu",
    .count = cpu_count,
    .open = cpu_open,
    .close = cpu_close,
    .info = cpu_info,
    .alloc = cpu_alloc,
    .free = cpu_free,
    .upload = cpu_copy,
    .download = cpu_copy,
    .set = cpu_set,
    .synchronize = cpu_synchronize,
    .fill = cpu_fill,
    .kernel_env = cpu_kernel_env,
    .kernels = cpu_kernels,
};
