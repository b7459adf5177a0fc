/* SPDX-License-Identifier: Apache-2.0 */
/* contest_facts.c: what a report says of its machine, providers and method, and its headline. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/contest_rows.h"
#include "report/number.h"

enum { MOST_LISTED = 8 };

/* Distinct texts in the order they were met. */
typedef struct texts {
    const char **items;
    size_t count, capacity;
} texts;

static const char *or_empty(const char *text)
{
    return text != NULL ? text : "";
}

static void add_distinct(om_document *document, texts *list, const char *text)
{
    if (text == NULL || text[0] == '\0')
        return;
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i], text) == 0)
            return;
    if (list->count == list->capacity) {
        size_t capacity = list->capacity == 0 ? 16 : list->capacity * 2;
        const char **items = realloc(list->items, capacity * sizeof *items);
        if (items == NULL) {
            document->failed = true;
            return;
        }
        list->items = items;
        list->capacity = capacity;
    }
    list->items[list->count++] = text;
}

static void add_fact(om_document *document, const char *name, const char *between, texts *list)
{
    om_text text = {0};
    for (size_t i = 0; i < list->count && i < MOST_LISTED; i++)
        om__text_addf(&text, "%s%s", i > 0 ? between : "", list->items[i]);
    if (list->count > MOST_LISTED)
        om__text_addf(&text, " and %zu more", list->count - MOST_LISTED);
    if (text.size > 0)
        om__document_fact(document, name, text.data);
    om__text_release(&text);
    free(list->items);
    *list = (texts){0};
}

/* One fact from a text of every row. */
#define ROW_FACT(name, between, expression)                                                        \
    do {                                                                                           \
        texts list_ = {0};                                                                         \
        for (size_t i_ = 0; i_ < contest->row_count; i_++) {                                       \
            const om_record *record = contest->rows[i_].record;                                    \
            add_distinct(document, &list_, (expression));                                          \
        }                                                                                          \
        add_fact(document, name, between, &list_);                                                 \
    } while (0)

static const char *device_text(om_document *document, const om_record *record)
{
    const char *processor = om__pairs_find(&record->place.settings, "cpu");
    if (processor == NULL)
        return record->place.device;
    return om__document_textf(document, "%s (%s)", or_empty(record->place.device), processor);
}

static const char *method_text(om_document *document, const om_record *record)
{
    om_text text = {0};
    om__text_addf(&text, "clock %s", or_empty(record->method.clock));
    if (record->method.cache != NULL)
        om__text_addf(&text, ", cache %s", record->method.cache);
    if (record->method.fill != NULL)
        om__text_addf(&text, ", fill %s", record->method.fill);
    for (size_t i = 0; i < record->method.more.count; i++)
        om__text_addf(&text, ", %s %s", record->method.more.items[i].key,
                      record->method.more.items[i].value);
    const char *copy = om__document_text(document, text.data);
    om__text_release(&text);
    return copy;
}

/* "OpenBLAS 0.3.21 (competitor): 10 ok, 2 unsupported", one fact a provider. */
static void add_providers(const om_contest *contest, om_document *document)
{
    texts names = {0};
    for (size_t i = 0; i < contest->row_count; i++)
        add_distinct(document, &names, contest->rows[i].variant_name);
    for (size_t n = 0; n < names.count; n++) {
        size_t counts[OM_OUTCOME_COUNT] = {0};
        const om_record *record = NULL;
        for (size_t i = 0; i < contest->row_count; i++) {
            const om_contest_row *row = &contest->rows[i];
            if (strcmp(row->variant_name, names.items[n]) != 0)
                continue;
            counts[row->outcome]++;
            /* A row that was measured knows the version; one that was refused may not. */
            if (record == NULL || record->subject.version == NULL)
                record = row->record;
        }
        om_text text = {0};
        const char *version = or_empty(record->subject.version);
        const char *build = or_empty(record->subject.build);
        om__text_addf(&text, "%s%s%s", version, version[0] != '\0' && build[0] != '\0' ? " " : "",
                      build);
        if (record->subject.commit != NULL)
            om__text_addf(&text, "%scommit %s", text.size > 0 ? " " : "", record->subject.commit);
        om__text_addf(&text, "%s(%s):", text.size > 0 ? " " : "",
                      om__role_name(record->subject.role));
        const char *between = " ";
        for (int o = 0; o < OM_OUTCOME_COUNT; o++) {
            if (counts[o] == 0)
                continue;
            om__text_addf(&text, "%s%zu %s", between, counts[o], om__outcome_name((om_outcome)o));
            between = ", ";
        }
        om__document_fact(document, names.items[n], or_empty(text.data));
        om__text_release(&text);
    }
    free(names.items);
}

static void add_launches(const om_contest *contest, om_document *document)
{
    size_t least = SIZE_MAX, most = 0;
    for (size_t i = 0; i < contest->row_count; i++) {
        if (contest->rows[i].outcome != OM_OUTCOME_OK)
            continue;
        size_t count = contest->rows[i].launch_count;
        least = count < least ? count : least;
        most = count > most ? count : most;
    }
    if (most == 0)
        return;
    om__document_fact(document, "launches",
                      least == most
                          ? om__document_textf(document, "%zu a row", most)
                          : om__document_textf(document, "%zu to %zu a row", least, most));
}

void om__contest_facts(const om_record_set *records, const om_contest *contest,
                       om_document *document)
{
    (void)records;
    ROW_FACT("machine", ", ", record->place.machine_class);
    ROW_FACT("instance", ", ", record->place.instance);
    ROW_FACT("device", ", ", device_text(document, record));
    ROW_FACT("method", "; ", method_text(document, record));
    ROW_FACT("harness", ", ", record->method.harness);
    add_launches(contest, document);
    om_text text = {0};
    for (size_t i = 0; i < contest->run_count && i < MOST_LISTED; i++)
        om__text_addf(&text, "%s%s", i > 0 ? ", " : "", contest->runs[i]);
    if (contest->run_count > MOST_LISTED)
        om__text_addf(&text, " and %zu more", contest->run_count - MOST_LISTED);
    if (contest->run_count > 0)
        om__document_fact(document, contest->run_count == 1 ? "run" : "runs", or_empty(text.data));
    om__text_release(&text);
    add_providers(contest, document);
}

/* ---- headline ---- */

static void add_verdicts(const om_contest *contest, om_document *document)
{
    static const struct {
        om_verdict verdict;
        const char *word;
    } words[] = {
        {OM_VERDICT_FASTER, "faster"},
        {OM_VERDICT_SAME, "level"},
        {OM_VERDICT_SLOWER, "slower"},
        {OM_VERDICT_UNCLEAR, "unclear"},
    };
    if (contest->own_rows == 0) {
        om__document_headline(document, "No row of our own: nothing to compare with the others.");
        return;
    }
    om_text text = {0};
    om__text_addf(&text, "own against the fastest competitor, %zu row%s:", contest->own_rows,
                  contest->own_rows == 1 ? "" : "s");
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        om__text_addf(&text, "%s %zu %s", i > 0 ? "," : "", contest->verdicts[words[i].verdict],
                      words[i].word);
    if (contest->own_without_rival > 0)
        om__text_addf(&text, ", %zu without a rival", contest->own_without_rival);
    size_t not_ok = 0;
    for (size_t i = 0; i < contest->row_count; i++)
        not_ok += contest->rows[i].record->subject.role == OM_ROLE_OWN &&
                  contest->rows[i].outcome != OM_OUTCOME_OK;
    if (not_ok > 0)
        om__text_addf(&text, ", %zu without a result", not_ok);
    om__document_headline(document, or_empty(text.data));
    om__text_clear(&text);
    if (contest->geomean_rows > 1 && !isnan(contest->geomean)) {
        om__text_addf(&text, "geometric mean of the %zu ratios: %.3f (above 1: ours is faster)",
                      contest->geomean_rows, contest->geomean);
        om__document_headline(document, or_empty(text.data));
    }
    om__text_release(&text);
}

static void add_tickets(const om_contest *contest, const om_targets *targets, om_document *document)
{
    if (targets == NULL || targets->count == 0)
        return;
    size_t joined = 0, reached = 0, with_reach = 0;
    for (size_t i = 0; i < contest->row_count; i++) {
        const om_contest_row *row = &contest->rows[i];
        const om_target *target =
            om__target_find(targets, row->record->benchmark.table, row->record->benchmark.name);
        if (target == NULL || row->record->subject.role != OM_ROLE_OWN ||
            row->outcome != OM_OUTCOME_OK || isnan(row->time_ms))
            continue;
        joined++;
        with_reach += !isnan(target->reach_us);
        reached += !isnan(target->reach_us) && row->time_ms * 1e3 <= target->reach_us;
    }
    om__document_headline(
        document,
        om__document_textf(document,
                           "tickets: %zu of the %zu rows of %s were measured here; %zu of "
                           "%zu reach their time (figures taken elsewhere: no ratios)",
                           joined, targets->count, targets->csv.file, reached, with_reach));
}

void om__contest_headline(const om_record_set *records, const om_contest *contest,
                          const om_targets *targets, om_document *document)
{
    add_verdicts(contest, document);
    add_tickets(contest, targets, document);
    if (contest->run_count > 1)
        om__document_headline(document,
                              om__document_textf(document,
                                                 "the table is made of %zu runs; for each row the "
                                                 "newest that holds it speaks",
                                                 contest->run_count));
    if (contest->older_rows > 0)
        om__document_headline(
            document,
            om__document_textf(document, "%zu older records are left out", contest->older_rows));
    if (records->incomplete)
        om__document_warning(document,
                             "the records end in the middle of a line: the run is incomplete");
    for (size_t i = 0; i < records->warnings.count; i++)
        om__document_warning(document,
                             om__document_textf(document, "%s: %s", records->warnings.items[i].key,
                                                records->warnings.items[i].value));
}
