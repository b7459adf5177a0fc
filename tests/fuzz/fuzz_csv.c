/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_csv.c: any bytes as a table; what was read must survive being written. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A row of one empty cell is an empty line, which no reader sees: such rows are written quoted. */
static void put_row(om_text *text, const char *const *cells, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        om__text_add(text, i == 0 ? "" : ",");
        om__csv_add_cell(text, cells[i], false);
    }
    om__text_add(text, count == 1 && cells[0][0] == '\0' ? "\"\"\n" : "\n");
}

static void check_row(const char *const *a, const char *const *b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(a[i], b[i]) != 0)
            abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    om_csv csv, again;
    om_error err;
    om_text text = {0};
    if (om__csv_parse((const char *)data, size, "input", &csv, &err) != OM_OK)
        return 0;
    /* A mark in front, so that one inside the first cell stays. */
    om__text_add(&text, "\xEF\xBB\xBF");
    put_row(&text, csv.header, csv.column_count);
    for (size_t r = 0; r < csv.row_count; r++)
        put_row(&text, csv.rows[r].cells, csv.column_count);
    if (om__csv_parse(text.data, text.size, "again", &again, &err) != OM_OK ||
        again.column_count != csv.column_count || again.row_count != csv.row_count)
        abort();
    check_row(csv.header, again.header, csv.column_count);
    for (size_t r = 0; r < csv.row_count; r++)
        check_row(csv.rows[r].cells, again.rows[r].cells, csv.column_count);
    om__csv_release(&csv);
    om__csv_release(&again);
    om__text_release(&text);
    return 0;
}
