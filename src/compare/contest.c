/* SPDX-License-Identifier: Apache-2.0 */
/* contest.c: ours against theirs: records gathered into rows and cases. */
#include "compare/contest.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "compare/contest_state.h"
#include "compare/identity.h"
#include "compare/numbering.h"

/* Where a record belongs. Runs are numbered; `launch_key` keeps one record of each launch. */
typedef struct place {
    size_t case_number, row, run;
    const om_record *record;
    size_t at; /* in the record set */
} place;

typedef struct gathering {
    const om_record_set *records;
    om_contest_options options;
    om_numbering cases, rows, runs, first_calls;
    size_t *run_of_first_call; /* record index + 1 by first_calls number */
    const char **started;      /* of each run: its latest record */
    place *places;
    size_t place_count;
    om_text key;
} gathering;

static bool is_first_call(const om_record *record)
{
    return record->metric.name != NULL && strcmp(record->metric.name, "first_call") == 0;
}

static int compare_texts(const char *a, const char *b)
{
    return strcmp(a != NULL ? a : "", b != NULL ? b : "");
}

/* Benchmark, machine, device and cache: what rows of one case share besides the metric. */
static om_status add_place_key(gathering *g, const om_record *record, om_error *err)
{
    om__text_clear(&g->key);
    OM_TRY(om__identity_add_benchmark(&g->key, record, err));
    om__identity_add(&g->key, record->place.machine_class);
    om__identity_add(&g->key, record->place.device);
    om__identity_add(&g->key, record->method.cache);
    if (g->options.all_runs)
        om__identity_add(&g->key, record->when.run);
    return OM_OK;
}

static om_status number_run(gathering *g, const om_record *record, size_t *run, om_error *err)
{
    const char *name = record->when.run != NULL ? record->when.run : "";
    OM_TRY(om__numbering_add(&g->runs, name, strlen(name), run, NULL, err));
    const char *started = record->when.started;
    if (compare_texts(started, g->started[*run]) > 0)
        g->started[*run] = started;
    return OM_OK;
}

/* A first call belongs to the row of the same benchmark and subject, whatever that row's metric. */
static om_status note_first_call(gathering *g, size_t at, om_error *err)
{
    const om_record *record = &g->records->items[at];
    size_t number;
    OM_TRY(add_place_key(g, record, err));
    om__identity_add_subject(&g->key, record);
    OM_TRY(om__text_check(&g->key, err));
    OM_TRY(om__numbering_add(&g->first_calls, g->key.data, g->key.size, &number, NULL, err));
    size_t before = g->run_of_first_call[number];
    /* the newest wins, and the first launch of it: later launches find warm file caches */
    if (before > 0) {
        const om_record *old = &g->records->items[before - 1];
        int newer = compare_texts(record->when.started, old->when.started);
        bool same_run = compare_texts(record->when.run, old->when.run) == 0;
        if (same_run ? record->when.launch >= old->when.launch : newer < 0)
            return OM_OK;
    }
    g->run_of_first_call[number] = at + 1;
    return OM_OK;
}

static om_status note_record(gathering *g, size_t at, om_error *err)
{
    const om_record *record = &g->records->items[at];
    place *p = &g->places[g->place_count];
    if (is_first_call(record)) {
        OM_TRY(note_first_call(g, at, err));
        if (!g->options.first_call_rows)
            return OM_OK;
    }
    OM_TRY(add_place_key(g, record, err));
    om__identity_add(&g->key, record->metric.name);
    om__identity_add(&g->key, record->metric.unit);
    OM_TRY(om__text_check(&g->key, err));
    OM_TRY(om__numbering_add(&g->cases, g->key.data, g->key.size, &p->case_number, NULL, err));
    om__identity_add_subject(&g->key, record);
    OM_TRY(om__text_check(&g->key, err));
    OM_TRY(om__numbering_add(&g->rows, g->key.data, g->key.size, &p->row, NULL, err));
    OM_TRY(number_run(g, record, &p->run, err));
    p->record = record;
    p->at = at;
    g->place_count++;
    return OM_OK;
}

/* Case by case, row by row, launch by launch; of one launch the latest record comes last. */
static int compare_places(const void *left, const void *right)
{
    const place *a = left, *b = right;
    if (a->case_number != b->case_number)
        return a->case_number < b->case_number ? -1 : 1;
    if (a->row != b->row)
        return a->row < b->row ? -1 : 1;
    if (a->run != b->run)
        return a->run < b->run ? -1 : 1;
    if (a->record->when.launch != b->record->when.launch)
        return a->record->when.launch < b->record->when.launch ? -1 : 1;
    return (a->at > b->at) - (a->at < b->at);
}

/* The newest of the runs that hold the row places[begin .. end): by start, then by file order. */
static size_t newest_run(const gathering *g, size_t begin, size_t end)
{
    size_t best = g->places[begin].run, last = g->places[begin].at;
    for (size_t i = begin; i < end; i++) {
        const place *p = &g->places[i];
        int order = p->run == best ? 0 : compare_texts(g->started[p->run], g->started[best]);
        if (order > 0 || (order == 0 && p->at > last)) {
            best = p->run;
            last = p->at;
        }
    }
    return best;
}

/* Enough launches to tell how far they differ. */
#define OM_LEAST_LAUNCHES 2

/* What one launch could not be trusted for says nothing of the others: it is left out, and told, as
 * long as enough of them remain. */
static void leave_out_mistrusted(om_contest_row *row, const om_record **launches)
{
    size_t good = 0, lost = 0;
    for (size_t l = 0; l < row->launch_count; l++) {
        good += launches[l]->outcome == OM_OUTCOME_OK;
        lost += launches[l]->outcome == OM_OUTCOME_MISTRUSTED;
    }
    if (lost == 0 || good < OM_LEAST_LAUNCHES || good + lost < row->launch_count)
        return;
    good = 0;
    for (size_t l = 0; l < row->launch_count; l++)
        if (launches[l]->outcome == OM_OUTCOME_OK)
            launches[good++] = launches[l];
        else if (row->lost == NULL)
            row->lost = launches[l];
    row->launch_count = good;
    row->lost_count = lost;
}

/* The launches of one row in its newest run. */
static void fill_launches(gathering *g, om_contest *contest, om_contest_store *store, size_t begin,
                          size_t end, size_t *used, om_contest_row *row)
{
    size_t run = newest_run(g, begin, end), first = *used;
    for (size_t i = begin; i < end; i++) {
        const om_record *record = g->places[i].record;
        if (g->places[i].run != run) {
            contest->older_rows++;
            continue;
        }
        if (*used > first && store->launches[*used - 1]->when.launch == record->when.launch)
            (*used)--; /* the row was run again in this launch: the later record counts */
        store->launches[(*used)++] = record;
    }
    row->launches = store->launches + first;
    row->launch_count = *used - first;
    leave_out_mistrusted(row, store->launches + first);
    row->record = row->launches[0];
}

static om_status keep_text(om_contest_store *store, char *text, om_error *err)
{
    if (text == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for the names of rows");
    store->texts[store->text_count++] = text;
    return OM_OK;
}

static om_status fill_names(gathering *g, om_contest_store *store, om_contest_row *row,
                            om_error *err)
{
    const om_record *record = row->record;
    char *params = om__pairs_format(&record->benchmark.params);
    OM_TRY(keep_text(store, params, err));
    row->key_params = params;
    om_text name = {0};
    om__text_add(&name, record->subject.provider != NULL ? record->subject.provider : "");
    if (record->subject.variant != NULL && record->subject.variant[0] != '\0')
        om__text_addf(&name, " [%s]", record->subject.variant);
    OM_TRY(keep_text(store, name.failed ? NULL : name.data, err));
    row->variant_name = name.data;

    size_t number;
    OM_TRY(add_place_key(g, record, err));
    om__identity_add_subject(&g->key, record);
    OM_TRY(om__text_check(&g->key, err));
    if (om__numbering_find(&g->first_calls, g->key.data, g->key.size, &number))
        row->first_call = &g->records->items[g->run_of_first_call[number] - 1];
    return OM_OK;
}

/* Notes the run of the row among those that the table shows. */
static om_status note_run(om_contest *contest, const char *run, om_error *err)
{
    for (size_t i = 0; i < contest->run_count; i++)
        if (compare_texts(contest->runs[i], run) == 0)
            return OM_OK;
    char *copy = om__strdup(run != NULL ? run : "");
    if (copy == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for the names of runs");
    contest->runs[contest->run_count++] = copy;
    return OM_OK;
}

static om_status build_rows(gathering *g, om_contest *contest, om_error *err)
{
    om_contest_store *store = contest->store;
    size_t used = 0;
    for (size_t begin = 0; begin < g->place_count;) {
        size_t end = begin + 1;
        while (end < g->place_count && g->places[end].row == g->places[begin].row)
            end++;
        om_contest_row *row = &contest->rows[contest->row_count];
        *row = (om_contest_row){.alternative = OM_CONTEST_NO_ROW,
                                .faster_bystander = OM_CONTEST_NO_ROW,
                                .case_index = g->places[begin].case_number};
        fill_launches(g, contest, store, begin, end, &used, row);
        OM_TRY(fill_names(g, store, row, err));
        OM_TRY(note_run(contest, row->record->when.run, err));
        om_contest_case *one = &contest->cases[row->case_index];
        if (one->row_count == 0) {
            one->record = row->record;
            one->rows = store->order + contest->row_count;
            one->own = OM_CONTEST_NO_ROW;
        }
        one->rows[one->row_count++] = contest->row_count++;
        begin = end;
    }
    return OM_OK;
}

static om_status allocate(const gathering *g, om_contest *contest, om_error *err)
{
    om_contest_store *store = calloc(1, sizeof *store);
    contest->store = store;
    if (store == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for a table");
    size_t rows = g->rows.count + 1;
    store->launches = calloc(g->place_count + 1, sizeof *store->launches);
    store->order = calloc(rows, sizeof *store->order);
    store->texts = calloc(2 * rows, sizeof *store->texts);
    contest->rows = calloc(rows, sizeof *contest->rows);
    contest->cases = calloc(g->cases.count + 1, sizeof *contest->cases);
    contest->runs = calloc(g->runs.count + 1, sizeof *contest->runs);
    if (store->launches == NULL || store->order == NULL || store->texts == NULL ||
        contest->rows == NULL || contest->cases == NULL || contest->runs == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for a table of %zu rows", rows);
    contest->case_count = g->cases.count;
    return OM_OK;
}

om_status om__contest_init(const om_record_set *records, const om_contest_options *options,
                           om_contest *contest, om_error *err)
{
    om_status status = OM_OK;
    gathering g = {.records = records};

    *contest = (om_contest){0};
    if (options != NULL)
        g.options = *options;
    g.places = calloc(records->count + 1, sizeof *g.places);
    g.started = calloc(records->count + 1, sizeof *g.started);
    g.run_of_first_call = calloc(records->count + 1, sizeof *g.run_of_first_call);
    if (g.places == NULL || g.started == NULL || g.run_of_first_call == NULL) {
        status = om__error_set(err, OM_NO_MEMORY, "no memory for %zu records", records->count);
        goto out;
    }
    for (size_t i = 0; i < records->count; i++)
        OM_TRY_OUT(note_record(&g, i, err));
    qsort(g.places, g.place_count, sizeof *g.places, compare_places);
    OM_TRY_OUT(allocate(&g, contest, err));
    OM_TRY_OUT(build_rows(&g, contest, err));
    OM_TRY_OUT(om__contest_judge(&g.options, contest, err));
out:
    om__numbering_release(&g.cases);
    om__numbering_release(&g.rows);
    om__numbering_release(&g.runs);
    om__numbering_release(&g.first_calls);
    om__text_release(&g.key);
    free(g.places);
    free(g.started);
    free(g.run_of_first_call);
    if (status != OM_OK)
        om__contest_release(contest);
    return status;
}

void om__contest_release(om_contest *contest)
{
    if (contest == NULL)
        return;
    om_contest_store *store = contest->store;
    if (store != NULL) {
        for (size_t i = 0; i < store->text_count; i++)
            free(store->texts[i]);
        free(store->texts);
        free(store->launches);
        free(store->order);
        free(store);
    }
    for (size_t i = 0; i < contest->row_count; i++) {
        free(contest->rows[i].reason);
        free(contest->rows[i].note);
    }
    for (size_t i = 0; i < contest->run_count; i++)
        free(contest->runs[i]);
    free(contest->rows);
    free(contest->cases);
    free(contest->runs);
    *contest = (om_contest){0};
}
