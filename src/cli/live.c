/* SPDX-License-Identifier: Apache-2.0 */
/* live.c: what is seen while a run goes on; see live.h. */
#include "cli/live.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/text.h"
#include "cli/terminal.h"
#include "compare/contest.h"

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

void om__live_start(om_live *live, const om_plan *plan, const double *seconds,
                    const unsigned char *finished, size_t units, bool quiet, bool verify)
{
    *live = (om_live){.quiet = quiet,
                      .verify = verify,
                      .terminal = isatty(STDERR_FILENO) != 0,
                      .count = plan->count,
                      .units = units,
                      .seconds = seconds,
                      .finished = finished,
                      .started_s = now_s()};
    for (size_t i = 0; i < plan->count; i++)
        if (!finished[i])
            live->planned_s += seconds[i];
}

/* ---- progress ---- */

static void close_line(om_live *live)
{
    if (live->line_open)
        fputs("\r\033[K", stderr);
    live->line_open = false;
}

/* What is left: the estimate, corrected by how far it was off until now. */
static void format_left(const om_live *live, char *text, size_t size)
{
    double left = live->planned_s - live->passed_s, elapsed = now_s() - live->started_s;
    if (live->passed_s > 0)
        left *= elapsed / live->passed_s;
    if (left < 90)
        snprintf(text, size, "%.0f s left", left);
    else
        snprintf(text, size, "%.0f min left", left / 60);
}

static void show(om_live *live, const char *what)
{
    char left[64];
    if (live->quiet || !live->terminal)
        return;
    format_left(live, left, sizeof left);
    int width = om__terminal_width(stderr);
    char line[512];
    snprintf(line, sizeof line, "[%zu/%zu] %s, launch %zu of %zu%s, %s", live->index + 1,
             live->count, live->label, live->unit + 1, live->units, what, left);
    /* A line that wraps could not be taken back. */
    if (width > 1 && (int)strlen(line) >= width)
        line[width - 1] = '\0';
    fprintf(stderr, "\r\033[K%s", line);
    fflush(stderr);
    live->line_open = true;
    live->shown_s = now_s();
}

void om__live_begin(om_live *live, const om_case *c, size_t index, size_t unit, size_t units)
{
    char *label = om__case_label(c);
    snprintf(live->label, sizeof live->label, "%s", label != NULL ? label : "?");
    free(label);
    live->index = index;
    live->unit = unit;
    live->units = units;
    live->told_waiting = false;
    if (!live->quiet && !live->terminal && unit == 0) {
        char left[64];
        format_left(live, left, sizeof left);
        fprintf(stderr, "[%zu/%zu] %s (%s)\n", index + 1, live->count, live->label, left);
    }
    show(live, "");
}

void om__live_step(om_live *live, const char *provider, const char *step)
{
    char what[300];
    if (live->quiet || !live->terminal || now_s() - live->shown_s < 0.5)
        return;
    snprintf(what, sizeof what, ": %s %s", provider[0] != '\0' ? provider : "opmark", step);
    show(live, what);
}

void om__live_waiting(om_live *live, const char *provider, const char *step, double seconds)
{
    char what[300];
    const char *who = provider[0] != '\0' ? provider : "opmark";
    if (live->quiet)
        return;
    if (live->terminal) {
        snprintf(what, sizeof what, ": %s %s, for %.0f s", who, step, seconds);
        show(live, what);
    } else if (seconds >= 10 && !live->told_waiting) {
        live->told_waiting = true;
        fprintf(stderr, "%s is in its %s for %.0f s\n", who, step, seconds);
    }
}

/* ---- rows ---- */

static om_status add_copy(om_record_set *set, const om_record *record, om_error *err)
{
    char *line = NULL;
    if (set->count == set->capacity) {
        size_t capacity = set->capacity > 0 ? 2 * set->capacity : 32;
        om_record *items = realloc(set->items, capacity * sizeof *items);
        if (items == NULL)
            return om__error_set(err, OM_NO_MEMORY, "no memory for records");
        set->items = items;
        set->capacity = capacity;
    }
    OM_TRY(om__record_format(record, &line, err));
    om__record_init(&set->items[set->count]);
    om_status status = om__record_parse(line, strlen(line), "run", 1, &set->items[set->count], err);
    free(line);
    if (status == OM_OK)
        set->count++;
    else
        om__record_release(&set->items[set->count]);
    return status;
}

om_status om__live_record(om_live *live, const om_record *record, om_error *err)
{
    return live->quiet ? OM_OK : add_copy(&live->records, record, err);
}

static void format_time(double ms, char *text, size_t size)
{
    if (isnan(ms))
        snprintf(text, size, "-");
    else if (ms < 1e-3)
        snprintf(text, size, "%.1f ns", ms * 1e6);
    else if (ms < 1)
        snprintf(text, size, "%.2f us", ms * 1e3);
    else if (ms < 1e3)
        snprintf(text, size, "%.3f ms", ms);
    else
        snprintf(text, size, "%.3f s", ms / 1e3);
}

static void format_rate(const om_contest_row *row, char *text, size_t size)
{
    text[0] = '\0';
    if (!isnan(row->tflops) && row->tflops > 0 && row->record->work.flops > row->record->work.bytes)
        snprintf(text, size, row->tflops < 1 ? "%.1f GFLOP/s" : "%.2f TFLOP/s",
                 row->tflops < 1 ? row->tflops * 1e3 : row->tflops);
    else if (!isnan(row->gbps) && row->gbps > 0)
        snprintf(text, size, "%.1f GB/s", row->gbps);
}

static void print_row(const om_contest_row *row)
{
    char time[32], rate[48], ratio[96] = "";
    format_time(row->time_ms, time, sizeof time);
    format_rate(row, rate, sizeof rate);
    if (!isnan(row->ratio))
        snprintf(ratio, sizeof ratio, "%5.2fx %.2f-%.2f  %s", row->ratio, row->ratio_low,
                 row->ratio_high, om__verdict_name(row->verdict));
    else if (row->outcome != OM_OUTCOME_OK)
        snprintf(ratio, sizeof ratio, "%s", om__outcome_name(row->outcome));
    printf("  %-20s %12s  %-15s %s\n", row->variant_name, time, rate, ratio);
    if (row->outcome != OM_OUTCOME_OK && row->reason != NULL)
        printf("  %-20s %s\n", "", row->reason);
}

static void print_case(const om_live *live, const om_case *c)
{
    om_contest contest;
    char *label = om__case_label(c);
    if (om__contest_init(&live->records, NULL, &contest, NULL) != OM_OK) {
        free(label);
        return;
    }
    printf("%s%s%s\n", label != NULL ? label : "?", c->cache != NULL ? ", " : "",
           c->cache != NULL ? c->cache : "");
    for (size_t i = 0; i < contest.case_count; i++) {
        const om_contest_case *cc = &contest.cases[i];
        for (size_t j = 0; j < cc->row_count; j++)
            if (strcmp(cc->record->metric.name, "time") == 0)
                print_row(&contest.rows[cc->rows[j]]);
    }
    fflush(stdout);
    om__contest_release(&contest);
    free(label);
}

/* One line a case: who was right, and what was not. */
static void print_checks(const om_live *live, const om_case *c)
{
    char *label = om__case_label(c);
    om_text fine = {0};
    bool bad = false;
    for (size_t i = 0; i < live->records.count; i++) {
        const om_record *r = &live->records.items[i];
        if (strcmp(r->metric.name, "time") != 0)
            continue;
        if (r->outcome == OM_OUTCOME_OK || r->outcome == OM_OUTCOME_MISTRUSTED)
            om__text_addf(&fine, " %s %.1e", r->subject.provider, r->check.error);
        else if (r->outcome != OM_OUTCOME_UNSUPPORTED) {
            printf("%s %s: %s: %s\n", label != NULL ? label : "?", r->subject.provider,
                   om__outcome_name(r->outcome), r->reason != NULL ? r->reason : "");
            bad = true;
        }
    }
    if (!bad && fine.data != NULL)
        printf("%s ok:%s\n", label != NULL ? label : "?", fine.data);
    fflush(stdout);
    om__text_release(&fine);
    free(label);
}

void om__live_done(om_live *live, const om_case *c, size_t index)
{
    live->done++;
    live->passed_s += live->seconds[index];
    if (!live->quiet) {
        close_line(live);
        if (live->verify)
            print_checks(live, c);
        else
            print_case(live, c);
    }
    om__record_set_release(&live->records);
    live->records = (om_record_set){0};
}

void om__live_end(om_live *live, const om_run_result *result, const char *out)
{
    om_text text = {0};
    close_line(live);
    if (live->quiet || (result->records == 0 && live->planned_s > 0))
        return; /* it could not begin: the error says why */
    for (int i = 0; i < OM_OUTCOME_COUNT; i++) {
        size_t count = result->own[i] + result->others[i];
        if (count > 0)
            om__text_addf(&text, "%s%zu %s", text.size > 0 ? ", " : "", count,
                          om__outcome_name((om_outcome)i));
    }
    printf("%zu cases in %.0f s; records: %s", live->done, now_s() - live->started_s,
           text.data != NULL ? text.data : "none");
    if (out != NULL)
        printf("; in %s/records.jsonl", out);
    printf("\n");
    om__text_release(&text);
}

void om__live_release(om_live *live)
{
    om__record_set_release(&live->records);
    live->records = (om_record_set){0};
}
