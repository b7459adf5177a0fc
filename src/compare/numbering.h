/* SPDX-License-Identifier: Apache-2.0 */
/* numbering.h: numbers for texts, in the order in which they first appear. */
#ifndef OM_COMPARE_NUMBERING_H
#define OM_COMPARE_NUMBERING_H

#include <stdbool.h>
#include <stddef.h>

#include "opmark/status.h"

typedef struct om_numbering_entry {
    const char *text; /* in the pool */
    size_t size;
} om_numbering_entry;

/* Zero-initialise before first use. */
typedef struct om_numbering {
    om_numbering_entry *entries; /* by number */
    size_t count, capacity;
    struct om_numbering_slot *slots; /* a power of two of them */
    size_t slot_count;
    struct om_pool *pool;
} om_numbering;

/* The number of the text, a new one where it was not seen before (then *fresh, may be NULL). The
 * text may hold any bytes. */
om_status om__numbering_add(om_numbering *numbering, const char *text, size_t size, size_t *number,
                            bool *fresh, om_error *err);
/* False where the text was never added. */
bool om__numbering_find(const om_numbering *numbering, const char *text, size_t size,
                        size_t *number);
void om__numbering_release(om_numbering *numbering);

#endif
