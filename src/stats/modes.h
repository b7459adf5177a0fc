/* SPDX-License-Identifier: Apache-2.0 */
/* modes.h: a row whose launches fall into two groups ("100.0 us (11 launches) or 108.1 us (9)"). */
#ifndef OM_STATS_MODES_H
#define OM_STATS_MODES_H

#include <stdbool.h>
#include <stddef.h>

#include "opmark/status.h"

typedef struct om_modes {
    bool found;
    double low, high; /* medians of the two groups, in y */
    size_t low_count, high_count;
} om_modes;

/* values: logarithms of launch medians, any order, NaN skipped. Fewer than 15 have no modes. */
om_status om__modes_find(const double *values, size_t n, om_modes *modes, om_error *err);

#endif
