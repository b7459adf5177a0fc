/* SPDX-License-Identifier: Apache-2.0 */
/* run.h: a run: cases × launches × variants, measured in workers, and a record for each of them
 * whatever happens. */
#ifndef OM_BENCH_RUN_H
#define OM_BENCH_RUN_H

#include "bench/worker.h"

/* A named setting of the subject: every row is measured under each. */
typedef struct om_variant {
    const char *name;        /* NULL: none */
    const char *environment; /* "A=1\nB=2"; NULL: nothing */
} om_variant;

/* What is known of a case before it is run. */
typedef struct om_estimate {
    int64_t device_bytes; /* tensors and their copies */
    int64_t host_bytes;   /* beside them: the reference, downloaded outputs */
    double seconds;       /* of one launch, all contenders */
    char impossible[300]; /* why it cannot be run here at all; "": it can */
} om_estimate;

typedef struct om_run_options {
    om_launch_options launch; /* launch, run and variant of its session are set by the run */
    int launches;             /* 0: 3 */
    const om_variant *variants;
    size_t variant_count; /* 0: one without a name */
    /* For each case: why it is not run ("needs 120.0 GiB, 22.1 GiB are free"); NULL or entry NULL:
     * it is. */
    const char *const *skips;
    /* For each case: 1: nothing is to be done (already measured). NULL: none. */
    const unsigned char *finished;
    /* Takes every record as soon as its case is done in its launch; failing ends the run. */
    om_status (*record)(void *self, const om_record *record, om_error *err);
    /* A case begins, in so many launches; and: all its launches are done. Each may be NULL. */
    void (*begin)(void *self, size_t index, size_t unit, size_t units);
    void (*done)(void *self, size_t index);
    void *self;
} om_run_options;

typedef struct om_run_result {
    size_t records;
    size_t own[OM_OUTCOME_COUNT]; /* records of metric time, by outcome */
    size_t others[OM_OUTCOME_COUNT];
    bool interrupted;
    char run[64]; /* what identifies this run in its records */
} om_run_result;

/* Runs all cases. It ends whatever contenders do, with at least one record for every case and
 * contender; after an interrupt, or when the run cannot go on (then the status says why), the rest
 * is `not_run`. */
om_status om__run(const om_run_options *options, const om_case *cases, size_t count,
                  om_run_result *result, om_error *err);

/* A name for a run that starts now: its time and this process. */
void om__run_name(char text[64]);

/* The cases that the plug-ins of the session bring, asked from a worker. */
om_status om__run_benchmarks(const om_run_options *options, om_case **cases, size_t *count,
                             om_error *err);

/* What a case will take on a device of this much free memory (0: not known) and last-level cache.
 * contenders: how many will be timed. Fails where the case is malformed. */
om_status om__run_estimate(const om_session_options *session, const om_device_info *device,
                           const om_case *c, size_t contenders, om_estimate *estimate,
                           om_error *err);

#endif
