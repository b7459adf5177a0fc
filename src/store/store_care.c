/* SPDX-License-Identifier: Apache-2.0 */
/* store_care.c: dropping old samples, and checking that everything in a store can be read. */
#ifdef OM_HAVE_SQLITE

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/pool.h"
#include "store/sqlite.h"

/* A store with more faults than these is beyond a list. */
#define MOST_FAULTS 1000

om_status om__store_gc(om_store *store, const char *before, int64_t *dropped, om_error *err)
{
    om_status status = OM_OK;
    sqlite3_stmt *stmt = NULL;
    OM_TRY(om__store_prepare(store->db, store->path,
                             "DELETE FROM sample WHERE record IN"
                             " (SELECT id FROM record WHERE started < ?1)",
                             &stmt, err));
    if (sqlite3_bind_text(stmt, 1, before, -1, SQLITE_STATIC) != SQLITE_OK ||
        sqlite3_step(stmt) != SQLITE_DONE)
        status = om__store_fail(store->db, store->path, "cannot drop samples", err);
    else
        *dropped = sqlite3_changes(store->db);
    sqlite3_finalize(stmt);
    OM_TRY(status);
    if (*dropped == 0)
        return OM_OK;
    OM_TRY(om__store_exec(store->db, store->path, "VACUUM", err));
    /* What cannot be moved out of the log now, because someone reads, will be later. */
    sqlite3_wal_checkpoint_v2(store->db, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
    return OM_OK;
}

static om_status add_fault(om_pairs *faults, int64_t id, const char *what, om_error *err)
{
    char key[40];
    if (faults->count >= MOST_FAULTS)
        return OM_OK;
    snprintf(key, sizeof key, "record %lld", (long long)id);
    return om__pairs_set(faults, key, what, err);
}

/* SQLite's own words on its pages, indexes and references; "ok" where all is well. */
static om_status check_database(om_store *store, const char *pragma, bool is_table,
                                om_pairs *faults, om_error *err)
{
    om_status status = OM_OK;
    sqlite3_stmt *stmt;
    OM_TRY(om__store_prepare(store->db, store->path, pragma, &stmt, err));
    for (int i = 1; status == OM_OK; i++) {
        char key[40];
        int step = sqlite3_step(stmt);
        if (step == SQLITE_DONE)
            break;
        snprintf(key, sizeof key, "%s %d", is_table ? "reference" : "page check", i);
        const char *text = step == SQLITE_ROW ? (const char *)sqlite3_column_text(stmt, 0)
                                              : sqlite3_errmsg(store->db);
        if (is_table)
            text = "samples without their record";
        if (text == NULL || sqlite3_stricmp(text, "ok") != 0)
            status = om__pairs_set(faults, key, text == NULL ? "no text" : text, err);
        if (step != SQLITE_ROW)
            break;
    }
    sqlite3_finalize(stmt);
    return status;
}

static bool differ(double a, double b)
{
    return isnan(a) != isnan(b) || fabs(a - b) > 1e-9 * fabs(b);
}

static om_status check_row(om_store *store, sqlite3_stmt *stmt, om_pool *pool, om_pairs *faults,
                           om_error *err)
{
    int64_t id = sqlite3_column_int64(stmt, 0);
    om_record record;
    om_error why;
    om_status status = om__store_read_row(store, stmt, 1, 2, 3, pool, &record, &why);
    if (status == OM_NO_MEMORY)
        return om__error_set(err, OM_NO_MEMORY, "no memory to check %s", store->path);
    if (status != OM_OK)
        return add_fault(faults, id, why.text, err);
    if (record.sample_count == 0)
        return OM_OK;
    if ((int64_t)record.sample_count != sqlite3_column_int64(stmt, 4))
        return add_fault(faults, id, "some of its samples are missing", err);
    om_summary stored = record.summary;
    OM_TRY(om__record_summarise(&record, err));
    if (stored.n > 0 && (stored.n != record.summary.n || differ(stored.min, record.summary.min) ||
                         differ(stored.median, record.summary.median)))
        return add_fault(faults, id, "its summary does not follow from its samples", err);
    return OM_OK;
}

static om_status check_records(om_store *store, om_pairs *faults, int64_t *records, om_error *err)
{
    om_status status = OM_OK;
    sqlite3_stmt *stmt = NULL;
    om_pool *pool = NULL;
    OM_TRY(om__store_prepare(store->db, store->path,
                             "SELECT id, document, data, reasons, sample_count FROM record"
                             " LEFT JOIN sample ON sample.record = record.id ORDER BY id",
                             &stmt, err));
    for (;;) {
        int step = sqlite3_step(stmt);
        if (step == SQLITE_DONE)
            break;
        if (step != SQLITE_ROW) {
            status = om__pairs_set(faults, "reading", sqlite3_errmsg(store->db), err);
            break;
        }
        /* A pool a thousand rows, so that a large store needs no large memory. */
        if (*records % 1000 == 0) {
            om__pool_destroy(pool);
            pool = om__pool_create();
            if (pool == NULL) {
                status = om__error_set(err, OM_NO_MEMORY, "no memory to check %s", store->path);
                break;
            }
        }
        status = check_row(store, stmt, pool, faults, err);
        if (status != OM_OK)
            break;
        ++*records;
    }
    om__pool_destroy(pool);
    sqlite3_finalize(stmt);
    return status;
}

om_status om__store_check(om_store *store, om_pairs *faults, int64_t *records, om_error *err)
{
    *records = 0;
    OM_TRY(check_database(store, "PRAGMA integrity_check(100)", false, faults, err));
    OM_TRY(check_database(store, "PRAGMA foreign_key_check", true, faults, err));
    return check_records(store, faults, records, err);
}

#else
typedef int om_no_sqlite_care;
#endif
