/* SPDX-License-Identifier: Apache-2.0 */
/* screen.h: the moderated t statistic of every row: its own spread tempered by that of all rows.
 *
 * Few launches a side say little about a row's spread; all rows together say how spreads are
 * distributed. Each row's variance is drawn towards that prior (Smyth 2004), after clipping the
 * row's outliers.
 */
#ifndef OM_STATS_SCREEN_H
#define OM_STATS_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

#include "opmark/status.h"

#define OM_MIN_ROWS     20    /* fewer rows share nothing */
#define OM_MIN_VARIANCE 1e-10 /* zero spread is no certainty */

/* One row by itself. Sides hold no NaN. */
typedef struct om_row_stats {
    double estimate; /* mean(head) - mean(base), clipped */
    double variance; /* within the two sides, at least `least` */
    double freedom;  /* max(1, n + m - 2 - clipped) */
    size_t clipped;
    size_t base_count, head_count;
} om_row_stats;

/* scratch has n + m entries; least: the smallest variance that may be claimed. */
void om__row_stats(const double *base, size_t n, const double *head, size_t m, double least,
                   double *scratch, om_row_stats *stats);

/* The rows' variances as a distribution: what the prior is read from. */
typedef struct om_prior {
    bool shared;   /* false with fewer than OM_MIN_ROWS rows: d0 = 0, s02 = 1 */
    double excess; /* of their logarithms' variance over what few launches explain */
    double mean;   /* of their logarithms, freed of the bias of few launches */
} om_prior;

/* freedom[i] belongs to variance[i]. */
void om__prior_read(const double *variance, const double *freedom, size_t n, om_prior *prior);
/* d0 degrees of freedom, at most cap, about the variance s02. */
void om__prior_get(const om_prior *prior, double cap, double *d0, double *s02);

typedef struct om_screen_row {
    double estimate, low, high, p; /* 95 % interval, two-sided p */
    double spread;                 /* s: moderated standard deviation between launches */
    double freedom;                /* d0 + dr */
    double se;
    double quantile; /* of Student's t at 5 %, two-sided: (high - estimate) / se */
    size_t base_count, head_count;
} om_screen_row;

/* From a row's own numbers and the prior. */
void om__moderate(const om_row_stats *stats, double d0, double s02, om_screen_row *row);

typedef struct om_screen {
    double d0, s02; /* of a row without missing values; a row with fewer launches caps d0 at its own
                       d and has its own s02 */
    om_screen_row *rows; /* as many as there are rows; estimate 0, p 1, no interval (-inf, inf)
                            where a row takes no part or lacks values */
} om_screen;

/* side[t]: 0 base, 1 head, 2 neither. `use`: rows that take part (NULL: all). w: a row's tick
 * relative to its value, or NULL. screen->rows is the caller's. */
om_status om__screen(const double *y, size_t rows, size_t launches, const unsigned char *side,
                     const bool *use, const double *w, om_screen *screen, om_error *err);

#endif
