/* SPDX-License-Identifier: Apache-2.0 */
/* ab_second.c: the second look of an A/B comparison: fresh launches test what the first chose. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "stats/ab_state.h"
#include "stats/offsets.h"

/* The offsets of the second look's launches from the gauges, and all rows freed of them. */
static om_status free_of_offsets(om_ab *ab, om_error *err)
{
    const om_ab_look *look = &ab->second;
    om_status status = OM_OK;
    bool *gauges = calloc(ab->rows, sizeof *gauges);
    double *scratch = malloc(2 * look->launches * sizeof *scratch);
    free(ab->offsets2);
    free(ab->z2);
    ab->offsets2 = calloc(look->launches, sizeof *ab->offsets2);
    ab->z2 = malloc(ab->rows * look->launches * sizeof *ab->z2);
    if (gauges == NULL || scratch == NULL || ab->offsets2 == NULL || ab->z2 == NULL) {
        status = om__error_set(err, OM_NO_MEMORY, "no memory for %zu launches", look->launches);
        goto out;
    }
    memcpy(ab->z2, look->y, ab->rows * look->launches * sizeof *ab->z2);
    if (!ab->few) {
        om_block_test test;
        for (size_t i = 0; i < ab->rows; i++)
            gauges[i] = ab->details[i].gauge;
        OM_TRY_OUT(om__offsets(look->y, ab->rows, look->launches, gauges, ab->offsets2, err));
        ab->shift2 = om__offsets_difference(ab->offsets2, look->head, look->launches, scratch);
        OM_TRY_OUT(
            om__block_test(ab->offsets2, look->head, look->block, look->launches, &test, err));
        ab->shift2_p = test.p_two;
        for (size_t i = 0; i < ab->rows; i++)
            if (ab->ran[i])
                om__offsets_pick(look->y + i * look->launches, ab->offsets2, look->launches,
                                 ab->z2 + i * look->launches, scratch);
    }
    OM_TRY_OUT(om__ab_shift(ab, look, ab->offsets2, err));
out:
    free(gauges);
    free(scratch);
    return status;
}

static bool lost_too_many(const om_ab_look *look, const double *row)
{
    size_t lost[3] = {0}, all[3] = {0};
    for (size_t t = 0; t < look->launches; t++) {
        all[look->arms[t]]++;
        lost[look->arms[t]] += isnan(row[t]);
    }
    return 5 * lost[0] > all[0] || 5 * lost[1] > all[1] || 5 * lost[2] > all[2];
}

static om_status test_row(om_ab *ab, size_t i, double *sides, om_error *err)
{
    const om_ab_look *look = &ab->second;
    const double *z = ab->z2 + i * look->launches;
    om_ab_row *row = &ab->details[i];
    om_block_test test;
    om_shift shift = {0, -INFINITY, INFINITY, 0};
    size_t n, m;

    row->blocks = look->launches / ab->design.block_size;
    row->p = 1.0;
    if (!lost_too_many(look, z)) {
        om__ab_split(look, z, 1, sides, &n, sides + look->launches, &m);
        OM_TRY(om__shift_interval(sides, n, sides + look->launches, m, 0.05, &ab->memory, &shift,
                                  err));
        OM_TRY(om__block_test(z, look->head, look->block, look->launches, &test, err));
        row->p = row->direction > 0 ? test.p_high : test.p_low;
    }
    row->estimate = shift.estimate;
    row->low = shift.low;
    row->high = shift.high;
    return OM_OK;
}

/* The family of this part: selected rows that have not passed, those not run with p = 1. */
static om_status pass_rows(om_ab *ab, om_error *err)
{
    om_status status = OM_OK;
    double *p = malloc(ab->rows * sizeof *p);
    bool *rejected = calloc(ab->rows, sizeof *rejected);
    size_t count = 0;
    if (p == NULL || rejected == NULL) {
        status = om__error_set(err, OM_NO_MEMORY, "no memory to compare %zu rows", ab->rows);
        goto out;
    }
    for (size_t i = 0; i < ab->rows; i++)
        if (ab->details[i].selected && !ab->details[i].passed)
            p[count++] = ab->open[i] ? ab->details[i].p : 1.0;
    OM_TRY_OUT(om__holm(p, count, OM_AB_ALPHA_PART, rejected, err));
    count = 0;
    for (size_t i = 0; i < ab->rows; i++)
        if (ab->details[i].selected && !ab->details[i].passed)
            ab->details[i].passed = rejected[count++];
out:
    free(p);
    free(rejected);
    return status;
}

/* Base against base-again: pairs of rounds form blocks of four without the head. */
static om_status test_control(om_ab *ab, size_t i, double *values, bool *again, size_t *block,
                              om_error *err)
{
    const om_ab_look *look = &ab->second;
    const double *z = ab->z2 + i * look->launches;
    om_ab_row *row = &ab->details[i];
    om_block_test test;
    om_shift shift;
    size_t count = 0, n, m;

    if (lost_too_many(look, z))
        return OM_OK;
    om__ab_split(look, z, 2, values, &n, values + look->launches, &m);
    OM_TRY(
        om__shift_interval(values, n, values + look->launches, m, 0.05, &ab->memory, &shift, err));
    for (size_t t = 0; t < look->launches; t++) {
        if (look->arms[t] == 1)
            continue;
        values[count] = z[t];
        again[count] = look->arms[t] == 2;
        block[count++] = look->block[t] / 2;
    }
    OM_TRY(om__block_test(values, again, block, count, &test, err));
    row->control_estimate = shift.estimate;
    row->control_low = shift.low;
    row->control_high = shift.high;
    row->control_p = row->control_direction > 0 ? test.p_high : test.p_low;
    return OM_OK;
}

static om_status judge_control(om_ab *ab, om_error *err)
{
    om_status status = OM_OK;
    size_t launches = ab->second.launches, count = 0;
    double *values = malloc((2 * launches + ab->rows) * sizeof *values);
    bool *flags = calloc(launches + ab->rows, sizeof *flags);
    size_t *block = malloc((launches + 1) * sizeof *block);
    if (values == NULL || flags == NULL || block == NULL) {
        status = om__error_set(err, OM_NO_MEMORY, "no memory to compare %zu rows", ab->rows);
        goto out;
    }
    double *p = values + 2 * launches;
    bool *rejected = flags + launches;
    for (size_t i = 0; i < ab->rows; i++) {
        if (!ab->details[i].control)
            continue;
        OM_TRY_OUT(test_control(ab, i, values, flags, block, err));
        p[count++] = ab->details[i].control_p;
    }
    OM_TRY_OUT(om__holm(p, count, OM_AB_ALPHA_CONTROL, rejected, err));
    count = 0;
    for (size_t i = 0; i < ab->rows; i++) {
        om_ab_row *row = &ab->details[i];
        if (row->control)
            row->control_alarm =
                rejected[count++] &&
                row->control_estimate * row->control_direction >= ab->setup[i].floor &&
                om__judged_alarm(row->control_estimate, row->control_low, row->control_high,
                                 ab->w[i], ab->setup[i].floor);
    }
out:
    free(values);
    free(flags);
    free(block);
    return status;
}

om_status om__ab_judge_part(om_ab *ab, om_error *err)
{
    om_status status = OM_OK;
    double *sides = malloc(2 * ab->second.launches * sizeof *sides);
    if (sides == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory to compare %zu rows", ab->rows);
    OM_TRY_OUT(free_of_offsets(ab, err));
    for (size_t i = 0; i < ab->rows; i++)
        if (ab->open[i])
            OM_TRY_OUT(test_row(ab, i, sides, err));
    OM_TRY_OUT(pass_rows(ab, err));
    for (size_t i = 0; i < ab->rows; i++) {
        om_ab_row *row = &ab->details[i];
        const om_judged_setup *setup = &ab->setup[i];
        if (!ab->open[i])
            continue;
        row->alarm = row->passed && row->estimate * row->direction > 0 &&
                     om__judged_alarm(row->estimate, row->low, row->high, ab->w[i], setup->floor);
        row->inside = om__judged_inside(row->low, row->high, ab->w[i], setup->tolerance);
        ab->open[i] = !row->alarm && !row->inside &&
                      row->estimate * row->direction >= setup->floor / 2 &&
                      (row->direction > 0 ? row->high : -row->low) >= setup->floor;
    }
    if (ab->parts_run == 1 && ab->control_count > 0)
        OM_TRY_OUT(judge_control(ab, err));
out:
    free(sides);
    return status;
}
