/* SPDX-License-Identifier: Apache-2.0 */
/* export_google_benchmark.c: times as JSON of Google Benchmark: every sample is a repetition, so
 * that its compare.py can be used on them. Metrics that are no times are left out. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "store/export.h"

static om_status put_name(om_json_out *out, const om_record *r, om_error *err)
{
    om_text name = {0};
    const char *const parts[] = {r->benchmark.suite, r->benchmark.table,  r->benchmark.name,
                                 r->benchmark.pass,  r->subject.provider, r->subject.variant};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (parts[i] != NULL && parts[i][0] != '\0')
            om__text_addf(&name, "%s%s", name.size == 0 ? "" : "/", parts[i]);
    /* one name a row: what tells rows apart stands in it, in the way the tool writes settings */
    for (size_t i = 0; i < r->benchmark.params.count; i++)
        om__text_addf(&name, "/%s=%s", r->benchmark.params.items[i].key,
                      r->benchmark.params.items[i].value);
    if (r->metric.name != NULL && strcmp(r->metric.name, "time") != 0)
        om__text_addf(&name, "/%s", r->metric.name);
    om_status status = om__text_check(&name, err);
    if (status == OM_OK) {
        om__json_put_text(out, "name", name.data);
        om__json_put_text(out, "run_name", name.data);
    }
    om__text_release(&name);
    return status;
}

static bool same(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

/* The record behind this one where it is its processor time: the format has both in one entry. */
static const om_record *cpu_time_of(const om_record_set *set, size_t at)
{
    const om_record *r = &set->items[at], *next = r + 1;
    if (at + 1 == set->count || !same(r->metric.name, "time") ||
        !same(next->metric.name, "cpu_time") || !same(r->metric.unit, next->metric.unit) ||
        r->sample_count != next->sample_count || r->outcome != next->outcome ||
        r->when.launch != next->when.launch || !same(r->benchmark.name, next->benchmark.name) ||
        !same(r->benchmark.table, next->benchmark.table) ||
        !same(r->benchmark.suite, next->benchmark.suite) ||
        !same(r->subject.provider, next->subject.provider) ||
        !same(r->subject.variant, next->subject.variant) ||
        !om__pairs_equal(&r->benchmark.params, &next->benchmark.params))
        return NULL;
    return next;
}

/* Without a processor time of its own an entry repeats the time: the tool wants both. */
static om_status put_entry(om_json_out *out, const om_record *r, size_t index, double value,
                           double cpu, const char *why, om_error *err)
{
    om__json_put_open(out, NULL, '{');
    OM_TRY(put_name(out, r, err));
    om__json_put_text(out, "run_type", "iteration");
    om__json_put_int(out, "repetitions", (int64_t)(r->sample_count > 0 ? r->sample_count : 1));
    om__json_put_int(out, "repetition_index", (int64_t)index);
    om__json_put_int(out, "threads", 1);
    om__json_put_int(out, "iterations", r->method.inner > 0 ? r->method.inner : 1);
    if (isnan(value)) {
        om__json_put_bool(out, "error_occurred", true);
        om__json_put_text(out, "error_message", why == NULL ? "no value" : why);
        value = 0;
    }
    om__json_put_double(out, "real_time", value);
    om__json_put_double(out, "cpu_time", isnan(cpu) ? value : cpu);
    om__json_put_text(out, "time_unit", r->metric.unit);
    om__json_put_close(out, '}');
    return OM_OK;
}

static om_status put_record(om_json_out *out, const om_record *r, const om_record *cpu,
                            om_error *err)
{
    if (r->sample_count == 0 || r->outcome != OM_OUTCOME_OK)
        return put_entry(out, r, 0, om__export_value(r), cpu != NULL ? om__export_value(cpu) : NAN,
                         r->reason, err);
    for (size_t i = 0; i < r->sample_count; i++)
        OM_TRY(put_entry(out, r, i, r->samples[i], cpu != NULL ? cpu->samples[i] : NAN,
                         r->sample_reasons == NULL ? NULL : r->sample_reasons[i], err));
    return OM_OK;
}

static om_status write_json(const om_record_set *set, om_text *text, size_t *left_out,
                            om_error *err)
{
    om_status status = OM_OK;
    om_json_out out = {.text = *text};
    double factor;
    *left_out = 0;
    om__json_put_open(&out, NULL, '{');
    om__json_put_open(&out, "context", '{');
    om__json_put_text(&out, "date", set->count > 0 ? set->items[0].when.started : NULL);
    om__json_put_text(&out, "host_name", set->count > 0 ? set->items[0].place.instance : NULL);
    om__json_put_text(&out, "executable", "opmark");
    om__json_put_text(&out, "library_build_type", "release");
    om__json_put_close(&out, '}');
    om__json_put_open(&out, "benchmarks", '[');
    for (size_t i = 0; i < set->count; i++) {
        const om_record *r = &set->items[i];
        /* "µs" is written as the tool's own "us" would be; nothing of ours has it. */
        if (!om__export_seconds(r->metric.unit, &factor) || strcmp(r->metric.unit, "µs") == 0) {
            ++*left_out;
            continue;
        }
        const om_record *cpu = cpu_time_of(set, i);
        OM_TRY_OUT(put_record(&out, r, cpu, err));
        i += cpu != NULL;
    }
    om__json_put_close(&out, ']');
    om__json_put_close(&out, '}');
    om__text_add_char(&out.text, '\n');
    status = om__text_check(&out.text, err);
out:
    *text = out.text;
    return status;
}

const om_exporter om_exporter_google_benchmark = {
    .name = "google-benchmark",
    .summary = "JSON of Google Benchmark, every sample a repetition",
    .write = write_json,
};
