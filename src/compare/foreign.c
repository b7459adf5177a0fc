/* SPDX-License-Identifier: Apache-2.0 */
/* foreign.c: gathering the rows of foreign tables into records. */
#include "compare/foreign.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/pool.h"
#include "compare/identity.h"
#include "compare/numbering.h"
#include "compare/units.h"

/* The samples of one record while it grows. */
typedef struct gathered {
    size_t record; /* in the set */
    double *values;
    const char **reasons;
    size_t count, capacity;
} gathered;

/* Where a numbered sample was seen first. */
typedef struct sighting {
    long line;
    double value;
} sighting;

struct om_foreign {
    const char *file; /* kept in the pool of the set */
    const char *machine;
    bool lenient;
    om_record_set *set;
    size_t first; /* of its records in the set */
    om_numbering cases, samples;
    gathered *rows;
    size_t row_capacity;
    sighting *sightings;
    size_t sighting_capacity;
    om_text key;
    bool failed;
};

static char *keep(om_foreign *f, const char *text)
{
    if (text == NULL)
        return NULL;
    char *kept = om__pool_keep(f->set->pool, text, strlen(text));
    f->failed = f->failed || kept == NULL;
    return kept;
}

om_status om__foreign_open(const char *file, const om_side_options *options, om_record_set *set,
                           om_foreign **foreign, om_error *err)
{
    *foreign = NULL;
    if (set->pool == NULL)
        set->pool = om__pool_create();
    om_foreign *f = calloc(1, sizeof *f);
    if (f == NULL || set->pool == NULL) {
        free(f);
        return om__error_set(err, OM_NO_MEMORY, "no memory for a table");
    }
    f->set = set;
    f->first = set->count;
    f->lenient = options->lenient;
    f->file = keep(f, file);
    f->machine = keep(f, options->machine != NULL ? options->machine : "unknown");
    if (f->failed) {
        om__foreign_drop(f);
        return om__error_set(err, OM_NO_MEMORY, "no memory for a table");
    }
    *foreign = f;
    return OM_OK;
}

void om__foreign_drop(om_foreign *foreign)
{
    if (foreign == NULL)
        return;
    for (size_t i = 0; i < foreign->cases.count && i < foreign->row_capacity; i++) {
        free(foreign->rows[i].values);
        free(foreign->rows[i].reasons);
    }
    free(foreign->rows);
    free(foreign->sightings);
    om__numbering_release(&foreign->cases);
    om__numbering_release(&foreign->samples);
    om__text_release(&foreign->key);
    free(foreign);
}

static om_status grow(void **items, size_t *capacity, size_t needed, size_t size, om_error *err)
{
    if (needed <= *capacity)
        return OM_OK;
    size_t larger = *capacity < 16 ? 16 : *capacity * 2;
    while (larger < needed)
        larger *= 2;
    void *grown = realloc(*items, larger * size);
    if (grown == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for %zu rows", larger);
    memset((char *)grown + *capacity * size, 0, (larger - *capacity) * size);
    *items = grown;
    *capacity = larger;
    return OM_OK;
}

static om_status add_key(om_foreign *f, const om_foreign_row *row, om_error *err)
{
    om_pairs params = {(om_pair *)row->params, row->param_count, row->param_count};
    om__text_clear(&f->key);
    om__identity_add(&f->key, row->suite);
    om__identity_add(&f->key, row->table);
    om__identity_add(&f->key, row->name);
    om__identity_add(&f->key, row->op);
    om__identity_add(&f->key, row->pass);
    om__identity_add(&f->key, row->provider);
    om__identity_add(&f->key, row->metric);
    om__identity_add(&f->key, row->unit);
    OM_TRY(om__identity_add_params(&f->key, &params, err));
    om__text_addf(&f->key, "%d", row->launch);
    return om__text_check(&f->key, err);
}

static om_status start_record(om_foreign *f, const om_foreign_row *row, size_t *at, om_error *err)
{
    om_record_set *set = f->set;
    if (set->count == set->capacity) {
        size_t capacity = set->capacity == 0 ? 64 : set->capacity * 2;
        om_record *items = realloc(set->items, capacity * sizeof *items);
        if (items == NULL)
            return om__error_set(err, OM_NO_MEMORY, "no memory for %zu records", capacity);
        set->items = items;
        set->capacity = capacity;
    }
    om_record *record = &set->items[set->count];
    om__record_init(record);
    record->shared = true;
    record->benchmark.suite = keep(f, row->suite);
    record->benchmark.table = keep(f, row->table);
    record->benchmark.name = keep(f, row->name);
    record->benchmark.op = keep(f, row->op);
    record->benchmark.pass = keep(f, row->pass);
    record->benchmark.dtype = keep(f, row->dtype);
    om_pair *params = om__pool_reserve(set->pool, (row->param_count + 1) * sizeof *params);
    f->failed = f->failed || params == NULL;
    for (size_t i = 0; i < row->param_count && params != NULL; i++)
        params[i] = (om_pair){keep(f, row->params[i].key), keep(f, row->params[i].value)};
    record->benchmark.params =
        (om_pairs){params, params != NULL ? row->param_count : 0, row->param_count};
    record->metric.name = keep(f, row->metric);
    record->metric.unit = keep(f, row->unit);
    record->metric.better = row->better;
    record->subject.provider = keep(f, row->provider);
    record->place.machine_class = (char *)f->machine;
    record->when.run = (char *)f->file;
    record->when.launch = row->launch;
    if (f->failed)
        return om__error_set(err, OM_NO_MEMORY, "no memory for %zu records", set->count);
    *at = set->count++;
    return OM_OK;
}

/* A sample that is numbered in the table may come once, or again with the same value. */
static om_status check_sample(om_foreign *f, const om_foreign_row *row, bool *again, om_error *err)
{
    size_t number;
    bool fresh;
    *again = false;
    if (row->sample == NULL)
        return OM_OK;
    om__text_addf(&f->key, "#%s", row->sample);
    OM_TRY(om__text_check(&f->key, err));
    OM_TRY(om__numbering_add(&f->samples, f->key.data, f->key.size, &number, &fresh, err));
    OM_TRY(grow((void **)&f->sightings, &f->sighting_capacity, f->samples.count,
                sizeof *f->sightings, err));
    sighting *seen = &f->sightings[number];
    if (fresh) {
        *seen = (sighting){row->line, row->value};
        return OM_OK;
    }
    if (seen->value == row->value || (isnan(seen->value) && isnan(row->value))) {
        *again = true;
        return OM_OK;
    }
    char where[32], text[160];
    snprintf(text, sizeof text, "sample %.40s of %.60s was %.9g in line %ld and is %.9g here",
             row->sample, row->name != NULL ? row->name : "", seen->value, seen->line, row->value);
    if (!f->lenient)
        return om__error_set_at(err, OM_PARSE, f->file, row->line, "%s", text);
    snprintf(where, sizeof where, ":%ld", row->line);
    om_text key = {0};
    om__text_addf(&key, "%s%s", f->file, where);
    om_status status = om__text_check(&key, err);
    if (status == OM_OK)
        status = om__pairs_set(&f->set->warnings, key.data, text, err);
    om__text_release(&key);
    return status;
}

om_status om__foreign_add(om_foreign *f, const om_foreign_row *row, om_error *err)
{
    size_t number;
    bool fresh, again;
    OM_TRY(add_key(f, row, err));
    OM_TRY(om__numbering_add(&f->cases, f->key.data, f->key.size, &number, &fresh, err));
    OM_TRY(grow((void **)&f->rows, &f->row_capacity, f->cases.count, sizeof *f->rows, err));
    gathered *g = &f->rows[number];
    if (fresh)
        OM_TRY(start_record(f, row, &g->record, err));
    OM_TRY(check_sample(f, row, &again, err));
    if (again)
        return OM_OK;
    if (g->count == g->capacity) {
        size_t capacity = g->capacity == 0 ? 4 : g->capacity * 2;
        double *values = realloc(g->values, capacity * sizeof *values);
        if (values != NULL)
            g->values = values;
        const char **reasons = realloc(g->reasons, capacity * sizeof *reasons);
        if (reasons != NULL)
            g->reasons = reasons;
        if (values == NULL || reasons == NULL)
            return om__error_set(err, OM_NO_MEMORY, "no memory for %zu samples", capacity);
        g->capacity = capacity;
    }
    double unused;
    bool backwards = om__unit_is_time(row->unit, &unused) && row->value < 0;
    bool overflow = fabs(row->value) > FLT_MAX; /* samples are kept as float */
    g->values[g->count] = backwards || overflow ? NAN : row->value;
    g->reasons[g->count++] = backwards  ? "the clock went backwards"
                             : overflow ? "overflow"
                                        : row->reason;
    return OM_OK;
}

/* Samples keep single precision; the summary keeps what the table says. */
static om_status fill_record(om_foreign *f, const gathered *g, om_error *err)
{
    om_record *record = &f->set->items[g->record];
    record->samples = om__pool_reserve(f->set->pool, (g->count + 1) * sizeof *record->samples);
    if (record->samples == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for %zu samples", g->count);
    bool invalid = false;
    for (size_t i = 0; i < g->count; i++) {
        record->samples[i] = (float)g->values[i];
        invalid = invalid || g->reasons[i] != NULL;
    }
    record->sample_count = g->count;
    OM_TRY(om__record_summarise(record, err));
    if (record->summary.n == 1)
        for (size_t i = 0; i < g->count; i++)
            if (!isnan(g->values[i]))
                record->summary.min = record->summary.median = record->summary.p25 =
                    record->summary.p75 = g->values[i];
    if (!invalid)
        return OM_OK;
    record->sample_reasons =
        om__pool_reserve(f->set->pool, g->count * sizeof *record->sample_reasons);
    if (record->sample_reasons == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for %zu samples", g->count);
    for (size_t i = 0; i < g->count; i++)
        record->sample_reasons[i] = keep(f, g->reasons[i]);
    return f->failed ? om__error_set(err, OM_NO_MEMORY, "no memory for a table") : OM_OK;
}

om_status om__foreign_close(om_foreign *f, om_error *err)
{
    om_status status = OM_OK;
    for (size_t i = 0; i < f->cases.count && status == OM_OK; i++)
        status = fill_record(f, &f->rows[i], err);
    if (status == OM_OK && f->cases.count == 0)
        status = om__error_set_at(err, OM_PARSE, f->file, 0, "the table has no rows");
    om__foreign_drop(f);
    return status;
}

double om__foreign_number(const char *text, const char **reason)
{
    char lower[16];
    double value;
    size_t size = strlen(text);
    *reason = NULL;
    if (size == 0) {
        *reason = "missing";
        return NAN;
    }
    if (om__parse_double(text, &value))
        return value;
    const char *digits = text[0] == '-' || text[0] == '+' ? text + 1 : text;
    for (size_t i = 0; i <= strlen(digits) && i < sizeof lower; i++)
        lower[i] = digits[i] >= 'A' && digits[i] <= 'Z' ? (char)(digits[i] + 32) : digits[i];
    lower[sizeof lower - 1] = '\0';
    if (strcmp(lower, "nan") == 0)
        *reason = "nan";
    else if (strcmp(lower, "inf") == 0 || strcmp(lower, "infinity") == 0)
        *reason = "infinite";
    else if (strcmp(lower, "null") == 0 || strcmp(lower, "none") == 0)
        *reason = "null";
    else if (strcmp(lower, "n/a") == 0 || strcmp(lower, "na") == 0 || strcmp(lower, "-") == 0)
        *reason = "missing";
    else {
        char *end;
        double raw = strtod(text, &end);
        *reason = *end == '\0' && isinf(raw) ? "overflow" : "not a number";
    }
    return NAN;
}

/* Whether the text is "key=value", comma-separated, with plain keys. */
static bool is_settings(const char *text)
{
    bool equals = false;
    size_t key = 0;
    for (; *text != '\0'; text++) {
        if (*text == ',') {
            if (!equals)
                return false;
            equals = false;
            key = 0;
        } else if (*text == '=' && !equals) {
            if (key == 0)
                return false;
            equals = true;
        } else if (!equals) {
            key++;
            if (*text == ' ' || *text == '/')
                return false;
        }
    }
    return equals;
}

om_status om__foreign_split_name(const char *text, om_text *name, om_pairs *params, om_error *err)
{
    const char *slash = strrchr(text, '/');
    om__text_clear(name);
    if (slash == NULL || !is_settings(slash + 1)) {
        om__text_add(name, text);
        return om__text_check(name, err);
    }
    om__text_add_bytes(name, text, (size_t)(slash - text));
    for (const char *at = slash + 1; *at != '\0';) {
        size_t size = strcspn(at, ","), equals = strcspn(at, "=");
        om_text key = {0}, value = {0};
        om__text_add_bytes(&key, at, equals);
        om__text_add_bytes(&value, at + equals + 1, size - equals - 1);
        om__text_add(&value, "");
        om_status status = om__text_check(&key, err);
        if (status == OM_OK)
            status = om__text_check(&value, err);
        if (status == OM_OK)
            status = om__pairs_set(params, key.data, value.data, err);
        om__text_release(&key);
        om__text_release(&value);
        OM_TRY(status);
        at += size + (at[size] == ',');
    }
    return om__text_check(name, err);
}
