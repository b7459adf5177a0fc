/* SPDX-License-Identifier: Apache-2.0 */
/* test_ab.c: whole A/B comparisons, against their vectors. */
#include "vectors.h"

#include "stats/ab.h"

static void check_list(const om_vector *vector, const char *key, const om_ab_report *report,
                       size_t offset)
{
    struct json_object *wanted = get(vector->expect, key);
    size_t at = 0, count = json_object_array_length(wanted);
    for (size_t i = 0; i < report->row_count; i++) {
        bool want =
            at < count && (size_t)json_object_get_int(json_object_array_get_idx(wanted, at)) == i;
        bool got = *(const bool *)((const char *)&report->details[i] + offset);
        if (want != got)
            fail_msg("%s: %s and row %zu", vector->name, key, i);
        at += want;
    }
    assert_int_equal(at, count);
}

static void check_words(const om_vector *vector, const om_ab_report *report)
{
    for (size_t i = 0; i < report->row_count; i++) {
        const char *got = om__verdict_name(report->rows[i].verdict);
        const char *want =
            json_object_get_string(json_object_array_get_idx(get(vector->expect, "verdict"), i));
        if (strcmp(got, want) != 0)
            fail_msg("%s: row %zu is %s, not %s", vector->name, i, got, want);
        got = om__verdict_name(report->rows[i].shown);
        want = json_object_get_string(json_object_array_get_idx(get(vector->expect, "shown"), i));
        if (strcmp(got, want) != 0)
            fail_msg("%s: row %zu is shown as %s, not %s", vector->name, i, got, want);
    }
}

static void check_rows(const om_vector *vector, const om_ab_report *report)
{
    for (size_t i = 0; i < report->row_count; i++) {
        const om_ab_row *row = &report->details[i];
        double first[4] = {row->first_estimate, row->first_low, row->first_high, row->first_p};
        double last[2] = {row->final_low, row->final_high};
        char label[64], key[24];
        snprintf(label, sizeof label, "first look of row %zu", i);
        struct json_object *want = json_object_array_get_idx(get(vector->expect, "first_look"), i);
        assert_int_equal(want == NULL, row->gone);
        if (want != NULL)
            check_numbers(vector, label, first, want);
        snprintf(label, sizeof label, "final interval of row %zu", i);
        want = json_object_array_get_idx(get(vector->expect, "final_interval"), i);
        if (want != NULL)
            check_numbers(vector, label, last, want);
        snprintf(key, sizeof key, "%zu", i);
        struct json_object *second = get(get(vector->expect, "second"), key);
        if ((second != NULL) != (row->blocks > 0))
            fail_msg("%s: row %zu and the second look", vector->name, i);
        if (second != NULL) {
            check_number(vector, "direction", row->direction, number(get(second, "direction")));
            check_number(vector, "est", row->estimate, number(get(second, "est")));
            check_number(vector, "lo", row->low, number(get(second, "lo")));
            check_number(vector, "hi", row->high, number(get(second, "hi")));
            check_number(vector, "p", row->p, number(get(second, "p")));
            check_number(vector, "rounds", (double)row->blocks, number(get(second, "rounds")));
            assert_int_equal(row->passed, json_object_get_boolean(get(second, "passed")));
            assert_int_equal(row->alarm, json_object_get_boolean(get(second, "alarm")));
        }
        struct json_object *control = get(get(vector->expect, "control_test"), key);
        if (control == NULL)
            continue;
        check_number(vector, "control est", row->control_estimate, number(get(control, "est")));
        check_number(vector, "control lo", row->control_low, number(get(control, "lo")));
        check_number(vector, "control hi", row->control_high, number(get(control, "hi")));
        check_number(vector, "control p", row->control_p, number(get(control, "p")));
        assert_int_equal(row->control_alarm, json_object_get_boolean(get(control, "alarm")));
    }
}

static void check_totals(const om_vector *vector, const om_ab_report *report)
{
    struct json_object *expect = vector->expect;
    double ends[2] = {report->shift_low, report->shift_high};
    check_numbers(vector, "offset", report->offsets, get(expect, "offsets"));
    check_number(vector, "G", report->shift, number(get(expect, "G")));
    check_number(vector, "pG", report->shift_p, number(get(expect, "pG")));
    check_number(vector, "G2", report->shift2, number(get(expect, "G2")));
    check_number(vector, "pG2", report->shift2_p, number(get(expect, "pG2")));
    check_number(vector, "d0", report->d0, number(get(expect, "d0")));
    check_number(vector, "s02", report->s02, number(get(expect, "s02")));
    check_numbers(vector, "shift interval", ends, get(expect, "shift_interval"));
    check_number(vector, "parts", (double)report->parts_run, number(get(expect, "parts_run")));
    check_number(vector, "control alarms", (double)report->control_alarms,
                 number(get(expect, "control_alarms")));
    assert_int_equal(report->first_corrected,
                     json_object_get_boolean(get(expect, "first_look_corrected")));
    assert_int_equal(report->all_moved, json_object_get_boolean(get(expect, "S1")));
    assert_int_equal(report->one_sided, json_object_get_boolean(get(expect, "S2")));
}

static size_t read_arms(struct json_object *list, unsigned char *arms)
{
    size_t count = json_object_array_length(list);
    assert_true(count <= 64);
    for (size_t t = 0; t < count; t++)
        arms[t] = (unsigned char)json_object_get_int(json_object_array_get_idx(list, t));
    return count;
}

/* Runs the parts that are due, with the values the vector has for exactly those rows. */
static void run_parts(const om_vector *vector, om_ab *ab, size_t rows)
{
    struct json_object *parts = get(vector->input, "second");
    bool *due = calloc(rows, sizeof *due);
    double *y = malloc(rows * 64 * sizeof *y);
    assert_non_null(due);
    assert_non_null(y);
    for (size_t part = 0; om__ab_next(ab, due) > 0; part++) {
        unsigned char arms[64];
        if (part >= json_object_array_length(parts))
            fail_msg("%s: part %zu was not to run", vector->name, part + 1);
        struct json_object *look = json_object_array_get_idx(parts, part);
        size_t launches = read_arms(get(look, "arm"), arms);
        for (size_t i = 0; i < rows; i++) {
            char key[24];
            snprintf(key, sizeof key, "%zu", i);
            struct json_object *list = get(get(look, "y"), key);
            if (due[i] != (list != NULL))
                fail_msg("%s: row %zu in part %zu", vector->name, i, part + 1);
            for (size_t t = 0; t < launches; t++)
                y[i * launches + t] =
                    list == NULL ? NAN : number(json_object_array_get_idx(list, t));
        }
        assert_int_equal(om__ab_second(ab, arms, launches, y, NULL), OM_OK);
    }
    free(y);
    free(due);
}

static void check_report(const om_vector *vector)
{
    struct json_object *lists = get(vector->input, "y"), *ops = get(vector->input, "op");
    struct json_object *floors = get(vector->input, "floor");
    struct json_object *tolerances = get(vector->input, "tol");
    size_t rows = json_object_array_length(lists);
    unsigned char arms[64];
    size_t launches = read_arms(get(vector->input, "arm"), arms);
    om_judged_setup *setup = calloc(rows, sizeof *setup);
    double *y = malloc(rows * launches * sizeof *y);
    assert_non_null(setup);
    assert_non_null(y);
    for (size_t i = 0; i < rows; i++) {
        for (size_t t = 0; t < launches; t++)
            y[i * launches + t] =
                number(json_object_array_get_idx(json_object_array_get_idx(lists, i), t));
        setup[i].op = (size_t)json_object_get_int(json_object_array_get_idx(ops, i));
        setup[i].tick = number(get(vector->input, "tick_ns"));
        setup[i].floor = floors == NULL ? 0 : number(json_object_array_get_idx(floors, i));
        setup[i].tolerance =
            tolerances == NULL ? 0 : number(json_object_array_get_idx(tolerances, i));
    }
    om_ab_design design = om__ab_design(true);
    om_ab *ab;
    om_ab_report report;
    assert_int_equal(om__ab_create(setup, rows, &design, &ab, NULL), OM_OK);
    assert_int_equal(om__ab_first(ab, arms, launches, y, NULL), OM_OK);
    run_parts(vector, ab, rows);
    assert_int_equal(om__ab_finish(ab, &report, NULL), OM_OK);
    check_list(vector, "gone", &report, offsetof(om_ab_row, gone));
    check_list(vector, "selected", &report, offsetof(om_ab_row, selected));
    check_list(vector, "dropped", &report, offsetof(om_ab_row, dropped));
    check_list(vector, "control", &report, offsetof(om_ab_row, control));
    check_list(vector, "gauges", &report, offsetof(om_ab_row, gauge));
    check_totals(vector, &report);
    check_rows(vector, &report);
    check_words(vector, &report);
    om__ab_report_release(&report);
    om__ab_destroy(ab);
    free(y);
    free(setup);
}

static void report_vectors(void **state)
{
    (void)state;
    for_each_vector("report", 48, check_report);
}

static void designs_are_drawn_as_written(void **state)
{
    (void)state;
    om_ab_design three = om__ab_design(true), four = om__ab_design(false);
    om_splitmix generator = {0};
    unsigned char arms[4];
    om__ab_draw(&three, &generator, arms);
    assert_true(arms[0] == 2 && arms[1] == 0 && arms[2] == 1);
    for (int i = 0; i < 50; i++) {
        om__ab_draw(&four, &generator, arms);
        assert_int_equal(arms[0] + arms[1] + arms[2] + arms[3], 2);
    }
}

static void misuse_is_refused(void **state)
{
    (void)state;
    om_judged_setup setup = {0};
    om_ab_design design = om__ab_design(true);
    om_ab *ab;
    om_error err;
    assert_int_equal(om__ab_create(&setup, 0, &design, &ab, &err), OM_INVALID);
    design.first_blocks = 3;
    assert_int_equal(om__ab_create(&setup, 1, &design, &ab, &err), OM_INVALID);
    design.first_blocks = 5;
    assert_int_equal(om__ab_create(&setup, 1, &design, &ab, &err), OM_OK);
    double y[3] = {1, 1, 1};
    unsigned char arms[3] = {0, 1, 3};
    om_ab_report report;
    assert_int_equal(om__ab_first(ab, arms, 2, y, &err), OM_INVALID);
    assert_int_equal(om__ab_first(ab, arms, 3, y, &err), OM_INVALID);
    assert_int_equal(om__ab_second(ab, arms, 3, y, &err), OM_INVALID);
    assert_int_equal(om__ab_finish(ab, &report, &err), OM_INVALID);
    om__ab_destroy(ab);
    om__ab_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(report_vectors),
        cmocka_unit_test(designs_are_drawn_as_written),
        cmocka_unit_test(misuse_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
