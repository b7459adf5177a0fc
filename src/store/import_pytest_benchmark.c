/* SPDX-License-Identifier: Apache-2.0 */
/* import_pytest_benchmark.c: the JSON of pytest-benchmark (--benchmark-json), 3.x to 5.x.
 *
 * With --benchmark-save-data every round is a sample; without, the median of the rounds is one.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "store/import_rows.h"

static bool claims(const om_import_probe *probe)
{
    return om__pairs_find(&probe->keys, "machine_info") != NULL &&
           om__pairs_find(&probe->keys, "benchmarks") != NULL;
}

typedef struct bench {
    om_text name, group;
    om_pairs params;
    double median;
    const char *reason;
    int64_t rounds, iterations;
    const char *data; /* where the array of rounds stands; NULL: not saved */
    size_t data_size;
} bench;

static om_status read_text(om_json *json, om_text *text, om_error *err)
{
    const char *value;
    om__text_clear(text);
    if (om__json_peek(json) == OM_JSON_NULL)
        return om__json_skip(json, NULL, NULL, err);
    OM_TRY(om__json_read_any(json, &value, NULL, err));
    om__text_add(text, value);
    return om__text_check(text, err);
}

static om_status read_stats(om_json *json, bench *b, om_error *err)
{
    OM_TRY(om__json_enter(json, '{', err));
    for (;;) {
        const char *key, *value, *reason;
        double number;
        OM_TRY(om__json_next_key(json, &key, err));
        if (key == NULL)
            return OM_OK;
        if (strcmp(key, "data") == 0 && om__json_peek(json) == OM_JSON_ARRAY) {
            OM_TRY(om__json_skip(json, &b->data, &b->data_size, err));
        } else if (strcmp(key, "median") == 0) {
            OM_TRY(om__json_read_value(json, &b->median, &b->reason, err));
        } else if (strcmp(key, "rounds") == 0 || strcmp(key, "iterations") == 0) {
            bool rounds = key[0] == 'r';
            OM_TRY(om__json_read_value(json, &number, &reason, err));
            if (reason == NULL && number >= 0 && number < 1e15)
                *(rounds ? &b->rounds : &b->iterations) = (int64_t)number;
        } else {
            OM_TRY(om__json_read_any(json, &value, NULL, err));
        }
    }
}

static om_status read_bench(om_json *json, bench *b, om_error *err)
{
    om__text_clear(&b->name);
    om__text_clear(&b->group);
    om__pairs_release(&b->params);
    b->median = NAN;
    b->reason = "missing";
    b->rounds = b->iterations = 0;
    b->data = NULL;
    OM_TRY(om__json_enter(json, '{', err));
    for (;;) {
        const char *key;
        OM_TRY(om__json_next_key(json, &key, err));
        if (key == NULL)
            break;
        if (strcmp(key, "fullname") == 0 || (strcmp(key, "name") == 0 && b->name.size == 0))
            OM_TRY(read_text(json, &b->name, err));
        else if (strcmp(key, "group") == 0)
            OM_TRY(read_text(json, &b->group, err));
        else if (strcmp(key, "params") == 0 && om__json_peek(json) == OM_JSON_OBJECT)
            OM_TRY(om__import_flatten(json, "", &b->params, err));
        else if (strcmp(key, "stats") == 0)
            OM_TRY(read_stats(json, b, err));
        else
            OM_TRY(om__json_skip(json, NULL, NULL, err));
    }
    return b->name.size > 0 ? OM_OK : om__json_fail(json, err, "a benchmark without a name");
}

static om_status add_rounds(om_import *im, const bench *b, om_import_row *row, om_error *err)
{
    om_status status = OM_OK;
    om_json json;
    bool more;
    om__import_part(im, &json, b->data, b->data_size);
    OM_TRY_OUT(om__json_enter(&json, '[', err));
    for (;;) {
        OM_TRY_OUT(om__json_next_item(&json, &more, err));
        if (!more)
            break;
        OM_TRY_OUT(om__json_read_value(&json, &row->value, &row->reason, err));
        OM_TRY_OUT(om__import_add(im, row, err));
    }
out:
    om__json_release(&json);
    return status;
}

static om_status add_bench(om_import *im, const bench *b, om_error *err)
{
    char derivation[60];
    om_import_row row = {.table = b->group.size > 0 ? b->group.data : NULL,
                         .name = b->name.data,
                         .params = &b->params,
                         .provider = "pytest-benchmark",
                         .metric = "time",
                         .unit = "s",
                         .better = OM_BETTER_LOWER,
                         .inner = b->iterations,
                         .value = b->median,
                         .reason = b->reason};
    if (b->data != NULL)
        return add_rounds(im, b, &row, err);
    snprintf(derivation, sizeof derivation, "median of %lld rounds", (long long)b->rounds);
    row.derivation = derivation;
    return om__import_add(im, &row, err);
}

static om_status fill_common(om_import *im, const om_pairs *top, om_error *err)
{
    om_record *c = &im->common;
    const char *version = om__pairs_find(top, "version");
    const char *cpu = om__pairs_find(top, "machine_info.cpu.brand_raw");
    const char *commit = om__pairs_find(top, "commit_info.id");
    if (version != NULL && (version[0] < '3' || version[0] > '5' || version[1] != '.'))
        return om__error_set_at(err, OM_PARSE, im->path, 0,
                                "pytest-benchmark %s is not known (3 to 5 are)", version);
    if (cpu == NULL)
        cpu = om__pairs_find(top, "machine_info.cpu.brand");
    if (commit != NULL && strcmp(commit, "unknown") != 0)
        OM_TRY(om__import_set_text(&c->subject.commit, commit, err));
    OM_TRY(om__import_set_text(&c->place.machine_class, cpu, err));
    OM_TRY(om__import_set_text(&c->place.instance, om__pairs_find(top, "machine_info.node"), err));
    OM_TRY(om__import_set_text(&c->when.started, om__pairs_find(top, "datetime"), err));
    OM_TRY(om__import_set_text(&c->method.harness, version, err));
    static const char *const settings[] = {"machine_info.python_version",
                                           "machine_info.python_implementation",
                                           "machine_info.system", "commit_info.dirty"};
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        const char *value = om__pairs_find(top, settings[i]);
        if (value != NULL)
            OM_TRY(om__import_set(&c->place.settings, strchr(settings[i], '.') + 1, value, err));
    }
    return OM_OK;
}

static om_status read_file(om_import *im, om_error *err)
{
    om_status status = OM_OK;
    om_pairs top = {0};
    bench b = {0};
    om_json json;
    bool found, more;
    om__import_json(im, &json);
    OM_TRY_OUT(om__import_flatten(&json, "", &top, err)); /* leaves the benchmarks out */
    OM_TRY_OUT(om__json_finish(&json, err));
    OM_TRY_OUT(fill_common(im, &top, err));
    om__json_release(&json);
    OM_TRY_OUT(om__import_json_at(im, &json, "benchmarks", &found, err));
    OM_TRY_OUT(om__json_enter(&json, '[', err));
    for (;;) {
        OM_TRY_OUT(om__json_next_item(&json, &more, err));
        if (!more)
            break;
        OM_TRY_OUT(read_bench(&json, &b, err));
        OM_TRY_OUT(add_bench(im, &b, err));
    }
out:
    om__json_release(&json);
    om__pairs_release(&top);
    om__pairs_release(&b.params);
    om__text_release(&b.name);
    om__text_release(&b.group);
    return status;
}

const om_importer om_importer_pytest_benchmark = {
    .name = "pytest-benchmark",
    .summary = "JSON of pytest-benchmark (--benchmark-json)",
    .claims = claims,
    .read = read_file,
};
