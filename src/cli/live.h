/* SPDX-License-Identifier: Apache-2.0 */
/* live.h: what is seen while a run goes on: a progress line on stderr, rows on stdout as their case
 * is done, a last line of counts. */
#ifndef OM_CLI_LIVE_H
#define OM_CLI_LIVE_H

#include "bench/run.h"
#include "cli/plan.h"

typedef struct om_live {
    bool quiet, verify, terminal, line_open;
    size_t count, units, done;
    const double *seconds; /* estimates by case */
    const unsigned char *finished;
    double planned_s, passed_s; /* estimates of all, and of those that are done */
    double started_s, shown_s;
    bool told_waiting;
    char label[160];
    size_t index, unit;
    om_record_set records; /* of the case in progress */
} om_live;

void om__live_start(om_live *live, const om_plan *plan, const double *seconds,
                    const unsigned char *finished, size_t units, bool quiet, bool verify);
void om__live_begin(om_live *live, const om_case *c, size_t index, size_t unit, size_t units);
void om__live_step(om_live *live, const char *provider, const char *step);
/* A step that lasts: shown in the line; without a terminal told once, at ten seconds. */
void om__live_waiting(om_live *live, const char *provider, const char *step, double seconds);
om_status om__live_record(om_live *live, const om_record *record, om_error *err);
void om__live_done(om_live *live, const om_case *c, size_t index);
void om__live_end(om_live *live, const om_run_result *result, const char *out);
void om__live_release(om_live *live);

#endif
