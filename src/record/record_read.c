/* SPDX-License-Identifier: Apache-2.0 */
/* record_read.c: whole record files into a set. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "record/lines.h"
#include "record/record_parse.h"

/* A log file read by mistake should not bury the rest under its warnings. */
#define MOST_WARNINGS 20

typedef struct reader {
    const char *path;
    om_lines *lines;
    om_record_set *set;
    om_record_memo memo;
    bool lenient;
    size_t records, skipped;
    long last_good; /* line of the last record */
    long filled;    /* lines that were not blank */
} reader;

static om_status warn(reader *r, const char *text, om_error *err)
{
    om_text key = {0};
    om__text_addf(&key, "%s:%ld", r->path, om__lines_number(r->lines));
    om_status status = om__text_check(&key, err);
    if (status == OM_OK)
        status = om__pairs_set(&r->set->warnings, key.data, text, err);
    om__text_release(&key);
    return status;
}

static om_status warn_cut(reader *r, om_error *err)
{
    char text[120];
    r->set->incomplete = true;
    if (r->last_good > 0)
        snprintf(text, sizeof text, "truncated after row %ld: the run is incomplete",
                 (long)r->records);
    else
        snprintf(text, sizeof text, "truncated before its first row ended: the run is incomplete");
    return warn(r, text, err);
}

static om_record *next_place(om_record_set *set, om_error *err)
{
    if (set->count == set->capacity) {
        size_t capacity = set->capacity == 0 ? 64 : set->capacity * 2;
        om_record *items = realloc(set->items, capacity * sizeof *items);
        if (items == NULL) {
            om__error_set(err, OM_NO_MEMORY, "no memory for %zu records", capacity);
            return NULL;
        }
        set->items = items;
        set->capacity = capacity;
    }
    return &set->items[set->count];
}

static bool is_blank(const char *line, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (line[i] != ' ' && line[i] != '\t' && line[i] != '\r')
            return false;
    return true;
}

static om_status read_line(reader *r, const char *line, size_t size, om_error *err)
{
    bool newer = false;
    om_error why;
    om_record *record = next_place(r->set, err);
    if (record == NULL)
        return OM_NO_MEMORY;
    om_status status = om__record_parse_into(line, size, r->path, om__lines_number(r->lines),
                                             r->set->pool, &r->memo, record, &newer, &why);
    if (status == OM_OK) {
        r->set->count++;
        r->records++;
        r->last_good = om__lines_number(r->lines);
        return OM_OK;
    }
    if (status == OM_PARSE && !newer && om__lines_is_cut(r->lines))
        return warn_cut(r, err);
    if (status == OM_PARSE && !newer && r->lenient) {
        r->set->skipped++;
        return r->skipped++ < MOST_WARNINGS ? warn(r, why.text, err) : OM_OK;
    }
    if (err != NULL)
        *err = why;
    return status;
}

static om_status read_all(reader *r, om_error *err)
{
    for (;;) {
        const char *line;
        size_t size;
        OM_TRY(om__lines_next(r->lines, &line, &size, err));
        if (line == NULL)
            break;
        if (is_blank(line, size))
            continue;
        r->filled++;
        OM_TRY(read_line(r, line, size, err));
    }
    if (om__lines_is_torn(r->lines) && !r->set->incomplete)
        OM_TRY(warn_cut(r, err));
    if (r->filled == 0)
        return om__error_set_at(err, OM_PARSE, r->path, 0, "empty file");
    if (r->records == 0 && r->skipped > 0)
        return om__error_set_at(err, OM_PARSE, r->path, 0, "none of its %ld lines is a record",
                                r->filled);
    return OM_OK;
}

/* A folder stands for the file in it. */
static om_status find_file(const char *path, char **found, om_error *err)
{
    om_text name = {0};
    *found = NULL;
    om__text_add(&name, path);
    if (om__folder_is(path)) {
        om__text_add(&name, "/records.jsonl");
        if (!name.failed && access(name.data, F_OK) != 0) {
            om__text_add(&name, ".zst");
            if (!name.failed && access(name.data, F_OK) != 0) {
                om__text_release(&name);
                return om__error_set_at(err, OM_IO, path, 0, "the folder holds no records.jsonl");
            }
        }
    }
    OM_TRY(om__text_check(&name, err));
    *found = name.data;
    return OM_OK;
}

om_status om__records_read(const char *path, bool lenient, om_record_set *set, om_error *err)
{
    om_status status = OM_OK;
    char *found = NULL;
    reader r = {.set = set, .lenient = lenient};
    if (set->pool == NULL)
        set->pool = om__pool_create();
    if (set->pool == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for records");
    OM_TRY_OUT(find_file(path, &found, err));
    r.path = found;
    OM_TRY_OUT(om__lines_open(found, &r.lines, err));
    status = read_all(&r, err);
out:
    om__lines_close(r.lines);
    om__record_memo_release(&r.memo);
    free(found);
    return status;
}
