/* SPDX-License-Identifier: Apache-2.0 */
/* stored.c: verdicts of runs that were measured apart. */
#include "stats/stored.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "stats/offsets.h"
#include "stats/quantile.h"
#include "stats/ranks.h"
#include "stats/screen.h"

#define OM_STORED_ALPHA     0.05
#define OM_STORED_MOVED     0.01 /* a common shift below this is no reason for suspicion */
#define OM_STORED_GUARD     0.004
#define OM_STORED_GUARD_FEW 0.008

/* Everything one judgement needs on the way. */
typedef struct work {
    const double *y;
    const om_judged_setup *setup;
    size_t rows, launches, base, left; /* left: rows that lost not too many launches */
    bool few;                          /* too few rows to share anything */
    double *w, *p;
    double *picked; /* V: rows freed of the offsets where that makes them quieter */
    double *z;      /* what the tests see */
    double *scratch;
    bool *use, *head, *passed;
    unsigned char *side;
    om_screen screen;
    om_u_memory memory;
} work;

static double floor_of(const work *k, size_t i)
{
    return k->setup[i].floor > 0 ? k->setup[i].floor : OM_JUDGED_FLOOR;
}

static double tolerance_of(const work *k, size_t i)
{
    return k->setup[i].tolerance > 0 ? k->setup[i].tolerance : OM_JUDGED_TOLERANCE;
}

static om_status allocate(work *k, om_stored *stored, om_error *err)
{
    size_t cells = k->rows * k->launches + 1;
    stored->rows = calloc(k->rows + 1, sizeof *stored->rows);
    stored->gone = calloc(k->rows + 1, sizeof *stored->gone);
    stored->offsets = calloc(k->launches + 1, sizeof *stored->offsets);
    stored->final_low = malloc((k->rows + 1) * sizeof(double));
    stored->final_high = malloc((k->rows + 1) * sizeof(double));
    k->w = calloc(k->rows + 1, sizeof *k->w);
    k->p = calloc(k->rows + 1, sizeof *k->p);
    k->picked = malloc(cells * sizeof *k->picked);
    k->z = malloc(cells * sizeof *k->z);
    k->scratch = malloc((3 * k->launches + 1) * sizeof *k->scratch);
    k->use = calloc(k->rows + 1, sizeof *k->use);
    k->passed = calloc(k->rows + 1, sizeof *k->passed);
    k->head = calloc(k->launches + 1, sizeof *k->head);
    k->side = calloc(k->launches + 1, sizeof *k->side);
    k->screen.rows = calloc(k->rows + 1, sizeof *k->screen.rows);
    if (stored->rows == NULL || stored->gone == NULL || stored->offsets == NULL ||
        stored->final_low == NULL || stored->final_high == NULL || k->w == NULL || k->p == NULL ||
        k->picked == NULL || k->z == NULL || k->scratch == NULL || k->use == NULL ||
        k->passed == NULL || k->head == NULL || k->side == NULL || k->screen.rows == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory to compare %zu rows", k->rows);
    return OM_OK;
}

static void release(work *k)
{
    free(k->w);
    free(k->p);
    free(k->picked);
    free(k->z);
    free(k->scratch);
    free(k->use);
    free(k->passed);
    free(k->head);
    free(k->side);
    free(k->screen.rows);
}

static void read_rows(work *k, om_stored *stored)
{
    for (size_t t = 0; t < k->launches; t++) {
        k->head[t] = t >= k->base;
        k->side[t] = k->head[t] ? 1 : 0;
    }
    for (size_t i = 0; i < k->rows; i++) {
        const double *y = k->y + i * k->launches;
        size_t lost[2] = {0, 0}, side[2] = {k->base, k->launches - k->base};
        for (size_t t = 0; t < k->launches; t++)
            lost[k->head[t]] += isnan(y[t]);
        stored->gone[i] = 5 * lost[0] > side[0] || 5 * lost[1] > side[1];
        k->use[i] = !stored->gone[i];
        k->left += k->use[i];
        double median = om__stats_median(y, k->launches, k->scratch);
        k->w[i] = isnan(median) ? 0.0 : k->setup[i].tick / exp(median);
        stored->rows[i] = (om_judged_row){.low = -INFINITY,
                                          .high = INFINITY,
                                          .p = 1,
                                          .verdict = OM_VERDICT_UNCLEAR,
                                          .shown = OM_VERDICT_UNCLEAR,
                                          .doubt = stored->gone[i] ? OM_DOUBT_LOST_LAUNCHES
                                                                   : OM_DOUBT_FEW_LAUNCHES,
                                          .visible = NAN};
        stored->final_low[i] = -INFINITY;
        stored->final_high[i] = INFINITY;
    }
    k->few = k->left < OM_MIN_ROWS;
}

/* The offsets, the common shift, and the values with and without them. */
static om_status free_of_offsets(work *k, om_stored *stored, om_error *err)
{
    size_t cells = k->rows * k->launches;
    stored->shift_p = 1.0;
    memcpy(k->picked, k->y, cells * sizeof *k->y);
    if (!k->few) {
        om_block_test test;
        OM_TRY(om__offsets(k->y, k->rows, k->launches, k->use, stored->offsets, err));
        stored->shift = om__offsets_difference(stored->offsets, k->head, k->launches, k->scratch);
        OM_TRY(om__block_test(stored->offsets, k->head, NULL, k->launches, &test, err));
        stored->shift_p = test.p_two;
        for (size_t i = 0; i < k->rows; i++)
            om__offsets_pick(k->y + i * k->launches, stored->offsets, k->launches,
                             k->picked + i * k->launches, k->scratch);
    }
    const double *from = stored->shift_p > OM_STORED_ALPHA ? k->picked : k->y;
    memcpy(k->z, from, cells * sizeof *k->z);
    return OM_OK;
}

static om_status test_rows(work *k, om_stored *stored, om_error *err)
{
    double *family = malloc((k->rows + 1) * sizeof *family);
    size_t count = 0;
    bool *rejected = calloc(k->rows + 1, sizeof *rejected);
    om_status status = OM_OK;
    if (rejected == NULL || family == NULL) {
        status = om__error_set(err, OM_NO_MEMORY, "no memory to compare %zu rows", k->rows);
        goto out;
    }
    for (size_t i = 0; i < k->rows; i++) {
        if (!k->use[i])
            continue;
        const double *z = k->z + i * k->launches;
        om_judged_row *row = &stored->rows[i];
        om_block_test test;
        om_shift shift;
        OM_TRY_OUT(om__block_test(z, k->head, NULL, k->launches, &test, err));
        OM_TRY_OUT(om__shift_interval(z, k->base, z + k->base, k->launches - k->base,
                                      OM_STORED_ALPHA, &k->memory, &shift, err));
        row->p = test.p_two;
        row->estimate = shift.estimate;
        row->low = shift.low;
        row->high = shift.high;
        family[count++] = row->p;
    }
    OM_TRY_OUT(om__holm(family, count, OM_STORED_ALPHA, rejected, err));
    count = 0;
    for (size_t i = 0; i < k->rows; i++)
        k->passed[i] = k->use[i] && rejected[count++];
out:
    free(rejected);
    free(family);
    return status;
}

static bool is_alarm(const work *k, const om_stored *stored, size_t i)
{
    const om_judged_row *row = &stored->rows[i];
    return k->passed[i] &&
           om__judged_alarm(row->estimate, row->low, row->high, k->w[i], floor_of(k, i));
}

static void set_unclear(om_judged_row *row, double w, double tolerance)
{
    row->verdict = OM_VERDICT_UNCLEAR;
    row->doubt = w >= tolerance ? OM_DOUBT_RESOLUTION : OM_DOUBT_WIDE;
}

/* Rows without an alarm: their interval from the screen that shares spreads between rows. */
static om_status judge_rows(work *k, om_stored *stored, om_error *err)
{
    double *offsets = k->scratch + 2 * k->launches;
    bool *quiet = calloc(k->rows + 1, sizeof *quiet);
    om_shift shift = {0, 0, 0, 0};
    om_status status = OM_OK;

    if (quiet == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory to compare %zu rows", k->rows);
    for (size_t i = 0; i < k->rows; i++)
        quiet[i] = k->use[i] && !is_alarm(k, stored, i);
    if (!k->few) {
        OM_TRY_OUT(om__offsets(k->y, k->rows, k->launches, quiet, offsets, err));
        OM_TRY_OUT(om__shift_interval(stored->offsets, k->base, stored->offsets + k->base,
                                      k->launches - k->base, OM_STORED_ALPHA, &k->memory, &shift,
                                      err));
        for (size_t i = 0; i < k->rows && stored->shift_p > OM_STORED_ALPHA; i++)
            om__offsets_pick(k->y + i * k->launches, offsets, k->launches, k->z + i * k->launches,
                             k->scratch);
    }
    stored->shift_low = shift.low;
    stored->shift_high = shift.high;
    OM_TRY_OUT(om__screen(k->z, k->rows, k->launches, k->side, k->use, k->w, &k->screen, err));
    for (size_t i = 0; i < k->rows; i++) {
        om_judged_row *row = &stored->rows[i];
        double tolerance = tolerance_of(k, i);
        stored->final_low[i] = k->screen.rows[i].low;
        stored->final_high[i] = k->screen.rows[i].high;
        if (!k->use[i])
            continue;
        row->doubt = OM_DOUBT_NONE;
        if (!quiet[i])
            row->verdict = row->estimate > 0 ? OM_VERDICT_SLOWER : OM_VERDICT_FASTER;
        else if (om__judged_inside(k->screen.rows[i].low, k->screen.rows[i].high, k->w[i],
                                   tolerance))
            row->verdict = OM_VERDICT_SAME;
        else
            set_unclear(row, k->w[i], tolerance);
        OM_TRY_OUT(om__modes_find(k->z + i * k->launches, k->launches, &row->modes, err));
    }
out:
    free(quiet);
    return status;
}

/* Half-width of the interval of a row's shift at the level of the first step of Holm. */
static om_status half_width(const work *k, const double *row, double alpha, om_u_memory *memory,
                            double *half, om_error *err)
{
    om_shift shift;
    OM_TRY(om__shift_interval(row, k->base, row + k->base, k->launches - k->base, alpha, memory,
                              &shift, err));
    *half = shift.order == 0 ? NAN : fmax(shift.estimate - shift.low, shift.high - shift.estimate);
    return OM_OK;
}

static om_status set_visible(work *k, om_stored *stored, om_error *err)
{
    om_u_memory memory = {0};
    for (size_t i = 0; i < k->rows; i++) {
        if (!k->use[i])
            continue;
        double alpha = OM_STORED_ALPHA / (double)k->left, raw, freed;
        OM_TRY(half_width(k, k->y + i * k->launches, alpha, &memory, &raw, err));
        OM_TRY(half_width(k, k->picked + i * k->launches, alpha, &memory, &freed, err));
        if (isnan(raw) || isnan(freed))
            continue;
        double least = fmax(floor_of(k, i), 2.5 * k->w[i]);
        stored->rows[i].visible =
            1.1 * (fmax(fmax(least, raw), freed) + 1.96 * k->screen.rows[i].se);
    }
    return OM_OK;
}

static om_status check_dependence(work *k, om_stored *stored, om_error *err)
{
    double level = k->few ? OM_STORED_GUARD_FEW : OM_STORED_GUARD;
    OM_TRY(om__guard(k->picked, k->rows, k->launches, k->base, k->use, level, &stored->guard, err));
    stored->offsets_guard = (om_guard){1, 0, 1};
    if (!k->few)
        OM_TRY(om__guard(stored->offsets, 1, k->launches, k->base, NULL, level,
                         &stored->offsets_guard, err));
    stored->dependent = stored->guard.p <= level || stored->offsets_guard.p <= level;
    return OM_OK;
}

/* What all rows say together lowers what each says. */
static om_status lower(work *k, om_stored *stored, om_error *err)
{
    om_verdict *verdicts = malloc((k->rows + 1) * sizeof *verdicts);
    if (verdicts == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory to compare %zu rows", k->rows);
    for (size_t i = 0; i < k->rows; i++)
        verdicts[i] = stored->rows[i].verdict;
    stored->all_moved =
        stored->shift_p <= OM_STORED_ALPHA && fabs(stored->shift) >= OM_STORED_MOVED;
    stored->one_sided = om__judged_one_sided(verdicts, k->setup, k->rows);
    free(verdicts);
    for (size_t i = 0; i < k->rows; i++) {
        om_judged_row *row = &stored->rows[i];
        double tolerance = tolerance_of(k, i);
        bool alarm = row->verdict == OM_VERDICT_SLOWER || row->verdict == OM_VERDICT_FASTER;
        bool known = stored->shift_low > -tolerance && stored->shift_high < tolerance;
        om_doubt doubt = OM_DOUBT_NONE;
        if (row->verdict == OM_VERDICT_SAME && !known)
            doubt = OM_DOUBT_SHIFT;
        if (alarm && stored->one_sided)
            doubt = OM_DOUBT_ONE_SIDED;
        if (row->verdict != OM_VERDICT_UNCLEAR && stored->all_moved)
            doubt = OM_DOUBT_ALL_MOVED;
        if (row->verdict != OM_VERDICT_UNCLEAR && stored->dependent)
            doubt = OM_DOUBT_DEPENDENT;
        row->shown = doubt == OM_DOUBT_NONE ? row->verdict : OM_VERDICT_UNCLEAR;
        if (doubt != OM_DOUBT_NONE)
            row->doubt = doubt;
    }
    return OM_OK;
}

/* 2 / C(2 n, n) <= 0.05 / rows */
static size_t launches_needed(size_t rows)
{
    double arrangements = 1.0;
    for (size_t n = 1; n < 500; n++) {
        arrangements *= 2.0 * (2.0 * (double)n - 1) / (double)n;
        if (2 / arrangements <= OM_STORED_ALPHA / (double)rows)
            return n;
    }
    return 500;
}

om_status om__stored_judge(const double *y, size_t rows, size_t launches, size_t base,
                           const om_judged_setup *setup, om_stored *stored, om_error *err)
{
    om_status status = OM_OK;
    work k = {.y = y, .setup = setup, .rows = rows, .launches = launches, .base = base};

    *stored = (om_stored){.row_count = rows, .launch_count = launches, .shift_p = 1};
    stored->guard = stored->offsets_guard = (om_guard){1, 0, 1};
    OM_TRY_OUT(allocate(&k, stored, err));
    read_rows(&k, stored);
    stored->launches_needed = launches_needed(k.left > 0 ? k.left : 1);
    if (base < 2 || launches - base < 2) {
        stored->few_launches = true;
        goto out;
    }
    OM_TRY_OUT(free_of_offsets(&k, stored, err));
    OM_TRY_OUT(test_rows(&k, stored, err));
    OM_TRY_OUT(judge_rows(&k, stored, err));
    OM_TRY_OUT(set_visible(&k, stored, err));
    OM_TRY_OUT(check_dependence(&k, stored, err));
    OM_TRY_OUT(lower(&k, stored, err));
out:
    release(&k);
    if (status != OM_OK)
        om__stored_release(stored);
    return status;
}

void om__stored_release(om_stored *stored)
{
    if (stored == NULL)
        return;
    free(stored->rows);
    free(stored->gone);
    free(stored->offsets);
    free(stored->final_low);
    free(stored->final_high);
    *stored = (om_stored){0};
}
