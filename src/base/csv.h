/* SPDX-License-Identifier: Apache-2.0 */
/* csv.h: comma-separated values, read and written as RFC 4180 has them. */
#ifndef OM_BASE_CSV_H
#define OM_BASE_CSV_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

typedef struct om_csv_row {
    const char **cells; /* as many as the header has */
    long line;          /* 1-based, where the row begins */
} om_csv_row;

typedef struct om_csv {
    char *file;
    char *data; /* what the cells point into */
    const char **header;
    size_t column_count;
    om_csv_row *rows;
    size_t row_count, row_capacity;
    const char **cells; /* the storage of all rows' cells */
} om_csv;

/* The first line is the header. Quotes, line breaks inside them, CRLF and a byte order mark are
 * understood; empty lines are skipped. OM_PARSE with file and line: a row of another length than
 * the header, an open quote, text after a closing quote, a NUL byte, no header at all. */
om_status om__csv_parse(const char *text, size_t size, const char *file, om_csv *csv,
                        om_error *err);
om_status om__csv_read(const char *path, om_csv *csv, om_error *err);
void om__csv_release(om_csv *csv);
/* The index of a column by name; OM_PARSE naming it where there is none. */
om_status om__csv_column(const om_csv *csv, const char *name, size_t *index, om_error *err);

/* Adds one cell, quoted where it has to be; `defuse` puts a ' before what a spreadsheet would take
 * for a formula: text that begins with = + - @ or a tab and is no number. */
void om__csv_add_cell(om_text *out, const char *cell, bool defuse);

#endif
