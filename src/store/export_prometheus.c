/* SPDX-License-Identifier: Apache-2.0 */
/* export_prometheus.c: the text format of Prometheus: the median of each record as a gauge, times
 * in seconds, and whether each row was ok. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "store/export.h"

static void add_label(om_text *out, const char *name, const char *value, bool *first)
{
    if (value == NULL || *value == '\0')
        return;
    om__text_addf(out, "%s%s=\"", *first ? "{" : ",", name);
    *first = false;
    for (const char *c = value; *c != '\0'; c++) {
        if (*c == '\\' || *c == '"')
            om__text_addf(out, "\\%c", *c);
        else if (*c == '\n')
            om__text_add(out, "\\n");
        else
            om__text_add_char(out, *c);
    }
    om__text_add_char(out, '"');
}

static void add_labels(om_text *out, const om_record *r, bool with_metric)
{
    char launch[16], *params = om__pairs_format(&r->benchmark.params);
    bool first = true;
    out->failed = out->failed || params == NULL;
    snprintf(launch, sizeof launch, "%d", r->when.launch);
    add_label(out, "suite", r->benchmark.suite, &first);
    add_label(out, "table", r->benchmark.table, &first);
    add_label(out, "workload", r->benchmark.name, &first);
    add_label(out, "params", params, &first);
    add_label(out, "op", r->benchmark.op, &first);
    add_label(out, "pass", r->benchmark.pass, &first);
    add_label(out, "dtype", r->benchmark.dtype, &first);
    add_label(out, "provider", r->subject.provider, &first);
    add_label(out, "role", om__role_name(r->subject.role), &first);
    add_label(out, "variant", r->subject.variant, &first);
    add_label(out, "commit", r->subject.commit, &first);
    add_label(out, "machine", r->place.machine_class, &first);
    add_label(out, "instance_name", r->place.instance, &first);
    add_label(out, "device", r->place.device, &first);
    add_label(out, "cache", r->method.cache, &first);
    add_label(out, "launch", launch, &first);
    add_label(out, "metric", r->metric.name, &first);
    if (with_metric)
        add_label(out, "unit", r->metric.unit, &first);
    om__text_add(out, "} ");
    free(params);
}

/* One family after the other: the format wants all lines of a name together. */
static size_t add_family(const om_record_set *set, bool times, om_text *out)
{
    size_t lines = 0;
    for (size_t i = 0; i < set->count; i++) {
        const om_record *r = &set->items[i];
        double factor = 1, value = om__export_value(r);
        if (om__export_seconds(r->metric.unit, &factor) != times || !isfinite(value))
            continue;
        if (lines++ == 0)
            om__text_add(out, times ? "# HELP opmark_seconds Median of the samples of a row.\n"
                                      "# TYPE opmark_seconds gauge\n"
                                    : "# HELP opmark_value Median of the samples of a row, in the "
                                      "unit it states.\n# TYPE opmark_value gauge\n");
        om__text_add(out, times ? "opmark_seconds" : "opmark_value");
        add_labels(out, r, !times);
        om__text_addf(out, "%.9g\n", times ? value * factor : value);
    }
    return lines;
}

static om_status write_text(const om_record_set *set, om_text *out, size_t *left_out, om_error *err)
{
    *left_out = set->count - add_family(set, true, out);
    *left_out -= add_family(set, false, out);
    om__text_add(out, "# HELP opmark_ok Whether a row was measured and right.\n"
                      "# TYPE opmark_ok gauge\n");
    for (size_t i = 0; i < set->count; i++) {
        om__text_add(out, "opmark_ok");
        add_labels(out, &set->items[i], false);
        om__text_add(out, set->items[i].outcome == OM_OUTCOME_OK ? "1\n" : "0\n");
    }
    return om__text_check(out, err);
}

const om_exporter om_exporter_prometheus = {
    .name = "prometheus",
    .summary = "text for a Prometheus collector: medians, times in seconds",
    .write = write_text,
};
