/* SPDX-License-Identifier: Apache-2.0 */
/* foreign_table.c: reading foreign CSV tables and JSON Lines through a layout. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "compare/foreign_layout.h"

#define OM_FOREIGN_LIMIT ((size_t)1 << 30)

/* An error of a row names the file as well. */
static om_status name_file(om_status status, const char *file, om_error *err)
{
    if (status != OM_OK && err != NULL && err->file[0] == '\0')
        snprintf(err->file, sizeof err->file, "%s", file);
    return status;
}

om_status om__foreign_read_csv(const char *path, const om_side_options *options, om_record_set *set,
                               om_error *err)
{
    om_status status = OM_OK;
    om_csv csv = {0};
    om_layout layout = {0};
    om_foreign *foreign = NULL;
    OM_TRY(om__csv_read(path, &csv, err));
    OM_TRY_OUT(om__layout_read(path, csv.header, csv.column_count, options->map,
                               options->suite_from_file, &layout, err));
    layout.strict = options->strict;
    OM_TRY_OUT(om__foreign_open(path, options, set, &foreign, err));
    for (size_t i = 0; i < csv.row_count; i++)
        OM_TRY_OUT(name_file(
            om__layout_add(&layout, csv.header, csv.rows[i].cells, csv.rows[i].line, foreign, err),
            path, err));
    status = om__foreign_close(foreign, err);
    foreign = NULL;
out:
    om__foreign_drop(foreign);
    om__layout_release(&layout);
    om__csv_release(&csv);
    return status;
}

/* ---- JSON ---- */

/* The members of one object, as columns and cells. */
typedef struct object {
    char **columns, **cells;
    size_t count, capacity;
} object;

typedef struct reader {
    const char *path;
    const om_side_options *options;
    om_foreign *foreign;
    om_layout layout;
    object columns; /* every member seen so far, in order of appearance */
    size_t known;   /* columns that the layout was made from */
    size_t rows;
    const char **cells;
} reader;

static void release_object(object *o)
{
    for (size_t i = 0; i < o->count; i++) {
        free(o->columns[i]);
        free(o->cells[i]);
    }
    free(o->columns);
    free(o->cells);
    *o = (object){0};
}

static om_status set_member(object *o, const char *key, const char *value, om_error *err)
{
    for (size_t i = 0; i < o->count; i++) {
        if (strcmp(o->columns[i], key) != 0)
            continue;
        free(o->cells[i]);
        o->cells[i] = om__strdup(value);
        return value != NULL && o->cells[i] == NULL
                   ? om__error_set(err, OM_NO_MEMORY, "no memory for a row")
                   : OM_OK;
    }
    if (o->count == o->capacity) {
        size_t capacity = o->capacity == 0 ? 16 : o->capacity * 2;
        char **columns = realloc(o->columns, capacity * sizeof *columns);
        if (columns != NULL)
            o->columns = columns;
        char **cells = realloc(o->cells, capacity * sizeof *cells);
        if (cells != NULL)
            o->cells = cells;
        if (columns == NULL || cells == NULL)
            return om__error_set(err, OM_NO_MEMORY, "no memory for a row");
        o->capacity = capacity;
    }
    o->columns[o->count] = om__strdup(key);
    o->cells[o->count] = om__strdup(value);
    if (o->columns[o->count] == NULL || (value != NULL && o->cells[o->count] == NULL)) {
        free(o->columns[o->count]);
        free(o->cells[o->count]);
        return om__error_set(err, OM_NO_MEMORY, "no memory for a row");
    }
    o->count++;
    return OM_OK;
}

static void empty_cells(object *o)
{
    for (size_t i = 0; i < o->count; i++) {
        free(o->cells[i]);
        o->cells[i] = NULL;
    }
}

/* The layout follows the members seen so far; a row that brings a new one may change it. */
static om_status give_row(reader *r, long line, om_error *err)
{
    object *o = &r->columns;
    if (o->count != r->known) {
        om__layout_release(&r->layout);
        OM_TRY(om__layout_read(r->path, (const char *const *)o->columns, o->count, r->options->map,
                               r->options->suite_from_file, &r->layout, err));
        r->known = o->count;
    }
    r->rows++;
    return name_file(om__layout_add(&r->layout, (const char *const *)o->columns,
                                    (const char *const *)o->cells, line, r->foreign, err),
                     r->path, err);
}

static om_status read_list(reader *r, om_json *json, om_error *err);

/* An object whose members are scalars is a row; lists of objects inside it are lists of rows. */
static om_status read_object(reader *r, om_json *json, om_error *err)
{
    long line = json->line;
    bool scalars = false, lists = false;
    const char *key, *text;
    size_t size;
    empty_cells(&r->columns);
    OM_TRY(om__json_enter(json, '{', err));
    for (;;) {
        OM_TRY(om__json_next_key(json, &key, err));
        if (key == NULL)
            break;
        om_json_kind kind = om__json_peek(json);
        if (kind == OM_JSON_ARRAY) {
            const char *start = json->at;
            const char *c = start + 1;
            while (c < json->end && (*c == ' ' || *c == '\n' || *c == '\t' || *c == '\r'))
                c++;
            if (c < json->end && *c == '{') {
                lists = true;
                OM_TRY(read_list(r, json, err));
                continue;
            }
        }
        if (kind == OM_JSON_ARRAY || kind == OM_JSON_OBJECT) {
            OM_TRY(om__json_skip(json, NULL, NULL, err));
            continue;
        }
        scalars = true;
        char *name = om__strdup(key);
        if (name == NULL)
            return om__error_set(err, OM_NO_MEMORY, "no memory for a row");
        om_status status = om__json_read_any(json, &text, &size, err);
        if (status == OM_OK)
            status = set_member(&r->columns, name, text, err);
        free(name);
        OM_TRY(status);
    }
    if (lists || !scalars)
        return OM_OK;
    return give_row(r, line, err);
}

static om_status read_list(reader *r, om_json *json, om_error *err)
{
    bool more;
    OM_TRY(om__json_enter(json, '[', err));
    for (;;) {
        OM_TRY(om__json_next_item(json, &more, err));
        if (!more)
            return OM_OK;
        if (om__json_peek(json) == OM_JSON_OBJECT)
            OM_TRY(read_object(r, json, err));
        else
            OM_TRY(om__json_skip(json, NULL, NULL, err));
    }
}

static om_status warn(reader *r, om_record_set *set, long line, const char *text, om_error *err)
{
    om_text key = {0};
    om__text_addf(&key, "%s:%ld", r->path, line);
    om_status status = om__text_check(&key, err);
    if (status == OM_OK)
        status = om__pairs_set(&set->warnings, key.data, text, err);
    om__text_release(&key);
    return status;
}

/* Line by line: a line that is no object ends the file (cut), is skipped, or is an error. */
static om_status read_lines(reader *r, const char *data, size_t size, om_record_set *set,
                            om_error *err)
{
    long line = 0;
    for (const char *at = data; at < data + size;) {
        const char *end = memchr(at, '\n', (size_t)(data + size - at));
        size_t length = end != NULL ? (size_t)(end - at) : (size_t)(data + size - at);
        om_json json;
        om_error why = {.code = OM_OK};
        line++;
        om__json_init(&json, at, length, r->path, line);
        json.lenient = !r->options->strict;
        json.finite = r->options->strict;
        om_status status = OM_OK;
        if (om__json_peek(&json) != OM_JSON_END) {
            /* read twice: a broken line must leave nothing behind */
            om_json probe;
            om__json_init(&probe, at, length, r->path, line);
            probe.lenient = true;
            status = om__json_peek(&probe) == OM_JSON_OBJECT
                         ? om__json_skip(&probe, NULL, NULL, &why)
                         : om__json_fail(&probe, &why, "this line is no JSON object");
            if (status == OM_OK)
                status = om__json_finish(&probe, &why);
            om__json_release(&probe);
            if (status == OM_OK)
                status = read_object(r, &json, &why);
            else if (end == NULL && r->rows > 0) {
                char text[80];
                snprintf(text, sizeof text, "truncated after row %zu", r->rows);
                set->incomplete = true;
                status = warn(r, set, line, text, err);
            } else if (r->options->lenient) {
                set->skipped++;
                status = warn(r, set, line, why.text, err);
            }
        }
        om__json_release(&json);
        if (status != OM_OK) {
            if (err != NULL && why.code != OM_OK)
                *err = why;
            return status;
        }
        at += length + 1;
    }
    return OM_OK;
}

/* Whether the text is one document: its first value does not end with its first line. */
static bool is_document(const char *data, size_t size, const char *path)
{
    om_json json;
    om__json_init(&json, data, size, path, 1);
    json.lenient = true;
    bool whole =
        om__json_peek(&json) == OM_JSON_ARRAY ||
        (om__json_skip(&json, NULL, NULL, NULL) == OM_OK && om__json_peek(&json) == OM_JSON_END);
    om__json_release(&json);
    return whole;
}

om_status om__foreign_read_json(const char *path, const om_side_options *options,
                                om_record_set *set, om_error *err)
{
    om_status status = OM_OK;
    reader r = {.path = path, .options = options};
    char *data = NULL;
    size_t size = 0;
    om_json json;
    OM_TRY(om__file_read(path, OM_FOREIGN_LIMIT, &data, &size, err));
    OM_TRY_OUT(om__foreign_open(path, options, set, &r.foreign, err));
    if (is_document(data, size, path)) {
        om__json_init(&json, data, size, path, 1);
        json.lenient = !options->strict;
        json.finite = options->strict;
        status = om__json_peek(&json) == OM_JSON_ARRAY ? read_list(&r, &json, err)
                                                       : read_object(&r, &json, err);
        if (status == OM_OK)
            status = om__json_finish(&json, err);
        om__json_release(&json);
    } else {
        status = read_lines(&r, data, size, set, err);
    }
    if (status == OM_OK) {
        status = om__foreign_close(r.foreign, err);
        r.foreign = NULL;
    }
out:
    om__foreign_drop(r.foreign);
    om__layout_release(&r.layout);
    release_object(&r.columns);
    free(data);
    return status;
}
