/* SPDX-License-Identifier: Apache-2.0 */
/* measure.c: finds clocks, and loads the objects that bring those of a device. */
#include <stdio.h>
#include <string.h>

#include "base/dynlib.h"
#include "base/error.h"
#include "bench/clock.h"
#include "providers/providers.h"

static om_status load(const char *kind, const char *library_dir, void **library, om_error *err)
{
    char own[768], name[64], given[1024], beside[1024], lib[1024], up[1024];
    snprintf(name, sizeof name, "opmark-measure-%s.so", kind);
    if (library_dir != NULL && library_dir[0] != '\0') {
        snprintf(given, sizeof given, "%s/%s", library_dir, name);
        return om__dynlib_open(given, library, err);
    }
    om__dynlib_path((const void *)(uintptr_t)&om__measure_open, own, sizeof own);
    char *slash = strrchr(own, '/');
    if (slash != NULL)
        *slash = '\0';
    snprintf(beside, sizeof beside, "%s/%s", own, name);
    snprintf(lib, sizeof lib, "%s/lib/%s", own, name);
    snprintf(up, sizeof up, "%s/../lib/%s", own, name);
    const char *const names[] = {beside, lib, up, name};
    return om__dynlib_open_any(names, sizeof names / sizeof names[0], library, err);
}

om_status om__measure_open(const char *kind, const char *library_dir, om_measure *measure,
                           om_error *err)
{
    *measure = (om_measure){0};
    OM_TRY(load(kind, library_dir, &measure->library, err));
    om_measure_api_entry_fn entry = NULL;
    OM_TRY(om__library_symbol(measure->library, "om_measure_api_entry", &entry, err));
    const om_measure_api *api = entry();
    if (api == NULL)
        return om__error_set(err, OM_UNSUPPORTED, "opmark-measure-%s.so cannot serve here", kind);
    if (api->abi != OM_MEASURE_ABI)
        return om__error_set(err, OM_UNSUPPORTED,
                             "opmark-measure-%s.so was made for ABI %u, this program has %u", kind,
                             api->abi, OM_MEASURE_ABI);
    measure->api = api;
    return OM_OK;
}

void om__measure_close(om_measure *measure)
{
    /* Libraries stay loaded: thread runtimes and profilers do not survive dlclose. */
    *measure = (om_measure){0};
}

om_status om__clock_find(const char *kind, const char *name, const om_measure *measure,
                         const om_clock_api **api, om_error *err)
{
    static const om_clock_api *const built_in[] = {&om_clock_cpu, &om_clock_fake};
    for (size_t i = 0; i < sizeof built_in / sizeof built_in[0]; i++)
        if (strcmp(built_in[i]->device_kind, kind) == 0 &&
            (name == NULL || strcmp(built_in[i]->name, name) == 0)) {
            *api = built_in[i];
            return OM_OK;
        }
    if (measure != NULL && measure->api != NULL)
        for (size_t i = 0; i < measure->api->clock_count; i++)
            if (name == NULL || strcmp(measure->api->clocks[i]->name, name) == 0) {
                *api = measure->api->clocks[i];
                return OM_OK;
            }
    if (name == NULL)
        return om__error_set(err, OM_UNSUPPORTED, "no clock for a %s device", kind);
    return om__error_set(err, OM_INVALID, "a %s device has no clock named '%s'", kind, name);
}
