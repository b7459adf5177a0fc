/* SPDX-License-Identifier: Apache-2.0 */
/* stop.c: how well a median is known, by which the timed loop decides to stop. */
#include <math.h>

#include "bench/rounds.h"
#include "stats/quantile.h"

double om__stop_spread(const double *samples, size_t n, double *scratch)
{
    double low, high;
    size_t valid = om__stats_sort_valid(samples, n, scratch);
    if (!om__stats_median_interval_sorted(scratch, valid, 0.95, &low, &high))
        return INFINITY;
    double median = om__stats_median_sorted(scratch, valid);
    if (median <= 0)
        return high > low ? INFINITY : 0;
    return (high - low) / 2 / median;
}
