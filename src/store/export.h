/* SPDX-License-Identifier: Apache-2.0 */
/* export.h: records in the formats of other tools. */
#ifndef OM_STORE_EXPORT_H
#define OM_STORE_EXPORT_H

#include "base/text.h"
#include "record/record.h"

typedef struct om_exporter {
    const char *name;    /* "csv" */
    const char *summary; /* one line */
    /* Exactly one of the two. *left_out counts the records that the format cannot hold. */
    om_status (*write)(const om_record_set *set, om_text *out, size_t *left_out, om_error *err);
    om_status (*write_folder)(const om_record_set *set, const char *folder, size_t *left_out,
                              om_error *err);
} om_exporter;

const om_exporter *const *om__exporters_get(size_t *count);
const om_exporter *om__exporter_find(const char *name); /* NULL: none of that name */

/* ---- shared by exporters ---- */

/* The factor to seconds; false for what is no time. */
bool om__export_seconds(const char *unit, double *factor);
/* The value that stands for a record: the median of its samples. NaN: none. */
double om__export_value(const om_record *record);

#endif
