/* SPDX-License-Identifier: Apache-2.0 */
/* import_hyperfine.c: the JSON of hyperfine (--export-json), 1.0 to 1.19.
 *
 * Every run of a command is a sample; one that ended with another exit code than 0 is invalid.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "store/import_rows.h"

static bool claims(const om_import_probe *probe)
{
    return om__pairs_find(&probe->keys, "results") != NULL && probe->keys.count == 1;
}

typedef struct command {
    om_text text;
    om_pairs params;
    const char *times, *codes; /* where the arrays stand; NULL: not there */
    size_t times_size, codes_size;
    double median;
    const char *reason;
} command;

static om_status read_command(om_json *json, command *c, om_error *err)
{
    const char *key, *value;
    om__text_clear(&c->text);
    om__pairs_release(&c->params);
    c->times = c->codes = NULL;
    c->median = NAN;
    c->reason = "missing";
    OM_TRY(om__json_enter(json, '{', err));
    for (;;) {
        OM_TRY(om__json_next_key(json, &key, err));
        if (key == NULL)
            break;
        if (strcmp(key, "command") == 0) {
            OM_TRY(om__json_read_any(json, &value, NULL, err));
            om__text_add(&c->text, value);
            OM_TRY(om__text_check(&c->text, err));
        } else if (strcmp(key, "times") == 0 && om__json_peek(json) == OM_JSON_ARRAY) {
            OM_TRY(om__json_skip(json, &c->times, &c->times_size, err));
        } else if (strcmp(key, "exit_codes") == 0 && om__json_peek(json) == OM_JSON_ARRAY) {
            OM_TRY(om__json_skip(json, &c->codes, &c->codes_size, err));
        } else if (strcmp(key, "median") == 0) {
            OM_TRY(om__json_read_value(json, &c->median, &c->reason, err));
        } else if (strcmp(key, "parameters") == 0 && om__json_peek(json) == OM_JSON_OBJECT) {
            OM_TRY(om__import_flatten(json, "", &c->params, err));
        } else {
            OM_TRY(om__json_skip(json, NULL, NULL, err));
        }
    }
    return c->text.size > 0 ? OM_OK : om__json_fail(json, err, "a result without a command");
}

/* The exit code of the next run, "0" where the list is at its end or was not written. */
static om_status next_code(om_json *codes, bool *more, char text[48], om_error *err)
{
    const char *value;
    text[0] = '\0';
    if (!*more)
        return OM_OK;
    OM_TRY(om__json_next_item(codes, more, err));
    if (!*more)
        return OM_OK;
    OM_TRY(om__json_read_any(codes, &value, NULL, err));
    if (strcmp(value, "0") != 0)
        snprintf(text, 48, "exit code %.30s", value);
    return OM_OK;
}

static om_status add_times(om_import *im, const command *c, om_import_row *row, om_error *err)
{
    om_status status = OM_OK;
    om_json times, codes = {0};
    bool more, more_codes = c->codes != NULL;
    char failed[48];
    om__import_part(im, &times, c->times, c->times_size);
    if (more_codes) {
        om__json_init(&codes, c->codes, c->codes_size, im->path, 0);
        OM_TRY_OUT(om__json_enter(&codes, '[', err));
    }
    OM_TRY_OUT(om__json_enter(&times, '[', err));
    for (;;) {
        OM_TRY_OUT(om__json_next_item(&times, &more, err));
        if (!more)
            break;
        OM_TRY_OUT(om__json_read_value(&times, &row->value, &row->reason, err));
        OM_TRY_OUT(next_code(&codes, &more_codes, failed, err));
        if (failed[0] != '\0')
            row->reason = failed;
        OM_TRY_OUT(om__import_add(im, row, err));
    }
out:
    om__json_release(&times);
    om__json_release(&codes);
    return status;
}

static om_status add_command(om_import *im, const command *c, om_error *err)
{
    om_import_row row = {.name = c->text.data,
                         .params = &c->params,
                         .provider = "hyperfine",
                         .metric = "time",
                         .unit = "s",
                         .better = OM_BETTER_LOWER,
                         .inner = 1,
                         .value = c->median,
                         .reason = c->reason};
    if (c->times != NULL)
        return add_times(im, c, &row, err);
    row.derivation = "median of runs";
    return om__import_add(im, &row, err);
}

static om_status read_file(om_import *im, om_error *err)
{
    om_status status = OM_OK;
    command c = {0};
    om_json json;
    bool found, more;
    const char *key;
    OM_TRY_OUT(om__import_json_at(im, &json, "results", &found, err));
    OM_TRY_OUT(om__json_enter(&json, '[', err));
    for (;;) {
        OM_TRY_OUT(om__json_next_item(&json, &more, err));
        if (!more)
            break;
        OM_TRY_OUT(read_command(&json, &c, err));
        OM_TRY_OUT(add_command(im, &c, err));
    }
    OM_TRY_OUT(om__json_next_key(&json, &key, err));
    if (key == NULL)
        status = om__json_finish(&json, err);
out:
    om__json_release(&json);
    om__text_release(&c.text);
    om__pairs_release(&c.params);
    return status;
}

const om_importer om_importer_hyperfine = {
    .name = "hyperfine",
    .summary = "JSON of hyperfine (--export-json)",
    .claims = claims,
    .read = read_file,
};
