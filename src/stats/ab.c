/* SPDX-License-Identifier: Apache-2.0 */
/* ab.c: an A/B comparison: the design of its launches, and the first look. */
#include "stats/ab.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "stats/ab_state.h"
#include "stats/offsets.h"
#include "stats/quantile.h"

om_ab_design om__ab_design(bool control)
{
    if (control)
        return (om_ab_design){.block_size = 3, .first_blocks = 5, .part_blocks = 10};
    return (om_ab_design){.block_size = 4, .first_blocks = 4, .part_blocks = 6};
}

void om__ab_draw(const om_ab_design *design, om_splitmix *generator, unsigned char *arms)
{
    static const unsigned char pairs[6][4] = {{0, 0, 1, 1}, {0, 1, 0, 1}, {0, 1, 1, 0},
                                              {1, 0, 0, 1}, {1, 0, 1, 0}, {1, 1, 0, 0}};
    if (design->block_size == 4) {
        memcpy(arms, pairs[om__splitmix_below(generator, 6)], 4);
        return;
    }
    size_t order[3] = {0, 1, 2};
    om__splitmix_shuffle(generator, order, 3);
    for (size_t i = 0; i < 3; i++)
        arms[i] = (unsigned char)order[i];
}

om_status om__ab_create(const om_judged_setup *setup, size_t rows, const om_ab_design *design,
                        om_ab **ab, om_error *err)
{
    *ab = NULL;
    if (rows == 0)
        return om__error_set(err, OM_INVALID, "no rows to compare");
    if ((design->block_size != 3 && design->block_size != 4) ||
        design->first_blocks < OM_AB_LEAST_BLOCKS || design->part_blocks < 1)
        return om__error_set(err, OM_INVALID,
                             "a first look of %zu blocks of %zu launches cannot decide: it takes "
                             "blocks of 3 or 4 launches and at least 4 of them",
                             design->first_blocks, design->block_size);
    om_ab *made = calloc(1, sizeof *made);
    if (made == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory to compare %zu rows", rows);
    made->rows = rows;
    made->design = *design;
    made->setup = calloc(rows, sizeof *made->setup);
    made->w = calloc(rows, sizeof *made->w);
    made->details = calloc(rows, sizeof *made->details);
    made->open = calloc(rows, sizeof *made->open);
    made->use = calloc(rows, sizeof *made->use);
    made->ran = calloc(rows, sizeof *made->ran);
    if (made->setup == NULL || made->w == NULL || made->details == NULL || made->open == NULL ||
        made->use == NULL || made->ran == NULL) {
        om__ab_destroy(made);
        return om__error_set(err, OM_NO_MEMORY, "no memory to compare %zu rows", rows);
    }
    for (size_t i = 0; i < rows; i++) {
        made->setup[i] = setup[i];
        if (!(setup[i].floor > 0))
            made->setup[i].floor = OM_JUDGED_FLOOR;
        if (!(setup[i].tolerance > 0))
            made->setup[i].tolerance = OM_JUDGED_TOLERANCE;
    }
    made->shift_p = made->shift2_p = 1.0;
    *ab = made;
    return OM_OK;
}

static void release_look(om_ab_look *look)
{
    free(look->arms);
    free(look->head);
    free(look->block);
    free(look->y);
}

void om__ab_destroy(om_ab *ab)
{
    if (ab == NULL)
        return;
    free(ab->setup);
    free(ab->w);
    free(ab->details);
    free(ab->open);
    free(ab->use);
    free(ab->ran);
    free(ab->offsets);
    free(ab->offsets2);
    free(ab->z2);
    release_look(&ab->first);
    release_look(&ab->second);
    free(ab);
}

void om__ab_split(const om_ab_look *look, const double *row, unsigned char head_arm, double *base,
                  size_t *n, double *head, size_t *m)
{
    *n = *m = 0;
    for (size_t t = 0; t < look->launches; t++) {
        if (isnan(row[t]))
            continue;
        if (look->arms[t] == head_arm)
            head[(*m)++] = row[t];
        else if (head_arm == 1 || look->arms[t] == 0)
            base[(*n)++] = row[t];
    }
}

om_status om__ab_shift(om_ab *ab, const om_ab_look *look, const double *offsets, om_error *err)
{
    size_t n, m;
    om_shift shift;
    ab->shift_low = ab->shift_high = 0.0;
    if (ab->few)
        return OM_OK;
    double *sides = malloc((2 * look->launches + 1) * sizeof *sides);
    if (sides == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory to compare %zu rows", ab->rows);
    om__ab_split(look, offsets, 1, sides, &n, sides + look->launches, &m);
    om_status status =
        om__shift_interval(sides, n, sides + look->launches, m, 0.05, &ab->memory, &shift, err);
    if (status == OM_OK) {
        ab->shift_low = shift.low;
        ab->shift_high = shift.high;
    }
    free(sides);
    return status;
}

/* ---- the first look ---- */

/* Rows that lost over one launch in five of an arm. */
static void mark_gone(om_ab *ab)
{
    const om_ab_look *look = &ab->first;
    for (size_t i = 0; i < ab->rows; i++) {
        size_t lost[3] = {0}, all[3] = {0};
        for (size_t t = 0; t < look->launches; t++) {
            all[look->arms[t]]++;
            lost[look->arms[t]] += isnan(look->y[i * look->launches + t]);
        }
        for (int arm = 0; arm < 3; arm++)
            ab->details[i].gone = ab->details[i].gone || 5 * lost[arm] > all[arm];
        ab->use[i] = !ab->details[i].gone;
        ab->left += ab->use[i];
    }
    ab->few = ab->left < OM_MIN_ROWS;
}

typedef struct candidate {
    double p;
    size_t row;
} candidate;

static int compare_candidates(const void *left, const void *right)
{
    const candidate *a = left, *b = right;
    if (a->p != b->p)
        return a->p < b->p ? -1 : 1;
    return (a->row > b->row) - (a->row < b->row);
}

/* Rows that pass a screen, the smallest p first. */
static size_t list_candidates(const om_ab *ab, const om_screen *screen, candidate *list)
{
    size_t count = 0;
    for (size_t i = 0; i < ab->rows; i++)
        if (ab->use[i] && screen->rows[i].p <= OM_AB_ALPHA_SCREEN &&
            fabs(screen->rows[i].estimate) >= ab->setup[i].floor / 2)
            list[count++] = (candidate){screen->rows[i].p, i};
    qsort(list, count, sizeof *list, compare_candidates);
    return count;
}

static void choose(om_ab *ab, const om_screen *screen, const om_screen *control, candidate *list)
{
    size_t cost = ab->rows * ab->first.launches / (ab->design.part_blocks * ab->design.block_size);
    size_t cap = ab->design.cap > 0 ? ab->design.cap : cost > 8 ? cost : 8;
    size_t count = list_candidates(ab, screen, list);
    for (size_t k = 0; k < count; k++) {
        om_ab_row *row = &ab->details[list[k].row];
        row->selected = k < cap;
        row->dropped = k >= cap;
        row->direction = screen->rows[list[k].row].estimate > 0 ? 1 : -1;
        ab->open[list[k].row] = row->selected;
        ab->selected_count += row->selected;
    }
    if (ab->design.block_size != 3)
        return;
    count = list_candidates(ab, control, list);
    for (size_t k = 0; k < count && k < cap / 2; k++) {
        om_ab_row *row = &ab->details[list[k].row];
        row->control = true;
        row->control_direction = control->rows[list[k].row].estimate > 0 ? 1 : -1;
        ab->control_count++;
    }
}

typedef struct gauge {
    bool suspicious;
    size_t place, row, op;
    int64_t spread;
} gauge;

static int compare_in_op(const void *left, const void *right)
{
    const gauge *a = left, *b = right;
    if (a->op != b->op)
        return a->op < b->op ? -1 : 1;
    if (a->suspicious != b->suspicious)
        return a->suspicious ? 1 : -1;
    if (a->spread != b->spread)
        return a->spread < b->spread ? -1 : 1;
    return (a->row > b->row) - (a->row < b->row);
}

static int compare_gauges(const void *left, const void *right)
{
    const gauge *a = left, *b = right;
    if (a->suspicious != b->suspicious)
        return a->suspicious ? 1 : -1;
    if (a->place != b->place)
        return a->place < b->place ? -1 : 1;
    if (a->spread != b->spread)
        return a->spread < b->spread ? -1 : 1;
    return (a->row > b->row) - (a->row < b->row);
}

/* Quiet rows spread over all operators: they will measure the offsets of the second look. */
static om_status choose_gauges(om_ab *ab, const om_screen *screen, om_error *err)
{
    size_t count = 0;
    if (ab->few)
        return OM_OK;
    gauge *list = malloc(ab->rows * sizeof *list);
    if (list == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory to compare %zu rows", ab->rows);
    for (size_t i = 0; i < ab->rows; i++) {
        const om_ab_row *row = &ab->details[i];
        if (ab->use[i])
            list[count++] = (gauge){row->selected || row->dropped || row->control, 0, i,
                                    ab->setup[i].op, llround(screen->rows[i].spread * 1e12)};
    }
    qsort(list, count, sizeof *list, compare_in_op);
    for (size_t k = 1; k < count; k++)
        list[k].place = list[k].op == list[k - 1].op ? list[k - 1].place + 1 : 0;
    qsort(list, count, sizeof *list, compare_gauges);
    for (size_t k = 0; k < count && k < OM_AB_GAUGES; k++)
        ab->details[list[k].row].gauge = true;
    free(list);
    return OM_OK;
}

static om_status find_offsets(om_ab *ab, double *z, double *scratch, om_error *err)
{
    const om_ab_look *look = &ab->first;
    memcpy(z, look->y, ab->rows * look->launches * sizeof *z);
    if (ab->few)
        return OM_OK;
    om_block_test test;
    OM_TRY(om__offsets(look->y, ab->rows, look->launches, ab->use, ab->offsets, err));
    ab->shift = om__offsets_difference(ab->offsets, look->head, look->launches, scratch);
    OM_TRY(om__block_test(ab->offsets, look->head, look->block, look->launches, &test, err));
    ab->shift_p = test.p_two;
    ab->first_corrected = test.p_two > OM_AB_ALPHA_SHIFT;
    for (size_t i = 0; i < ab->rows && ab->first_corrected; i++)
        om__offsets_pick(look->y + i * look->launches, ab->offsets, look->launches,
                         z + i * look->launches, scratch);
    return OM_OK;
}

/* Whether the first look leaves the common shift outside the smallest tolerance of a row. */
static bool shift_is_open(const om_ab *ab)
{
    double least = INFINITY;
    for (size_t i = 0; i < ab->rows; i++)
        if (ab->use[i])
            least = fmin(least, ab->setup[i].tolerance);
    return !ab->few && !(ab->shift_low > -least && ab->shift_high < least);
}

static om_status judge_first(om_ab *ab, om_error *err)
{
    om_status status = OM_OK;
    const om_ab_look *look = &ab->first;
    om_screen screen = {.rows = calloc(ab->rows, sizeof *screen.rows)};
    om_screen control = {.rows = calloc(ab->rows, sizeof *control.rows)};
    double *z = malloc((ab->rows + 3) * look->launches * sizeof *z);
    candidate *list = malloc(ab->rows * sizeof *list);
    unsigned char *sides = malloc(2 * look->launches);
    if (screen.rows == NULL || control.rows == NULL || z == NULL || list == NULL || sides == NULL) {
        status = om__error_set(err, OM_NO_MEMORY, "no memory to compare %zu rows", ab->rows);
        goto out;
    }
    unsigned char *control_sides = sides + look->launches;
    for (size_t t = 0; t < look->launches; t++) {
        static const unsigned char against_again[3] = {0, 2, 1};
        sides[t] = look->arms[t] == 1 ? 1 : 0;
        control_sides[t] = against_again[look->arms[t]];
    }
    OM_TRY_OUT(find_offsets(ab, z, z + ab->rows * look->launches, err));
    OM_TRY_OUT(om__ab_shift(ab, look, ab->offsets, err));
    OM_TRY_OUT(om__screen(z, ab->rows, look->launches, sides, ab->use, ab->w, &screen, err));
    OM_TRY_OUT(
        om__screen(z, ab->rows, look->launches, control_sides, ab->use, ab->w, &control, err));
    ab->d0 = screen.d0;
    ab->s02 = screen.s02;
    for (size_t i = 0; i < ab->rows; i++) {
        om_ab_row *row = &ab->details[i];
        row->first_estimate = screen.rows[i].estimate;
        row->first_low = screen.rows[i].low;
        row->first_high = screen.rows[i].high;
        row->first_p = screen.rows[i].p;
        row->p = row->control_p = 1.0;
        row->low = row->control_low = -INFINITY;
        row->high = row->control_high = INFINITY;
    }
    choose(ab, &screen, &control, list);
    OM_TRY_OUT(choose_gauges(ab, &screen, err));
    ab->part_one_due = shift_is_open(ab);
out:
    free(sides);
    free(list);
    free(z);
    free(control.rows);
    free(screen.rows);
    return status;
}

/* Appends launches to a look and cleans the new columns. */
static om_status extend(om_ab *ab, om_ab_look *look, const unsigned char *arms, size_t launches,
                        const double *y, om_error *err)
{
    size_t old = look->launches, all = old + launches, size = ab->design.block_size;
    if (launches == 0 || launches % size != 0)
        return om__error_set(err, OM_INVALID, "%zu launches are no whole blocks of %zu", launches,
                             size);
    for (size_t t = 0; t < launches; t++)
        if (arms[t] > (size == 3 ? 2 : 1))
            return om__error_set(err, OM_INVALID, "launch %zu has no such arm: %u", t, arms[t]);
    double *values = malloc(ab->rows * all * sizeof *values);
    unsigned char *new_arms = malloc(all);
    bool *head = malloc(all * sizeof *head);
    size_t *block = malloc(all * sizeof *block);
    if (values == NULL || new_arms == NULL || head == NULL || block == NULL) {
        free(values);
        free(new_arms);
        free(head);
        free(block);
        return om__error_set(err, OM_NO_MEMORY, "no memory for %zu launches of %zu rows", all,
                             ab->rows);
    }
    for (size_t t = 0; t < all; t++) {
        new_arms[t] = t < old ? look->arms[t] : arms[t - old];
        head[t] = new_arms[t] == 1;
        block[t] = t / size;
    }
    for (size_t i = 0; i < ab->rows; i++) {
        double *row = values + i * all;
        if (old > 0)
            memcpy(row, look->y + i * old, old * sizeof *row);
        memcpy(row + old, y + i * launches, launches * sizeof *row);
        for (size_t b = old; b < all; b += size) {
            size_t heads = 0, bases = 0;
            for (size_t t = b; t < b + size; t++) {
                heads += !isnan(row[t]) && head[t];
                bases += !isnan(row[t]) && !head[t];
            }
            for (size_t t = b; t < b + size && (heads == 0 || bases == 0); t++)
                row[t] = NAN;
        }
    }
    release_look(look);
    *look = (om_ab_look){all, new_arms, head, block, values};
    return OM_OK;
}

om_status om__ab_first(om_ab *ab, const unsigned char *arms, size_t launches, const double *y,
                       om_error *err)
{
    if (ab->first.launches > 0)
        return om__error_set(err, OM_INVALID, "the first look is over");
    OM_TRY(extend(ab, &ab->first, arms, launches, y, err));
    ab->offsets = calloc(launches, sizeof *ab->offsets);
    double *scratch = malloc(launches * sizeof *scratch);
    if (ab->offsets == NULL || scratch == NULL) {
        free(scratch);
        return om__error_set(err, OM_NO_MEMORY, "no memory for %zu launches", launches);
    }
    for (size_t i = 0; i < ab->rows; i++) {
        double median = om__stats_median(ab->first.y + i * launches, launches, scratch);
        ab->w[i] = isnan(median) ? 0.0 : ab->setup[i].tick / exp(median);
    }
    free(scratch);
    mark_gone(ab);
    return judge_first(ab, err);
}

/* ---- the second look ---- */

size_t om__ab_next(const om_ab *ab, bool *rows)
{
    size_t open = 0, count = 0;
    for (size_t i = 0; i < ab->rows; i++)
        open += ab->open[i];
    bool runs = ab->parts_run == 0
                    ? ab->selected_count > 0 || ab->control_count > 0 || ab->part_one_due
                    : ab->parts_run < OM_AB_PARTS && open > 0;
    for (size_t i = 0; i < ab->rows; i++) {
        const om_ab_row *row = &ab->details[i];
        bool now = runs && (ab->open[i] || row->gauge || (ab->parts_run == 0 && row->control));
        if (rows != NULL)
            rows[i] = now;
        count += now;
    }
    return count;
}

om_status om__ab_second(om_ab *ab, const unsigned char *arms, size_t launches, const double *y,
                        om_error *err)
{
    if (ab->first.launches == 0 || om__ab_next(ab, ab->ran) == 0)
        return om__error_set(err, OM_INVALID, "no second look is due");
    OM_TRY(extend(ab, &ab->second, arms, launches, y, err));
    ab->parts_run++;
    return om__ab_judge_part(ab, err);
}
