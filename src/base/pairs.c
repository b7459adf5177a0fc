/* SPDX-License-Identifier: Apache-2.0 */
/* pairs.c: the ordered map of short texts. */
#include "base/pairs.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"

static om_pair *find(const om_pairs *pairs, const char *key)
{
    for (size_t i = 0; i < pairs->count; i++)
        if (strcmp(pairs->items[i].key, key) == 0)
            return &pairs->items[i];
    return NULL;
}

om_status om__pairs_set(om_pairs *pairs, const char *key, const char *value, om_error *err)
{
    char *value_copy = om__strdup(value);
    if (value_copy == NULL)
        goto no_memory;
    om_pair *old = find(pairs, key);
    if (old != NULL) {
        free(old->value);
        old->value = value_copy;
        return OM_OK;
    }
    if (pairs->count == pairs->capacity) {
        size_t capacity = pairs->capacity == 0 ? 8 : pairs->capacity * 2;
        om_pair *items = realloc(pairs->items, capacity * sizeof *items);
        if (items == NULL)
            goto no_memory;
        pairs->items = items;
        pairs->capacity = capacity;
    }
    char *key_copy = om__strdup(key);
    if (key_copy == NULL)
        goto no_memory;
    pairs->items[pairs->count++] = (om_pair){key_copy, value_copy};
    return OM_OK;

no_memory:
    free(value_copy);
    return om__error_set(err, OM_NO_MEMORY, "no memory for the value of %s", key);
}

om_status om__pairs_setf(om_pairs *pairs, const char *key, om_error *err, const char *format, ...)
{
    char *value = NULL;
    va_list args;
    va_start(args, format);
    int size = vasprintf(&value, format, args);
    va_end(args);
    if (size < 0)
        return om__error_set(err, OM_NO_MEMORY, "no memory for the value of %s", key);
    om_status status = om__pairs_set(pairs, key, value, err);
    free(value);
    return status;
}

const char *om__pairs_find(const om_pairs *pairs, const char *key)
{
    const om_pair *pair = find(pairs, key);
    return pair == NULL ? NULL : pair->value;
}

om_status om__pairs_copy(om_pairs *to, const om_pairs *from, om_error *err)
{
    om_pairs copy = {0};
    for (size_t i = 0; i < from->count; i++) {
        om_status status = om__pairs_set(&copy, from->items[i].key, from->items[i].value, err);
        if (status != OM_OK) {
            om__pairs_release(&copy);
            return status;
        }
    }
    om__pairs_release(to);
    *to = copy;
    return OM_OK;
}

bool om__pairs_equal(const om_pairs *a, const om_pairs *b)
{
    if (a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++) {
        const char *other = om__pairs_find(b, a->items[i].key);
        if (other == NULL || strcmp(other, a->items[i].value) != 0)
            return false;
    }
    return true;
}

/* Keys are held to more than values: a line must not start like a section or a byte order mark. */
static bool is_plain(const char *word, bool is_key)
{
    if (*word == '\0' || (is_key && *word == '['))
        return false;
    for (const char *c = word; *c != '\0'; c++) {
        unsigned char code = (unsigned char)*c;
        if (code <= ' ' || code == 0x7F || *c == '"' || *c == '#' || *c == '\\')
            return false;
        if (is_key && (code >= 0x80 || *c == '='))
            return false;
    }
    return true;
}

static void add_word(om_text *text, const char *word, bool is_key)
{
    if (is_plain(word, is_key)) {
        om__text_add(text, word);
        return;
    }
    om__text_add_char(text, '"');
    for (const char *c = word; *c != '\0'; c++) {
        unsigned char code = (unsigned char)*c;
        if (*c == '"' || *c == '\\')
            om__text_addf(text, "\\%c", *c);
        else if ((code < 0x20 && code != '\t') || code == 0x7F)
            om__text_addf(text, "\\x%02x", code);
        else
            om__text_add_char(text, *c);
    }
    om__text_add_char(text, '"');
}

char *om__pairs_format(const om_pairs *pairs)
{
    om_text text = {0};
    om__text_add(&text, "");
    for (size_t i = 0; i < pairs->count; i++) {
        if (i > 0)
            om__text_add_char(&text, ' ');
        add_word(&text, pairs->items[i].key, true);
        om__text_add_char(&text, '=');
        add_word(&text, pairs->items[i].value, false);
    }
    if (text.failed) {
        om__text_release(&text);
        return NULL;
    }
    return text.data;
}

void om__pairs_release(om_pairs *pairs)
{
    for (size_t i = 0; i < pairs->count; i++) {
        free(pairs->items[i].key);
        free(pairs->items[i].value);
    }
    free(pairs->items);
    *pairs = (om_pairs){0};
}
