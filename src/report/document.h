/* SPDX-License-Identifier: Apache-2.0 */
/* document.h: a report before it has a format: facts, a headline, tables for people, one table for
 * programs, and a list of checks.
 *
 * Builders (contest_document.c) fill it; formats (format_*.c) print it. All texts belong to the
 * document: om__document_text copies them in; a builder that ran out of memory sees it once, at the
 * end, through om__document_check. Texts are raw: each format escapes for itself.
 */
#ifndef OM_REPORT_DOCUMENT_H
#define OM_REPORT_DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

typedef struct om_column {
    const char *name;  /* for programs: "time_ms" */
    const char *title; /* for people: "time" */
    bool number;       /* right-aligned; a bare number in JSON */
    int drop;    /* 0: always shown; else left out of a narrow table, the greater ones first */
    bool shrink; /* may be cut in the middle where the table is too wide */
    bool marked; /* shows the mark of its row, and has its colour */
} om_column;

/* The samples of one subject for a strip plot: one group a launch. */
typedef struct om_strip {
    const char *label;
    const char *role;
    const char *unit;
    const float *const *samples; /* group_count arrays; NaN: invalid */
    const size_t *counts;
    size_t group_count;
    double value; /* of the row, in the samples' unit */
} om_strip;

typedef struct om_row {
    const char **cells; /* column_count of the table; "" where there is nothing */
    const char *mark;   /* verdict or outcome word: its colour; "": none */
    const char **notes; /* whole sentences */
    size_t note_count;
    const char *rerun; /* the command line that measures the row again; "": there is none */
    const om_strip *strips;
    size_t strip_count;
} om_row;

typedef struct om_table {
    const char *heading;
    const char *remark; /* below the heading; "": none */
    const om_column *columns;
    size_t column_count;
    om_row *rows;
    size_t row_count, capacity;
} om_table;

typedef enum om_check_result {
    OM_CHECK_PASSED = 0,
    OM_CHECK_FAILED,
    OM_CHECK_ERROR,
    OM_CHECK_SKIPPED
} om_check_result;

typedef struct om_document_check {
    const char *suite, *name, *type, *message;
    om_check_result result;
    double seconds; /* 0: unknown */
} om_document_check;

typedef struct om_document {
    const char *title;
    const char *kind; /* "report", "compare": for programs */
    struct {
        const char **items; /* name, text, name, text, … */
        size_t count, capacity;
    } facts;
    struct {
        const char **items;
        size_t count, capacity;
    } headline, warnings;
    om_table *tables;
    size_t table_count, table_capacity;
    om_table data; /* for CSV and JSON */
    om_document_check *checks;
    size_t check_count, check_capacity;
    void **owned;
    size_t owned_count, owned_capacity;
    bool failed;
} om_document;

/* Copies of texts; "" when memory is short. text NULL gives "". */
const char *om__document_text(om_document *document, const char *text);
const char *om__document_textf(om_document *document, const char *format, ...) OM_PRINTF(2, 3);
/* Zeroed storage that lives as long as the document; NULL when memory is short. */
void *om__document_alloc(om_document *document, size_t count, size_t size);

/* The texts given to these are copied. */
void om__document_fact(om_document *document, const char *name, const char *text);
void om__document_headline(om_document *document, const char *text);
void om__document_warning(om_document *document, const char *text);
om_document_check *om__document_check_add(om_document *document); /* NULL when memory is short */
/* The table is valid until the next one is added; columns must outlive the document. */
om_table *om__document_table(om_document *document, const char *heading, const om_column *columns,
                             size_t column_count);
/* A row of empty cells; NULL when memory is short. Valid until the next row is added. */
om_row *om__document_row(om_document *document, om_table *table);
void om__row_note(om_document *document, om_row *row, const char *text);

om_status om__document_check(const om_document *document, om_error *err);
void om__document_release(om_document *document);

/* Whether every cell of a column is empty: such columns are not shown to people. */
bool om__table_is_empty_column(const om_table *table, size_t column);

#endif
