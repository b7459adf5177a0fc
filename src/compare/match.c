/* SPDX-License-Identifier: Apache-2.0 */
/* match.c: the rows of two sides brought together by what they are. */
#include "compare/match.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "compare/identity.h"
#include "compare/numbering.h"

/* One record and the row it belongs to. */
typedef struct member {
    size_t row;
    const om_record *record;
    size_t at; /* in the record set */
} member;

typedef struct matcher {
    const om_compare_options *options;
    om_matching *matching;
    om_numbering works, names; /* parts of keys: what is measured, and what it is called */
    om_numbering keys, machine_keys, loose_keys, work_keys, devices;
    om_text text, device;
} matcher;

static int compare_texts(const char *a, const char *b)
{
    return strcmp(a != NULL ? a : "", b != NULL ? b : "");
}

static bool is_wanted(const matcher *m, const om_record *record)
{
    return m->options->first_calls || record->metric.name == NULL ||
           strcmp(record->metric.name, "first_call") != 0;
}

/* Parameters under their declared names and values, as a set. */
static om_status add_params(matcher *m, const om_pairs *params, om_error *err)
{
    const om_aliases *aliases = m->options->aliases;
    if (aliases == NULL)
        return om__identity_add_params(&m->text, params, err);
    om_pairs renamed = {0};
    om_status status = OM_OK;
    for (size_t i = 0; i < params->count && status == OM_OK; i++) {
        const char *key = om__alias_find(aliases, "param", NULL, params->items[i].key);
        status = om__pairs_set(&renamed, key,
                               om__alias_find(aliases, "value", key, params->items[i].value), err);
    }
    if (status == OM_OK)
        status = om__identity_add_params(&m->text, &renamed, err);
    om__pairs_release(&renamed);
    return status;
}

/* Operator, pass, parameters, subject and metric: what the row measures. */
static om_status add_work(matcher *m, const om_record *record, om_error *err)
{
    const om_aliases *aliases = m->options->aliases;
    om__identity_add(&m->text, record->benchmark.op);
    om__identity_add(&m->text, record->benchmark.pass);
    om__identity_add(&m->text, record->benchmark.dtype);
    OM_TRY(add_params(m, &record->benchmark.params, err));
    om__identity_add(&m->text, om__alias_find(aliases, "provider", NULL, record->subject.provider));
    om__identity_add(&m->text, record->subject.variant);
    om__identity_add(&m->text, record->metric.name);
    return OM_OK;
}

/* "cuda:4" is the second CUDA device a side uses, or the first, or the only one: its number says
 * nothing about another machine of the class. */
static om_status add_device(matcher *m, const om_record *record, size_t side, om_error *err)
{
    const char *device = record->place.device != NULL ? record->place.device : "";
    size_t kind = strcspn(device, ":"), number, ordinal = 0;
    om_text *key = &m->device;
    om__text_clear(key);
    om__text_add(key, side == 0 ? "base/" : "new/");
    om__text_add(key, record->place.machine_class != NULL ? record->place.machine_class : "");
    om__text_add_char(key, '/');
    size_t prefix = key->size + kind;
    om__text_add(key, device);
    OM_TRY(om__text_check(key, err));
    OM_TRY(om__numbering_add(&m->devices, key->data, key->size, &number, NULL, err));
    for (size_t i = 0; i < number; i++)
        ordinal += m->devices.entries[i].size >= prefix &&
                   memcmp(m->devices.entries[i].text, key->data, prefix) == 0;
    om__text_add_bytes(&m->text, device, kind);
    om__text_addf(&m->text, "#%zu", ordinal);
    om__identity_add(&m->text, "");
    return OM_OK;
}

static om_status add_number(matcher *m, om_numbering *numbering, size_t *number, om_error *err)
{
    OM_TRY(om__text_check(&m->text, err));
    return om__numbering_add(numbering, m->text.data, m->text.size, number, NULL, err);
}

/* A key made of two numbered parts and a short text. */
static om_status join_number(matcher *m, om_numbering *numbering, size_t first, size_t second,
                             const char *text, size_t *number, om_error *err)
{
    const size_t parts[2] = {first, second};
    om__text_clear(&m->text);
    om__text_add_bytes(&m->text, (const char *)parts, sizeof parts);
    om__text_add(&m->text, text != NULL ? text : "");
    return add_number(m, numbering, number, err);
}

/* Numbers the identities of one record; the one with the machine makes a row. */
static om_status number_record(matcher *m, const om_record *record, size_t side, om_side_row *keys,
                               om_error *err)
{
    const om_aliases *aliases = m->options->aliases;
    size_t work, name;
    om__text_clear(&m->text);
    OM_TRY(add_work(m, record, err));
    OM_TRY(add_device(m, record, side, err));
    OM_TRY(add_number(m, &m->works, &work, err));
    om__text_clear(&m->text);
    om__identity_add(&m->text, om__alias_find(aliases, "suite", NULL, record->benchmark.suite));
    om__identity_add(&m->text, record->benchmark.table);
    om__identity_add(&m->text, om__alias_find(aliases, "name", NULL, record->benchmark.name));
    OM_TRY(add_number(m, &m->names, &name, err));
    OM_TRY(join_number(m, &m->work_keys, work, 0, record->method.cache, &keys->work_key, err));
    OM_TRY(join_number(m, &m->loose_keys, work, name, NULL, &keys->loose_key, err));
    OM_TRY(join_number(m, &m->keys, keys->loose_key, 0, record->method.cache, &keys->key, err));
    const char *machine = m->matching->machine_ignored ? NULL : record->place.machine_class;
    return join_number(m, &m->machine_keys, keys->key, 0, machine, &keys->machine_key, err);
}

/* Row by row, run by run, launch by launch. */
static int compare_members(const void *left, const void *right)
{
    const member *a = left, *b = right;
    if (a->row != b->row)
        return a->row < b->row ? -1 : 1;
    int order = compare_texts(a->record->when.run, b->record->when.run);
    if (order != 0)
        return order;
    if (a->record->when.launch != b->record->when.launch)
        return a->record->when.launch < b->record->when.launch ? -1 : 1;
    return (a->at > b->at) - (a->at < b->at);
}

static int compare_starts(const void *left, const void *right)
{
    const om_record *a = *(const om_record *const *)left, *b = *(const om_record *const *)right;
    int order = compare_texts(a->when.started, b->when.started);
    if (order != 0)
        return order;
    order = compare_texts(a->when.run, b->when.run);
    if (order != 0)
        return order;
    return (a->when.launch > b->when.launch) - (a->when.launch < b->when.launch);
}

/* The newest run among the members of one row: by its latest record, then by file order. */
static const char *newest_run(const member *members, size_t count)
{
    const member *best = &members[0];
    for (size_t i = 1; i < count; i++) {
        int order = compare_texts(members[i].record->when.started, best->record->when.started);
        if (order > 0 || (order == 0 && members[i].at > best->at))
            best = &members[i];
    }
    return best->record->when.run;
}

/* One record a launch: of a row that was run again in a launch the later one counts. */
static void fill_row(const matcher *m, const member *members, size_t count, const om_record **to,
                     om_side_row *row)
{
    const char *newest = newest_run(members, count);
    row->launches = to;
    for (size_t i = 0; i < count; i++) {
        const om_record *record = members[i].record;
        if (!m->options->all_runs && compare_texts(record->when.run, newest) != 0)
            continue;
        if (row->launch_count > 0) {
            const om_record *last = to[row->launch_count - 1];
            if (last->when.launch == record->when.launch &&
                compare_texts(last->when.run, record->when.run) == 0)
                row->launch_count--;
        }
        to[row->launch_count++] = record;
    }
    qsort(to, row->launch_count, sizeof *to, compare_starts);
}

static om_status read_side(matcher *m, const om_side *side, size_t number, om_side_rows *rows,
                           om_error *err)
{
    om_status status = OM_OK;
    size_t count = 0, used = 0;
    member *members = calloc(side->set.count + 1, sizeof *members);
    size_t *row_of_key = NULL;
    om_side_row *found = calloc(side->set.count + 1, sizeof *found);
    size_t row_of_key_count = 0;

    rows->rows = found;
    rows->launches = calloc(side->set.count + 1, sizeof *rows->launches);
    if (members == NULL || found == NULL || rows->launches == NULL) {
        status = om__error_set(err, OM_NO_MEMORY, "no memory for %zu records", side->set.count);
        goto out;
    }
    for (size_t i = 0; i < side->set.count; i++) {
        const om_record *record = &side->set.items[i];
        om_side_row keys = {0};
        if (!is_wanted(m, record))
            continue;
        OM_TRY_OUT(number_record(m, record, number, &keys, err));
        if (keys.machine_key >= row_of_key_count) {
            size_t larger = m->machine_keys.capacity;
            size_t *grown = realloc(row_of_key, larger * sizeof *grown);
            if (grown == NULL) {
                status = om__error_set(err, OM_NO_MEMORY, "no memory for %zu rows", larger);
                goto out;
            }
            memset(grown + row_of_key_count, 0, (larger - row_of_key_count) * sizeof *grown);
            row_of_key = grown;
            row_of_key_count = larger;
        }
        if (row_of_key[keys.machine_key] == 0) {
            found[rows->count] = keys;
            row_of_key[keys.machine_key] = ++rows->count;
        }
        members[count++] = (member){row_of_key[keys.machine_key] - 1, record, i};
    }
    qsort(members, count, sizeof *members, compare_members);
    for (size_t begin = 0; begin < count;) {
        size_t end = begin + 1, row = members[begin].row;
        while (end < count && members[end].row == row)
            end++;
        fill_row(m, members + begin, end - begin, rows->launches + used, &found[row]);
        used += found[row].launch_count;
        begin = end;
    }
out:
    free(members);
    free(row_of_key);
    return status;
}

/* Rows of `rows` by one of their key numbers: index + 1, 0 none; `twice` where it is not unique. */
typedef struct finder {
    size_t *row;
    bool *twice;
} finder;

static om_status find_by(const om_side_rows *rows, size_t key_count, size_t offset, finder *f,
                         om_error *err)
{
    f->row = calloc(key_count + 1, sizeof *f->row);
    f->twice = calloc(key_count + 1, sizeof *f->twice);
    if (f->row == NULL || f->twice == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for %zu rows", rows->count);
    for (size_t i = 0; i < rows->count; i++) {
        if (rows->rows[i].matched)
            continue;
        size_t key = *(const size_t *)((const char *)&rows->rows[i] + offset);
        f->twice[key] = f->twice[key] || f->row[key] != 0;
        f->row[key] = i + 1;
    }
    return OM_OK;
}

/* Matches what is left over by one kind of key, where it is unique on both sides. */
static om_status match_by(om_matching *matching, size_t key_count, size_t offset,
                          const om_match *as, bool works_only, om_error *err)
{
    finder base = {NULL, NULL}, head = {NULL, NULL};
    om_status status = OM_OK;
    OM_TRY_OUT(find_by(&matching->base, key_count, offset, &base, err));
    OM_TRY_OUT(find_by(&matching->head, key_count, offset, &head, err));
    for (size_t i = 0; i < matching->base.count; i++) {
        om_side_row *row = &matching->base.rows[i];
        size_t key = *(const size_t *)((const char *)row + offset);
        if (row->matched || head.row[key] == 0 || base.twice[key] || head.twice[key])
            continue;
        /* foreign benchmarks are nothing but their names */
        const om_record *first = row->launches != NULL ? row->launches[0] : NULL;
        if (works_only && (first == NULL || first->benchmark.op == NULL))
            continue;
        size_t other = head.row[key] - 1;
        row->matched = matching->head.rows[other].matched = true;
        matching->matches[matching->count++] =
            (om_match){i, other, as->renamed, as->machines_differ};
    }
out:
    free(base.row);
    free(base.twice);
    free(head.row);
    free(head.twice);
    return status;
}

static const char *machine_of(const om_side_row *row)
{
    return row->launches != NULL ? row->launches[0]->place.machine_class : NULL;
}

static om_status match_rows(const matcher *m, om_matching *matching, om_error *err)
{
    om_match same = {0}, machines = {.machines_differ = true}, renamed = {.renamed = true};
    om_match loose = {0};
    size_t most = matching->base.count + matching->head.count;
    matching->matches = calloc(most + 1, sizeof *matching->matches);
    if (matching->matches == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for %zu rows", most);
    OM_TRY(match_by(matching, m->machine_keys.count, offsetof(om_side_row, machine_key), &same,
                    false, err));
    OM_TRY(match_by(matching, m->keys.count, offsetof(om_side_row, key), &machines, false, err));
    /* told apart by nothing but a part of the timing contract: not comparable, and said so */
    OM_TRY(match_by(matching, m->loose_keys.count, offsetof(om_side_row, loose_key), &loose, false,
                    err));
    OM_TRY(match_by(matching, m->work_keys.count, offsetof(om_side_row, work_key), &renamed, true,
                    err));
    for (size_t i = 0; i < matching->base.count; i++)
        if (!matching->base.rows[i].matched)
            matching->matches[matching->count++] = (om_match){.base = i, .head = OM_MATCH_NONE};
    for (size_t i = 0; i < matching->head.count; i++)
        if (!matching->head.rows[i].matched)
            matching->matches[matching->count++] = (om_match){.base = OM_MATCH_NONE, .head = i};
    for (size_t i = 0; i < matching->count; i++) {
        om_match *match = &matching->matches[i];
        if (match->base != OM_MATCH_NONE && match->head != OM_MATCH_NONE && !match->machines_differ)
            match->machines_differ =
                compare_texts(machine_of(&matching->base.rows[match->base]),
                              machine_of(&matching->head.rows[match->head])) != 0 &&
                !matching->machine_ignored;
    }
    return OM_OK;
}

/* Two machines that were both guessed from folder names and have none in common. */
static bool machines_are_guesses(const om_side *base, const om_side *head)
{
    if (!base->machine_guessed || !head->machine_guessed || base->set.count == 0 ||
        head->set.count == 0)
        return false;
    return compare_texts(base->set.items[0].place.machine_class,
                         head->set.items[0].place.machine_class) != 0;
}

om_status om__matching_init(const om_side *base, const om_side *head,
                            const om_compare_options *options, om_matching *matching, om_error *err)
{
    om_status status = OM_OK;
    matcher m = {.options = options, .matching = matching};
    *matching = (om_matching){.machine_ignored = machines_are_guesses(base, head)};
    OM_TRY_OUT(read_side(&m, base, 0, &matching->base, err));
    OM_TRY_OUT(read_side(&m, head, 1, &matching->head, err));
    OM_TRY_OUT(match_rows(&m, matching, err));
out:
    om__numbering_release(&m.works);
    om__numbering_release(&m.names);
    om__numbering_release(&m.keys);
    om__numbering_release(&m.machine_keys);
    om__numbering_release(&m.loose_keys);
    om__numbering_release(&m.work_keys);
    om__numbering_release(&m.devices);
    om__text_release(&m.text);
    om__text_release(&m.device);
    if (status != OM_OK)
        om__matching_release(matching);
    return status;
}

void om__matching_release(om_matching *matching)
{
    if (matching == NULL)
        return;
    free(matching->base.rows);
    free(matching->base.launches);
    free(matching->head.rows);
    free(matching->head.launches);
    free(matching->matches);
    *matching = (om_matching){0};
}
