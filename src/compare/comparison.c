/* SPDX-License-Identifier: Apache-2.0 */
/* comparison.c: two sides compared row by row, from matching to summary. */
#include "compare/comparison.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/text.h"
#include "compare/verdict.h"

static om_status allocate(om_compare_work *work, om_error *err)
{
    om_comparison *comparison = work->comparison;
    size_t count = work->matching.count;
    comparison->cells = calloc(count + 1, sizeof *comparison->cells);
    comparison->base_label = om__strdup(work->base->label);
    comparison->new_label = om__strdup(work->head->label);
    work->base_rows = calloc(count + 1, sizeof *work->base_rows);
    work->new_rows = calloc(count + 1, sizeof *work->new_rows);
    work->factor = calloc(count + 1, sizeof *work->factor);
    if (comparison->cells == NULL || comparison->base_label == NULL ||
        comparison->new_label == NULL || work->base_rows == NULL || work->new_rows == NULL ||
        work->factor == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for %zu rows", count);
    comparison->cell_count = count;
    for (size_t i = 0; i < count; i++) {
        const om_match *match = &work->matching.matches[i];
        if (match->base != OM_MATCH_NONE)
            work->base_rows[i] = &work->matching.base.rows[match->base];
        if (match->head != OM_MATCH_NONE)
            work->new_rows[i] = &work->matching.head.rows[match->head];
    }
    return OM_OK;
}

om_status om__comparison_init(const om_side *base, const om_side *head,
                              const om_compare_options *options, om_comparison *comparison,
                              om_error *err)
{
    static const om_compare_options standard = {0};
    om_status status = OM_OK;
    om_compare_work work = {.options = options != NULL ? options : &standard,
                            .base = base,
                            .head = head,
                            .comparison = comparison};
    *comparison = (om_comparison){0};
    comparison->replicate = work.options->replicate;
    comparison->threshold = work.options->threshold;
    if (work.options->history != NULL)
        comparison->history = *work.options->history;
    comparison->store = work.pool = om__pool_create();
    if (work.pool == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for a comparison");
    OM_TRY_OUT(om__matching_init(base, head, work.options, &work.matching, err));
    OM_TRY_OUT(allocate(&work, err));
    OM_TRY_OUT(om__cells_fill(&work, err));
    OM_TRY_OUT(om__cells_judge(&work, err));
    OM_TRY_OUT(om__cells_summarise(&work, err));
out:
    om__matching_release(&work.matching);
    free(work.base_rows);
    free(work.new_rows);
    free(work.factor);
    if (status != OM_OK)
        om__comparison_release(comparison);
    return status;
}

void om__comparison_release(om_comparison *comparison)
{
    if (comparison == NULL)
        return;
    for (size_t i = 0; comparison->cells != NULL && i < comparison->cell_count; i++)
        free(comparison->cells[i].reason);
    for (size_t i = 0; i < comparison->note_count; i++)
        free(comparison->notes[i]);
    free(comparison->notes);
    free(comparison->cells);
    free(comparison->sections);
    free(comparison->suites);
    free(comparison->base_label);
    free(comparison->new_label);
    om__pool_destroy(comparison->store);
    *comparison = (om_comparison){0};
}

const char *om__shift_format(double shift, char text[OM_SHIFT_SIZE])
{
    double percent = 100 * expm1(shift);
    bool whole = fabs(percent) >= 9.95 && fabs(percent) < 1e15; /* 1e15: what has room */
    snprintf(text, OM_SHIFT_SIZE, whole ? "%+.0f %%" : "%+.2g %%", percent);
    return text;
}
