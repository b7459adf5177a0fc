/* SPDX-License-Identifier: Apache-2.0 */
/* session.h: one launch: a process that holds all contenders and measures case after case.
 *
 * The session is what `opmark worker` and the Python worker host. It says what it is about to do
 * (announce) before every step that runs foreign code, so that whoever watches can tell whom a
 * crash belongs to, and hands out finished records.
 */
#ifndef OM_BENCH_SESSION_H
#define OM_BENCH_SESSION_H

#include "base/text.h"
#include "bench/clock.h"
#include "bench/env.h"
#include "bench/stage.h"
#include "providers/providers.h"
#include "record/record.h"

/* One row to measure: a problem of an operator, or a case of a plug-in's benchmark (op NULL). */
typedef struct om_case {
    char *suite, *table, *name, *op, *pass, *dtype;
    char *cache; /* "cold", "warm"; NULL: as the session says */
    om_pairs params;
} om_case;

om_status om__case_copy(om_case *to, const om_case *from, om_error *err);
void om__case_release(om_case *c);

typedef struct om_session_options {
    const char *device;      /* NULL: "cpu" */
    const char *clock;       /* NULL: the standard one of the device */
    const char *library_dir; /* of loadable parts; NULL: where they are looked for */
    const char *cuda_libs;
    int threads;   /* 0: as many as processors */
    bool warm;     /* cases that do not say: warm; else cold */
    bool flush;    /* cold by flushing where rotating would do */
    bool untimed;  /* what counts is whether results are right: few calls, no word about times */
    bool named;    /* contenders were asked for by name: absent ones get a record too */
    double time_s; /* of the timed loop of a case; 0: 1 s */
    int min_rounds, max_rounds; /* 0: 10, 100 */
    uint64_t seed;              /* of inputs; orders are drawn from seed, launch and case */
    int launch;
    const char *run;     /* identifies the run */
    const char *variant; /* NULL: none */
    const char *cpus;    /* as pinned; NULL: not pinned */
    /* Who takes part, in the order of the records: names of built-in, vendor and plug-in
     * providers. */
    const char *const *providers;
    size_t provider_count;
    const char *const *without; /* those that must not take part: they brought a launch down */
    size_t without_count;
    const char *const *plugins; /* files */
    size_t plugin_count;
    void *self; /* handed to the functions below */
    /* case_index -1: not of a case. provider NULL: opmark itself. */
    void (*announce)(void *self, long case_index, const char *provider, const char *step);
    om_status (*record)(void *self, const om_record *record, om_error *err);
} om_session_options;

typedef struct om_session om_session;

om_status om__session_open(const om_session_options *options, om_session **session, om_error *err);
void om__session_close(om_session *session); /* NULL is accepted */

/* What all records of this launch have in common: place, method, run, launch. */
om_status om__session_template(const om_session *session, om_record *record, om_error *err);
/* One line for each contender: "contender", name, role, named, open, why not, between tabs. */
void om__session_describe_contenders(const om_session *session, om_text *text);

/* Measures one case: every contender that is not in `excluded` gets its record of metric `time`
 * (and `first_call`, where it ran). Fails only where opmark itself cannot go on. */
om_status om__session_case(om_session *session, long index, const om_case *c,
                           const char *const *excluded, size_t excluded_count, om_error *err);

/* The cases of the benchmarks that plug-ins brought; *cases is to be released entry by entry and
 * freed. */
om_status om__session_benchmarks(om_session *session, om_case **cases, size_t *count,
                                 om_error *err);

#endif
