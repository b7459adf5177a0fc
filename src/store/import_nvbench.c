/* SPDX-License-Identifier: Apache-2.0 */
/* import_nvbench.c: the JSON of nvbench, file version 1 (--json), with its binary samples
 * (--jsonbin): float32 seconds in little-endian order, in files beside the JSON.
 *
 * Without binary samples the mean of the cold (isolated) measurements is one value.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "store/import_rows.h"

#define MOST_SAMPLES ((size_t)1 << 24)

static bool claims(const om_import_probe *probe)
{
    return om__pairs_find(&probe->keys, "meta") != NULL &&
           om__pairs_find(&probe->keys, "devices") != NULL &&
           om__pairs_find(&probe->keys, "benchmarks") != NULL;
}

typedef struct state {
    om_text device, reason;
    om_pairs axes;   /* name → value */
    om_pairs values; /* tag → value, of those with one */
    om_text binary;  /* file of the samples; empty: none */
    int64_t binary_count;
    bool skipped;
} state;

static void state_clear(state *s)
{
    om__text_clear(&s->device);
    om__text_clear(&s->reason);
    om__text_clear(&s->binary);
    om__pairs_release(&s->axes);
    om__pairs_release(&s->values);
    s->binary_count = -1;
    s->skipped = false;
}

static void state_release(state *s)
{
    state_clear(s);
    om__text_release(&s->device);
    om__text_release(&s->reason);
    om__text_release(&s->binary);
}

static om_status set_text(om_text *text, om_json *json, om_error *err)
{
    const char *value;
    om__text_clear(text);
    OM_TRY(om__json_read_any(json, &value, NULL, err));
    om__text_add(text, value);
    return om__text_check(text, err);
}

/* {"name": "Elements", "type": "int64", "value": "1024"} */
static om_status read_axis(om_json *json, state *s, om_error *err)
{
    om_pairs facts = {0};
    om_status status = om__import_flatten(json, "", &facts, err);
    const char *name = om__pairs_find(&facts, "name");
    const char *value = om__pairs_find(&facts, "value");
    if (status == OM_OK && name != NULL && value != NULL)
        status = om__import_set(&s->axes, name, value, err);
    om__pairs_release(&facts);
    return status;
}

/* {"tag": …, "hint": …, "data": [{"name": "value", "value": "3.5e-05"}, …]} */
static om_status read_summary(om_json *json, state *s, om_error *err)
{
    om_status status = OM_OK;
    om_text tag = {0}, hint = {0};
    om_pairs data = {0};
    bool more;
    OM_TRY_OUT(om__json_enter(json, '{', err));
    for (;;) {
        const char *key;
        OM_TRY_OUT(om__json_next_key(json, &key, err));
        if (key == NULL)
            break;
        if (strcmp(key, "tag") == 0) {
            OM_TRY_OUT(set_text(&tag, json, err));
        } else if (strcmp(key, "hint") == 0) {
            OM_TRY_OUT(set_text(&hint, json, err));
        } else if (strcmp(key, "data") == 0 && om__json_peek(json) == OM_JSON_ARRAY) {
            OM_TRY_OUT(om__json_enter(json, '[', err));
            for (;;) {
                om_pairs facts = {0};
                OM_TRY_OUT(om__json_next_item(json, &more, err));
                if (!more)
                    break;
                status = om__import_flatten(json, "", &facts, err);
                const char *name = om__pairs_find(&facts, "name");
                const char *value = om__pairs_find(&facts, "value");
                if (status == OM_OK && name != NULL && value != NULL)
                    status = om__import_set(&data, name, value, err);
                om__pairs_release(&facts);
                if (status != OM_OK)
                    goto out;
            }
        } else {
            OM_TRY_OUT(om__json_skip(json, NULL, NULL, err));
        }
    }
    const char *value = om__pairs_find(&data, "value");
    const char *file = om__pairs_find(&data, "filename");
    const char *count = om__pairs_find(&data, "size");
    if (hint.size > 0 && strcmp(hint.data, "file/sample_times") == 0 && file != NULL) {
        om__text_clear(&s->binary);
        om__text_add(&s->binary, file);
        if (count != NULL && !om__parse_int64(count, &s->binary_count))
            s->binary_count = -1;
        OM_TRY_OUT(om__text_check(&s->binary, err));
    } else if (tag.size > 0 && value != NULL) {
        OM_TRY_OUT(om__import_set(&s->values, tag.data, value, err));
    }
out:
    om__text_release(&tag);
    om__text_release(&hint);
    om__pairs_release(&data);
    return status;
}

static om_status read_list(om_json *json, state *s,
                           om_status (*read)(om_json *json, state *s, om_error *err), om_error *err)
{
    bool more;
    if (om__json_peek(json) != OM_JSON_ARRAY)
        return om__json_skip(json, NULL, NULL, err);
    OM_TRY(om__json_enter(json, '[', err));
    for (;;) {
        OM_TRY(om__json_next_item(json, &more, err));
        if (!more)
            return OM_OK;
        OM_TRY(read(json, s, err));
    }
}

static om_status read_state(om_json *json, state *s, om_error *err)
{
    state_clear(s);
    OM_TRY(om__json_enter(json, '{', err));
    for (;;) {
        const char *key, *value;
        OM_TRY(om__json_next_key(json, &key, err));
        if (key == NULL)
            return OM_OK;
        if (strcmp(key, "device") == 0) {
            OM_TRY(set_text(&s->device, json, err));
        } else if (strcmp(key, "axis_values") == 0) {
            OM_TRY(read_list(json, s, read_axis, err));
        } else if (strcmp(key, "summaries") == 0) {
            OM_TRY(read_list(json, s, read_summary, err));
        } else if (strcmp(key, "skip_reason") == 0) {
            OM_TRY(set_text(&s->reason, json, err));
        } else if (strcmp(key, "is_skipped") == 0) {
            OM_TRY(om__json_read_any(json, &value, NULL, err));
            s->skipped = strcmp(value, "true") == 0;
        } else {
            OM_TRY(om__json_skip(json, NULL, NULL, err));
        }
    }
}

/* A relative name is looked for beside the JSON file, whatever folder nvbench ran in; names that
 * lead out of that folder are not followed. */
static om_status open_binary(const om_import *im, const state *s, om_import_text *text,
                             om_error *err)
{
    om_text path = {0};
    om_status status;
    const char *slash = strrchr(im->path, '/');
    const char *name = s->binary.data;
    size_t folder = slash == NULL ? 0 : (size_t)(slash - im->path) + 1;
    /* nvbench writes "out.json-bin/0.bin" relative to where it ran: its last two parts count. */
    const char *last = strrchr(name, '/');
    if (last != NULL && last > name) {
        const char *before = last - 1;
        while (before > name && before[-1] != '/')
            before--;
        name = before;
    }
    if (strstr(name, "..") != NULL)
        return om__error_set_at(err, OM_PARSE, im->path, 0, "a file of samples named %s",
                                s->binary.data);
    om__text_add_bytes(&path, im->path, folder);
    om__text_add(&path, name);
    status = om__text_check(&path, err);
    if (status == OM_OK)
        status = om__import_text_open(path.data, text, err);
    om__text_release(&path);
    return status;
}

static om_status add_binary(om_import *im, const state *s, om_import_row *row, om_error *err)
{
    om_status status = OM_OK;
    om_import_text text = {0};
    OM_TRY_OUT(open_binary(im, s, &text, err));
    size_t count = text.size / sizeof(float);
    if (text.size % sizeof(float) != 0 || count > MOST_SAMPLES ||
        (s->binary_count >= 0 && (size_t)s->binary_count != count)) {
        status = om__error_set_at(err, OM_PARSE, im->path, 0,
                                  "%s holds %zu bytes where %lld samples are announced",
                                  s->binary.data, text.size, (long long)s->binary_count);
        goto out;
    }
    for (size_t i = 0; i < count; i++) {
        float value;
        memcpy(&value, text.text + i * sizeof value, sizeof value);
        row->value = value;
        row->reason = isfinite(value) ? NULL : isnan(value) ? "nan" : "infinite";
        OM_TRY_OUT(om__import_add(im, row, err));
    }
out:
    om__import_text_close(&text);
    return status;
}

static om_status add_state(om_import *im, const char *name, const state *s, om_error *err)
{
    om_import_row row = {.name = name,
                         .params = &s->axes,
                         .provider = "nvbench",
                         .metric = "time",
                         .unit = "s",
                         .better = OM_BETTER_LOWER,
                         .inner = 1};
    if (s->skipped) {
        row.value = NAN;
        row.reason = s->reason.size > 0 ? s->reason.data : "skipped without a reason";
        row.outcome = OM_OUTCOME_SKIPPED;
        return om__import_add(im, &row, err);
    }
    if (s->binary.size > 0)
        return add_binary(im, s, &row, err);
    const char *mean = om__pairs_find(&s->values, "nv/cold/time/gpu/mean");
    const char *cpu_only = om__pairs_find(&s->values, "nv/cpu_only/time/cpu/mean");
    row.derivation = mean != NULL ? "mean of cold runs" : "mean of CPU times";
    mean = mean != NULL ? mean : cpu_only;
    if (mean == NULL) {
        row.derivation = NULL;
        row.value = NAN;
        row.reason = "no cold measurement";
        return om__import_add(im, &row, err);
    }
    if (!om__parse_double(mean, &row.value)) {
        row.value = NAN;
        row.reason = strcasestr(mean, "nan") != NULL ? "nan" : "not a number";
    }
    return om__import_add(im, &row, err);
}

/* Names of devices by their number. */
static om_status read_devices(om_import *im, om_pairs *devices, om_error *err)
{
    om_status status = OM_OK;
    om_json json;
    bool found, more;
    OM_TRY_OUT(om__import_json_at(im, &json, "devices", &found, err));
    OM_TRY_OUT(om__json_enter(&json, '[', err));
    for (;;) {
        om_pairs facts = {0};
        OM_TRY_OUT(om__json_next_item(&json, &more, err));
        if (!more)
            break;
        status = om__import_flatten(&json, "", &facts, err);
        const char *id = om__pairs_find(&facts, "id"), *name = om__pairs_find(&facts, "name");
        if (status == OM_OK && id != NULL && name != NULL)
            status = om__import_set(devices, id, name, err);
        om__pairs_release(&facts);
        if (status != OM_OK)
            goto out;
    }
out:
    om__json_release(&json);
    return status;
}

static om_status check_version(om_import *im, om_error *err)
{
    om_status status = OM_OK;
    om_pairs meta = {0};
    om_json json;
    bool found;
    OM_TRY_OUT(om__import_json_at(im, &json, "meta", &found, err));
    OM_TRY_OUT(om__import_flatten(&json, "", &meta, err));
    const char *major = om__pairs_find(&meta, "version.json.major");
    const char *tool = om__pairs_find(&meta, "version.nvbench.string");
    if (major == NULL || strcmp(major, "1") != 0) {
        status = om__error_set_at(err, OM_PARSE, im->path, 0,
                                  "nvbench files of version %s are not known (1 is)",
                                  major == NULL ? "(none)" : major);
        goto out;
    }
    status = om__import_set_text(&im->common.method.harness, tool, err);
out:
    om__json_release(&json);
    om__pairs_release(&meta);
    return status;
}

static om_status read_states(om_import *im, om_json *json, const char *name,
                             const om_pairs *devices, om_error *err)
{
    om_status status = OM_OK;
    state s = {0};
    bool more;
    OM_TRY_OUT(om__json_enter(json, '[', err));
    for (;;) {
        OM_TRY_OUT(om__json_next_item(json, &more, err));
        if (!more)
            break;
        OM_TRY_OUT(read_state(json, &s, err));
        const char *device = s.device.size > 0 ? om__pairs_find(devices, s.device.data) : NULL;
        OM_TRY_OUT(om__import_set_text(&im->common.place.machine_class, device, err));
        OM_TRY_OUT(om__import_set_text(&im->common.place.device, device, err));
        OM_TRY_OUT(add_state(im, name, &s, err));
    }
out:
    state_release(&s);
    return status;
}

/* "name" stands before "states" in every file of nvbench; a file where it does not is refused. */
static om_status read_benchmark(om_import *im, om_json *json, const om_pairs *devices,
                                om_error *err)
{
    om_status status = OM_OK;
    om_text name = {0};
    OM_TRY_OUT(om__json_enter(json, '{', err));
    for (;;) {
        const char *key;
        OM_TRY_OUT(om__json_next_key(json, &key, err));
        if (key == NULL)
            break;
        if (strcmp(key, "name") == 0) {
            OM_TRY_OUT(set_text(&name, json, err));
        } else if (strcmp(key, "states") == 0) {
            if (name.size == 0) {
                status = om__json_fail(json, err, "a benchmark without a name");
                goto out;
            }
            OM_TRY_OUT(read_states(im, json, name.data, devices, err));
        } else {
            OM_TRY_OUT(om__json_skip(json, NULL, NULL, err));
        }
    }
out:
    om__text_release(&name);
    return status;
}

static om_status read_file(om_import *im, om_error *err)
{
    om_status status = OM_OK;
    om_pairs devices = {0};
    om_json json = {0};
    bool found, more;
    OM_TRY_OUT(check_version(im, err));
    OM_TRY_OUT(read_devices(im, &devices, err));
    OM_TRY_OUT(om__import_json_at(im, &json, "benchmarks", &found, err));
    OM_TRY_OUT(om__json_enter(&json, '[', err));
    for (;;) {
        OM_TRY_OUT(om__json_next_item(&json, &more, err));
        if (!more)
            break;
        OM_TRY_OUT(read_benchmark(im, &json, &devices, err));
    }
out:
    om__json_release(&json);
    om__pairs_release(&devices);
    return status;
}

const om_importer om_importer_nvbench = {
    .name = "nvbench",
    .summary = "JSON of nvbench (--json, --jsonbin)",
    .claims = claims,
    .read = read_file,
};
