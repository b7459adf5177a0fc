/* SPDX-License-Identifier: Apache-2.0 */
/* ranks.h: exact rank tests over launches: midranks, the block test, the shift interval, Holm.
 *
 * A missing value is NaN and takes no part. Two values closer than about 1e-12 are a tie.
 */
#ifndef OM_STATS_RANKS_H
#define OM_STATS_RANKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "opmark/status.h"

/* Twice the midrank of every value among all (an integer also with ties); no NaN. */
om_status om__midranks2(const double *values, size_t n, int64_t *ranks, om_error *err);

typedef struct om_block_test {
    double p_low, p_high, p_two; /* P(T' <= T), P(T' >= T), min(1, 2 min of them) */
    int64_t rank_sum;            /* T: sum of doubled midranks of the head values */
    double p_min;                /* 1 / number of arrangements: the smallest p there is */
} om_block_test;

/* Tests whether head values rank unlike base values when values may be exchanged within blocks.
 * `block` numbers the block of every value and never falls; NULL: one block. A block without a
 * head or without a base value is left out. Exact for every tie pattern. Without any block all
 * p are 1. */
om_status om__block_test(const double *values, const bool *head, const size_t *block, size_t n,
                         om_block_test *test, om_error *err);

/* Numbers of arrangements of n and m values by their U statistic, 0 .. n m. */
void om__u_counts(size_t n, size_t m, double *counts);

/* The order of the interval ends: how many u = 0, 1, … have
 * 2 (counts[0] + … + counts[u]) <= alpha C(n + m, n). Beyond 200 values by the normal
 * approximation. 0: no interval. */
om_status om__u_order(size_t n, size_t m, double alpha, size_t *order, om_error *err);

/* Remembers the last answers of om__u_order, since many rows have the same numbers of launches. */
typedef struct om_u_memory {
    struct {
        size_t n, m, order;
        double alpha;
    } items[4];
    size_t used, next;
} om_u_memory;

typedef struct om_shift {
    double estimate, low, high; /* Hodges-Lehmann; no interval: -inf and inf */
    size_t order;
} om_shift;

/* The shift from base to head with its 1 - alpha interval; NaN values are skipped. Without a value
 * on a side the estimate is 0. */
om_status om__shift_interval(const double *base, size_t n, const double *head, size_t m,
                             double alpha, om_u_memory *memory, om_shift *shift, om_error *err);

/* True where both ends lie on one side of zero. */
bool om__shift_has_sign(double low, double high);

/* Holm's step-down test of all p at the family level alpha. */
om_status om__holm(const double *p, size_t n, double alpha, bool *rejected, om_error *err);

/* Two-sided rank sum test of two samples: exact where the smaller one has at most 10 values, else
 * the normal approximation with ties and continuity. */
om_status om__rank_sum(const double *a, size_t n, const double *b, size_t m, double *p,
                       om_error *err);

#endif
