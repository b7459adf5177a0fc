/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.h: what a kernel file exports: one constant om_kernel, listed in kernels.def.
 *
 * A kernel sees core/ and the public argument structs only. query decides from the parameters (and
 * the pointers' alignment, where they are set) whether the kernel serves this problem;
 * OM_UNSUPPORTED says why not. run is called with arguments that query accepted and the contract
 * has checked. It allocates nothing: workspace is what query asked for, aligned to 64 bytes on the
 * CPU and 256 on a device.
 */
#ifndef OM_CORE_KERNEL_H
#define OM_CORE_KERNEL_H

#include <stddef.h>
#include <stdint.h>

#include "opmark/device.h"

typedef struct om_kernel_env {
    int threads;              /* CPU: OpenMP threads to use, at least 1 */
    om_isa isa;               /* CPU: strongest instruction set allowed */
    void *stream;             /* CUDA: where to launch */
    int sm_count;             /* CUDA */
    size_t l2_bytes;          /* last-level cache */
    const void *device_state; /* owned by the device back end; NULL on the CPU */
} om_kernel_env;

typedef struct om_kernel {
    const char *name; /* om_<op>_<arch>_<dtypes>__<schedule> */
    const char *op;
    const char *pass; /* "forward" or "backward" */
    om_isa isa;       /* CPU: the least instruction set it needs */
    int is_reference; /* 1: the plain device reference; never chosen for `own` */
    om_status (*query)(const om_kernel_env *env, const void *args, size_t *workspace_bytes,
                       om_error *err);
    om_status (*run)(const om_kernel_env *env, const void *args, void *workspace, om_error *err);
} om_kernel;

#endif
