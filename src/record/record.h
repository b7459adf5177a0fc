/* SPDX-License-Identifier: Apache-2.0 */
/* record.h: one measured row: what was measured, on what, how, and the samples.
 *
 * One record holds one metric of one benchmark by one subject in one launch. The field names here
 * are those of the JSON Lines schema (docs/records.md). Owned texts are heap copies or NULL for
 * "not stated".
 */
#ifndef OM_RECORD_RECORD_H
#define OM_RECORD_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/pairs.h"
#include "opmark/provider.h"

#define OM_RECORD_SCHEMA 1

typedef enum om_outcome {
    OM_OUTCOME_OK = 0,
    OM_OUTCOME_WRONG,
    OM_OUTCOME_UNSUPPORTED,
    OM_OUTCOME_SKIPPED,
    OM_OUTCOME_MISTRUSTED,
    OM_OUTCOME_TIMEOUT,
    OM_OUTCOME_CRASHED,
    OM_OUTCOME_ERROR,
    OM_OUTCOME_NOT_RUN,
    OM_OUTCOME_COUNT
} om_outcome;

typedef enum om_better { OM_BETTER_UNKNOWN = 0, OM_BETTER_LOWER, OM_BETTER_HIGHER } om_better;

typedef struct om_summary {
    int64_t n; /* valid samples; 0: no summary, the other fields are NaN */
    double min, p25, median, p75, ci_low, ci_high; /* interval of the median, 95 % */
} om_summary;

typedef struct om_record {
    struct {
        char *suite, *table, *name, *op, *pass, *dtype; /* op NULL: a foreign benchmark */
        om_pairs params;
    } benchmark;
    struct {
        char *name; /* "time", "first_call", … */
        char *unit; /* "ns", … */
        om_better better;
        char *derivation; /* NULL: measured */
    } metric;
    struct {
        char *provider;
        om_role role;
        char *version, *build, *commit, *variant;
        om_pairs details; /* library path, thread runtime, algorithm */
    } subject;
    struct {
        char *machine_class, *instance, *device;
        om_pairs settings, environment;
    } place;
    struct {
        char *started; /* UTC, ISO 8601 with milliseconds */
        char *run;     /* identifies the run: all records of one `opmark run` share it */
        int launch;    /* 0-based */
        uint64_t order_seed;
    } when;
    struct {
        char *clock, *cache, *fill, *harness;
        int64_t inner;   /* calls a sample */
        int64_t warm_up; /* calls before the first sample */
        double tick_ns;  /* of the clock; 0: none known */
        om_pairs more;   /* anything else the timing contract fixes: threads, cpus, flush */
    } method;
    float
        *samples; /* one a round, in the metric's unit (a call, not an inner loop); NaN: invalid */
    size_t sample_count;
    char **sample_reasons; /* NULL, or sample_count entries: why an invalid one is invalid, else
                              NULL */
    om_summary summary;
    struct {
        double flops, bytes;
    } work;
    om_outcome outcome;
    char *reason; /* NULL only with OM_OUTCOME_OK */
    struct {
        double error, max_abs_error; /* NaN: not checked */
        int64_t rows_checked, rows_total;
        char *mode; /* "whole", "sample", "none" */
    } check;
    om_pairs evidence;                   /* clocks, throttle reasons, kernels, other processes */
    int64_t workspace_bytes, peak_bytes; /* -1: not known */
    char *unknown; /* JSON object text of fields this schema does not know; kept when written again;
                      NULL: none */
    bool shared;   /* texts, maps and samples belong to the set the record was read into: read them,
                      copy them, never change or free them */
} om_record;

/* Zero-initialised records with NaN and −1 where "not known" needs it. */
void om__record_init(om_record *record);
void om__record_release(om_record *record);

const char *om__outcome_name(om_outcome outcome);
const char *om__role_name(om_role role);
const char *om__better_name(om_better better);
om_status om__outcome_parse(const char *text, om_outcome *outcome, om_error *err);
om_status om__role_parse(const char *text, om_role *role, om_error *err);
om_status om__better_parse(const char *text, om_better *better, om_error *err);

/* Recomputes the summary from the samples. The interval of the median is that of order statistics;
 * NaN under 6 samples. */
om_status om__record_summarise(om_record *record, om_error *err);

/* ---- JSON Lines ---- */

/* One line, strict JSON, without the line break. */
om_status om__record_format(const om_record *record, char **line, om_error *err); /* free() it */
om_status om__record_parse(const char *line, size_t size, const char *file, long number,
                           om_record *record, om_error *err);

typedef struct om_record_set {
    om_record *items;
    size_t count, capacity;
    bool incomplete;      /* the last line of a file was cut */
    size_t skipped;       /* lines that were no records (lenient reading) */
    om_pairs warnings;    /* "file:line" → text; of skipped lines the first few of each file */
    struct om_pool *pool; /* what the shared records point into */
} om_record_set;

/* Reads .jsonl or .jsonl.zst (by content) or a folder's records.jsonl[.zst], and appends to the
 * set; the records are `shared`. A cut last line is a warning; anything else malformed is OM_PARSE
 * with file and line; an empty file is OM_PARSE. lenient: lines that are not records are skipped
 * and counted, but a schema newer than ours is refused always. After an error the set keeps what
 * was read before it. */
om_status om__records_read(const char *path, bool lenient, om_record_set *set, om_error *err);
void om__record_set_release(om_record_set *set);

/* Appends records to DIR/records.jsonl (the folder is made), one write(2) a line, so that a killed
 * process loses the line in flight at most; several processes may append to one file. A cut line
 * that a killed run left at the end is taken away on opening: it was never acknowledged, and the
 * next record must not be glued to it. close: OM_IO when the bytes did not reach the disk. */
typedef struct om_record_writer om_record_writer;
om_status om__record_writer_open(const char *dir, om_record_writer **writer, om_error *err);
om_status om__record_writer_add(om_record_writer *writer, const om_record *record, om_error *err);
om_status om__record_writer_close(om_record_writer *writer, om_error *err); /* NULL is accepted */

#endif
