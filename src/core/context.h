/* SPDX-License-Identifier: Apache-2.0 */
/* context.h: what is inside an om_context. */
#ifndef OM_CORE_CONTEXT_H
#define OM_CORE_CONTEXT_H

#include "core/device_api.h"

struct om_context {
    const om_device_api *api;
    om_device *device;
    int device_index;
    int threads; /* at least 1 */
    om_isa isa;
    struct om_workspace_pool *pool;
};

/* Borrows a workspace of at least size_bytes (64-byte aligned on the CPU, 256 on a device) until it
 * is given back; blocks grow and are kept. Safe from several threads. */
om_status om__workspace_take(om_context *context, size_t size_bytes, void **workspace,
                             om_error *err);
void om__workspace_give(om_context *context, void *workspace);

/* The environment kernels of this context run in. */
void om__context_kernel_env(const om_context *context, om_kernel_env *env);

/* The back end for "cpu", "cuda" or "fake", loading it where needed. library_dir may be NULL. */
om_status om__device_api_find(const char *kind, const char *library_dir, const om_device_api **api,
                              om_error *err);

/* Splits "cuda:1" into kind and index (0 where absent). */
om_status om__device_name_parse(const char *name, char kind[16], int *index, om_error *err);

#endif
