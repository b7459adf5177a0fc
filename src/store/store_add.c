/* SPDX-License-Identifier: Apache-2.0 */
/* store_add.c: records into the store. */
#ifdef OM_HAVE_SQLITE

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/json.h"
#include "store/sqlite.h"

static const char insert_record_sql[] =
    "INSERT INTO record(identity, suite, table_name, workload, op, pass, dtype, params, metric,"
    " unit, provider, role, version, commit_id, variant, machine_class, instance, device, cache,"
    " started, run, launch, outcome, median, sample_count, document)"
    " VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    " ON CONFLICT(identity) DO NOTHING";
static const char insert_sample_sql[] = "INSERT INTO sample(record, data, reasons) VALUES(?, ?, ?)";

/* What makes a record the same one when a file is added twice. Its values are part of the file
 * format: never change what goes in, or in which order. */
static void fingerprint(const om_record *r, unsigned char out[16])
{
    om_hash hash;
    const char *const texts[] = {r->when.run,
                                 r->when.started,
                                 r->benchmark.suite,
                                 r->benchmark.table,
                                 r->benchmark.name,
                                 r->benchmark.op,
                                 r->benchmark.pass,
                                 r->metric.name,
                                 r->metric.unit,
                                 r->subject.provider,
                                 r->subject.version,
                                 r->subject.commit,
                                 r->subject.variant,
                                 r->place.machine_class,
                                 r->place.instance,
                                 r->place.device,
                                 om__outcome_name(r->outcome)};
    om__hash_init(&hash);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        om__hash_add_text(&hash, texts[i]);
    for (size_t i = 0; i < r->benchmark.params.count; i++) {
        om__hash_add_text(&hash, r->benchmark.params.items[i].key);
        om__hash_add_text(&hash, r->benchmark.params.items[i].value);
    }
    unsigned char launch[4] = {(unsigned char)r->when.launch, (unsigned char)(r->when.launch >> 8),
                               (unsigned char)(r->when.launch >> 16),
                               (unsigned char)(r->when.launch >> 24)};
    om__hash_add(&hash, launch, sizeof launch);
    om__hash_add(&hash, r->samples, r->sample_count * sizeof *r->samples);
    om__hash_finish(&hash, out);
}

static void bind_text(sqlite3_stmt *stmt, int at, const char *text)
{
    if (text == NULL)
        sqlite3_bind_null(stmt, at);
    else
        sqlite3_bind_text(stmt, at, text, -1, SQLITE_STATIC);
}

/* The record as JSON without what may expire. */
static om_status format_document(const om_record *record, char **document, om_error *err)
{
    om_record bare = *record;
    bare.samples = NULL;
    bare.sample_reasons = NULL;
    bare.sample_count = 0;
    return om__record_format(&bare, document, err);
}

static om_status insert_record(om_store *store, const om_record *r, bool *added, om_error *err)
{
    om_status status = OM_OK;
    unsigned char identity[16];
    char *params = NULL, *document = NULL;
    if (store->insert_record == NULL)
        OM_TRY(om__store_prepare(store->db, store->path, insert_record_sql, &store->insert_record,
                                 err));
    sqlite3_stmt *stmt = store->insert_record;
    OM_TRY_OUT(format_document(r, &document, err));
    params = om__pairs_format(&r->benchmark.params);
    if (params == NULL) {
        status = om__error_set(err, OM_NO_MEMORY, "no memory for a record");
        goto out;
    }
    fingerprint(r, identity);
    const char *const texts[] = {r->benchmark.suite,
                                 r->benchmark.table,
                                 r->benchmark.name == NULL ? "" : r->benchmark.name,
                                 r->benchmark.op,
                                 r->benchmark.pass,
                                 r->benchmark.dtype,
                                 params,
                                 r->metric.name,
                                 r->metric.unit,
                                 r->subject.provider,
                                 om__role_name(r->subject.role),
                                 r->subject.version,
                                 r->subject.commit,
                                 r->subject.variant,
                                 r->place.machine_class,
                                 r->place.instance,
                                 r->place.device,
                                 r->method.cache,
                                 r->when.started,
                                 r->when.run};
    int at = 1;
    sqlite3_bind_blob(stmt, at++, identity, sizeof identity, SQLITE_STATIC);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        bind_text(stmt, at++, texts[i]);
    sqlite3_bind_int(stmt, at++, r->when.launch);
    bind_text(stmt, at++, om__outcome_name(r->outcome));
    if (isfinite(r->summary.median))
        sqlite3_bind_double(stmt, at++, r->summary.median);
    else
        sqlite3_bind_null(stmt, at++);
    sqlite3_bind_int64(stmt, at++, (sqlite3_int64)r->sample_count);
    bind_text(stmt, at, document);
    if (sqlite3_step(stmt) != SQLITE_DONE)
        status = om__store_fail(store->db, store->path, "cannot add a record", err);
    *added = status == OM_OK && sqlite3_changes(store->db) > 0;
out:
    sqlite3_reset(stmt);
    sqlite3_clear_bindings(stmt);
    free(params);
    free(document);
    return status;
}

/* {"3":"clock went backwards"}, or nothing where every sample is valid. */
static om_status format_reasons(const om_record *r, om_text *text, om_error *err)
{
    bool any = false;
    om_json_out out = {0};
    om__json_put_open(&out, NULL, '{');
    for (size_t i = 0; r->sample_reasons != NULL && i < r->sample_count; i++) {
        char index[24];
        if (r->sample_reasons[i] == NULL)
            continue;
        snprintf(index, sizeof index, "%zu", i);
        om__json_put_text(&out, index, r->sample_reasons[i]);
        any = true;
    }
    om__json_put_close(&out, '}');
    om_status status = om__text_check(&out.text, err);
    if (any)
        *text = out.text;
    else
        om__text_release(&out.text);
    return status;
}

static om_status insert_samples(om_store *store, const om_record *r, om_error *err)
{
    om_status status = OM_OK;
    om_text reasons = {0};
    size_t size = r->sample_count * sizeof *r->samples;
    size_t bound = ZSTD_compressBound(size);
    char *packed = NULL;
    if (store->insert_sample == NULL)
        OM_TRY(om__store_prepare(store->db, store->path, insert_sample_sql, &store->insert_sample,
                                 err));
    sqlite3_stmt *stmt = store->insert_sample;
    sqlite3_int64 id = sqlite3_last_insert_rowid(store->db);
    OM_TRY_OUT(format_reasons(r, &reasons, err));
    packed = malloc(bound);
    if (packed == NULL) {
        status = om__error_set(err, OM_NO_MEMORY, "no memory for %zu samples", r->sample_count);
        goto out;
    }
    size_t used = ZSTD_compressCCtx(store->packer, packed, bound, r->samples, size, 3);
    if (ZSTD_isError(used)) {
        status = om__error_set(err, OM_INTERNAL, "zstd: %s", ZSTD_getErrorName(used));
        goto out;
    }
    sqlite3_bind_int64(stmt, 1, id);
    sqlite3_bind_blob64(stmt, 2, packed, used, SQLITE_STATIC);
    bind_text(stmt, 3, reasons.data);
    if (sqlite3_step(stmt) != SQLITE_DONE)
        status = om__store_fail(store->db, store->path, "cannot add samples", err);
out:
    sqlite3_reset(stmt);
    sqlite3_clear_bindings(stmt);
    free(packed);
    om__text_release(&reasons);
    return status;
}

om_status om__store_begin(om_store *store, om_error *err)
{
    OM_TRY(om__store_exec(store->db, store->path, "BEGIN IMMEDIATE", err));
    store->in_batch = true;
    return OM_OK;
}

om_status om__store_commit(om_store *store, om_error *err)
{
    om_status status = om__store_exec(store->db, store->path, "COMMIT", err);
    if (status != OM_OK)
        sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
    store->in_batch = false;
    return status;
}

om_status om__store_add(om_store *store, const om_record *record, bool *added, om_error *err)
{
    bool batch = store->in_batch, is_new = false;
    if (!batch)
        OM_TRY(om__store_begin(store, err));
    om_status status = insert_record(store, record, &is_new, err);
    if (status == OM_OK && is_new && record->sample_count > 0)
        status = insert_samples(store, record, err);
    if (status != OM_OK) {
        sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
        store->in_batch = false;
        return status;
    }
    if (added != NULL)
        *added = is_new;
    return batch ? OM_OK : om__store_commit(store, err);
}

#else
typedef int om_no_sqlite_add;
#endif
