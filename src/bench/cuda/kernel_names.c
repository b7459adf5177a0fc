/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_names.c: the kernels of a call in words a reader can follow. */
#include "bench/cuda/kernel_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* Of the C++ runtime, which this object carries for its device code. */
extern char *__cxa_demangle(const char *mangled, char *buffer, size_t *size, int *status);

#define MOST_TEXTS 4096

/* Adds a name without its return type, arguments and anything in angle brackets longer than 40. */
static void add_short_name(om_text *text, const char *mangled)
{
    int status = -1;
    char *readable =
        strncmp(mangled, "_Z", 2) == 0 ? __cxa_demangle(mangled, NULL, NULL, &status) : NULL;
    const char *name = readable != NULL ? readable : mangled;
    size_t size;
    if (strncmp(name, "void ", 5) == 0)
        name += 5;
    size = strcspn(name, "(");
    size_t bracket = strcspn(name, "<");
    if (bracket < size && size - bracket > 40)
        size = bracket;
    om__text_add_bytes(text, name, size < 120 ? size : 120);
    free(readable);
}

static const char *keep(om_kernel_names *names, const char *text)
{
    for (size_t i = names->count; i-- > 0;)
        if (strcmp(names->items[i], text) == 0)
            return names->items[i];
    if (names->count == MOST_TEXTS)
        return NULL;
    if (names->count == names->capacity) {
        size_t wanted = names->capacity == 0 ? 32 : names->capacity * 2;
        char **grown = realloc(names->items, wanted * sizeof *grown);
        if (grown == NULL)
            return NULL;
        names->items = grown;
        names->capacity = wanted;
    }
    char *copy = om__strdup(text);
    if (copy == NULL)
        return NULL;
    names->items[names->count++] = copy;
    return copy;
}

const char *om__kernel_names_join(om_kernel_names *names, const om_device_work *work, size_t count)
{
    om_text text = {0};
    const char *kept = NULL;
    om__text_add(&text, "");
    for (size_t i = 0; i < count;) {
        size_t same = 1;
        while (i + same < count && strcmp(work[i + same].name, work[i].name) == 0)
            same++;
        if (text.size > 400) {
            om__text_addf(&text, ", … (%zu in all)", count);
            break;
        }
        if (text.size > 0)
            om__text_add(&text, ", ");
        add_short_name(&text, work[i].name);
        if (same > 1)
            om__text_addf(&text, " x%zu", same);
        i += same;
    }
    if (!text.failed)
        kept = keep(names, text.data != NULL ? text.data : "");
    om__text_release(&text);
    return kept;
}

void om__kernel_names_release(om_kernel_names *names)
{
    for (size_t i = 0; i < names->count; i++)
        free(names->items[i]);
    free(names->items);
    memset(names, 0, sizeof *names);
}
