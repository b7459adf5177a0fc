/* SPDX-License-Identifier: Apache-2.0 */
/* export_asv.c: times as a folder of results of airspeed velocity, version 2: one benchmark for
 * each suite, table and provider, its workloads as the values of its one parameter.
 *
 * Records of one file share machine and commit; the samples of several launches follow each other.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "store/export.h"

typedef struct entry {
    const om_record *record;
    char *machine, *commit, *benchmark, *workload; /* owned */
} entry;

/* Letters, digits, - and _; anything else becomes _: names go into paths and Python names. */
static char *clean(const char *text, const char *standard, size_t longest)
{
    char *copy = om__strdup(text == NULL || *text == '\0' ? standard : text);
    for (char *c = copy; c != NULL && *c != '\0'; c++) {
        bool plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
                     (*c >= '0' && *c <= '9') || *c == '-' || *c == '_';
        if (!plain)
            *c = '_';
    }
    if (copy != NULL && strlen(copy) > longest)
        copy[longest] = '\0';
    return copy;
}

static om_status fill_entry(entry *e, const om_record *r, om_error *err)
{
    om_text name = {0}, workload = {0};
    char *suite = clean(r->benchmark.suite, "suite", 64);
    char *table = clean(r->benchmark.table, "table", 64);
    char *provider = clean(r->subject.provider, "provider", 64);
    e->record = r;
    e->machine = clean(r->place.instance, "machine", 64);
    e->commit = clean(r->subject.commit, "unknown", 40);
    if (suite != NULL && table != NULL && provider != NULL)
        om__text_addf(&name, "%s.%s.time_%s", suite, table, provider);
    char *params = om__pairs_format(&r->benchmark.params);
    om__text_addf(&workload, "'%s%s%s%s%s'", r->benchmark.name == NULL ? "" : r->benchmark.name,
                  r->benchmark.pass == NULL ? "" : " ",
                  r->benchmark.pass == NULL ? "" : r->benchmark.pass,
                  params == NULL || params[0] == '\0' ? "" : " ", params == NULL ? "" : params);
    workload.failed = workload.failed || params == NULL;
    free(params);
    free(suite);
    free(table);
    free(provider);
    e->benchmark = name.data;
    e->workload = workload.data;
    if (e->machine == NULL || e->commit == NULL || name.size == 0 || workload.failed)
        return om__error_set(err, OM_NO_MEMORY, "no memory to export");
    return OM_OK;
}

static int compare_entries(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    int order = strcmp(x->machine, y->machine);
    if (order == 0)
        order = strcmp(x->commit, y->commit);
    if (order == 0)
        order = strcmp(x->benchmark, y->benchmark);
    if (order == 0)
        order = strcmp(x->workload, y->workload);
    return order != 0 ? order : (x->record > y->record) - (x->record < y->record);
}

static size_t run_of(const entry *entries, size_t from, size_t to,
                     const char *(*key)(const entry *))
{
    size_t end = from + 1;
    while (end < to && strcmp(key(&entries[end]), key(&entries[from])) == 0)
        end++;
    return end;
}

static const char *by_machine(const entry *e)
{
    return e->machine;
}

static const char *by_commit(const entry *e)
{
    return e->commit;
}

static const char *by_benchmark(const entry *e)
{
    return e->benchmark;
}

static const char *by_workload(const entry *e)
{
    return e->workload;
}

/* The mean of the launches' medians, in seconds: asv keeps one number. */
static double result_of(const entry *entries, size_t from, size_t to)
{
    double sum = 0, factor = 1;
    size_t count = 0;
    for (size_t i = from; i < to; i++) {
        double value = om__export_value(entries[i].record);
        om__export_seconds(entries[i].record->metric.unit, &factor);
        if (isfinite(value)) {
            sum += value * factor;
            count++;
        }
    }
    return count == 0 ? NAN : sum / (double)count;
}

static void put_samples(om_json_out *out, const entry *entries, size_t from, size_t to)
{
    double factor = 1;
    om__json_put_open(out, NULL, '[');
    for (size_t i = from; i < to; i++) {
        const om_record *r = entries[i].record;
        om__export_seconds(r->metric.unit, &factor);
        for (size_t k = 0; r->outcome == OM_OUTCOME_OK && k < r->sample_count; k++)
            if (isfinite(r->samples[k]))
                om__json_put_double(out, NULL, r->samples[k] * factor);
    }
    om__json_put_close(out, ']');
}

static void put_benchmark(om_json_out *out, const entry *entries, size_t from, size_t to)
{
    om__json_put_open(out, entries[from].benchmark, '[');
    om__json_put_open(out, NULL, '[');
    for (size_t i = from; i < to; i = run_of(entries, i, to, by_workload))
        om__json_put_double(out, NULL, result_of(entries, i, run_of(entries, i, to, by_workload)));
    om__json_put_close(out, ']');
    om__json_put_open(out, NULL, '[');
    om__json_put_open(out, NULL, '[');
    for (size_t i = from; i < to; i = run_of(entries, i, to, by_workload))
        om__json_put_text(out, NULL, entries[i].workload);
    om__json_put_close(out, ']');
    om__json_put_close(out, ']');
    om__json_put_text(out, NULL, "1");
    om__json_put_open(out, NULL, '[');
    for (size_t i = from; i < to; i = run_of(entries, i, to, by_workload))
        put_samples(out, entries, i, run_of(entries, i, to, by_workload));
    om__json_put_close(out, ']');
    om__json_put_close(out, ']');
}

static om_status write_at(om_json_out *out, const char *folder, const char *machine,
                          const char *name, om_error *err)
{
    om_text path = {0};
    om_status status = om__text_check(&out->text, err);
    om__text_add(&path, folder);
    if (machine != NULL)
        om__text_addf(&path, "/%s", machine);
    if (status == OM_OK)
        status = om__text_check(&path, err);
    if (status == OM_OK)
        status = om__folder_make(path.data, err);
    om__text_addf(&path, "/%s", name);
    om__text_add_char(&out->text, '\n');
    if (status == OM_OK)
        status = om__text_check(&path, err);
    if (status == OM_OK)
        status = om__file_write(path.data, out->text.data, out->text.size, err);
    om__text_release(&path);
    om__text_release(&out->text);
    return status;
}

/* asv wants the commit's date in ms since 1970; of the commit we know when it was measured. The
 * earliest of its records, and 0 where none says when. */
static int64_t date_of(const entry *entries, size_t from, size_t to)
{
    const char *first = NULL;
    struct tm utc = {0};
    for (size_t i = from; i < to; i++) {
        const char *started = entries[i].record->when.started;
        if (started != NULL && (first == NULL || strcmp(started, first) < 0))
            first = started;
    }
    const char *rest = first != NULL ? strptime(first, "%Y-%m-%dT%H:%M:%S", &utc) : NULL;
    if (rest == NULL)
        return 0;
    int64_t ms = (int64_t)timegm(&utc) * 1000;
    if (*rest == '.')
        ms += (int64_t)(strtod(rest, NULL) * 1000 + 0.5);
    const char *zone = rest + strcspn(rest, "+-");
    int hours, minutes;
    if (sscanf(zone, "%*1[+-]%2d:%2d", &hours, &minutes) == 2)
        ms -= (zone[0] == '-' ? -1 : 1) * ((int64_t)hours * 60 + minutes) * 60000;
    return ms;
}

static om_status write_results(const entry *entries, size_t from, size_t to, const char *folder,
                               om_error *err)
{
    static const char *const columns[] = {"result", "params", "version", "samples"};
    const om_record *r = entries[from].record;
    om_json_out out = {0};
    char name[80];
    om__json_put_open(&out, NULL, '{');
    om__json_put_text(&out, "commit_hash", entries[from].commit);
    om__json_put_text(&out, "env_name", "opmark");
    om__json_put_int(&out, "date", date_of(entries, from, to));
    om__json_put_open(&out, "params", '{');
    om__json_put_text(&out, "machine", entries[from].machine);
    om__json_put_text(&out, "cpu", r->place.machine_class);
    om__json_put_close(&out, '}');
    om__json_put_text(&out, "python", "");
    om__json_put_open(&out, "requirements", '{');
    om__json_put_close(&out, '}');
    om__json_put_open(&out, "env_vars", '{');
    om__json_put_close(&out, '}');
    om__json_put_open(&out, "result_columns", '[');
    for (size_t i = 0; i < 4; i++)
        om__json_put_text(&out, NULL, columns[i]);
    om__json_put_close(&out, ']');
    om__json_put_open(&out, "results", '{');
    for (size_t i = from; i < to;) {
        size_t end = run_of(entries, i, to, by_benchmark);
        put_benchmark(&out, entries, i, end);
        i = end;
    }
    om__json_put_close(&out, '}');
    om__json_put_open(&out, "durations", '{');
    om__json_put_close(&out, '}');
    om__json_put_int(&out, "version", 2);
    om__json_put_close(&out, '}');
    snprintf(name, sizeof name, "%.8s-opmark.json", entries[from].commit);
    return write_at(&out, folder, entries[from].machine, name, err);
}

static om_status write_machine(const entry *e, const char *folder, om_error *err)
{
    om_json_out out = {0};
    om__json_put_open(&out, NULL, '{');
    om__json_put_text(&out, "machine", e->machine);
    om__json_put_text(&out, "cpu", e->record->place.machine_class);
    om__json_put_int(&out, "version", 1);
    om__json_put_close(&out, '}');
    return write_at(&out, folder, e->machine, "machine.json", err);
}

static void put_description(om_json_out *out, const char *name)
{
    om__json_put_open(out, name, '{');
    om__json_put_text(out, "name", name);
    om__json_put_text(out, "type", "time");
    om__json_put_text(out, "unit", "seconds");
    om__json_put_open(out, "param_names", '[');
    om__json_put_text(out, NULL, "workload");
    om__json_put_close(out, ']');
    om__json_put_text(out, "version", "1");
    om__json_put_close(out, '}');
}

/* Benchmarks of several machines and commits are described once. */
static om_status write_descriptions(const entry *entries, size_t count, const char *folder,
                                    om_error *err)
{
    om_json_out out = {0};
    om_pairs seen = {0};
    om_status status = OM_OK;
    om__json_put_open(&out, NULL, '{');
    for (size_t i = 0; i < count && status == OM_OK; i = run_of(entries, i, count, by_benchmark)) {
        if (om__pairs_find(&seen, entries[i].benchmark) != NULL)
            continue;
        put_description(&out, entries[i].benchmark);
        status = om__pairs_set(&seen, entries[i].benchmark, "", err);
    }
    om__json_put_int(&out, "version", 2);
    om__json_put_close(&out, '}');
    om__pairs_release(&seen);
    if (status == OM_OK)
        return write_at(&out, folder, NULL, "benchmarks.json", err);
    om__text_release(&out.text);
    return status;
}

static om_status write_all(const entry *entries, size_t count, const char *folder, om_error *err)
{
    for (size_t m = 0; m < count;) {
        size_t machine_end = run_of(entries, m, count, by_machine);
        OM_TRY(write_machine(&entries[m], folder, err));
        while (m < machine_end) {
            size_t end = run_of(entries, m, machine_end, by_commit);
            OM_TRY(write_results(entries, m, end, folder, err));
            m = end;
        }
    }
    return write_descriptions(entries, count, folder, err);
}

static om_status write_folder(const om_record_set *set, const char *folder, size_t *left_out,
                              om_error *err)
{
    om_status status = OM_OK;
    size_t count = 0;
    double factor;
    entry *entries = calloc(set->count + 1, sizeof *entries);
    if (entries == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory to export");
    *left_out = 0;
    for (size_t i = 0; i < set->count; i++) {
        const om_record *r = &set->items[i];
        if (!om__export_seconds(r->metric.unit, &factor) || r->metric.name == NULL ||
            strcmp(r->metric.name, "time") != 0) {
            ++*left_out;
            continue;
        }
        OM_TRY_OUT(fill_entry(&entries[count++], r, err));
    }
    qsort(entries, count, sizeof *entries, compare_entries);
    if (count > 0)
        status = write_all(entries, count, folder, err);
out:
    for (size_t i = 0; i < count; i++) {
        free(entries[i].machine);
        free(entries[i].commit);
        free(entries[i].benchmark);
        free(entries[i].workload);
    }
    free(entries);
    return status;
}

const om_exporter om_exporter_asv = {
    .name = "asv",
    .summary = "a folder of results of airspeed velocity",
    .write_folder = write_folder,
};
