/* SPDX-License-Identifier: Apache-2.0 */
/* device_api.h: the table of functions a device back end offers, in vendor-neutral words.
 *
 * cpu and fake are built in; cuda is found at run time in libopmark-cuda.so through
 * om_device_api_entry(). A back end for another vendor fits behind the same table.
 */
#ifndef OM_CORE_DEVICE_API_H
#define OM_CORE_DEVICE_API_H

#include <stdint.h>

#include "core/fill.h"
#include "core/kernel.h"

#define OM_DEVICE_ABI 1u

typedef struct om_device om_device; /* the back end's own */

typedef struct om_device_info {
    char name[128];          /* "NVIDIA H200", "AMD EPYC 9xx5 (2 cores)" */
    char machine_class[128]; /* identity for comparisons: model and memory size */
    char instance[128];      /* uuid or host name: tells machines of one class apart */
    char driver[64];
    int64_t memory_bytes, memory_free_bytes, l2_bytes;
    int unit_count;                                  /* SMs, or CPU threads */
    double peak_tflops_16, peak_tflops_8, peak_gbps; /* nominal; 0: not known */
    double idle_power_w, power_limit_w;              /* 0: not known */
} om_device_info;

typedef struct om_device_api {
    uint32_t abi;     /* OM_DEVICE_ABI */
    const char *kind; /* "cpu", "cuda", "fake" */
    om_status (*count)(int *count, om_error *err);
    om_status (*open)(int index, void *stream, om_device **device, om_error *err);
    void (*close)(om_device *device);
    om_status (*info)(om_device *device, om_device_info *info, om_error *err);
    /* Memory is aligned to 256 bytes or better. */
    om_status (*alloc)(om_device *device, size_t size_bytes, void **memory, om_error *err);
    void (*free)(om_device *device, void *memory);
    om_status (*upload)(om_device *device, void *to, const void *from_host, size_t size_bytes,
                        om_error *err);
    om_status (*download)(om_device *device, void *to_host, const void *from, size_t size_bytes,
                          om_error *err);
    om_status (*set)(om_device *device, void *memory, unsigned char byte, size_t size_bytes,
                     om_error *err);
    om_status (*synchronize)(om_device *device, om_error *err);
    /* Draws a tensor of device memory with the bits om__fill_tensor gives on the host. */
    om_status (*fill)(om_device *device, const om_fill *fill, om_tensor *tensor, om_error *err);
    /* Completes env (stream, sm_count, l2_bytes, device_state). */
    void (*kernel_env)(om_device *device, om_kernel_env *env);
    /* The kernels of this back end, best first within an operator; *count entries. */
    const om_kernel *const *(*kernels)(size_t *count);
} om_device_api;

extern const om_device_api om_device_api_cpu;
extern const om_device_api om_device_api_fake;

/* The symbol "om_device_api_entry" of a loadable back end. */
typedef const om_device_api *(*om_device_api_entry_fn)(void);

#endif
