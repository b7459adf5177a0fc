/* SPDX-License-Identifier: Apache-2.0 */
/* test_promises.c: what a comparison promises, on synthetic launches with fixed seeds. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "noise.h"

#include "stats/ab.h"

typedef struct trial {
    noise n;
    double change; /* ln of the factor of the head launches */
    size_t row;    /* that changes; NOISE_ROWS: all of them */
    double tick;
    const double *add; /* added to every value of a row, or NULL */
    const size_t *at;  /* the noise row behind each row, or NULL */
} trial;

typedef struct tally {
    size_t alarms, false_alarms, found, same, shown_same, control, slower;
    bool all_moved;
    om_verdict words[NOISE_ROWS];
} tally;

static void measure(trial *t, const om_ab_design *design, om_splitmix *orders, size_t blocks,
                    unsigned char *arms, double *y)
{
    size_t launches = blocks * design->block_size, rows = t->n.rows;
    double *column = malloc(rows * sizeof *column);
    assert_non_null(column);
    for (size_t b = 0; b < blocks; b++)
        om__ab_draw(design, orders, arms + b * design->block_size);
    for (size_t l = 0; l < launches; l++) {
        noise_launch(&t->n, l, launches, column, 1);
        for (size_t i = 0; i < rows; i++) {
            size_t from = t->at != NULL ? t->at[i] : i;
            bool changed = arms[l] == 1 && (t->row == NOISE_ROWS || from == t->row);
            double value = column[from] + (changed ? t->change : 0);
            if (t->tick > 0)
                value = log(t->tick * floor(exp(value) / t->tick + 0.5));
            y[i * launches + l] = value + (t->add != NULL ? t->add[i] : 0);
        }
    }
    free(column);
}

static tally run(trial *t, uint64_t seed)
{
    om_ab_design design = om__ab_design(true);
    om_splitmix orders = {seed};
    size_t rows = t->n.rows, most = 3 * design.part_blocks;
    om_judged_setup setup[NOISE_ROWS] = {{0}};
    double *y = malloc(rows * most * sizeof *y);
    unsigned char arms[30];
    om_ab *ab;
    om_ab_report report;
    assert_non_null(y);
    for (size_t i = 0; i < rows; i++) {
        setup[i].op = t->n.op[t->at != NULL ? t->at[i] : i];
        setup[i].tick = t->n.kind == NOISE_TICK ? 32 : t->tick;
    }
    assert_int_equal(om__ab_create(setup, rows, &design, &ab, NULL), OM_OK);
    measure(t, &design, &orders, design.first_blocks, arms, y);
    assert_int_equal(om__ab_first(ab, arms, 3 * design.first_blocks, y, NULL), OM_OK);
    while (om__ab_next(ab, NULL) > 0) {
        measure(t, &design, &orders, design.part_blocks, arms, y);
        assert_int_equal(om__ab_second(ab, arms, most, y, NULL), OM_OK);
    }
    assert_int_equal(om__ab_finish(ab, &report, NULL), OM_OK);
    tally sum = {.all_moved = report.all_moved, .control = report.control_alarms};
    for (size_t i = 0; i < rows; i++) {
        om_verdict shown = report.rows[i].shown;
        bool alarm = shown == OM_VERDICT_SLOWER || shown == OM_VERDICT_FASTER;
        size_t from = t->at != NULL ? t->at[i] : i;
        bool changed = t->change != 0 && (t->row == NOISE_ROWS || from == t->row);
        sum.words[i] = shown;
        sum.alarms += alarm;
        sum.slower += shown == OM_VERDICT_SLOWER;
        sum.found += changed && shown == OM_VERDICT_SLOWER;
        sum.false_alarms += alarm && !changed;
        sum.shown_same += shown == OM_VERDICT_SAME;
    }
    om__ab_report_release(&report);
    om__ab_destroy(ab);
    free(y);
    return sum;
}

/* Field case C-41: 12 reports a noise: more than 5 false ones have a chance of 1e-4 at a true rate
 * of 5 %. Over all 192 the limit is that of the binomial with 99.9 %: 20. */
static void unchanged_code_raises_no_alarm(void **state)
{
    (void)state;
    size_t bad = 0, all = 0;
    trial *t = calloc(1, sizeof *t);
    assert_non_null(t);
    for (int kind = 0; kind < NOISE_KINDS; kind++) {
        size_t bad_here = 0;
        for (uint64_t seed = 1; seed <= 12; seed++, all++) {
            noise_start(&t->n, (noise_kind)kind, NOISE_ROWS, 0, seed);
            t->row = 0;
            bad_here += run(t, seed).false_alarms > 0;
        }
        if (bad_here > 5)
            fail_msg("noise %d: %zu of 12 reports have a false alarm", kind, bad_here);
        bad += bad_here;
    }
    print_message("    %zu of %zu reports of unchanged code have a false alarm\n", bad, all);
    assert_true(bad <= 20);
    free(t);
}

/* 3 % at a spread of 1 %, 10 % at 3 %. */
static void real_changes_are_found(void **state)
{
    (void)state;
    static const noise_kind kinds[] = {NOISE_NORMAL, NOISE_HEAVY, NOISE_OUTLIER};
    trial *t = calloc(1, sizeof *t);
    assert_non_null(t);
    for (size_t k = 0; k < 3; k++) {
        size_t found = 0, reports = 24;
        for (uint64_t seed = 1; seed <= reports; seed++) {
            bool wide = seed % 2 == 0;
            noise_start(&t->n, kinds[k], NOISE_ROWS, wide ? 0.03 : 0.01, 100 + seed);
            t->row = (size_t)(seed * 31 % NOISE_ROWS);
            t->change = log1p(wide ? 0.10 : 0.03);
            found += run(t, seed).found;
        }
        print_message("    noise %d: found in %zu of %zu reports\n", (int)kinds[k], found, reports);
        assert_true(found * 10 >= reports * 8);
    }
    free(t);
}

static void all_rows_moving_is_suspect(void **state)
{
    (void)state;
    trial *t = calloc(1, sizeof *t);
    assert_non_null(t);
    for (uint64_t seed = 1; seed <= 4; seed++) {
        noise_start(&t->n, NOISE_NORMAL, NOISE_ROWS, 0.01, seed);
        t->row = NOISE_ROWS;
        t->change = log1p(0.03);
        tally sum = run(t, seed);
        assert_true(sum.all_moved);
        assert_int_equal(sum.shown_same + sum.alarms, 0);
    }
    free(t);
}

/* Field case C-19: Times on a grid of 32 ns at about 1.3 us, without any other noise: one tick
 * is 2.4 %. */
static void one_tick_is_never_a_verdict(void **state)
{
    (void)state;
    trial *t = calloc(1, sizeof *t);
    assert_non_null(t);
    noise_start(&t->n, NOISE_NORMAL, 40, 1e-9, 3);
    for (size_t i = 0; i < 40; i++)
        t->n.level[i] = log(1312);
    t->tick = 32;
    t->row = 7;
    t->change = log(1344.0 / 1312);
    tally sum = run(t, 5);
    assert_int_equal(sum.alarms, 0);
    t->tick = 0; /* the same without a tick: zero spread divides by nothing, and is found */
    noise_start(&t->n, NOISE_NORMAL, 40, 1e-9, 3);
    sum = run(t, 5);
    assert_int_equal(sum.found, 1);
    assert_int_equal(sum.false_alarms, 0);
    assert_int_equal(sum.shown_same, 39);
    free(t);
}

static void few_rows_are_judged_alone(void **state)
{
    (void)state;
    trial *t = calloc(1, sizeof *t);
    assert_non_null(t);
    for (size_t rows = 1; rows <= 10; rows += 9) {
        size_t found = 0;
        for (uint64_t seed = 1; seed <= 20; seed++) {
            noise_start(&t->n, NOISE_NORMAL, rows, 0.01, seed);
            t->row = rows - 1;
            t->change = log1p(0.05);
            tally sum = run(t, seed);
            found += sum.found;
            assert_int_equal(sum.false_alarms, 0);
        }
        assert_true(found >= 18);
    }
    free(t);
}

static void order_and_level_of_rows_do_not_matter(void **state)
{
    (void)state;
    static size_t at[NOISE_ROWS];
    static double add[NOISE_ROWS];
    trial *t = calloc(1, sizeof *t);
    om_splitmix generator = {9};
    assert_non_null(t);
    for (size_t i = 0; i < NOISE_ROWS; i++) {
        at[i] = i;
        add[i] = 0.25 * (double)(i % 5);
    }
    om__splitmix_shuffle(&generator, at, NOISE_ROWS);
    noise_start(&t->n, NOISE_UNEQUAL, NOISE_ROWS, 0, 4);
    t->row = 100;
    t->change = log1p(0.06);
    tally plain = run(t, 8);
    noise_start(&t->n, NOISE_UNEQUAL, NOISE_ROWS, 0, 4);
    t->at = at;
    t->add = add;
    tally moved = run(t, 8);
    for (size_t i = 0; i < NOISE_ROWS; i++)
        assert_int_equal(moved.words[i], plain.words[at[i]]);
    free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unchanged_code_raises_no_alarm),
        cmocka_unit_test(real_changes_are_found),
        cmocka_unit_test(all_rows_moving_is_suspect),
        cmocka_unit_test(one_tick_is_never_a_verdict),
        cmocka_unit_test(few_rows_are_judged_alone),
        cmocka_unit_test(order_and_level_of_rows_do_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
