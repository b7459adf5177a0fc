/* SPDX-License-Identifier: Apache-2.0 */
/* summary.c: what the cells of a comparison add up to, and the worst first. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "compare/identity.h"
#include "compare/numbering.h"
#include "compare/verdict.h"
#include "stats/quantile.h"

static const char *text_of(const char *text)
{
    return text != NULL ? text : "";
}

/* ---- suites ---- */

typedef struct suite_ratio {
    size_t suite;
    double ratio;
} suite_ratio;

static int compare_ratios(const void *left, const void *right)
{
    const suite_ratio *a = left, *b = right;
    if (a->suite != b->suite)
        return a->suite < b->suite ? -1 : 1;
    return (a->ratio > b->ratio) - (a->ratio < b->ratio);
}

static om_status add_suite(om_comparison *comparison, size_t number, const om_cell *cell,
                           om_error *err)
{
    om_suite_summary *grown = realloc(comparison->suites, (number + 1) * sizeof *grown);
    if (grown == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for suites");
    comparison->suites = grown;
    comparison->suite_count = number + 1;
    grown[number] = (om_suite_summary){
        .machine = cell->machine, .suite = cell->suite, .median = NAN, .low = NAN, .high = NAN};
    return OM_OK;
}

static om_status summarise_suites(om_comparison *comparison, om_error *err)
{
    om_status status = OM_OK;
    om_numbering numbers = {0}, cases = {0};
    om_text key = {0};
    size_t count = 0;
    suite_ratio *ratios = malloc((comparison->cell_count + 1) * sizeof *ratios);
    double *sorted = malloc((comparison->cell_count + 1) * sizeof *sorted);
    if (ratios == NULL || sorted == NULL) {
        status = om__error_set(err, OM_NO_MEMORY, "no memory for %zu rows", comparison->cell_count);
        goto out;
    }
    for (size_t i = 0; i < comparison->cell_count; i++) {
        const om_cell *cell = &comparison->cells[i];
        size_t number, unused;
        bool fresh;
        om__text_clear(&key);
        om__identity_add(&key, cell->machine);
        om__identity_add(&key, cell->suite);
        OM_TRY_OUT(om__text_check(&key, err));
        OM_TRY_OUT(om__numbering_add(&numbers, key.data, key.size, &number, &fresh, err));
        if (fresh)
            OM_TRY_OUT(add_suite(comparison, number, cell, err));
        om__identity_add(&key, cell->name);
        om__identity_add(&key, cell->params);
        OM_TRY_OUT(om__text_check(&key, err));
        OM_TRY_OUT(om__numbering_add(&cases, key.data, key.size, &unused, &fresh, err));
        comparison->suites[number].cases += fresh;
        comparison->suites[number].cells++;
        comparison->suites[number].counts[cell->verdict]++;
        if (!isnan(cell->ratio))
            ratios[count++] = (suite_ratio){number, cell->ratio};
    }
    qsort(ratios, count, sizeof *ratios, compare_ratios);
    for (size_t begin = 0; begin < count;) {
        size_t end = begin;
        for (; end < count && ratios[end].suite == ratios[begin].suite; end++)
            sorted[end - begin] = ratios[end].ratio;
        om_suite_summary *suite = &comparison->suites[ratios[begin].suite];
        suite->compared = end - begin;
        suite->median = om__stats_median_sorted(sorted, end - begin);
        suite->low = sorted[0];
        suite->high = sorted[end - begin - 1];
        begin = end;
    }
out:
    free(ratios);
    free(sorted);
    om__numbering_release(&numbers);
    om__numbering_release(&cases);
    om__text_release(&key);
    return status;
}

/* ---- twins ---- */

/* Smallest and largest value of a group on each side, and whether it has a second name. */
typedef struct group {
    double low[2], high[2];
    const char *name;
    bool several;
} group;

static om_status work_key(const om_cell *cell, bool shape_only, om_text *key, om_error *err)
{
    const om_record *record = cell->base != NULL ? cell->base : cell->head;
    om__text_clear(key);
    om__identity_add(key, cell->op);
    om__identity_add(key, cell->dtype);
    OM_TRY(om__identity_add_params(key, &record->benchmark.params, err));
    if (!shape_only) {
        om__identity_add(key, cell->machine);
        om__identity_add(key, record->place.device);
        om__identity_add(key, record->method.cache);
        om__identity_add(key, cell->pass);
        om__identity_add(key, cell->provider);
        om__identity_add(key, cell->metric);
    }
    return om__text_check(key, err);
}

static void gather(group *g, const om_cell *cell)
{
    double values[2] = {cell->base_value, cell->new_value};
    g->several = g->several || strcmp(g->name, cell->name) != 0;
    for (int side = 0; side < 2; side++) {
        if (!(values[side] > 0))
            continue;
        g->low[side] = fmin(g->low[side], values[side]);
        g->high[side] = fmax(g->high[side], values[side]);
    }
}

/* How far the values of one group lie apart, over all groups of several names. */
static void read_spread(const group *groups, size_t count, int side, double *sorted, double *median,
                        double *worst)
{
    size_t used = 0;
    for (size_t i = 0; i < count; i++)
        if (groups[i].several && groups[i].high[side] > 0)
            sorted[used++] = groups[i].high[side] / groups[i].low[side] - 1;
    om__stats_sort(sorted, used);
    *median = om__stats_median_sorted(sorted, used);
    *worst = used > 0 ? sorted[used - 1] : NAN;
}

/* Only what states its operator has a structure by which the work can be known as the same. */
static om_status find_twins(om_comparison *comparison, om_error *err)
{
    om_status status = OM_OK;
    om_numbering works = {0}, shapes = {0};
    om_text key = {0};
    size_t count = comparison->cell_count;
    size_t *number = malloc((count + 1) * sizeof *number);
    group *groups = calloc(count + 1, sizeof *groups);
    double *sorted = malloc((count + 1) * sizeof *sorted);
    if (number == NULL || groups == NULL || sorted == NULL) {
        status = om__error_set(err, OM_NO_MEMORY, "no memory for %zu rows", count);
        goto out;
    }
    for (size_t i = 0; i < count; i++) {
        const om_cell *cell = &comparison->cells[i];
        bool fresh;
        if (cell->op[0] == '\0')
            continue;
        OM_TRY_OUT(work_key(cell, false, &key, err));
        OM_TRY_OUT(om__numbering_add(&works, key.data, key.size, &number[i], &fresh, err));
        group *g = &groups[number[i]];
        if (fresh)
            *g = (group){{INFINITY, INFINITY}, {0, 0}, cell->name, false};
        gather(g, cell);
    }
    for (size_t i = 0; i < works.count; i++)
        comparison->twins.groups += groups[i].several;
    for (size_t i = 0; i < count; i++) {
        om_cell *cell = &comparison->cells[i];
        size_t shape;
        if (cell->op[0] == '\0' || !groups[number[i]].several)
            continue;
        cell->twin = number[i] + 1;
        OM_TRY_OUT(work_key(cell, true, &key, err));
        OM_TRY_OUT(om__numbering_add(&shapes, key.data, key.size, &shape, NULL, err));
    }
    comparison->twins.shapes = shapes.count;
    read_spread(groups, works.count, 0, sorted, &comparison->twins.base_median,
                &comparison->twins.base_worst);
    read_spread(groups, works.count, 1, sorted, &comparison->twins.new_median,
                &comparison->twins.new_worst);
out:
    om__numbering_release(&works);
    om__numbering_release(&shapes);
    om__text_release(&key);
    free(number);
    free(groups);
    free(sorted);
    return status;
}

/* ---- notes ---- */

/* Settings that differ between two rows of one machine class: a warning with the first of them. */
static om_status note_settings(om_comparison *comparison, const om_cell *cell, om_error *err)
{
    const om_pairs *base = &cell->base->place.settings, *head = &cell->head->place.settings;
    for (size_t i = 0; i < base->count; i++) {
        const char *other = om__pairs_find(head, base->items[i].key);
        if (other != NULL && strcmp(other, base->items[i].value) != 0)
            OM_TRY(om__comparison_note(comparison, err, "%s: %s differs: %s against %s",
                                       cell->machine, base->items[i].key, base->items[i].value,
                                       other));
    }
    const char *left = cell->base->place.instance, *right = cell->head->place.instance;
    if (left != NULL && right != NULL && strcmp(left, right) != 0)
        OM_TRY(om__comparison_note(comparison, err,
                                   "%s: two instances of one machine class: %s and %s",
                                   cell->machine, left, right));
    return OM_OK;
}

static om_status note_side(om_comparison *comparison, const om_side *side, om_error *err)
{
    const om_record_set *set = &side->set;
    if (set->incomplete)
        OM_TRY(om__comparison_note(comparison, err, "%s: the run is incomplete", side->label));
    if (set->skipped > 0)
        OM_TRY(om__comparison_note(comparison, err, "%s: %zu lines were skipped", side->label,
                                   set->skipped));
    for (size_t i = 0; i < set->warnings.count && i < 5; i++)
        OM_TRY(om__comparison_note(comparison, err, "%s: %s", set->warnings.items[i].key,
                                   set->warnings.items[i].value));
    return OM_OK;
}

/* A case that vanished beside one that appeared with the same parameters or the same name. */
static om_status note_renames(om_comparison *comparison, om_error *err)
{
    size_t said = 0, looked = 0;
    for (size_t i = 0; i < comparison->cell_count && said < 5 && looked < 50; i++) {
        const om_cell *gone = &comparison->cells[i];
        if (gone->verdict != OM_VERDICT_MISSING)
            continue;
        looked++;
        for (size_t k = 0; k < comparison->cell_count; k++) {
            const om_cell *come = &comparison->cells[k];
            if (come->verdict != OM_VERDICT_NEW || strcmp(come->metric, gone->metric) != 0 ||
                strcmp(come->provider, gone->provider) != 0)
                continue;
            bool name = strcmp(come->name, gone->name) == 0;
            bool params = gone->params[0] != '\0' && strcmp(come->params, gone->params) == 0;
            if (!name && !params)
                continue;
            OM_TRY(om__comparison_note(comparison, err,
                                       "probably renamed: %s %s is missing and %s %s is new; an "
                                       "alias file can say so",
                                       gone->name, gone->params, come->name, come->params));
            said++;
            break;
        }
    }
    return OM_OK;
}

/* Whether one name of a commit is the beginning of the other. */
static bool is_same_commit(const char *a, const char *b)
{
    size_t size = strlen(a) < strlen(b) ? strlen(a) : strlen(b);
    return size > 0 && strncmp(a, b, size) == 0;
}

static const char *plural(size_t count)
{
    return count == 1 ? "" : "s";
}

/* A base that is not where the new side branched off brings the work of others into the ratios. */
static om_status note_history(const om_compare_work *work, const om_history *h, om_error *err)
{
    const char *stated = work->options->merge_base;
    const char *shallow = h->shallow ? " (as far as this shallow clone knows)" : "";
    if (h->base_only > 0)
        OM_TRY(om__comparison_note(work->comparison, err,
                                   "base has %zu commit%s the PR lacks, and the PR has %zu of its "
                                   "own%s: what they change is in the ratios; the base to measure "
                                   "is their merge base %.12s",
                                   h->base_only, plural(h->base_only), h->new_only, shallow,
                                   h->merge_base));
    else if (h->head_is_merge && !h->base_is_parent)
        OM_TRY(om__comparison_note(
            work->comparison, err,
            "the new side is a merge and base is none of its parents: the PR has %zu commit%s that "
            "base lacks%s, some may be of the target branch; the base of a test merge is its first "
            "parent %.12s",
            h->new_only, plural(h->new_only), shallow, h->first_parent));
    if (stated != NULL && !is_same_commit(stated, h->merge_base))
        OM_TRY(om__comparison_note(work->comparison, err,
                                   "git finds the merge base %.12s, not %.60s as stated",
                                   h->merge_base, stated));
    return OM_OK;
}

static om_status note_commits(const om_compare_work *work, om_error *err)
{
    const om_history *history = work->options->history;
    const char *merge_base = work->options->merge_base;
    const char *commit =
        history != NULL && history->base != NULL ? history->base : om__side_commit(work->base);
    if (history != NULL && history->known)
        return note_history(work, history, err);
    if (history != NULL)
        OM_TRY(om__comparison_note(work->comparison, err,
                                   "how the two commits are related is not known: %s",
                                   history->skipped));
    if (merge_base == NULL)
        return OM_OK;
    if (commit == NULL)
        return om__comparison_note(work->comparison, err,
                                   "the base records state no commit: they cannot be checked "
                                   "against the merge base %s",
                                   merge_base);
    if (!is_same_commit(commit, merge_base))
        return om__comparison_note(work->comparison, err,
                                   "base %s is not the merge base %s of the new side: it may have "
                                   "commits that the new side lacks",
                                   commit, merge_base);
    return OM_OK;
}

/* Two sides far apart in kind: one note a difference, so a hundred thousand rows are enough to look
 * at through the first few hundred. */
#define OM_SUMMARY_LOOKED_AT 500

/* Of two machine classes everything may differ. */
static bool is_of_two_machines(const om_compare_work *work, const om_cell *cell)
{
    return !work->matching.machine_ignored && strcmp(text_of(cell->base->place.machine_class),
                                                     text_of(cell->head->place.machine_class)) != 0;
}

static om_status write_notes(om_compare_work *work, om_error *err)
{
    om_comparison *comparison = work->comparison;
    size_t looked = 0;
    for (size_t i = 0; i < comparison->cell_count && looked < OM_SUMMARY_LOOKED_AT; i++) {
        const om_cell *cell = &comparison->cells[i];
        if (cell->base == NULL || cell->head == NULL || is_of_two_machines(work, cell))
            continue;
        looked++;
        OM_TRY(note_settings(comparison, cell, err));
    }
    if (work->matching.machine_ignored)
        OM_TRY(om__comparison_note(comparison, err,
                                   "the machine is not stated and taken to be the same: say "
                                   "--machine NAME (the folders are called %s and %s)",
                                   text_of(work->base->set.items[0].place.machine_class),
                                   text_of(work->head->set.items[0].place.machine_class)));
    OM_TRY(note_side(comparison, work->base, err));
    OM_TRY(note_side(comparison, work->head, err));
    OM_TRY(note_commits(work, err));
    return note_renames(comparison, err);
}

/* ---- order and counts ---- */

static int severity(const om_cell *cell)
{
    if (cell->new_failed)
        return 1;
    switch (cell->verdict) {
    case OM_VERDICT_SLOWER:
        return 0;
    case OM_VERDICT_MISSING:
        return 2;
    case OM_VERDICT_UNCLEAR:
        return cell->alone == OM_VERDICT_SLOWER ? 3 : 4;
    case OM_VERDICT_NO_VALUE:
        return 5;
    case OM_VERDICT_NOT_COMPARABLE:
        return 6;
    case OM_VERDICT_SAME:
        return 7;
    case OM_VERDICT_NEW:
        return 8;
    default:
        return 9;
    }
}

static int compare_cells(const void *left, const void *right)
{
    const om_cell *a = left, *b = right;
    int order = severity(a) - severity(b);
    if (order != 0)
        return order;
    double low = isnan(a->ratio) ? INFINITY : a->ratio,
           high = isnan(b->ratio) ? INFINITY : b->ratio;
    if (low != high)
        return low < high ? -1 : 1;
    order = strcmp(a->suite, b->suite);
    if (order == 0)
        order = strcmp(a->name, b->name);
    if (order == 0)
        order = strcmp(a->params, b->params);
    if (order == 0)
        order = strcmp(a->metric, b->metric);
    if (order == 0)
        order = strcmp(a->provider, b->provider);
    return order != 0 ? order : strcmp(a->machine, b->machine);
}

om_status om__cells_summarise(om_compare_work *work, om_error *err)
{
    om_comparison *comparison = work->comparison;
    for (size_t i = 0; i < comparison->cell_count; i++) {
        const om_cell *cell = &comparison->cells[i];
        comparison->counts[cell->verdict]++;
        comparison->sections[cell->section].counts[cell->verdict]++;
        comparison->compared += !isnan(cell->ratio);
    }
    for (size_t s = 0; s < comparison->section_count; s++) {
        const om_section *section = &comparison->sections[s];
        comparison->suspect_sections +=
            section->all_moved || section->one_sided || section->dependent;
    }
    OM_TRY(summarise_suites(comparison, err));
    OM_TRY(find_twins(comparison, err));
    OM_TRY(write_notes(work, err));
    if (comparison->cell_count > 1)
        qsort(comparison->cells, comparison->cell_count, sizeof *comparison->cells, compare_cells);
    return OM_OK;
}
