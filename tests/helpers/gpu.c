/* SPDX-License-Identifier: Apache-2.0 */
/* gpu.c: what tests on a GPU share. */
#include "helpers/gpu.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/dynlib.h"
#include "base/error.h"

const char *gpu_test_folder(char *buffer, size_t size)
{
    om__dynlib_path((const void *)(uintptr_t)&gpu_open, buffer, size);
    char *slash = strrchr(buffer, '/');
    if (slash != NULL)
        *slash = '\0';
    return buffer;
}

/* In a bundle the folder of the tests has siblings; else everything lies in the build folder. */
static const char *sibling(const char *name, const char *file, char *buffer, size_t size)
{
    char own[768], full[900];
    gpu_test_folder(own, sizeof own);
    snprintf(full, sizeof full, "%s/../%s/%s", own, name, file);
    if (access(full, R_OK) != 0)
        return OM_BUILD_DIR;
    snprintf(buffer, size, "%s/../%s", own, name);
    return buffer;
}

const char *gpu_object_folder(char *buffer, size_t size)
{
    return sibling("lib", "libopmark-cuda.so", buffer, size);
}

const char *gpu_program_folder(char *buffer, size_t size)
{
    return sibling("bin", "opmark", buffer, size);
}

static om_status open_objects(gpu *g)
{
    char folder[800], path[900];
    void *library = NULL;
    om_measure_api_entry_fn entry;
    const char *lies_in = gpu_object_folder(folder, sizeof folder);
    snprintf(path, sizeof path, "%s/opmark-measure-cuda.so", lies_in);
    OM_TRY(om__dynlib_open(path, &library, &g->error));
    *(void **)&entry = om__dynlib_find(library, "om_measure_api_entry");
    if (entry == NULL)
        return om__error_set(&g->error, OM_INTERNAL, "%s has no entry", path);
    g->measure = entry();
    OM_TRY(g->measure->stream_open("cuda:0", &g->stream, &g->error));
    om_context_options options = {.device = "cuda:0", .library_dir = lies_in, .stream = g->stream};
    return om_context_create(&options, &g->context, &g->error);
}

gpu gpu_open(void)
{
    gpu g = {0};
    om_status status = open_objects(&g);
    /* Anything else than "there is none here" is a fault that a test must not hide. */
    if (status != OM_OK && status != OM_UNSUPPORTED)
        fail_msg("no GPU context: %s", g.error.text);
    return g;
}

void gpu_close(gpu *g)
{
    om_context_destroy(g->context);
    g->context = NULL;
}

gpu the;

int gpu_set_up(void **state)
{
    (void)state;
    the = gpu_open();
    return 0;
}

int gpu_tear_down(void **state)
{
    (void)state;
    gpu_close(&the);
    return 0;
}
