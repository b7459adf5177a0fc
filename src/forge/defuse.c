/* SPDX-License-Identifier: Apache-2.0 */
/* defuse.c: making markdown harmless, character by character. */
#include "forge/defuse.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

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

/* Whether a line closes a fence of so many backticks; *unsure where readers could differ. */
static bool closes_fence(const char *line, const char *end, size_t ticks, bool *unsure)
{
    size_t before = strspn(line, " \t"), spaces = strspn(line, " ");
    const char *at = line + before;
    size_t closing = at < end ? strspn(at, "`") : 0;
    if (closing < ticks)
        return false;
    const char *rest = at + closing;
    rest += strspn(rest, " \t");
    *unsure = before != spaces || spaces > 3 || rest < end;
    return !*unsure;
}

/* A fence of three or more backticks at the start of a line, up to the line that closes it: its
 * size with that line, or 0 where it is never closed (the rest of the page would be swallowed) or
 * where readers could differ about its end: not believed. */
static size_t fence_size(const char *at)
{
    size_t ticks = strspn(at, "`");
    const char *line = strchr(at, '\n');
    if (ticks < 3 || line == NULL || memchr(at + ticks, '`', (size_t)(line - at) - ticks) != NULL)
        return 0;
    while (line != NULL) {
        bool unsure = false;
        const char *start = line + 1;
        const char *end = strchr(start, '\n');
        const char *stop = end != NULL ? end : start + strlen(start);
        if (closes_fence(start, stop, ticks, &unsure))
            return (size_t)(stop - at);
        if (unsure)
            return 0;
        line = end;
    }
    return 0;
}

/* How many characters of the line are blank, or become so: control characters turn into blanks. */
static size_t blanks(const char *line)
{
    size_t count = 0;
    while (line[count] != '\0' && line[count] != '\n' && (unsigned char)line[count] <= ' ')
        count++;
    return count;
}

/* "/merge" at the start of a line is a command to GitLab. */
static bool is_command(const char *at, const char *line)
{
    return *at == '/' && isalpha((unsigned char)at[1]) && blanks(line) == (size_t)(at - line);
}

static void copy_fence(const char *at, size_t size, om_text *out)
{
    const char *line = at;
    for (const char *c = at; c < at + size; c++) {
        if (is_command(c, line))
            om__text_add(out, ZERO_WIDTH);
        om__text_add_char(out, *c);
        if (*c == '\n')
            line = c + 1;
    }
}

static size_t copy_code(const char *at, bool at_line_start, om_text *out)
{
    size_t size = at_line_start ? fence_size(at) : 0;
    if (size > 0) {
        copy_fence(at, size, out);
        return size;
    }
    size = code_span_size(at);
    if (size == 0) {
        /* A lone run of backticks could pair with one that comes later. */
        om__text_add(out, "&#96;");
        return 1;
    }
    om__text_add_bytes(out, at, size);
    return size;
}

/* ':' or '.', as it is or as an entity; not those that are written here. */
static bool is_colon_or_dot(const char *at)
{
    if (*at == ':' || *at == '.')
        return true;
    if (strncmp(at, "&colon;", 7) == 0 || strncmp(at, "&period;", 8) == 0)
        return true;
    if (at[0] != '&' || at[1] != '#')
        return false;
    bool hex = at[2] == 'x' || at[2] == 'X';
    if (!isxdigit((unsigned char)at[2 + hex])) /* strtol would step over blanks and signs */
        return false;
    long code = strtol(at + 2 + hex, NULL, hex ? 16 : 10);
    return code == ':' || code == '.';
}

/* What readers turn into links by themselves, with ':' or '.' as it is or as an entity: the size up
 * to where a gap goes, or 0. */
static size_t link_start_size(const char *at, bool in_word)
{
    static const char *const starts[] = {"http", "https", "ftp", "www", "mailto", "xmpp"};
    for (size_t i = 0; !in_word && i < sizeof starts / sizeof *starts; i++) {
        size_t size = strlen(starts[i]);
        if (strncasecmp(at, starts[i], size) == 0 && is_colon_or_dot(at + size))
            return size;
    }
    return 0;
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

/* Backticks mean code only where no HTML block may be open: a tag opens one, a blank line ends it,
 * unless it is a <pre>, which its own end ends. */
typedef struct html {
    bool open, pre;
} html;

static size_t copy_tag(const char *at, html *state, om_text *out)
{
    size_t size = safe_tag_size(at);
    if (size == 0) {
        om__text_add(out, "&lt;");
        return 1;
    }
    state->open = true;
    if (strncmp(at, "<pre>", size) == 0)
        state->pre = true;
    if (strncmp(at, "</pre>", size) == 0)
        state->pre = false;
    om__text_add_bytes(out, at, size);
    return size;
}

static bool is_blank_line(const char *line)
{
    return line[blanks(line)] == '\n';
}

void om__markdown_defuse(const char *markdown, om_text *out)
{
    const char *at = markdown, *line = markdown;
    html state = {false, false};
    om__text_add(out, "");
    while (*at != '\0') {
        if (at > markdown && at[-1] == '\n')
            line = at;
        if (at == line && is_blank_line(line) && !state.pre)
            state.open = false;
        bool in_word = at > markdown && isalnum((unsigned char)at[-1]);
        bool in_entity = at > markdown && at[-1] == '&';
        size_t taken = 1, link = link_start_size(at, in_word);
        if (*at == '`' && !state.open) {
            taken = copy_code(at, at == line, out);
        } else if (*at == '`') {
            om__text_add(out, "&#96;");
        } else if (*at == '\\' && at[1] == '`') {
            om__text_add(out, "&#92;"); /* so that what follows is a backtick for every reader */
        } else if (*at == '~' && strspn(at, "~") >= 3) {
            om__text_add(out, "&#126;"); /* a fence that may never end */
        } else if (*at == '<') {
            taken = copy_tag(at, &state, out);
        } else if (is_command(at, line)) {
            om__text_add(out, "&#47;");
        } else if (link > 0) {
            om__text_add_bytes(out, at, link);
            om__text_add(out, ZERO_WIDTH);
            taken = link;
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
