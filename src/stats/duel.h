/* SPDX-License-Identifier: Apache-2.0 */
/* duel.h: ours against theirs: verdicts from paired rounds within launches.
 *
 * Own and rival calls alternate in the rounds of one launch, so the logarithm of their ratio is
 * free of what the launch adds to both. What stays is the launch's effect on the ratio, so launches
 * are the unit of spread.
 */
#ifndef OM_STATS_DUEL_H
#define OM_STATS_DUEL_H

#include <stdbool.h>
#include <stddef.h>

#include "opmark/status.h"
#include "stats/words.h"

#define OM_DUEL_TOLERANCE 0.02

/* One launch of one row: its value and how well its own rounds know it. */
typedef struct om_duel_launch {
    double value;   /* median over the rounds */
    double within;  /* standard error of it, from the medians of ten blocks of rounds (fewer rounds:
                       of the rounds); NaN with a single round */
    double freedom; /* of `within`: blocks - 1 */
} om_duel_launch;

/* d: one value a round, in order; NaN rounds are left out. scratch has n + 20 entries. False
 * without any valid round. */
bool om__duel_launch(const double *d, size_t n, double *scratch, om_duel_launch *launch);

typedef struct om_duel_row {
    const om_duel_launch *launches;
    size_t launch_count;
    double tolerance; /* 0: OM_DUEL_TOLERANCE */
    double tick;      /* the clock's tick / the smaller time of the pair; 0: none known */
    /* results */
    double mean, low, high; /* of d; NaN without launches, no interval: -inf and inf */
    bool one_launch;        /* the interval stems from one launch's own rounds */
    om_verdict verdict;     /* slower: d above the band */
} om_duel_row;

/* Judges all rows of one pair of providers together: 20 rows or more with at least two launches
 * share what they know about the launches' spread. d0 and s02 (may be NULL) get that prior. */
om_status om__duel_judge(om_duel_row *rows, size_t n, double *d0, double *s02, om_error *err);

#endif
