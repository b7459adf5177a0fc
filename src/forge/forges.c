/* SPDX-License-Identifier: Apache-2.0 */
/* forges.c: the list of forges. */
#include <string.h>

#include "forge/forge.h"

#define OM_FORGE(forge) extern const om_forge forge;
#include "forge/forges.def"
#undef OM_FORGE

static const om_forge *const forges[] = {
#define OM_FORGE(forge) &forge,
#include "forge/forges.def"
#undef OM_FORGE
};

const om_forge *const *om__forges_get(size_t *count)
{
    *count = sizeof forges / sizeof *forges;
    return forges;
}

const om_forge *om__forge_find(const char *name)
{
    for (size_t i = 0; i < sizeof forges / sizeof *forges; i++)
        if (strcmp(forges[i]->name, name) == 0)
            return forges[i];
    return NULL;
}
