/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_list.c: `opmark list ops|providers|workloads|suites|devices`. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/error.h"
#include "base/width.h"
#include "bench/workload.h"
#include "cli/command.h"
#include "cli/output.h"
#include "core/context.h"
#include "providers/providers.h"
#include "record/record.h"

typedef struct config {
    om_words suites;
    om_words filters;
    const char *format;
    const char *library_dir;
} config;

/* ---- a table of texts ---- */

typedef struct table {
    const char *const *columns;
    size_t column_count;
    char **cells; /* row by row, owned */
    size_t cell_count, capacity;
    bool failed;
} table;

static void add_cell(table *t, const char *text)
{
    if (t->cell_count == t->capacity) {
        size_t capacity = t->capacity == 0 ? 256 : t->capacity * 2;
        char **cells = realloc(t->cells, capacity * sizeof *cells);
        if (cells == NULL) {
            t->failed = true;
            return;
        }
        t->cells = cells;
        t->capacity = capacity;
    }
    char *copy = om__strdup(text == NULL ? "" : text);
    t->failed |= copy == NULL;
    if (copy != NULL)
        t->cells[t->cell_count++] = copy;
}

static void table_release(table *t)
{
    for (size_t i = 0; i < t->cell_count; i++)
        free(t->cells[i]);
    free(t->cells);
}

static void put_row_csv(om_text *out, const char *const *cells, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            om__text_add_char(out, ',');
        om__csv_add_cell(out, cells[i], false);
    }
    om__text_add_char(out, '\n');
}

/* Every column as wide as its widest cell, the last one as it is. */
static void put_row_aligned(om_text *out, const char *const *cells, const int *widths, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        om__text_add_visible(out, cells[i]);
        for (int blank = om__text_width(cells[i]); i + 1 < count && blank < widths[i] + 2; blank++)
            om__text_add_char(out, ' ');
    }
    while (out->size > 0 && out->data[out->size - 1] == ' ')
        out->data[--out->size] = '\0';
    om__text_add_char(out, '\n');
}

static int print_table(table *t, const char *format)
{
    enum { MOST_COLUMNS = 12 };
    int widths[MOST_COLUMNS] = {0};
    om_text out = {0};
    bool csv = strcmp(format, "csv") == 0;
    size_t columns = t->column_count;
    const char *const *cells = (const char *const *)t->cells;
    for (size_t i = 0; i < columns; i++)
        widths[i] = om__text_width(t->columns[i]);
    for (size_t i = 0; i < t->cell_count; i++) {
        int width = om__text_width(t->cells[i]);
        if (width > widths[i % columns])
            widths[i % columns] = width;
    }
    if (csv)
        put_row_csv(&out, t->columns, columns);
    else
        put_row_aligned(&out, t->columns, widths, columns);
    for (size_t i = 0; i + columns <= t->cell_count; i += columns) {
        if (csv)
            put_row_csv(&out, cells + i, columns);
        else
            put_row_aligned(&out, cells + i, widths, columns);
    }
    om_error err;
    int code = OM_EXIT_OK;
    if (t->failed)
        out.failed = true;
    if (om__text_check(&out, &err) != OM_OK)
        code = om__cli_fail(&err);
    else if (om__output_write(NULL, &out, &err) != OM_OK)
        code = om__cli_fail(&err);
    om__text_release(&out);
    return code;
}

#define TABLE(...)                                                                                 \
    static const char *const columns[] = {__VA_ARGS__};                                            \
    table t = {.columns = columns, .column_count = sizeof columns / sizeof columns[0]}

/* ---- what can be listed ---- */

static void add_fields(table *t, const om_op *op)
{
    om_text text = {0};
    om__text_add(&text, "");
    for (size_t i = 0; i < op->field_count; i++) {
        const om_field *field = &op->fields[i];
        om__text_addf(&text, "%s%s%s%s", i == 0 ? "" : " ", field->name,
                      field->standard != NULL ? "=" : "",
                      field->standard != NULL ? field->standard : "");
    }
    add_cell(t, text.failed ? NULL : text.data);
    om__text_release(&text);
}

static int list_ops(const config *c)
{
    TABLE("op", "pass", "params", "summary");
    size_t count;
    const om_op *const *ops = om__ops_get(&count);
    for (size_t i = 0; i < count; i++) {
        add_cell(&t, ops[i]->name);
        add_cell(&t, ops[i]->pass);
        add_fields(&t, ops[i]);
        add_cell(&t, ops[i]->summary);
    }
    int code = print_table(&t, c->format);
    table_release(&t);
    return code;
}

static int list_providers(const config *c)
{
    TABLE("provider", "role", "device", "by_name_only", "summary");
    size_t count;
    const om_provider *const *providers = om__providers_get(&count);
    for (size_t i = 0; i < count; i++) {
        const om_provider *p = providers[i];
        add_cell(&t, p->name);
        add_cell(&t, om__role_name(p->role));
        add_cell(&t, p->device_kind == NULL ? "any" : p->device_kind);
        add_cell(&t, p->by_name_only ? "yes" : "no");
        add_cell(&t, p->summary);
    }
    int code = print_table(&t, c->format);
    table_release(&t);
    return code;
}

static void add_suite(table *t, const char *name, const char *path)
{
    om_workloads set = {0};
    om_error err;
    char text[32];
    om_status status = om__workloads_read(&set, path, &err);
    snprintf(text, sizeof text, "%zu", set.count);
    add_cell(t, name);
    add_cell(t, status == OM_OK ? text : "");
    add_cell(t, path);
    add_cell(t, status == OM_OK ? "" : err.text);
    om__workloads_release(&set);
}

static int list_suites(const config *c)
{
    TABLE("suite", "workloads", "file", "fault");
    om_pairs suites = {0};
    char *folder = NULL;
    om_error err;
    om_status status = om__cli_find("workloads", &folder, &err);
    if (status == OM_OK)
        status = om__suites_list(folder, &suites, &err);
    for (size_t i = 0; i < suites.count; i++)
        add_suite(&t, suites.items[i].key, suites.items[i].value);
    int code = status == OM_OK ? print_table(&t, c->format) : om__cli_fail(&err);
    om__pairs_release(&suites);
    table_release(&t);
    free(folder);
    return code;
}

static void format_bytes(int64_t bytes, char text[32])
{
    if (bytes <= 0)
        text[0] = '\0';
    else
        snprintf(text, 32, "%.1f GiB", (double)bytes / 1073741824.0);
}

static void add_device(table *t, const om_device_api *api, int index)
{
    om_device *device = NULL;
    om_device_info info = {0};
    om_error err = {0};
    char name[32], memory[32] = "";
    om_status status = api->open(index, NULL, &device, &err);
    if (status == OM_OK)
        status = api->info(device, &info, &err);
    if (index == 0 && strcmp(api->kind, "cpu") == 0)
        snprintf(name, sizeof name, "cpu");
    else
        snprintf(name, sizeof name, "%s:%d", api->kind, index);
    if (status == OM_OK)
        format_bytes(info.memory_bytes, memory);
    add_cell(t, name);
    add_cell(t, info.name);
    add_cell(t, memory);
    add_cell(t, info.driver);
    add_cell(t, status == OM_OK ? "" : err.text);
    if (device != NULL)
        api->close(device);
}

static int list_devices(const config *c)
{
    static const char *const kinds[] = {"cpu", "cuda"};
    TABLE("device", "model", "memory", "driver", "reason");
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        const om_device_api *api = NULL;
        int count = 0;
        om_error err;
        om_status status = om__device_api_find(kinds[k], c->library_dir, &api, &err);
        if (status == OM_OK)
            status = api->count(&count, &err);
        for (int i = 0; status == OM_OK && i < count; i++)
            add_device(&t, api, i);
        if (status == OM_OK && count > 0)
            continue;
        add_cell(&t, kinds[k]);
        add_cell(&t, "");
        add_cell(&t, "");
        add_cell(&t, "");
        add_cell(&t, status == OM_OK ? "there is none" : err.text);
    }
    int code = print_table(&t, c->format);
    table_release(&t);
    return code;
}

/* ---- workloads ---- */

static om_status read_suites(const config *c, om_workloads *set, om_error *err)
{
    om_status status = OM_OK;
    om_pairs all = {0};
    char *folder = NULL, *path = NULL;
    OM_TRY_OUT(om__cli_find("workloads", &folder, err));
    for (size_t i = 0; i < c->suites.count; i++) {
        OM_TRY_OUT(om__suite_find(folder, c->suites.items[i], &path, err));
        OM_TRY_OUT(om__workloads_read(set, path, err));
        free(path);
        path = NULL;
    }
    if (c->suites.count > 0)
        goto out;
    OM_TRY_OUT(om__suites_list(folder, &all, err));
    for (size_t i = 0; i < all.count; i++)
        OM_TRY_OUT(om__workloads_read(set, all.items[i].value, err));
out:
    free(path);
    free(folder);
    om__pairs_release(&all);
    return status;
}

static void add_workload(table *t, const om_workload *w)
{
    char *params = om__pairs_format(&w->params);
    add_cell(t, w->suite);
    add_cell(t, w->table);
    add_cell(t, w->name);
    add_cell(t, w->op_name);
    add_cell(t, w->pass);
    add_cell(t, w->dtype);
    add_cell(t, params);
    free(params);
}

/* Operands behind the first are filters too: `list workloads op=gemm`. */
static int list_workloads(const config *c, const om_words *operands)
{
    TABLE("suite", "table", "workload", "op", "pass", "dtype", "params");
    om_workloads set = {0};
    om_error err;
    int code = OM_EXIT_OK;
    size_t count = c->filters.count + operands->count - 1;
    const char **filters = calloc(count + 1, sizeof *filters);
    om_status status = filters == NULL ? om__error_set(&err, OM_NO_MEMORY, "no memory for filters")
                                       : read_suites(c, &set, &err);
    for (size_t i = 0; filters != NULL && i < count; i++)
        filters[i] =
            i < c->filters.count ? c->filters.items[i] : operands->items[i - c->filters.count + 1];
    if (status == OM_OK)
        status = om__workloads_filter(&set, filters, count, &err);
    for (size_t i = 0; status == OM_OK && i < set.count; i++)
        add_workload(&t, &set.items[i]);
    code = status == OM_OK ? print_table(&t, c->format) : om__cli_fail_input(&err);
    free(filters);
    om__workloads_release(&set);
    table_release(&t);
    return code;
}

/* ---- the command ---- */

static const char *const formats[] = {"terminal", "csv", NULL};

static const om_option options[] = {
    {.name = "suite",
     .kind = OM_OPTION_LIST,
     .offset = offsetof(config, suites),
     .value_name = "NAME",
     .help = "workloads: of these suites only (names, or .wl files)"},
    {.name = "filter",
     .kind = OM_OPTION_TEXTS,
     .offset = offsetof(config, filters),
     .value_name = "KEY=VALUE",
     .help = "workloads: that match (op, table, name, pass, dtype, cache, section or a "
             "parameter; commas list alternatives, * is any text)"},
    {.name = "format",
     .kind = OM_OPTION_TEXT,
     .offset = offsetof(config, format),
     .value_name = "FORMAT",
     .standard = "terminal",
     .words = formats,
     .help = "how to print"},
    {.name = "library-dir",
     .kind = OM_OPTION_TEXT,
     .offset = offsetof(config, library_dir),
     .value_name = "DIR",
     .help = "devices: where loadable parts lie"},
};

static int run_list(void *config_, const om_words *operands)
{
    static const char *const subjects[] = {"ops", "providers", "workloads", "suites", "devices"};
    const config *c = config_;
    const char *subject = operands->count > 0 ? operands->items[0] : "";
    if (strcmp(subject, "workloads") == 0)
        return list_workloads(c, operands);
    if (operands->count > 1)
        return om__cli_usage(&om__cmd_list, "one subject at a time");
    if (strcmp(subject, "ops") == 0)
        return list_ops(c);
    if (strcmp(subject, "providers") == 0)
        return list_providers(c);
    if (strcmp(subject, "suites") == 0)
        return list_suites(c);
    if (strcmp(subject, "devices") == 0)
        return list_devices(c);
    const char *close = om__closest_word(subject, subjects, 5);
    if (close != NULL)
        return om__cli_usage(&om__cmd_list, "cannot list %s; did you mean %s?", subject, close);
    return om__cli_usage(&om__cmd_list, "say what to list: ops, providers, workloads, suites or "
                                        "devices");
}

const om_command om__cmd_list = {
    .name = "list",
    .summary = "show operators, providers, workloads, suites or devices",
    .operands = "ops|providers|workloads|suites|devices [KEY=VALUE…]",
    .details =
        "Without --suite, workloads are those of all suites that were installed. The columns "
        "of --format csv are stable: suite,table,workload,op,pass,dtype,params.",
    OM_OPTIONS(options),
    .config_size = sizeof(config),
    .run = run_list,
};
