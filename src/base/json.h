/* SPDX-License-Identifier: Apache-2.0 */
/* json.h: a strict JSON writer and a pull reader with limits.
 *
 * The reader walks a text in memory without building a tree, so that a file of any size costs only
 * what its reader keeps. It checks nesting, text length, UTF-8 and every number, and names file,
 * line and column of a fault. Foreign files hold NaN, -nan and Infinity where a number belongs:
 * they are read only when `lenient` is set, and never become a number.
 */
#ifndef OM_BASE_JSON_H
#define OM_BASE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/pairs.h"
#include "base/text.h"

/* ---- writing ---- */

/* Zero-initialise, except `indent` where lines are wanted. Keys are NULL inside arrays and for the
 * outermost value. Check text.failed at the end (om__text_check). */
typedef struct om_json_out {
    om_text text;
    int depth;
    int indent; /* blanks a level; 0: everything on one line */
    bool comma; /* the next value of this container needs one */
} om_json_out;

void om__json_put_open(om_json_out *out, const char *key, char bracket);     /* '{' or '[' */
void om__json_put_close(om_json_out *out, char bracket);                     /* '}' or ']' */
void om__json_put_text(om_json_out *out, const char *key, const char *text); /* NULL: null */
void om__json_put_int(om_json_out *out, const char *key, int64_t value);
void om__json_put_uint(om_json_out *out, const char *key, uint64_t value);
void om__json_put_bool(om_json_out *out, const char *key, bool value);
void om__json_put_null(om_json_out *out, const char *key);
/* The shortest text that reads back as the same number; NaN and infinities: null. */
void om__json_put_double(om_json_out *out, const char *key, double value);
void om__json_put_float(om_json_out *out, const char *key, float value);
void om__json_put_pairs(om_json_out *out, const char *key, const om_pairs *pairs);
/* JSON text as it stands; line breaks in it become blanks. */
void om__json_put_raw(om_json_out *out, const char *key, const char *json, size_t size);
/* The text with its quotes: escapes as JSON demands, bytes that are not UTF-8 as U+FFFD. */
void om__json_quote(om_text *text, const char *value);

/* ---- reading ---- */

typedef enum om_json_kind {
    OM_JSON_END, /* nothing but blanks is left */
    OM_JSON_NULL,
    OM_JSON_BOOL,
    OM_JSON_NUMBER, /* with `lenient` also NaN and Infinity */
    OM_JSON_TEXT,
    OM_JSON_ARRAY,
    OM_JSON_OBJECT,
    OM_JSON_OTHER, /* no value starts like this */
} om_json_kind;

typedef struct om_json {
    const char *at, *end;
    const char *file;
    const char *line_start;
    long line;
    int depth, most_depth;
    size_t longest_text;
    bool lenient;
    bool finite; /* a number beyond the range of double is a fault, also where it is stepped over */
    bool numbers; /* om__json_read_value refuses what is no number */
    bool first;   /* no member of the open container was read yet */
    om_text text, key;
} om_json;

#define OM_JSON_MOST_DEPTH   64
#define OM_JSON_LONGEST_TEXT ((size_t)1 << 20)

/* The text must stay; line is the number of its first line. */
void om__json_init(om_json *json, const char *text, size_t size, const char *file, long line);
void om__json_release(om_json *json);

/* What the next value is, without reading it. */
om_json_kind om__json_peek(om_json *json);

/* om__json_enter(json, '{'), then om__json_next_key until it yields NULL, reading one value after
 * each; om__json_enter(json, '[') and om__json_next_item in the same way. A key is valid until the
 * next key is read. */
om_status om__json_enter(om_json *json, char bracket, om_error *err);
om_status om__json_next_key(om_json *json, const char **key, om_error *err);
om_status om__json_next_item(om_json *json, bool *more, om_error *err);

/* A text with its size; NUL-terminated, valid until the next text is read; U+0000 is refused. */
om_status om__json_read_text(om_json *json, const char **text, size_t *size, om_error *err);
om_status om__json_read_bool(om_json *json, bool *value, om_error *err);
om_status om__json_read_int(om_json *json, int64_t *value, om_error *err);
om_status om__json_read_uint(om_json *json, uint64_t *value, om_error *err);
/* null reads as NaN. */
om_status om__json_read_double(om_json *json, double *value, om_error *err);
/* Any value where a foreign file ought to hold a number: *reason is NULL and *value the number, or
 * *value is NaN and *reason says why there is none ("nan", "infinite", "null", "overflow", "not a
 * number"). A text that holds a number counts as that number. With `numbers` anything but a number
 * is OM_PARSE. */
om_status om__json_read_value(om_json *json, double *value, const char **reason, om_error *err);
/* The value as a text, whatever scalar it is: "1", "true", "null"; arrays and objects as they
 * stand. Valid like read_text. */
om_status om__json_read_any(om_json *json, const char **text, size_t *size, om_error *err);
/* Steps over a value and yields where it stood; either may be NULL. */
om_status om__json_skip(om_json *json, const char **start, size_t *size, om_error *err);
/* Nothing but blanks may be left. */
om_status om__json_finish(om_json *json, om_error *err);

/* OM_PARSE with file, line and column of where the reader stands. */
om_status om__json_fail(const om_json *json, om_error *err, const char *format, ...)
    OM_PRINTF(3, 4);

#endif
