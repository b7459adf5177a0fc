/* SPDX-License-Identifier: Apache-2.0 */
/* width.h: how many columns of a terminal a UTF-8 text takes. */
#ifndef OM_BASE_WIDTH_H
#define OM_BASE_WIDTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

/* Decodes the character at text[0..size), size > 0, and returns its bytes (1 to 4). A byte that
 * begins no valid character is one of its own: *code is then -1. */
size_t om__utf8_decode(const char *text, size_t size, int32_t *code);

/* Columns of one code point: 0 for combining marks, 2 for wide East Asian ones and emoji, else 1.
 */
int om__code_width(int32_t code);
/* Columns of a text; a control character or invalid byte counts as om__text_add_visible shows it.
 */
int om__text_width(const char *text);

/* Characters that show nothing of themselves but change how others are shown: control characters,
 * marks of writing direction, zero-width spaces, line separators, tags. Joiners are none: scripts
 * and emoji need them. */
bool om__code_is_hidden(int32_t code);
/* Adds "\x1b" or "\u202e" for such a character, "\n" and "\t" for those. */
void om__text_add_code(om_text *out, int32_t code);

/* Adds a text so that a terminal cannot be steered by it: hidden characters are shown as
 * om__text_add_code does, invalid bytes become U+FFFD. */
void om__text_add_visible(om_text *out, const char *text);
/* The same, cut to `width` columns with "…" in its middle where it is longer. */
void om__text_add_cut(om_text *out, const char *text, int width);

#endif
