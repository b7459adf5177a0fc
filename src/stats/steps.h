/* SPDX-License-Identifier: Apache-2.0 */
/* steps.h: steps in a row's history: where its level changed, and what may become a step. */
#ifndef OM_STATS_STEPS_H
#define OM_STATS_STEPS_H

#include <stddef.h>

#include "opmark/status.h"

typedef struct om_step {
    size_t at;            /* index of the first point of the new level */
    double before, after; /* medians of the segments on its two sides, in y */
} om_step;

typedef struct om_steps {
    om_step *steps;
    size_t count;
    size_t pending; /* last points off the level that are not a step yet: shown, never gated */
    double scale;   /* spread of a point about its level */
    double wander;  /* how much more neighbouring points agree than independent ones would */
    double level;   /* median of the current segment: the row's reference */
} om_steps;

/* y: one value a commit by ancestry, logarithms, no NaN; at least three points, else there are no
 * steps. w: the row's tick relative to its value. Time and memory grow with n². */
om_status om__steps_find(const double *y, size_t n, double w, om_steps *steps, om_error *err);
void om__steps_release(om_steps *steps);

#endif
