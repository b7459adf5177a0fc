/* SPDX-License-Identifier: Apache-2.0 */
/* cells.c: cells from matched rows: texts, values, ratios, and the words that need no statistics.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "compare/units.h"
#include "compare/verdict.h"
#include "stats/quantile.h"

#define OM_CELLS_INVALID_SHARE 0.5 /* more invalid samples than this, and the row has no value */

om_status om__cell_reason(om_cell *cell, om_error *err, const char *format, ...)
{
    char text[400];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    free(cell->reason);
    cell->reason = om__strdup(text);
    return cell->reason != NULL ? OM_OK
                                : om__error_set(err, OM_NO_MEMORY, "no memory for a reason");
}

om_status om__comparison_note(om_comparison *comparison, om_error *err, const char *format, ...)
{
    char text[500];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    for (size_t i = 0; i < comparison->note_count; i++)
        if (strcmp(comparison->notes[i], text) == 0)
            return OM_OK;
    char **notes = realloc(comparison->notes, (comparison->note_count + 1) * sizeof *notes);
    if (notes != NULL) {
        comparison->notes = notes;
        notes[comparison->note_count] = om__strdup(text);
    }
    if (notes == NULL || notes[comparison->note_count] == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for a note");
    comparison->note_count++;
    return OM_OK;
}

double om__record_value(const om_record *record, double *scratch)
{
    if (record->summary.n > 0 && !isnan(record->summary.median))
        return record->summary.median;
    size_t count = 0;
    for (size_t i = 0; i < record->sample_count; i++)
        if (!isnan(record->samples[i]))
            scratch[count++] = record->samples[i];
    om__stats_sort(scratch, count);
    return om__stats_median_sorted(scratch, count);
}

/* ---- texts ---- */

static const char *keep(om_compare_work *work, const char *text)
{
    return text == NULL ? "" : om__pool_keep(work->pool, text, strlen(text));
}

static om_status fill_texts(om_compare_work *work, om_cell *cell, om_error *err)
{
    const om_record *record = cell->base != NULL ? cell->base : cell->head;
    const char *suite = record->benchmark.suite, *table = record->benchmark.table;
    om_text text = {0};
    om__text_add(&text, suite != NULL ? suite : "");
    if (table != NULL && table[0] != '\0')
        om__text_addf(&text, "%s%s", text.size > 0 ? "/" : "", table);
    cell->suite = text.failed ? NULL : keep(work, text.data);
    om__text_clear(&text);
    om__text_add(&text, record->subject.provider != NULL ? record->subject.provider : "");
    if (record->subject.variant != NULL && record->subject.variant[0] != '\0')
        om__text_addf(&text, " [%s]", record->subject.variant);
    cell->provider = text.failed ? NULL : keep(work, text.data);
    om__text_release(&text);
    char *params = om__pairs_format(&record->benchmark.params);
    cell->params = params != NULL ? keep(work, params) : NULL;
    free(params);
    cell->name = keep(work, record->benchmark.name);
    cell->op = keep(work, record->benchmark.op);
    cell->pass = keep(work, record->benchmark.pass);
    cell->dtype = keep(work, record->benchmark.dtype);
    cell->machine = keep(work, record->place.machine_class);
    cell->metric = keep(work, record->metric.name);
    cell->unit = keep(work, record->metric.unit);
    cell->reason = om__strdup("");
    if (cell->suite == NULL || cell->provider == NULL || cell->params == NULL ||
        cell->name == NULL || cell->op == NULL || cell->pass == NULL || cell->dtype == NULL ||
        cell->machine == NULL || cell->metric == NULL || cell->unit == NULL || cell->reason == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for %zu rows",
                             work->comparison->cell_count);
    cell->derived = record->metric.derivation != NULL && record->metric.derivation[0] != '\0';
    return OM_OK;
}

/* ---- values ---- */

/* Of one side of a cell: its value, or why it has none. */
typedef struct side_value {
    double value;
    size_t samples;
    bool failed;      /* an outcome other than ok */
    char reason[300]; /* "" with a value */
} side_value;

static void say_outcome(const om_side_row *row, const om_record *record, side_value *found)
{
    char launch[32] = "";
    if (row->launch_count > 1)
        snprintf(launch, sizeof launch, "launch %d: ", record->when.launch + 1);
    found->failed = true;
    snprintf(found->reason, sizeof found->reason, "%s%s%s%.200s", launch,
             om__outcome_name(record->outcome), record->reason != NULL ? ": " : "",
             record->reason != NULL ? record->reason : "");
}

static const char *first_sample_reason(const om_side_row *row)
{
    for (size_t l = 0; l < row->launch_count; l++) {
        const om_record *record = row->launches[l];
        for (size_t i = 0; record->sample_reasons != NULL && i < record->sample_count; i++)
            if (record->sample_reasons[i] != NULL)
                return record->sample_reasons[i];
    }
    return "no valid sample";
}

/* A launch that could not be trusted or did not run is a lost value; any other fault is one of the
 * row. */
static bool is_lost(const om_record *record)
{
    return record->outcome == OM_OUTCOME_MISTRUSTED || record->outcome == OM_OUTCOME_SKIPPED ||
           record->outcome == OM_OUTCOME_NOT_RUN;
}

static void read_value(const om_side_row *row, double *scratch, double *medians, side_value *found)
{
    size_t all = 0, count = 0;
    const om_record *lost = NULL;
    *found = (side_value){.value = NAN};
    for (size_t l = 0; l < row->launch_count; l++) {
        const om_record *record = row->launches[l];
        if (is_lost(record)) {
            lost = record;
            continue;
        }
        if (record->outcome != OM_OUTCOME_OK) {
            say_outcome(row, record, found);
            return;
        }
        all += record->sample_count;
        if (record->sample_count == 0)
            found->samples += record->summary.n > 0 ? (size_t)record->summary.n : 0;
        for (size_t i = 0; i < record->sample_count; i++)
            found->samples += !isnan(record->samples[i]);
        double value = om__record_value(record, scratch);
        if (!isnan(value))
            medians[count++] = value;
    }
    if (count == 0 && lost != NULL) {
        say_outcome(row, lost, found);
        return;
    }
    if (count == 0) {
        snprintf(found->reason, sizeof found->reason, "%.250s", first_sample_reason(row));
        return;
    }
    if (all > 0 && (double)(all - found->samples) > OM_CELLS_INVALID_SHARE * (double)all) {
        snprintf(found->reason, sizeof found->reason, "%zu of %zu samples are invalid: %.200s",
                 all - found->samples, all, first_sample_reason(row));
        return;
    }
    om__stats_sort(medians, count);
    found->value = om__stats_median_sorted(medians, count);
}

/* ---- what may be compared ---- */

static bool differ(const char *a, const char *b)
{
    return a != NULL && b != NULL && strcmp(a, b) != 0;
}

/* The first field of the timing contract that both sides state and state differently. */
static const char *contract_difference(const om_record *a, const om_record *b, const char **left,
                                       const char **right)
{
    const struct {
        const char *name, *a, *b;
    } fields[] = {
        {"clock", a->method.clock, b->method.clock},
        {"cache", a->method.cache, b->method.cache},
        {"fill", a->method.fill, b->method.fill},
        {"harness", a->method.harness, b->method.harness},
    };
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (differ(fields[i].a, fields[i].b)) {
            *left = fields[i].a;
            *right = fields[i].b;
            return fields[i].name;
        }
    for (size_t i = 0; i < a->method.more.count; i++) {
        const om_pair *pair = &a->method.more.items[i];
        const char *other = om__pairs_find(&b->method.more, pair->key);
        if (differ(pair->value, other)) {
            *left = pair->value;
            *right = other;
            return pair->key;
        }
    }
    return NULL;
}

/* Words for rows that cannot be compared; OM_VERDICT_NONE for those that can. */
static om_status check_comparable(om_cell *cell, bool machines_differ, double *factor,
                                  om_error *err)
{
    const char *left, *right;
    const char *field = contract_difference(cell->base, cell->head, &left, &right);
    cell->verdict = OM_VERDICT_NOT_COMPARABLE;
    if (machines_differ)
        return om__cell_reason(
            cell, err, "machine: %s against %s", cell->machine,
            cell->head->place.machine_class != NULL ? cell->head->place.machine_class : "");
    if (!om__unit_factor(cell->head->metric.unit, cell->base->metric.unit, factor))
        return om__cell_reason(cell, err, "unit: %s against %s", cell->unit,
                               cell->head->metric.unit != NULL ? cell->head->metric.unit : "");
    if (field != NULL)
        return om__cell_reason(cell, err, "%s: %.100s against %.100s", field, left, right);
    if (cell->base->metric.better != cell->head->metric.better)
        return om__cell_reason(cell, err, "direction: %s is better against %s",
                               om__better_name(cell->base->metric.better),
                               om__better_name(cell->head->metric.better));
    cell->verdict = OM_VERDICT_NONE;
    return OM_OK;
}

static om_status set_ratio(om_cell *cell, om_error *err)
{
    om_better better = cell->base->metric.better;
    double base = cell->base_value, head = cell->new_value;
    cell->verdict = OM_VERDICT_NO_VALUE;
    if (!(base > 0) || !(head > 0))
        return om__cell_reason(cell, err, "no ratio: %s is %g (difference %+g %s)",
                               base > 0 ? "new" : "base", base > 0 ? head : base, head - base,
                               cell->unit);
    if (better == OM_BETTER_UNKNOWN)
        return om__cell_reason(cell, err, "changed by %+.3g %%, direction unknown",
                               100 * (head / base - 1));
    cell->ratio = better == OM_BETTER_LOWER ? base / head : head / base;
    if (cell->derived)
        return om__cell_reason(cell, err, "derived (%.100s): never judged",
                               cell->base->metric.derivation);
    cell->verdict = OM_VERDICT_NONE;
    return OM_OK;
}

static om_status fill_values(om_compare_work *work, size_t at, double *scratch, double *medians,
                             om_error *err)
{
    om_cell *cell = &work->comparison->cells[at];
    const om_match *match = &work->matching.matches[at];
    const om_side_row *rows[2] = {work->base_rows[at], work->new_rows[at]};
    side_value values[2] = {{.value = NAN}, {.value = NAN}};
    for (int side = 0; side < 2; side++)
        if (rows[side] != NULL)
            read_value(rows[side], scratch, medians, &values[side]);
    cell->base_value = values[0].value;
    cell->new_value = values[1].value;
    cell->base_samples = values[0].samples;
    cell->new_samples = values[1].samples;
    cell->base_launches = rows[0] != NULL ? rows[0]->launch_count : 0;
    cell->new_launches = rows[1] != NULL ? rows[1]->launch_count : 0;
    om_role role = (cell->head != NULL ? cell->head : cell->base)->subject.role;
    cell->rival = !work->base->foreign && !work->head->foreign &&
                  (role == OM_ROLE_COMPETITOR || role == OM_ROLE_REFERENCE);
    if (rows[0] == NULL || rows[1] == NULL) {
        cell->verdict = rows[0] == NULL ? OM_VERDICT_NEW : OM_VERDICT_MISSING;
        const side_value *only = &values[rows[0] == NULL];
        return only->reason[0] != '\0' ? om__cell_reason(cell, err, "%s", only->reason) : OM_OK;
    }
    cell->new_failed = values[1].failed && !values[0].failed;
    OM_TRY(check_comparable(cell, match->machines_differ, &work->factor[at], err));
    if (cell->verdict != OM_VERDICT_NONE)
        return OM_OK;
    cell->new_value *= work->factor[at];
    for (int side = 1; side >= 0; side--)
        if (isnan(values[side].value)) {
            cell->verdict = OM_VERDICT_NO_VALUE;
            return om__cell_reason(cell, err, "%s: %s", side == 1 ? "new" : "base",
                                   values[side].reason);
        }
    OM_TRY(set_ratio(cell, err));
    if (match->renamed && cell->verdict == OM_VERDICT_NONE)
        return om__cell_reason(cell, err, "called %.120s on the new side",
                               cell->head->benchmark.name != NULL ? cell->head->benchmark.name
                                                                  : "otherwise");
    return OM_OK;
}

om_status om__cells_fill(om_compare_work *work, om_error *err)
{
    om_comparison *comparison = work->comparison;
    size_t longest = 1;
    for (int side = 0; side < 2; side++) {
        const om_record_set *set = side == 0 ? &work->base->set : &work->head->set;
        for (size_t i = 0; i < set->count; i++)
            if (set->items[i].sample_count > longest)
                longest = set->items[i].sample_count;
        longest = longest > set->count ? longest : set->count;
    }
    double *scratch = malloc(2 * longest * sizeof *scratch);
    om_status status = OM_OK;
    if (scratch == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for %zu samples", longest);
    for (size_t i = 0; i < comparison->cell_count && status == OM_OK; i++) {
        om_cell *cell = &comparison->cells[i];
        cell->base = work->base_rows[i] != NULL ? work->base_rows[i]->launches[0] : NULL;
        cell->head = work->new_rows[i] != NULL ? work->new_rows[i]->launches[0] : NULL;
        cell->ratio = cell->ratio_low = cell->ratio_high = cell->visible = NAN;
        work->factor[i] = 1.0;
        status = fill_texts(work, cell, err);
        if (status == OM_OK)
            status = fill_values(work, i, scratch, scratch + longest, err);
    }
    free(scratch);
    return status;
}
