/* SPDX-License-Identifier: Apache-2.0 */
/* ab.h: an A/B run: launches of two builds, plug-ins or settings that take turns.
 *
 * Each launch is one `opmark run` of a fresh process; its records go to OUT/base or OUT/head,
 * marked as compare/turns.h says, so that a comparison of the two folders is the result.
 */
#ifndef OM_CLI_AB_H
#define OM_CLI_AB_H

#include "cli/plan.h"
#include "record/record.h"
#include "stats/ab.h"

/* What one side runs. */
typedef struct om_ab_arm {
    const char *text;    /* as the user wrote it */
    const char *program; /* an opmark; the other fields are laid over it */
    const char *plugin;  /* FILE.so, or NULL */
    const char *setting; /* VAR=VALUE of the environment, or NULL */
} om_ab_arm;

typedef struct om_ab_run {
    om_ab_arm arms[2]; /* base, head */
    const char *out;
    const om_plan *plan; /* the rows; plug-ins add theirs */
    om_words forwarded;  /* options of `run`, as argv words */
    om_ab_design design;
    uint64_t seed; /* of the order of launches */
    double floor, tolerance;
    bool quiet;
} om_ab_run;

/* What a side's text means: a path that ends in .so, VAR=VALUE, or the path of an opmark program.
 * `self` is the program of the sides that are none. OM_INVALID where there is no such file. */
om_status om__ab_arm_read(const char *text, const char *self, om_ab_arm *arm, om_error *err);

/* Runs the looks; what was measured lies in OUT when it returns, whatever the status.
 * *interrupted: the user ended it. */
om_status om__ab_measure(const om_ab_run *run, bool *interrupted, om_error *err);

/* What a run against known delays found, by the size of the change: a table on standard output.
 * *passed: no false alarm, and every change as large as its row's visible one was found. */
struct om_comparison;
om_status om__ab_selftest(const struct om_comparison *comparison, bool *passed, om_error *err);

/* ---- one launch, for ab_run.c ---- */

/* Of the run in progress, what all launches share. */
typedef struct om_ab_output {
    char id[64];
    om_record_writer *writers[2];
    om_pairs suites; /* names of the files of rows, by suite */
} om_ab_output;

/* Starts launch `number` of `arm` (0, 1, 2) with the rows of the files, and hands its records on.
 */
om_status om__ab_launch(const om_ab_run *run, om_ab_output *output, int number, unsigned arm,
                        unsigned look, om_error *err);

#endif
