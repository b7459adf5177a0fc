/* SPDX-License-Identifier: Apache-2.0 */
/* filter.c: which workloads a user asked for, and what was meant where none match. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/text.h"
#include "bench/workload.h"

typedef struct filter {
    const char *text; /* "op=gemm,cast" */
    char *key;
    const char *values; /* behind the = */
} filter;

static const struct {
    const char *key;
    size_t offset;
} properties[] = {
    {"suite", offsetof(om_workload, suite)},     {"table", offsetof(om_workload, table)},
    {"name", offsetof(om_workload, name)},       {"workload", offsetof(om_workload, name)},
    {"op", offsetof(om_workload, op_name)},      {"pass", offsetof(om_workload, pass)},
    {"dtype", offsetof(om_workload, dtype)},     {"cache", offsetof(om_workload, cache)},
    {"section", offsetof(om_workload, section)},
};
#define PROPERTIES (sizeof properties / sizeof properties[0])

/* What the workload has under a key; NULL: nothing of that name. */
static const char *value_of(const om_workload *w, const char *key)
{
    for (size_t i = 0; i < PROPERTIES; i++)
        if (strcmp(key, properties[i].key) == 0)
            return *(char *const *)((const char *)w + properties[i].offset);
    return om__pairs_find(&w->all, key);
}

/* pattern[0..size) with * for any text. */
static bool matches(const char *pattern, size_t size, const char *text)
{
    size_t at = 0, star = SIZE_MAX;
    const char *retry = NULL;
    while (*text != '\0') {
        if (at < size && pattern[at] == '*') {
            star = at++;
            retry = text;
        } else if (at < size && pattern[at] == *text) {
            at++;
            text++;
        } else if (star != SIZE_MAX) {
            at = star + 1;
            text = ++retry;
        } else {
            return false;
        }
    }
    while (at < size && pattern[at] == '*')
        at++;
    return at == size;
}

/* A name may hold commas, so the whole text is tried before its parts. */
static bool accepts(const filter *f, const om_workload *w)
{
    const char *value = value_of(w, f->key);
    if (value == NULL)
        return false;
    if (matches(f->values, strlen(f->values), value))
        return true;
    for (const char *at = f->values;;) {
        size_t size = strcspn(at, ",");
        if (matches(at, size, value))
            return true;
        if (at[size] == '\0')
            return false;
        at += size + 1;
    }
}

/* The words a user could have meant: the values under the filter's key, or, where no workload has
 * the key, all keys. */
static om_status collect(const om_workloads *set, const filter *f, bool *key_known, om_pairs *words,
                         om_error *err)
{
    *key_known = false;
    for (size_t i = 0; i < set->count; i++) {
        const char *value = value_of(&set->items[i], f->key);
        if (value == NULL)
            continue;
        *key_known = true;
        OM_TRY(om__pairs_set(words, value, "", err));
    }
    if (*key_known)
        return OM_OK;
    for (size_t i = 0; i < PROPERTIES; i++)
        OM_TRY(om__pairs_set(words, properties[i].key, "", err));
    for (size_t i = 0; i < set->count; i++)
        for (size_t k = 0; k < set->items[i].all.count; k++)
            OM_TRY(om__pairs_set(words, set->items[i].all.items[k].key, "", err));
    return OM_OK;
}

static void add_hint(om_text *text, const filter *f, bool key_known, const om_pairs *words)
{
    enum { SHOWN = 8 };
    const char **list = malloc((words->count + 1) * sizeof *list);
    if (list == NULL)
        return;
    for (size_t i = 0; i < words->count; i++)
        list[i] = words->items[i].key;
    const char *word = key_known ? f->values : f->key, *close = NULL;
    for (size_t i = 0; i < words->count && close == NULL; i++)
        if (strcasecmp(word, list[i]) == 0)
            close = list[i];
    if (close == NULL)
        close = om__closest_word(word, list, words->count);
    if (close != NULL && key_known) {
        om__text_addf(text, "; did you mean %s=%s?", f->key, close);
    } else if (close != NULL) {
        om__text_addf(text, ": none has %s; did you mean %s=%s?", f->key, close, f->values);
    } else {
        om__text_addf(text, key_known ? "; %s is one of" : ": none has %s; known are", f->key);
        for (size_t i = 0; i < words->count && i < SHOWN; i++)
            om__text_addf(text, "%s %s", i == 0 ? "" : ",", list[i]);
        if (words->count > SHOWN)
            om__text_add(text, ", …");
    }
    free(list);
}

static om_status fail_nothing(const om_workloads *set, const filter *filters, size_t count,
                              om_error *err)
{
    om_text text = {0};
    om_pairs words = {0};
    om_status status = OM_OK;
    om__text_addf(&text, "0 of %zu cases match", set->count);
    for (size_t i = 0; i < count; i++)
        om__text_addf(&text, " %s", filters[i].text);
    for (size_t i = 0; i < count; i++) {
        bool any = false, key_known;
        for (size_t k = 0; k < set->count && !any; k++)
            any = accepts(&filters[i], &set->items[k]);
        if (any)
            continue;
        OM_TRY_OUT(collect(set, &filters[i], &key_known, &words, err));
        add_hint(&text, &filters[i], key_known, &words);
        break;
    }
    status = om__error_set(err, OM_INVALID, "%s", text.failed ? "no case matches" : text.data);
out:
    om__text_release(&text);
    om__pairs_release(&words);
    return status;
}

static om_status parse_filters(const char *const *texts, size_t count, filter *filters,
                               om_error *err)
{
    for (size_t i = 0; i < count; i++) {
        const char *equals = strchr(texts[i], '=');
        if (equals == NULL || equals == texts[i] || equals[1] == '\0')
            return om__error_set(err, OM_INVALID, "a filter is written key=value, not %s",
                                 texts[i]);
        filters[i].text = texts[i];
        filters[i].values = equals + 1;
        filters[i].key = om__strdup(texts[i]);
        if (filters[i].key == NULL)
            return om__error_set(err, OM_NO_MEMORY, "no memory for a filter");
        filters[i].key[equals - texts[i]] = '\0';
    }
    return OM_OK;
}

/* Swaps the workloads that stay to the front, in their order, and drops the others. */
static void keep(om_workloads *set, const filter *filters, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < set->count; i++) {
        bool stays = true;
        for (size_t f = 0; f < count && stays; f++)
            stays = accepts(&filters[f], &set->items[i]);
        if (!stays)
            continue;
        om_workload swap = set->items[kept];
        set->items[kept++] = set->items[i];
        set->items[i] = swap;
    }
    om__workloads_cut(set, kept);
}

om_status om__workloads_filter(om_workloads *set, const char *const *texts, size_t count,
                               om_error *err)
{
    om_status status = OM_OK;
    filter *filters = calloc(count + 1, sizeof *filters);
    if (filters == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for filters");
    OM_TRY_OUT(parse_filters(texts, count, filters, err));
    bool any = count == 0;
    for (size_t i = 0; i < set->count && !any; i++) {
        any = true;
        for (size_t f = 0; f < count && any; f++)
            any = accepts(&filters[f], &set->items[i]);
    }
    if (!any)
        status = fail_nothing(set, filters, count, err);
    else
        keep(set, filters, count);
out:
    for (size_t i = 0; i < count; i++)
        free(filters[i].key);
    free(filters);
    return status;
}
