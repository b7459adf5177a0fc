/* SPDX-License-Identifier: Apache-2.0 */
/* contest_document.c: the document of a contest: for each case ours, its ratio to the fastest
 * competitor with interval and verdict, and the others. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "report/contest_rows.h"
#include "report/number.h"
#include "report/report.h"

enum {
    COLUMN_WORKLOAD,
    COLUMN_PASS,
    COLUMN_DTYPE,
    COLUMN_SUBJECT,
    COLUMN_TIME,
    COLUMN_SPREAD,
    COLUMN_RATIO,
    COLUMN_INTERVAL,
    COLUMN_VERDICT,
    COLUMN_ALTERNATIVE,
    COLUMN_OTHERS,
    COLUMN_TFLOPS,
    COLUMN_GBPS,
    COLUMN_COPY,
    COLUMN_READ,
    COLUMN_SHARE,
    COLUMN_REACH,
    COLUMN_RIVAL,
    COLUMN_CHECK,
    COLUMN_COUNT,
};

static const om_column columns[COLUMN_COUNT] = {
    [COLUMN_WORKLOAD] = {"workload", "workload", .shrink = true},
    [COLUMN_PASS] = {"pass", "pass", .drop = 3},
    [COLUMN_DTYPE] = {"dtype", "dtype", .drop = 9},
    [COLUMN_SUBJECT] = {"subject", "of", .drop = 2},
    [COLUMN_TIME] = {"time", "time", .number = true},
    [COLUMN_SPREAD] = {"spread", "±", .number = true, .drop = 6},
    [COLUMN_RATIO] = {"ratio", "ratio", .number = true},
    [COLUMN_INTERVAL] = {"interval", "95 % interval", .number = true, .drop = 4},
    [COLUMN_VERDICT] = {"verdict", "verdict", .marked = true},
    [COLUMN_ALTERNATIVE] = {"alternative", "fastest alternative", .drop = 1, .shrink = true},
    [COLUMN_OTHERS] = {"others", "others", .drop = 11, .shrink = true},
    [COLUMN_TFLOPS] = {"tflops", "compute", .number = true, .drop = 5},
    [COLUMN_GBPS] = {"gbps", "memory", .number = true, .drop = 8},
    [COLUMN_COPY] = {"copy_share", "of copy", .number = true, .drop = 8},
    [COLUMN_READ] = {"read_share", "of read", .number = true, .drop = 9},
    [COLUMN_SHARE] = {"share", "of yardstick", .number = true, .drop = 7},
    [COLUMN_REACH] = {"ticket_reach", "ticket: reach", .number = true, .drop = 7},
    [COLUMN_RIVAL] = {"ticket_rival", "ticket: rival", .number = true, .drop = 7},
    [COLUMN_CHECK] = {"check", "error", .number = true, .drop = 10},
};

static const char *or_empty(const char *text)
{
    return text != NULL ? text : "";
}

static bool same_text(const char *a, const char *b)
{
    return strcmp(or_empty(a), or_empty(b)) == 0;
}

static double shown_ratio(const om_contest *contest, const om_contest_row *row)
{
    if (isnan(row->ratio) || row->alternative == OM_CONTEST_NO_ROW)
        return row->ratio;
    return om__round_shown(contest->rows[row->alternative].time_ms) / om__round_shown(row->time_ms);
}

static const char *value_text(om_document *document, const om_contest_row *row)
{
    if (!isnan(row->time_ms))
        return om__document_text(document, om__format_time(row->time_ms).text);
    return om__document_text(document,
                             om__format_value(row->value, or_empty(row->record->metric.unit)).text);
}

static const char *verdict_text(const om_contest_row *row, const char **mark)
{
    *mark = "";
    if (row->outcome != OM_OUTCOME_OK)
        return *mark = om__outcome_name(row->outcome);
    if (row->verdict == OM_VERDICT_NONE)
        return row->record->subject.role == OM_ROLE_OWN ? "no rival" : "";
    *mark = om__verdict_name(row->verdict);
    return row->verdict == OM_VERDICT_SAME ? "level" : *mark;
}

/* A number and its unit stay on one line. */
static void add_unbroken(om_text *text, const char *number)
{
    for (const char *c = number; *c != '\0'; c++)
        om__text_add_bytes(text, *c == ' ' ? "\u00a0" : c, *c == ' ' ? 2 : 1);
}

/* "openblas 13.37 µs", with the role where it is no competitor and the outcome where it is not ok.
 */
static void add_other(om_text *text, const om_contest_row *row)
{
    om__text_addf(text, "%s%s", text->size > 0 ? ", " : "", row->variant_name);
    if (row->outcome != OM_OUTCOME_OK)
        om__text_addf(text, " %s", om__outcome_name(row->outcome));
    else
        om__text_add_char(text, ' ');
    if (row->outcome == OM_OUTCOME_OK && !isnan(row->time_ms))
        add_unbroken(text, om__format_time(row->time_ms).text);
    else if (row->outcome == OM_OUTCOME_OK)
        add_unbroken(text, om__format_value(row->value, or_empty(row->record->metric.unit)).text);
    if (row->record->subject.role != OM_ROLE_COMPETITOR)
        om__text_addf(text, " (%s)", om__role_name(row->record->subject.role));
}

static const char *others_text(om_document *document, const om_contest *contest,
                               const om_contest_case *one, size_t self, size_t alternative)
{
    om_text text = {0};
    for (size_t i = 0; i < one->row_count; i++)
        if (one->rows[i] != self && one->rows[i] != alternative)
            add_other(&text, &contest->rows[one->rows[i]]);
    const char *copy = om__document_text(document, text.data);
    om__text_release(&text);
    return copy;
}

static const char *ticket(om_document *document, double there_us, const om_contest_row *row)
{
    if (isnan(there_us) || isnan(row->time_ms))
        return "";
    return om__document_text(document, om__format_ratio(there_us / (row->time_ms * 1e3)).text);
}

static void fill_target_cells(om_document *document, const om_targets *targets,
                              const om_contest_row *row, const char **cells)
{
    const om_target *target =
        om__target_find(targets, row->record->benchmark.table, row->record->benchmark.name);
    if (target == NULL || row->outcome != OM_OUTCOME_OK)
        return;
    cells[COLUMN_REACH] = ticket(document, target->reach_us, row);
    cells[COLUMN_RIVAL] = ticket(document, target->rival_us, row);
    if (!isnan(target->yardstick_us) && !isnan(row->time_ms))
        cells[COLUMN_SHARE] = om__document_textf(document, "%.1f %%",
                                                 100 * target->yardstick_us / (row->time_ms * 1e3));
}

static void add_notes(om_document *document, const om_contest *contest, const om_contest_case *one,
                      const om_contest_row *row, om_row *out)
{
    if (row->outcome != OM_OUTCOME_OK && row->reason != NULL)
        om__row_note(document, out, row->reason);
    if (row->note != NULL)
        om__row_note(document, out, row->note);
    if (row->faster_bystander != OM_CONTEST_NO_ROW) {
        const om_contest_row *faster = &contest->rows[row->faster_bystander];
        om__row_note(document, out,
                     om__document_textf(document, "%s (%s) is faster with %s, but is no competitor",
                                        faster->variant_name,
                                        om__role_name(faster->record->subject.role),
                                        om__format_time(faster->time_ms).text));
    }
    if (row->invalid_count > 0)
        om__row_note(document, out,
                     om__document_textf(document, "%zu of %zu samples are invalid and left out",
                                        row->invalid_count, row->sample_count));
    for (size_t i = 0; i < one->row_count; i++) {
        const om_contest_row *other = &contest->rows[one->rows[i]];
        bool quiet = other->outcome == OM_OUTCOME_OK || other->outcome == OM_OUTCOME_UNSUPPORTED ||
                     other->outcome == OM_OUTCOME_SKIPPED;
        if (other != row && other->lost_count > 0)
            om__row_note(
                document, out,
                om__document_textf(document, "%s: %s", other->variant_name, or_empty(other->note)));
        if (other != row && !quiet && other->record->subject.role != OM_ROLE_OWN)
            om__row_note(document, out,
                         om__document_textf(document, "%s: %s: %s", other->variant_name,
                                            om__outcome_name(other->outcome),
                                            or_empty(other->reason)));
    }
}

static void add_strips(om_document *document, const om_contest *contest, const om_contest_case *one,
                       om_row *out)
{
    om_strip *strips = om__document_alloc(document, one->row_count, sizeof *strips);
    if (strips == NULL)
        return;
    size_t count = 0;
    for (size_t i = 0; i < one->row_count; i++) {
        const om_contest_row *row = &contest->rows[one->rows[i]];
        if (isnan(row->value))
            continue;
        const float **samples =
            om__document_alloc(document, row->launch_count, sizeof(const float *));
        size_t *counts = om__document_alloc(document, row->launch_count, sizeof *counts);
        if (samples == NULL || counts == NULL)
            return;
        for (size_t l = 0; l < row->launch_count; l++) {
            samples[l] = row->launches[l]->samples;
            counts[l] = row->launches[l]->sample_count;
        }
        strips[count++] = (om_strip){
            .label = row->variant_name,
            .role = om__role_name(row->record->subject.role),
            .unit = or_empty(row->record->metric.unit),
            .samples = samples,
            .counts = counts,
            .group_count = row->launch_count,
            .value = row->value,
        };
    }
    out->strips = strips;
    out->strip_count = count;
}

static const char *rerun_text(om_document *document, const om_contest *contest,
                              const om_contest_case *one)
{
    om_text providers = {0}, line = {0};
    for (size_t i = 0; i < one->row_count; i++) {
        const om_contest_row *row = &contest->rows[one->rows[i]];
        if (row->outcome == OM_OUTCOME_UNSUPPORTED || row->outcome == OM_OUTCOME_SKIPPED)
            continue;
        const char *name = or_empty(row->record->subject.provider);
        bool again = false; /* a variant of a provider that stands there already */
        for (size_t j = 0; j < i && !again; j++)
            again = same_text(contest->rows[one->rows[j]].record->subject.provider, name);
        if (!again)
            om__text_addf(&providers, "%s%s", providers.size > 0 ? "," : "", name);
    }
    om__rerun_line(one->record, providers.data, &line);
    for (size_t i = 0; i < one->row_count && line.data != NULL; i++)
        om__rerun_add_plugin(contest->rows[one->rows[i]].record, &line);
    const char *copy = om__document_text(document, line.data);
    om__text_release(&providers);
    om__text_release(&line);
    return copy;
}

static void add_row(om_document *document, om_table *table, const om_contest *contest,
                    const om_contest_case *one, size_t index, bool namesake,
                    const om_targets *targets)
{
    const om_contest_row *row = &contest->rows[index];
    const om_record *record = row->record;
    om_row *out = om__document_row(document, table);
    if (out == NULL)
        return;
    const char **cells = out->cells;
    cells[COLUMN_WORKLOAD] = or_empty(record->benchmark.name);
    if (namesake && or_empty(row->key_params)[0] != '\0')
        cells[COLUMN_WORKLOAD] = om__document_textf(
            document, "%s %s", or_empty(record->benchmark.name), row->key_params);
    cells[COLUMN_PASS] = or_empty(record->benchmark.pass);
    cells[COLUMN_DTYPE] = or_empty(record->benchmark.dtype);
    cells[COLUMN_SUBJECT] = row->variant_name;
    cells[COLUMN_TIME] = value_text(document, row);
    cells[COLUMN_SPREAD] = om__document_text(
        document, om__format_spread(row->value, row->value_low, row->value_high).text);
    cells[COLUMN_RATIO] =
        om__document_text(document, om__format_ratio(shown_ratio(contest, row)).text);
    cells[COLUMN_INTERVAL] =
        om__document_text(document, om__format_interval(row->ratio_low, row->ratio_high).text);
    cells[COLUMN_VERDICT] = verdict_text(row, &out->mark);
    if (row->alternative != OM_CONTEST_NO_ROW) {
        om_text text = {0};
        add_other(&text, &contest->rows[row->alternative]);
        cells[COLUMN_ALTERNATIVE] = om__document_text(document, text.data);
        om__text_release(&text);
    }
    cells[COLUMN_OTHERS] = others_text(document, contest, one, index, row->alternative);
    cells[COLUMN_TFLOPS] = om__document_text(document, om__format_tflops(row->tflops).text);
    cells[COLUMN_GBPS] = om__document_text(document, om__format_gbps(row->gbps).text);
    if (!isnan(row->copy_share))
        cells[COLUMN_COPY] = om__document_textf(document, "%.1f %%", 100 * row->copy_share);
    if (!isnan(row->read_share))
        cells[COLUMN_READ] = om__document_textf(document, "%.1f %%", 100 * row->read_share);
    cells[COLUMN_CHECK] = om__document_text(document, om__format_error(row->check_error).text);
    fill_target_cells(document, targets, row, cells);
    add_notes(document, contest, one, row, out);
    out->rerun = rerun_text(document, contest, one);
    add_strips(document, contest, one, out);
}

static bool same_section(const om_record *a, const om_record *b)
{
    return same_text(a->benchmark.suite, b->benchmark.suite) &&
           same_text(a->benchmark.table, b->benchmark.table) &&
           same_text(a->place.machine_class, b->place.machine_class) &&
           same_text(a->place.device, b->place.device) &&
           same_text(a->method.cache, b->method.cache) && same_text(a->metric.name, b->metric.name);
}

static bool is_ours(const om_contest_row *row)
{
    return row->record->subject.role == OM_ROLE_OWN ||
           row->record->subject.role == OM_ROLE_PREVIOUS;
}

static void add_case(om_document *document, om_table *table, const om_contest *contest,
                     const om_contest_case *one, bool namesake, const om_targets *targets)
{
    bool any = false;
    for (size_t i = 0; i < one->row_count; i++) {
        if (is_ours(&contest->rows[one->rows[i]])) {
            add_row(document, table, contest, one, one->rows[i], namesake, targets);
            any = true;
        }
    }
    if (!any && one->row_count > 0)
        add_row(document, table, contest, one, one->rows[0], namesake, targets);
}

/* A case by what a table shows of its name. */
typedef struct named_case {
    const om_record *record;
    const char *params;
    size_t at;
} named_case;

static int compare_names(const void *left, const void *right)
{
    const om_record *a = ((const named_case *)left)->record;
    const om_record *b = ((const named_case *)right)->record;
    int order = strcmp(or_empty(a->benchmark.suite), or_empty(b->benchmark.suite));
    if (order == 0)
        order = strcmp(or_empty(a->benchmark.table), or_empty(b->benchmark.table));
    return order != 0 ? order : strcmp(or_empty(a->benchmark.name), or_empty(b->benchmark.name));
}

/* By case: whether another one has its name and other parameters, so that the name alone would show
 * two rows alike. NULL: no memory. */
static const bool *find_namesakes(om_document *document, const om_contest *contest)
{
    size_t count = contest->case_count;
    bool *found = om__document_alloc(document, count, sizeof *found);
    named_case *cases = om__document_alloc(document, count, sizeof *cases);
    if (found == NULL || cases == NULL)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        const om_contest_case *one = &contest->cases[i];
        const char *params = one->row_count > 0 ? contest->rows[one->rows[0]].key_params : NULL;
        cases[i] = (named_case){one->record, or_empty(params), i};
    }
    qsort(cases, count, sizeof *cases, compare_names);
    for (size_t i = 0, end; i < count; i = end) {
        bool differ = false;
        for (end = i + 1; end < count && compare_names(&cases[i], &cases[end]) == 0; end++)
            differ = differ || strcmp(cases[i].params, cases[end].params) != 0;
        for (size_t j = i; j < end; j++)
            found[cases[j].at] = differ;
    }
    return found;
}

static bool is_one_place(const om_contest *contest)
{
    for (size_t i = 1; i < contest->case_count; i++) {
        const om_record *a = contest->cases[0].record, *b = contest->cases[i].record;
        if (!same_text(a->place.machine_class, b->place.machine_class) ||
            !same_text(a->place.device, b->place.device))
            return false;
    }
    return true;
}

/* Machine and device stand in the heading only where there are several. */
static const char *section_heading(om_document *document, const om_record *record, bool one_place)
{
    om_text text = {0};
    const char *const parts[] = {record->benchmark.suite, record->benchmark.table,
                                 record->place.machine_class, record->place.device};
    for (size_t i = 0; i < (one_place ? 2 : sizeof parts / sizeof parts[0]); i++)
        if (parts[i] != NULL && parts[i][0] != '\0' && !(i == 1 && same_text(parts[0], parts[1])))
            om__text_addf(&text, "%s%s", text.size > 0 ? " · " : "", parts[i]);
    if (record->method.cache != NULL && record->method.cache[0] != '\0')
        om__text_addf(&text, "%scache %s", text.size > 0 ? " · " : "", record->method.cache);
    if (record->metric.name != NULL && strcmp(record->metric.name, "time") != 0)
        om__text_addf(&text, "%s%s in %s", text.size > 0 ? " · " : "", record->metric.name,
                      or_empty(record->metric.unit));
    const char *copy = om__document_text(document, text.data);
    om__text_release(&text);
    return copy;
}

static om_status add_sections(om_document *document, const om_contest *contest,
                              const om_targets *targets, om_error *err)
{
    bool one_place = is_one_place(contest);
    bool *done = om__document_alloc(document, contest->case_count, sizeof *done);
    const bool *namesakes = find_namesakes(document, contest);
    if (done == NULL || namesakes == NULL)
        return om__document_check(document, err);
    for (size_t i = 0; i < contest->case_count; i++) {
        if (done[i])
            continue;
        const om_record *first = contest->cases[i].record;
        om_table *table = om__document_table(document, section_heading(document, first, one_place),
                                             columns, COLUMN_COUNT);
        for (size_t j = i; j < contest->case_count && table != NULL; j++) {
            if (done[j] || !same_section(first, contest->cases[j].record))
                continue;
            done[j] = true;
            add_case(document, table, contest, &contest->cases[j], namesakes[j], targets);
        }
        if (table == NULL)
            break;
        /* "of" says something only where it is not always ours. */
        bool only_own = true;
        for (size_t r = 0; r < table->row_count; r++)
            only_own = only_own && strcmp(table->rows[r].cells[COLUMN_SUBJECT], "own") == 0;
        for (size_t r = 0; r < table->row_count && only_own; r++)
            table->rows[r].cells[COLUMN_SUBJECT] = "";
    }
    return om__document_check(document, err);
}

om_status om__contest_document(const om_record_set *records, const om_contest *contest,
                               const om_targets *targets, om_document *document, om_error *err)
{
    *document = (om_document){.title = "opmark report", .kind = "report"};
    om__contest_facts(records, contest, document);
    om__contest_data(contest, targets, document);
    om__contest_checks(contest, document);
    om_status status = add_sections(document, contest, targets, err);
    om__contest_headline(records, contest, targets, document);
    if (status == OM_OK)
        status = om__document_check(document, err);
    if (status != OM_OK)
        om__document_release(document);
    return status;
}
