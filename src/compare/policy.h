/* SPDX-License-Identifier: Apache-2.0 */
/* policy.h: what a gate forgives and what it does not: lines in the .wl grammar.
 *
 *     floor gemm/llama* effect=5% tolerance=3%       smallest effect that may alarm, and of "same"
 *     allow gemm/llama* m=4096 max=5% until=2027-01-31 reason="known: issue 12"
 *     fail slower missing suspect               what trips the gate; without this line: all three
 *
 * A pattern (* and ? as in file names) is matched against OP/NAME, SUITE/NAME and NAME. Settings
 * that are none of the line's own are parameters the row must have; `provider` and `machine`
 * restrict to those.
 */
#ifndef OM_COMPARE_POLICY_H
#define OM_COMPARE_POLICY_H

#include "base/text.h"
#include "base/wl.h"
#include "compare/comparison.h"

typedef struct om_policy {
    om_wl wl; /* its lines, checked */
} om_policy;

om_status om__policy_read(const char *path, om_policy *policy, om_error *err);
om_status om__policy_parse(const char *text, size_t size, const char *file, om_policy *policy,
                           om_error *err);
void om__policy_release(om_policy *policy); /* NULL and a zeroed one are accepted */

/* Floor and tolerance of a row, as shares; what no line states stays as it is. Later lines win. */
void om__policy_floor(const om_policy *policy, const om_cell *cell, double *floor,
                      double *tolerance);

typedef struct om_gate {
    bool trips;
    size_t slower, missing, suspect; /* that count against it */
    size_t acknowledged;             /* slower rows that an allow line covers */
    size_t expired;                  /* slower rows whose allow line is out of date */
    size_t outgrown;                 /* slower rows that got worse than their allow line */
    om_text reason;                  /* one line */
} om_gate;

/* today: "2026-11-30". `fail` words given by the caller (NULL: those of the policy) replace the
 * policy's. OM_INVALID for a word that is none of slower, missing, suspect. */
om_status om__gate_judge(const om_comparison *comparison, const om_policy *policy,
                         const char *const *fail, size_t fail_count, const char *today,
                         om_gate *gate, om_error *err);
void om__gate_release(om_gate *gate);

/* A share written as "5%" or "0.5%"; anything else, a bare number included, is OM_INVALID: a
 * number without a unit could be anything. `what` names it. */
om_status om__share_parse(const char *text, const char *what, double *share, om_error *err);

#endif
