/* SPDX-License-Identifier: Apache-2.0 */
/* pairs.h: an ordered map of short texts, as in the params of a row or the settings of a machine.
 */
#ifndef OM_BASE_PAIRS_H
#define OM_BASE_PAIRS_H

#include <stdbool.h>
#include <stddef.h>

#include "opmark/status.h"

typedef struct om_pair {
    char *key;
    char *value;
} om_pair;

/* Zero-initialise before first use. Keys are unique and keep the order in which they were first
 * set. */
typedef struct om_pairs {
    om_pair *items;
    size_t count;
    size_t capacity;
} om_pairs;

/* Sets or replaces; both texts are copied. */
om_status om__pairs_set(om_pairs *pairs, const char *key, const char *value, om_error *err);
om_status om__pairs_setf(om_pairs *pairs, const char *key, om_error *err, const char *format, ...)
    OM_PRINTF(4, 5);
/* The value, or NULL. */
const char *om__pairs_find(const om_pairs *pairs, const char *key);
om_status om__pairs_copy(om_pairs *to, const om_pairs *from,
                         om_error *err); /* replaces what `to` held */
/* Same keys and values, in any order. */
bool om__pairs_equal(const om_pairs *a, const om_pairs *b);
/* "m=16 n=32": a new text to free(), values quoted where the .wl grammar needs it; NULL when memory
 * is short. */
char *om__pairs_format(const om_pairs *pairs);
void om__pairs_release(om_pairs *pairs);

#endif
