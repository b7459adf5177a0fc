/* SPDX-License-Identifier: Apache-2.0 */
/* text.h: a growing text buffer and small text helpers. */
#ifndef OM_BASE_TEXT_H
#define OM_BASE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "opmark/status.h"

/* Zero-initialise before first use. `data` is always NUL-terminated once anything was added; NULL
 * before. After an append ran out of memory `failed` stays true and further appends do nothing:
 * check once, at the end. */
typedef struct om_text {
    char *data;
    size_t size; /* without the NUL */
    size_t capacity;
    bool failed;
} om_text;

void om__text_add(om_text *text, const char *more);
void om__text_add_bytes(om_text *text, const char *more, size_t size);
void om__text_add_char(om_text *text, char c);
void om__text_addf(om_text *text, const char *format, ...) OM_PRINTF(2, 3);
void om__text_clear(om_text *text); /* empties, keeps the storage */
void om__text_release(om_text *text);
/* OM_NO_MEMORY if any append failed. */
om_status om__text_check(const om_text *text, om_error *err);

/* A copy to free(), or NULL when memory is short or text is NULL. */
char *om__strdup(const char *text);

/* Whole-text numbers in the C locale; anything else, white space and overflow included, is false.
 */
bool om__parse_int64(const char *text, int64_t *value);
bool om__parse_double(const char *text, double *value); /* finite only */

/* Edit distance for near-miss hints ("did you mean gemm?"); the closest of `words` within 2 edits
 * (or a third of the length), or NULL. `words` has `count` entries. */
const char *om__closest_word(const char *word, const char *const *words, size_t count);

#endif
