/* SPDX-License-Identifier: Apache-2.0 */
/* context.c: contexts, their memory and their pool of workspace blocks. */
#include "core/context.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/dynlib.h"
#include "base/error.h"
#include "base/text.h"
#include "core/cpu.h"
#include "opmark/opmark.h"

/* ---- workspace ---- */

typedef struct workspace_block {
    struct workspace_block *next;
    void *memory;
    size_t size_bytes;
    bool in_use;
} workspace_block;

struct om_workspace_pool {
    pthread_mutex_t lock;
    workspace_block *blocks;
};

/* The smallest free block that is large enough; else any free one, to be replaced by a larger one.
 */
static workspace_block *choose_block(struct om_workspace_pool *pool, size_t size_bytes)
{
    workspace_block *fitting = NULL, *any = NULL;
    for (workspace_block *block = pool->blocks; block != NULL; block = block->next) {
        if (block->in_use)
            continue;
        any = block;
        if (block->size_bytes >= size_bytes &&
            (fitting == NULL || block->size_bytes < fitting->size_bytes))
            fitting = block;
    }
    return fitting != NULL ? fitting : any;
}

static om_status grow_block(om_context *context, workspace_block *block, size_t size_bytes,
                            om_error *err)
{
    context->api->free(context->device, block->memory);
    block->memory = NULL;
    block->size_bytes = 0;
    OM_TRY(context->api->alloc(context->device, size_bytes, &block->memory, err));
    block->size_bytes = size_bytes;
    return OM_OK;
}

om_status om__workspace_take(om_context *context, size_t size_bytes, void **workspace,
                             om_error *err)
{
    om_status status = OM_OK;
    *workspace = NULL;
    if (size_bytes == 0)
        return OM_OK;
    struct om_workspace_pool *pool = context->pool;
    pthread_mutex_lock(&pool->lock);
    workspace_block *block = choose_block(pool, size_bytes);
    if (block == NULL) {
        block = calloc(1, sizeof *block);
        if (block == NULL) {
            status = om__error_set(err, OM_NO_MEMORY, "no memory for a workspace entry");
            goto out;
        }
        block->next = pool->blocks;
        pool->blocks = block;
    }
    if (block->size_bytes < size_bytes)
        OM_TRY_OUT(grow_block(context, block, size_bytes, err));
    block->in_use = true;
    *workspace = block->memory;
out:
    pthread_mutex_unlock(&pool->lock);
    return status;
}

void om__workspace_give(om_context *context, void *workspace)
{
    if (workspace == NULL)
        return;
    pthread_mutex_lock(&context->pool->lock);
    for (workspace_block *block = context->pool->blocks; block != NULL; block = block->next)
        if (block->memory == workspace)
            block->in_use = false;
    pthread_mutex_unlock(&context->pool->lock);
}

static om_status pool_create(struct om_workspace_pool **pool, om_error *err)
{
    *pool = calloc(1, sizeof **pool);
    if (*pool == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for a workspace pool");
    pthread_mutex_init(&(*pool)->lock, NULL);
    return OM_OK;
}

static void pool_destroy(om_context *context)
{
    struct om_workspace_pool *pool = context->pool;
    if (pool == NULL)
        return;
    while (pool->blocks != NULL) {
        workspace_block *block = pool->blocks;
        pool->blocks = block->next;
        context->api->free(context->device, block->memory);
        free(block);
    }
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}

/* ---- back ends ---- */

static om_status load_back_end(const char *kind, const char *library_dir, const om_device_api **api,
                               om_error *err)
{
    char beside[1024], own_path[768];
    char name[64];
    snprintf(name, sizeof name, "libopmark-%s.so", kind);
    void *library = NULL;
    if (library_dir != NULL) {
        snprintf(beside, sizeof beside, "%s/%s", library_dir, name);
        OM_TRY(om__dynlib_open(beside, &library, err));
    } else {
        om__dynlib_path((const void *)(uintptr_t)&om_version, own_path, sizeof own_path);
        char *slash = strrchr(own_path, '/');
        if (slash != NULL)
            *slash = '\0';
        snprintf(beside, sizeof beside, "%s/%s", own_path, name);
        char installed[1024];
        snprintf(installed, sizeof installed, "%s/../lib/%s", own_path, name);
        const char *const names[] = {beside, installed, name};
        OM_TRY(om__dynlib_open_any(names, 3, &library, err));
    }
    om_device_api_entry_fn entry = NULL;
    *(void **)&entry = om__dynlib_find(library, "om_device_api_entry");
    if (entry == NULL)
        return om__error_set(err, OM_UNSUPPORTED, "%s has no entry point om_device_api_entry",
                             name);
    const om_device_api *found = entry();
    if (found == NULL || found->abi != OM_DEVICE_ABI)
        return om__error_set(err, OM_UNSUPPORTED,
                             "%s speaks version %u of the device table, not %u", name,
                             found == NULL ? 0 : found->abi, OM_DEVICE_ABI);
    *api = found;
    return OM_OK;
}

om_status om__device_api_find(const char *kind, const char *library_dir, const om_device_api **api,
                              om_error *err)
{
    if (strcmp(kind, "cpu") == 0)
        *api = &om_device_api_cpu;
    else if (strcmp(kind, "fake") == 0)
        *api = &om_device_api_fake;
    else if (strcmp(kind, "cuda") == 0)
        return load_back_end(kind, library_dir, api, err);
    else
        return om__error_set(err, OM_INVALID, "unknown kind of device '%s': one of cpu, cuda",
                             kind);
    return OM_OK;
}

om_status om__device_name_parse(const char *name, char kind[16], int *index, om_error *err)
{
    size_t size = strcspn(name, ":");
    int64_t number = 0;
    bool is_bad = size == 0 || size > 15;
    if (!is_bad && name[size] == ':')
        is_bad = !om__parse_int64(name + size + 1, &number) || number < 0 || number > 1023;
    if (is_bad)
        return om__error_set(
            err, OM_INVALID,
            "'%s' is no device name: write cpu, or cuda:0 with the device's number", name);
    memcpy(kind, name, size);
    kind[size] = '\0';
    *index = (int)number;
    return OM_OK;
}

/* ---- contexts ---- */

static om_status apply_cpu_options(om_context *context, const om_context_options *options,
                                   om_error *err)
{
    const om_cpu_info *cpu = om__cpu_info_get();
    if (options->threads < 0 || options->threads > 4096)
        return om__error_set(err, OM_INVALID, "%d threads: 0 (all processors) to 4096 are possible",
                             options->threads);
    if ((unsigned)options->isa >= OM_ISA_COUNT)
        return om__error_set(err, OM_INVALID, "unknown instruction set number %d",
                             (int)options->isa);
    if (options->isa > cpu->isa)
        return om__error_set(err, OM_UNSUPPORTED, "this processor has %s, not %s",
                             om__isa_name(cpu->isa), om__isa_name(options->isa));
    context->threads = options->threads == 0 ? cpu->processors : options->threads;
    context->isa = options->isa == OM_ISA_DEFAULT ? cpu->isa : options->isa;
    return OM_OK;
}

om_status om_context_create(const om_context_options *options, om_context **out, om_error *err)
{
    static const om_context_options standard = {0};
    om_status status = OM_OK;
    char kind[16];
    if (out == NULL)
        return om__error_set(err, OM_INVALID, "om_context_create: no place for the context");
    *out = NULL;
    if (options == NULL)
        options = &standard;
    om_context *context = calloc(1, sizeof *context);
    if (context == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for a context");
    const char *name = options->device != NULL ? options->device : "cpu";
    OM_TRY_OUT(om__device_name_parse(name, kind, &context->device_index, err));
    OM_TRY_OUT(apply_cpu_options(context, options, err));
    OM_TRY_OUT(om__device_api_find(kind, options->library_dir, &context->api, err));
    OM_TRY_OUT(context->api->open(context->device_index, options->stream, &context->device, err));
    OM_TRY_OUT(pool_create(&context->pool, err));
    *out = context;
out:
    if (status != OM_OK)
        om_context_destroy(context);
    return status;
}

void om_context_destroy(om_context *context)
{
    if (context == NULL)
        return;
    if (context->device != NULL) {
        pool_destroy(context);
        context->api->close(context->device);
    }
    free(context);
}

void om__context_kernel_env(const om_context *context, om_kernel_env *env)
{
    *env = (om_kernel_env){.threads = context->threads, .isa = context->isa};
    context->api->kernel_env(context->device, env);
}

om_status om_memory_create(om_context *context, size_t size_bytes, void **memory, om_error *err)
{
    if (context == NULL || memory == NULL)
        return om__error_set(err, OM_INVALID, "om_memory_create: a NULL argument");
    return context->api->alloc(context->device, size_bytes, memory, err);
}

void om_memory_destroy(om_context *context, void *memory)
{
    if (context != NULL && memory != NULL)
        context->api->free(context->device, memory);
}

om_status om_memory_upload(om_context *context, void *device, const void *host, size_t size_bytes,
                           om_error *err)
{
    if (context == NULL || (size_bytes > 0 && (device == NULL || host == NULL)))
        return om__error_set(err, OM_INVALID, "om_memory_upload: a NULL argument");
    return context->api->upload(context->device, device, host, size_bytes, err);
}

om_status om_memory_download(om_context *context, void *host, const void *device, size_t size_bytes,
                             om_error *err)
{
    if (context == NULL || (size_bytes > 0 && (device == NULL || host == NULL)))
        return om__error_set(err, OM_INVALID, "om_memory_download: a NULL argument");
    return context->api->download(context->device, host, device, size_bytes, err);
}

om_status om_context_synchronize(om_context *context, om_error *err)
{
    if (context == NULL)
        return om__error_set(err, OM_INVALID, "om_context_synchronize: no context");
    return context->api->synchronize(context->device, err);
}
