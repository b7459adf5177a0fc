/* SPDX-License-Identifier: Apache-2.0 */
/* gpu.c: what tests on a GPU share. */
#include "helpers/gpu.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/dynlib.h"
#include "base/error.h"

/* The objects lie in the build folder, or in a bundle beside the folder of the tests. */
static const char *object_folder(char *bundle, size_t size)
{
    char own[768];
    om__dynlib_path((const void *)(uintptr_t)&gpu_open, own, sizeof own);
    char *slash = strrchr(own, '/');
    if (slash != NULL)
        *slash = '\0';
    snprintf(bundle, size, "%s/../lib/libopmark-cuda.so", own);
    if (access(bundle, R_OK) == 0) {
        snprintf(bundle, size, "%s/../lib", own);
        return bundle;
    }
    return OM_BUILD_DIR;
}

static om_status open_objects(gpu *g)
{
    char folder[800], path[900];
    void *library = NULL;
    om_measure_api_entry_fn entry;
    const char *lies_in = object_folder(folder, sizeof folder);
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
