/* SPDX-License-Identifier: Apache-2.0 */
/* json_read.c: the pull reader of JSON. */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/json.h"
#include "base/utf8.h"

void om__json_init(om_json *json, const char *text, size_t size, const char *file, long line)
{
    *json = (om_json){
        .at = text,
        .end = text + size,
        .file = file,
        .line_start = text,
        .line = line,
        .most_depth = OM_JSON_MOST_DEPTH,
        .longest_text = OM_JSON_LONGEST_TEXT,
    };
}

void om__json_release(om_json *json)
{
    om__text_release(&json->text);
    om__text_release(&json->key);
}

om_status om__json_fail(const om_json *json, om_error *err, const char *format, ...)
{
    char what[400];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return om__error_set_at(err, OM_PARSE, json->file, json->line, "column %ld: %s",
                            (long)(json->at - json->line_start) + 1, what);
}

static void skip_blanks(om_json *json)
{
    while (json->at < json->end) {
        char c = *json->at;
        if (c == '\n') {
            json->line++;
            json->line_start = json->at + 1;
        } else if (c != ' ' && c != '\t' && c != '\r') {
            return;
        }
        json->at++;
    }
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '+' || c == '-' || c == '.';
}

/* Length of the run of letters, digits, signs and points: a number or a bare word. */
static size_t word_size(const om_json *json)
{
    const char *p = json->at;
    while (p < json->end && is_word(*p))
        p++;
    return (size_t)(p - json->at);
}

static bool word_is(const om_json *json, const char *word)
{
    size_t size = strlen(word);
    return word_size(json) == size && memcmp(json->at, word, size) == 0;
}

/* "nan", "infinite" or NULL. Signs, case and the payload's own brackets aside: what C, Python and
 * JavaScript programs print. */
static const char *not_finite(const char *word, size_t size)
{
    if (size > 0 && (*word == '-' || *word == '+')) {
        word++;
        size--;
    }
    if (size == 3 && strncasecmp(word, "nan", 3) == 0)
        return "nan";
    if ((size == 3 && strncasecmp(word, "inf", 3) == 0) ||
        (size == 8 && strncasecmp(word, "infinity", 8) == 0))
        return "infinite";
    return NULL;
}

/* The first character decides nearly always: samples come by the million. */
om_json_kind om__json_peek(om_json *json)
{
    skip_blanks(json);
    if (json->at == json->end)
        return OM_JSON_END;
    char c = *json->at;
    if ((c >= '0' && c <= '9') || c == '-')
        return OM_JSON_NUMBER;
    if (c == '"')
        return OM_JSON_TEXT;
    if (c == '{')
        return OM_JSON_OBJECT;
    if (c == '[')
        return OM_JSON_ARRAY;
    if (c == 'n' && word_is(json, "null"))
        return OM_JSON_NULL;
    if ((c == 't' && word_is(json, "true")) || (c == 'f' && word_is(json, "false")))
        return OM_JSON_BOOL;
    if (json->lenient && not_finite(json->at, word_size(json)) != NULL)
        return OM_JSON_NUMBER;
    return OM_JSON_OTHER;
}

static const char *kind_name(om_json_kind kind)
{
    static const char *const names[] = {
        [OM_JSON_END] = "the end of the text",
        [OM_JSON_NULL] = "null",
        [OM_JSON_BOOL] = "true or false",
        [OM_JSON_NUMBER] = "a number",
        [OM_JSON_TEXT] = "a text",
        [OM_JSON_ARRAY] = "an array",
        [OM_JSON_OBJECT] = "an object",
        [OM_JSON_OTHER] = "something that is not JSON",
    };
    return names[kind];
}

static om_status expect(om_json *json, om_json_kind kind, om_error *err)
{
    om_json_kind found = om__json_peek(json);
    if (found == kind)
        return OM_OK;
    return om__json_fail(json, err, "expected %s, found %s", kind_name(kind), kind_name(found));
}

om_status om__json_enter(om_json *json, char bracket, om_error *err)
{
    OM_TRY(expect(json, bracket == '{' ? OM_JSON_OBJECT : OM_JSON_ARRAY, err));
    if (json->depth >= json->most_depth)
        return om__json_fail(json, err, "nested deeper than %d levels", json->most_depth);
    json->depth++;
    json->at++;
    json->first = true;
    return OM_OK;
}

/* Steps over a comma or the closing bracket. */
static om_status next(om_json *json, char close, bool *more, om_error *err)
{
    skip_blanks(json);
    if (json->at == json->end)
        return om__json_fail(json, err, "the text ends before the closing %c", close);
    if (*json->at == close) {
        json->at++;
        json->depth--;
        json->first = false;
        *more = false;
        return OM_OK;
    }
    if (!json->first) {
        if (*json->at != ',')
            return om__json_fail(json, err, "expected a comma or %c", close);
        json->at++;
        skip_blanks(json);
        if (json->at < json->end && *json->at == close)
            return om__json_fail(json, err, "a comma before %c", close);
    }
    json->first = false;
    *more = true;
    return OM_OK;
}

static int hex4(const char *p)
{
    int value = 0;
    for (int i = 0; i < 4; i++) {
        char c = p[i];
        if (!isxdigit((unsigned char)c))
            return -1;
        value = value * 16 + (isdigit((unsigned char)c) ? c - '0' : (c | 0x20) - 'a' + 10);
    }
    return value;
}

/* \uXXXX, pairs of surrogates together; a lone surrogate becomes U+FFFD. */
static om_status read_unicode(om_json *json, om_text *into, om_error *err)
{
    char bytes[4];
    int code = json->end - json->at >= 6 ? hex4(json->at + 2) : -1;
    if (code < 0)
        return om__json_fail(json, err, "\\u needs four hexadecimal digits");
    if (code == 0)
        return om__json_fail(json, err, "U+0000 in a text");
    uint32_t full = (uint32_t)code;
    size_t used = 6;
    if (code >= 0xD800 && code <= 0xDFFF) {
        int low = -1;
        if (code <= 0xDBFF && json->end - json->at >= 12 && json->at[6] == '\\' &&
            json->at[7] == 'u')
            low = hex4(json->at + 8);
        if (low >= 0xDC00 && low <= 0xDFFF) {
            full = 0x10000 + (((uint32_t)code - 0xD800) << 10) + ((uint32_t)low - 0xDC00);
            used = 12;
        } else {
            full = 0xFFFD;
        }
    }
    om__text_add_bytes(into, bytes, om__utf8_encode(full, bytes));
    json->at += used;
    return OM_OK;
}

static om_status read_escape(om_json *json, om_text *into, om_error *err)
{
    static const char from[] = "\"\\/bfnrt";
    static const char to[] = "\"\\/\b\f\n\r\t";
    char c = json->end - json->at >= 2 ? json->at[1] : '\0';
    if (c == 'u')
        return read_unicode(json, into, err);
    const char *found = c == '\0' ? NULL : strchr(from, c);
    if (found == NULL)
        return om__json_fail(json, err, "a backslash before something that cannot be escaped");
    om__text_add_char(into, to[found - from]);
    json->at += 2;
    return OM_OK;
}

/* Steps over bytes that stand for themselves inside quotes: printable ASCII but for " and \\. Eight
 * at a time: a byte of a word that must stop the run leaves its highest bit set. */
static const char *skip_plain(const char *p, const char *end)
{
    const uint64_t ones = 0x0101010101010101u, tops = 0x8080808080808080u;
    for (; end - p >= 8; p += 8) {
        uint64_t word;
        memcpy(&word, p, sizeof word);
        uint64_t quote = word ^ ones * '"', escape = word ^ ones * '\\';
        uint64_t stops = word | (word - ones * 0x20) | (quote - ones) | (escape - ones);
        if ((stops & tops) != 0)
            break;
    }
    while (p < end && (unsigned char)*p >= 0x20 && (unsigned char)*p < 0x80 && *p != '"' &&
           *p != '\\')
        p++;
    return p;
}

static om_status read_quoted(om_json *json, om_text *into, om_error *err)
{
    om__text_clear(into);
    om__text_add(into, "");
    json->at++;
    for (;;) {
        const char *p = skip_plain(json->at, json->end);
        om__text_add_bytes(into, json->at, (size_t)(p - json->at));
        json->at = p;
        if (into->size > json->longest_text)
            return om__json_fail(json, err, "a text of more than %zu bytes", json->longest_text);
        if (p == json->end)
            return om__json_fail(json, err, "the text ends inside quotes");
        if (*p == '"') {
            json->at++;
            return om__text_check(into, err);
        }
        if (*p == '\\') {
            OM_TRY(read_escape(json, into, err));
            continue;
        }
        if ((unsigned char)*p < 0x20)
            return om__json_fail(json, err, "control character 0x%02x inside quotes",
                                 (unsigned char)*p);
        size_t size = om__utf8_length(p, (size_t)(json->end - p));
        if (size == 0)
            return om__json_fail(json, err, "byte 0x%02x is not UTF-8", (unsigned char)*p);
        om__text_add_bytes(into, p, size);
        json->at += size;
    }
}

om_status om__json_next_key(om_json *json, const char **key, om_error *err)
{
    bool more = false;
    *key = NULL;
    OM_TRY(next(json, '}', &more, err));
    if (!more)
        return OM_OK;
    if (om__json_peek(json) != OM_JSON_TEXT)
        return om__json_fail(json, err, "expected the quoted name of a member");
    OM_TRY(read_quoted(json, &json->key, err));
    skip_blanks(json);
    if (json->at == json->end || *json->at != ':')
        return om__json_fail(json, err, "expected a colon after \"%s\"", json->key.data);
    json->at++;
    *key = json->key.data;
    return OM_OK;
}

om_status om__json_next_item(om_json *json, bool *more, om_error *err)
{
    return next(json, ']', more, err);
}

om_status om__json_read_text(om_json *json, const char **text, size_t *size, om_error *err)
{
    OM_TRY(expect(json, OM_JSON_TEXT, err));
    OM_TRY(read_quoted(json, &json->text, err));
    *text = json->text.data;
    if (size != NULL)
        *size = json->text.size;
    return OM_OK;
}

om_status om__json_read_bool(om_json *json, bool *value, om_error *err)
{
    OM_TRY(expect(json, OM_JSON_BOOL, err));
    *value = *json->at == 't';
    json->at += *value ? 4 : 5;
    return OM_OK;
}

/* ---- numbers ---- */

/* The number's spelling by the grammar of JSON: its size, or 0. */
static size_t number_size(const om_json *json)
{
    const char *p = json->at, *end = json->end;
    if (p < end && *p == '-')
        p++;
    if (p == end || !is_digit(*p))
        return 0;
    if (*p == '0')
        p++;
    else
        while (p < end && is_digit(*p))
            p++;
    if (p < end && *p == '.') {
        p++;
        if (p == end || !is_digit(*p))
            return 0;
        while (p < end && is_digit(*p))
            p++;
    }
    if (p < end && (*p == 'e' || *p == 'E')) {
        p++;
        if (p < end && (*p == '+' || *p == '-'))
            p++;
        if (p == end || !is_digit(*p))
            return 0;
        while (p < end && is_digit(*p))
            p++;
    }
    return (size_t)(p - json->at);
}

/* Numbers of up to 15 digits with a small exponent are exact in one multiplication or division:
 * nearly all samples are. */
static bool quick_double(const char *p, size_t size, double *value)
{
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const char *end = p + size;
    bool negative = *p == '-';
    int digits = 0, fraction = 0;
    uint64_t mantissa = 0;
    bool point = false;
    for (p += negative; p < end; p++) {
        if (*p == '.') {
            point = true;
            continue;
        }
        if (*p < '0' || *p > '9' || ++digits > 15)
            return false;
        mantissa = mantissa * 10 + (uint64_t)(*p - '0');
        fraction += point;
    }
    *value = (double)mantissa / powers[fraction];
    if (negative)
        *value = -*value;
    return true;
}

/* Parses a spelling that the grammar accepted; an overflow yields an infinity. */
static double to_double(const char *p, size_t size)
{
    double value;
    if (quick_double(p, size, &value))
        return value;
    char small[64];
    char *copy = size < sizeof small ? small : malloc(size + 1);
    if (copy == NULL)
        return NAN;
    memcpy(copy, p, size);
    copy[size] = '\0';
    value = strtod(copy, NULL);
    if (copy != small)
        free(copy);
    return value;
}

static om_status take_number(om_json *json, const char **start, size_t *size, om_error *err)
{
    OM_TRY(expect(json, OM_JSON_NUMBER, err));
    *size = number_size(json);
    *start = json->at;
    if (*size == 0 || (json->at + *size < json->end && is_word(json->at[*size])))
        return om__json_fail(json, err, "\"%.*s\" is not a number of JSON",
                             (int)(word_size(json) < 40 ? word_size(json) : 40), json->at);
    json->at += *size;
    return OM_OK;
}

static om_status check_finite(om_json *json, const char *start, size_t size, om_error *err)
{
    if (!json->finite || isfinite(to_double(start, size)))
        return OM_OK;
    json->at = start;
    return om__json_fail(json, err, "a number beyond the range of double");
}

om_status om__json_read_int(om_json *json, int64_t *value, om_error *err)
{
    const char *start;
    size_t size;
    char copy[32];
    OM_TRY(take_number(json, &start, &size, err));
    if (size < sizeof copy) {
        memcpy(copy, start, size);
        copy[size] = '\0';
        if (om__parse_int64(copy, value))
            return OM_OK;
    }
    json->at = start;
    return om__json_fail(json, err, "expected a whole number of 64 bits");
}

om_status om__json_read_uint(om_json *json, uint64_t *value, om_error *err)
{
    const char *start;
    size_t size;
    OM_TRY(take_number(json, &start, &size, err));
    uint64_t sum = 0;
    for (size_t i = 0; i < size; i++) {
        unsigned digit = (unsigned)(start[i] - '0');
        if (digit > 9 || sum > (UINT64_MAX - digit) / 10) {
            json->at = start;
            return om__json_fail(json, err, "expected a whole number from 0 to 2^64 - 1");
        }
        sum = sum * 10 + digit;
    }
    *value = sum;
    return OM_OK;
}

om_status om__json_read_double(om_json *json, double *value, om_error *err)
{
    const char *start;
    size_t size;
    if (om__json_peek(json) == OM_JSON_NULL) {
        json->at += 4;
        *value = NAN;
        return OM_OK;
    }
    OM_TRY(take_number(json, &start, &size, err));
    *value = to_double(start, size);
    if (!isfinite(*value)) {
        json->at = start;
        return om__json_fail(json, err, "a number beyond the range of double");
    }
    return OM_OK;
}

static void value_of_text(const char *text, double *value, const char **reason)
{
    *reason = not_finite(text, strlen(text));
    if (*reason == NULL && !om__parse_double(text, value))
        *reason = "not a number";
    if (*reason != NULL)
        *value = NAN;
}

om_status om__json_read_value(om_json *json, double *value, const char **reason, om_error *err)
{
    const char *start;
    size_t size;
    *value = NAN;
    *reason = "not a number";
    if (json->numbers && om__json_peek(json) != OM_JSON_NUMBER)
        return om__json_fail(json, err, "expected a number");
    switch (om__json_peek(json)) {
    case OM_JSON_NULL:
        json->at += 4;
        *reason = "null";
        return OM_OK;
    case OM_JSON_TEXT:
        OM_TRY(om__json_read_text(json, &start, NULL, err));
        value_of_text(start, value, reason);
        return OM_OK;
    case OM_JSON_NUMBER:
        *reason = json->lenient ? not_finite(json->at, word_size(json)) : NULL;
        if (*reason != NULL) {
            json->at += word_size(json);
            return OM_OK;
        }
        OM_TRY(take_number(json, &start, &size, err));
        *value = to_double(start, size);
        if (!isfinite(*value)) {
            *value = NAN;
            *reason = "overflow";
            return check_finite(json, start, size, err);
        }
        return OM_OK;
    default:
        return om__json_skip(json, NULL, NULL, err);
    }
}

om_status om__json_read_any(om_json *json, const char **text, size_t *size, om_error *err)
{
    const char *start;
    size_t length;
    if (om__json_peek(json) == OM_JSON_TEXT)
        return om__json_read_text(json, text, size, err);
    OM_TRY(om__json_skip(json, &start, &length, err));
    if (length > json->longest_text)
        return om__json_fail(json, err, "a value of more than %zu bytes", json->longest_text);
    om__text_clear(&json->text);
    om__text_add_bytes(&json->text, start, length);
    OM_TRY(om__text_check(&json->text, err));
    *text = json->text.data;
    if (size != NULL)
        *size = json->text.size;
    return OM_OK;
}

/* ---- stepping over values ---- */

static om_status skip_scalar(om_json *json, om_error *err)
{
    const char *start;
    size_t size;
    switch (om__json_peek(json)) {
    case OM_JSON_NULL:
        json->at += 4;
        return OM_OK;
    case OM_JSON_BOOL:
        json->at += *json->at == 't' ? 4 : 5;
        return OM_OK;
    case OM_JSON_TEXT:
        return read_quoted(json, &json->text, err);
    case OM_JSON_NUMBER:
        if (json->lenient && not_finite(json->at, word_size(json)) != NULL) {
            json->at += word_size(json);
            return OM_OK;
        }
        OM_TRY(take_number(json, &start, &size, err));
        return check_finite(json, start, size, err);
    default:
        return om__json_fail(json, err, "expected a value, found %s",
                             kind_name(om__json_peek(json)));
    }
}

/* Nesting is bounded by most_depth, so the recursion is too. */
static om_status skip_value(om_json *json, om_error *err)
{
    om_json_kind kind = om__json_peek(json);
    if (kind == OM_JSON_OBJECT) {
        const char *key;
        OM_TRY(om__json_enter(json, '{', err));
        for (;;) {
            OM_TRY(om__json_next_key(json, &key, err));
            if (key == NULL)
                return OM_OK;
            OM_TRY(skip_value(json, err));
        }
    }
    if (kind == OM_JSON_ARRAY) {
        bool more = false;
        OM_TRY(om__json_enter(json, '[', err));
        for (;;) {
            OM_TRY(om__json_next_item(json, &more, err));
            if (!more)
                return OM_OK;
            OM_TRY(skip_value(json, err));
        }
    }
    return skip_scalar(json, err);
}

om_status om__json_skip(om_json *json, const char **start, size_t *size, om_error *err)
{
    skip_blanks(json);
    const char *from = json->at;
    OM_TRY(skip_value(json, err));
    if (start != NULL)
        *start = from;
    if (size != NULL)
        *size = (size_t)(json->at - from);
    return OM_OK;
}

om_status om__json_finish(om_json *json, om_error *err)
{
    if (om__json_peek(json) != OM_JSON_END)
        return om__json_fail(json, err, "text after the end of the value");
    return OM_OK;
}
