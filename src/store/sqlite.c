/* SPDX-License-Identifier: Apache-2.0 */
/* sqlite.c: opening and closing a store, with care for files that are not ours to touch. */
#ifdef OM_HAVE_SQLITE

#include "store/sqlite.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "base/error.h"

/* How long a writer waits for another one. */
#define WAIT_MS 20000

om_status om__store_fail(sqlite3 *db, const char *path, const char *doing, om_error *err)
{
    int code = db == NULL ? SQLITE_NOMEM : sqlite3_errcode(db);
    const char *words = db == NULL ? "out of memory" : sqlite3_errmsg(db);
    if (code == SQLITE_NOMEM)
        return om__error_set_at(err, OM_NO_MEMORY, path, 0, "%s: %s", doing, words);
    if (code == SQLITE_CANTOPEN || code == SQLITE_READONLY || code == SQLITE_FULL ||
        code == SQLITE_IOERR || code == SQLITE_PERM)
        return om__error_set_at(err, OM_IO, path, 0, "%s: %s", doing, words);
    if (code == SQLITE_NOTADB)
        return om__error_set_at(err, OM_DATABASE, path, 0, "is no store: %s; nothing was changed",
                                words);
    return om__error_set_at(err, OM_DATABASE, path, 0, "%s: %s", doing, words);
}

om_status om__store_exec(sqlite3 *db, const char *path, const char *sql, om_error *err)
{
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
        return om__store_fail(db, path, "the store refused a statement", err);
    return OM_OK;
}

om_status om__store_prepare(sqlite3 *db, const char *path, const char *sql, sqlite3_stmt **out,
                            om_error *err)
{
    if (sqlite3_prepare_v2(db, sql, -1, out, NULL) != SQLITE_OK)
        return om__store_fail(db, path, "cannot read the store", err);
    return OM_OK;
}

om_status om__store_number(sqlite3 *db, const char *path, const char *sql, int64_t *value,
                           om_error *err)
{
    sqlite3_stmt *stmt;
    om_status status = OM_OK;
    OM_TRY(om__store_prepare(db, path, sql, &stmt, err));
    if (sqlite3_step(stmt) == SQLITE_ROW)
        *value = sqlite3_column_int64(stmt, 0);
    else
        status = om__store_fail(db, path, "cannot read the store", err);
    sqlite3_finalize(stmt);
    return status;
}

/* Looks at an existing file without the right to write to it. *version 0: a new, empty database. */
static om_status inspect(const char *path, int64_t *version, om_error *err)
{
    om_status status = OM_OK;
    sqlite3 *db = NULL;
    int64_t application, tables;
    if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK) {
        status = om__store_fail(db, path, "cannot open the store", err);
        goto out;
    }
    sqlite3_busy_timeout(db, WAIT_MS);
    OM_TRY_OUT(om__store_number(db, path, "PRAGMA user_version", version, err));
    OM_TRY_OUT(om__store_number(db, path, "PRAGMA application_id", &application, err));
    OM_TRY_OUT(om__store_number(db, path, "SELECT count(*) FROM sqlite_master", &tables, err));
    if (*version == 0 && application == 0 && tables == 0)
        goto out;
    if (application != OM_STORE_APPLICATION)
        status = om__error_set_at(err, OM_DATABASE, path, 0,
                                  "is a database of another program; nothing was changed");
    else if (*version > om__store_schema())
        status = om__error_set_at(err, OM_DATABASE, path, 0,
                                  "store schema %lld is newer than schema %d of this opmark: use "
                                  "a newer one; nothing was changed",
                                  (long long)*version, om__store_schema());
    else
        status = om__store_verify_schema(db, path, (int)*version, err);
out:
    sqlite3_close(db);
    return status;
}

static om_status set_up(om_store *store, om_store_mode mode, int64_t version, om_error *err)
{
    sqlite3 *db = store->db;
    sqlite3_busy_timeout(db, WAIT_MS);
    sqlite3_extended_result_codes(db, 0);
    if (mode != OM_STORE_READ || version < om__store_schema()) {
        /* A write-ahead log lets readers go on while someone writes; FULL puts every commit on
         * the disk before it is acknowledged. */
        OM_TRY(om__store_exec(db, store->path, "PRAGMA journal_mode = WAL", err));
        OM_TRY(om__store_exec(db, store->path, "PRAGMA synchronous = FULL", err));
        OM_TRY(om__store_migrate(db, store->path, om__store_schema(), err));
    }
    return om__store_exec(db, store->path, "PRAGMA foreign_keys = ON", err);
}

om_status om__store_open(const char *path, om_store_mode mode, om_store **result, om_error *err)
{
    om_status status = OM_OK;
    struct stat info;
    int64_t version = 0;
    bool exists = stat(path, &info) == 0;
    *result = NULL;
    if (!exists && mode != OM_STORE_WRITE)
        return om__error_set_at(err, OM_IO, path, 0, "there is no store: %s", strerror(errno));
    if (exists && !S_ISREG(info.st_mode))
        return om__error_set_at(err, OM_IO, path, 0, "is not a file");
    if (exists && info.st_size > 0)
        OM_TRY(inspect(path, &version, err));
    if (version == 0 && mode != OM_STORE_WRITE)
        return om__error_set_at(err, OM_DATABASE, path, 0, "is an empty database");
    om_store *store = calloc(1, sizeof *store);
    if (store == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for a store");
    store->path = om__strdup(path);
    store->packer = ZSTD_createCCtx();
    if (store->path == NULL || store->packer == NULL) {
        status = om__error_set(err, OM_NO_MEMORY, "no memory for a store");
        goto out;
    }
    /* A reader that may write clears the write-ahead log away when it is the last to close. */
    int flags = mode != OM_STORE_READ || version < om__store_schema() || access(path, W_OK) == 0
                    ? SQLITE_OPEN_READWRITE
                    : SQLITE_OPEN_READONLY;
    if (mode == OM_STORE_WRITE)
        flags |= SQLITE_OPEN_CREATE;
    if (sqlite3_open_v2(path, &store->db, flags, NULL) != SQLITE_OK) {
        status = om__store_fail(store->db, path, "cannot open the store", err);
        goto out;
    }
    OM_TRY_OUT(set_up(store, mode, version, err));
    *result = store;
    store = NULL;
out:
    om__store_close(store);
    return status;
}

void om__store_close(om_store *store)
{
    if (store == NULL)
        return;
    sqlite3_finalize(store->insert_record);
    sqlite3_finalize(store->insert_sample);
    if (store->in_batch)
        sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
    sqlite3_close(store->db);
    ZSTD_freeCCtx(store->packer);
    free(store->path);
    free(store);
}

#else

#include "base/error.h"
#include "store/store.h"

static om_status unsupported(om_error *err)
{
    return om__error_set(err, OM_UNSUPPORTED,
                         "this opmark was built without SQLite: install libsqlite3-dev and build "
                         "again");
}

om_status om__store_open(const char *path, om_store_mode mode, om_store **store, om_error *err)
{
    (void)path;
    (void)mode;
    *store = NULL;
    return unsupported(err);
}

void om__store_close(om_store *store)
{
    (void)store;
}

om_status om__store_add(om_store *store, const om_record *record, bool *added, om_error *err)
{
    (void)store;
    (void)record;
    (void)added;
    return unsupported(err);
}

om_status om__store_begin(om_store *store, om_error *err)
{
    (void)store;
    return unsupported(err);
}

om_status om__store_commit(om_store *store, om_error *err)
{
    (void)store;
    return unsupported(err);
}

om_status om__store_query(om_store *store, const char *query, om_record_set *set, om_error *err)
{
    (void)store;
    (void)query;
    (void)set;
    return unsupported(err);
}

om_status om__store_runs(om_store *store, const char *query, om_store_run **runs, size_t *count,
                         om_error *err)
{
    (void)store;
    (void)query;
    *runs = NULL;
    *count = 0;
    return unsupported(err);
}

void om__store_runs_release(om_store_run *runs, size_t count)
{
    (void)runs;
    (void)count;
}

om_status om__store_gc(om_store *store, const char *before, int64_t *dropped, om_error *err)
{
    (void)store;
    (void)before;
    (void)dropped;
    return unsupported(err);
}

om_status om__store_check(om_store *store, om_pairs *faults, int64_t *records, om_error *err)
{
    (void)store;
    (void)faults;
    (void)records;
    return unsupported(err);
}

#endif
