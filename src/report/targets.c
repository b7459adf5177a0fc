/* SPDX-License-Identifier: Apache-2.0 */
/* targets.c: figures taken elsewhere, read from CSV. */
#include "report/targets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum { ABSENT = -1 };

static int compare_targets(const void *a, const void *b)
{
    const om_target *x = a, *y = b;
    int order = strcmp(x->table, y->table);
    return order != 0 ? order : strcmp(x->workload, y->workload);
}

static long find_column(const om_csv *csv, const char *name)
{
    size_t index;
    return om__csv_column(csv, name, &index, NULL) == OM_OK ? (long)index : ABSENT;
}

static om_status read_figure(const om_csv *csv, const om_csv_row *row, long column, double *value,
                             om_error *err)
{
    *value = NAN;
    if (column == ABSENT || row->cells[column][0] == '\0')
        return OM_OK;
    if (!om__parse_double(row->cells[column], value) || *value < 0)
        return om__error_set_at(err, OM_PARSE, csv->file, row->line, "%s: '%s' is not a time",
                                csv->header[column], row->cells[column]);
    if (*value == 0) /* less than the last digit shown: not known */
        *value = NAN;
    return OM_OK;
}

static om_status fill(om_targets *targets, om_error *err)
{
    const om_csv *csv = &targets->csv;
    size_t op, workload;
    OM_TRY(om__csv_column(csv, "op", &op, err));
    OM_TRY(om__csv_column(csv, "workload", &workload, err));
    long reach = find_column(csv, "reach_us"), rival = find_column(csv, "rival_us");
    long yardstick = find_column(csv, "yardstick_us");
    if (reach == ABSENT && rival == ABSENT && yardstick == ABSENT)
        return om__error_set_at(err, OM_PARSE, csv->file, 1,
                                "none of the columns reach_us, rival_us, yardstick_us is there");
    targets->items = calloc(csv->row_count + 1, sizeof *targets->items);
    if (targets->items == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for the targets");
    for (size_t i = 0; i < csv->row_count; i++) {
        const om_csv_row *row = &csv->rows[i];
        om_target *target = &targets->items[i];
        target->table = row->cells[op];
        target->workload = row->cells[workload];
        OM_TRY(read_figure(csv, row, reach, &target->reach_us, err));
        OM_TRY(read_figure(csv, row, rival, &target->rival_us, err));
        OM_TRY(read_figure(csv, row, yardstick, &target->yardstick_us, err));
    }
    targets->count = csv->row_count;
    qsort(targets->items, targets->count, sizeof *targets->items, compare_targets);
    for (size_t i = 1; i < targets->count; i++)
        if (compare_targets(&targets->items[i - 1], &targets->items[i]) == 0)
            return om__error_set_at(err, OM_PARSE, csv->file, 0, "%s %s stands there twice",
                                    targets->items[i].table, targets->items[i].workload);
    return OM_OK;
}

om_status om__targets_read(const char *path, om_targets *targets, om_error *err)
{
    *targets = (om_targets){0};
    om_status status = om__csv_read(path, &targets->csv, err);
    if (status == OM_OK)
        status = fill(targets, err);
    if (status != OM_OK)
        om__targets_release(targets);
    return status;
}

const om_target *om__target_find(const om_targets *targets, const char *table, const char *workload)
{
    if (targets == NULL || targets->count == 0 || table == NULL || workload == NULL)
        return NULL;
    om_target key = {.table = table, .workload = workload};
    return bsearch(&key, targets->items, targets->count, sizeof key, compare_targets);
}

void om__targets_release(om_targets *targets)
{
    om__csv_release(&targets->csv);
    free(targets->items);
    *targets = (om_targets){0};
}
