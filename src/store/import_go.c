/* SPDX-License-Identifier: Apache-2.0 */
/* import_go.c: the text of `go test -bench`, as its benchmark format defines it.
 *
 * A line is "BenchmarkName/key=value-8  1000  12.5 ns/op  3 B/op"; lines of one name are its
 * samples; "-8" is the number of processors; "key: value" lines hold for what follows; "Unit ns/op
 * better=lower" declares a direction.
 */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "store/import_rows.h"

#define LONGEST_LINE 65536

typedef struct reader {
    om_import *im;
    om_text line, name, package;
    om_pairs units; /* declared: unit → "higher" or "lower" */
} reader;

static bool is_result(const char *line, size_t size)
{
    static const char word[] = "Benchmark";
    size_t at = sizeof word - 1;
    if (size <= at || memcmp(line, word, at) != 0 || islower((unsigned char)line[at]))
        return false;
    while (at < size && !isspace((unsigned char)line[at]))
        at++;
    while (at < size && (line[at] == ' ' || line[at] == '\t'))
        at++;
    size_t digits = at;
    while (at < size && isdigit((unsigned char)line[at]))
        at++;
    return at > digits && at < size && (line[at] == ' ' || line[at] == '\t');
}

static bool claims(const om_import_probe *probe)
{
    const char *at = probe->text;
    for (int i = 0; i < 1000 && at != NULL && at < probe->text + probe->size; i++) {
        size_t left = (size_t)(probe->text + probe->size - at);
        const char *end = memchr(at, '\n', left);
        if (is_result(at, end != NULL ? (size_t)(end - at) : left))
            return true;
        at = end != NULL ? end + 1 : NULL;
    }
    return false;
}

static om_better direction(const reader *r, const char *unit)
{
    static const struct {
        const char *unit;
        om_better better;
    } known[] = {{"ns/op", OM_BETTER_LOWER},
                 {"B/op", OM_BETTER_LOWER},
                 {"allocs/op", OM_BETTER_LOWER},
                 {"MB/s", OM_BETTER_HIGHER}};
    const char *declared = om__pairs_find(&r->units, unit);
    if (declared != NULL)
        return strcmp(declared, "higher") == 0 ? OM_BETTER_HIGHER : OM_BETTER_LOWER;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(unit, known[i].unit) == 0)
            return known[i].better;
    return OM_BETTER_UNKNOWN;
}

/* "ns/op" is a time of a call; the others keep their unit as the name of the metric. */
static void name_metric(const char *unit, om_import_row *row)
{
    if (strcmp(unit, "ns/op") == 0) {
        row->metric = "time";
        row->unit = "ns";
    } else if (strcmp(unit, "MB/s") == 0) {
        row->metric = "throughput";
        row->unit = "MB/s";
    } else {
        row->metric = unit;
        row->unit = unit;
    }
}

/* Cuts the trailing "-8" off. */
static om_status cut_processors(char *name, om_pairs *params, om_error *err)
{
    char *dash = strrchr(name, '-');
    if (dash == NULL || dash == name || dash[1] == '\0' ||
        strspn(dash + 1, "0123456789") != strlen(dash + 1))
        return OM_OK;
    *dash = '\0';
    return om__import_set(params, "procs", dash + 1, err);
}

static om_status read_result(reader *r, long number, om_error *err)
{
    char *rest = r->line.data, *word = strtok_r(rest, " \t\r", &rest);
    om_pairs params = {0};
    om_status status = OM_OK;
    OM_TRY_OUT(cut_processors(word, &params, err));
    OM_TRY_OUT(om__import_split(word + strlen("Benchmark"), &r->name, &params, err));
    word = strtok_r(NULL, " \t\r", &rest);
    int64_t iterations = 0;
    bool good = om__parse_int64(word, &iterations);
    om_import_row row = {.table = r->package.size > 0 ? r->package.data : NULL,
                         .name = r->name.data,
                         .params = &params,
                         .provider = "go",
                         .inner = iterations};
    for (;;) {
        char *value = strtok_r(NULL, " \t\r", &rest);
        if (value == NULL)
            break;
        char *unit = strtok_r(NULL, " \t\r", &rest);
        if (unit == NULL) {
            status = om__error_set_at(err, OM_PARSE, r->im->path, number, "%s has no unit", value);
            goto out;
        }
        row.reason = NULL;
        if (!om__parse_double(value, &row.value)) {
            row.value = NAN;
            row.reason = strcasestr(value, "nan") != NULL   ? "nan"
                         : strcasestr(value, "inf") != NULL ? "infinite"
                                                            : "not a number";
            if (r->im->options->strict) {
                status = om__error_set_at(err, OM_PARSE, r->im->path, number,
                                          "column %ld: '%.40s' is no finite number",
                                          (long)(value - r->line.data) + 1, value);
                goto out;
            }
        }
        if (good && iterations == 0)
            row.reason = "0 iterations";
        name_metric(unit, &row);
        row.better = direction(r, unit);
        OM_TRY_OUT(om__import_add(r->im, &row, err));
    }
out:
    om__pairs_release(&params);
    return status;
}

/* "Unit ns/op better=lower assume=exact" */
static om_status read_unit(reader *r, om_error *err)
{
    char *rest = r->line.data + strlen("Unit "), *unit = strtok_r(rest, " \t\r", &rest);
    for (char *word = unit == NULL ? NULL : strtok_r(NULL, " \t\r", &rest); word != NULL;
         word = strtok_r(NULL, " \t\r", &rest))
        if (strncmp(word, "better=", 7) == 0)
            OM_TRY(om__import_set(&r->units, unit, word + 7, err));
    return OM_OK;
}

static om_status read_setting(reader *r, om_error *err)
{
    om_record *c = &r->im->common;
    char *line = r->line.data, *colon = strchr(line, ':');
    if (colon == NULL || !islower((unsigned char)line[0]))
        return OM_OK;
    for (char *p = line; p < colon; p++)
        if (isspace((unsigned char)*p) || isupper((unsigned char)*p))
            return OM_OK;
    *colon = '\0';
    char *value = colon + 1 + strspn(colon + 1, " \t");
    for (size_t size = strlen(value); size > 0 && isspace((unsigned char)value[size - 1]); size--)
        value[size - 1] = '\0';
    if (strcmp(line, "pkg") == 0) {
        om__text_clear(&r->package);
        om__text_add(&r->package, value);
        return om__text_check(&r->package, err);
    }
    if (strcmp(line, "cpu") == 0)
        return om__import_set_text(&c->place.machine_class, value, err);
    if (strcmp(line, "commit") == 0)
        return om__import_set_text(&c->subject.commit, value, err);
    if (strcmp(line, "goos") == 0 || strcmp(line, "goarch") == 0)
        return om__import_set(&c->place.settings, line, value, err);
    return OM_OK;
}

static om_status read_line(reader *r, long number, om_error *err)
{
    if (is_result(r->line.data, r->line.size))
        return read_result(r, number, err);
    if (strncmp(r->line.data, "Unit ", 5) == 0)
        return read_unit(r, err);
    return read_setting(r, err);
}

static om_status read_file(om_import *im, om_error *err)
{
    om_status status = OM_OK;
    reader r = {.im = im};
    long number = 0;
    const char *end = im->text + im->size;
    for (const char *at = im->text; at < end;) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t size = (size_t)((stop != NULL ? stop : end) - at);
        number++;
        if (size > LONGEST_LINE) {
            status = om__error_set_at(err, OM_PARSE, im->path, number,
                                      "a line of more than %d bytes", LONGEST_LINE);
            break;
        }
        om__text_clear(&r.line);
        om__text_add_bytes(&r.line, at, size);
        OM_TRY_OUT(om__text_check(&r.line, err));
        if (memchr(at, '\0', size) != NULL) {
            status = om__error_set_at(err, OM_PARSE, im->path, number, "a NUL byte");
            break;
        }
        OM_TRY_OUT(read_line(&r, number, err));
        at = stop != NULL ? stop + 1 : end;
    }
out:
    om__text_release(&r.line);
    om__text_release(&r.name);
    om__text_release(&r.package);
    om__pairs_release(&r.units);
    return status;
}

const om_importer om_importer_go = {
    .name = "go",
    .summary = "text of go test -bench",
    .claims = claims,
    .read = read_file,
};
