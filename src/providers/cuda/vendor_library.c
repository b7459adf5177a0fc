/* SPDX-License-Identifier: Apache-2.0 */
/* vendor_library.c: finding the vendor's libraries. */
#include "providers/cuda/vendor_library.h"

#include <dlfcn.h>
#include <glob.h>
#include <limits.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

typedef struct search {
    const char *const *names;
    void *handle;
    char refusal[256]; /* what the dynamic linker said of a file that exists but does not load */
} search;

static bool try_file(search *s, const char *file)
{
    s->handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (s->handle == NULL && strchr(file, '/') != NULL) {
        const char *text = dlerror();
        snprintf(s->refusal, sizeof s->refusal, "; %s", text != NULL ? text : file);
    }
    return s->handle != NULL;
}

/* Every file that matches pattern/name, in the order of the names. */
static bool try_pattern(search *s, const char *pattern)
{
    for (size_t i = 0; s->names[i] != NULL; i++) {
        char full[PATH_MAX];
        glob_t found;
        int size = snprintf(full, sizeof full, "%s/%s", pattern, s->names[i]);
        if (size < 0 || (size_t)size >= sizeof full || glob(full, 0, NULL, &found) != 0)
            continue;
        for (size_t j = 0; j < found.gl_pathc && s->handle == NULL; j++)
            (void)try_file(s, found.gl_pathv[j]);
        globfree(&found);
        if (s->handle != NULL)
            return true;
    }
    return false;
}

static bool try_below(search *s, const char *root, const char *const *below)
{
    char pattern[PATH_MAX];
    if (root == NULL || root[0] == '\0')
        return false;
    for (size_t i = 0; below[i] != NULL; i++) {
        int size = snprintf(pattern, sizeof pattern, "%s%s", root, below[i]);
        if (size > 0 && (size_t)size < sizeof pattern && try_pattern(s, pattern))
            return true;
    }
    return false;
}

static bool try_beside(search *s)
{
    Dl_info info;
    char folder[PATH_MAX];
    if (dladdr((void *)(uintptr_t)&try_beside, &info) == 0 || info.dli_fname == NULL)
        return false;
    snprintf(folder, sizeof folder, "%s", info.dli_fname);
    char *slash = strrchr(folder, '/');
    if (slash == NULL)
        return false;
    *slash = '\0';
    return try_pattern(s, folder);
}

static bool try_linker(search *s)
{
    for (size_t i = 0; s->names[i] != NULL; i++)
        if (try_file(s, s->names[i]))
            return true;
    return false;
}

om_status om__vendor_library_open(const char *const *names, const char *folder, void **handle,
                                  char *path, size_t path_size, om_error *err)
{
    static const char *const asked[] = {"", "/lib", "/lib64", "/nvidia/*/lib", "/*/lib", NULL};
    static const char *const toolkit[] = {"/lib64", "/lib", "/targets/x86_64-linux/lib",
                                          "/extras/CUPTI/lib64", NULL};
    static const char *const python[] = {"/lib/python3*/site-packages/nvidia/*/lib",
                                         "/lib/python3*/dist-packages/nvidia/*/lib", NULL};
    search s = {.names = names};

    *handle = NULL;
    if (folder != NULL && folder[0] != '\0') {
        if (!try_below(&s, folder, asked))
            return om__error_set(err, OM_UNSUPPORTED, "no %s below %s%s", names[0], folder,
                                 s.refusal);
    } else if (!(try_beside(&s) || try_linker(&s) || try_below(&s, getenv("CUDA_HOME"), toolkit) ||
                 try_below(&s, "/usr/local/cuda", toolkit) ||
                 try_below(&s, getenv("VIRTUAL_ENV"), python) ||
                 try_below(&s, getenv("CONDA_PREFIX"), python))) {
        return om__error_set(err, OM_UNSUPPORTED,
                             "%s not found (looked in the system's search path, CUDA_HOME, "
                             "/usr/local/cuda and the active Python environment; name its folder "
                             "with --cuda-libs)%s",
                             names[0], s.refusal);
    }
    struct link_map *map = NULL;
    if (path_size > 0) {
        path[0] = '\0';
        if (dlinfo(s.handle, RTLD_DI_LINKMAP, &map) == 0 && map != NULL)
            snprintf(path, path_size, "%s", map->l_name);
    }
    *handle = s.handle;
    return OM_OK;
}

om_status om__vendor_symbol(void *handle, const char *library, const char *name, void *function,
                            om_error *err)
{
    void *symbol = dlsym(handle, name);
    if (symbol == NULL)
        return om__error_set(err, OM_UNSUPPORTED, "%s has no function %s: too old or too new",
                             library, name);
    memcpy(function, &symbol, sizeof symbol);
    return OM_OK;
}
