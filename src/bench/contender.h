/* SPDX-License-Identifier: Apache-2.0 */
/* contender.h: inside a session: who takes part, and what one of them did in the current case. */
#ifndef OM_BENCH_CONTENDER_H
#define OM_BENCH_CONTENDER_H

#include "bench/anchor.h"
#include "bench/rounds.h"
#include "bench/session.h"

typedef struct om_contender {
    const char *name;
    om_role role;
    const om_provider *provider; /* one of these two */
    const om_benchmark *benchmark;
    void *self;
    const om_benchmark_case *cases; /* of the benchmark */
    size_t case_count;
    bool open;
    bool named;       /* asked for by name */
    om_error refusal; /* why it is not open */
    char version[128];
    char details[2048];
} om_contender;

/* What a contender did in one case. */
typedef struct om_entry {
    om_contender *contender;
    om_stage *stage; /* NULL for benchmarks */
    void *plan;      /* or the benchmark's state */
    void *workspace; /* shared by all */
    size_t workspace_bytes;
    int64_t peak_bytes;          /* -1: not known */
    double prepare_ns, first_ns; /* < 0: not reached */
    bool prepared, judged;
    om_check check;
    om_outcome outcome;
    char reason[600];
    char explanation[512];
    om_timed timed;
} om_entry;

struct om_session {
    om_session_options options;
    om_context *context;
    om_device_info device;
    char kind[16];
    om_fake_time fake_time;
    om_measure measure;
    const om_clock_api *clock_api;
    om_clock *clock;
    om_clock_info clock_info;
    om_provider_host host;
    om_plugin *plugins;
    size_t plugin_count;
    om_contender *contenders;
    size_t contender_count;
    om_pairs settings, environment;
    om_cpu_list cpus;
    char cpus_text[256];
    double bandwidth;  /* of the host's memory; 0: not measured yet */
    om_anchor *anchor; /* NULL: not needed yet */
    bool lost;         /* the device no longer answers this process: only a new one helps */
};

/* One case while it is measured. */
typedef struct om_case_run {
    om_session *session;
    const om_case *c;
    long index;
    om_entry *entries;
    size_t count;
    om_stage stage;
    bool staged;
    void *workspace;
    om_work work;
    om_cache_mode cache;
    uint64_t order_seed;
    om_rounds_result rounds;
    char started[32];
    om_env_usage before, after;
    double copy_gbps, read_gbps; /* of the anchor, in these rounds; 0: not measured */
    om_pairs evidence;           /* of the device and the clock, shared by all entries */
} om_case_run;

void om__entry_fail(om_entry *entry, om_outcome outcome, const char *format, ...) OM_PRINTF(3, 4);
void om__session_announce(const om_session *session, long index, const char *provider,
                          const char *step);

/* How the cache is treated in a case. */
om_cache_mode om__session_cache_mode(const om_session *session, const om_case *c);
/* The case of a benchmark of a plug-in (op NULL). */
om_status om__case_run_benchmark(om_case_run *run, om_error *err);
/* Rounds over the entries that are still ok, and what becomes of them by it. */
om_status om__case_run_rounds(om_case_run *run, om_error *err);
/* Fails an entry whose samples cannot be believed. */
om_status om__case_run_distrust(om_case_run *run, om_entry *entry, om_error *err);
/* Writes the records of all entries. */
om_status om__case_run_emit(om_case_run *run, om_error *err);

#endif
