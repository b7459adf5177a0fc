/* SPDX-License-Identifier: Apache-2.0 */
/* numbering.c: numbers for texts, in the order in which they first appear. */
#include "compare/numbering.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/pool.h"

/* The hash stands beside the number, so that a probe that misses touches nothing else. */
typedef struct om_numbering_slot {
    uint64_t hash;
    size_t number; /* + 1; 0: empty */
} om_numbering_slot;

/* The slot that holds the text, or the empty one where it belongs. */
static om_numbering_slot *find_slot(const om_numbering *numbering, const char *text, size_t size,
                                    uint64_t hash)
{
    size_t mask = numbering->slot_count - 1, at = (size_t)hash & mask;
    for (;; at = (at + 1) & mask) {
        om_numbering_slot *slot = &numbering->slots[at];
        if (slot->number == 0)
            return slot;
        const om_numbering_entry *entry = &numbering->entries[slot->number - 1];
        if (slot->hash == hash && entry->size == size && memcmp(entry->text, text, size) == 0)
            return slot;
    }
}

static om_status grow(om_numbering *numbering, om_error *err)
{
    size_t capacity = numbering->capacity == 0 ? 64 : numbering->capacity * 2;
    if (numbering->pool == NULL)
        numbering->pool = om__pool_create();
    om_numbering_entry *entries =
        realloc(numbering->entries, capacity * sizeof *numbering->entries);
    if (entries != NULL)
        numbering->entries = entries;
    om_numbering_slot *slots = calloc(capacity * 2, sizeof *slots);
    if (entries == NULL || slots == NULL || numbering->pool == NULL) {
        free(slots);
        return om__error_set(err, OM_NO_MEMORY, "no memory for %zu keys", capacity);
    }
    size_t mask = capacity * 2 - 1;
    for (size_t i = 0; i < numbering->slot_count; i++) {
        if (numbering->slots[i].number == 0)
            continue;
        size_t at = (size_t)numbering->slots[i].hash & mask;
        while (slots[at].number != 0)
            at = (at + 1) & mask;
        slots[at] = numbering->slots[i];
    }
    free(numbering->slots);
    numbering->slots = slots;
    numbering->slot_count = capacity * 2;
    numbering->capacity = capacity;
    return OM_OK;
}

om_status om__numbering_add(om_numbering *numbering, const char *text, size_t size, size_t *number,
                            bool *fresh, om_error *err)
{
    if (numbering->count == numbering->capacity)
        OM_TRY(grow(numbering, err));
    uint64_t hash = om__hash_quick(text, size, 0);
    om_numbering_slot *slot = find_slot(numbering, text, size, hash);
    bool is_new = slot->number == 0;
    if (is_new) {
        char *copy = om__pool_reserve(numbering->pool, size + 1);
        if (copy == NULL)
            return om__error_set(err, OM_NO_MEMORY, "no memory for a key of %zu bytes", size);
        memcpy(copy, text, size);
        copy[size] = '\0';
        numbering->entries[numbering->count] = (om_numbering_entry){copy, size};
        *slot = (om_numbering_slot){hash, ++numbering->count};
    }
    *number = slot->number - 1;
    if (fresh != NULL)
        *fresh = is_new;
    return OM_OK;
}

bool om__numbering_find(const om_numbering *numbering, const char *text, size_t size,
                        size_t *number)
{
    if (numbering->count == 0)
        return false;
    const om_numbering_slot *slot = find_slot(numbering, text, size, om__hash_quick(text, size, 0));
    if (slot->number == 0)
        return false;
    *number = slot->number - 1;
    return true;
}

void om__numbering_release(om_numbering *numbering)
{
    free(numbering->entries);
    free(numbering->slots);
    om__pool_destroy(numbering->pool);
    *numbering = (om_numbering){0};
}
