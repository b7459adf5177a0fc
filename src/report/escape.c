/* SPDX-License-Identifier: Apache-2.0 */
/* escape.c: texts made safe for the format they stand in. */
#include "report/escape.h"

#include <string.h>

#include "base/width.h"

static const char replacement[] = "\xef\xbf\xbd";

/* Calls for each character of valid UTF-8, with replacements for the rest. */
static void each(om_text *out, const char *text,
                 void (*add)(om_text *out, int32_t code, const char *bytes, size_t size))
{
    size_t size = strlen(text), taken;
    for (size_t i = 0; i < size; i += taken) {
        int32_t code;
        taken = om__utf8_decode(text + i, size - i, &code);
        if (code < 0)
            add(out, 0xfffd, replacement, 3);
        else
            add(out, code, text + i, taken);
    }
}

/* XML 1.0 cannot hold these, not even by reference; HTML takes most of them for other characters.
 */
static bool is_forbidden(int32_t code)
{
    return (code < 0x20 && code != '\n' && code != '\t' && code != '\r') || code == 0xfffe ||
           code == 0xffff;
}

static void add_html(om_text *out, int32_t code, const char *bytes, size_t size)
{
    switch (code) {
    case '&':
        om__text_add(out, "&amp;");
        break;
    case '<':
        om__text_add(out, "&lt;");
        break;
    case '>':
        om__text_add(out, "&gt;");
        break;
    case '"':
        om__text_add(out, "&quot;");
        break;
    case '\'':
        om__text_add(out, "&#39;");
        break;
    case '\n':
    case '\t':
    case '\r':
        om__text_addf(out, "&#%d;", (int)code);
        break;
    default:
        if (is_forbidden(code))
            om__text_add(out, replacement);
        else if (om__code_is_hidden(code))
            om__text_add_code(out, code);
        else
            om__text_add_bytes(out, bytes, size);
    }
}

void om__escape_html(om_text *out, const char *text)
{
    each(out, text, add_html);
}

void om__escape_xml(om_text *out, const char *text)
{
    each(out, text, add_html);
}

static void add_json(om_text *out, int32_t code, const char *bytes, size_t size)
{
    if (code == '"' || code == '\\')
        om__text_addf(out, "\\%c", (int)code);
    else if (code == '\n')
        om__text_add(out, "\\n");
    else if (om__code_is_hidden(code) && code < 0x10000)
        om__text_addf(out, "\\u%04x", (unsigned)code);
    else if (om__code_is_hidden(code))
        om__text_addf(out, "\\u%04x\\u%04x", (unsigned)(0xd800 + ((code - 0x10000) >> 10)),
                      (unsigned)(0xdc00 + ((code - 0x10000) & 0x3ff)));
    else if (code == '/' && out->size > 0 && out->data[out->size - 1] == '<')
        om__text_add(out, "\\/"); /* may stand in a script element */
    else
        om__text_add_bytes(out, bytes, size);
}

void om__escape_json(om_text *out, const char *text)
{
    om__text_add_char(out, '"');
    each(out, text, add_json);
    om__text_add_char(out, '"');
}

/* Has what a forge turns into mentions, issue links, addresses or emoji once the page is made; a
 * character reference does not stop that, standing in a code element does. */
static bool wants_code(const char *text)
{
    for (const char *colon = strchr(text, ':'); colon != NULL; colon = strchr(colon + 1, ':'))
        if (colon[1] != ' ' && colon[1] != '\0')
            return true; /* ":name:" or "scheme://" */
    return strpbrk(text, "@#") != NULL || strstr(text, "www.") != NULL;
}

/* Characters that begin markup somewhere: emphasis, code, links, HTML, tables, formulas. */
static bool is_markup(int32_t code)
{
    return code >= 0x20 && code < 0x80 && strchr("\\`*_[]<>|~&\"$", (int)code) != NULL;
}

/* Those that do so at the begin of a line only: lists, headings, rules, quotes. */
static bool is_line_markup(int32_t code)
{
    return code >= 0x20 && code < 0x80 && strchr("#+-=!:", (int)code) != NULL;
}

static bool is_word(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

void om__escape_markdown(om_text *out, const char *text)
{
    bool code = wants_code(text);
    size_t size = strlen(text), taken;
    om__text_add(out, code ? "<code>" : "");
    for (size_t i = 0; i < size; i += taken) {
        int32_t c;
        taken = om__utf8_decode(text + i, size - i, &c);
        bool in_word = i > 0 && is_word(text[i - 1]) && is_word(text[i + 1]);
        if (c < 0 || is_forbidden(c))
            om__text_add(out, replacement);
        else if (c == '_' && in_word)
            om__text_add_char(out, '_');
        else if (c < 0x20 || is_markup(c) || (is_line_markup(c) && i == 0) ||
                 (code && (c == '@' || c == '#' || c == ':')))
            om__text_addf(out, "&#%d;", (int)c);
        else if (om__code_is_hidden(c)) {
            om__text_add(out, "&#92;"); /* the backslash of its escape */
            om_text shown = {0};
            om__text_add_code(&shown, c);
            om__text_add(out, shown.data != NULL ? shown.data + 1 : "");
            out->failed = out->failed || shown.failed;
            om__text_release(&shown);
        } else
            om__text_add_bytes(out, text + i, taken);
    }
    om__text_add(out, code ? "</code>" : "");
}

/* bash, zsh and ksh understand $'…'; nothing simpler holds a control character on one line. */
static void add_dollar_quoted(om_text *out, const char *text)
{
    om__text_add(out, "$'");
    for (const char *c = text; *c != '\0'; c++) {
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            om__text_addf(out, "\\x%02x", (unsigned char)*c);
        else if (*c == '\'' || *c == '\\')
            om__text_addf(out, "\\%c", *c);
        else
            om__text_add_char(out, *c);
    }
    om__text_add_char(out, '\'');
}

void om__escape_shell(om_text *out, const char *text)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-=./,:+@%";
    if (text[0] != '\0' && strspn(text, plain) == strlen(text)) {
        om__text_add(out, text);
        return;
    }
    for (const char *c = text; *c != '\0'; c++) {
        if ((unsigned char)*c < 0x20 || *c == 0x7f) {
            add_dollar_quoted(out, text);
            return;
        }
    }
    om__text_add_char(out, '\'');
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '\'')
            om__text_add(out, "'\\''");
        else
            om__text_add_char(out, *c);
    }
    om__text_add_char(out, '\'');
}
