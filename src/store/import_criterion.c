/* SPDX-License-Identifier: Apache-2.0 */
/* import_criterion.c: what Criterion.rs leaves under target/criterion: BENCHMARK/new/sample.json
 * beside benchmark.json, of 0.3 to 0.7. The folder, or one sample.json, is read.
 *
 * A sample is the time of a number of iterations; it is divided by that number.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "store/import_rows.h"

#define MOST_DEPTH 8

static bool claims(const om_import_probe *probe)
{
    om_pairs files = {0};
    bool found = false;
    if (!probe->folder)
        return om__pairs_find(&probe->keys, "sampling_mode") != NULL &&
               om__pairs_find(&probe->keys, "iters") != NULL &&
               om__pairs_find(&probe->keys, "times") != NULL;
    if (om__import_list(probe->path, "/new/sample.json", MOST_DEPTH, &files, NULL) == OM_OK)
        found = files.count > 0;
    om__pairs_release(&files);
    return found;
}

/* group_id, function_id and value_str of benchmark.json; the names of the folders without it. */
static om_status read_names(const char *sample, om_text *table, om_text *name, om_pairs *params,
                            om_error *err)
{
    om_status status = OM_OK;
    om_import_text text = {0};
    om_text path = {0};
    om_pairs facts = {0};
    om_json json = {0};
    const char *slash = strrchr(sample, '/');
    om__text_add_bytes(&path, sample, slash == NULL ? 0 : (size_t)(slash - sample) + 1);
    om__text_add(&path, "benchmark.json");
    OM_TRY_OUT(om__text_check(&path, err));
    if (om__import_text_open(path.data, &text, NULL) == OM_OK) {
        om__json_init(&json, text.text, text.size, path.data, 1);
        OM_TRY_OUT(om__import_flatten(&json, "", &facts, err));
    }
    const char *group = om__pairs_find(&facts, "group_id");
    const char *function = om__pairs_find(&facts, "function_id");
    const char *value = om__pairs_find(&facts, "value_str");
    om__text_clear(table);
    om__text_clear(name);
    om__text_add(table, group != NULL ? group : "");
    om__text_add(name, function != NULL ? function : group != NULL ? group : sample);
    if (value != NULL)
        OM_TRY_OUT(om__import_set(params, "value", value, err));
    status = om__text_check(name, err);
out:
    om__json_release(&json);
    om__pairs_release(&facts);
    om__text_release(&path);
    om__import_text_close(&text);
    return status;
}

/* Both lists in step; each sample is times[i] / iters[i]. */
static om_status add_samples(om_import *im, om_import_row *row, om_error *err)
{
    om_status status = OM_OK;
    om_json times, iters = {0};
    bool found, more, more_iters;
    OM_TRY_OUT(om__import_json_at(im, &times, "times", &found, err));
    OM_TRY_OUT(om__import_json_at(im, &iters, "iters", &found, err));
    OM_TRY_OUT(om__json_enter(&times, '[', err));
    OM_TRY_OUT(om__json_enter(&iters, '[', err));
    for (;;) {
        double time, count;
        const char *count_reason;
        OM_TRY_OUT(om__json_next_item(&times, &more, err));
        OM_TRY_OUT(om__json_next_item(&iters, &more_iters, err));
        if (more != more_iters) {
            status = om__json_fail(&times, err, "\"times\" and \"iters\" differ in length");
            goto out;
        }
        if (!more)
            break;
        OM_TRY_OUT(om__json_read_value(&times, &time, &row->reason, err));
        OM_TRY_OUT(om__json_read_value(&iters, &count, &count_reason, err));
        if (row->reason == NULL && (count_reason != NULL || !(count >= 1)))
            row->reason = "0 iterations";
        row->value = row->reason == NULL ? time / count : NAN;
        OM_TRY_OUT(om__import_add(im, row, err));
    }
out:
    om__json_release(&times);
    om__json_release(&iters);
    return status;
}

static om_status read_one(om_import *im, om_error *err)
{
    om_status status = OM_OK;
    om_text table = {0}, name = {0};
    om_pairs params = {0};
    OM_TRY_OUT(read_names(im->path, &table, &name, &params, err));
    om_import_row row = {.table = table.size > 0 ? table.data : NULL,
                         .name = name.data,
                         .params = &params,
                         .provider = "criterion",
                         .metric = "time",
                         .unit = "ns",
                         .better = OM_BETTER_LOWER};
    status = add_samples(im, &row, err);
out:
    om__text_release(&table);
    om__text_release(&name);
    om__pairs_release(&params);
    return status;
}

static om_status read_folder_file(om_import *im, const char *path, om_error *err)
{
    om_import_text text;
    const char *folder = im->path;
    om_status status = om__import_text_open(path, &text, err);
    if (status == OM_OK) {
        im->path = path;
        im->text = text.text;
        im->place = (om_import_place){0};
        im->size = text.size;
        status = read_one(im, err);
    }
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
    OM_TRY_OUT(om__import_list(im->path, "/new/sample.json", MOST_DEPTH, &files, err));
    for (size_t i = 0; i < files.count; i++)
        OM_TRY_OUT(read_folder_file(im, files.items[i].key, err));
out:
    om__pairs_release(&files);
    return status;
}

const om_importer om_importer_criterion = {
    .name = "criterion",
    .summary = "folder target/criterion, or one sample.json, of Criterion.rs",
    .claims = claims,
    .read = read_any,
};
