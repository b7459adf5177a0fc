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
    else if (code < 0x20 || code == 0x7f || code == 0x2028 || code == 0x2029)
        om__text_addf(out, "\\u%04x", (unsigned)code);
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
    return strpbrk(text, "@#:") != NULL || strstr(text, "www.") != NULL;
}

static void add_markdown(om_text *out, int32_t code, const char *bytes, size_t size)
{
    /* Everything that begins markup somewhere: emphasis, code, links, HTML, tables, headings,
     * lists, mentions, references, emoji, formulas; and what ends a line. */
    static const char special[] = "\\`*_{}[]()<>#+-!|~@&\":$^=";
    if (code >= 0x80 || (code >= 0x20 && strchr(special, (int)code) == NULL)) {
        om__text_add_bytes(out, bytes, size);
        return;
    }
    /* Inside of a word or sentence these have no meaning, and stay readable. */
    unsigned char before = out->size > 0 ? (unsigned char)out->data[out->size - 1] : 0;
    bool in_word =
        (before >= '0' && before <= '9') || ((before | 0x20) >= 'a' && (before | 0x20) <= 'z');
    if ((strchr("-+_=", (int)code) != NULL && in_word) ||
        (strchr("()-+=", (int)code) != NULL && code >= 0x20 && before == ' '))
        om__text_add_char(out, (char)code);
    else if (is_forbidden(code))
        om__text_add(out, replacement);
    else
        om__text_addf(out, "&#%d;", (int)code);
}

void om__escape_markdown(om_text *out, const char *text)
{
    bool code = wants_code(text);
    om__text_add(out, code ? "<code>" : "");
    each(out, text, add_markdown);
    om__text_add(out, code ? "</code>" : "");
}

void om__escape_shell(om_text *out, const char *text)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-=./,:+@%";
    if (text[0] != '\0' && strspn(text, plain) == strlen(text)) {
        om__text_add(out, text);
        return;
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
