/* SPDX-License-Identifier: Apache-2.0 */
/* text.c: the growing text buffer, numbers in the C locale, near-miss words. */
#include "base/text.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

static bool reserve(om_text *text, size_t more)
{
    if (text->failed)
        return false;
    if (more >= SIZE_MAX / 2 - text->size) {
        text->failed = true;
        return false;
    }
    size_t need = text->size + more + 1;
    if (need <= text->capacity)
        return true;
    size_t capacity = text->capacity < 64 ? 64 : text->capacity;
    while (capacity < need)
        capacity *= 2;
    char *data = realloc(text->data, capacity);
    if (data == NULL) {
        text->failed = true;
        return false;
    }
    text->data = data;
    text->capacity = capacity;
    return true;
}

void om__text_add_bytes(om_text *text, const char *more, size_t size)
{
    if (!reserve(text, size))
        return;
    memcpy(text->data + text->size, more, size);
    text->size += size;
    text->data[text->size] = '\0';
}

void om__text_add(om_text *text, const char *more)
{
    om__text_add_bytes(text, more, strlen(more));
}

void om__text_add_char(om_text *text, char c)
{
    om__text_add_bytes(text, &c, 1);
}

void om__text_addf(om_text *text, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int size = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (size < 0) {
        text->failed = true;
    } else if (reserve(text, (size_t)size)) {
        vsnprintf(text->data + text->size, (size_t)size + 1, format, again);
        text->size += (size_t)size;
    }
    va_end(again);
}

void om__text_clear(om_text *text)
{
    text->size = 0;
    text->failed = false;
    if (text->data != NULL)
        text->data[0] = '\0';
}

void om__text_release(om_text *text)
{
    free(text->data);
    *text = (om_text){0};
}

om_status om__text_check(const om_text *text, om_error *err)
{
    if (text->failed)
        return om__error_set(err, OM_NO_MEMORY, "no memory for %zu bytes of text", text->size);
    return OM_OK;
}

char *om__strdup(const char *text)
{
    if (text == NULL)
        return NULL;
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    if (copy != NULL)
        memcpy(copy, text, size);
    return copy;
}

bool om__parse_int64(const char *text, int64_t *value)
{
    if (*text == '\0' || isspace((unsigned char)*text))
        return false;
    char *end;
    errno = 0;
    long long number = strtoll(text, &end, 10);
    if (errno != 0 || *end != '\0' || end == text)
        return false;
    *value = number;
    return true;
}

bool om__parse_double(const char *text, double *value)
{
    if (*text == '\0' || isspace((unsigned char)*text))
        return false;
    for (const char *c = text; *c != '\0'; c++)
        if (strchr("0123456789+-.eE", *c) == NULL)
            return false;
    char *end;
    double number = strtod(text, &end);
    if (*end != '\0' || end == text || !isfinite(number))
        return false;
    *value = number;
    return true;
}

#define LONGEST_WORD 63

static size_t edit_distance(const char *a, size_t a_size, const char *b, size_t b_size)
{
    size_t row[LONGEST_WORD + 1];
    for (size_t j = 0; j <= b_size; j++)
        row[j] = j;
    for (size_t i = 1; i <= a_size; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b_size; j++) {
            size_t best = diagonal + (a[i - 1] != b[j - 1]);
            if (row[j] + 1 < best)
                best = row[j] + 1;
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            diagonal = row[j];
            row[j] = best;
        }
    }
    return row[b_size];
}

const char *om__closest_word(const char *word, const char *const *words, size_t count)
{
    size_t size = strlen(word);
    if (size > LONGEST_WORD)
        return NULL;
    const char *best = NULL;
    size_t limit = size / 3 > 2 ? size / 3 : 2;
    for (size_t i = 0; i < count; i++) {
        size_t other = strlen(words[i]);
        if (other > LONGEST_WORD)
            continue;
        size_t distance = edit_distance(word, size, words[i], other);
        if (distance <= limit && distance < size) {
            best = words[i];
            limit = distance == 0 ? 0 : distance - 1;
            if (distance == 0)
                break;
        }
    }
    return best;
}
