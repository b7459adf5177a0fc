/* SPDX-License-Identifier: Apache-2.0 */
/* export_csv.c: one line a sample, in the columns that `opmark compare` reads from any table. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/csv.h"
#include "base/error.h"
#include "store/export.h"

static const char *const columns[] = {"suite",  "table",   "case",   "pass",  "params",
                                      "impl",   "machine", "device", "run",   "launch",
                                      "sample", "metric",  "unit",   "value", "reason"};
#define COLUMNS (sizeof columns / sizeof columns[0])

static void put_row(om_text *out, const char *const *cells)
{
    for (size_t i = 0; i < COLUMNS; i++) {
        if (i > 0)
            om__text_add_char(out, ',');
        om__csv_add_cell(out, cells[i] == NULL ? "" : cells[i], false);
    }
    om__text_add_char(out, '\n');
}

/* The shortest text that reads back as the same number. */
static void format_value(double value, char text[40])
{
    text[0] = '\0';
    for (int digits = 6; isfinite(value) && digits <= 17; digits++) {
        snprintf(text, 40, "%.*g", digits, value);
        if ((float)strtod(text, NULL) == (float)value)
            break;
    }
}

static om_status write_record(const om_record *r, om_text *out, om_error *err)
{
    char launch[16], sample[24], value[40];
    char *params = om__pairs_format(&r->benchmark.params);
    if (params == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for a record");
    snprintf(launch, sizeof launch, "%d", r->when.launch);
    const char *cells[COLUMNS] = {r->benchmark.suite,
                                  r->benchmark.table,
                                  r->benchmark.name,
                                  r->benchmark.pass,
                                  params,
                                  r->subject.provider,
                                  r->place.machine_class,
                                  r->place.device,
                                  r->when.run,
                                  launch,
                                  sample,
                                  r->metric.name,
                                  r->metric.unit,
                                  value,
                                  r->reason};
    /* Samples that expired, or never were, leave the median, under no number. */
    if (r->sample_count == 0) {
        sample[0] = '\0';
        format_value(om__export_value(r), value);
        put_row(out, cells);
    }
    for (size_t i = 0; i < r->sample_count; i++) {
        const char *why = r->sample_reasons == NULL ? NULL : r->sample_reasons[i];
        snprintf(sample, sizeof sample, "%zu", i);
        format_value(r->samples[i], value);
        cells[COLUMNS - 1] = why != NULL ? why : r->reason;
        put_row(out, cells);
    }
    free(params);
    return OM_OK;
}

static om_status write_csv(const om_record_set *set, om_text *out, size_t *left_out, om_error *err)
{
    *left_out = 0;
    put_row(out, columns);
    for (size_t i = 0; i < set->count; i++)
        OM_TRY(write_record(&set->items[i], out, err));
    return om__text_check(out, err);
}

const om_exporter om_exporter_csv = {
    .name = "csv",
    .summary = "a table, one line a sample",
    .write = write_csv,
};
