/* SPDX-License-Identifier: Apache-2.0 */
/* migrate.c: the schema of the store and the steps that lead to it.
 *
 * A step that was released is never changed; a new schema is a new step at the end.
 */
#ifdef OM_HAVE_SQLITE

#include <stdio.h>

#include "base/error.h"
#include "store/sqlite.h"

typedef struct step {
    const char *sql;
    /* A query that yields how many of the step's tables, columns and indexes are there, and how
     * many there must be. */
    const char *found_sql;
    int expected;
} step;

/* document is the record as JSON without samples, which may expire. The other columns repeat what
 * queries look for. */
static const step steps[] = {
    {"CREATE TABLE record("
     " id INTEGER PRIMARY KEY,"
     " identity BLOB NOT NULL UNIQUE,"
     " suite TEXT, table_name TEXT, workload TEXT NOT NULL, op TEXT, pass TEXT, dtype TEXT,"
     " params TEXT NOT NULL,"
     " metric TEXT, unit TEXT,"
     " provider TEXT, role TEXT NOT NULL, version TEXT, commit_id TEXT, variant TEXT,"
     " machine_class TEXT, instance TEXT, device TEXT, cache TEXT,"
     " started TEXT, run TEXT, launch INTEGER NOT NULL,"
     " outcome TEXT NOT NULL, median REAL, sample_count INTEGER NOT NULL,"
     " document TEXT NOT NULL) STRICT;"
     "CREATE TABLE sample("
     " record INTEGER PRIMARY KEY REFERENCES record(id) ON DELETE CASCADE,"
     " data BLOB NOT NULL,"
     " reasons TEXT) STRICT;"
     "CREATE INDEX record_by_run ON record(run);",
     "SELECT (SELECT count(*) FROM pragma_table_info('record')) +"
     " (SELECT count(*) FROM pragma_table_info('sample')) +"
     " (SELECT count(*) FROM sqlite_master WHERE name = 'record_by_run')",
     27 + 3 + 1},
    {"CREATE INDEX record_by_commit ON record(commit_id);"
     "CREATE INDEX record_by_start ON record(started);",
     "SELECT count(*) FROM sqlite_master WHERE type = 'index' AND"
     " name IN ('record_by_commit', 'record_by_start')",
     2},
};

int om__store_schema(void)
{
    return (int)(sizeof steps / sizeof steps[0]);
}

static om_status take_step(sqlite3 *db, const char *path, int version, om_error *err)
{
    char stamp[120];
    snprintf(stamp, sizeof stamp, "PRAGMA application_id = %d; PRAGMA user_version = %d;",
             OM_STORE_APPLICATION, version);
    OM_TRY(om__store_exec(db, path, steps[version - 1].sql, err));
    return om__store_exec(db, path, stamp, err);
}

om_status om__store_migrate(sqlite3 *db, const char *path, int to, om_error *err)
{
    int64_t version;
    OM_TRY(om__store_number(db, path, "PRAGMA user_version", &version, err));
    while (version < to) {
        om_status status;
        /* Another process may have taken the step while we waited for the lock. */
        OM_TRY(om__store_exec(db, path, "BEGIN IMMEDIATE", err));
        status = om__store_number(db, path, "PRAGMA user_version", &version, err);
        bool done = status == OM_OK && version >= to;
        if (status == OM_OK && !done)
            status = take_step(db, path, (int)version + 1, err);
        if (status == OM_OK)
            status = om__store_exec(db, path, "COMMIT", err);
        if (status != OM_OK) {
            sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
            return status;
        }
        version += !done;
    }
    return OM_OK;
}

om_status om__store_verify_schema(sqlite3 *db, const char *path, int version, om_error *err)
{
    for (int i = 0; i < version && i < om__store_schema(); i++) {
        int64_t found;
        OM_TRY(om__store_number(db, path, steps[i].found_sql, &found, err));
        if (found != steps[i].expected)
            return om__error_set_at(err, OM_DATABASE, path, 0,
                                    "says it has schema %d but lacks parts of schema %d: it was "
                                    "half migrated or damaged; nothing was changed",
                                    version, i + 1);
    }
    return OM_OK;
}

#else
typedef int om_no_sqlite_migrate;
#endif
