/* SPDX-License-Identifier: Apache-2.0 */
/* workload.c: workloads from lines: reserved keys, sweeps, resolved parameters, unique keys. */
#include "bench/workload.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"

#define MOST_WORKLOADS 100000

static const char *const reserved[] = {"name", "table", "pass", "cache"};

static bool is_reserved(const char *key)
{
    for (size_t i = 0; i < sizeof reserved / sizeof reserved[0]; i++)
        if (strcmp(key, reserved[i]) == 0)
            return true;
    return false;
}

/* Names may hold commas. */
static bool can_sweep(const char *key)
{
    return strcmp(key, "name") != 0 && strcmp(key, "table") != 0;
}

static size_t count_values(const om_pair *pair)
{
    size_t count = 1;
    for (const char *c = pair->value; *c != '\0' && can_sweep(pair->key); c++)
        count += *c == ',';
    return count;
}

om_status om__sweep_count(const om_wl_line *line, const char *file, size_t *count, om_error *err)
{
    *count = 1;
    for (size_t i = 0; i < line->pairs.count; i++) {
        *count *= count_values(&line->pairs.items[i]);
        if (*count > MOST_WORKLOADS)
            return om__error_set_at(err, OM_INVALID, file, line->line,
                                    "the sweep makes more than %d workloads", MOST_WORKLOADS);
    }
    return OM_OK;
}

/* The pairs of combination number `index`; the last key varies fastest. *swept gets the pairs that
 * take part in a sweep. */
static om_status pick(const om_wl_line *line, size_t index, om_pairs *pairs, om_pairs *swept,
                      om_error *err)
{
    om_status status = OM_OK;
    om_text value = {0};
    size_t below = 1; /* combinations of the keys that follow */
    for (size_t i = 0; i < line->pairs.count; i++)
        below *= count_values(&line->pairs.items[i]);
    for (size_t i = 0; i < line->pairs.count && status == OM_OK; i++) {
        const om_pair *pair = &line->pairs.items[i];
        size_t values = count_values(pair);
        below /= values;
        size_t which = index / below % values;
        const char *start = pair->value;
        for (; which > 0; which--)
            start = strchr(start, ',') + 1;
        om__text_clear(&value);
        if (values > 1)
            om__text_add_bytes(&value, start, strcspn(start, ","));
        else
            om__text_add(&value, start);
        status = om__text_check(&value, err);
        if (status == OM_OK)
            status = om__pairs_set(pairs, pair->key, value.data, err);
        if (status == OM_OK && values > 1 && strcmp(pair->key, "pass") != 0)
            status = om__pairs_set(swept, pair->key, value.data, err);
    }
    om__text_release(&value);
    return status;
}

static void workload_release(om_workload *w)
{
    char *texts[] = {w->suite, w->table, w->name,    w->op_name, w->pass,
                     w->dtype, w->cache, w->section, w->file,    w->missing};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        free(texts[i]);
    om__pairs_release(&w->params);
    om__pairs_release(&w->all);
}

static om_status copy(char **to, const char *text, om_error *err)
{
    *to = om__strdup(text);
    return *to == NULL ? om__error_set(err, OM_NO_MEMORY, "no memory for a workload") : OM_OK;
}

static om_status find_op(om_workload *w, om_error *err)
{
    w->op = om__op_find(w->op_name, w->pass);
    if (w->op != NULL)
        return OM_OK;
    if (om__op_find(w->op_name, NULL) != NULL)
        return om__error_set(err, OM_INVALID, "operator %s has no pass %s", w->op_name, w->pass);
    size_t count;
    const om_op *const *ops = om__ops_get(&count);
    const char **names = malloc((count + 1) * sizeof *names);
    if (names == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for a hint");
    for (size_t i = 0; i < count; i++)
        names[i] = ops[i]->name;
    const char *close = om__closest_word(w->op_name, names, count);
    om_status status = om__error_set(err, OM_INVALID, "there is no operator %s%s%s%s", w->op_name,
                                     close != NULL ? "; did you mean " : "",
                                     close != NULL ? close : "", close != NULL ? "?" : "");
    free(names);
    return status;
}

/* Parameters to arguments and back: what was written becomes canonical. */
static om_status resolve(om_workload *w, om_error *err)
{
    int64_t bytes;
    OM_TRY(find_op(w, err));
    OM_TRY(om__args_parse(w->op, &w->all, w->args, err));
    OM_TRY(om__args_memory_bytes(w->op, w->args, &bytes, err));
    OM_TRY(om__args_format_short(w->op, w->args, &w->params, err));
    OM_TRY(om__args_format(w->op, w->args, &w->all, err));
    return copy(&w->dtype, om_dtype_name(om__op_dtype(w->op, w->args)), err);
}

/* A row of a catalogue that this build does not know keeps its parameters as they were written. */
static om_status keep_missing(om_workload *w, const om_error *why, om_error *err)
{
    const char *dtype = om__pairs_find(&w->all, "dtype");
    w->op = NULL;
    free(w->dtype);
    OM_TRY(copy(&w->missing, why->text, err));
    OM_TRY(copy(&w->dtype, dtype == NULL ? "" : dtype, err));
    return om__pairs_copy(&w->params, &w->all, err);
}

static om_status make_name(om_workload *w, const char *given, const om_pairs *swept, om_error *err)
{
    om_text name = {0};
    char *tail = om__pairs_format(given == NULL ? &w->params : swept);
    if (tail == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for a name");
    om__text_addf(&name, "%s%s%s", given == NULL ? "" : given,
                  given != NULL && *tail != '\0' ? " " : "", tail);
    free(tail);
    if (name.size == 0)
        om__text_add(&name, w->op_name);
    OM_TRY(om__text_check(&name, err));
    w->name = name.data;
    return OM_OK;
}

static om_status fill_workload(om_workload *w, const char *suite, const char *file,
                               const om_wl_line *line, const om_pairs *pairs, const om_pairs *swept,
                               om_error *err)
{
    const char *table = om__pairs_find(pairs, "table");
    const char *pass = om__pairs_find(pairs, "pass");
    const char *cache = om__pairs_find(pairs, "cache");
    w->line = line->line;
    OM_TRY(copy(&w->suite, suite, err));
    OM_TRY(copy(&w->file, file, err));
    OM_TRY(copy(&w->section, line->section, err));
    OM_TRY(copy(&w->op_name, line->words[0], err));
    OM_TRY(copy(&w->table, table == NULL ? w->op_name : table, err));
    OM_TRY(copy(&w->pass, pass == NULL ? "forward" : pass, err));
    OM_TRY(copy(&w->cache, cache == NULL ? "cold" : cache, err));
    if (strcmp(w->cache, "cold") != 0 && strcmp(w->cache, "warm") != 0)
        return om__error_set(err, OM_INVALID, "cache=%s is neither cold nor warm", w->cache);
    for (size_t i = 0; i < pairs->count; i++)
        if (!is_reserved(pairs->items[i].key))
            OM_TRY(om__pairs_set(&w->all, pairs->items[i].key, pairs->items[i].value, err));
    om_error why;
    om_status status = resolve(w, &why);
    if (status == OM_INVALID && strcmp(w->section, "catalogue") == 0)
        status = keep_missing(w, &why, err);
    else if (status != OM_OK && err != NULL)
        *err = why;
    OM_TRY(status);
    return make_name(w, om__pairs_find(pairs, "name"), swept, err);
}

static om_workload *next_place(om_workloads *set, om_error *err)
{
    if (set->count == set->capacity) {
        size_t capacity = set->capacity == 0 ? 32 : set->capacity * 2;
        om_workload *items = realloc(set->items, capacity * sizeof *items);
        if (items == NULL) {
            om__error_set(err, OM_NO_MEMORY, "no memory for %zu workloads", capacity);
            return NULL;
        }
        set->items = items;
        set->capacity = capacity;
    }
    memset(&set->items[set->count], 0, sizeof *set->items);
    return &set->items[set->count++];
}

static om_status add_combination(om_workloads *set, const char *suite, const char *file,
                                 const om_wl_line *line, size_t index, om_error *err)
{
    om_status status = OM_OK;
    om_pairs pairs = {0}, swept = {0};
    om_workload *w = next_place(set, err);
    if (w == NULL)
        return OM_NO_MEMORY;
    OM_TRY_OUT(pick(line, index, &pairs, &swept, err));
    OM_TRY_OUT(fill_workload(w, suite, file, line, &pairs, &swept, err));
out:
    om__pairs_release(&pairs);
    om__pairs_release(&swept);
    return status;
}

om_status om__workloads_add_line(om_workloads *set, const char *suite, const char *file,
                                 const om_wl_line *line, om_error *err)
{
    size_t before = set->count, count;
    om_status status = OM_OK;
    if (line->word_count != 1)
        return om__error_set_at(err, OM_INVALID, file, line->line,
                                line->word_count == 0
                                    ? "the line names no operator"
                                    : "one operator a line, then key=value pairs");
    OM_TRY(om__sweep_count(line, file, &count, err));
    for (size_t i = 0; i < count && status == OM_OK; i++)
        status = add_combination(set, suite, file, line, i, err);
    if (status == OM_OK)
        return OM_OK;
    om__workloads_cut(set, before);
    if (err != NULL && err->file[0] == '\0') {
        om_error why = *err;
        om__error_set_at(err, status, file, line->line, "%s", why.text);
    }
    return status;
}

static int compare_keys(const om_workload *a, const om_workload *b)
{
    int order = strcmp(a->suite, b->suite);
    if (order == 0)
        order = strcmp(a->table, b->table);
    if (order == 0)
        order = strcmp(a->name, b->name);
    return order != 0 ? order : strcmp(a->pass, b->pass);
}

static int compare_places(const void *a, const void *b)
{
    const om_workload *x = *(const om_workload *const *)a, *y = *(const om_workload *const *)b;
    int order = compare_keys(x, y);
    return order != 0 ? order : (x->line > y->line) - (x->line < y->line);
}

static om_status refuse_twins(const om_workloads *set, size_t from, om_error *err)
{
    size_t count = set->count - from;
    om_status status = OM_OK;
    if (count < 2)
        return OM_OK;
    const om_workload **sorted = malloc(count * sizeof *sorted);
    if (sorted == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory to compare %zu workloads", count);
    for (size_t i = 0; i < count; i++)
        sorted[i] = &set->items[from + i];
    qsort(sorted, count, sizeof *sorted, compare_places);
    for (size_t i = 1; i < count && status == OM_OK; i++) {
        const om_workload *first = sorted[i - 1], *second = sorted[i];
        if (compare_keys(first, second) == 0)
            status = om__error_set_at(err, OM_INVALID, second->file, second->line,
                                      "%s \"%s\" %s stands here and in line %ld: give one of them "
                                      "another name",
                                      second->table, second->name, second->pass, first->line);
    }
    free(sorted);
    return status;
}

static om_status suite_name(const char *file, char **name, om_error *err)
{
    const char *slash = strrchr(file, '/');
    OM_TRY(copy(name, slash == NULL ? file : slash + 1, err));
    size_t size = strlen(*name);
    if (size > 3 && strcmp(*name + size - 3, ".wl") == 0)
        (*name)[size - 3] = '\0';
    return OM_OK;
}

om_status om__workloads_add_file(om_workloads *set, const om_wl *wl, om_error *err)
{
    om_status status = OM_OK;
    size_t before = set->count;
    char *suite;
    OM_TRY(suite_name(wl->file, &suite, err));
    for (size_t i = 0; i < wl->count && status == OM_OK; i++) {
        status = om__workloads_add_line(set, suite, wl->file, &wl->lines[i], err);
        if (status == OM_OK && set->count - before > MOST_WORKLOADS)
            status = om__error_set_at(err, OM_INVALID, wl->file, wl->lines[i].line,
                                      "more than %d workloads up to here", MOST_WORKLOADS);
    }
    if (status == OM_OK)
        status = refuse_twins(set, before, err);
    free(suite);
    if (status != OM_OK)
        om__workloads_cut(set, before);
    return status;
}

om_status om__workloads_read(om_workloads *set, const char *path, om_error *err)
{
    om_wl wl;
    OM_TRY(om__wl_read(path, &wl, err));
    om_status status = wl.count == 0
                           ? om__error_set_at(err, OM_INVALID, path, 0, "holds no workload")
                           : om__workloads_add_file(set, &wl, err);
    om__wl_release(&wl);
    return status;
}

void om__workloads_cut(om_workloads *set, size_t count)
{
    while (set->count > count)
        workload_release(&set->items[--set->count]);
}

void om__workloads_release(om_workloads *set)
{
    om__workloads_cut(set, 0);
    free(set->items);
    *set = (om_workloads){0};
}
