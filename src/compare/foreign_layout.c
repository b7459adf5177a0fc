/* SPDX-License-Identifier: Apache-2.0 */
/* foreign_layout.c: which columns of a foreign table mean what. */
#include "compare/foreign_layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "compare/units.h"

static size_t find_column(const char *const *columns, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(columns[i], name) == 0)
            return i;
    return OM_LAYOUT_NONE;
}

static om_status copy_text(const char *text, size_t size, char **copy, om_error *err)
{
    *copy = malloc(size + 1);
    if (*copy == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for a table");
    memcpy(*copy, text, size);
    (*copy)[size] = '\0';
    return OM_OK;
}

static bool cut_end(const char *text, size_t *size, const char *ending)
{
    size_t length = strlen(ending);
    if (*size <= length || memcmp(text + *size - length, ending, length) != 0)
        return false;
    *size -= length;
    return true;
}

/* The file's name without folder and ending. */
static om_status set_suite(const char *file, om_layout *layout, om_error *err)
{
    const char *slash = strrchr(file, '/'), *name = slash != NULL ? slash + 1 : file;
    const char *dot = strchr(name, '.');
    return copy_text(name, dot != NULL && dot > name ? (size_t)(dot - name) : strlen(name),
                     &layout->suite_name, err);
}

static om_status add_value(om_layout *layout, size_t column, const char *metric,
                           const char *provider, size_t provider_size, const char *pass,
                           const char *unit, om_better better, om_error *err)
{
    om_layout_value *value = &layout->values[layout->value_count++];
    *value = (om_layout_value){.column = column, .better = better};
    OM_TRY(copy_text(metric, strlen(metric), &value->metric, err));
    OM_TRY(copy_text(provider, provider_size, &value->provider, err));
    OM_TRY(copy_text(pass, strlen(pass), &value->pass, err));
    return copy_text(unit, strlen(unit), &value->unit, err);
}

/* "TE Forward", "FP8 Backward", "TE Forward GB/s", "Cast GB/s": a provider, a pass, a unit. */
static om_status add_training_column(om_layout *layout, const char *const *columns, size_t column,
                                     bool *measured, om_error *err)
{
    static const struct {
        const char *ending, *unit;
    } units[] = {{" GB/s", "GB/s"}, {" TFLOPS", "TFLOP/s"}, {" TFLOP/s", "TFLOP/s"},
                 {" (ms)", "ms"},   {" Time (ms)", "ms"},   {" (us)", "us"}};
    const char *name = columns[column], *unit = "TFLOP/s", *pass = "forward";
    size_t size = strlen(name);
    *measured = false;
    for (size_t i = 0; i < sizeof units / sizeof *units && !*measured; i++)
        if (cut_end(name, &size, units[i].ending)) {
            unit = units[i].unit;
            *measured = true;
        }
    if (cut_end(name, &size, " Time")) /* "… Time (ms)" */
        *measured = true;
    if (cut_end(name, &size, " Backward")) {
        pass = "backward";
        *measured = true;
    } else if (cut_end(name, &size, " Forward")) {
        *measured = true;
    }
    if (!*measured)
        return OM_OK;
    return add_value(layout, column, name, name, size, pass, unit, om__unit_better(unit), err);
}

static om_status read_training(const char *const *columns, size_t count, om_layout *layout,
                               om_error *err)
{
    layout->name = 0;
    for (size_t i = 1; i < count; i++) {
        bool measured;
        OM_TRY(add_training_column(layout, columns, i, &measured, err));
        if (!measured)
            layout->params[layout->param_count++] = i;
    }
    layout->training = layout->value_count > 0;
    return OM_OK;
}

/* A column whose name is a unit of time, or `value` beside a `unit` column. */
static om_status read_plain(const char *const *columns, size_t count, om_layout *layout,
                            om_error *err)
{
    static const char *const names[] = {"case", "name", "benchmark", "c"};
    static const char *const values[] = {"ns", "us", "ms", "s", "value", "v", "time"};
    for (size_t i = 0; i < sizeof names / sizeof *names && layout->name == OM_LAYOUT_NONE; i++)
        layout->name = find_column(columns, count, names[i]);
    layout->provider = find_column(columns, count, "impl");
    if (layout->provider == OM_LAYOUT_NONE)
        layout->provider = find_column(columns, count, "provider");
    layout->sample = find_column(columns, count, "sample");
    layout->launch = find_column(columns, count, "launch");
    layout->unit = find_column(columns, count, "unit");
    layout->suite = find_column(columns, count, "suite");
    layout->split_name = true;
    for (size_t i = 0; i < sizeof values / sizeof *values && layout->value_count == 0; i++) {
        size_t column = find_column(columns, count, values[i]);
        if (column == OM_LAYOUT_NONE)
            continue;
        bool is_unit = i < 4;
        OM_TRY(add_value(layout, column, is_unit || i == 6 ? "time" : "value", "", 0, "",
                         is_unit ? values[i] : "", om__unit_better(is_unit ? values[i] : ""), err));
    }
    return OM_OK;
}

/* ---- the map ---- */

/* The next key=value of "case=COL,value=COL unit=us"; a value may stand in double quotes. */
static om_status next_setting(const char **at, om_text *key, om_text *value, bool *more,
                              om_error *err)
{
    om__text_clear(key);
    om__text_clear(value);
    while (**at == ' ' || **at == ',')
        (*at)++;
    *more = **at != '\0';
    if (!*more)
        return OM_OK;
    size_t size = strcspn(*at, "=, ");
    if ((*at)[size] != '=' || size == 0)
        return om__error_set(err, OM_INVALID, "--map wants key=value, not '%.40s'", *at);
    om__text_add_bytes(key, *at, size);
    *at += size + 1;
    if (**at == '"') {
        size = strcspn(*at + 1, "\"");
        if ((*at)[size + 1] != '"')
            return om__error_set(err, OM_INVALID, "--map: the quote of '%s' is never closed",
                                 key->data);
        om__text_add_bytes(value, *at + 1, size);
        *at += size + 2;
    } else {
        size = strcspn(*at, ", ");
        om__text_add_bytes(value, *at, size);
        *at += size;
    }
    if (value->size == 0)
        return om__error_set(err, OM_INVALID, "--map: '%s' has no value", key->data);
    return om__text_check(value, err);
}

typedef struct map {
    const char *file;
    const char *const *columns;
    size_t count;
    om_layout *layout;
    size_t values[16];
    size_t value_count;
    om_text unit, metric;
    om_better better;
    bool better_given;
} map;

static om_status map_column(const map *m, const char *key, const char *name, size_t *column,
                            om_error *err)
{
    *column = find_column(m->columns, m->count, name);
    if (*column != OM_LAYOUT_NONE)
        return OM_OK;
    const char *near = om__closest_word(name, m->columns, m->count);
    return om__error_set_at(err, OM_PARSE, m->file, 1, "--map %s=%s: there is no such column%s%s",
                            key, name, near != NULL ? "; did you mean " : "",
                            near != NULL ? near : "");
}

/* "M+N+K", or "*" for every column that has no other use. */
static om_status map_params(map *m, const char *list, om_error *err)
{
    om_layout *layout = m->layout;
    if (strcmp(list, "*") == 0) {
        layout->param_count = OM_LAYOUT_NONE; /* settled when all columns are known */
        return OM_OK;
    }
    for (const char *at = list; *at != '\0';) {
        size_t size = strcspn(at, "+");
        char *name;
        OM_TRY(copy_text(at, size, &name, err));
        om_status status =
            layout->param_count >= m->count
                ? om__error_set(err, OM_INVALID, "--map: more parameters than columns")
                : map_column(m, "params", name, &layout->params[layout->param_count], err);
        free(name);
        OM_TRY(status);
        layout->param_count++;
        at += size + (at[size] == '+');
    }
    return OM_OK;
}

static om_status map_setting(map *m, const char *key, const char *value, om_error *err)
{
    om_layout *layout = m->layout;
    const struct {
        const char *key;
        size_t *column;
    } columns[] = {{"case", &layout->name},
                   {"impl", &layout->provider},
                   {"sample", &layout->sample},
                   {"launch", &layout->launch},
                   {"suite", &layout->suite}};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        if (strcmp(columns[i].key, key) == 0)
            return map_column(m, key, value, columns[i].column, err);
    if (strcmp(key, "params") == 0)
        return map_params(m, value, err);
    if (strcmp(key, "value") == 0) {
        if (m->value_count == sizeof m->values / sizeof *m->values)
            return om__error_set(err, OM_INVALID, "--map: at most 16 value columns");
        return map_column(m, key, value, &m->values[m->value_count++], err);
    }
    if (strcmp(key, "unit") == 0 || strcmp(key, "metric") == 0) {
        om_text *text = key[0] == 'u' ? &m->unit : &m->metric;
        om__text_clear(text);
        om__text_add(text, value);
        return om__text_check(text, err);
    }
    if (strcmp(key, "better") == 0) {
        m->better_given = true;
        return om__better_parse(value, &m->better, err);
    }
    static const char *const known[] = {"case",  "value",  "impl", "sample", "launch",
                                        "suite", "params", "unit", "metric", "better"};
    const char *near = om__closest_word(key, known, sizeof known / sizeof *known);
    return om__error_set(err, OM_INVALID, "--map knows no '%s'%s%s", key,
                         near != NULL ? "; did you mean " : "", near != NULL ? near : "");
}

static bool is_used(const map *m, size_t column)
{
    const om_layout *l = m->layout;
    for (size_t i = 0; i < m->value_count; i++)
        if (m->values[i] == column)
            return true;
    return column == l->name || column == l->provider || column == l->sample ||
           column == l->launch || column == l->suite;
}

static om_status finish_map(map *m, om_error *err)
{
    om_layout *layout = m->layout;
    if (layout->name == OM_LAYOUT_NONE || m->value_count == 0)
        return om__error_set(err, OM_INVALID,
                             "--map must say at least case=COLUMN and value=COLUMN");
    if (layout->param_count == OM_LAYOUT_NONE) {
        layout->param_count = 0;
        for (size_t i = 0; i < m->count; i++)
            if (!is_used(m, i))
                layout->params[layout->param_count++] = i;
    }
    const char *unit = m->unit.size > 0 ? m->unit.data : "";
    for (size_t i = 0; i < m->value_count; i++) {
        const char *column = m->columns[m->values[i]];
        const char *metric = m->metric.size > 0 && m->value_count == 1 ? m->metric.data : column;
        OM_TRY(add_value(layout, m->values[i], metric, "", 0, "", unit,
                         m->better_given ? m->better : om__unit_better(unit), err));
    }
    layout->split_name = true;
    return OM_OK;
}

static om_status read_map(const char *file, const char *const *columns, size_t count,
                          const char *text, om_layout *layout, om_error *err)
{
    map m = {.file = file, .columns = columns, .count = count, .layout = layout};
    om_text key = {0}, value = {0};
    om_status status = OM_OK;
    bool more = true;
    while (more) {
        OM_TRY_OUT(next_setting(&text, &key, &value, &more, err));
        if (more)
            OM_TRY_OUT(map_setting(&m, key.data, value.data, err));
    }
    status = finish_map(&m, err);
out:
    om__text_release(&key);
    om__text_release(&value);
    om__text_release(&m.unit);
    om__text_release(&m.metric);
    return status;
}

/* ---- all layouts ---- */

static om_status refuse(const char *file, const char *const *columns, size_t count, om_error *err)
{
    om_text list = {0};
    for (size_t i = 0; i < count && i < 12; i++)
        om__text_addf(&list, "%s%.30s", i > 0 ? ", " : "", columns[i]);
    om_status status = om__error_set_at(
        err, OM_PARSE, file, 1,
        "this table is none that opmark knows: say --map 'case=…,value=… unit=…' (columns: %s)",
        list.data != NULL ? list.data : "");
    om__text_release(&list);
    return status;
}

om_status om__layout_read(const char *file, const char *const *columns, size_t count,
                          const char *map_text, bool suite_from_file, om_layout *layout,
                          om_error *err)
{
    om_status status = OM_OK;
    *layout = (om_layout){.name = OM_LAYOUT_NONE,
                          .provider = OM_LAYOUT_NONE,
                          .sample = OM_LAYOUT_NONE,
                          .launch = OM_LAYOUT_NONE,
                          .unit = OM_LAYOUT_NONE,
                          .suite = OM_LAYOUT_NONE};
    layout->params = calloc(count + 1, sizeof *layout->params);
    layout->values = calloc(count + 17, sizeof *layout->values);
    if (layout->params == NULL || layout->values == NULL) {
        status = om__error_set(err, OM_NO_MEMORY, "no memory for a table");
        goto out;
    }
    if (suite_from_file || (map_text == NULL && count > 0 && strcmp(columns[0], "Case") == 0))
        OM_TRY_OUT(set_suite(file, layout, err));
    if (map_text != NULL)
        OM_TRY_OUT(read_map(file, columns, count, map_text, layout, err));
    else if (count > 0 && strcmp(columns[0], "Case") == 0)
        OM_TRY_OUT(read_training(columns, count, layout, err));
    else
        OM_TRY_OUT(read_plain(columns, count, layout, err));
    if (layout->name == OM_LAYOUT_NONE || layout->value_count == 0)
        status = refuse(file, columns, count, err);
out:
    if (status != OM_OK)
        om__layout_release(layout);
    return status;
}

void om__layout_release(om_layout *layout)
{
    if (layout == NULL)
        return;
    for (size_t i = 0; layout->values != NULL && i < layout->value_count; i++) {
        free(layout->values[i].metric);
        free(layout->values[i].provider);
        free(layout->values[i].pass);
        free(layout->values[i].unit);
    }
    free(layout->values);
    free(layout->params);
    free(layout->suite_name);
    *layout = (om_layout){0};
}

/* ---- rows ---- */

/* The operator behind a training table: its suite, and for the norms what the case's name ends in;
 * RMSNorm and LayerNorm of one shape differ in nothing else. */
static om_status training_op(const char *suite, const char *name, om_text *op, om_error *err)
{
    const char *prefix = "benchmark_", *slash = strrchr(name, '/');
    om__text_clear(op);
    om__text_add(op, strncmp(suite, prefix, strlen(prefix)) == 0 ? suite + strlen(prefix) : suite);
    if (strstr(op->data, "normalization") != NULL && slash != NULL)
        om__text_addf(op, ":%s", slash + 1);
    return om__text_check(op, err);
}

static om_status add_cells(const om_layout *layout, const char *const *columns,
                           const char *const *cells, om_foreign_row *row, om_pairs *params,
                           om_foreign *foreign, om_error *err)
{
    om_pair *list = malloc((layout->param_count + params->count + 1) * sizeof *list);
    om_status status = OM_OK;
    if (list == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for a row");
    for (size_t i = 0; i < params->count; i++)
        list[row->param_count++] = params->items[i];
    for (size_t i = 0; i < layout->param_count; i++)
        if (cells[layout->params[i]] != NULL)
            list[row->param_count++] =
                (om_pair){(char *)columns[layout->params[i]], (char *)cells[layout->params[i]]};
    row->params = list;
    for (size_t i = 0; i < layout->value_count; i++) {
        const om_layout_value *value = &layout->values[i];
        const char *cell = cells[value->column];
        row->metric = value->metric;
        row->pass = value->pass[0] != '\0' ? value->pass : NULL;
        row->unit = value->unit;
        row->better = value->better;
        if (layout->unit != OM_LAYOUT_NONE && cells[layout->unit] != NULL) {
            row->unit = cells[layout->unit];
            row->better = om__unit_better(row->unit);
        }
        if (value->provider[0] != '\0')
            row->provider = value->provider;
        row->value = om__foreign_number(cell != NULL ? cell : "", &row->reason);
        if (row->reason != NULL && strcmp(row->reason, "not a number") == 0) {
            status =
                om__error_set_at(err, OM_PARSE, NULL, row->line, "'%.40s' is not a number", cell);
            break;
        }
        if (layout->strict && row->reason != NULL && cell != NULL && cell[0] != '\0') {
            status = om__error_set_at(err, OM_PARSE, NULL, row->line,
                                      "column %zu (%.40s): '%.40s' is no finite number",
                                      value->column + 1, columns[value->column], cell);
            break;
        }
        status = om__foreign_add(foreign, row, err);
        if (status != OM_OK)
            break;
    }
    free(list);
    return status;
}

om_status om__layout_add(const om_layout *layout, const char *const *columns,
                         const char *const *cells, long line, om_foreign *foreign, om_error *err)
{
    om_status status = OM_OK;
    om_text name = {0}, op = {0};
    om_pairs params = {0};
    om_foreign_row row = {.suite = layout->suite_name, .line = line};
    int64_t launch;

    if (cells[layout->name] == NULL)
        return om__error_set_at(err, OM_PARSE, NULL, line, "the row has no name");
    if (layout->split_name) {
        OM_TRY_OUT(om__foreign_split_name(cells[layout->name], &name, &params, err));
        row.name = name.data;
    } else {
        row.name = cells[layout->name];
    }
    if (layout->suite != OM_LAYOUT_NONE && cells[layout->suite] != NULL)
        row.suite = cells[layout->suite];
    if (layout->provider != OM_LAYOUT_NONE)
        row.provider = cells[layout->provider];
    if (layout->sample != OM_LAYOUT_NONE)
        row.sample = cells[layout->sample];
    if (layout->launch != OM_LAYOUT_NONE && cells[layout->launch] != NULL) {
        if (!om__parse_int64(cells[layout->launch], &launch) || launch < 0 || launch > 1000000) {
            status = om__error_set_at(err, OM_PARSE, NULL, line, "'%.40s' is no launch number",
                                      cells[layout->launch]);
            goto out;
        }
        row.launch = (int)launch;
    }
    if (layout->training) {
        OM_TRY_OUT(training_op(layout->suite_name, row.name, &op, err));
        row.op = op.data;
    }
    status = add_cells(layout, columns, cells, &row, &params, foreign, err);
out:
    om__pairs_release(&params);
    om__text_release(&name);
    om__text_release(&op);
    return status;
}
