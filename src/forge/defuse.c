/* SPDX-License-Identifier: Apache-2.0 */
/* defuse.c: making markdown harmless, character by character. */
#include "forge/defuse.h"

#include <ctype.h>
#include <string.h>

#include "base/width.h"

#define ZERO_WIDTH "\xE2\x80\x8B" /* U+200B: breaks a mention or number apart, seen by nobody */

static const char *const safe_tags[] = {"<details>",  "</details>", "<summary>",
                                        "</summary>", "<br>",       "<pre>",
                                        "</pre>",     "<code>",     "</code>"};

static size_t safe_tag_size(const char *at)
{
    for (size_t i = 0; i < sizeof safe_tags / sizeof *safe_tags; i++)
        if (strncmp(at, safe_tags[i], strlen(safe_tags[i])) == 0)
            return strlen(safe_tags[i]);
    return 0;
}

/* A code span is believed only where every reader of markdown sees one: closed by as many
 * backticks, on the same line and in the same table cell. Its size, or 0. */
static size_t code_span_size(const char *at)
{
    size_t ticks = strspn(at, "`");
    for (const char *c = at + ticks; *c != '\0' && *c != '\n' && *c != '|'; c++) {
        if (*c != '`')
            continue;
        size_t closing = strspn(c, "`");
        if (closing == ticks)
            return (size_t)(c - at) + closing;
        c += closing - 1;
    }
    return 0;
}

/* A fence of three or more backticks at the start of a line, up to the line that closes it: its
 * size with that line, or 0 where it is never closed (the rest of the page would be swallowed: not
 * believed). */
static size_t fence_size(const char *at)
{
    size_t ticks = strspn(at, "`");
    const char *line = strchr(at, '\n');
    if (ticks < 3 || line == NULL || memchr(at + ticks, '`', (size_t)(line - at) - ticks) != NULL)
        return 0;
    while (line != NULL) {
        const char *start = line + 1;
        const char *end = strchr(start, '\n');
        size_t closing = strspn(start, "`");
        if (closing >= ticks && (start[closing] == '\n' || start[closing] == '\0'))
            return (size_t)(start + closing - at);
        line = end;
    }
    return 0;
}

static size_t copy_code(const char *at, bool at_line_start, om_text *out)
{
    size_t size = at_line_start ? fence_size(at) : 0;
    if (size == 0)
        size = code_span_size(at);
    if (size == 0) {
        /* A lone run of backticks could pair with one that comes later. */
        om__text_add(out, "&#96;");
        return 1;
    }
    om__text_add_bytes(out, at, size);
    return size;
}

/* Marks of writing direction and their kin would show the rest of the line as something else. The
 * zero-width space is what we put in ourselves. */
static size_t copy_character(const char *at, om_text *out)
{
    int32_t code;
    size_t size = om__utf8_decode(at, strnlen(at, 4), &code);
    if (code != 0x200b && om__code_is_hidden(code))
        om__text_add_code(out, code);
    else
        om__text_add_bytes(out, at, size);
    return size;
}

void om__markdown_defuse(const char *markdown, om_text *out)
{
    const char *at = markdown;
    om__text_add(out, "");
    while (*at != '\0') {
        bool at_line_start = at == markdown || at[-1] == '\n';
        bool in_word = at > markdown && isalnum((unsigned char)at[-1]);
        bool in_entity = at > markdown && at[-1] == '&';
        size_t taken = 1;
        if (*at == '`') {
            taken = copy_code(at, at_line_start, out);
        } else if (*at == '<') {
            taken = safe_tag_size(at);
            if (taken > 0)
                om__text_add_bytes(out, at, taken);
            else
                om__text_add(out, "&lt;");
            taken = taken > 0 ? taken : 1;
        } else if (*at == '@' && isalnum((unsigned char)at[1])) {
            om__text_add(out, "@" ZERO_WIDTH);
        } else if (((*at == '#' && !in_entity) || (*at == '!' && !in_word)) &&
                   isdigit((unsigned char)at[1])) {
            om__text_add_char(out, *at);
            om__text_add(out, ZERO_WIDTH);
        } else if (*at == ']' && (at[1] == '(' || at[1] == ':' || at[1] == '[')) {
            om__text_add(out, "]\\");
        } else if ((unsigned char)*at < ' ' && *at != '\n' && *at != '\t') {
            om__text_add_char(out, ' ');
        } else if ((unsigned char)*at >= 0x7f) {
            taken = copy_character(at, out);
        } else {
            om__text_add_char(out, *at);
        }
        at += taken;
    }
}
