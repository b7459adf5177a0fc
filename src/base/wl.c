/* SPDX-License-Identifier: Apache-2.0 */
/* wl.c: the parser of the line grammar described in wl.h. */
#include "base/wl.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "base/utf8.h"

/* A line of more words than this is a mistake, and pairs are looked up one by one. */
#define MOST_WORDS   1024
#define LARGEST_FILE ((size_t)64 << 20)

typedef struct parser {
    const char *at, *end;
    const char *file;
    long line; /* of `at` */
    char *section;
    om_text token;
    size_t equals; /* offset of the first '=' outside quotes in token; SIZE_MAX: none */
    om_wl *wl;
    size_t capacity;
} parser;

static om_status fail(const parser *p, om_error *err, const char *what)
{
    return om__error_set_at(err, OM_PARSE, p->file, p->line, "%s", what);
}

static bool at_break(const parser *p)
{
    return p->at == p->end || *p->at == '\n' ||
           (*p->at == '\r' && (p->at + 1 == p->end || p->at[1] == '\n'));
}

static bool at_blank(const parser *p)
{
    return p->at < p->end && (*p->at == ' ' || *p->at == '\t');
}

/* One character of text, checked. */
static om_status take_char(parser *p, om_error *err)
{
    unsigned char c = (unsigned char)*p->at;
    if ((c < 0x20 && c != '\t') || c == 0x7F)
        return om__error_set_at(err, OM_PARSE, p->file, p->line, "control character 0x%02x", c);
    size_t size = om__utf8_length(p->at, (size_t)(p->end - p->at));
    if (size == 0)
        return om__error_set_at(err, OM_PARSE, p->file, p->line, "byte 0x%02x is not UTF-8", c);
    om__text_add_bytes(&p->token, p->at, size);
    p->at += size;
    return OM_OK;
}

static int hex_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

static om_status take_escape(parser *p, om_error *err)
{
    size_t left = (size_t)(p->end - p->at);
    char c = left > 1 ? p->at[1] : '\0';
    if (c == '"' || c == '\\') {
        om__text_add_char(&p->token, c);
        p->at += 2;
        return OM_OK;
    }
    if (c == 'x' && left > 3 && hex_value(p->at[2]) >= 0 && hex_value(p->at[3]) >= 0) {
        int code = hex_value(p->at[2]) * 16 + hex_value(p->at[3]);
        if ((code > 0 && code < 0x20) || code == 0x7F) {
            om__text_add_char(&p->token, (char)code);
            p->at += 4;
            return OM_OK;
        }
    }
    return fail(p, err,
                "inside quotes a backslash stands before \", \\ or the xHH of a control character");
}

static om_status take_quoted(parser *p, om_error *err)
{
    p->at++;
    while (!at_break(p)) {
        if (*p->at == '"') {
            p->at++;
            return OM_OK;
        }
        OM_TRY(*p->at == '\\' ? take_escape(p, err) : take_char(p, err));
    }
    return fail(p, err, "a quote is not closed on its line");
}

static om_status take_token(parser *p, om_error *err)
{
    om__text_clear(&p->token);
    om__text_add(&p->token, "");
    p->equals = SIZE_MAX;
    while (!at_break(p) && !at_blank(p) && *p->at != '#') {
        if (*p->at == '"') {
            OM_TRY(take_quoted(p, err));
            continue;
        }
        if (*p->at == '\\') {
            p->at++;
            if (!at_break(p) || p->at == p->end)
                return fail(p, err,
                            "a backslash outside quotes may only end a line that goes on in the "
                            "next");
            p->at--;
            break;
        }
        if (*p->at == '=' && p->equals == SIZE_MAX)
            p->equals = p->token.size;
        OM_TRY(take_char(p, err));
    }
    return om__text_check(&p->token, err);
}

static void skip_to_break(parser *p)
{
    while (!at_break(p))
        p->at++;
}

static void skip_break(parser *p)
{
    if (p->at < p->end && *p->at == '\r')
        p->at++;
    if (p->at < p->end && *p->at == '\n')
        p->at++;
    p->line++;
}

/* Blanks, and line ends after a backslash. */
static om_status skip_blanks(parser *p, om_error *err)
{
    for (;;) {
        while (at_blank(p))
            p->at++;
        if (p->at == p->end || *p->at != '\\')
            return OM_OK;
        p->at++;
        if (p->at == p->end)
            return fail(p, err, "the file ends in a backslash");
        if (!at_break(p))
            return fail(p, err,
                        "a backslash outside quotes may only end a line that goes on in the next");
        skip_break(p);
    }
}

static om_status take_section(parser *p, om_error *err)
{
    p->at++;
    om__text_clear(&p->token);
    while (!at_break(p) && *p->at != ']')
        OM_TRY(take_char(p, err));
    if (at_break(p))
        return fail(p, err, "a section has no closing ]");
    p->at++;
    OM_TRY(om__text_check(&p->token, err));
    if (p->token.size == 0)
        return fail(p, err, "a section has no name");
    while (at_blank(p))
        p->at++;
    if (!at_break(p) && *p->at != '#')
        return fail(p, err, "text after the ] of a section");
    skip_to_break(p);
    char *name = om__strdup(p->token.data);
    if (name == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for a section name");
    free(p->section);
    p->section = name;
    return OM_OK;
}

static om_status add_word(parser *p, om_wl_line *line, om_error *err)
{
    char **words = realloc(line->words, (line->word_count + 1) * sizeof *words);
    if (words == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for a word");
    line->words = words;
    words[line->word_count] = om__strdup(p->token.data);
    if (words[line->word_count] == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for a word");
    line->word_count++;
    return OM_OK;
}

static om_status add_token(parser *p, om_wl_line *line, om_error *err)
{
    if (line->word_count + line->pairs.count >= MOST_WORDS)
        return om__error_set_at(err, OM_PARSE, p->file, p->line, "more than %d words on one line",
                                MOST_WORDS);
    if (p->equals == SIZE_MAX) {
        if (line->pairs.count > 0)
            return om__error_set_at(err, OM_PARSE, p->file, p->line,
                                    "the word %s stands after key=value pairs", p->token.data);
        return add_word(p, line, err);
    }
    if (p->equals == 0)
        return fail(p, err, "a key is missing before =");
    p->token.data[p->equals] = '\0';
    const char *key = p->token.data;
    if (om__pairs_find(&line->pairs, key) != NULL)
        return om__error_set_at(err, OM_PARSE, p->file, p->line, "%s= is given twice", key);
    return om__pairs_set(&line->pairs, key, p->token.data + p->equals + 1, err);
}

static void line_release(om_wl_line *line)
{
    free(line->section);
    for (size_t i = 0; i < line->word_count; i++)
        free(line->words[i]);
    free(line->words);
    om__pairs_release(&line->pairs);
}

static om_status keep_line(parser *p, om_wl_line *line, om_error *err)
{
    if (p->wl->count == p->capacity) {
        size_t capacity = p->capacity == 0 ? 64 : p->capacity * 2;
        om_wl_line *lines = realloc(p->wl->lines, capacity * sizeof *lines);
        if (lines == NULL)
            return om__error_set(err, OM_NO_MEMORY, "no memory for %zu lines", capacity);
        p->wl->lines = lines;
        p->capacity = capacity;
    }
    line->section = om__strdup(p->section == NULL ? "" : p->section);
    if (line->section == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for a line");
    p->wl->lines[p->wl->count++] = *line;
    *line = (om_wl_line){0};
    return OM_OK;
}

static om_status take_line(parser *p, om_error *err)
{
    om_status status = OM_OK;
    om_wl_line line = {.line = p->line};
    while (at_blank(p))
        p->at++;
    if (p->at < p->end && *p->at == '[')
        return take_section(p, err);
    for (;;) {
        OM_TRY_OUT(skip_blanks(p, err));
        if (at_break(p))
            break;
        if (*p->at == '#') {
            skip_to_break(p);
            break;
        }
        if (line.word_count + line.pairs.count == 0)
            line.line = p->line;
        OM_TRY_OUT(take_token(p, err));
        OM_TRY_OUT(add_token(p, &line, err));
    }
    if (line.word_count + line.pairs.count > 0)
        status = keep_line(p, &line, err);
out:
    line_release(&line);
    return status;
}

om_status om__wl_parse(const char *text, size_t size, const char *file, om_wl *wl, om_error *err)
{
    om_status status = OM_OK;
    *wl = (om_wl){.file = om__strdup(file == NULL ? "" : file)};
    parser p = {.at = text, .end = text + size, .file = file, .line = 1, .wl = wl};
    if (wl->file == NULL) {
        status = om__error_set(err, OM_NO_MEMORY, "no memory for a file name");
        goto out;
    }
    if (size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0)
        p.at += 3;
    while (p.at < p.end) {
        OM_TRY_OUT(take_line(&p, err));
        skip_break(&p);
    }
out:
    free(p.section);
    om__text_release(&p.token);
    if (status != OM_OK)
        om__wl_release(wl);
    return status;
}

om_status om__wl_read(const char *path, om_wl *wl, om_error *err)
{
    char *text;
    size_t size;
    *wl = (om_wl){0};
    OM_TRY(om__file_read(path, LARGEST_FILE, &text, &size, err));
    om_status status = om__wl_parse(text, size, path, wl, err);
    free(text);
    return status;
}

void om__wl_release(om_wl *wl)
{
    for (size_t i = 0; i < wl->count; i++)
        line_release(&wl->lines[i]);
    free(wl->lines);
    free(wl->file);
    *wl = (om_wl){0};
}
