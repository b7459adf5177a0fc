/* SPDX-License-Identifier: Apache-2.0 */
/* verdict.c: sections of a comparison, and the verdicts of their cells. */
#include "compare/verdict.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "compare/identity.h"
#include "compare/numbering.h"
#include "compare/turns.h"
#include "compare/units.h"
#include "stats/quantile.h"
#include "stats/samples.h"
#include "stats/stored.h"

static const char *text_of(const char *text)
{
    return text != NULL ? text : "";
}

/* ---- sections ---- */

static om_status find_section(om_compare_work *work, om_numbering *numbers, size_t at,
                              om_error *err)
{
    om_comparison *comparison = work->comparison;
    om_cell *cell = &comparison->cells[at];
    const om_record *base = cell->base, *head = cell->head;
    const om_record *any = base != NULL ? base : head;
    char device[32];
    snprintf(device, sizeof device, "%.*s", (int)strcspn(text_of(any->place.device), ":"),
             text_of(any->place.device));
    /* rows of one side alone belong to whatever section their machine has */
    bool pair = base != NULL && head != NULL && !work->options->all_runs;
    om_text key = {0};
    om__identity_add(&key, cell->machine);
    om__identity_add(&key, device);
    om__identity_add(&key, pair ? base->when.run : NULL);
    om__identity_add(&key, pair ? head->when.run : NULL);
    om_status status = om__text_check(&key, err);
    bool fresh = false;
    if (status == OM_OK)
        status = om__numbering_add(numbers, key.data, key.size, &cell->section, &fresh, err);
    om__text_release(&key);
    OM_TRY(status);
    if (fresh) {
        om_section *grown =
            realloc(comparison->sections, numbers->count * sizeof *comparison->sections);
        if (grown == NULL)
            return om__error_set(err, OM_NO_MEMORY, "no memory for sections");
        comparison->sections = grown;
        comparison->section_count = numbers->count;
        om_section *section = &grown[cell->section];
        *section = (om_section){.machine = cell->machine,
                                .shift_p = 1,
                                .visible_median = NAN,
                                .visible_90 = NAN,
                                .seen = NAN};
        section->device = om__pool_keep(work->pool, device, strlen(device));
        section->base_run = pair ? text_of(base->when.run) : "";
        section->new_run = pair ? text_of(head->when.run) : "";
        if (section->device == NULL)
            return om__error_set(err, OM_NO_MEMORY, "no memory for sections");
    }
    comparison->sections[cell->section].cells++;
    return OM_OK;
}

/* ---- by launches ---- */

/* The launches of one side of a section: columns of its matrix. */
typedef struct columns {
    om_numbering launches; /* by started, run, launch */
    const om_record **first;
    size_t *place; /* of each in order of start */
    size_t count;
} columns;

static om_status launch_key(const om_record *record, om_text *key, om_error *err)
{
    om__text_clear(key);
    om__identity_add(key, record->when.run);
    om__text_addf(key, "%d", record->when.launch);
    return om__text_check(key, err);
}

static om_status add_launches(columns *c, const om_side_row *row, om_text *key, om_error *err)
{
    for (size_t l = 0; l < row->launch_count; l++) {
        size_t number;
        bool fresh;
        OM_TRY(launch_key(row->launches[l], key, err));
        OM_TRY(om__numbering_add(&c->launches, key->data, key->size, &number, &fresh, err));
        if (fresh) {
            const om_record **grown = realloc(c->first, c->launches.count * sizeof *grown);
            if (grown == NULL)
                return om__error_set(err, OM_NO_MEMORY, "no memory for launches");
            c->first = grown;
            grown[number] = row->launches[l];
        } else if (strcmp(text_of(row->launches[l]->when.started),
                          text_of(c->first[number]->when.started)) < 0) {
            c->first[number] = row->launches[l]; /* a launch starts with its first row */
        }
    }
    return OM_OK;
}

typedef struct start {
    const om_record *record;
    size_t number;
} start;

static int compare_starts(const void *left, const void *right)
{
    const start *a = left, *b = right;
    int order = strcmp(text_of(a->record->when.started), text_of(b->record->when.started));
    if (order != 0)
        return order;
    return (a->number > b->number) - (a->number < b->number); /* file order without times */
}

static om_status order_launches(columns *c, om_error *err)
{
    c->count = c->launches.count;
    start *starts = malloc((c->count + 1) * sizeof *starts);
    c->place = malloc((c->count + 1) * sizeof *c->place);
    if (starts == NULL || c->place == NULL) {
        free(starts);
        return om__error_set(err, OM_NO_MEMORY, "no memory for %zu launches", c->count);
    }
    for (size_t i = 0; i < c->count; i++)
        starts[i] = (start){c->first[i], i};
    qsort(starts, c->count, sizeof *starts, compare_starts);
    for (size_t i = 0; i < c->count; i++)
        c->place[starts[i].number] = i;
    free(starts);
    return OM_OK;
}

static void release_columns(columns *c)
{
    om__numbering_release(&c->launches);
    free(c->first);
    free(c->place);
}

/* One section at work. */
typedef struct judging {
    om_compare_work *work;
    om_section *section;
    size_t *cells, count; /* those to be judged */
    columns sides[2];
    om_judged_setup *setup;
    double *y, *scratch;
    om_text key;
} judging;

/* ln of the time in ns, or of the value with the sign that makes smaller better. */
static double log_value(const om_cell *cell, double value)
{
    double to_ms;
    if (!(value > 0))
        return NAN;
    if (om__unit_is_time(cell->unit, &to_ms))
        value *= to_ms * 1e6;
    return cell->base->metric.better == OM_BETTER_HIGHER ? -log(value) : log(value);
}

static om_status fill_matrix(judging *j, om_error *err)
{
    size_t base = j->sides[0].count, launches = base + j->sides[1].count;
    for (size_t i = 0; i < j->count * launches; i++)
        j->y[i] = NAN;
    for (size_t i = 0; i < j->count; i++) {
        size_t at = j->cells[i];
        const om_cell *cell = &j->work->comparison->cells[at];
        for (int side = 0; side < 2; side++) {
            const om_side_row *row = side == 0 ? j->work->base_rows[at] : j->work->new_rows[at];
            double factor = side == 0 ? 1.0 : j->work->factor[at];
            for (size_t l = 0; l < row->launch_count; l++) {
                size_t number = 0;
                if (row->launches[l]->outcome != OM_OUTCOME_OK)
                    continue; /* a lost launch */
                OM_TRY(launch_key(row->launches[l], &j->key, err));
                if (!om__numbering_find(&j->sides[side].launches, j->key.data, j->key.size,
                                        &number))
                    continue;
                size_t column = j->sides[side].place[number] + (side == 0 ? 0 : base);
                j->y[i * launches + column] =
                    log_value(cell, factor * om__record_value(row->launches[l], j->scratch));
            }
        }
    }
    return OM_OK;
}

static void set_limits(const om_compare_work *work, const om_cell *cell, om_judged_setup *setup)
{
    double floor = work->options->floor > 0 ? work->options->floor : OM_JUDGED_FLOOR;
    double tolerance =
        work->options->tolerance > 0 ? work->options->tolerance : OM_JUDGED_TOLERANCE;
    double to_ms;
    om__policy_floor(work->options->policy, cell, &floor, &tolerance);
    setup->floor = floor;
    setup->tolerance = tolerance;
    setup->tick = 0;
    if (!om__unit_is_time(cell->unit, &to_ms))
        return;
    const om_record *records[2] = {cell->base, cell->head};
    for (int side = 0; side < 2; side++) {
        double inner = records[side]->method.inner > 0 ? (double)records[side]->method.inner : 1;
        setup->tick = fmax(setup->tick, records[side]->method.tick_ns / inner);
    }
}

static om_status say_doubt(om_cell *cell, const om_section *section, double tolerance,
                           om_error *err)
{
    double percent = 100 * tolerance;
    switch (cell->doubt) {
    case OM_DOUBT_NONE:
        return OM_OK;
    case OM_DOUBT_WIDE:
        if (isnan(cell->visible))
            return om__cell_reason(cell, err,
                                   "the interval is wider than ±%.3g %%; %zu launches a side are "
                                   "needed for a verdict",
                                   percent, section->launches_needed);
        return om__cell_reason(cell, err,
                               "the interval is wider than ±%.3g %%; a change below %.2g %% could "
                               "not be seen",
                               percent, 100 * cell->visible);
    case OM_DOUBT_RESOLUTION:
        return om__cell_reason(
            cell, err, "the clock's tick is as large as ±%.3g %%: use inner loops", percent);
    case OM_DOUBT_FEW_LAUNCHES:
        return om__cell_reason(cell, err,
                               "%zu against %zu launches: one launch a side decides nothing",
                               cell->base_launches, cell->new_launches);
    case OM_DOUBT_LOST_LAUNCHES:
        return om__cell_reason(cell, err, "over one launch in five was lost");
    case OM_DOUBT_SHIFT:
        return om__cell_reason(
            cell, err, "the common shift of all rows is not known inside ±%.3g %%", percent);
    case OM_DOUBT_ALL_MOVED:
        return om__cell_reason(cell, err, "suspect: all rows moved by %s",
                               om__shift_format(section->shift, (char[OM_SHIFT_SIZE]){0}));
    case OM_DOUBT_ONE_SIDED:
        return om__cell_reason(cell, err,
                               "suspect: %s, but alarms fall on one side over many "
                               "operators",
                               om__verdict_name(cell->alone));
    case OM_DOUBT_DEPENDENT:
        return om__cell_reason(cell, err, "suspect: launches depend on each other (r = %.2f)",
                               section->correlation);
    case OM_DOUBT_DROPPED:
        return om__cell_reason(cell, err, "more suspicious rows than the second look may run");
    case OM_DOUBT_CONTROL:
        return om__cell_reason(cell, err,
                               "suspect: %s, but base against itself alarmed in %zu rows as well",
                               om__verdict_name(cell->alone), section->control_alarms);
    case OM_DOUBT_UNFINISHED:
        return om__cell_reason(cell, err, "the first look was not finished");
    default:
        return om__cell_reason(cell, err, "suspect");
    }
}

/* What a judgement says of each row of a section; low and high are those of rows without an alarm.
 */
static om_status copy_verdicts(judging *j, const om_judged_row *rows, const double *low,
                               const double *high, om_error *err)
{
    for (size_t i = 0; i < j->count; i++) {
        om_cell *cell = &j->work->comparison->cells[j->cells[i]];
        const om_judged_row *row = &rows[i];
        bool alarm = row->verdict == OM_VERDICT_SLOWER || row->verdict == OM_VERDICT_FASTER;
        double from = alarm || low == NULL ? row->low : low[i];
        double to = alarm || high == NULL ? row->high : high[i];
        cell->alone = row->verdict;
        cell->verdict = row->shown;
        cell->doubt = row->doubt;
        cell->modes = row->modes;
        cell->visible = isnan(row->visible) ? NAN : expm1(row->visible);
        if (!isinf(from) && !isinf(to) && !isnan(from)) {
            cell->ratio_low = exp(-to);
            cell->ratio_high = exp(-from);
        }
        if (cell->verdict == OM_VERDICT_UNCLEAR)
            OM_TRY(say_doubt(cell, j->section, j->setup[i].tolerance, err));
    }
    return OM_OK;
}

/* The smallest visible changes of a section's rows. */
static void copy_visible(judging *j, const om_judged_row *rows)
{
    size_t count = 0;
    for (size_t i = 0; i < j->count; i++)
        if (!isnan(rows[i].visible))
            j->scratch[count++] = expm1(rows[i].visible);
    om__stats_sort(j->scratch, count);
    j->section->visible_median = om__stats_median_sorted(j->scratch, count);
    j->section->visible_90 = om__stats_quantile_sorted(j->scratch, count, 0.9);
}

static void copy_section(judging *j, const om_stored *stored)
{
    om_section *section = j->section;
    section->judged = !stored->few_launches;
    section->shift = stored->shift;
    section->shift_p = stored->shift_p;
    section->correlation = stored->guard.correlation;
    section->seen = stored->guard.seen;
    section->all_moved = stored->all_moved;
    section->one_sided = stored->one_sided;
    section->dependent = stored->dependent;
    section->cannot_tell_dependence = section->judged && stored->guard.seen > 0.05;
    section->launches_needed = stored->launches_needed;
    copy_visible(j, stored->rows);
}

static om_status number_ops(judging *j, om_error *err)
{
    om_numbering ops = {0};
    om_status status = OM_OK;
    for (size_t i = 0; i < j->count && status == OM_OK; i++) {
        const om_cell *cell = &j->work->comparison->cells[j->cells[i]];
        const char *op = cell->op[0] != '\0' ? cell->op : cell->suite;
        status = om__numbering_add(&ops, op, strlen(op), &j->setup[i].op, NULL, err);
    }
    om__numbering_release(&ops);
    return status;
}

static om_status judge_apart(judging *j, size_t launches, om_error *err)
{
    om_stored stored = {0};
    OM_TRY(om__stored_judge(j->y, j->count, launches, j->sides[0].count, j->setup, &stored, err));
    copy_section(j, &stored);
    om_status status = copy_verdicts(j, stored.rows, stored.final_low, stored.final_high, err);
    om__stored_release(&stored);
    return status;
}

static void copy_turns(judging *j, const om_turns *turns)
{
    om_section *section = j->section;
    section->judged = !turns->unfinished;
    section->in_turns = true;
    section->control = turns->control;
    section->control_alarms = turns->report.control_alarms;
    section->shift = turns->report.shift;
    section->shift_p = turns->report.shift_p;
    section->all_moved = turns->report.all_moved;
    section->one_sided = turns->report.one_sided;
    section->due = turns->due_count;
    section->next_look = turns->next_look;
    for (size_t i = 0; i < j->count; i++) {
        om_cell *cell = &j->work->comparison->cells[j->cells[i]];
        cell->due = turns->due[i];
        if (turns->unfinished) {
            cell->alone = cell->verdict = OM_VERDICT_UNCLEAR;
            cell->doubt = OM_DOUBT_UNFINISHED;
        }
    }
}

static om_status judge_turns(judging *j, size_t launches, om_error *err)
{
    om_status status = OM_OK;
    om_turns turns = {0};
    const om_record **firsts = malloc((launches + 1) * sizeof *firsts);
    if (firsts == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for %zu launches", launches);
    for (int side = 0; side < 2; side++)
        for (size_t i = 0; i < j->sides[side].count; i++)
            firsts[j->sides[side].place[i] + (side == 0 ? 0 : j->sides[0].count)] =
                j->sides[side].first[i];
    OM_TRY_OUT(om__turns_judge(firsts, launches, j->y, j->count, j->setup, &turns, err));
    copy_turns(j, &turns);
    if (turns.unfinished) {
        for (size_t i = 0; i < j->count && status == OM_OK; i++)
            status = say_doubt(&j->work->comparison->cells[j->cells[i]], j->section, 0, err);
        goto out;
    }
    copy_visible(j, turns.report.rows);
    OM_TRY_OUT(copy_verdicts(j, turns.report.rows, NULL, NULL, err));
out:
    om__turns_release(&turns);
    free(firsts);
    return status;
}

static om_status judge_launches(judging *j, om_error *err)
{
    const om_cell *any = &j->work->comparison->cells[j->cells[0]];
    for (size_t i = 0; i < j->count; i++) {
        OM_TRY(add_launches(&j->sides[0], j->work->base_rows[j->cells[i]], &j->key, err));
        OM_TRY(add_launches(&j->sides[1], j->work->new_rows[j->cells[i]], &j->key, err));
    }
    OM_TRY(order_launches(&j->sides[0], err));
    OM_TRY(order_launches(&j->sides[1], err));
    size_t launches = j->sides[0].count + j->sides[1].count;
    j->section->base_launches = j->sides[0].count;
    j->section->new_launches = j->sides[1].count;
    j->y = malloc((j->count * launches + 1) * sizeof *j->y);
    if (j->y == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for %zu launches", launches);
    OM_TRY(fill_matrix(j, err));
    return om__turns_are(any->base, any->head) ? judge_turns(j, launches, err)
                                               : judge_apart(j, launches, err);
}

/* ---- by samples, by threshold ---- */

/* The valid samples of a row, as logarithms. */
static size_t log_samples(const om_cell *cell, const om_side_row *row, double factor, double *to)
{
    size_t count = 0;
    for (size_t l = 0; l < row->launch_count; l++)
        for (size_t i = 0; i < row->launches[l]->sample_count; i++) {
            double y = log_value(cell, factor * row->launches[l]->samples[i]);
            if (!isnan(y))
                to[count++] = y;
        }
    return count;
}

static size_t sample_room(const judging *j)
{
    size_t most = 1;
    for (size_t i = 0; i < j->count; i++) {
        const om_cell *cell = &j->work->comparison->cells[j->cells[i]];
        size_t here = cell->base_samples + cell->new_samples;
        most = here > most ? here : most;
    }
    return most;
}

static om_status judge_samples(judging *j, om_error *err)
{
    om_status status = OM_OK;
    double *samples = malloc((sample_room(j) + 1) * sizeof *samples);
    om_judged_row *rows = calloc(j->count + 1, sizeof *rows);
    om_u_memory memory = {0};
    if (samples == NULL || rows == NULL) {
        status = om__error_set(err, OM_NO_MEMORY, "no memory for %zu rows", j->count);
        goto out;
    }
    for (size_t i = 0; i < j->count; i++) {
        size_t at = j->cells[i];
        const om_cell *cell = &j->work->comparison->cells[at];
        size_t n = log_samples(cell, j->work->base_rows[at], 1.0, samples);
        size_t m = log_samples(cell, j->work->new_rows[at], j->work->factor[at], samples + n);
        OM_TRY_OUT(om__samples_test(samples, n, samples + n, m, &memory, &rows[i], err));
    }
    OM_TRY_OUT(om__samples_judge(rows, j->setup, j->count, err));
    for (size_t i = 0; i < j->count; i++) {
        om_cell *cell = &j->work->comparison->cells[j->cells[i]];
        cell->alone = cell->verdict = rows[i].verdict;
        cell->doubt = rows[i].doubt;
        if (!isinf(rows[i].low)) {
            cell->ratio_low = exp(-rows[i].high);
            cell->ratio_high = exp(-rows[i].low);
        }
        if (cell->doubt == OM_DOUBT_FEW_LAUNCHES)
            OM_TRY_OUT(om__cell_reason(cell, err, "%zu against %zu samples: too few",
                                       cell->base_samples, cell->new_samples));
        else if (cell->doubt != OM_DOUBT_NONE)
            OM_TRY_OUT(om__cell_reason(cell, err, "the interval is wider than ±%.3g %%",
                                       100 * j->setup[i].tolerance));
    }
out:
    free(samples);
    free(rows);
    return status;
}

static void judge_threshold(const judging *j)
{
    double least = 1 - j->work->options->threshold;
    for (size_t i = 0; i < j->count; i++) {
        om_cell *cell = &j->work->comparison->cells[j->cells[i]];
        cell->verdict = cell->ratio < least       ? OM_VERDICT_SLOWER
                        : cell->ratio > 1 / least ? OM_VERDICT_FASTER
                                                  : OM_VERDICT_SAME;
        cell->alone = cell->verdict;
    }
}

/* ---- all sections ---- */

static om_status judge_section(judging *j, om_error *err)
{
    size_t longest = j->count + 1;
    for (size_t i = 0; i < j->count; i++) {
        const om_side_row *rows[2] = {j->work->base_rows[j->cells[i]],
                                      j->work->new_rows[j->cells[i]]};
        for (int side = 0; side < 2; side++)
            for (size_t l = 0; l < rows[side]->launch_count; l++)
                if (rows[side]->launches[l]->sample_count > longest)
                    longest = rows[side]->launches[l]->sample_count;
    }
    j->setup = calloc(j->count + 1, sizeof *j->setup);
    j->scratch = malloc(longest * sizeof *j->scratch);
    if (j->setup == NULL || j->scratch == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for %zu rows", j->count);
    for (size_t i = 0; i < j->count; i++)
        set_limits(j->work, &j->work->comparison->cells[j->cells[i]], &j->setup[i]);
    OM_TRY(number_ops(j, err));
    if (j->work->options->threshold > 0) {
        judge_threshold(j);
        return OM_OK;
    }
    return j->work->options->replicate == OM_REPLICATE_SAMPLES ? judge_samples(j, err)
                                                               : judge_launches(j, err);
}

om_status om__cells_judge(om_compare_work *work, om_error *err)
{
    om_status status = OM_OK;
    om_comparison *comparison = work->comparison;
    om_numbering numbers = {0};
    size_t *cells = malloc((comparison->cell_count + 1) * sizeof *cells);
    if (cells == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for %zu rows", comparison->cell_count);
    for (size_t i = 0; i < comparison->cell_count; i++)
        OM_TRY_OUT(find_section(work, &numbers, i, err));
    for (size_t s = 0; s < comparison->section_count; s++) {
        judging j = {.work = work, .section = &comparison->sections[s], .cells = cells};
        for (size_t i = 0; i < comparison->cell_count; i++)
            if (comparison->cells[i].section == s &&
                comparison->cells[i].verdict == OM_VERDICT_NONE)
                cells[j.count++] = i;
        j.section->compared = j.count;
        status = j.count > 0 ? judge_section(&j, err) : OM_OK;
        release_columns(&j.sides[0]);
        release_columns(&j.sides[1]);
        free(j.setup);
        free(j.y);
        free(j.scratch);
        om__text_release(&j.key);
        if (status != OM_OK)
            goto out;
    }
out:
    om__numbering_release(&numbers);
    free(cells);
    return status;
}
