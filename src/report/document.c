/* SPDX-License-Identifier: Apache-2.0 */
/* document.c: the storage of a report before it has a format. */
#include "report/document.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* Room for one more item in a growing array; false (and failed) when memory is short. */
static bool grow(om_document *document, void **items, size_t *capacity, size_t count, size_t size)
{
    if (document->failed)
        return false;
    if (count < *capacity)
        return true;
    size_t more = *capacity == 0 ? 16 : *capacity * 2;
    void *bigger = realloc(*items, more * size);
    if (bigger == NULL) {
        document->failed = true;
        return false;
    }
    *items = bigger;
    *capacity = more;
    return true;
}

static void *keep(om_document *document, void *memory)
{
    if (memory == NULL || !grow(document, (void **)&document->owned, &document->owned_capacity,
                                document->owned_count, sizeof *document->owned)) {
        free(memory);
        document->failed = true;
        return NULL;
    }
    document->owned[document->owned_count++] = memory;
    return memory;
}

const char *om__document_text(om_document *document, const char *text)
{
    if (text == NULL || text[0] == '\0')
        return "";
    char *copy = keep(document, om__strdup(text));
    return copy != NULL ? copy : "";
}

const char *om__document_textf(om_document *document, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = NULL;
    if (vasprintf(&text, format, args) < 0)
        text = NULL;
    va_end(args);
    text = keep(document, text);
    return text != NULL ? text : "";
}

void *om__document_alloc(om_document *document, size_t count, size_t size)
{
    return keep(document, calloc(count > 0 ? count : 1, size));
}

void om__document_fact(om_document *document, const char *name, const char *text)
{
    for (int i = 0; i < 2; i++) {
        if (!grow(document, (void **)&document->facts.items, &document->facts.capacity,
                  document->facts.count, sizeof *document->facts.items))
            return;
        document->facts.items[document->facts.count++] =
            om__document_text(document, i == 0 ? name : text);
    }
}

void om__document_headline(om_document *document, const char *text)
{
    if (grow(document, (void **)&document->headline.items, &document->headline.capacity,
             document->headline.count, sizeof *document->headline.items))
        document->headline.items[document->headline.count++] = om__document_text(document, text);
}

void om__document_warning(om_document *document, const char *text)
{
    if (grow(document, (void **)&document->warnings.items, &document->warnings.capacity,
             document->warnings.count, sizeof *document->warnings.items))
        document->warnings.items[document->warnings.count++] = om__document_text(document, text);
}

om_document_check *om__document_check_add(om_document *document)
{
    if (!grow(document, (void **)&document->checks, &document->check_capacity,
              document->check_count, sizeof *document->checks))
        return NULL;
    om_document_check *check = &document->checks[document->check_count++];
    *check = (om_document_check){.suite = "", .name = "", .type = "", .message = ""};
    return check;
}

static void init_table(om_document *document, om_table *table, const char *heading,
                       const om_column *columns, size_t column_count)
{
    *table = (om_table){.heading = om__document_text(document, heading),
                        .remark = "",
                        .columns = columns,
                        .column_count = column_count};
}

om_table *om__document_table(om_document *document, const char *heading, const om_column *columns,
                             size_t column_count)
{
    if (!grow(document, (void **)&document->tables, &document->table_capacity,
              document->table_count, sizeof *document->tables))
        return NULL;
    om_table *table = &document->tables[document->table_count++];
    init_table(document, table, heading, columns, column_count);
    return table;
}

om_row *om__document_row(om_document *document, om_table *table)
{
    if (table == NULL || !grow(document, (void **)&table->rows, &table->capacity, table->row_count,
                               sizeof *table->rows))
        return NULL;
    const char **cells = om__document_alloc(document, table->column_count, sizeof *cells);
    if (cells == NULL)
        return NULL;
    for (size_t i = 0; i < table->column_count; i++)
        cells[i] = "";
    om_row *row = &table->rows[table->row_count++];
    *row = (om_row){.cells = cells, .mark = "", .rerun = ""};
    return row;
}

/* Rows have few notes: each one moves them into a fresh array. */
void om__row_note(om_document *document, om_row *row, const char *text)
{
    if (row == NULL)
        return;
    const char **notes = om__document_alloc(document, row->note_count + 1, sizeof *notes);
    if (notes == NULL)
        return;
    if (row->note_count > 0)
        memcpy(notes, row->notes, row->note_count * sizeof *notes);
    notes[row->note_count++] = om__document_text(document, text);
    row->notes = notes;
}

om_status om__document_check(const om_document *document, om_error *err)
{
    if (document->failed)
        return om__error_set(err, OM_NO_MEMORY, "no memory for the report");
    return OM_OK;
}

void om__document_release(om_document *document)
{
    for (size_t i = 0; i < document->table_count; i++)
        free(document->tables[i].rows);
    for (size_t i = 0; i < document->owned_count; i++)
        free(document->owned[i]);
    free(document->tables);
    free(document->data.rows);
    free(document->facts.items);
    free(document->headline.items);
    free(document->warnings.items);
    free(document->checks);
    free(document->owned);
    *document = (om_document){0};
}

bool om__table_is_empty_column(const om_table *table, size_t column)
{
    for (size_t i = 0; i < table->row_count; i++)
        if (table->rows[i].cells[column][0] != '\0')
            return false;
    return true;
}
