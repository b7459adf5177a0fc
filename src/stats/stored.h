/* SPDX-License-Identifier: Apache-2.0 */
/* stored.h: verdicts of runs that were measured apart: one look, nothing randomised.
 *
 * Valid where launches could be exchanged between the sides: they do not depend on each other
 * (the guard sees what passes from one launch to the next), and nothing but the build differs
 * between the two times.
 */
#ifndef OM_STATS_STORED_H
#define OM_STATS_STORED_H

#include "opmark/status.h"
#include "stats/guard.h"
#include "stats/judged.h"

typedef struct om_stored {
    om_judged_row *rows;
    bool *gone;      /* rows that lost too many launches */
    double *offsets; /* of every launch; 0 where nothing is shared */
    size_t row_count, launch_count;
    double shift, shift_p;         /* G: of all rows together, and its p */
    double shift_low, shift_high;  /* interval of the common shift */
    om_guard guard, offsets_guard; /* of the rows, of the offsets */
    bool all_moved, one_sided, dependent;
    bool few_launches;              /* fewer than two launches on a side: nothing was judged */
    double *final_low, *final_high; /* the interval that decides about `same` */
    size_t launches_needed;         /* smallest equal number a side that could alarm at all */
} om_stored;

/* y: rows × launches, the `base` launches of the base side first, each side in order of start; NaN
 * is a missing value. */
om_status om__stored_judge(const double *y, size_t rows, size_t launches, size_t base,
                           const om_judged_setup *setup, om_stored *stored, om_error *err);
void om__stored_release(om_stored *stored);

#endif
