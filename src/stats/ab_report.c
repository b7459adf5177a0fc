/* SPDX-License-Identifier: Apache-2.0 */
/* ab_report.c: the verdicts of an A/B comparison after its last look. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "stats/ab_state.h"
#include "stats/offsets.h"
#include "stats/quantile.h"
#include "stats/visible.h"

/* All rows moved together, and both looks say so. */
static bool all_moved(const om_ab *ab)
{
    return ab->shift_p <= OM_AB_ALPHA_SHIFT && ab->shift2_p <= OM_AB_ALPHA_SHIFT &&
           ab->shift * ab->shift2 > 0;
}

/* First-look values freed of offsets that alarmed and dropped rows did not help to measure. */
static om_status final_values(om_ab *ab, double *z, double *scratch, om_error *err)
{
    const om_ab_look *look = &ab->first;
    om_status status = OM_OK;
    bool *quiet = calloc(ab->rows, sizeof *quiet);
    double *offsets = scratch + 2 * look->launches;

    memcpy(z, look->y, ab->rows * look->launches * sizeof *z);
    if (quiet == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory to compare %zu rows", ab->rows);
    if (!ab->few) {
        for (size_t i = 0; i < ab->rows; i++)
            quiet[i] = ab->use[i] && !ab->details[i].alarm && !ab->details[i].dropped;
        OM_TRY_OUT(om__offsets(look->y, ab->rows, look->launches, quiet, offsets, err));
        for (size_t i = 0; i < ab->rows && !all_moved(ab); i++)
            om__offsets_pick(look->y + i * look->launches, offsets, look->launches,
                             z + i * look->launches, scratch);
    }
out:
    free(quiet);
    return status;
}

static void judge_row(const om_ab *ab, size_t i, const om_screen_row *screen, om_judged_row *row)
{
    const om_ab_row *detail = &ab->details[i];
    double w = ab->w[i], tolerance = ab->setup[i].tolerance;
    bool tested = detail->selected && detail->blocks > 0;
    bool inside =
        tested ? detail->inside : om__judged_inside(screen->low, screen->high, w, tolerance);

    row->estimate = tested ? detail->estimate : screen->estimate;
    row->low = tested ? detail->low : screen->low;
    row->high = tested ? detail->high : screen->high;
    row->p = tested ? detail->p : screen->p;
    row->doubt = OM_DOUBT_NONE;
    if (detail->gone) {
        row->verdict = OM_VERDICT_UNCLEAR;
        row->doubt = OM_DOUBT_LOST_LAUNCHES;
    } else if (detail->alarm) {
        row->verdict = row->estimate > 0 ? OM_VERDICT_SLOWER : OM_VERDICT_FASTER;
    } else if (detail->dropped) {
        row->verdict = OM_VERDICT_UNCLEAR;
        row->doubt = OM_DOUBT_DROPPED;
    } else if (inside) {
        row->verdict = OM_VERDICT_SAME;
    } else {
        row->verdict = OM_VERDICT_UNCLEAR;
        row->doubt = w >= tolerance ? OM_DOUBT_RESOLUTION : OM_DOUBT_WIDE;
    }
    row->shown = row->verdict;
}

static double visible_of(const om_ab *ab, size_t i, const om_screen_row *screen)
{
    size_t planned = OM_AB_PARTS * ab->design.part_blocks;
    om_visible_input input = {
        .spread = screen->spread,
        .quantile = screen->quantile,
        .floor = ab->setup[i].floor,
        .w = ab->w[i],
        .base_first = screen->base_count,
        .head_first = screen->head_count,
        .base_second = planned * 2,
        .head_second = ab->design.block_size == 3 ? planned : planned * 2,
        .selected = ab->selected_count,
    };
    return screen->base_count > 0 && screen->head_count > 0 && screen->freedom > 0
               ? om__visible_change(&input)
               : NAN;
}

/* Two modes in the launches of the last part, else in those of the first look. An alarmed row is
 * two levels by itself, so its arms are looked at apart. */
static om_status find_modes(const om_ab *ab, size_t i, const double *z, double *scratch,
                            om_modes *modes, om_error *err)
{
    const om_ab_look *looks[2] = {&ab->second, &ab->first};
    const double *values[2] = {ab->z2 != NULL ? ab->z2 + i * ab->second.launches : NULL, z};
    const om_ab_row *detail = &ab->details[i];
    *modes = (om_modes){0};
    for (int k = 0; k < 2 && !modes->found; k++) {
        if (k == 0 && (values[0] == NULL || detail->blocks == 0))
            continue;
        if (!detail->alarm) {
            OM_TRY(om__modes_find(values[k], looks[k]->launches, modes, err));
            continue;
        }
        size_t n, m;
        om__ab_split(looks[k], values[k], 1, scratch, &n, scratch + looks[k]->launches, &m);
        OM_TRY(om__modes_find(scratch, n, modes, err));
        if (!modes->found)
            OM_TRY(om__modes_find(scratch + looks[k]->launches, m, modes, err));
    }
    return OM_OK;
}

static om_status lower(const om_ab *ab, om_ab_report *report, om_error *err)
{
    om_verdict *verdicts = malloc(ab->rows * sizeof *verdicts);
    if (verdicts == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory to compare %zu rows", ab->rows);
    for (size_t i = 0; i < ab->rows; i++) {
        verdicts[i] = report->rows[i].verdict;
        report->control_alarms += ab->details[i].control_alarm;
    }
    report->all_moved = all_moved(ab) && fabs(ab->shift2) >= OM_AB_MOVED;
    report->one_sided = !ab->few && om__judged_one_sided(verdicts, ab->setup, ab->rows);
    free(verdicts);
    for (size_t i = 0; i < ab->rows; i++) {
        om_judged_row *row = &report->rows[i];
        double tolerance = ab->setup[i].tolerance;
        bool known = ab->shift_low > -tolerance && ab->shift_high < tolerance;
        om_doubt doubt = OM_DOUBT_NONE;
        if (row->verdict == OM_VERDICT_SAME && !known)
            doubt = OM_DOUBT_SHIFT;
        if (ab->details[i].alarm && report->control_alarms >= 2)
            doubt = OM_DOUBT_CONTROL;
        if (ab->details[i].alarm && report->one_sided)
            doubt = OM_DOUBT_ONE_SIDED;
        if (row->verdict != OM_VERDICT_UNCLEAR && report->all_moved)
            doubt = OM_DOUBT_ALL_MOVED;
        if (doubt != OM_DOUBT_NONE) {
            row->shown = OM_VERDICT_UNCLEAR;
            row->doubt = doubt;
        }
    }
    return OM_OK;
}

static void summarise_visible(const om_ab *ab, om_ab_report *report, double *scratch)
{
    size_t count = 0;
    for (size_t i = 0; i < ab->rows; i++)
        if (!isnan(report->rows[i].visible))
            scratch[count++] = report->rows[i].visible;
    om__stats_sort(scratch, count);
    report->visible_median = om__stats_median_sorted(scratch, count);
    report->visible_90 = om__stats_quantile_sorted(scratch, count, 0.9);
}

static void copy_totals(const om_ab *ab, om_ab_report *report)
{
    report->details = ab->details;
    report->row_count = ab->rows;
    report->parts_run = ab->parts_run;
    report->first_corrected = ab->first_corrected;
    report->offsets = ab->offsets;
    report->d0 = ab->d0;
    report->s02 = ab->s02;
    report->shift = ab->shift;
    report->shift_p = ab->shift_p;
    report->shift2 = ab->shift2;
    report->shift2_p = ab->shift2_p;
    report->shift_low = ab->shift_low;
    report->shift_high = ab->shift_high;
}

om_status om__ab_finish(om_ab *ab, om_ab_report *report, om_error *err)
{
    om_status status = OM_OK;
    size_t launches = ab->first.launches,
           longest = launches > ab->second.launches ? launches : ab->second.launches;
    om_screen screen = {.rows = calloc(ab->rows, sizeof *screen.rows)};
    double *z = malloc((ab->rows * launches + 3 * longest + ab->rows + 1) * sizeof *z);
    unsigned char *sides = malloc(launches + 1);

    *report = (om_ab_report){.rows = calloc(ab->rows, sizeof *report->rows)};
    if (screen.rows == NULL || z == NULL || sides == NULL || report->rows == NULL) {
        status = om__error_set(err, OM_NO_MEMORY, "no memory to compare %zu rows", ab->rows);
        goto out;
    }
    if (launches == 0) {
        status = om__error_set(err, OM_INVALID, "there was no first look");
        goto out;
    }
    double *scratch = z + ab->rows * launches;
    for (size_t t = 0; t < launches; t++)
        sides[t] = ab->first.arms[t] == 1 ? 1 : 0;
    copy_totals(ab, report);
    OM_TRY_OUT(final_values(ab, z, scratch, err));
    OM_TRY_OUT(om__screen(z, ab->rows, launches, sides, ab->use, ab->w, &screen, err));
    for (size_t i = 0; i < ab->rows; i++) {
        ab->details[i].final_low = screen.rows[i].low;
        ab->details[i].final_high = screen.rows[i].high;
        judge_row(ab, i, &screen.rows[i], &report->rows[i]);
        report->rows[i].visible = visible_of(ab, i, &screen.rows[i]);
        OM_TRY_OUT(find_modes(ab, i, z + i * launches, scratch, &report->rows[i].modes, err));
    }
    OM_TRY_OUT(lower(ab, report, err));
    summarise_visible(ab, report, scratch);
out:
    if (status != OM_OK)
        om__ab_report_release(report);
    free(sides);
    free(z);
    free(screen.rows);
    return status;
}

void om__ab_report_release(om_ab_report *report)
{
    if (report == NULL)
        return;
    free(report->rows);
    *report = (om_ab_report){0};
}
