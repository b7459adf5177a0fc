/* SPDX-License-Identifier: Apache-2.0 */
/* identity.c: what makes two records rows of the same thing. */
#include "compare/identity.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

#define OM_IDENTITY_SEPARATOR '\x1f'

void om__identity_add(om_text *key, const char *text)
{
    om__text_add(key, text != NULL ? text : "");
    om__text_add_char(key, OM_IDENTITY_SEPARATOR);
}

static int compare_pairs(const void *left, const void *right)
{
    return strcmp((*(const om_pair *const *)left)->key, (*(const om_pair *const *)right)->key);
}

om_status om__identity_add_params(om_text *key, const om_pairs *params, om_error *err)
{
    const om_pair *few[32];
    const om_pair **sorted = few;
    if (params->count > sizeof few / sizeof *few) {
        sorted = malloc(params->count * sizeof *sorted);
        if (sorted == NULL)
            return om__error_set(err, OM_NO_MEMORY, "no memory for %zu parameters", params->count);
    }
    for (size_t i = 0; i < params->count; i++)
        sorted[i] = &params->items[i];
    qsort(sorted, params->count, sizeof *sorted, compare_pairs);
    for (size_t i = 0; i < params->count; i++) {
        om__text_add(key, sorted[i]->key);
        om__text_add_char(key, '=');
        om__identity_add(key, sorted[i]->value);
    }
    om__text_add_char(key, OM_IDENTITY_SEPARATOR);
    if (sorted != few)
        free(sorted);
    return OM_OK;
}

om_status om__identity_add_benchmark(om_text *key, const om_record *record, om_error *err)
{
    om__identity_add(key, record->benchmark.suite);
    om__identity_add(key, record->benchmark.table);
    om__identity_add(key, record->benchmark.name);
    om__identity_add(key, record->benchmark.op);
    om__identity_add(key, record->benchmark.pass);
    om__identity_add(key, record->benchmark.dtype);
    return om__identity_add_params(key, &record->benchmark.params, err);
}

void om__identity_add_subject(om_text *key, const om_record *record)
{
    om__identity_add(key, record->subject.provider);
    om__identity_add(key, record->subject.variant);
}
