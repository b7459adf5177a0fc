/* SPDX-License-Identifier: Apache-2.0 */
/* samples.c: verdicts with the samples of one process as the unit. */
#include "stats/samples.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"

#define OM_SAMPLES_ALPHA 0.05

om_status om__samples_test(const double *base, size_t n, const double *head, size_t m,
                           om_u_memory *memory, om_judged_row *row, om_error *err)
{
    om_shift shift;
    *row = (om_judged_row){
        .low = -INFINITY, .high = INFINITY, .p = 1, .verdict = OM_VERDICT_UNCLEAR, .visible = NAN};
    row->shown = row->verdict;
    row->doubt = OM_DOUBT_FEW_LAUNCHES;
    if (n < 2 || m < 2)
        return OM_OK;
    OM_TRY(om__rank_sum(base, n, head, m, &row->p, err));
    OM_TRY(om__shift_interval(base, n, head, m, OM_SAMPLES_ALPHA, memory, &shift, err));
    row->estimate = shift.estimate;
    row->low = shift.low;
    row->high = shift.high;
    row->doubt = OM_DOUBT_WIDE;
    return OM_OK;
}

om_status om__samples_judge(om_judged_row *rows, const om_judged_setup *setup, size_t n,
                            om_error *err)
{
    double *p = calloc(n + 1, sizeof *p);
    bool *passed = calloc(n + 1, sizeof *passed);
    om_status status = OM_OK;
    if (p == NULL || passed == NULL) {
        status = om__error_set(err, OM_NO_MEMORY, "no memory for %zu rows", n);
        goto out;
    }
    for (size_t i = 0; i < n; i++)
        p[i] = rows[i].p;
    OM_TRY_OUT(om__holm(p, n, OM_SAMPLES_ALPHA, passed, err));
    for (size_t i = 0; i < n; i++) {
        om_judged_row *row = &rows[i];
        double w = 0.0; /* the tick of a single sample is part of what the ranks see as ties */
        if (row->doubt == OM_DOUBT_FEW_LAUNCHES)
            continue;
        if (passed[i] && om__judged_alarm(row->estimate, row->low, row->high, w, setup[i].floor))
            row->verdict = row->estimate > 0 ? OM_VERDICT_SLOWER : OM_VERDICT_FASTER;
        else if (om__judged_inside(row->low, row->high, w, setup[i].tolerance))
            row->verdict = OM_VERDICT_SAME;
        row->shown = row->verdict;
        if (row->verdict != OM_VERDICT_UNCLEAR)
            row->doubt = OM_DOUBT_NONE;
    }
out:
    free(p);
    free(passed);
    return status;
}
