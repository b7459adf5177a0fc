/* SPDX-License-Identifier: Apache-2.0 */
/* format_json.c: a report as one JSON object: facts, headline, and the rows for programs. */
#include "report/escape.h"
#include "report/report.h"

static void write_texts(const char *name, const char *const *items, size_t count, om_text *out)
{
    om__text_addf(out, "  \"%s\": [", name);
    for (size_t i = 0; i < count; i++) {
        om__text_add(out, i > 0 ? ", " : "");
        om__escape_json(out, items[i]);
    }
    om__text_add(out, "],\n");
}

/* An absent number is null, so that every row has the same keys. */
static void write_row(const om_table *table, const om_row *row, om_text *out)
{
    om__text_add(out, "{");
    for (size_t i = 0; i < table->column_count; i++) {
        om__text_addf(out, "%s\"%s\": ", i > 0 ? ", " : "", table->columns[i].name);
        if (!table->columns[i].number)
            om__escape_json(out, row->cells[i]);
        else
            om__text_add(out, row->cells[i][0] != '\0' ? row->cells[i] : "null");
    }
    om__text_add(out, "}");
}

static void write_json(const om_document *document, const om_format_options *options, om_text *out)
{
    (void)options;
    om__text_add(out, "{\n  \"schema\": 1,\n  \"kind\": ");
    om__escape_json(out, document->kind);
    om__text_add(out, ",\n  \"title\": ");
    om__escape_json(out, document->title);
    om__text_add(out, ",\n  \"facts\": {");
    for (size_t i = 0; i + 1 < document->facts.count; i += 2) {
        om__text_add(out, i > 0 ? ", " : "");
        om__escape_json(out, document->facts.items[i]);
        om__text_add(out, ": ");
        om__escape_json(out, document->facts.items[i + 1]);
    }
    om__text_add(out, "},\n");
    write_texts("headline", document->headline.items, document->headline.count, out);
    write_texts("warnings", document->warnings.items, document->warnings.count, out);
    om__text_add(out, "  \"rows\": [");
    for (size_t r = 0; r < document->data.row_count; r++) {
        om__text_add(out, r > 0 ? ",\n    " : "\n    ");
        write_row(&document->data, &document->data.rows[r], out);
    }
    om__text_add(out, document->data.row_count > 0 ? "\n  ]\n}\n" : "]\n}\n");
}

const om_format om__format_json = {
    .name = "json",
    .summary = "one object: facts, headline and the rows of the CSV",
    .write = write_json,
    .data = true,
};
