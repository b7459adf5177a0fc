/* SPDX-License-Identifier: Apache-2.0 */
/* csv.c: comma-separated values, read and written as RFC 4180 has them. */
#include "base/csv.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"

#define LARGEST_FILE ((size_t)1 << 30)

/* The parser unquotes in place: what is written never overtakes what is read. */
typedef struct reader {
    om_csv *csv;
    char *at, *end, *to;
    long line;
    const char **row;
    size_t row_size, row_capacity;
    om_error *err;
} reader;

static om_status no_memory(om_error *err)
{
    return om__error_set(err, OM_NO_MEMORY, "no memory for the table");
}

static om_status add_cell(reader *r, const char *cell)
{
    if (r->row_size == r->row_capacity) {
        size_t capacity = r->row_capacity == 0 ? 32 : r->row_capacity * 2;
        const char **row = realloc(r->row, capacity * sizeof *row);
        if (row == NULL)
            return no_memory(r->err);
        r->row = row;
        r->row_capacity = capacity;
    }
    r->row[r->row_size++] = cell;
    return OM_OK;
}

static om_status read_quoted(reader *r, long begin)
{
    r->at++;
    for (;;) {
        if (r->at == r->end)
            return om__error_set_at(r->err, OM_PARSE, r->csv->file, begin,
                                    "the quote opened here is never closed");
        if (*r->at == '"') {
            if (r->at + 1 < r->end && r->at[1] == '"') {
                r->at++;
            } else {
                r->at++;
                break;
            }
        } else if (*r->at == '\n') {
            r->line++;
        }
        *r->to++ = *r->at++;
    }
    if (r->at < r->end && *r->at != ',' && *r->at != '\n' && *r->at != '\r')
        return om__error_set_at(r->err, OM_PARSE, r->csv->file, r->line,
                                "text after a closing quote");
    return OM_OK;
}

/* Reads one row; the cells are NUL-terminated copies in place. */
static om_status read_row(reader *r)
{
    r->row_size = 0;
    for (;;) {
        char *cell = r->to;
        if (r->at < r->end && *r->at == '"') {
            OM_TRY(read_quoted(r, r->line));
        } else {
            while (r->at < r->end && *r->at != ',' && *r->at != '\n' && *r->at != '\r')
                *r->to++ = *r->at++;
        }
        char stop = r->at < r->end ? *r->at : '\n';
        if (r->at < r->end)
            r->at++;
        if (stop == '\r') {
            if (r->at < r->end && *r->at == '\n')
                r->at++;
            stop = '\n';
        }
        /* The separator just read made room for this. */
        *r->to++ = '\0';
        OM_TRY(add_cell(r, cell));
        if (stop == '\n')
            break;
    }
    r->line++;
    return OM_OK;
}

static om_status keep_row(reader *r, long line)
{
    om_csv *csv = r->csv;
    if (r->row == NULL || r->row_size != csv->column_count)
        return om__error_set_at(r->err, OM_PARSE, csv->file, line,
                                "%zu cells where the header has %zu", r->row_size,
                                csv->column_count);
    if (csv->row_count == csv->row_capacity) {
        size_t capacity = csv->row_capacity == 0 ? 64 : csv->row_capacity * 2;
        om_csv_row *rows = realloc(csv->rows, capacity * sizeof *rows);
        if (rows == NULL)
            return no_memory(r->err);
        csv->rows = rows;
        const char **cells =
            realloc(csv->cells, (capacity * csv->column_count + 1) * sizeof *cells);
        if (cells == NULL)
            return no_memory(r->err);
        csv->cells = cells;
        csv->row_capacity = capacity;
    }
    memcpy(csv->cells + csv->row_count * csv->column_count, r->row,
           csv->column_count * sizeof *r->row);
    csv->rows[csv->row_count++].line = line;
    return OM_OK;
}

static om_status read_all(reader *r)
{
    om_csv *csv = r->csv;
    while (r->at < r->end) {
        if (*r->at == '\n' || *r->at == '\r') {
            r->line += *r->at == '\n';
            r->at++;
            continue;
        }
        long line = r->line;
        OM_TRY(read_row(r));
        if (csv->header != NULL) {
            OM_TRY(keep_row(r, line));
            continue;
        }
        csv->header = r->row;
        csv->column_count = r->row_size;
        r->row = NULL;
        r->row_capacity = 0;
    }
    if (csv->header == NULL)
        return om__error_set_at(r->err, OM_PARSE, csv->file, 0, "the table is empty");
    for (size_t i = 0; i < csv->row_count; i++)
        csv->rows[i].cells = csv->cells + i * csv->column_count;
    return OM_OK;
}

om_status om__csv_parse(const char *text, size_t size, const char *file, om_csv *csv, om_error *err)
{
    *csv = (om_csv){0};
    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
        text += 3;
        size -= 3;
    }
    csv->file = om__strdup(file);
    csv->data = malloc(size + 1);
    if (csv->file == NULL || csv->data == NULL) {
        om__csv_release(csv);
        return no_memory(err);
    }
    memcpy(csv->data, text, size);
    csv->data[size] = '\0';
    const char *nul = memchr(text, '\0', size);
    om_status status;
    reader r = {csv, csv->data, csv->data + size, csv->data, 1, NULL, 0, 0, err};
    if (nul != NULL) {
        long line = 1;
        for (const char *c = text; c < nul; c++)
            line += *c == '\n';
        status = om__error_set_at(err, OM_PARSE, file, line, "a NUL byte: this is no text");
    } else {
        status = read_all(&r);
    }
    free(r.row);
    if (status != OM_OK)
        om__csv_release(csv);
    return status;
}

om_status om__csv_read(const char *path, om_csv *csv, om_error *err)
{
    char *data = NULL;
    size_t size = 0;
    *csv = (om_csv){0};
    OM_TRY(om__file_read(path, LARGEST_FILE, &data, &size, err));
    om_status status = om__csv_parse(data, size, path, csv, err);
    free(data);
    return status;
}

void om__csv_release(om_csv *csv)
{
    free(csv->file);
    free(csv->data);
    free(csv->header);
    free(csv->rows);
    free(csv->cells);
    *csv = (om_csv){0};
}

om_status om__csv_column(const om_csv *csv, const char *name, size_t *index, om_error *err)
{
    for (size_t i = 0; i < csv->column_count; i++) {
        if (strcmp(csv->header[i], name) == 0) {
            *index = i;
            return OM_OK;
        }
    }
    return om__error_set_at(err, OM_PARSE, csv->file, 1, "there is no column '%s'", name);
}

void om__csv_add_cell(om_text *out, const char *cell, bool defuse)
{
    double number;
    bool formula = defuse && cell[0] != '\0' && strchr("=+-@\t\r", cell[0]) != NULL &&
                   !om__parse_double(cell, &number);
    if (!formula && strpbrk(cell, ",\"\n\r") == NULL) {
        om__text_add(out, cell);
        return;
    }
    om__text_add(out, "\"");
    if (formula)
        om__text_add_char(out, '\'');
    for (const char *c = cell; *c != '\0'; c++) {
        if (*c == '"')
            om__text_add_char(out, '"');
        om__text_add_char(out, *c);
    }
    om__text_add_char(out, '"');
}
