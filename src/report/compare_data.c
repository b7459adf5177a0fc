/* SPDX-License-Identifier: Apache-2.0 */
/* compare_data.c: the rows of comparisons for programs: stable columns, full precision. */
#include "report/compare_data.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Names and order are documented in docs/records.md and stable: add at the end only. */
#define DATA_COLUMNS(TEXT, NUMBER)                                                                 \
    TEXT(suite)                                                                                    \
    TEXT(case)                                                                                     \
    TEXT(params)                                                                                   \
    TEXT(machine)                                                                                  \
    TEXT(metric)                                                                                   \
    TEXT(unit)                                                                                     \
    NUMBER(base)                                                                                   \
    NUMBER(new)                                                                                    \
    NUMBER(ratio)                                                                                  \
    NUMBER(ratio_low)                                                                              \
    NUMBER(ratio_high)                                                                             \
    TEXT(verdict)                                                                                  \
    TEXT(reason)                                                                                   \
    TEXT(op)                                                                                       \
    TEXT(pass)                                                                                     \
    TEXT(dtype)                                                                                    \
    TEXT(provider)                                                                                 \
    NUMBER(base_launches)                                                                          \
    NUMBER(new_launches)                                                                           \
    NUMBER(base_samples)                                                                           \
    NUMBER(new_samples)                                                                            \
    NUMBER(visible_change)                                                                         \
    TEXT(verdict_alone)                                                                            \
    NUMBER(same_work)                                                                              \
    TEXT(base_side)                                                                                \
    TEXT(new_side)

#define INDEX(name) DATA_##name,
enum { DATA_COLUMNS(INDEX, INDEX) DATA_COUNT };

#define TEXT_COLUMN(column)   [DATA_##column] = {.name = #column, .title = #column},
#define NUMBER_COLUMN(column) [DATA_##column] = {.name = #column, .title = #column, .number = true},
static const om_column data_columns[DATA_COUNT] = {DATA_COLUMNS(TEXT_COLUMN, NUMBER_COLUMN)};

/* The shortest text that reads back as the same number: ratios are not rounded. */
static const char *exact(om_document *document, double value)
{
    char text[40];
    if (!isfinite(value))
        return "";
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    return om__document_text(document, text);
}

static const char *whole(om_document *document, size_t value)
{
    return value > 0 ? om__document_textf(document, "%zu", value) : "";
}

static void add_row(const om_comparison *comparison, const om_cell *cell, om_document *document)
{
    om_row *row = om__document_row(document, &document->data);
    if (row == NULL)
        return;
    const char **cells = row->cells;
    /* the comparison outlives the document: its texts need no copies */
    cells[DATA_suite] = cell->suite;
    cells[DATA_case] = cell->name;
    cells[DATA_params] = cell->params;
    cells[DATA_machine] = cell->machine;
    cells[DATA_metric] = cell->metric;
    cells[DATA_unit] = cell->unit;
    cells[DATA_base] = exact(document, cell->base_value);
    cells[DATA_new] = exact(document, cell->new_value);
    cells[DATA_ratio] = exact(document, cell->ratio);
    cells[DATA_ratio_low] = exact(document, cell->ratio_low);
    cells[DATA_ratio_high] = exact(document, cell->ratio_high);
    cells[DATA_verdict] = om__verdict_name(cell->verdict);
    cells[DATA_reason] = cell->reason;
    cells[DATA_op] = cell->op;
    cells[DATA_pass] = cell->pass;
    cells[DATA_dtype] = cell->dtype;
    cells[DATA_provider] = cell->provider;
    cells[DATA_base_launches] = whole(document, cell->base_launches);
    cells[DATA_new_launches] = whole(document, cell->new_launches);
    cells[DATA_base_samples] = whole(document, cell->base_samples);
    cells[DATA_new_samples] = whole(document, cell->new_samples);
    cells[DATA_visible_change] = exact(document, cell->visible);
    cells[DATA_verdict_alone] = cell->alone != cell->verdict ? om__verdict_name(cell->alone) : "";
    cells[DATA_same_work] = whole(document, cell->twin);
    cells[DATA_base_side] = comparison->base_label;
    cells[DATA_new_side] = comparison->new_label;
}

static void add_check(const om_cell *cell, om_document *document)
{
    om_document_check *check = om__document_check_add(document);
    if (check == NULL)
        return;
    bool worse = cell->verdict == OM_VERDICT_SLOWER || cell->verdict == OM_VERDICT_MISSING;
    bool judged = cell->verdict == OM_VERDICT_FASTER || cell->verdict == OM_VERDICT_SAME;
    check->suite = cell->suite;
    check->name =
        om__document_textf(document, "%s%s%s %s %s", cell->name, cell->params[0] != '\0' ? " " : "",
                           cell->params, cell->metric, cell->provider);
    check->type = om__verdict_name(cell->verdict);
    check->message = worse && !isnan(cell->ratio)
                         ? om__document_textf(document, "ratio %.4g", cell->ratio)
                         : cell->reason;
    check->result = worse || cell->new_failed ? OM_CHECK_FAILED
                    : judged                  ? OM_CHECK_PASSED
                                              : OM_CHECK_SKIPPED;
}

void om__comparison_data(const om_comparison *comparisons, size_t count, om_document *document)
{
    document->data.columns = data_columns;
    document->data.column_count = DATA_COUNT;
    for (size_t c = 0; c < count; c++)
        for (size_t i = 0; i < comparisons[c].cell_count; i++) {
            add_row(&comparisons[c], &comparisons[c].cells[i], document);
            add_check(&comparisons[c].cells[i], document);
        }
}
