/* SPDX-License-Identifier: Apache-2.0 */
/* plan.h: from what the user typed to the list of cases, and from durations and variants to
 * numbers: shared by `run` and `verify`. */
#ifndef OM_CLI_PLAN_H
#define OM_CLI_PLAN_H

#include "bench/run.h"
#include "cli/command.h"

typedef struct om_plan {
    om_case *cases;
    size_t count, capacity;
} om_plan;

void om__plan_release(om_plan *plan);
om_status om__plan_add(om_plan *plan, const om_case *c, om_error *err); /* copies */

/* What the user named: with suites, their workloads that match the operands as filters (a word
 * without '=' is an operator); without, OP KEY=VALUE… as the one line of a workload file, sweeps
 * included. sections: NULL, or the sections of suites to take ("smoke,edge"). */
om_status om__plan_make(const om_words *suites, const om_words *operands, const char *sections,
                        om_plan *plan, om_error *err);

/* "300", "300s", "5min", "1.5h", "200ms" in seconds. */
om_status om__duration_parse(const char *text, double *seconds, om_error *err);

/* NAME:VAR=VALUE words, those of one name together; names keep their order. Release with
 * om__variants_release. */
om_status om__variants_parse(const om_words *words, om_variant **variants, size_t *count,
                             om_error *err);
void om__variants_release(om_variant *variants, size_t count);

/* "gemm m=64 n=64 k=64" (to free), as a line to rerun or a label. */
char *om__case_label(const om_case *c);

/* Raised by SIGINT and SIGTERM after om__interrupts_catch. */
extern volatile int om__interrupts;
void om__interrupts_catch(void);

#endif
