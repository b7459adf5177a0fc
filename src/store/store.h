/* SPDX-License-Identifier: Apache-2.0 */
/* store.h: many runs in one file: records with their samples in SQLite.
 *
 * Without SQLite in the build every call is OM_UNSUPPORTED and names the package. Several processes
 * may write to one store. Faults of the file are OM_DATABASE and name it; a file that is not ours,
 * newer than this build, damaged or half migrated is refused before anything in it was touched.
 */
#ifndef OM_STORE_STORE_H
#define OM_STORE_STORE_H

#include "record/record.h"

typedef struct om_store om_store;

typedef enum om_store_mode {
    OM_STORE_READ,   /* the file must exist */
    OM_STORE_CHANGE, /* the file must exist, and is written to */
    OM_STORE_WRITE,  /* it is made where it is missing, and brought to the newest schema */
} om_store_mode;

om_status om__store_open(const char *path, om_store_mode mode, om_store **store, om_error *err);
void om__store_close(om_store *store); /* NULL is accepted; an open batch is rolled back */

/* Adds one record; when the call returns it is on disk. A record that is already there (same run,
 * launch, row, subject, metric and samples) is left alone: *added (may be NULL) is then false. */
om_status om__store_add(om_store *store, const om_record *record, bool *added, om_error *err);
/* Many additions as one: they are on disk when commit returns, or none of them is. */
om_status om__store_begin(om_store *store, om_error *err);
om_status om__store_commit(om_store *store, om_error *err);

/* Appends the records that match "key=value,…" in the order they were added; "" is all. Keys:
 * commit (the beginning is enough), machine (a part of class, instance or device, in any case),
 * run, suite, table, name, op, pass, dtype, provider, role, variant, metric, outcome, cache, since
 * and until (UTC; "2026-11-30" or longer). Values may hold * and ?. OM_INVALID with a hint for an
 * unknown key and where nothing matches. */
om_status om__store_query(om_store *store, const char *query, om_record_set *set, om_error *err);

/* One run: what `store list` shows. */
typedef struct om_store_run {
    char *run, *started, *suites, *machine, *device, *commit;
    int64_t records, ok, launches, samples; /* samples: records that still have theirs */
} om_store_run;

/* Oldest first; free with om__store_runs_release. */
om_status om__store_runs(om_store *store, const char *query, om_store_run **runs, size_t *count,
                         om_error *err);
void om__store_runs_release(om_store_run *runs, size_t count);

/* Drops the samples, never the summaries, of records that started before `before` (UTC); *dropped
 * is the number of records that lost theirs. The file shrinks. */
om_status om__store_gc(om_store *store, const char *before, int64_t *dropped, om_error *err);

/* Reads everything: the database's own check, every record, every sample against its summary.
 * faults gets "record N" → what is wrong with it. */
om_status om__store_check(om_store *store, om_pairs *faults, int64_t *records, om_error *err);

#endif
