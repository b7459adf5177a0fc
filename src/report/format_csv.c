/* SPDX-License-Identifier: Apache-2.0 */
/* format_csv.c: the table for programs as comma-separated values. */
#include "base/csv.h"
#include "report/report.h"

static void write_csv(const om_document *document, const om_format_options *options, om_text *out)
{
    const om_table *table = &document->data;
    for (size_t i = 0; i < table->column_count; i++) {
        om__text_add(out, i > 0 ? "," : "");
        om__csv_add_cell(out, table->columns[i].name, options->defuse);
    }
    om__text_add_char(out, '\n');
    for (size_t r = 0; r < table->row_count; r++) {
        for (size_t i = 0; i < table->column_count; i++) {
            om__text_add(out, i > 0 ? "," : "");
            om__csv_add_cell(out, table->rows[r].cells[i], options->defuse);
        }
        om__text_add_char(out, '\n');
    }
}

const om_format om__format_csv = {
    .name = "csv",
    .summary = "one line a row of every provider, full precision, stable columns",
    .write = write_csv,
    .data = true,
};
