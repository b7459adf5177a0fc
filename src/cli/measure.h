/* SPDX-License-Identifier: Apache-2.0 */
/* measure.h: a run as a command does it: estimates, progress, the table, the records, the exit
 * code; shared by `run`, `verify` and `ab`. */
#ifndef OM_CLI_MEASURE_H
#define OM_CLI_MEASURE_H

#include "bench/run.h"
#include "cli/plan.h"

/* What the commands that measure ask alike: who takes part, where, and how. Stands at offset 0 of a
 * command's own configuration; OM_MEASURE_OPTIONS are its rows of the option table. */
typedef struct om_measure_words {
    om_words providers, plugins;
    const char *device, *cpus, *cache, *clock, *timeout, *library_dir, *cuda_libs;
    int64_t threads, rounds, seed;
    bool force_skipped;
} om_measure_words;

extern const char *const om__cache_words[];

/* clang-format off */
#define OM_MEASURE_AT(field) offsetof(om_measure_words, field)
#define OM_MEASURE_OPTIONS \
    {"device", 'd', OM_OPTION_TEXT, OM_MEASURE_AT(device), "NAME", "cpu", NULL, \
     "cpu, cuda, cuda:1, …"}, \
    {"threads", 't', OM_OPTION_INT, OM_MEASURE_AT(threads), "N", NULL, NULL, \
     "CPU threads of every contender (standard: one for each processor allowed)"}, \
    {"cpus", 0, OM_OPTION_TEXT, OM_MEASURE_AT(cpus), "LIST", NULL, NULL, \
     "processors to run on, as 0-3,8; threads are bound to them"}, \
    {"cache", 0, OM_OPTION_TEXT, OM_MEASURE_AT(cache), "STATE", NULL, om__cache_words, \
     "state of the cache before a call: cold, warm, or flush (cold by emptying it)"}, \
    {"clock", 0, OM_OPTION_TEXT, OM_MEASURE_AT(clock), "NAME", NULL, NULL, \
     "the clock of the device (standard: its best one)"}, \
    {"rounds", 0, OM_OPTION_INT, OM_MEASURE_AT(rounds), "N", NULL, NULL, \
     "most rounds of a row in one launch (standard: 100)"}, \
    {"timeout", 0, OM_OPTION_TEXT, OM_MEASURE_AT(timeout), "TIME", "60s", NULL, \
     "a step of a provider that takes longer hangs"}, \
    {"plugin", 0, OM_OPTION_TEXTS, OM_MEASURE_AT(plugins), "FILE.so", NULL, NULL, \
     "load a provider or a benchmark"}, \
    {"seed", 0, OM_OPTION_INT, OM_MEASURE_AT(seed), "N", "1", NULL, "of inputs and orders"}, \
    {"force-skipped", 0, OM_OPTION_FLAG, OM_MEASURE_AT(force_skipped), NULL, NULL, NULL, \
     "run rows too that are estimated to take very long"}, \
    {"library-dir", 0, OM_OPTION_TEXT, OM_MEASURE_AT(library_dir), "DIR", NULL, NULL, \
     "where the loadable parts for devices lie"}, \
    {"cuda-libs", 0, OM_OPTION_TEXT, OM_MEASURE_AT(cuda_libs), "DIR", NULL, NULL, \
     "where the vendor's libraries lie"}
/* clang-format on */

typedef struct om_measure_config {
    om_run_options run; /* functions, skips, finished and the worker's program are set inside */
    const char *out;    /* folder of records; NULL: none are kept */
    const char *store;  /* file of a store that gets them too; NULL: none */
    double budget_s;    /* for all; 0: none */
    bool dry_run, force_skipped, strict, resume, quiet;
    bool verify; /* the table says what was right, not what was fast */
} om_measure_config;

/* Checks the words and sets what they say; the number of launches is the caller's. */
om_status om__measure_words_read(const om_measure_words *words, const char *time,
                                 om_measure_config *config, om_error *err);

/* Runs the plan, and the cases that plug-ins bring; returns an exit code. */
int om__measure(om_measure_config *config, om_plan *plan);

#endif
