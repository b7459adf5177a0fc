/* SPDX-License-Identifier: Apache-2.0 */
/* json_write.c: the strict JSON writer. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/utf8.h"

static void new_line(om_json_out *out)
{
    if (out->indent == 0)
        return;
    om__text_add_char(&out->text, '\n');
    for (int i = 0; i < out->depth * out->indent; i++)
        om__text_add_char(&out->text, ' ');
}

static void start(om_json_out *out, const char *key)
{
    if (out->comma)
        om__text_add_char(&out->text, ',');
    if (out->depth > 0)
        new_line(out);
    if (key != NULL) {
        om__json_quote(&out->text, key);
        om__text_add(&out->text, out->indent > 0 ? ": " : ":");
    }
    out->comma = true;
}

void om__json_quote(om_text *text, const char *value)
{
    size_t left = strlen(value);
    om__text_add_char(text, '"');
    while (left > 0) {
        /* Plain stretches are copied at once: nearly every text is one. */
        size_t plain = 0;
        while (plain < left && (unsigned char)value[plain] >= 0x20 &&
               (unsigned char)value[plain] < 0x7F && value[plain] != '"' && value[plain] != '\\')
            plain++;
        om__text_add_bytes(text, value, plain);
        value += plain;
        left -= plain;
        if (left == 0)
            break;
        size_t size = om__utf8_length(value, left);
        if (size == 0) {
            om__text_add(text, "\xEF\xBF\xBD");
            size = 1;
        } else if (*value == '"' || *value == '\\') {
            om__text_addf(text, "\\%c", *value);
        } else if (*value == '\n') {
            om__text_add(text, "\\n");
        } else if (*value == '\t') {
            om__text_add(text, "\\t");
        } else if ((unsigned char)*value < 0x20 || *value == 0x7F) {
            om__text_addf(text, "\\u%04x", (unsigned char)*value);
        } else {
            om__text_add_bytes(text, value, size);
        }
        value += size;
        left -= size;
    }
    om__text_add_char(text, '"');
}

void om__json_put_open(om_json_out *out, const char *key, char bracket)
{
    start(out, key);
    om__text_add_char(&out->text, bracket);
    out->depth++;
    out->comma = false;
}

void om__json_put_close(om_json_out *out, char bracket)
{
    bool empty = !out->comma;
    out->depth--;
    if (!empty)
        new_line(out);
    om__text_add_char(&out->text, bracket);
    out->comma = true;
}

void om__json_put_null(om_json_out *out, const char *key)
{
    start(out, key);
    om__text_add(&out->text, "null");
}

void om__json_put_text(om_json_out *out, const char *key, const char *text)
{
    if (text == NULL) {
        om__json_put_null(out, key);
        return;
    }
    start(out, key);
    om__json_quote(&out->text, text);
}

void om__json_put_int(om_json_out *out, const char *key, int64_t value)
{
    start(out, key);
    om__text_addf(&out->text, "%" PRId64, value);
}

void om__json_put_uint(om_json_out *out, const char *key, uint64_t value)
{
    start(out, key);
    om__text_addf(&out->text, "%" PRIu64, value);
}

void om__json_put_bool(om_json_out *out, const char *key, bool value)
{
    start(out, key);
    om__text_add(&out->text, value ? "true" : "false");
}

void om__json_put_double(om_json_out *out, const char *key, double value)
{
    char text[40];
    if (!isfinite(value)) {
        om__json_put_null(out, key);
        return;
    }
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    start(out, key);
    om__text_add(&out->text, text);
}

void om__json_put_float(om_json_out *out, const char *key, float value)
{
    char text[40];
    if (!isfinite(value)) {
        om__json_put_null(out, key);
        return;
    }
    for (int digits = 6; digits <= 9; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, (double)value);
        if (strtof(text, NULL) == value)
            break;
    }
    start(out, key);
    om__text_add(&out->text, text);
}

void om__json_put_pairs(om_json_out *out, const char *key, const om_pairs *pairs)
{
    om__json_put_open(out, key, '{');
    for (size_t i = 0; i < pairs->count; i++)
        om__json_put_text(out, pairs->items[i].key, pairs->items[i].value);
    om__json_put_close(out, '}');
}

void om__json_put_raw(om_json_out *out, const char *key, const char *json, size_t size)
{
    start(out, key);
    for (size_t i = 0; i < size; i++)
        om__text_add_char(&out->text, json[i] == '\n' || json[i] == '\r' ? ' ' : json[i]);
}
