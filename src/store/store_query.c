/* SPDX-License-Identifier: Apache-2.0 */
/* store_query.c: records and runs out of the store. */
#ifdef OM_HAVE_SQLITE

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "base/error.h"
#include "base/json.h"
#include "base/pool.h"
#include "record/record_parse.h"
#include "store/sqlite.h"

/* ---- conditions ---- */

typedef enum match { MATCH_GLOB, MATCH_PREFIX, MATCH_MACHINE, MATCH_SINCE, MATCH_UNTIL } match;

static const struct {
    const char *key, *column;
    match match;
} keys[] = {
    {"commit", "commit_id", MATCH_PREFIX},
    {"machine", "machine_class", MATCH_MACHINE},
    {"run", "run", MATCH_GLOB},
    {"suite", "suite", MATCH_GLOB},
    {"table", "table_name", MATCH_GLOB},
    {"name", "workload", MATCH_GLOB},
    {"workload", "workload", MATCH_GLOB},
    {"op", "op", MATCH_GLOB},
    {"pass", "pass", MATCH_GLOB},
    {"dtype", "dtype", MATCH_GLOB},
    {"provider", "provider", MATCH_GLOB},
    {"role", "role", MATCH_GLOB},
    {"variant", "variant", MATCH_GLOB},
    {"metric", "metric", MATCH_GLOB},
    {"outcome", "outcome", MATCH_GLOB},
    {"cache", "cache", MATCH_GLOB},
    {"since", "started", MATCH_SINCE},
    {"until", "started", MATCH_UNTIL},
};
#define KEYS (sizeof keys / sizeof keys[0])

/* Only texts of this file go into the statement; what the user wrote is bound. */
static void add_condition(om_text *sql, size_t key, size_t number)
{
    const char *column = keys[key].column;
    om__text_addf(sql, "%s ", number == 1 ? "WHERE" : " AND");
    switch (keys[key].match) {
    case MATCH_GLOB:
        om__text_addf(sql, "%s GLOB ?%zu", column, number);
        break;
    case MATCH_PREFIX:
        om__text_addf(sql, "%s GLOB ?%zu || '*'", column, number);
        break;
    case MATCH_MACHINE:
        om__text_addf(sql,
                      "(lower(coalesce(machine_class, '')) GLOB '*' || lower(?%zu) || '*' OR"
                      " lower(coalesce(instance, '')) GLOB '*' || lower(?%zu) || '*' OR"
                      " lower(coalesce(device, '')) GLOB '*' || lower(?%zu) || '*')",
                      number, number, number);
        break;
    case MATCH_SINCE:
        om__text_addf(sql, "%s >= ?%zu", column, number);
        break;
    case MATCH_UNTIL:
        om__text_addf(sql, "%s < ?%zu", column, number);
        break;
    }
}

/* A date, or its beginning, in the form in which records have it: anything else would be compared
 * as a text, and match nothing or everything. */
static bool is_time(const char *text)
{
    static const char form[] = "dddd-dd-ddTdd:dd:dd";
    size_t size = strspn(text, "0123456789-T:");
    if (size > sizeof form - 1)
        return false;
    for (size_t i = 0; i < size; i++)
        if (form[i] == 'd' ? text[i] < '0' || text[i] > '9' : text[i] != form[i])
            return false;
    bool whole = size == 4 || size == 7 || size == 10 || size == 13 || size == 16 || size == 19;
    const char *rest = text + size;
    if (size == 19 && *rest == '.' && rest[1] >= '0' && rest[1] <= '9')
        rest += 1 + strspn(rest + 1, "0123456789");
    if (size > 10 && *rest == 'Z')
        rest++;
    int month = size >= 7 ? atoi(text + 5) : 1, day = size >= 10 ? atoi(text + 8) : 1;
    return whole && *rest == '\0' && month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

static om_status fail_key(const char *key, om_error *err)
{
    const char *names[KEYS];
    for (size_t i = 0; i < KEYS; i++)
        names[i] = keys[i].key;
    const char *close = om__closest_word(key, names, KEYS);
    if (close != NULL)
        return om__error_set(err, OM_INVALID, "a store has no key %s; did you mean %s?", key,
                             close);
    return om__error_set(err, OM_INVALID, "a store has no key %s (see opmark store --help)", key);
}

static om_status add_pair(om_store_where *where, char *part, om_error *err)
{
    char *equals = strchr(part, '=');
    if (equals == NULL || equals[1] == '\0')
        return om__error_set(err, OM_INVALID, "a store query is written key=value,…, not %s", part);
    *equals = '\0';
    size_t key = 0;
    while (key < KEYS && strcmp(keys[key].key, part) != 0)
        key++;
    if (key == KEYS)
        return fail_key(part, err);
    if ((keys[key].match == MATCH_SINCE || keys[key].match == MATCH_UNTIL) && !is_time(equals + 1))
        return om__error_set(err, OM_INVALID,
                             "%s=%s: write a date such as 2026-11-30 or 2026-11-30T12:00", part,
                             equals + 1);
    char **values = realloc(where->values, (where->count + 1) * sizeof *values);
    if (values == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for a query");
    where->values = values;
    values[where->count] = om__strdup(equals + 1);
    if (values[where->count] == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for a query");
    where->count++;
    add_condition(&where->sql, key, where->count);
    return om__text_check(&where->sql, err);
}

om_status om__store_where_parse(const char *query, om_store_where *where, om_error *err)
{
    om_status status = OM_OK;
    char *copy = om__strdup(query), *rest = copy;
    *where = (om_store_where){0};
    if (copy == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for a query");
    om__text_add(&where->sql, "");
    for (char *part = strsep(&rest, ","); part != NULL && status == OM_OK;
         part = strsep(&rest, ","))
        if (*part != '\0')
            status = add_pair(where, part, err);
    free(copy);
    if (status != OM_OK)
        om__store_where_release(where);
    return status;
}

om_status om__store_where_bind(om_store *store, const om_store_where *where, sqlite3_stmt *stmt,
                               om_error *err)
{
    for (size_t i = 0; i < where->count; i++)
        if (sqlite3_bind_text(stmt, (int)i + 1, where->values[i], -1, SQLITE_STATIC) != SQLITE_OK)
            return om__store_fail(store->db, store->path, "cannot read the store", err);
    return OM_OK;
}

void om__store_where_release(om_store_where *where)
{
    for (size_t i = 0; i < where->count; i++)
        free(where->values[i]);
    free(where->values);
    om__text_release(&where->sql);
    *where = (om_store_where){0};
}

/* The values of the first key of the query, a few of them. */
static void add_values(om_store *store, const char *query, om_text *text)
{
    char sql[160];
    sqlite3_stmt *stmt = NULL;
    size_t key = 0, size = strcspn(query, "=");
    while (key < KEYS && (strlen(keys[key].key) != size || memcmp(keys[key].key, query, size) != 0))
        key++;
    if (key == KEYS)
        return;
    snprintf(sql, sizeof sql,
             "SELECT %s, max(id) FROM record WHERE %s IS NOT NULL GROUP BY 1 ORDER BY 2 DESC "
             "LIMIT 5",
             keys[key].column, keys[key].column);
    if (sqlite3_prepare_v2(store->db, sql, -1, &stmt, NULL) != SQLITE_OK)
        return;
    for (int i = 0; sqlite3_step(stmt) == SQLITE_ROW; i++)
        om__text_addf(text, "%s %s", i == 0 ? "; there are" : ",", sqlite3_column_text(stmt, 0));
    sqlite3_finalize(stmt);
}

om_status om__store_no_match(om_store *store, const char *query, om_error *err)
{
    int64_t total;
    om_text text = {0};
    OM_TRY(om__store_number(store->db, store->path, "SELECT count(*) FROM record", &total, err));
    om__text_addf(&text, "0 of %lld records match %s", (long long)total,
                  *query == '\0' ? "(the store is empty)" : query);
    add_values(store, query, &text);
    om_status status =
        om__error_set_at(err, OM_INVALID, store->path, 0, "%s", text.failed ? "" : text.data);
    om__text_release(&text);
    return status;
}

/* ---- records ---- */

static om_status read_reasons(const char *json_text, const char *path, om_pool *pool,
                              om_record *record, om_error *err)
{
    om_status status = OM_OK;
    om_json json;
    size_t size = record->sample_count * sizeof *record->sample_reasons;
    record->sample_reasons = om__pool_reserve(pool, size);
    if (record->sample_reasons == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for samples");
    memset(record->sample_reasons, 0, size);
    om__json_init(&json, json_text, strlen(json_text), path, 0);
    OM_TRY_OUT(om__json_enter(&json, '{', err));
    for (;;) {
        const char *key, *reason;
        size_t length;
        int64_t index;
        OM_TRY_OUT(om__json_next_key(&json, &key, err));
        if (key == NULL)
            break;
        bool good =
            om__parse_int64(key, &index) && index >= 0 && (size_t)index < record->sample_count;
        OM_TRY_OUT(om__json_read_text(&json, &reason, &length, err));
        if (!good) {
            status = om__json_fail(&json, err, "a reason for a sample that is not there");
            goto out;
        }
        record->sample_reasons[index] = om__pool_keep(pool, reason, length);
    }
out:
    om__json_release(&json);
    return status;
}

static om_status read_samples(om_store *store, sqlite3_stmt *stmt, int data, om_pool *pool,
                              om_record *record, om_error *err)
{
    const void *packed = sqlite3_column_blob(stmt, data);
    size_t size = (size_t)sqlite3_column_bytes(stmt, data);
    unsigned long long full = ZSTD_getFrameContentSize(packed, size);
    if (full == ZSTD_CONTENTSIZE_ERROR || full == ZSTD_CONTENTSIZE_UNKNOWN || full > (1u << 26) ||
        full % sizeof(float) != 0)
        return om__error_set_at(err, OM_DATABASE, store->path, 0, "damaged samples");
    record->samples = om__pool_reserve(pool, (size_t)full);
    if (record->samples == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for samples");
    size_t got = ZSTD_decompress(record->samples, (size_t)full, packed, size);
    if (ZSTD_isError(got) || got != full)
        return om__error_set_at(err, OM_DATABASE, store->path, 0, "damaged samples: %s",
                                ZSTD_isError(got) ? ZSTD_getErrorName(got) : "too few");
    record->sample_count = (size_t)full / sizeof(float);
    return OM_OK;
}

om_status om__store_read_row(om_store *store, sqlite3_stmt *stmt, int document, int data,
                             int reasons, om_pool *pool, om_record *record, om_error *err)
{
    const char *text = (const char *)sqlite3_column_text(stmt, document);
    size_t size = (size_t)sqlite3_column_bytes(stmt, document);
    if (text == NULL)
        return om__error_set_at(err, OM_DATABASE, store->path, 0, "a record without its document");
    OM_TRY(om__record_parse_into(text, size, store->path, 0, pool, NULL, record, NULL, err));
    if (sqlite3_column_type(stmt, data) == SQLITE_NULL)
        return OM_OK;
    OM_TRY(read_samples(store, stmt, data, pool, record, err));
    const char *why = (const char *)sqlite3_column_text(stmt, reasons);
    return why == NULL ? OM_OK : read_reasons(why, store->path, pool, record, err);
}

static om_status next_place(om_record_set *set, om_record **place, om_error *err)
{
    if (set->count == set->capacity) {
        size_t capacity = set->capacity == 0 ? 64 : set->capacity * 2;
        om_record *items = realloc(set->items, capacity * sizeof *items);
        if (items == NULL)
            return om__error_set(err, OM_NO_MEMORY, "no memory for %zu records", capacity);
        set->items = items;
        set->capacity = capacity;
    }
    *place = &set->items[set->count];
    return OM_OK;
}

om_status om__store_query(om_store *store, const char *query, om_record_set *set, om_error *err)
{
    om_status status = OM_OK;
    om_store_where where;
    om_text sql = {0};
    sqlite3_stmt *stmt = NULL;
    size_t before = set->count;
    if (set->pool == NULL)
        set->pool = om__pool_create();
    if (set->pool == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for records");
    OM_TRY(om__store_where_parse(query, &where, err));
    om__text_addf(&sql,
                  "SELECT document, data, reasons FROM record LEFT JOIN sample ON sample.record = "
                  "record.id %s ORDER BY id",
                  where.sql.data);
    OM_TRY_OUT(om__text_check(&sql, err));
    OM_TRY_OUT(om__store_prepare(store->db, store->path, sql.data, &stmt, err));
    OM_TRY_OUT(om__store_where_bind(store, &where, stmt, err));
    for (;;) {
        om_record *record = NULL;
        int step = sqlite3_step(stmt);
        if (step == SQLITE_DONE)
            break;
        if (step != SQLITE_ROW) {
            status = om__store_fail(store->db, store->path, "cannot read the store", err);
            goto out;
        }
        OM_TRY_OUT(next_place(set, &record, err));
        OM_TRY_OUT(om__store_read_row(store, stmt, 0, 1, 2, set->pool, record, err));
        set->count++;
    }
    if (set->count == before)
        status = om__store_no_match(store, query, err);
out:
    sqlite3_finalize(stmt);
    om__text_release(&sql);
    om__store_where_release(&where);
    return status;
}

/* ---- runs ---- */

void om__store_runs_release(om_store_run *runs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(runs[i].run);
        free(runs[i].started);
        free(runs[i].suites);
        free(runs[i].machine);
        free(runs[i].device);
        free(runs[i].commit);
    }
    free(runs);
}

static char *column(sqlite3_stmt *stmt, int at)
{
    const char *text = (const char *)sqlite3_column_text(stmt, at);
    return om__strdup(text == NULL ? "" : text);
}

static om_status add_run(sqlite3_stmt *stmt, om_store_run **runs, size_t *count, om_error *err)
{
    om_store_run *more = realloc(*runs, (*count + 1) * sizeof *more);
    if (more == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for %zu runs", *count + 1);
    *runs = more;
    more[(*count)++] = (om_store_run){
        .run = column(stmt, 0),
        .started = column(stmt, 1),
        .suites = column(stmt, 2),
        .machine = column(stmt, 3),
        .device = column(stmt, 4),
        .commit = column(stmt, 5),
        .records = sqlite3_column_int64(stmt, 6),
        .ok = sqlite3_column_int64(stmt, 7),
        .launches = sqlite3_column_int64(stmt, 8),
        .samples = sqlite3_column_int64(stmt, 9),
    };
    return OM_OK;
}

om_status om__store_runs(om_store *store, const char *query, om_store_run **runs, size_t *count,
                         om_error *err)
{
    om_status status = OM_OK;
    om_store_where where;
    om_text sql = {0};
    sqlite3_stmt *stmt = NULL;
    *runs = NULL;
    *count = 0;
    OM_TRY(om__store_where_parse(query, &where, err));
    om__text_addf(&sql,
                  "SELECT run, min(started), group_concat(DISTINCT suite), max(machine_class),"
                  " group_concat(DISTINCT device),"
                  " group_concat(DISTINCT CASE WHEN role = 'own' THEN commit_id END), count(*),"
                  " sum(outcome = 'ok'), count(DISTINCT launch), count(sample.record)"
                  " FROM record LEFT JOIN sample ON sample.record = record.id %s"
                  " GROUP BY run ORDER BY 2, min(id)",
                  where.sql.data);
    OM_TRY_OUT(om__text_check(&sql, err));
    OM_TRY_OUT(om__store_prepare(store->db, store->path, sql.data, &stmt, err));
    OM_TRY_OUT(om__store_where_bind(store, &where, stmt, err));
    for (;;) {
        int step = sqlite3_step(stmt);
        if (step == SQLITE_DONE)
            break;
        if (step != SQLITE_ROW) {
            status = om__store_fail(store->db, store->path, "cannot read the store", err);
            goto out;
        }
        OM_TRY_OUT(add_run(stmt, runs, count, err));
    }
    if (*count == 0 && where.count > 0)
        status = om__store_no_match(store, query, err);
out:
    sqlite3_finalize(stmt);
    om__text_release(&sql);
    om__store_where_release(&where);
    if (status != OM_OK) {
        om__store_runs_release(*runs, *count);
        *runs = NULL;
        *count = 0;
    }
    return status;
}

#else
typedef int om_no_sqlite_query;
#endif
