/* SPDX-License-Identifier: Apache-2.0 */
/* measure.h: a run as a command does it: estimates, progress, the table, the records, the exit
 * code; shared by `run` and `verify`. */
#ifndef OM_CLI_MEASURE_H
#define OM_CLI_MEASURE_H

#include "bench/run.h"
#include "cli/plan.h"

typedef struct om_measure_config {
    om_run_options run; /* functions, skips, finished and the worker's program are set inside */
    const char *out;    /* folder of records; NULL: none are kept */
    const char *store;  /* file of a store that gets them too; NULL: none */
    double budget_s;    /* for all; 0: none */
    bool dry_run, force_skipped, strict, resume, quiet;
    bool verify; /* the table says what was right, not what was fast */
} om_measure_config;

/* Runs the plan, and the cases that plug-ins bring; returns an exit code. */
int om__measure(om_measure_config *config, om_plan *plan);

#endif
