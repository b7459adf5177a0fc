/* SPDX-License-Identifier: Apache-2.0 */
/* compare_document.c: the document of comparisons: headline, suites, the rows worst first. */
#include "report/compare_document.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/turns.h"
#include "compare/units.h"
#include "opmark/opmark.h"
#include "report/compare_data.h"
#include "report/number.h"

static const char *or_empty(const char *text)
{
    return text != NULL ? text : "";
}

static const char *text_of(om_document *document, om_number number)
{
    return om__document_text(document, number.text);
}

/* ---- headline and facts ---- */

char *om__comparison_headline(const om_comparison *comparison)
{
    static const om_verdict order[] = {
        OM_VERDICT_SLOWER, OM_VERDICT_FASTER,  OM_VERDICT_SAME,           OM_VERDICT_UNCLEAR,
        OM_VERDICT_NEW,    OM_VERDICT_MISSING, OM_VERDICT_NOT_COMPARABLE, OM_VERDICT_NO_VALUE};
    static const char *const words[] = {"slower", "faster",  "same",           "unclear",
                                        "new",    "missing", "not comparable", "no value"};
    om_text text = {0};
    if (comparison->compared == 0)
        om__text_add(&text, "nothing was compared:");
    else
        om__text_addf(&text, "%zu row%s compared:", comparison->compared,
                      comparison->compared == 1 ? "" : "s");
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++)
        om__text_addf(&text, "%s %zu %s", i > 0 ? "," : "", comparison->counts[order[i]], words[i]);
    if (text.failed) {
        om__text_release(&text);
        return NULL;
    }
    return text.data;
}

static bool any_judged(const om_comparison *comparison)
{
    for (size_t s = 0; s < comparison->section_count; s++)
        if (comparison->sections[s].judged)
            return true;
    return false;
}

static bool any_in_turns(const om_comparison *comparison)
{
    for (size_t s = 0; s < comparison->section_count; s++)
        if (comparison->sections[s].in_turns)
            return true;
    return false;
}

static void add_method(const om_comparison *comparison, om_document *document)
{
    if (comparison->compared == 0)
        return;
    if (comparison->threshold > 0)
        om__document_headline(
            document,
            om__document_textf(document,
                               "plain threshold, no noise estimate: slower below a "
                               "ratio of %.4g, faster above %.4g",
                               1 - comparison->threshold, 1 / (1 - comparison->threshold)));
    else if (comparison->replicate == OM_REPLICATE_SAMPLES)
        om__document_headline(document,
                              "the samples of one process are taken as the unit: they share its "
                              "memory placement and clocks, so these verdicts say less than those "
                              "over launches");
    else if (any_in_turns(comparison))
        om__document_headline(document,
                              "measured in turns: launches of both sides in a drawn order; slower "
                              "and faster come from fresh launches of the suspicious rows alone");
    else if (any_judged(comparison))
        om__document_headline(document,
                              "measured apart: the verdicts hold if nothing but the build "
                              "differs between the two times");
    else
        om__document_headline(document,
                              "one launch a side: ratios are shown, and decide nothing (several "
                              "launches do; so does --threshold 5%, without a noise estimate)");
}

static void add_section(const om_section *section, om_document *document)
{
    const char *where = section->machine;
    if (section->all_moved)
        om__document_warning(
            document,
            om__document_textf(document,
                               "%s: suspect measurement: all rows moved by "
                               "%s; its verdicts are lowered to unclear",
                               where, om__shift_format(section->shift, (char[OM_SHIFT_SIZE]){0})));
    if (section->one_sided)
        om__document_warning(document,
                             om__document_textf(document,
                                                "%s: suspect measurement: alarms fall on one side "
                                                "over many operators; they are lowered to unclear",
                                                where));
    if (section->dependent)
        om__document_warning(
            document, om__document_textf(document,
                                         "%s: suspect measurement: launches depend on each other "
                                         "(r = %.2f); its verdicts are lowered to unclear",
                                         where, section->correlation));
    if (!section->judged)
        return;
    om_text text = {0};
    om__text_addf(&text, "%zu against %zu launches", section->base_launches, section->new_launches);
    if (!isnan(section->visible_median))
        om__text_addf(&text, "; smallest visible change %.2g %% (median), %.2g %% (90 %% of rows)",
                      100 * section->visible_median, 100 * section->visible_90);
    else if (!section->in_turns)
        om__text_addf(&text, "; an alarm takes %zu launches a side", section->launches_needed);
    if (section->control)
        om__text_addf(&text, "; base against base: %zu alarm%s in %zu rows",
                      section->control_alarms, section->control_alarms == 1 ? "" : "s",
                      section->compared);
    if (section->due > 0)
        om__text_addf(&text, "; cut off: part %zu of the second look is missing for %zu rows",
                      section->next_look, section->due);
    if (!isnan(section->seen) && !section->in_turns)
        om__text_addf(&text, "; a dependence of launches above r = %.2f would be seen",
                      section->seen);
    if (section->cannot_tell_dependence)
        om__text_add(&text, ": cannot tell whether launches depend on each other");
    om__document_fact(document, where, or_empty(text.data));
    om__text_release(&text);
}

static void add_twins(const om_comparison *comparison, om_document *document)
{
    const om_twins *twins = &comparison->twins;
    if (twins->groups == 0)
        return;
    om__document_fact(
        document, "same work",
        om__document_textf(document,
                           "%zu shapes (%zu rows) were measured under several names; their values "
                           "differ by %.1f %% (median) and up to %.0f %% on the base side, %.1f %% "
                           "and up to %.0f %% on the new side",
                           twins->shapes, twins->groups, 100 * twins->base_median,
                           100 * twins->base_worst, 100 * twins->new_median,
                           100 * twins->new_worst));
}

/* What the header says of a side: taken from all of its rows, since the worst one comes first. */
typedef struct side_facts {
    const om_record *first;       /* the earliest one, or any where none has a time */
    const char *commit;           /* of a row of its own, else of any */
    const char *driver, *version; /* the first ones found */
} side_facts;

static side_facts facts_of(const om_comparison *comparison, bool base)
{
    side_facts facts = {0};
    bool own = false;
    for (size_t i = 0; i < comparison->cell_count; i++) {
        const om_record *r = base ? comparison->cells[i].base : comparison->cells[i].head;
        if (r == NULL)
            continue;
        bool earlier =
            facts.first == NULL ||
            (r->when.started != NULL && (facts.first->when.started == NULL ||
                                         strcmp(r->when.started, facts.first->when.started) < 0));
        facts.first = earlier ? r : facts.first;
        bool is_own = r->subject.role == OM_ROLE_OWN;
        if (r->subject.commit != NULL && (facts.commit == NULL || (is_own && !own))) {
            facts.commit = r->subject.commit;
            own = is_own;
        }
        if (facts.driver == NULL)
            facts.driver = om__pairs_find(&r->place.settings, "driver");
        if (facts.version == NULL && is_own)
            facts.version = r->subject.version;
    }
    return facts;
}

static void add_side(const om_comparison *comparison, bool base, om_document *document)
{
    const side_facts facts = facts_of(comparison, base);
    const om_record *record = facts.first;
    const char *label = base ? comparison->base_label : comparison->new_label;
    const char *commit = base ? comparison->history.base : comparison->history.head;
    om_text text = {0};
    om__text_add(&text, or_empty(label));
    const char *what = record != NULL ? om__pairs_find(&record->evidence, OM_TURNS_SIDE) : NULL;
    if (what != NULL)
        om__text_addf(&text, ": %s", what);
    if (commit == NULL)
        commit = facts.commit;
    if (commit != NULL)
        om__text_addf(&text, ", commit %s", commit);
    if (record != NULL && record->when.started != NULL)
        om__text_addf(&text, ", measured %s", record->when.started);
    if (facts.version != NULL)
        om__text_addf(&text, ", %s", facts.version);
    if (facts.driver != NULL)
        om__text_addf(&text, ", driver %s", facts.driver);
    if (record != NULL && record->method.harness != NULL)
        om__text_addf(&text, ", harness %s", record->method.harness);
    om__document_fact(document, base ? "base" : "new", or_empty(text.data));
    om__text_release(&text);
}

static void add_history(const om_history *history, om_document *document)
{
    if (history->known)
        om__document_fact(
            document, "merge base",
            om__document_textf(document,
                               "%.12s: base has %zu commit%s the PR lacks, the PR %zu that base "
                               "lacks%s",
                               history->merge_base, history->base_only,
                               history->base_only == 1 ? "" : "s", history->new_only,
                               history->shallow ? " (of a shallow clone)" : ""));
}

static void add_facts(const om_comparison *comparison, om_document *document)
{
    char *headline = om__comparison_headline(comparison);
    document->failed = document->failed || headline == NULL;
    om__document_headline(document, or_empty(headline));
    free(headline);
    add_method(comparison, document);
    add_side(comparison, true, document);
    add_side(comparison, false, document);
    add_history(&comparison->history, document);
    for (size_t s = 0; s < comparison->section_count; s++)
        add_section(&comparison->sections[s], document);
    add_twins(comparison, document);
    om__document_fact(document, "ratio",
                      "new speed / base speed: above 1 the new side is better, in every unit");
    om__document_fact(document, "compared by",
                      om__document_textf(document, "opmark %s", om_version()));
    for (size_t i = 0; i < comparison->note_count; i++)
        om__document_warning(document, comparison->notes[i]);
}

/* ---- suites ---- */

enum {
    SUITE_MACHINE,
    SUITE_NAME,
    SUITE_CASES,
    SUITE_ROWS,
    SUITE_COMPARED,
    SUITE_MEDIAN,
    SUITE_LOW,
    SUITE_HIGH,
    SUITE_SLOWER,
    SUITE_FASTER,
    SUITE_SAME,
    SUITE_UNCLEAR,
    SUITE_OTHER,
    SUITE_COLUMNS
};

static const om_column suite_columns[SUITE_COLUMNS] = {
    [SUITE_MACHINE] = {.name = "machine", .title = "machine"},
    [SUITE_NAME] = {.name = "suite", .title = "suite", .shrink = true},
    [SUITE_CASES] = {.name = "cases", .title = "cases", .number = true, .drop = 3},
    [SUITE_ROWS] = {.name = "rows", .title = "rows", .number = true, .drop = 1},
    [SUITE_COMPARED] = {.name = "compared", .title = "compared", .number = true},
    [SUITE_MEDIAN] = {.name = "median", .title = "median", .number = true},
    [SUITE_LOW] = {.name = "min", .title = "min", .number = true},
    [SUITE_HIGH] = {.name = "max", .title = "max", .number = true},
    [SUITE_SLOWER] = {.name = "slower", .title = "slower", .number = true},
    [SUITE_FASTER] = {.name = "faster", .title = "faster", .number = true},
    [SUITE_SAME] = {.name = "same", .title = "same", .number = true},
    [SUITE_UNCLEAR] = {.name = "unclear", .title = "unclear", .number = true},
    [SUITE_OTHER] = {.name = "other", .title = "no verdict", .number = true, .drop = 2},
};

static bool of_several_machines(const om_comparison *comparison)
{
    for (size_t s = 1; s < comparison->suite_count; s++)
        if (strcmp(comparison->suites[s].machine, comparison->suites[0].machine) != 0)
            return true;
    return false;
}

static void add_suites(const om_comparison *comparison, const char *prefix, om_document *document)
{
    om_table *table = om__document_table(document, om__document_textf(document, "%sSuites", prefix),
                                         suite_columns, SUITE_COLUMNS);
    if (table == NULL)
        return;
    bool several = of_several_machines(comparison);
    const char *machine = comparison->suite_count > 0 ? comparison->suites[0].machine : "";
    table->remark = several || machine[0] == '\0'
                        ? "Ratios of the rows compared: descriptive, no verdict."
                        : om__document_textf(document,
                                             "%s. Ratios of the rows compared: descriptive, no "
                                             "verdict.",
                                             machine);
    for (size_t s = 0; s < comparison->suite_count; s++) {
        const om_suite_summary *suite = &comparison->suites[s];
        om_row *row = om__document_row(document, table);
        if (row == NULL)
            return;
        size_t other = suite->counts[OM_VERDICT_NEW] + suite->counts[OM_VERDICT_MISSING] +
                       suite->counts[OM_VERDICT_NOT_COMPARABLE] +
                       suite->counts[OM_VERDICT_NO_VALUE];
        const size_t counts[] = {suite->counts[OM_VERDICT_SLOWER], suite->counts[OM_VERDICT_FASTER],
                                 suite->counts[OM_VERDICT_SAME], suite->counts[OM_VERDICT_UNCLEAR],
                                 other};
        row->cells[SUITE_MACHINE] = several ? om__document_text(document, suite->machine) : "";
        row->cells[SUITE_NAME] = om__document_text(document, suite->suite);
        row->cells[SUITE_CASES] = om__document_textf(document, "%zu", suite->cases);
        row->cells[SUITE_ROWS] = om__document_textf(document, "%zu", suite->cells);
        row->cells[SUITE_COMPARED] = om__document_textf(document, "%zu", suite->compared);
        row->cells[SUITE_MEDIAN] = text_of(document, om__format_ratio(suite->median));
        row->cells[SUITE_LOW] = text_of(document, om__format_ratio(suite->low));
        row->cells[SUITE_HIGH] = text_of(document, om__format_ratio(suite->high));
        for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
            row->cells[SUITE_SLOWER + i] = om__document_textf(document, "%zu", counts[i]);
    }
}

/* ---- rows ---- */

enum {
    CELL_VERDICT,
    CELL_RATIO,
    CELL_INTERVAL,
    CELL_CASE,
    CELL_PARAMS,
    CELL_METRIC,
    CELL_PROVIDER,
    CELL_BASE,
    CELL_NEW,
    CELL_MACHINE,
    CELL_COLUMNS
};

static const om_column cell_columns[CELL_COLUMNS] = {
    [CELL_VERDICT] = {.name = "verdict", .title = "verdict", .marked = true},
    [CELL_RATIO] = {.name = "ratio", .title = "ratio", .number = true},
    [CELL_INTERVAL] = {.name = "interval", .title = "95 % interval", .number = true},
    [CELL_CASE] = {.name = "case", .title = "case", .shrink = true},
    [CELL_PARAMS] = {.name = "params", .title = "parameters", .shrink = true, .drop = 1},
    [CELL_METRIC] = {.name = "metric", .title = "metric", .drop = 2},
    [CELL_PROVIDER] = {.name = "provider", .title = "provider", .drop = 3},
    [CELL_BASE] = {.name = "base", .title = "base", .number = true},
    [CELL_NEW] = {.name = "new", .title = "new", .number = true},
    [CELL_MACHINE] = {.name = "machine", .title = "machine", .drop = 4},
};

static const char *show_value(om_document *document, const char *unit, double value)
{
    double to_ms;
    return text_of(document, om__unit_is_time(unit, &to_ms) ? om__format_time(value * to_ms)
                                                            : om__format_value(value, unit));
}

/* The new side's value was turned into the base's unit, unless the row cannot be compared. */
static const char *new_unit(const om_cell *cell)
{
    if (cell->verdict != OM_VERDICT_NOT_COMPARABLE || cell->head == NULL)
        return cell->unit;
    return cell->head->metric.unit != NULL ? cell->head->metric.unit : "";
}

/* The two groups of launches of a row that changed are its two sides: no modes. */
static bool is_step_between_sides(const om_cell *cell)
{
    size_t low = cell->modes.low_count, high = cell->modes.high_count;
    return (cell->verdict == OM_VERDICT_SLOWER && low == cell->base_launches &&
            high == cell->new_launches) ||
           (cell->verdict == OM_VERDICT_FASTER && low == cell->new_launches &&
            high == cell->base_launches);
}

static void add_cell(const om_cell *cell, bool several_machines, om_table *table,
                     om_document *document)
{
    om_row *row = om__document_row(document, table);
    if (row == NULL)
        return;
    const char *word = om__verdict_name(cell->verdict);
    row->mark = om__document_text(document, word);
    row->cells[CELL_VERDICT] = row->mark;
    row->cells[CELL_RATIO] = text_of(document, om__format_ratio(cell->ratio));
    row->cells[CELL_INTERVAL] =
        text_of(document, om__format_interval(cell->ratio_low, cell->ratio_high));
    row->cells[CELL_CASE] = om__document_text(document, cell->name);
    row->cells[CELL_PARAMS] = om__document_text(document, cell->params);
    row->cells[CELL_METRIC] = om__document_text(document, cell->metric);
    row->cells[CELL_PROVIDER] = om__document_text(document, cell->provider);
    row->cells[CELL_BASE] = show_value(document, cell->unit, cell->base_value);
    row->cells[CELL_NEW] = show_value(document, new_unit(cell), cell->new_value);
    row->cells[CELL_MACHINE] = several_machines ? om__document_text(document, cell->machine) : "";
    bool obvious = cell->doubt == OM_DOUBT_FEW_LAUNCHES; /* the headline says it once */
    if (cell->reason[0] != '\0' && !obvious)
        om__row_note(document, row, cell->reason);
    if (cell->modes.found && !is_step_between_sides(cell))
        om__row_note(document, row,
                     om__document_textf(document, "two modes, %.3g %% apart: %zu and %zu launches",
                                        100 * expm1(cell->modes.high - cell->modes.low),
                                        cell->modes.low_count, cell->modes.high_count));
}

/* The rows of one table for people. */
typedef enum part { PART_WORSE, PART_BETTER, PART_OPEN, PART_LEVEL, PART_COUNT } part;

static part part_of(const om_cell *cell)
{
    switch (cell->verdict) {
    case OM_VERDICT_SLOWER:
    case OM_VERDICT_MISSING:
        return PART_WORSE;
    case OM_VERDICT_FASTER:
        return PART_BETTER;
    case OM_VERDICT_SAME:
        return PART_LEVEL;
    default:
        return cell->new_failed ? PART_WORSE : PART_OPEN;
    }
}

static void add_part(const om_comparison *comparison, part wanted, const om_compare_view *view,
                     const char *prefix, om_document *document)
{
    static const char *const headings[PART_COUNT] = {
        [PART_WORSE] = "Slower, failed or missing",
        [PART_BETTER] = "Faster",
        [PART_OPEN] = "No verdict",
        [PART_LEVEL] = "Same",
    };
    size_t all = 0, shown = 0;
    for (size_t i = 0; i < comparison->cell_count; i++)
        all += part_of(&comparison->cells[i]) == wanted;
    if (all == 0)
        return;
    om_table *table = om__document_table(
        document, om__document_textf(document, "%s%s (%zu)", prefix, headings[wanted], all),
        cell_columns, CELL_COLUMNS);
    if (table == NULL)
        return;
    for (size_t i = 0; i < comparison->cell_count; i++) {
        size_t at = wanted == PART_BETTER ? comparison->cell_count - 1 - i : i; /* the best first */
        if (part_of(&comparison->cells[at]) != wanted)
            continue;
        if (view->rows > 0 && shown == view->rows)
            break;
        add_cell(&comparison->cells[at], of_several_machines(comparison), table, document);
        shown++;
    }
    if (shown < all)
        table->remark = om__document_textf(document, "showing %zu of %zu rows", shown, all);
}

om_status om__comparison_document(const om_comparison *comparisons, size_t count,
                                  const om_compare_view *view, om_document *document, om_error *err)
{
    static const om_compare_view everything = {.all = true};
    *document = (om_document){0};
    document->title = "Comparison";
    document->kind = "compare";
    view = view != NULL ? view : &everything;
    for (size_t i = 0; i < count; i++) {
        const om_comparison *comparison = &comparisons[i];
        const char *prefix =
            count > 1 ? om__document_textf(document, "%s: ", comparison->new_label) : "";
        add_facts(comparison, document);
        add_suites(comparison, prefix, document);
        for (part p = PART_WORSE; p < PART_COUNT; p++)
            if (view->all || p != PART_LEVEL)
                add_part(comparison, p, view, prefix, document);
    }
    if (!view->no_data)
        om__comparison_data(comparisons, count, document);
    om_status status = om__document_check(document, err);
    if (status != OM_OK)
        om__document_release(document);
    return status;
}
