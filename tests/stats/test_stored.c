/* SPDX-License-Identifier: Apache-2.0 */
/* test_stored.c: verdicts of runs measured apart, against their vectors. */
#include "vectors.h"

#include "stats/stored.h"

typedef struct matrix {
    double *y;
    om_judged_setup *setup;
    size_t rows, launches;
} matrix;

static matrix read_matrix(struct json_object *input)
{
    struct json_object *lists = get(input, "y"), *ops = get(input, "op");
    struct json_object *floors = get(input, "floor"), *tolerances = get(input, "tol");
    matrix m = {.rows = json_object_array_length(lists)};
    m.launches = json_object_array_length(json_object_array_get_idx(lists, 0));
    m.y = calloc(m.rows * m.launches, sizeof *m.y);
    m.setup = calloc(m.rows, sizeof *m.setup);
    assert_non_null(m.y);
    assert_non_null(m.setup);
    for (size_t i = 0; i < m.rows; i++) {
        size_t count;
        double *row = numbers(json_object_array_get_idx(lists, i), &count);
        assert_int_equal(count, m.launches);
        memcpy(m.y + i * m.launches, row, count * sizeof *row);
        free(row);
        m.setup[i].op = (size_t)json_object_get_int(json_object_array_get_idx(ops, i));
        m.setup[i].tick = number(get(input, "tick_ns"));
        if (floors != NULL)
            m.setup[i].floor = number(json_object_array_get_idx(floors, i));
        if (tolerances != NULL)
            m.setup[i].tolerance = number(json_object_array_get_idx(tolerances, i));
    }
    return m;
}

static void check_words(const om_vector *vector, const char *key, const om_stored *stored)
{
    struct json_object *words = get(vector->expect, key);
    for (size_t i = 0; i < stored->row_count; i++) {
        om_verdict got =
            strcmp(key, "shown") == 0 ? stored->rows[i].shown : stored->rows[i].verdict;
        const char *want = json_object_get_string(json_object_array_get_idx(words, i));
        if (strcmp(om__verdict_name(got), want) != 0)
            fail_msg("%s: %s of row %zu is %s, not %s", vector->name, key, i, om__verdict_name(got),
                     want);
    }
}

static void check_numbers_of(const om_vector *vector, const om_stored *stored)
{
    struct json_object *expect = vector->expect;
    double ends[2] = {stored->shift_low, stored->shift_high};
    check_numbers(vector, "offset", stored->offsets, get(expect, "offsets"));
    check_number(vector, "G", stored->shift, number(get(expect, "G")));
    check_number(vector, "pG", stored->shift_p, number(get(expect, "pG")));
    check_numbers(vector, "shift interval", ends, get(expect, "shift_interval"));
    check_number(vector, "guard p", stored->guard.p, number(get(expect, "guard_p")));
    check_number(vector, "guard r", stored->guard.correlation, number(get(expect, "guard_mean")));
    check_number(vector, "guard seen", stored->guard.seen, number(get(expect, "guard_seen")));
    if (get(expect, "guard_offsets_p") != NULL)
        check_number(vector, "guard of offsets", stored->offsets_guard.p,
                     number(get(expect, "guard_offsets_p")));
    check_number(vector, "launches", (double)stored->launches_needed,
                 number(get(expect, "launches_needed")));
    assert_int_equal(stored->dependent, json_object_get_boolean(get(expect, "dependent")));
    assert_int_equal(stored->all_moved, json_object_get_boolean(get(expect, "S1")));
    assert_int_equal(stored->one_sided, json_object_get_boolean(get(expect, "S2")));
    for (size_t i = 0; i < stored->row_count; i++) {
        const om_judged_row *row = &stored->rows[i];
        double got[4] = {row->estimate, row->low, row->high, row->p};
        double last[2] = {stored->final_low[i], stored->final_high[i]};
        char label[40];
        snprintf(label, sizeof label, "row %zu", i);
        check_numbers(vector, label, got, json_object_array_get_idx(get(expect, "rows"), i));
        snprintf(label, sizeof label, "final interval %zu", i);
        check_numbers(vector, label, last,
                      json_object_array_get_idx(get(expect, "final_interval"), i));
        snprintf(label, sizeof label, "visible %zu", i);
        check_number(vector, label, row->visible,
                     number(json_object_array_get_idx(get(expect, "visible"), i)));
    }
}

static void check_stored(const om_vector *vector)
{
    matrix m = read_matrix(vector->input);
    size_t base = (size_t)json_object_get_int(get(vector->input, "base_launches"));
    om_stored stored;
    assert_int_equal(om__stored_judge(m.y, m.rows, m.launches, base, m.setup, &stored, NULL),
                     OM_OK);
    check_words(vector, "verdict", &stored);
    check_words(vector, "shown", &stored);
    if (has(vector->expect, "rows"))
        check_numbers_of(vector, &stored);
    om__stored_release(&stored);
    free(m.y);
    free(m.setup);
}

static void stored_vectors(void **state)
{
    (void)state;
    for_each_vector("stored", 18, check_stored);
}

static void check_one_sided(const om_vector *vector)
{
    struct json_object *words = get(vector->input, "verdict"), *ops = get(vector->input, "op");
    size_t n = json_object_array_length(words);
    om_verdict *verdicts = calloc(n, sizeof *verdicts);
    om_judged_setup *setup = calloc(n, sizeof *setup);
    assert_non_null(verdicts);
    assert_non_null(setup);
    for (size_t i = 0; i < n; i++) {
        const char *word = json_object_get_string(json_object_array_get_idx(words, i));
        for (int v = 0; v < OM_VERDICT_COUNT; v++)
            if (strcmp(om__verdict_name((om_verdict)v), word) == 0)
                verdicts[i] = (om_verdict)v;
        setup[i].op = (size_t)json_object_get_int(json_object_array_get_idx(ops, i));
    }
    if (om__judged_one_sided(verdicts, setup, n) != json_object_get_boolean(vector->expect))
        fail_msg("%s", vector->name);
    free(setup);
    free(verdicts);
}

static void one_sided_vectors(void **state)
{
    (void)state;
    for_each_vector("s2", 12, check_one_sided);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stored_vectors),
        cmocka_unit_test(one_sided_vectors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
