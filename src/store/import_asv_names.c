/* SPDX-License-Identifier: Apache-2.0 */
/* import_asv_names.c: reading benchmarks.json of airspeed velocity. */
#include "store/import_asv_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "store/import_rows.h"

#define MOST_BENCHMARKS 20000

/* Benchmarks come once each, so nothing is searched. */
static om_status append(om_pairs *pairs, const char *key, const char *value, om_error *err)
{
    if (pairs->count == pairs->capacity) {
        size_t capacity = pairs->capacity == 0 ? 64 : pairs->capacity * 2;
        om_pair *items = realloc(pairs->items, capacity * sizeof *items);
        if (items == NULL)
            return om__error_set(err, OM_NO_MEMORY, "no memory for %zu benchmarks", capacity);
        pairs->items = items;
        pairs->capacity = capacity;
    }
    om_pair *pair = &pairs->items[pairs->count++];
    *pair = (om_pair){om__strdup(key), om__strdup(value)};
    return pair->key == NULL || pair->value == NULL
               ? om__error_set(err, OM_NO_MEMORY, "no memory for benchmarks")
               : OM_OK;
}

static om_status read_list(om_json *json, om_text *list, om_error *err)
{
    OM_TRY(om__json_enter(json, '[', err));
    for (bool more;;) {
        const char *name;
        OM_TRY(om__json_next_item(json, &more, err));
        if (!more)
            return OM_OK;
        OM_TRY(om__json_read_any(json, &name, NULL, err));
        om__text_addf(list, "%s\n", name);
    }
}

static om_status read_benchmark(om_json *json, const char *benchmark, om_asv_names *names,
                                om_error *err)
{
    om_status status = OM_OK;
    om_text list = {0};
    OM_TRY(om__json_enter(json, '{', err));
    for (;;) {
        const char *key, *unit;
        OM_TRY_OUT(om__json_next_key(json, &key, err));
        if (key == NULL)
            break;
        om_json_kind kind = om__json_peek(json);
        if (kind == OM_JSON_ARRAY && strcmp(key, "param_names") == 0) {
            om__text_clear(&list);
            OM_TRY_OUT(read_list(json, &list, err));
        } else if (kind == OM_JSON_TEXT && strcmp(key, "unit") == 0) {
            OM_TRY_OUT(om__json_read_any(json, &unit, NULL, err));
            OM_TRY_OUT(append(&names->units, benchmark, unit, err));
        } else {
            OM_TRY_OUT(om__json_skip(json, NULL, NULL, err));
        }
    }
    OM_TRY_OUT(om__text_check(&list, err));
    if (list.size > 0)
        status = append(&names->names, benchmark, list.data, err);
out:
    om__text_release(&list);
    return status;
}

static om_status read_all(om_json *json, om_asv_names *names, om_error *err)
{
    om_status status = OM_OK;
    om_text benchmark = {0};
    OM_TRY(om__json_enter(json, '{', err));
    for (size_t i = 0; i < MOST_BENCHMARKS; i++) {
        const char *key;
        OM_TRY_OUT(om__json_next_key(json, &key, err));
        if (key == NULL)
            break;
        om__text_clear(&benchmark);
        om__text_add(&benchmark, key);
        OM_TRY_OUT(om__text_check(&benchmark, err));
        if (om__json_peek(json) == OM_JSON_OBJECT)
            OM_TRY_OUT(read_benchmark(json, benchmark.data, names, err));
        else
            OM_TRY_OUT(om__json_skip(json, NULL, NULL, err));
    }
out:
    om__text_release(&benchmark);
    return status;
}

/* benchmarks.json in the folder that ends before path[size]. */
static om_status open_in(const char *path, size_t size, om_import_text *text, bool *found,
                         om_error *err)
{
    om_text name = {0};
    om__text_add_bytes(&name, path, size);
    om__text_add(&name, "benchmarks.json");
    om_status status = om__text_check(&name, err);
    *found = status == OM_OK && om__import_text_open(name.data, text, NULL) == OM_OK;
    om__text_release(&name);
    return status;
}

om_status om__asv_names_read(const char *result_file, om_asv_names *names, om_error *err)
{
    om_import_text text;
    bool found = false;
    const char *slash = strrchr(result_file, '/');
    size_t folder = slash != NULL ? (size_t)(slash - result_file) + 1 : 0;
    *names = (om_asv_names){0};
    OM_TRY(open_in(result_file, folder, &text, &found, err));
    if (!found) {
        om_text above = {0};
        om__text_add_bytes(&above, result_file, folder);
        om__text_add(&above, "../");
        om_status status = om__text_check(&above, err);
        if (status == OM_OK)
            status = open_in(above.data, above.size, &text, &found, err);
        om__text_release(&above);
        OM_TRY(status);
    }
    if (!found)
        return OM_OK;
    om_json json;
    om_error why = {0};
    om__json_init(&json, text.text, text.size, "benchmarks.json", 1);
    json.lenient = true;
    om_status status = read_all(&json, names, &why);
    om__json_release(&json);
    om__import_text_close(&text);
    if (status == OM_NO_MEMORY) {
        om__asv_names_release(names);
        return om__error_set(err, OM_NO_MEMORY, "%s", why.text);
    }
    return OM_OK;
}

void om__asv_names_release(om_asv_names *names)
{
    om__pairs_release(&names->names);
    om__pairs_release(&names->units);
}

void om__asv_names_param(const om_asv_names *names, const char *benchmark, size_t index, char *name,
                         size_t size)
{
    const char *list = om__pairs_find(&names->names, benchmark);
    for (size_t i = 0; list != NULL && i < index; i++) {
        list = strchr(list, '\n');
        list = list != NULL ? list + 1 : NULL;
    }
    size_t length = list != NULL ? strcspn(list, "\n") : 0;
    if (length > 0 && length < size)
        snprintf(name, size, "%.*s", (int)length, list);
    else
        snprintf(name, size, "param%zu", index + 1);
}

const char *om__asv_names_unit(const om_asv_names *names, const char *benchmark)
{
    return om__pairs_find(&names->units, benchmark);
}
