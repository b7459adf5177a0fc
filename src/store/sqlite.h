/* SPDX-License-Identifier: Apache-2.0 */
/* sqlite.h: what the files of the store share when SQLite is in the build. */
#ifndef OM_STORE_SQLITE_H
#define OM_STORE_SQLITE_H

#include <sqlite3.h>

#include "base/text.h"
#include "store/store.h"

struct om_store {
    sqlite3 *db;
    char *path;
    sqlite3_stmt *insert_record, *insert_sample;
    struct ZSTD_CCtx_s *packer;
    bool in_batch;
};

/* "OPMK": tells our files from those of other programs. */
#define OM_STORE_APPLICATION 0x4F504D4B

/* The newest schema this build knows. */
int om__store_schema(void);
/* Brings a database from its schema to `to`, each step in a transaction of its own. */
om_status om__store_migrate(sqlite3 *db, const char *path, int to, om_error *err);
/* Whether all that schema `version` has is there: OM_DATABASE where it is not. */
om_status om__store_verify_schema(sqlite3 *db, const char *path, int version, om_error *err);

/* OM_DATABASE with the file, what was being done, and SQLite's words; OM_IO for a file that cannot
 * be opened or written. */
om_status om__store_fail(sqlite3 *db, const char *path, const char *doing, om_error *err);
om_status om__store_exec(sqlite3 *db, const char *path, const char *sql, om_error *err);
om_status om__store_prepare(sqlite3 *db, const char *path, const char *sql, sqlite3_stmt **out,
                            om_error *err);
/* The one whole number a query yields. */
om_status om__store_number(sqlite3 *db, const char *path, const char *sql, int64_t *value,
                           om_error *err);

/* The conditions of a query: "WHERE …" with parameters to bind. */
typedef struct om_store_where {
    om_text sql;
    char **values;
    size_t count;
} om_store_where;

om_status om__store_where_parse(const char *query, om_store_where *where, om_error *err);
om_status om__store_where_bind(om_store *store, const om_store_where *where, sqlite3_stmt *stmt,
                               om_error *err);
void om__store_where_release(om_store_where *where);
/* OM_INVALID: nothing matches; with the values that a key of the query has. */
om_status om__store_no_match(om_store *store, const char *query, om_error *err);

/* A record from the columns document, data (samples, or NULL) and reasons of a row. It lives in the
 * pool of the set. */
om_status om__store_read_row(om_store *store, sqlite3_stmt *stmt, int document, int data,
                             int reasons, struct om_pool *pool, om_record *record, om_error *err);

#endif
