/* SPDX-License-Identifier: Apache-2.0 */
/* sections.h: a pull-request comment as a set of sections, one a machine, and how a new section
 * enters it.
 *
 * The body is markdown with hidden markers:
 *
 *     <!-- opmark:report -->
 *     text that a person or another tool put here is kept
 *     <!-- opmark:section key="mi300" commit="1f2e3d" sequence="12" -->
 *     the headline of this machine
 *     <!-- opmark:details -->
 *     tables
 *     <!-- opmark:end key="mi300" -->
 *
 * Merging is a pure function of two texts: it is idempotent, keeps what it does not know, orders
 * sections by key, and never puts an older result over a newer one. A section whose commit is not
 * that of the newest sequence says so.
 */
#ifndef OM_FORGE_SECTIONS_H
#define OM_FORGE_SECTIONS_H

#include <stdint.h>

#include "base/text.h"

typedef struct om_comment_section {
    char *key;        /* machine class, as the user names it: 1..80 of A-Z a-z 0-9 . _ - */
    char *commit;     /* what was measured; the same alphabet */
    int64_t sequence; /* orders commits of one pull request: a run number or a commit time */
    char *headline;   /* markdown; stays when the comment has to be cut */
    char *details;    /* markdown, whole blocks; may be "" */
} om_comment_section;

void om__section_release(om_comment_section *section);

/* Is `text` a key or commit the markers can carry? */
bool om__section_word_is_valid(const char *text);

/* The result of merging `section` into `body` ("" or NULL: a new comment), at most budget_bytes
 * long: details of the sections that take most are replaced by a line that says so until it fits.
 * OM_PARSE when the markers of `body` are damaged: the caller then starts a fresh comment.
 * OM_INVALID when the headlines alone are over the budget. */
om_status om__sections_merge(const char *body, const om_comment_section *section,
                             size_t budget_bytes, om_text *merged, om_error *err);

/* Does this text start as a comment of ours does? */
bool om__sections_is_ours(const char *body);

/* Are all its markers in order, so that a section can be merged into it? */
bool om__sections_are_whole(const char *body);

#define OM_COMMENT_BUDGET_BYTES 65536

#endif
