/* SPDX-License-Identifier: Apache-2.0 */
/* format_terminal.c: a report for a terminal, fitted into its columns.
 *
 * Where a table is too wide, columns are left out in the order their table states, then names are
 * cut in their middle. Notes and command lines are never cut: they may be copied.
 */
#include <string.h>

#include "base/width.h"
#include "report/report.h"

enum { GAP = 2, SMALLEST_SHRUNK = 12, MOST_COLUMNS = 64 };

typedef struct layout {
    const om_table *table;
    bool shown[MOST_COLUMNS];
    int width[MOST_COLUMNS];
} layout;

static const char *colour_of(const char *mark)
{
    static const char *const colours[][2] = {
        {"faster", "\x1b[32m"}, {"slower", "\x1b[31m"},  {"unclear", "\x1b[33m"},
        {"wrong", "\x1b[31m"},  {"crashed", "\x1b[31m"}, {"timeout", "\x1b[31m"},
        {"error", "\x1b[31m"},  {"missing", "\x1b[33m"}, {"mistrusted", "\x1b[33m"},
    };
    for (size_t i = 0; i < sizeof colours / sizeof colours[0]; i++)
        if (strcmp(colours[i][0], mark) == 0)
            return colours[i][1];
    return "";
}

static bool wants_attention(const char *mark)
{
    return colour_of(mark)[0] != '\0' && strcmp(mark, "faster") != 0;
}

static int total_width(const layout *l)
{
    int total = 0;
    for (size_t i = 0; i < l->table->column_count; i++)
        if (l->shown[i])
            total += l->width[i] + (total > 0 ? GAP : 0);
    return total;
}

static bool drop_one(layout *l)
{
    size_t worst = l->table->column_count;
    for (size_t i = 0; i < l->table->column_count; i++)
        if (l->shown[i] && l->table->columns[i].drop > 0 &&
            (worst == l->table->column_count ||
             l->table->columns[i].drop > l->table->columns[worst].drop))
            worst = i;
    if (worst == l->table->column_count)
        return false;
    l->shown[worst] = false;
    return true;
}

static void shrink(layout *l, int excess)
{
    while (excess > 0) {
        size_t widest = l->table->column_count;
        for (size_t i = 0; i < l->table->column_count; i++)
            if (l->shown[i] && l->table->columns[i].shrink && l->width[i] > SMALLEST_SHRUNK &&
                (widest == l->table->column_count || l->width[i] > l->width[widest]))
                widest = i;
        if (widest == l->table->column_count)
            return;
        l->width[widest]--;
        excess--;
    }
}

/* What of the shrinkable columns must be given up before a column is left out: names may lose up
 * to a third of the line. */
static int can_shrink(const layout *l, int width)
{
    int sum = 0;
    for (size_t i = 0; i < l->table->column_count; i++) {
        int keep = width / 4 > SMALLEST_SHRUNK ? width / 4 : SMALLEST_SHRUNK;
        if (l->shown[i] && l->table->columns[i].shrink && l->width[i] > keep)
            sum += l->width[i] - keep;
    }
    return sum;
}

static void lay_out(layout *l, const om_table *table, int width)
{
    *l = (layout){.table = table};
    for (size_t i = 0; i < table->column_count && i < MOST_COLUMNS; i++) {
        l->shown[i] = !om__table_is_empty_column(table, i);
        l->width[i] = om__text_width(table->columns[i].title);
        for (size_t r = 0; r < table->row_count; r++) {
            int columns = om__text_width(table->rows[r].cells[i]);
            if (columns > l->width[i])
                l->width[i] = columns;
        }
    }
    if (width <= 0)
        return;
    while (total_width(l) - can_shrink(l, width) > width && drop_one(l))
        continue;
    shrink(l, total_width(l) - width);
}

static void add_blanks(om_text *out, int count)
{
    om__text_addf(out, "%*s", count > 0 ? count : 0, "");
}

static void add_cell(om_text *out, const char *text, int width, bool right, const char *colour,
                     bool last)
{
    om_text cut = {0};
    om__text_add(&cut, "");
    om__text_add_cut(&cut, text, width);
    const char *shown = cut.failed ? "" : cut.data;
    int blanks = width - om__text_width(shown);
    if (right)
        add_blanks(out, blanks);
    om__text_addf(out, "%s%s%s", colour, shown, colour[0] != '\0' ? "\x1b[0m" : "");
    if (!right && !last)
        add_blanks(out, blanks);
    om__text_release(&cut);
}

static size_t last_shown(const layout *l)
{
    size_t last = 0;
    for (size_t i = 0; i < l->table->column_count; i++)
        if (l->shown[i])
            last = i;
    return last;
}

static void trim(om_text *out)
{
    while (out->size > 0 && out->data[out->size - 1] == ' ')
        out->data[--out->size] = '\0';
}

static void write_line(const layout *l, const om_row *row, bool colour, om_text *out)
{
    size_t last = last_shown(l);
    bool first = true;
    for (size_t i = 0; i < l->table->column_count; i++) {
        const om_column *column = &l->table->columns[i];
        if (!l->shown[i])
            continue;
        if (!first)
            add_blanks(out, GAP);
        first = false;
        const char *text = row != NULL ? row->cells[i] : column->title;
        const char *shade = "";
        if (colour)
            shade = row == NULL ? "\x1b[2m" : column->marked ? colour_of(row->mark) : "";
        add_cell(out, text, l->width[i], column->number, shade, i == last);
    }
    trim(out);
    om__text_add_char(out, '\n');
}

static void write_table(const om_table *table, const om_format_options *options, om_text *out)
{
    layout l;
    lay_out(&l, table, options->width);
    om__text_add(out, options->colour ? "\n\x1b[1m" : "\n");
    om__text_add_visible(out, table->heading);
    om__text_add(out, options->colour ? "\x1b[0m\n" : "\n");
    if (table->remark[0] != '\0') {
        om__text_add_visible(out, table->remark);
        om__text_add_char(out, '\n');
    }
    if (table->row_count == 0)
        return;
    write_line(&l, NULL, options->colour, out);
    for (size_t r = 0; r < table->row_count; r++) {
        const om_row *row = &table->rows[r];
        write_line(&l, row, options->colour, out);
        for (size_t i = 0; i < row->note_count; i++) {
            om__text_add(out, "    ");
            om__text_add_visible(out, row->notes[i]);
            om__text_add_char(out, '\n');
        }
        if (row->rerun[0] != '\0' && (options->rerun || wants_attention(row->mark)))
            om__text_addf(out, "    $ %s\n", row->rerun);
    }
}

static void write_terminal(const om_document *document, const om_format_options *options,
                           om_text *out)
{
    int name_width = 0;
    for (size_t i = 0; i + 1 < document->facts.count; i += 2) {
        int width = om__text_width(document->facts.items[i]);
        if (width > name_width)
            name_width = width;
    }
    for (size_t i = 0; i + 1 < document->facts.count; i += 2) {
        add_cell(out, document->facts.items[i], name_width, false, options->colour ? "\x1b[2m" : "",
                 false);
        add_blanks(out, GAP);
        om__text_add_visible(out, document->facts.items[i + 1]);
        om__text_add_char(out, '\n');
    }
    for (size_t i = 0; i < document->table_count; i++)
        write_table(&document->tables[i], options, out);
    om__text_add(out, document->headline.count > 0 ? "\n" : "");
    for (size_t i = 0; i < document->headline.count; i++) {
        om__text_add_visible(out, document->headline.items[i]);
        om__text_add_char(out, '\n');
    }
    for (size_t i = 0; i < document->warnings.count; i++) {
        om__text_add(out, options->colour ? "\x1b[33mwarning\x1b[0m: " : "warning: ");
        om__text_add_visible(out, document->warnings.items[i]);
        om__text_add_char(out, '\n');
    }
}

const om_format om__format_terminal = {
    .name = "terminal",
    .summary = "tables fitted into the columns of the terminal",
    .write = write_terminal,
};
