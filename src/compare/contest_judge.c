/* SPDX-License-Identifier: Apache-2.0 */
/* contest_judge.c: the values, ratios, verdicts and order of the rows of a contest. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "compare/contest_state.h"
#include "compare/identity.h"
#include "compare/numbering.h"
#include "compare/units.h"
#include "stats/duel.h"
#include "stats/quantile.h"

#define OM_CONTEST_ROUNDS 10 /* fewer a launch are too few for a launch's own error */

typedef struct judging {
    om_contest *contest;
    double tolerance;
    double *scratch, *d; /* as long as the longest sample list, + 24 */
    size_t *group;       /* of every row: rows of one subject on one device and metric */
    size_t group_count;
    om_duel_launch *launches; /* of all duel rows of a pass */
    om_duel_row *duels;
    size_t duel_count;
} judging;

/* ---- values ---- */

static double launch_median(judging *j, const om_record *record)
{
    size_t count = 0;
    for (size_t i = 0; i < record->sample_count; i++)
        if (!isnan(record->samples[i]))
            j->scratch[count++] = record->samples[i];
    if (count == 0)
        return record->summary.n > 0 ? record->summary.median : NAN;
    om__stats_sort(j->scratch, count);
    return om__stats_median_sorted(j->scratch, count);
}

/* How much an outcome says of the implementation: the most of all launches is the row's. */
static int weight_of(om_outcome outcome)
{
    static const om_outcome order[] = {
        OM_OUTCOME_OK,          OM_OUTCOME_NOT_RUN,    OM_OUTCOME_SKIPPED,
        OM_OUTCOME_UNSUPPORTED, OM_OUTCOME_MISTRUSTED, OM_OUTCOME_ERROR,
        OM_OUTCOME_TIMEOUT,     OM_OUTCOME_CRASHED,    OM_OUTCOME_WRONG};
    int weight = 0;
    while (order[weight] != outcome && order[weight] != OM_OUTCOME_WRONG)
        weight++;
    return weight;
}

static om_status set_outcome(om_contest_row *row, om_error *err)
{
    size_t good = 0;
    const om_record *bad = NULL;
    for (size_t l = 0; l < row->launch_count; l++) {
        const om_record *launch = row->launches[l];
        good += launch->outcome == OM_OUTCOME_OK;
        if (weight_of(launch->outcome) > (bad != NULL ? weight_of(bad->outcome) : 0))
            bad = launch;
    }
    if (bad == NULL)
        return OM_OK;
    om_text reason = {0};
    if (good > 0)
        om__text_addf(&reason, "launch %d: ", bad->when.launch + 1);
    om__text_add(&reason, bad->reason != NULL ? bad->reason : "no reason was given");
    row->outcome = bad->outcome;
    row->reason = reason.data;
    return om__text_check(&reason, err);
}

static void set_value(judging *j, om_contest_row *row)
{
    double *medians = j->d;
    size_t count = 0;
    row->check_error = NAN;
    for (size_t l = 0; l < row->launch_count; l++) {
        const om_record *record = row->launches[l];
        row->sample_count += record->sample_count;
        for (size_t i = 0; i < record->sample_count; i++)
            row->invalid_count += isnan(record->samples[i]);
        row->check_error = fmax(row->check_error, record->check.error);
    }
    row->value = row->value_low = row->value_high = NAN;
    if (row->outcome != OM_OUTCOME_OK)
        return;
    for (size_t l = 0; l < row->launch_count; l++) {
        double median = launch_median(j, row->launches[l]);
        if (!isnan(median))
            medians[count++] = median;
    }
    om__stats_sort(medians, count);
    row->value = om__stats_median_sorted(medians, count);
}

static void set_derived(om_contest_row *row)
{
    double to_ms, first_to_ms;
    row->time_ms = row->ci_low_ms = row->ci_high_ms = row->tflops = row->gbps = NAN;
    row->first_call_ms = NAN;
    if (row->first_call != NULL && row->first_call->outcome == OM_OUTCOME_OK &&
        om__unit_is_time(row->first_call->metric.unit, &first_to_ms)) {
        const om_record *first = row->first_call;
        double value = first->sample_count > 0 ? first->samples[0]
                       : first->summary.n > 0  ? first->summary.median
                                               : NAN;
        row->first_call_ms = value * first_to_ms;
    }
    if (!om__unit_is_time(row->record->metric.unit, &to_ms))
        return;
    row->time_ms = row->value * to_ms;
    row->ci_low_ms = row->value_low * to_ms;
    row->ci_high_ms = row->value_high * to_ms;
    if (!(row->time_ms > 0))
        return;
    if (row->record->work.flops > 0)
        row->tflops = row->record->work.flops / (row->time_ms * 1e9);
    if (row->record->work.bytes > 0)
        row->gbps = row->record->work.bytes / (row->time_ms * 1e6);
}

/* The row's rate over the median over launches of an anchor that the evidence names. */
static double share_of(judging *j, const om_contest_row *row, const char *anchor)
{
    size_t count = 0;
    for (size_t l = 0; l < row->launch_count; l++) {
        const char *text = om__pairs_find(&row->launches[l]->evidence, anchor);
        double gbps = text != NULL ? strtod(text, NULL) : 0;
        if (gbps > 0 && isfinite(gbps))
            j->d[count++] = gbps;
    }
    if (count == 0)
        return NAN;
    om__stats_sort(j->d, count);
    return row->gbps / om__stats_median_sorted(j->d, count);
}

/* ---- duels ---- */

typedef struct grouped {
    size_t group, row;
} grouped;

static int compare_grouped(const void *left, const void *right)
{
    const grouped *a = left, *b = right;
    if (a->group != b->group)
        return a->group < b->group ? -1 : 1;
    return (a->row > b->row) - (a->row < b->row);
}

static om_status number_groups(judging *j, om_error *err)
{
    om_status status = OM_OK;
    om_numbering groups = {0};
    om_text key = {0};
    for (size_t i = 0; i < j->contest->row_count; i++) {
        const om_record *record = j->contest->rows[i].record;
        om__text_clear(&key);
        om__identity_add_subject(&key, record);
        om__identity_add(&key, record->place.machine_class);
        om__identity_add(&key, record->place.device);
        om__identity_add(&key, record->metric.name);
        om__identity_add(&key, record->metric.unit);
        OM_TRY_OUT(om__text_check(&key, err));
        OM_TRY_OUT(om__numbering_add(&groups, key.data, key.size, &j->group[i], NULL, err));
    }
    j->group_count = groups.count;
out:
    om__numbering_release(&groups);
    om__text_release(&key);
    return status;
}

static double tick_of(const om_contest_row *row)
{
    double inner = row->record->method.inner > 0 ? (double)row->record->method.inner : 1.0;
    double to_ms, ns;
    if (!om__unit_is_time(row->record->metric.unit, &to_ms) || !(row->record->method.tick_ns > 0))
        return 0.0;
    ns = row->value * to_ms * 1e6;
    return ns > 0 ? row->record->method.tick_ns / inner / ns : 0.0;
}

/* Judges all duels that stand in j->duels, group by group. */
static om_status judge_groups(judging *j, const grouped *order, om_error *err)
{
    for (size_t begin = 0; begin < j->duel_count;) {
        size_t end = begin + 1;
        while (end < j->duel_count && order[end].group == order[begin].group)
            end++;
        OM_TRY(om__duel_judge(j->duels + begin, end - begin, NULL, NULL, err));
        begin = end;
    }
    return OM_OK;
}

/* The interval of every row's own value: the launches are the unit, as in a duel without rival. */
static om_status set_intervals(judging *j, om_error *err)
{
    om_contest *contest = j->contest;
    grouped *order = malloc((contest->row_count + 1) * sizeof *order);
    size_t used = 0;
    if (order == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for %zu rows", contest->row_count);
    j->duel_count = 0;
    for (size_t i = 0; i < contest->row_count; i++)
        if (contest->rows[i].value > 0)
            order[j->duel_count++] = (grouped){j->group[i], i};
    qsort(order, j->duel_count, sizeof *order, compare_grouped);
    for (size_t k = 0; k < j->duel_count; k++) {
        const om_contest_row *row = &contest->rows[order[k].row];
        om_duel_row *duel = &j->duels[k];
        *duel = (om_duel_row){.launches = j->launches + used};
        for (size_t l = 0; l < row->launch_count; l++) {
            const om_record *record = row->launches[l];
            for (size_t i = 0; i < record->sample_count; i++)
                j->d[i] = record->samples[i] > 0 ? log((double)record->samples[i]) : NAN;
            if (om__duel_launch(j->d, record->sample_count, j->scratch, &j->launches[used])) {
                used++;
                duel->launch_count++;
            }
        }
    }
    om_status status = judge_groups(j, order, err);
    for (size_t k = 0; k < j->duel_count && status == OM_OK; k++) {
        om_contest_row *row = &contest->rows[order[k].row];
        const om_duel_row *duel = &j->duels[k];
        row->one_launch = duel->one_launch;
        if (isinf(duel->low) || isnan(duel->low))
            continue;
        /* the centre is a mean of logarithms, the value a median: keep it inside */
        row->value_low = fmin(exp(duel->low), row->value);
        row->value_high = fmax(exp(duel->high), row->value);
    }
    free(order);
    return status;
}

static bool is_contender(const om_contest_row *row)
{
    return row->record->subject.role == OM_ROLE_OWN ||
           row->record->subject.role == OM_ROLE_PREVIOUS;
}

/* Above 1: `row` is better than `other`. NaN where the metric has no direction. */
static double speed_ratio(const om_contest_row *row, const om_contest_row *other)
{
    om_better better = row->record->metric.better;
    if (better == OM_BETTER_UNKNOWN || !(row->value > 0) || !(other->value > 0))
        return NAN;
    return better == OM_BETTER_LOWER ? other->value / row->value : row->value / other->value;
}

/* The best rows of the case that are no contenders: among competitors, and among the others. */
static void find_rivals(const om_contest *contest, const om_contest_case *one, om_contest_row *row)
{
    for (size_t k = 0; k < one->row_count; k++) {
        const om_contest_row *other = &contest->rows[one->rows[k]];
        if (is_contender(other) || other->outcome != OM_OUTCOME_OK ||
            isnan(speed_ratio(row, other)))
            continue;
        bool competes = other->record->subject.role == OM_ROLE_COMPETITOR;
        size_t *best = competes ? &row->alternative : &row->faster_bystander;
        if (!competes && speed_ratio(row, other) >= 1)
            continue;
        if (*best == OM_CONTEST_NO_ROW ||
            speed_ratio(row, &contest->rows[*best]) > speed_ratio(row, other))
            *best = one->rows[k];
    }
}

static om_status set_note(om_contest_row *row, const char *text, om_error *err)
{
    row->note = om__strdup(text);
    return row->note != NULL ? OM_OK : om__error_set(err, OM_NO_MEMORY, "no memory for a note");
}

/* A row alone because its rivals failed is not one without rivals. */
static om_status tell_failed_rivals(const om_contest *contest, om_contest_row *row, om_error *err)
{
    const om_contest_case *one = &contest->cases[row->case_index];
    om_text text = {0};
    om_status status = OM_OK;
    for (size_t k = 0; k < one->row_count; k++) {
        const om_contest_row *other = &contest->rows[one->rows[k]];
        if (other->record->subject.role == OM_ROLE_COMPETITOR &&
            weight_of(other->outcome) >= weight_of(OM_OUTCOME_MISTRUSTED))
            om__text_addf(&text, "%s%s %s",
                          text.size > 0 ? ", " : "no rival left: ", other->variant_name,
                          om__outcome_name(other->outcome));
    }
    OM_TRY_OUT(om__text_check(&text, err));
    if (text.size > 0)
        OM_TRY_OUT(set_note(row, text.data, err));
out:
    om__text_release(&text);
    return status;
}

/* Adds the launches that both rows ran together; returns whether there was one. */
static bool add_paired_launches(judging *j, const om_contest_row *row, const om_contest_row *rival,
                                om_duel_row *duel, size_t *used)
{
    double sign = row->record->metric.better == OM_BETTER_HIGHER ? -1.0 : 1.0;
    for (size_t l = 0; l < row->launch_count; l++) {
        const om_record *ours = row->launches[l], *theirs = NULL;
        for (size_t r = 0; r < rival->launch_count && theirs == NULL; r++)
            if (rival->launches[r]->when.launch == ours->when.launch)
                theirs = rival->launches[r];
        if (theirs == NULL || strcmp(ours->when.run != NULL ? ours->when.run : "",
                                     theirs->when.run != NULL ? theirs->when.run : "") != 0)
            continue;
        size_t rounds =
            ours->sample_count < theirs->sample_count ? ours->sample_count : theirs->sample_count;
        for (size_t i = 0; i < rounds; i++) {
            double a = ours->samples[i], b = theirs->samples[i];
            j->d[i] = a > 0 && b > 0 ? sign * log(a / b) : NAN;
        }
        if (om__duel_launch(j->d, rounds, j->scratch, &j->launches[*used])) {
            (*used)++;
            duel->launch_count++;
        }
    }
    return duel->launch_count > 0;
}

static om_status read_duel(judging *j, const om_duel_row *duel, om_contest_row *row, om_error *err)
{
    char note[160];
    double band = fmax(j->tolerance, 2 * duel->tick);
    row->verdict = duel->verdict;
    row->one_launch = duel->one_launch;
    row->ratio_low = exp(-duel->high);
    row->ratio_high = exp(-duel->low);
    if (isinf(duel->low))
        row->ratio_low = row->ratio_high = NAN;
    if (row->ratio < row->ratio_low || row->ratio > row->ratio_high) {
        row->verdict = OM_VERDICT_UNCLEAR;
        return set_note(row, "paired rounds and printed times disagree", err);
    }
    if (duel->one_launch)
        return set_note(row, "one launch: the interval is that of its own rounds", err);
    if (row->launches[0]->sample_count < OM_CONTEST_ROUNDS) {
        snprintf(note, sizeof note, "fewer than %d rounds a launch", OM_CONTEST_ROUNDS);
        return set_note(row, note, err);
    }
    if (2 * duel->tick > j->tolerance) {
        snprintf(note, sizeof note, "two ticks of the clock are %.1f %%: the band is that wide",
                 100 * band);
        return set_note(row, note, err);
    }
    return OM_OK;
}

static om_status set_ratios(judging *j, om_error *err)
{
    om_contest *contest = j->contest;
    grouped *order = malloc((contest->row_count + 1) * sizeof *order);
    om_status status = OM_OK;
    size_t used = 0, count = 0;
    if (order == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for %zu rows", contest->row_count);
    for (size_t i = 0; i < contest->row_count; i++) {
        om_contest_row *row = &contest->rows[i];
        row->ratio = row->ratio_low = row->ratio_high = NAN;
        if (!is_contender(row) || row->outcome != OM_OUTCOME_OK)
            continue;
        find_rivals(contest, &contest->cases[row->case_index], row);
        if (row->alternative == OM_CONTEST_NO_ROW) {
            OM_TRY_OUT(tell_failed_rivals(contest, row, err));
            continue;
        }
        row->ratio = speed_ratio(row, &contest->rows[row->alternative]);
        row->verdict = OM_VERDICT_UNCLEAR;
        order[count++] = (grouped){j->group[i] * j->group_count + j->group[row->alternative], i};
    }
    qsort(order, count, sizeof *order, compare_grouped);
    j->duel_count = 0;
    for (size_t k = 0; k < count; k++) {
        om_contest_row *row = &contest->rows[order[k].row];
        const om_contest_row *rival = &contest->rows[row->alternative];
        om_duel_row *duel = &j->duels[j->duel_count];
        *duel = (om_duel_row){.launches = j->launches + used,
                              .tolerance = j->tolerance,
                              .tick = fmax(tick_of(row), tick_of(rival))};
        if (add_paired_launches(j, row, rival, duel, &used))
            order[j->duel_count++] = order[k];
        else
            OM_TRY_OUT(set_note(row, "not measured in the same launches", err));
    }
    OM_TRY_OUT(judge_groups(j, order, err));
    for (size_t k = 0; k < j->duel_count; k++)
        OM_TRY_OUT(read_duel(j, &j->duels[k], &contest->rows[order[k].row], err));
out:
    free(order);
    return status;
}

/* As in a comparison, over one launch in five lost leaves no verdict. */
static bool is_short_of_launches(const om_contest_row *row)
{
    return 5 * row->lost_count > row->launch_count + row->lost_count;
}

/* Tells of launches that were left out, before what else there is to know. */
static om_status tell_lost(om_contest_row *row, om_error *err)
{
    om_text text = {0};
    om__text_addf(&text, "%zu of %zu launches: launch %d is mistrusted (%s)", row->launch_count,
                  row->launch_count + row->lost_count, row->lost->when.launch + 1,
                  row->lost->reason != NULL ? row->lost->reason : "no reason was given");
    if (row->note != NULL)
        om__text_addf(&text, "; %s", row->note);
    free(row->note);
    row->note = text.data;
    return om__text_check(&text, err);
}

static om_status settle_lost(om_contest *contest, om_error *err)
{
    for (size_t i = 0; i < contest->row_count; i++) {
        om_contest_row *row = &contest->rows[i];
        const om_contest_row *rival =
            row->alternative != OM_CONTEST_NO_ROW ? &contest->rows[row->alternative] : row;
        if (!isnan(row->ratio) && (is_short_of_launches(row) || is_short_of_launches(rival)))
            row->verdict = OM_VERDICT_UNCLEAR;
        if (row->lost_count > 0)
            OM_TRY(tell_lost(row, err));
    }
    return OM_OK;
}

/* ---- order and counts ---- */

static int rank_of_role(om_role role)
{
    return role == OM_ROLE_OWN ? 0 : role == OM_ROLE_PREVIOUS ? 1 : 2;
}

static bool comes_before(const om_contest_row *a, const om_contest_row *b)
{
    int left = rank_of_role(a->record->subject.role), right = rank_of_role(b->record->subject.role);
    if (left != right)
        return left < right;
    if (left < 2 || (isnan(a->value) && isnan(b->value)))
        return false; /* own variants, and rows without a value, stay in the order of the file */
    if (isnan(a->value) || isnan(b->value))
        return isnan(b->value);
    return a->record->metric.better == OM_BETTER_HIGHER ? a->value > b->value : a->value < b->value;
}

static void order_case(const om_contest *contest, om_contest_case *one)
{
    for (size_t i = 1; i < one->row_count; i++) {
        size_t held = one->rows[i], k = i;
        while (k > 0 && comes_before(&contest->rows[held], &contest->rows[one->rows[k - 1]])) {
            one->rows[k] = one->rows[k - 1];
            k--;
        }
        one->rows[k] = held;
    }
    if (one->row_count > 0 && contest->rows[one->rows[0]].record->subject.role == OM_ROLE_OWN)
        one->own = one->rows[0];
}

static void count(om_contest *contest)
{
    double logs = 0.0;
    for (size_t i = 0; i < contest->row_count; i++) {
        const om_contest_row *row = &contest->rows[i];
        contest->outcomes[row->outcome]++;
        if (row->record->subject.role != OM_ROLE_OWN)
            continue;
        contest->own_rows++;
        contest->verdicts[row->verdict]++;
        contest->own_without_rival +=
            row->outcome == OM_OUTCOME_OK && row->alternative == OM_CONTEST_NO_ROW;
        if (isnan(row->ratio))
            continue;
        logs += log(row->ratio);
        contest->geomean_rows++;
    }
    contest->geomean = contest->geomean_rows > 0 ? exp(logs / (double)contest->geomean_rows) : NAN;
}

static om_status allocate(judging *j, om_error *err)
{
    size_t longest = 0, launches = 0, rows = j->contest->row_count + 1;
    for (size_t i = 0; i < j->contest->row_count; i++) {
        const om_contest_row *row = &j->contest->rows[i];
        launches += row->launch_count;
        longest = longest > row->launch_count ? longest : row->launch_count;
        for (size_t l = 0; l < row->launch_count; l++)
            if (row->launches[l]->sample_count > longest)
                longest = row->launches[l]->sample_count;
    }
    j->scratch = malloc((2 * longest + 48) * sizeof *j->scratch);
    j->group = calloc(rows, sizeof *j->group);
    j->launches = calloc(launches + 1, sizeof *j->launches);
    j->duels = calloc(rows, sizeof *j->duels);
    if (j->scratch == NULL || j->group == NULL || j->launches == NULL || j->duels == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for a table of %zu rows", rows);
    j->d = j->scratch + longest + 24;
    return OM_OK;
}

om_status om__contest_judge(const om_contest_options *options, om_contest *contest, om_error *err)
{
    om_status status = OM_OK;
    judging j = {.contest = contest};
    j.tolerance = options->tolerance > 0 ? options->tolerance : OM_DUEL_TOLERANCE;
    OM_TRY_OUT(allocate(&j, err));
    for (size_t i = 0; i < contest->row_count; i++) {
        OM_TRY_OUT(set_outcome(&contest->rows[i], err));
        set_value(&j, &contest->rows[i]);
    }
    OM_TRY_OUT(number_groups(&j, err));
    OM_TRY_OUT(set_intervals(&j, err));
    for (size_t i = 0; i < contest->row_count; i++) {
        om_contest_row *row = &contest->rows[i];
        set_derived(row);
        row->copy_share = share_of(&j, row, "copy_gbps");
        row->read_share = share_of(&j, row, "read_gbps");
    }
    OM_TRY_OUT(set_ratios(&j, err));
    OM_TRY_OUT(settle_lost(contest, err));
    for (size_t i = 0; i < contest->case_count; i++)
        order_case(contest, &contest->cases[i]);
    count(contest);
out:
    free(j.scratch);
    free(j.group);
    free(j.launches);
    free(j.duels);
    return status;
}
