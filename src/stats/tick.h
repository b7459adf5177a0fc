/* SPDX-License-Identifier: Apache-2.0 */
/* tick.h: the step of the clock behind timed values, estimated from the values themselves. */
#ifndef OM_STATS_TICK_H
#define OM_STATS_TICK_H

#include <stddef.h>

#include "opmark/status.h"

/* The samples of one row: times of a call, each the time of `inner` calls divided by inner. */
typedef struct om_tick_row {
    const double *values; /* NaN is skipped */
    size_t count;
    double inner; /* calls a sample; values below 1 count as 1 */
} om_tick_row;

/* The tick of the clock in the unit of the values, 0 where no grid shows. Divide by a row's inner
 * count for its tick per call. */
om_status om__stats_tick(const om_tick_row *rows, size_t row_count, double *tick, om_error *err);

#endif
