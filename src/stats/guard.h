/* SPDX-License-Identifier: Apache-2.0 */
/* guard.h: whether launches measured apart depend on the launch before. */
#ifndef OM_STATS_GUARD_H
#define OM_STATS_GUARD_H

#include <stdbool.h>
#include <stddef.h>

#include "opmark/status.h"

typedef struct om_guard {
    double p;           /* of lag-1 dependence, against 999 shuffles of whole launches */
    double correlation; /* mean lag-1 rank correlation; 0 on average for independent launches */
    double seen;        /* the smallest correlation that would have been noticed at `level` */
} om_guard;

/* Columns 0 .. base - 1 are the base launches in order of start, the others the head's. `use`: rows
 * that take part (NULL: all). The shuffles stem from a fixed seed: the same input, the same answer.
 */
om_status om__guard(const double *y, size_t rows, size_t launches, size_t base, const bool *use,
                    double level, om_guard *guard, om_error *err);

#endif
