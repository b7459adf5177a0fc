/* SPDX-License-Identifier: Apache-2.0 */
/* dynlib.c: libraries of rivals, loaded at run time without letting their names into the program.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "providers/providers.h"

om_status om__library_open(const char *const *names, int flags, void **handle, char *path,
                           size_t path_size, om_error *err)
{
    om_text tried = {0};
    for (size_t i = 0; names[i] != NULL; i++) {
        *handle = dlopen(names[i], RTLD_NOW | RTLD_LOCAL | flags);
        if (*handle != NULL) {
            struct link_map *map = NULL;
            if (path != NULL) {
                snprintf(path, path_size, "%s", names[i]);
                if (dlinfo(*handle, RTLD_DI_LINKMAP, &map) == 0 && map->l_name[0] != '\0')
                    snprintf(path, path_size, "%s", map->l_name);
            }
            om__text_release(&tried);
            return OM_OK;
        }
        om__text_addf(&tried, "%s%s", i > 0 ? ", " : "", names[i]);
    }
    om_status status = om__error_set(err, OM_UNSUPPORTED, "not found on this machine (tried %s)",
                                     tried.data != NULL ? tried.data : "nothing");
    om__text_release(&tried);
    return status;
}

om_status om__library_symbol(void *handle, const char *name, void *function, om_error *err)
{
    void *symbol = dlsym(handle, name);
    if (symbol == NULL)
        return om__error_set(err, OM_UNSUPPORTED, "the library has no %s", name);
    memcpy(function, &symbol, sizeof symbol);
    return OM_OK;
}
