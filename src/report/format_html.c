/* SPDX-License-Identifier: Apache-2.0 */
/* format_html.c: a report as one HTML page that opens from disk: no script, no network, nothing
 * beside it. */
#include <string.h>

#include "report/escape.h"
#include "report/report.h"
#include "report/svg_strip.h"

static const char style[] =
    ":root{color-scheme:light dark;--ink:#1d2430;--dim:#5d6878;--line:#dfe3e9;--paper:#fff;"
    "--band:#f5f7fa;--good:#0a7d34;--bad:#c22a1e;--open:#9a6700;--own:#2457c5;--other:#7a8594}\n"
    "@media(prefers-color-scheme:dark){:root{--ink:#e4e8ee;--dim:#98a3b3;--line:#333b47;"
    "--paper:#14181f;--band:#1b212a;--good:#4ac26b;--bad:#ff7b6b;--open:#d9a430;--own:#7aa5ff;"
    "--other:#8b96a5}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0 auto;max-width:1500px;padding:24px;font:15px/1.45 system-ui,sans-serif;"
    "color:var(--ink);background:var(--paper)}\n"
    "h1{font-size:24px;margin:0 0 8px}h2{font-size:18px;margin:32px 0 8px}\n"
    ".headline p{margin:4px 0}.headline p:first-child{font-size:17px;font-weight:600}\n"
    ".warning{border-left:4px solid var(--open);padding:4px 12px;margin:8px 0}\n"
    "dl{display:grid;grid-template-columns:max-content 1fr;gap:2px 16px;color:var(--dim);"
    "margin:16px 0;font-size:14px}dt{font-weight:600}dd{margin:0;overflow-wrap:anywhere}\n"
    "nav{display:flex;flex-wrap:wrap;gap:4px 16px;font-size:14px}a{color:var(--own)}\n"
    ".wide{overflow-x:auto}\n"
    "table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}\n"
    "th{text-align:left;font-weight:600;color:var(--dim);font-size:13px;vertical-align:bottom;"
    "border-bottom:2px solid var(--line)}\n"
    "th,td{padding:5px 10px 5px 0}td{vertical-align:top;border-top:1px solid var(--line)}\n"
    ".n{text-align:right;white-space:nowrap}td:first-child{overflow-wrap:anywhere}\n"
    ".more td{border-top:0;padding-top:0}\n"
    ".faster .mark{color:var(--good);font-weight:600}.slower .mark,.wrong .mark,.crashed .mark,"
    ".timeout .mark,.error .mark{color:var(--bad);font-weight:600}.unclear .mark,.mistrusted .mark,"
    ".missing .mark{color:var(--open);font-weight:600}\n"
    "details{color:var(--dim);font-size:13px}summary{cursor:pointer}\n"
    ".note{margin:2px 0;font-size:13px;color:var(--dim)}\n"
    "pre{white-space:pre-wrap;overflow-wrap:anywhere;background:var(--band);padding:6px 10px;"
    "margin:6px 0;font-size:13px;color:var(--ink)}\n"
    "svg{max-width:760px;width:100%;height:auto;display:block;margin:6px 0}\n"
    "svg text{fill:var(--ink);font:12px system-ui,sans-serif}svg .name{text-anchor:end}\n"
    "svg .axis{fill:var(--dim);text-anchor:middle;font-size:11px}\n"
    ".grid{stroke:var(--line)}.dot{stroke:var(--other);stroke-width:5;stroke-linecap:round;"
    "stroke-opacity:.4;fill:none}.own .dot{stroke:var(--own)}\n"
    ".median{stroke:var(--ink);stroke-width:1.5}\n"
    "@media(max-width:700px){body{padding:14px}thead{display:none}"
    "table,tbody,tr,td{display:block;width:100%}tr.row{border-top:2px solid var(--line);"
    "padding-top:8px;margin-top:8px}td,.more td{border:0;padding:1px 0}"
    "tr.row td{display:flex;justify-content:space-between;gap:16px;text-align:right}"
    "tr.row td::before{content:attr(data-label);color:var(--dim);text-align:left}"
    "tr.row td:first-child{font-weight:600;display:block;text-align:left}"
    "tr.row td:first-child::before{content:none}dl{gap:2px 10px}"
    "tr.row td.none{display:none}}\n"
    "@media print{:root{color-scheme:light}body{max-width:none;padding:0;font-size:10px}"
    "h1{font-size:16px}h2{font-size:13px;break-after:avoid}th,td{padding:2px 6px 2px 0;"
    "font-size:9px}tr{break-inside:avoid}nav,details{display:none}"
    ".headline p:first-child{font-size:12px}dl{font-size:9px}@page{size:A4 "
    "landscape;margin:12mm}}\n";

static void add_element(om_text *out, const char *name, const char *text)
{
    om__text_addf(out, "<%s>", name);
    om__escape_html(out, text);
    om__text_addf(out, "</%s>\n", name);
}

static void write_row(const om_table *table, const om_row *row, size_t shown, om_text *out)
{
    om__text_add(out, "<tr class=\"row ");
    om__escape_html(out, row->mark);
    om__text_add(out, "\">");
    for (size_t i = 0; i < table->column_count; i++) {
        const om_column *column = &table->columns[i];
        if (om__table_is_empty_column(table, i))
            continue;
        /* On a phone an empty cell would be a line with a label and nothing beside it. */
        om__text_addf(out, "<td class=\"%s%s\" data-label=\"",
                      column->marked   ? "mark"
                      : column->number ? "n"
                                       : "t",
                      row->cells[i][0] == '\0' ? " none" : "");
        om__escape_html(out, column->title);
        om__text_add(out, "\">");
        om__escape_html(out, row->cells[i]);
        om__text_add(out, "</td>");
    }
    om__text_add(out, "</tr>\n");
    if (row->note_count == 0 && row->strip_count == 0 && row->rerun[0] == '\0')
        return;
    om__text_addf(out, "<tr class=\"more\"><td colspan=\"%zu\">", shown);
    for (size_t i = 0; i < row->note_count; i++) {
        om__text_add(out, "<p class=\"note\">");
        om__escape_html(out, row->notes[i]);
        om__text_add(out, "</p>");
    }
    if (row->strip_count > 0 || row->rerun[0] != '\0') {
        om__text_add(out, "<details><summary>samples and the line that reruns this row</summary>");
        om__svg_strips(row->strips, row->strip_count, out);
        if (row->rerun[0] != '\0')
            add_element(out, "pre", row->rerun);
        om__text_add(out, "</details>");
    }
    om__text_add(out, "</td></tr>\n");
}

static void write_table(const om_table *table, size_t number, om_text *out)
{
    om__text_addf(out, "<section id=\"t%zu\">\n", number);
    add_element(out, "h2", table->heading);
    if (table->remark[0] != '\0')
        add_element(out, "p", table->remark);
    if (table->row_count > 0) {
        size_t shown = 0;
        om__text_add(out, "<div class=\"wide\"><table><thead><tr>");
        for (size_t i = 0; i < table->column_count; i++) {
            if (om__table_is_empty_column(table, i))
                continue;
            om__text_addf(out, "<th%s>", table->columns[i].number ? " class=\"n\"" : "");
            om__escape_html(out, table->columns[i].title);
            om__text_add(out, "</th>");
            shown++;
        }
        om__text_add(out, "</tr></thead>\n<tbody>\n");
        for (size_t r = 0; r < table->row_count; r++)
            write_row(table, &table->rows[r], shown, out);
        om__text_add(out, "</tbody></table></div>\n");
    }
    om__text_add(out, "</section>\n");
}

static void write_head(const om_document *document, om_text *out)
{
    om__text_add(out, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
                      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                      "style-src 'unsafe-inline'\">\n");
    add_element(out, "title", document->title);
    om__text_addf(out, "<style>\n%s</style>\n</head>\n<body>\n", style);
    add_element(out, "h1", document->title);
    om__text_add(out, "<div class=\"headline\">\n");
    for (size_t i = 0; i < document->headline.count; i++)
        add_element(out, "p", document->headline.items[i]);
    om__text_add(out, "</div>\n");
    for (size_t i = 0; i < document->warnings.count; i++) {
        om__text_add(out, "<p class=\"warning\">");
        om__escape_html(out, document->warnings.items[i]);
        om__text_add(out, "</p>\n");
    }
    om__text_add(out, "<dl>\n");
    for (size_t i = 0; i < document->facts.count; i++)
        add_element(out, i % 2 == 0 ? "dt" : "dd", document->facts.items[i]);
    om__text_add(out, "</dl>\n");
}

static void write_html(const om_document *document, const om_format_options *options, om_text *out)
{
    (void)options;
    write_head(document, out);
    if (document->table_count > 2) {
        om__text_add(out, "<nav>\n");
        for (size_t i = 0; i < document->table_count; i++) {
            om__text_addf(out, "<a href=\"#t%zu\">", i + 1);
            om__escape_html(out, document->tables[i].heading);
            om__text_add(out, "</a>\n");
        }
        om__text_add(out, "</nav>\n");
    }
    for (size_t i = 0; i < document->table_count; i++)
        write_table(&document->tables[i], i + 1, out);
    om__text_add(out, "</body>\n</html>\n");
}

const om_format om__format_html = {
    .name = "html",
    .summary = "one page with plots of the samples; opens from disk, no network",
    .write = write_html,
};
