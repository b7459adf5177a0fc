/* SPDX-License-Identifier: Apache-2.0 */
/* format_md.c: a report in the markdown of code forges. */
#include "report/format_md.h"

#include "report/escape.h"
#include "report/report.h"

static void add_cell(om_text *out, const char *text)
{
    om__text_add(out, " ");
    om__escape_markdown(out, text);
    om__text_add(out, " |");
}

static void write_notes(const om_table *table, om_text *out)
{
    bool any = false;
    for (size_t r = 0; r < table->row_count; r++)
        any = any || table->rows[r].note_count > 0;
    if (!any)
        return;
    om__text_add(out, "\n");
    for (size_t r = 0; r < table->row_count; r++) {
        const om_row *row = &table->rows[r];
        for (size_t i = 0; i < row->note_count; i++) {
            om__text_addf(out, "- row %zu: ", r + 1); /* a numbered list would be renumbered */
            om__escape_markdown(out, row->notes[i]);
            om__text_add(out, "\n");
        }
    }
}

/* The lines that rerun rows, folded away: what is to be copied stands in a block of code. */
static void write_reruns(const om_table *table, om_text *out)
{
    bool any = false;
    for (size_t r = 0; r < table->row_count; r++)
        any = any || table->rows[r].rerun[0] != '\0';
    if (!any)
        return;
    om__text_add(out, "\n<details><summary>Lines that rerun these rows</summary>\n\n<pre>");
    for (size_t r = 0; r < table->row_count; r++) {
        if (table->rows[r].rerun[0] == '\0')
            continue;
        om__text_addf(out, "# %zu\n", r + 1);
        om__escape_html(out, table->rows[r].rerun);
        om__text_add(out, "\n");
    }
    om__text_add(out, "</pre>\n\n</details>\n");
}

static void write_table_body(const om_table *table, om_text *out)
{
    if (table->remark[0] != '\0') {
        om__escape_markdown(out, table->remark);
        om__text_add(out, "\n\n");
    }
    if (table->row_count == 0)
        return;
    om__text_add(out, "| # |");
    for (size_t i = 0; i < table->column_count; i++)
        if (!om__table_is_empty_column(table, i))
            add_cell(out, table->columns[i].title);
    om__text_add(out, "\n| ---: |");
    for (size_t i = 0; i < table->column_count; i++)
        if (!om__table_is_empty_column(table, i))
            om__text_add(out, table->columns[i].number ? " ---: |" : " --- |");
    om__text_add(out, "\n");
    for (size_t r = 0; r < table->row_count; r++) {
        om__text_addf(out, "| %zu |", r + 1);
        for (size_t i = 0; i < table->column_count; i++)
            if (!om__table_is_empty_column(table, i))
                add_cell(out, table->rows[r].cells[i]);
        om__text_add(out, "\n");
    }
    write_notes(table, out);
    write_reruns(table, out);
}

void om__md_table(const om_table *table, bool folded, const char *level, om_text *out)
{
    om__text_addf(out, folded ? "\n<details><summary>" : "\n%s ", level);
    om__escape_markdown(out, table->heading);
    om__text_add(out, folded ? "</summary>\n\n" : "\n\n");
    write_table_body(table, out);
    om__text_add(out, folded ? "\n</details>\n" : "");
}

void om__md_head(const om_document *document, om_text *out)
{
    for (size_t i = 0; i < document->headline.count; i++) {
        om__text_add(out, i == 0 ? "**" : "");
        om__escape_markdown(out, document->headline.items[i]);
        om__text_add(out, i == 0 ? "**\n\n" : "\n\n");
    }
    for (size_t i = 0; i < document->warnings.count; i++) {
        om__text_add(out, "> Warning: ");
        om__escape_markdown(out, document->warnings.items[i]);
        om__text_add(out, "\n\n");
    }
    om__text_add(out, document->facts.count > 0 ? "| | |\n| --- | --- |\n" : "");
    for (size_t i = 0; i + 1 < document->facts.count; i += 2) {
        om__text_add(out, "|");
        add_cell(out, document->facts.items[i]);
        add_cell(out, document->facts.items[i + 1]);
        om__text_add(out, "\n");
    }
}

static void write_md(const om_document *document, const om_format_options *options, om_text *out)
{
    (void)options;
    om__text_add(out, "# ");
    om__escape_markdown(out, document->title);
    om__text_add(out, "\n\n");
    om__md_head(document, out);
    for (size_t i = 0; i < document->table_count; i++)
        om__md_table(&document->tables[i], false, "##", out);
}

const om_format om__format_md = {
    .name = "md",
    .summary = "markdown as code forges show it",
    .write = write_md,
};
