/* SPDX-License-Identifier: Apache-2.0 */
/* trend.h: whether samples still fall or rise in the order they were taken ("still warming up"). */
#ifndef OM_STATS_TREND_H
#define OM_STATS_TREND_H

#include <stddef.h>

#include "opmark/status.h"

typedef struct om_trend {
    double p;      /* two-sided, Mann-Kendall with ties; 1 where nothing can be said */
    double change; /* median of the last third / median of the first third - 1; NaN: too few */
    int direction; /* -1 falling, 1 rising, 0 none at p <= 0.01 */
} om_trend;

/* values in the order of time; NaN is skipped. Under 8 values, or without any difference between
 * them, there is no trend. Longer series are judged by the medians of at most 512 blocks. */
om_status om__stats_trend(const double *values, size_t n, om_trend *trend, om_error *err);

#endif
