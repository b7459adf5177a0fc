/* SPDX-License-Identifier: Apache-2.0 */
/* verdict.h: the steps from matched rows to judged cells; for the files of compare alone. */
#ifndef OM_COMPARE_VERDICT_H
#define OM_COMPARE_VERDICT_H

#include "base/pool.h"
#include "compare/match.h"
#include "compare/policy.h"

/* What a comparison needs while it is made. */
typedef struct om_compare_work {
    const om_compare_options *options;
    const om_side *base, *head;
    om_matching matching;
    om_comparison *comparison;
    om_pool *pool; /* the comparison's texts */
    /* by cell, as long as the cells are in the order of the matches */
    const om_side_row **base_rows, **new_rows; /* NULL where the side lacks the row */
    double *factor;                            /* new unit to base unit */
} om_compare_work;

/* Cells from matches: texts, values, ratios, and the words that need no statistics. Cells that are
 * left to be judged have OM_VERDICT_NONE. */
om_status om__cells_fill(om_compare_work *work, om_error *err);
/* Puts cells into sections, and judges those that are left. */
om_status om__cells_judge(om_compare_work *work, om_error *err);
/* Counts, suites, twins, notes, and the worst first. */
om_status om__cells_summarise(om_compare_work *work, om_error *err);

/* Replaces a cell's reason; a NULL text (no memory) is an error. */
om_status om__cell_reason(om_cell *cell, om_error *err, const char *format, ...) OM_PRINTF(3, 4);
om_status om__comparison_note(om_comparison *comparison, om_error *err, const char *format, ...)
    OM_PRINTF(3, 4);

/* The value of one record in its unit: the median of its valid samples, else its summary's; NaN. */
double om__record_value(const om_record *record, double *scratch);

#endif
