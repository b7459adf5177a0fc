/* SPDX-License-Identifier: Apache-2.0 */
/* import_cargo_criterion.c: the message stream of `cargo criterion --message-format=json`
 * (1.0, 1.1): one JSON object a line, of which those with the reason "benchmark-complete" hold
 * measurements.
 *
 * A measured value is that of a number of iterations; it is divided by that number. The id reads
 * GROUP/FUNCTION/VALUE, where all but the first may be missing.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "store/import_rows.h"

#define MARK "\"benchmark-complete\""
/* Messages of the compiler come before the first benchmark's. */
#define MOST_PROBED ((size_t)1 << 24)

static bool claims(const om_import_probe *probe)
{
    size_t size = probe->size < MOST_PROBED ? probe->size : MOST_PROBED;
    return !probe->folder && om__pairs_find(&probe->keys, "reason") != NULL &&
           om__pairs_find(&probe->keys, "schema") == NULL && /* our records have reasons too */
           memmem(probe->text, size, MARK, strlen(MARK)) != NULL;
}

/* The values and the numbers of iterations of one message: JSON, at NULL where missing. */
typedef struct message {
    om_text reason, id, unit;
    const char *values, *counts;
    size_t values_size, counts_size;
} message;

static void release(message *m)
{
    om__text_release(&m->reason);
    om__text_release(&m->id);
    om__text_release(&m->unit);
}

static om_status take_text(om_json *json, om_text *into, om_error *err)
{
    const char *value;
    OM_TRY(om__json_read_any(json, &value, NULL, err));
    om__text_clear(into);
    om__text_add(into, value);
    return om__text_check(into, err);
}

static om_status read_message(om_json *json, message *m, om_error *err)
{
    OM_TRY(om__json_enter(json, '{', err));
    for (;;) {
        const char *key;
        OM_TRY(om__json_next_key(json, &key, err));
        if (key == NULL)
            return OM_OK;
        bool array = om__json_peek(json) == OM_JSON_ARRAY;
        bool text = om__json_peek(json) == OM_JSON_TEXT;
        if (text && strcmp(key, "reason") == 0)
            OM_TRY(take_text(json, &m->reason, err));
        else if (text && strcmp(key, "id") == 0)
            OM_TRY(take_text(json, &m->id, err));
        else if (text && strcmp(key, "unit") == 0)
            OM_TRY(take_text(json, &m->unit, err));
        else if (array && strcmp(key, "measured_values") == 0)
            OM_TRY(om__json_skip(json, &m->values, &m->values_size, err));
        else if (array && strcmp(key, "iteration_count") == 0)
            OM_TRY(om__json_skip(json, &m->counts, &m->counts_size, err));
        else
            OM_TRY(om__json_skip(json, NULL, NULL, err));
    }
}

static om_status cut_id(const char *id, om_text *table, om_text *name, om_pairs *params,
                        om_error *err)
{
    const char *first = strchr(id, '/'), *last = strrchr(id, '/');
    double number;
    om__text_clear(table);
    om__text_clear(name);
    om__text_add_bytes(table, id, first != NULL ? (size_t)(first - id) : strlen(id));
    if (first == NULL) {
        om__text_add(name, id);
    } else if (om__parse_double(last + 1, &number)) {
        OM_TRY(om__import_set(params, "value", last + 1, err));
        if (last == first)
            om__text_add_bytes(name, id, (size_t)(first - id));
        else
            om__text_add_bytes(name, first + 1, (size_t)(last - first) - 1);
    } else {
        om__text_add(name, first + 1);
    }
    OM_TRY(om__text_check(table, err));
    return om__text_check(name, err);
}

static bool is_time(const char *unit)
{
    static const char *const units[] = {"ps", "ns", "us", "µs", "ms", "s"};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (strcmp(unit, units[i]) == 0)
            return true;
    return false;
}

static om_status add_samples(om_import *im, const message *m, long line, om_import_row *row,
                             om_error *err)
{
    om_status status = OM_OK;
    om_json values = {0}, counts = {0};
    bool more, more_counts;
    om__json_init(&values, m->values, m->values_size, im->path, line);
    om__json_init(&counts, m->counts, m->counts_size, im->path, line);
    values.lenient = counts.lenient =
        true; /* they were stepped over strictly where that was asked */
    values.numbers = counts.numbers = im->options->strict;
    OM_TRY_OUT(om__json_enter(&values, '[', err));
    OM_TRY_OUT(om__json_enter(&counts, '[', err));
    for (;;) {
        double value, count;
        const char *why;
        OM_TRY_OUT(om__json_next_item(&values, &more, err));
        OM_TRY_OUT(om__json_next_item(&counts, &more_counts, err));
        if (more != more_counts) {
            status =
                om__error_set_at(err, OM_PARSE, im->path, line,
                                 "\"measured_values\" and \"iteration_count\" differ in length");
            goto out;
        }
        if (!more)
            break;
        OM_TRY_OUT(om__json_read_value(&values, &value, &row->reason, err));
        OM_TRY_OUT(om__json_read_value(&counts, &count, &why, err));
        if (row->reason == NULL && (why != NULL || !(count >= 1)))
            row->reason = "0 iterations";
        row->value = row->reason == NULL ? value / count : NAN;
        OM_TRY_OUT(om__import_add(im, row, err));
    }
out:
    om__json_release(&values);
    om__json_release(&counts);
    return status;
}

static om_status add_message(om_import *im, const message *m, long line, om_error *err)
{
    om_status status = OM_OK;
    om_text table = {0}, name = {0};
    om_pairs params = {0};
    if (m->id.size == 0 || m->values == NULL || m->counts == NULL)
        return om__error_set_at(err, OM_PARSE, im->path, line,
                                "a benchmark-complete message lacks id, measured_values or "
                                "iteration_count");
    OM_TRY_OUT(cut_id(m->id.data, &table, &name, &params, err));
    const char *unit = m->unit.size > 0 ? m->unit.data : "ns";
    bool time = is_time(unit);
    om_import_row row = {.table = table.data,
                         .name = name.data,
                         .params = &params,
                         .provider = "criterion",
                         .metric = time ? "time" : "value",
                         .unit = unit,
                         .better = time ? OM_BETTER_LOWER : OM_BETTER_UNKNOWN};
    status = add_samples(im, m, line, &row, err);
out:
    om__text_release(&table);
    om__text_release(&name);
    om__pairs_release(&params);
    return status;
}

/* Messages of cargo itself and of later versions are stepped over; what is no JSON is not: a stream
 * that was cut must not pass for a whole one. */
static om_status read_stream(om_import *im, om_error *err)
{
    om_status status = OM_OK;
    om_json json;
    om__import_json(im, &json);
    while (status == OM_OK && om__json_peek(&json) != OM_JSON_END) {
        message m = {0};
        long line = json.line;
        status = read_message(&json, &m, err);
        if (status == OM_OK &&
            strcmp(m.reason.data != NULL ? m.reason.data : "", "benchmark-complete") == 0)
            status = add_message(im, &m, line, err);
        release(&m);
    }
    om__json_release(&json);
    return status;
}

const om_importer om_importer_cargo_criterion = {
    .name = "cargo-criterion",
    .summary = "messages of cargo criterion --message-format=json",
    .claims = claims,
    .read = read_stream,
};
