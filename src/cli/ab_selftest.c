/* SPDX-License-Identifier: Apache-2.0 */
/* ab_selftest.c: what an A/B run against known delays found on this machine. */
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "cli/ab.h"
#include "compare/comparison.h"
#include "providers/providers.h"

typedef struct found {
    double percent; /* what was put in, without its sign */
    size_t rows, right, wrong, same, unclear, lost;
    size_t due_rows, due_found; /* whose change was as large as the row's smallest visible one */
} found;

static om_status count_cell(const om_cell *cell, found *classes, size_t *count, om_error *err)
{
    const om_record *r = cell->base;
    const om_op *op =
        r->benchmark.op != NULL ? om__op_find(r->benchmark.op, r->benchmark.pass) : NULL;
    double percent = 0;
    if (op == NULL || cell->rival)
        return OM_OK;
    OM_TRY(om__delay_find(op, &r->benchmark.params, &percent, err));
    size_t at = 0;
    while (at < *count && classes[at].percent != fabs(percent))
        at++;
    if (at == *count)
        classes[(*count)++] = (found){.percent = fabs(percent)};
    found *f = &classes[at];
    bool slower = cell->verdict == OM_VERDICT_SLOWER, faster = cell->verdict == OM_VERDICT_FASTER;
    bool right = (slower && percent > 0) || (faster && percent < 0);
    f->rows++;
    f->right += right;
    f->wrong += (slower || faster) && !right;
    f->same += cell->verdict == OM_VERDICT_SAME;
    f->unclear += cell->verdict == OM_VERDICT_UNCLEAR;
    f->lost += cell->verdict >= OM_VERDICT_NEW;
    if (percent != 0 && !isnan(cell->visible) && fabs(percent) / 100 >= cell->visible) {
        f->due_rows++;
        f->due_found += right;
    }
    return OM_OK;
}

om_status om__ab_selftest(const om_comparison *comparison, bool *passed, om_error *err)
{
    found classes[16] = {0};
    size_t count = 0, wrong = 0, due = 0, due_found = 0, control = 0;
    for (size_t i = 0; i < comparison->cell_count; i++) {
        const om_cell *cell = &comparison->cells[i];
        if (cell->base != NULL && cell->head != NULL && count < sizeof classes / sizeof *classes)
            OM_TRY(count_cell(cell, classes, &count, err));
    }
    for (size_t i = 1; i < count; i++)
        for (size_t j = i; j > 0 && classes[j].percent < classes[j - 1].percent; j--) {
            found swap = classes[j];
            classes[j] = classes[j - 1];
            classes[j - 1] = swap;
        }
    printf("%-10s %5s %6s %12s %5s %8s %9s %24s\n", "put in", "rows", "found", "false alarms",
           "same", "unclear", "no value", "found of those visible");
    for (size_t i = 0; i < count; i++) {
        const found *f = &classes[i];
        char name[32], visible[40] = "";
        snprintf(name, sizeof name, f->percent > 0 ? "±%.0f %%" : "nothing", f->percent);
        if (f->percent > 0)
            snprintf(visible, sizeof visible, "%zu of %zu", f->due_found, f->due_rows);
        printf("%-*s %5zu %6zu %12zu %5zu %8zu %9zu %24s\n", f->percent > 0 ? 11 : 10, name,
               f->rows, f->right, f->wrong, f->same, f->unclear, f->lost, visible);
        wrong += f->wrong;
        due += f->due_rows;
        due_found += f->due_found;
    }
    for (size_t s = 0; s < comparison->section_count; s++) {
        const om_section *section = &comparison->sections[s];
        control += section->control_alarms;
        if (section->judged && !isnan(section->visible_median))
            printf("%s: smallest visible change %.2g %% (median of rows), %.2g %% (nine in ten)\n",
                   section->machine, 100 * section->visible_median, 100 * section->visible_90);
    }
    printf("base against base: %zu alarms\n", control);
    /* A change as large as the visible one is meant to be found in 19 of 20. */
    bool quiet = wrong == 0 && control == 0, fired = 20 * due_found + 19 >= 19 * due;
    *passed = quiet && fired && due > 0;
    if (*passed)
        printf("fit: it stayed quiet, and found what it said it would see\n");
    else if (!quiet || !fired)
        printf("not fit: it %s\n", !quiet ? "cried wolf" : "missed what it said it would see");
    else
        printf(
            "not fit: it stayed quiet, but this machine is too noisy to see the changes put in\n");
    return OM_OK;
}
