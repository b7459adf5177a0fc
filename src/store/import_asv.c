/* SPDX-License-Identifier: Apache-2.0 */
/* import_asv.c: result files of airspeed velocity, version 2: one commit on one machine and
 * environment; a folder of results is read file by file.
 *
 * A benchmark with parameters has one value for each combination, the last parameter varying
 * fastest. Where samples were kept they are taken, else the result itself.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "store/import_asv_names.h"
#include "store/import_rows.h"

#define MOST_COMBINATIONS 100000
#define MOST_PARAMETERS   16

static bool is_result(const om_import_probe *probe)
{
    return om__pairs_find(&probe->keys, "commit_hash") != NULL &&
           om__pairs_find(&probe->keys, "results") != NULL;
}

static bool claims(const om_import_probe *probe)
{
    static const char *const marks[] = {"/benchmarks.json", "/machine.json"};
    char path[4096];
    if (!probe->folder)
        return is_result(probe);
    for (size_t i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s%s", probe->path, marks[i]);
        if (access(path, F_OK) == 0)
            return true;
    }
    return false;
}

/* ---- one benchmark ---- */

typedef struct slice {
    const char *at;
    size_t size;
} slice;

typedef struct benchmark {
    const char *name;
    slice result, params, samples; /* JSON; at NULL: null or not there */
    om_text *values;               /* of all parameters, one after another */
    size_t value_count;
    size_t counts[MOST_PARAMETERS], parameter_count, combinations;
} benchmark;

static om_status start(om_import *im, const slice *from, om_json *json, om_error *err)
{
    om__import_part(im, json, from->at, from->size);
    return om__json_enter(json, '[', err);
}

/* [["10", "100"], ["'a'"]]: the values of each parameter, as text. */
static om_status read_params(om_import *im, benchmark *b, om_error *err)
{
    om_status status = OM_OK;
    om_json json = {0};
    bool more;
    b->value_count = 0;
    b->parameter_count = 0;
    b->combinations = 1;
    if (b->params.at == NULL)
        return OM_OK;
    OM_TRY_OUT(start(im, &b->params, &json, err));
    for (;;) {
        OM_TRY_OUT(om__json_next_item(&json, &more, err));
        if (!more)
            break;
        if (b->parameter_count == MOST_PARAMETERS) {
            status = om__json_fail(&json, err, "%s has more than %d parameters", b->name,
                                   MOST_PARAMETERS);
            goto out;
        }
        size_t count = 0;
        OM_TRY_OUT(om__json_enter(&json, '[', err));
        for (;;) {
            const char *value;
            OM_TRY_OUT(om__json_next_item(&json, &more, err));
            if (!more)
                break;
            om_text *values = realloc(b->values, (b->value_count + 1) * sizeof *values);
            if (values == NULL) {
                status = om__error_set(err, OM_NO_MEMORY, "no memory for parameters");
                goto out;
            }
            b->values = values;
            om_text *place = &values[b->value_count++];
            *place = (om_text){0};
            OM_TRY_OUT(om__json_read_any(&json, &value, NULL, err));
            om__text_add(place, value);
            OM_TRY_OUT(om__text_check(place, err));
            count++;
        }
        b->counts[b->parameter_count++] = count;
        b->combinations *= count;
        if (b->combinations > MOST_COMBINATIONS) {
            status = om__json_fail(&json, err, "%s has more than %d combinations", b->name,
                                   MOST_COMBINATIONS);
            goto out;
        }
    }
out:
    om__json_release(&json);
    return status;
}

static void release_params(benchmark *b)
{
    for (size_t i = 0; i < b->value_count; i++)
        om__text_release(&b->values[i]);
    free(b->values);
    b->values = NULL;
    b->value_count = 0;
    b->parameter_count = 0;
}

static om_status set_params(const benchmark *b, const om_asv_names *names, size_t combination,
                            om_pairs *params, om_error *err)
{
    size_t below = b->combinations, first = 0;
    om__pairs_release(params);
    for (size_t i = 0; i < b->parameter_count; i++) {
        char key[80];
        below /= b->counts[i];
        size_t which = combination / below % b->counts[i];
        om__asv_names_param(names, b->name, i, key, sizeof key);
        OM_TRY(om__import_set(params, key, b->values[first + which].data, err));
        first += b->counts[i];
    }
    return OM_OK;
}

/* What the kind of a benchmark says of its unit: the last part of its name begins with it. */
static void name_metric(const char *name, om_import_row *row)
{
    static const struct {
        const char *prefix, *metric, *unit;
        om_better better;
    } kinds[] = {{"timeraw", "time", "s", OM_BETTER_LOWER},
                 {"time", "time", "s", OM_BETTER_LOWER},
                 {"peakmem", "peak_memory", "B", OM_BETTER_LOWER},
                 {"mem", "memory", "B", OM_BETTER_LOWER}};
    const char *dot = strrchr(name, '.');
    const char *last = dot != NULL ? dot + 1 : name;
    row->metric = "value";
    row->unit = NULL;
    row->better = OM_BETTER_UNKNOWN;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strncasecmp(last, kinds[i].prefix, strlen(kinds[i].prefix)) == 0) {
            row->metric = kinds[i].metric;
            row->unit = kinds[i].unit;
            row->better = kinds[i].better;
            return;
        }
    }
}

/* The samples of a combination as samples, or its result as one. */
static om_status add_combination(om_import *im, om_json *results, om_json *samples,
                                 bool *more_samples, om_import_row *row, om_error *err)
{
    double result;
    const char *why;
    bool any = false, more;
    /* A failure is no fault of the file, however strictly it is read. */
    bool numbers = results->numbers;
    results->numbers = numbers && om__json_peek(results) != OM_JSON_NULL;
    OM_TRY(om__json_read_value(results, &result, &why, err));
    results->numbers = numbers;
    if (*more_samples)
        OM_TRY(om__json_next_item(samples, more_samples, err));
    if (*more_samples && om__json_peek(samples) == OM_JSON_ARRAY) {
        OM_TRY(om__json_enter(samples, '[', err));
        for (;;) {
            OM_TRY(om__json_next_item(samples, &more, err));
            if (!more)
                break;
            OM_TRY(om__json_read_value(samples, &row->value, &row->reason, err));
            OM_TRY(om__import_add(im, row, err));
            any = true;
        }
    } else if (*more_samples) {
        OM_TRY(om__json_skip(samples, NULL, NULL, err));
    }
    if (any)
        return OM_OK;
    row->value = result;
    /* asv writes null for a failure and NaN for a combination it skipped. */
    row->reason = why == NULL                ? NULL
                  : strcmp(why, "null") == 0 ? "failed (null)"
                  : strcmp(why, "nan") == 0  ? "skipped (nan)"
                                             : why;
    row->outcome = why != NULL && strcmp(why, "nan") == 0 ? OM_OUTCOME_SKIPPED : OM_OUTCOME_ERROR;
    return om__import_add(im, row, err);
}

static om_status add_benchmark(om_import *im, const om_asv_names *names, benchmark *b,
                               om_error *err)
{
    om_status status = OM_OK;
    om_json results = {0}, samples = {0};
    om_pairs params = {0};
    bool more, more_samples = b->samples.at != NULL;
    om_import_row row = {.name = b->name, .provider = "asv", .params = &params};
    OM_TRY_OUT(read_params(im, b, err));
    name_metric(b->name, &row);
    if (row.unit == NULL)
        row.unit = om__asv_names_unit(names, b->name);
    if (b->result.at == NULL) {
        row.value = NAN;
        row.reason = "failed (null)";
        OM_TRY_OUT(om__import_add(im, &row, err));
        goto out;
    }
    OM_TRY_OUT(start(im, &b->result, &results, err));
    if (more_samples)
        OM_TRY_OUT(start(im, &b->samples, &samples, err));
    for (size_t i = 0;; i++) {
        OM_TRY_OUT(om__json_next_item(&results, &more, err));
        if (!more)
            break;
        if (i == b->combinations) {
            status = om__error_set_at(err, OM_PARSE, im->path, 0,
                                      "%s has more results than combinations (%zu)", b->name,
                                      b->combinations);
            goto out;
        }
        OM_TRY_OUT(set_params(b, names, i, &params, err));
        OM_TRY_OUT(add_combination(im, &results, &samples, &more_samples, &row, err));
    }
out:
    om__json_release(&results);
    om__json_release(&samples);
    om__pairs_release(&params);
    release_params(b);
    return status;
}

/* ---- one file ---- */

typedef struct columns {
    size_t result, params, samples, started;
} columns;

static om_status read_columns(om_import *im, columns *c, om_error *err)
{
    om_status status = OM_OK;
    om_json json;
    bool found, more;
    *c = (columns){0, 1, SIZE_MAX, SIZE_MAX};
    OM_TRY_OUT(om__import_json_at(im, &json, "result_columns", &found, err));
    if (!found)
        goto out;
    OM_TRY_OUT(om__json_enter(&json, '[', err));
    for (size_t i = 0;; i++) {
        const char *name;
        OM_TRY_OUT(om__json_next_item(&json, &more, err));
        if (!more)
            break;
        OM_TRY_OUT(om__json_read_any(&json, &name, NULL, err));
        if (strcmp(name, "result") == 0)
            c->result = i;
        else if (strcmp(name, "params") == 0)
            c->params = i;
        else if (strcmp(name, "samples") == 0)
            c->samples = i;
    }
out:
    om__json_release(&json);
    return status;
}

/* A row of columns, the last ones left out where they are empty. */
static om_status read_row(om_json *json, const columns *c, benchmark *b, om_error *err)
{
    bool more;
    b->result = b->params = b->samples = (slice){0};
    OM_TRY(om__json_enter(json, '[', err));
    for (size_t i = 0;; i++) {
        slice *into = i == c->result    ? &b->result
                      : i == c->params  ? &b->params
                      : i == c->samples ? &b->samples
                                        : NULL;
        OM_TRY(om__json_next_item(json, &more, err));
        if (!more)
            return OM_OK;
        bool array = om__json_peek(json) == OM_JSON_ARRAY;
        slice here;
        OM_TRY(om__json_skip(json, &here.at, &here.size, err));
        if (into != NULL && array)
            *into = here;
    }
}

static om_status read_results(om_import *im, const columns *c, const om_asv_names *names,
                              om_error *err)
{
    om_status status = OM_OK;
    om_text name = {0};
    benchmark b = {0};
    om_json json;
    bool found;
    OM_TRY_OUT(om__import_json_at(im, &json, "results", &found, err));
    OM_TRY_OUT(om__json_enter(&json, '{', err));
    for (;;) {
        const char *key;
        OM_TRY_OUT(om__json_next_key(&json, &key, err));
        if (key == NULL)
            break;
        om__text_clear(&name);
        om__text_add(&name, key);
        OM_TRY_OUT(om__text_check(&name, err));
        b.name = name.data;
        b.result = b.params = b.samples = (slice){0};
        if (om__json_peek(&json) == OM_JSON_NULL)
            OM_TRY_OUT(om__json_skip(&json, NULL, NULL, err));
        else
            OM_TRY_OUT(read_row(&json, c, &b, err));
        OM_TRY_OUT(add_benchmark(im, names, &b, err));
    }
out:
    om__json_release(&json);
    om__text_release(&name);
    return status;
}

/* The texts and numbers of the file, and those of its "params": the machine. */
static om_status read_head(om_json *json, om_pairs *top, om_error *err)
{
    om_status status = OM_OK;
    om_text name = {0};
    OM_TRY(om__json_enter(json, '{', err));
    for (;;) {
        const char *key, *value;
        OM_TRY_OUT(om__json_next_key(json, &key, err));
        if (key == NULL)
            break;
        om_json_kind kind = om__json_peek(json);
        if (kind == OM_JSON_OBJECT && strcmp(key, "params") == 0) {
            OM_TRY_OUT(om__import_flatten(json, "params", top, err));
        } else if (kind == OM_JSON_OBJECT || kind == OM_JSON_ARRAY || kind == OM_JSON_NULL) {
            OM_TRY_OUT(om__json_skip(json, NULL, NULL, err));
        } else {
            om__text_clear(&name);
            om__text_add(&name, key);
            OM_TRY_OUT(om__text_check(&name, err));
            OM_TRY_OUT(om__json_read_any(json, &value, NULL, err));
            OM_TRY_OUT(om__import_set(top, name.data, value, err));
        }
    }
out:
    om__text_release(&name);
    return status;
}

static om_status fill_common(om_import *im, om_error *err)
{
    om_status status = OM_OK;
    om_pairs top = {0};
    om_json json;
    om_record *c = &im->common;
    double date;
    char when[40];
    om__import_json(im, &json);
    OM_TRY_OUT(read_head(&json, &top, err));
    OM_TRY_OUT(om__json_finish(&json, err));
    const char *version = om__pairs_find(&top, "version");
    if (version == NULL || strcmp(version, "2") != 0) {
        status = om__error_set_at(err, OM_PARSE, im->path, 0,
                                  "asv results of version %s are not known (2 is)",
                                  version == NULL ? "(none)" : version);
        goto out;
    }
    OM_TRY_OUT(om__import_set_text(&c->subject.commit, om__pairs_find(&top, "commit_hash"), err));
    OM_TRY_OUT(
        om__import_set_text(&c->place.machine_class, om__pairs_find(&top, "params.cpu"), err));
    OM_TRY_OUT(
        om__import_set_text(&c->place.instance, om__pairs_find(&top, "params.machine"), err));
    const char *text = om__pairs_find(&top, "date");
    if (text != NULL && om__parse_double(text, &date)) {
        om__import_time(date / 1000, when);
        OM_TRY_OUT(om__import_set_text(&c->when.started, when, err));
    }
    om__pairs_release(&c->place.settings);
    static const char *const settings[] = {"env_name", "params.arch", "params.os", "params.ram",
                                           "params.num_cpu"};
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        const char *value = om__pairs_find(&top, settings[i]);
        const char *dot = strchr(settings[i], '.');
        if (value != NULL)
            OM_TRY_OUT(om__import_set(&c->place.settings, dot != NULL ? dot + 1 : settings[i],
                                      value, err));
    }
out:
    om__json_release(&json);
    om__pairs_release(&top);
    return status;
}

static om_status read_one(om_import *im, om_error *err)
{
    columns c;
    OM_TRY(fill_common(im, err));
    OM_TRY(read_columns(im, &c, err));
    om_asv_names names;
    OM_TRY(om__asv_names_read(im->path, &names, err));
    om_status status = read_results(im, &c, &names, err);
    om__asv_names_release(&names);
    return status;
}

/* ---- a folder ---- */

static om_status read_folder_file(om_import *im, const char *path, om_error *err)
{
    om_status status = OM_OK;
    om_import_text text;
    const char *folder = im->path;
    const om_importer *whose = NULL;
    OM_TRY(om__import_detect(path, &whose, err));
    if (whose != im->importer)
        return OM_OK;
    OM_TRY_OUT(om__import_text_open(path, &text, err));
    im->path = path;
    im->text = text.text;
    im->place = (om_import_place){0};
    im->size = text.size;
    status = read_one(im, err);
out:
    im->path = folder;
    im->text = NULL;
    im->size = 0;
    om__import_text_close(&text);
    return status;
}

static om_status read_any(om_import *im, om_error *err)
{
    om_status status = OM_OK;
    om_pairs files = {0};
    if (im->text != NULL)
        return read_one(im, err);
    OM_TRY_OUT(om__import_list(im->path, ".json", 3, &files, err));
    for (size_t i = 0; i < files.count; i++) {
        const char *slash = strrchr(files.items[i].key, '/');
        if (strcmp(slash, "/benchmarks.json") != 0 && strcmp(slash, "/machine.json") != 0)
            OM_TRY_OUT(read_folder_file(im, files.items[i].key, err));
    }
out:
    om__pairs_release(&files);
    return status;
}

const om_importer om_importer_asv = {
    .name = "asv",
    .summary = "result file, or folder of results, of airspeed velocity",
    .claims = claims,
    .read = read_any,
};
