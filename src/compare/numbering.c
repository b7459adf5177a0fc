/* SPDX-License-Identifier: Apache-2.0 */
/* numbering.c: numbers for texts, in the order in which they first appear. */
#include "compare/numbering.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* Eight bytes a step: keys are long, and a hundred thousand records have several each. */
static unsigned long long hash_text(const char *text, size_t size)
{
    unsigned long long hash = 14695981039346656037u ^ size;
    for (; size >= 8; text += 8, size -= 8) {
        unsigned long long word;
        memcpy(&word, text, 8);
        hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 29;
    }
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ (unsigned char)text[i]) * 1099511628211u;
    return hash ^ (hash >> 32);
}

/* The slot that holds the text, or the empty one where it belongs. */
static size_t find_slot(const om_numbering *numbering, const char *text, size_t size,
                        unsigned long long hash)
{
    size_t mask = numbering->slot_count - 1, at = (size_t)hash & mask;
    while (numbering->slots[at] != 0) {
        const om_numbering_entry *entry = &numbering->entries[numbering->slots[at] - 1];
        if (entry->hash == hash && entry->size == size && memcmp(entry->text, text, size) == 0)
            break;
        at = (at + 1) & mask;
    }
    return at;
}

static om_status grow(om_numbering *numbering, om_error *err)
{
    size_t capacity = numbering->capacity == 0 ? 64 : numbering->capacity * 2;
    om_numbering_entry *entries =
        realloc(numbering->entries, capacity * sizeof *numbering->entries);
    if (entries == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for %zu keys", capacity);
    numbering->entries = entries;
    size_t *slots = calloc(capacity * 2, sizeof *slots);
    if (slots == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for %zu keys", capacity);
    free(numbering->slots);
    numbering->slots = slots;
    numbering->slot_count = capacity * 2;
    numbering->capacity = capacity;
    for (size_t i = 0; i < numbering->count; i++) {
        const om_numbering_entry *entry = &numbering->entries[i];
        slots[find_slot(numbering, entry->text, entry->size, entry->hash)] = i + 1;
    }
    return OM_OK;
}

om_status om__numbering_add(om_numbering *numbering, const char *text, size_t size, size_t *number,
                            bool *fresh, om_error *err)
{
    if (numbering->count == numbering->capacity)
        OM_TRY(grow(numbering, err));
    unsigned long long hash = hash_text(text, size);
    size_t slot = find_slot(numbering, text, size, hash);
    bool is_new = numbering->slots[slot] == 0;
    if (is_new) {
        char *copy = malloc(size + 1);
        if (copy == NULL)
            return om__error_set(err, OM_NO_MEMORY, "no memory for a key of %zu bytes", size);
        memcpy(copy, text, size);
        copy[size] = '\0';
        numbering->entries[numbering->count] = (om_numbering_entry){copy, size, hash};
        numbering->slots[slot] = ++numbering->count;
    }
    *number = numbering->slots[slot] - 1;
    if (fresh != NULL)
        *fresh = is_new;
    return OM_OK;
}

bool om__numbering_find(const om_numbering *numbering, const char *text, size_t size,
                        size_t *number)
{
    if (numbering->count == 0)
        return false;
    size_t slot = find_slot(numbering, text, size, hash_text(text, size));
    if (numbering->slots[slot] == 0)
        return false;
    *number = numbering->slots[slot] - 1;
    return true;
}

void om__numbering_release(om_numbering *numbering)
{
    for (size_t i = 0; i < numbering->count; i++)
        free(numbering->entries[i].text);
    free(numbering->entries);
    free(numbering->slots);
    *numbering = (om_numbering){0};
}
