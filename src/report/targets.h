/* SPDX-License-Identifier: Apache-2.0 */
/* targets.h: figures taken elsewhere, to print beside a run as a ticket, never as a ratio.
 *
 * A file of targets is CSV with the columns op and workload, which name our table and workload, and
 * any of reach_us (the time that would satisfy), rival_us (the fastest rival known) and
 * yardstick_us (what the hardware allows). A ticket is such a time divided by ours: 1 and above has
 * reached it.
 */
#ifndef OM_REPORT_TARGETS_H
#define OM_REPORT_TARGETS_H

#include <stddef.h>

#include "base/csv.h"

typedef struct om_target {
    const char *table, *workload;
    double reach_us, rival_us, yardstick_us; /* NaN: not stated */
} om_target;

typedef struct om_targets {
    om_csv csv;
    om_target *items; /* sorted by table and workload */
    size_t count;
} om_targets;

/* OM_IO, or OM_PARSE with file and line: a missing column, a figure that is no positive number, the
 * same row twice. */
om_status om__targets_read(const char *path, om_targets *targets, om_error *err);
const om_target *om__target_find(const om_targets *targets, const char *table,
                                 const char *workload);
void om__targets_release(om_targets *targets); /* a zeroed one is accepted */

#endif
