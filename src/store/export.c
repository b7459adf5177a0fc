/* SPDX-License-Identifier: Apache-2.0 */
/* export.c: the list of exporters and what they share. */
#include "store/export.h"

#include <math.h>
#include <string.h>

#define OM_EXPORTER(name) extern const om_exporter name;
#include "store/exporters.def"
#undef OM_EXPORTER

static const om_exporter *const exporters[] = {
#define OM_EXPORTER(name) &name,
#include "store/exporters.def"
#undef OM_EXPORTER
};
#define EXPORTERS (sizeof exporters / sizeof exporters[0])

const om_exporter *const *om__exporters_get(size_t *count)
{
    *count = EXPORTERS;
    return exporters;
}

const om_exporter *om__exporter_find(const char *name)
{
    for (size_t i = 0; i < EXPORTERS; i++)
        if (strcmp(exporters[i]->name, name) == 0)
            return exporters[i];
    return NULL;
}

bool om__export_seconds(const char *unit, double *factor)
{
    static const struct {
        const char *unit;
        double factor;
    } units[] = {{"ns", 1e-9}, {"us", 1e-6}, {"µs", 1e-6}, {"ms", 1e-3}, {"s", 1}};
    for (size_t i = 0; unit != NULL && i < sizeof units / sizeof units[0]; i++) {
        if (strcmp(unit, units[i].unit) == 0) {
            *factor = units[i].factor;
            return true;
        }
    }
    return false;
}

double om__export_value(const om_record *record)
{
    return record->outcome == OM_OUTCOME_OK ? record->summary.median : NAN;
}
