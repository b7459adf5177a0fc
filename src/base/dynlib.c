/* SPDX-License-Identifier: Apache-2.0 */
/* dynlib.c: loading libraries at run time. */
#define _GNU_SOURCE
#include "base/dynlib.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"

om_status om__dynlib_open(const char *name, void **library, om_error *err)
{
    void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) {
        const char *words = dlerror();
        return om__error_set(err, OM_UNSUPPORTED, "cannot load %s: %s", name,
                             words != NULL ? words : "no reason given");
    }
    *library = handle;
    return OM_OK;
}

om_status om__dynlib_open_any(const char *const *names, size_t count, void **library, om_error *err)
{
    om_text tried = {0};
    for (size_t i = 0; i < count; i++) {
        if (om__dynlib_open(names[i], library, NULL) == OM_OK) {
            om__text_release(&tried);
            return OM_OK;
        }
        om__text_addf(&tried, "%s%s", i == 0 ? "" : ", ", names[i]);
    }
    om__error_set(err, OM_UNSUPPORTED, "found none of %s",
                  tried.data != NULL ? tried.data : "no names");
    om__text_release(&tried);
    return OM_UNSUPPORTED;
}

void *om__dynlib_find(void *library, const char *symbol)
{
    return dlsym(library, symbol);
}

void om__dynlib_path(const void *address, char *path, size_t size)
{
    Dl_info info;
    path[0] = '\0';
    if (dladdr(address, &info) == 0 || info.dli_fname == NULL)
        return;
    char real[PATH_MAX];
    /* For the program itself the loader knows what the caller typed, which may be found on PATH. */
    const char *name = strchr(info.dli_fname, '/') != NULL ? info.dli_fname : "/proc/self/exe";
    snprintf(path, size, "%s", realpath(name, real) != NULL ? real : info.dli_fname);
}
