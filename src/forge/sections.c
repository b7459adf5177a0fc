/* SPDX-License-Identifier: Apache-2.0 */
/* sections.c: reading, merging and writing the sections of a comment. */
#include "forge/sections.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

#define REPORT_MARK   "<!-- opmark:report -->"
#define SECTION_MARK  "<!-- opmark:section "
#define DETAILS_MARK  "<!-- opmark:details -->"
#define END_MARK      "<!-- opmark:end "
#define STALE_MARK    "<!-- opmark:stale -->"
#define ANY_MARK      "<!-- opmark:"
#define MOST_SECTIONS 64

typedef struct comment {
    om_comment_section sections[MOST_SECTIONS];
    size_t count;
    om_text above; /* text of others before the first section */
    om_text below; /* and behind it */
} comment;

void om__section_release(om_comment_section *section)
{
    free(section->key);
    free(section->commit);
    free(section->headline);
    free(section->details);
    *section = (om_comment_section){0};
}

static void comment_release(comment *c)
{
    for (size_t i = 0; i < c->count; i++)
        om__section_release(&c->sections[i]);
    om__text_release(&c->above);
    om__text_release(&c->below);
}

bool om__section_word_is_valid(const char *text)
{
    size_t size = text != NULL ? strlen(text) : 0;
    if (size == 0 || size > 80)
        return false;
    for (; *text != '\0'; text++)
        if (!isalnum((unsigned char)*text) && strchr("._-", *text) == NULL)
            return false;
    return true;
}

bool om__sections_is_ours(const char *body)
{
    return body != NULL && strncmp(body, REPORT_MARK, strlen(REPORT_MARK)) == 0;
}

/* ---- reading ---- */

static char *copy_range(const char *from, const char *to)
{
    size_t size = (size_t)(to - from);
    char *copy = malloc(size + 1);
    if (copy == NULL)
        return NULL;
    memcpy(copy, from, size);
    copy[size] = '\0';
    return copy;
}

/* White space at both ends carries nothing, and forges change it. */
static char *copy_trimmed(const char *from, const char *to)
{
    while (from < to && isspace((unsigned char)*from))
        from++;
    while (to > from && isspace((unsigned char)to[-1]))
        to--;
    return copy_range(from, to);
}

/* The value of name="…" inside a marker, or NULL. */
static char *read_attribute(const char *mark, const char *mark_end, const char *name)
{
    char pattern[24];
    snprintf(pattern, sizeof pattern, "%s=\"", name);
    const char *at = strstr(mark, pattern);
    if (at == NULL || at >= mark_end)
        return NULL;
    at += strlen(pattern);
    const char *end = strchr(at, '"');
    return end == NULL || end >= mark_end ? NULL : copy_range(at, end);
}

/* A stale note is made anew at each merge: it is not part of the headline. */
static char *read_headline(const char *from, const char *to)
{
    while (from < to && isspace((unsigned char)*from))
        from++;
    if (strncmp(from, STALE_MARK, strlen(STALE_MARK)) == 0) {
        const char *line_end = memchr(from, '\n', (size_t)(to - from));
        from = line_end != NULL ? line_end : to;
    }
    return copy_trimmed(from, to);
}

static om_status damaged(om_error *err, const char *what)
{
    return om__error_set(err, OM_PARSE, "the markers of the comment are damaged: %s", what);
}

static om_status fill_section(om_comment_section *section, const char *mark, const char *mark_end,
                              const char *content_end, om_error *err)
{
    const char *content = mark_end + strlen("-->");
    char *number = read_attribute(mark, mark_end, "sequence");
    bool is_number = number != NULL && om__parse_int64(number, &section->sequence);
    free(number);
    section->key = read_attribute(mark, mark_end, "key");
    section->commit = read_attribute(mark, mark_end, "commit");
    if (!is_number || !om__section_word_is_valid(section->key) ||
        !om__section_word_is_valid(section->commit))
        return damaged(err, "a section without key, commit or sequence");
    const char *details = strstr(content, DETAILS_MARK);
    if (details != NULL && details < content_end) {
        section->headline = read_headline(content, details);
        section->details = copy_trimmed(details + strlen(DETAILS_MARK), content_end);
    } else {
        section->headline = read_headline(content, content_end);
        section->details = om__strdup("");
    }
    if (section->headline == NULL || section->details == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for a section");
    if (strstr(section->headline, ANY_MARK) != NULL || strstr(section->details, ANY_MARK) != NULL)
        return damaged(err, "a marker inside of a section");
    return OM_OK;
}

static om_comment_section *find_section(comment *c, const char *key)
{
    for (size_t i = 0; i < c->count; i++)
        if (strcmp(c->sections[i].key, key) == 0)
            return &c->sections[i];
    return NULL;
}

/* Reads the section that starts at `mark` and yields where the text goes on. */
static om_status read_section(comment *c, const char *mark, const char **rest, om_error *err)
{
    const char *mark_end = strstr(mark, "-->");
    const char *end = strstr(mark, END_MARK);
    const char *next = strstr(mark + 1, SECTION_MARK);
    if (mark_end == NULL || end == NULL || mark_end > end || (next != NULL && next < end))
        return damaged(err, "a section has no end");
    if (c->count == MOST_SECTIONS)
        return damaged(err, "more than 64 sections");
    om_comment_section *section = &c->sections[c->count++];
    *section = (om_comment_section){0};
    OM_TRY(fill_section(section, mark, mark_end, end, err));
    const char *end_end = strstr(end, "-->");
    char *key = end_end != NULL ? read_attribute(end, end_end, "key") : NULL;
    bool is_same = key != NULL && strcmp(key, section->key) == 0;
    free(key);
    if (!is_same)
        return damaged(err, "a section ends under another key");
    if (find_section(c, section->key) != section)
        return damaged(err, "two sections with one key");
    *rest = end_end + strlen("-->");
    return OM_OK;
}

static void keep_text(comment *c, const char *from, const char *to)
{
    char *text = copy_trimmed(from, to);
    om_text *kept = c->count == 0 ? &c->above : &c->below;
    if (text == NULL)
        kept->failed = true;
    else if (text[0] != '\0')
        om__text_addf(kept, "%s\n\n", text);
    free(text);
}

static om_status read_comment(const char *body, comment *c, om_error *err)
{
    if (body == NULL || *body == '\0')
        return OM_OK;
    if (!om__sections_is_ours(body))
        return damaged(err, "it does not start with " REPORT_MARK);
    const char *at = body + strlen(REPORT_MARK);
    for (;;) {
        const char *mark = strstr(at, ANY_MARK);
        keep_text(c, at, mark != NULL ? mark : at + strlen(at));
        if (mark == NULL)
            break;
        if (strncmp(mark, SECTION_MARK, strlen(SECTION_MARK)) != 0)
            return damaged(err, "a marker outside of a section");
        OM_TRY(read_section(c, mark, &at, err));
    }
    OM_TRY(om__text_check(&c->above, err));
    return om__text_check(&c->below, err);
}

/* ---- writing ---- */

static int by_key(const void *a, const void *b)
{
    return strcmp(((const om_comment_section *)a)->key, ((const om_comment_section *)b)->key);
}

static const om_comment_section *newest(const comment *c)
{
    const om_comment_section *best = &c->sections[0];
    for (size_t i = 1; i < c->count; i++)
        if (c->sections[i].sequence > best->sequence)
            best = &c->sections[i];
    return best;
}

static void write_section(const om_comment_section *section,
                          const om_comment_section *newest_section, om_text *out)
{
    om__text_addf(out, SECTION_MARK "key=\"%s\" commit=\"%s\" sequence=\"%lld\" -->\n",
                  section->key, section->commit, (long long)section->sequence);
    if (section->sequence < newest_section->sequence &&
        strcmp(section->commit, newest_section->commit) != 0)
        om__text_addf(out, STALE_MARK " **%s: no result for %s yet (last %s)**\n\n", section->key,
                      newest_section->commit, section->commit);
    om__text_addf(out, "%s\n", section->headline);
    if (section->details[0] != '\0')
        om__text_addf(out, "\n" DETAILS_MARK "\n%s\n", section->details);
    om__text_addf(out, "\n" END_MARK "key=\"%s\" -->\n\n", section->key);
}

static void write_comment(const comment *c, om_text *out)
{
    om__text_clear(out);
    om__text_add(out, REPORT_MARK "\n");
    if (c->above.size > 0)
        om__text_addf(out, "%s", c->above.data);
    for (size_t i = 0; i < c->count; i++)
        write_section(&c->sections[i], newest(c), out);
    if (c->below.size > 0)
        om__text_addf(out, "%s", c->below.data);
}

static om_status cut_details(om_comment_section *section, size_t budget_bytes, om_error *err)
{
    char words[160];
    snprintf(words, sizeof words,
             "_Details of %s left out: %zu bytes, over the budget of %zu bytes for this comment._",
             section->key, strlen(section->details), budget_bytes);
    char *line = om__strdup(words);
    if (line == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for a section");
    free(section->details);
    section->details = line;
    return OM_OK;
}

/* The section over its fair share goes first: the one with the longest details. */
static om_comment_section *longest_details(comment *c)
{
    om_comment_section *longest = NULL;
    for (size_t i = 0; i < c->count; i++)
        if (strlen(c->sections[i].details) > 160 &&
            (longest == NULL || strlen(c->sections[i].details) > strlen(longest->details)))
            longest = &c->sections[i];
    return longest;
}

static om_status fit(comment *c, size_t budget_bytes, om_text *merged, om_error *err)
{
    for (;;) {
        write_comment(c, merged);
        OM_TRY(om__text_check(merged, err));
        if (merged->size <= budget_bytes)
            return OM_OK;
        om_comment_section *section = longest_details(c);
        if (section == NULL)
            return om__error_set(
                err, OM_INVALID,
                "the headlines of %zu sections take %zu bytes, over the budget of %zu", c->count,
                merged->size, budget_bytes);
        OM_TRY(cut_details(section, budget_bytes, err));
    }
}

static om_status copy_section(om_comment_section *to, const om_comment_section *from, om_error *err)
{
    *to =
        (om_comment_section){om__strdup(from->key), om__strdup(from->commit), from->sequence,
                             copy_trimmed(from->headline, from->headline + strlen(from->headline)),
                             copy_trimmed(from->details, from->details + strlen(from->details))};
    if (to->key == NULL || to->commit == NULL || to->headline == NULL || to->details == NULL) {
        om__section_release(to);
        return om__error_set(err, OM_NO_MEMORY, "no memory for a section");
    }
    return OM_OK;
}

static om_status check_section(const om_comment_section *section, om_error *err)
{
    if (!om__section_word_is_valid(section->key))
        return om__error_set(err, OM_INVALID,
                             "'%s' is no section key: 1 to 80 letters, digits, '.', '_' and '-'",
                             section->key != NULL ? section->key : "");
    if (!om__section_word_is_valid(section->commit))
        return om__error_set(err, OM_INVALID, "'%s' is no commit name",
                             section->commit != NULL ? section->commit : "");
    if (strstr(section->headline, ANY_MARK) != NULL || strstr(section->details, ANY_MARK) != NULL)
        return om__error_set(err, OM_INVALID, "section %s holds a marker of its own", section->key);
    return OM_OK;
}

om_status om__sections_merge(const char *body, const om_comment_section *section,
                             size_t budget_bytes, om_text *merged, om_error *err)
{
    om_status status;
    comment c = {0};
    OM_TRY(check_section(section, err));
    OM_TRY_OUT(read_comment(body, &c, err));
    om_comment_section *old = find_section(&c, section->key);
    if (old == NULL) {
        if (c.count == MOST_SECTIONS) {
            status = om__error_set(err, OM_INVALID, "a comment holds at most %d sections",
                                   MOST_SECTIONS);
            goto out;
        }
        old = &c.sections[c.count];
        OM_TRY_OUT(copy_section(old, section, err));
        c.count++;
    } else if (section->sequence >= old->sequence) {
        om_comment_section copy;
        OM_TRY_OUT(copy_section(&copy, section, err));
        om__section_release(old);
        *old = copy;
    }
    qsort(c.sections, c.count, sizeof *c.sections, by_key);
    OM_TRY_OUT(fit(&c, budget_bytes, merged, err));
out:
    comment_release(&c);
    return status;
}

bool om__sections_are_whole(const char *body)
{
    comment c = {0};
    bool is_whole = read_comment(body, &c, NULL) == OM_OK;
    comment_release(&c);
    return is_whole;
}
