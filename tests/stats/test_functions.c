/* SPDX-License-Identifier: Apache-2.0 */
/* test_functions.c: every statistical function against its vectors. */
#include "vectors.h"

#include "stats/duel.h"
#include "stats/modes.h"
#include "stats/offsets.h"
#include "stats/ranks.h"
#include "stats/screen.h"
#include "stats/special.h"
#include "stats/splitmix.h"
#include "stats/steps.h"
#include "stats/visible.h"

static void check_midranks(const om_vector *vector)
{
    size_t n;
    double *values = numbers(get(vector->input, "values"), &n);
    int64_t *ranks = malloc((n + 1) * sizeof *ranks);
    assert_non_null(ranks);
    assert_int_equal(om__midranks2(values, n, ranks, NULL), OM_OK);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(ranks[i],
                         json_object_get_int64(json_object_array_get_idx(vector->expect, i)));
    free(ranks);
    free(values);
}

static void check_block_test(const om_vector *vector)
{
    struct json_object *blocks = get(vector->input, "blocks");
    double values[1000];
    bool head[1000];
    size_t block[1000], n = 0;
    for (size_t b = 0; b < json_object_array_length(blocks); b++) {
        struct json_object *one = json_object_array_get_idx(blocks, b);
        struct json_object *list = get(one, "values"), *heads = get(one, "head");
        for (size_t i = 0; i < json_object_array_length(list); i++, n++) {
            values[n] = number(json_object_array_get_idx(list, i));
            head[n] = json_object_get_int(json_object_array_get_idx(heads, i)) != 0;
            block[n] = b;
        }
    }
    om_block_test test;
    assert_int_equal(om__block_test(values, head, block, n, &test, NULL), OM_OK);
    check_number(vector, "T", (double)test.rank_sum, number(get(vector->expect, "T")));
    check_number(vector, "p_low", test.p_low, number(get(vector->expect, "p_low")));
    check_number(vector, "p_high", test.p_high, number(get(vector->expect, "p_high")));
    check_number(vector, "p_two", test.p_two, number(get(vector->expect, "p_two")));
    check_number(vector, "p_min", test.p_min, number(get(vector->expect, "p_min")));
}

static void check_holm(const om_vector *vector)
{
    size_t n;
    double *p = numbers(get(vector->input, "p"), &n);
    bool *rejected = calloc(n + 1, sizeof *rejected);
    assert_non_null(rejected);
    assert_int_equal(om__holm(p, n, number(get(vector->input, "alpha")), rejected, NULL), OM_OK);
    for (size_t i = 0; i < n; i++)
        if (rejected[i] != json_object_get_boolean(json_object_array_get_idx(vector->expect, i)))
            fail_msg("%s: p[%zu]", vector->name, i);
    free(rejected);
    free(p);
}

static void check_shift_interval(const om_vector *vector)
{
    size_t n, m;
    double *base = numbers(get(vector->input, "base"), &n);
    double *head = numbers(get(vector->input, "head"), &m);
    om_shift shift;
    assert_int_equal(om__shift_interval(base, n, head, m, number(get(vector->input, "alpha")), NULL,
                                        &shift, NULL),
                     OM_OK);
    check_number(vector, "est", shift.estimate, number(get(vector->expect, "est")));
    check_number(vector, "lo", shift.low, number(get(vector->expect, "lo")));
    check_number(vector, "hi", shift.high, number(get(vector->expect, "hi")));
    check_number(vector, "k", (double)shift.order, number(get(vector->expect, "k")));
    free(base);
    free(head);
}

static void check_u_order(const om_vector *vector)
{
    struct json_object *pairs = get(vector->input, "pairs");
    double alpha = number(get(vector->input, "alpha"));
    for (size_t i = 0; i < json_object_array_length(pairs); i++) {
        struct json_object *pair = json_object_array_get_idx(pairs, i);
        size_t n = (size_t)json_object_get_int(json_object_array_get_idx(pair, 0));
        size_t m = (size_t)json_object_get_int(json_object_array_get_idx(pair, 1)), order;
        assert_int_equal(om__u_order(n, m, alpha, &order, NULL), OM_OK);
        check_number(vector, "k", (double)order,
                     number(json_object_array_get_idx(vector->expect, i)));
    }
}

static void check_u_counts(const om_vector *vector)
{
    double counts[64];
    om__u_counts((size_t)json_object_get_int(get(vector->input, "n")),
                 (size_t)json_object_get_int(get(vector->input, "m")), counts);
    check_numbers(vector, "f", counts, vector->expect);
}

static void check_row_stats(const om_vector *vector)
{
    size_t n, m;
    double *base = numbers(get(vector->input, "base"), &n);
    double *head = numbers(get(vector->input, "head"), &m);
    double *scratch = malloc((n + m) * sizeof *scratch);
    om_row_stats stats;
    assert_non_null(scratch);
    om__row_stats(base, n, head, m, number(get(vector->input, "floor2")), scratch, &stats);
    check_number(vector, "est", stats.estimate, number(get(vector->expect, "est")));
    check_number(vector, "s2", stats.variance, number(get(vector->expect, "s2")));
    check_number(vector, "dr", stats.freedom, number(get(vector->expect, "dr")));
    check_number(vector, "clipped", (double)stats.clipped, number(get(vector->expect, "clipped")));
    free(scratch);
    free(head);
    free(base);
}

static void check_special(const om_vector *vector)
{
    size_t n;
    double *x = numbers(get(vector->input, "x"), &n);
    for (size_t i = 0; i < n; i++) {
        struct json_object *expect = vector->expect;
        check_number(vector, "digamma", om__digamma(x[i]),
                     number(json_object_array_get_idx(get(expect, "digamma"), i)));
        check_number(vector, "trigamma", om__trigamma(x[i]),
                     number(json_object_array_get_idx(get(expect, "trigamma"), i)));
        check_number(vector, "tetragamma", om__tetragamma(x[i]),
                     number(json_object_array_get_idx(get(expect, "tetragamma"), i)));
    }
    free(x);
}

static void check_trigamma_inverse(const om_vector *vector)
{
    size_t n;
    double *v = numbers(get(vector->input, "v"), &n);
    for (size_t i = 0; i < n; i++)
        v[i] = om__trigamma_inverse(v[i]);
    check_numbers(vector, "y", v, vector->expect);
    free(v);
}

static void check_student(const om_vector *vector)
{
    size_t n;
    double *t = numbers(get(vector->input, "t"), &n), *df = numbers(get(vector->input, "df"), &n);
    double p = number(get(vector->input, "two_sided"));
    for (size_t i = 0; i < n; i++) {
        check_number(vector, "tail", om__student_tail(t[i], df[i]),
                     number(json_object_array_get_idx(get(vector->expect, "tail"), i)));
        check_number(vector, "quantile", om__student_quantile(p, df[i]),
                     number(json_object_array_get_idx(get(vector->expect, "quantile"), i)));
    }
    free(t);
    free(df);
}

static void check_normal(const om_vector *vector)
{
    size_t n;
    double *p = numbers(get(vector->input, "p"), &n);
    for (size_t i = 0; i < n; i++)
        p[i] = om__normal_quantile(p[i]);
    check_numbers(vector, "z", p, vector->expect);
    free(p);
}

static void check_prior(const om_vector *vector)
{
    size_t n;
    double *variance = numbers(get(vector->input, "s2"), &n), d0, s02;
    double *freedom = malloc((n + 1) * sizeof *freedom), d = number(get(vector->input, "d"));
    assert_non_null(freedom);
    for (size_t i = 0; i < n; i++)
        freedom[i] = d;
    om_prior prior;
    om__prior_read(variance, freedom, n, &prior);
    om__prior_get(&prior, d, &d0, &s02);
    check_number(vector, "d0", d0, number(get(vector->expect, "d0")));
    check_number(vector, "s02", s02, number(get(vector->expect, "s02")));
    free(freedom);
    free(variance);
}

static void check_moderated(const om_vector *vector)
{
    om_row_stats stats = {
        .estimate = number(get(vector->input, "est")),
        .variance = number(get(vector->input, "s2")),
        .freedom = number(get(vector->input, "dr")),
        .base_count = (size_t)json_object_get_int(get(vector->input, "n_base")),
        .head_count = (size_t)json_object_get_int(get(vector->input, "n_head")),
    };
    om_screen_row row;
    om__moderate(&stats, number(get(vector->input, "d0")), number(get(vector->input, "s02")), &row);
    check_number(vector, "sm2", row.spread * row.spread, number(get(vector->expect, "sm2")));
    check_number(vector, "df", row.freedom, number(get(vector->expect, "df")));
    check_number(vector, "se", row.se, number(get(vector->expect, "se")));
    check_number(vector, "lo", row.low, number(get(vector->expect, "lo")));
    check_number(vector, "hi", row.high, number(get(vector->expect, "hi")));
    check_number(vector, "p", row.p, number(get(vector->expect, "p")));
}

static void check_offsets(const om_vector *vector)
{
    struct json_object *lists = get(vector->input, "y"),
                       *subtracted = get(vector->expect, "subtracted");
    size_t rows = json_object_array_length(lists), launches = 0;
    double y[400], offsets[40], picked[40], scratch[80];
    for (size_t i = 0; i < rows; i++) {
        double *row = numbers(json_object_array_get_idx(lists, i), &launches);
        memcpy(y + i * launches, row, launches * sizeof *row);
        free(row);
    }
    assert_int_equal(om__offsets(y, rows, launches, NULL, offsets, NULL), OM_OK);
    check_numbers(vector, "c", offsets, get(vector->expect, "c"));
    for (size_t i = 0; i < rows; i++) {
        bool did = om__offsets_pick(y + i * launches, offsets, launches, picked, scratch);
        if (did != json_object_get_boolean(json_object_array_get_idx(subtracted, i)))
            fail_msg("%s: row %zu", vector->name, i);
        for (size_t t = 0; t < launches; t++)
            assert_true(picked[t] ==
                        (did ? y[i * launches + t] - offsets[t] : y[i * launches + t]));
    }
}

static void check_visible(const om_vector *vector)
{
    struct json_object *in = vector->input;
    om_visible_input input = {
        .spread = number(get(in, "s")),
        .quantile = om__student_quantile(0.05, number(get(in, "df"))),
        .floor = has(in, "floor") ? number(get(in, "floor")) : 0.02,
        .w = number(get(in, "tau_rel")),
        .base_first = (size_t)json_object_get_int(get(in, "nb1")),
        .head_first = (size_t)json_object_get_int(get(in, "nh1")),
        .base_second = (size_t)json_object_get_int(get(in, "nb2")),
        .head_second = (size_t)json_object_get_int(get(in, "nh2")),
        .selected = (size_t)json_object_get_int(get(in, "k")),
    };
    check_number(vector, "visible change", om__visible_change(&input), number(vector->expect));
}

static void check_modes(const om_vector *vector)
{
    size_t n;
    double *values = numbers(get(vector->input, "values"), &n);
    om_modes modes;
    assert_int_equal(om__modes_find(values, n, &modes, NULL), OM_OK);
    if (modes.found != (vector->expect != NULL))
        fail_msg("%s: found %d", vector->name, modes.found);
    if (modes.found) {
        check_number(vector, "low", modes.low, number(get(vector->expect, "low")));
        check_number(vector, "high", modes.high, number(get(vector->expect, "high")));
        check_number(vector, "n_low", (double)modes.low_count,
                     number(get(vector->expect, "n_low")));
        check_number(vector, "n_high", (double)modes.high_count,
                     number(get(vector->expect, "n_high")));
        check_number(vector, "distance", modes.high - modes.low,
                     number(get(vector->expect, "distance")));
    }
    free(values);
}

static void check_duel(const om_vector *vector)
{
    struct json_object *lists = get(vector->input, "log_ratio");
    struct json_object *ticks = get(vector->input, "tick_rel");
    size_t n = json_object_array_length(lists);
    om_duel_row *rows = calloc(n, sizeof *rows);
    om_duel_launch *launches = calloc(n * 10, sizeof *launches);
    assert_non_null(rows);
    assert_non_null(launches);
    for (size_t i = 0; i < n; i++) {
        struct json_object *row = json_object_array_get_idx(lists, i);
        rows[i].launches = launches + i * 10;
        rows[i].launch_count = json_object_array_length(row);
        if (ticks != NULL)
            rows[i].tick = json_object_is_type(ticks, json_type_array)
                               ? number(json_object_array_get_idx(ticks, i))
                               : number(ticks);
        for (size_t l = 0; l < rows[i].launch_count; l++) {
            size_t count;
            double *d = numbers(json_object_array_get_idx(row, l), &count), scratch[200];
            assert_true(om__duel_launch(d, count, scratch, &launches[i * 10 + l]));
            free(d);
        }
    }
    double d0, s02;
    assert_int_equal(om__duel_judge(rows, n, &d0, &s02, NULL), OM_OK);
    check_number(vector, "d0", d0, number(get(vector->expect, "d0")));
    check_number(vector, "s02", s02, number(get(vector->expect, "s02")));
    struct json_object *wanted = get(vector->expect, "rows"),
                       *words = get(vector->expect, "verdict");
    for (size_t i = 0; i < n; i++) {
        double got[3] = {rows[i].mean, rows[i].low, rows[i].high};
        check_numbers(vector, "row", got, json_object_array_get_idx(wanted, i));
        assert_string_equal(om__verdict_name(rows[i].verdict),
                            json_object_get_string(json_object_array_get_idx(words, i)));
    }
    free(launches);
    free(rows);
}

static void check_steps(const om_vector *vector)
{
    size_t n;
    double *y = numbers(get(vector->input, "y"), &n);
    struct json_object *wanted = get(vector->expect, "steps");
    om_steps steps;
    assert_int_equal(om__steps_find(y, n, number(get(vector->input, "tick_rel")), &steps, NULL),
                     OM_OK);
    check_number(vector, "scale", steps.scale, number(get(vector->expect, "scale")));
    check_number(vector, "ar", steps.wander, number(get(vector->expect, "ar")));
    check_number(vector, "pending", (double)steps.pending, number(get(vector->expect, "pending")));
    check_number(vector, "number of steps", (double)steps.count,
                 (double)json_object_array_length(wanted));
    for (size_t i = 0; i < steps.count; i++) {
        struct json_object *step = json_object_array_get_idx(wanted, i);
        check_number(vector, "at", (double)steps.steps[i].at, number(get(step, "at")));
        check_number(vector, "before", steps.steps[i].before, number(get(step, "before")));
        check_number(vector, "after", steps.steps[i].after, number(get(step, "after")));
    }
    om__steps_release(&steps);
    free(y);
}

static void check_wilson(const om_vector *vector)
{
    size_t n;
    double *k = numbers(get(vector->input, "k"), &n), *of = numbers(get(vector->input, "n"), &n);
    for (size_t i = 0; i < n; i++) {
        double ends[2];
        om__wilson_interval(k[i], of[i], &ends[0], &ends[1]);
        check_numbers(vector, "end", ends, json_object_array_get_idx(vector->expect, i));
    }
    free(k);
    free(of);
}

static void check_rank_sum(const om_vector *vector)
{
    size_t n, m;
    double *a = numbers(get(vector->input, "a"), &n), *b = numbers(get(vector->input, "b"), &m), p;
    assert_int_equal(om__rank_sum(a, n, b, m, &p, NULL), OM_OK);
    check_number(vector, "p", p, number(vector->expect));
    free(a);
    free(b);
}

static uint64_t big(struct json_object *text)
{
    return strtoull(json_object_get_string(text), NULL, 10);
}

static void check_generator(const om_vector *vector)
{
    uint64_t seed = big(get(vector->input, "seed"));
    struct json_object *list = get(vector->expect, "next"), *limits = get(vector->input, "below");
    om_splitmix generator = {seed};
    for (size_t i = 0; i < json_object_array_length(list); i++)
        assert_true(om__splitmix_next(&generator) == big(json_object_array_get_idx(list, i)));
    generator.state = seed;
    list = get(vector->expect, "below");
    for (size_t i = 0; i < json_object_array_length(list); i++)
        assert_true(om__splitmix_below(&generator, big(json_object_array_get_idx(limits, i))) ==
                    big(json_object_array_get_idx(list, i)));
    generator.state = seed;
    list = get(vector->expect, "rounds");
    for (size_t i = 0; i < json_object_array_length(list); i++) {
        size_t round[3] = {0, 1, 2};
        om__splitmix_shuffle(&generator, round, 3);
        for (size_t j = 0; j < 3; j++)
            assert_int_equal(round[j], json_object_get_int(json_object_array_get_idx(
                                           json_object_array_get_idx(list, i), j)));
    }
    generator.state = seed;
    size_t twenty[20];
    for (size_t i = 0; i < 20; i++)
        twenty[i] = i;
    om__splitmix_shuffle(&generator, twenty, 20);
    for (size_t i = 0; i < 20; i++)
        assert_int_equal(twenty[i], json_object_get_int(json_object_array_get_idx(
                                        get(vector->expect, "twenty"), i)));
}

static void function_vectors(void **state)
{
    (void)state;
    static const struct {
        const char *kind;
        size_t fewest;
        void (*check)(const om_vector *vector);
    } table[] = {
        {"doubled_midranks", 4, check_midranks},
        {"block_test", 13, check_block_test},
        {"holm", 6, check_holm},
        {"shift_interval", 5, check_shift_interval},
        {"u_table", 3, check_u_order},
        {"u_counts", 1, check_u_counts},
        {"row_stats", 8, check_row_stats},
        {"special", 1, check_special},
        {"trigamma_inv", 1, check_trigamma_inverse},
        {"student", 1, check_student},
        {"normal_quantile", 1, check_normal},
        {"prior", 4, check_prior},
        {"moderated", 2, check_moderated},
        {"offsets", 2, check_offsets},
        {"mde", 8, check_visible},
        {"two_modes", 12, check_modes},
        {"pairs", 5, check_duel},
        {"steps", 23, check_steps},
        {"wilson", 2, check_wilson},
        {"ranksum", 6, check_rank_sum},
        {"generator", 4, check_generator},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        for_each_vector(table[i].kind, table[i].fewest, table[i].check);
}

/* 30 against 30 values: too many for counting by hand, so against the normal approximation, which
 * is good to a few per cent there. */
static void block_test_takes_sixty_values(void **state)
{
    (void)state;
    double values[60];
    bool head[60];
    om_splitmix generator = {11};
    for (size_t i = 0; i < 60; i++) {
        head[i] = i >= 30;
        values[i] = om__splitmix_uniform(&generator) + (head[i] ? 0.2 : 0.0);
    }
    om_block_test test;
    assert_int_equal(om__block_test(values, head, NULL, 60, &test, NULL), OM_OK);
    double z = ((double)test.rank_sum / 2 - 30 * 30.5) / sqrt(30 * 30 * 61.0 / 12);
    assert_true(fabs(test.p_two / erfc(fabs(z) / sqrt(2)) - 1) < 0.1);
    assert_true(test.p_low + test.p_high > 1 && test.p_low + test.p_high < 1.1);
}

static void nothing_gives_no_answer(void **state)
{
    (void)state;
    om_block_test test;
    assert_int_equal(om__block_test(NULL, NULL, NULL, 0, &test, NULL), OM_OK);
    assert_true(test.p_two == 1);
    double missing[3] = {NAN, NAN, NAN};
    bool head[3] = {true, false, false};
    assert_int_equal(om__block_test(missing, head, NULL, 3, &test, NULL), OM_OK);
    assert_true(test.p_two == 1 && test.rank_sum == 0);
    om_shift shift;
    assert_int_equal(om__shift_interval(missing, 3, missing, 3, 0.05, NULL, &shift, NULL), OM_OK);
    assert_true(shift.estimate == 0 && isinf(shift.low) && isinf(shift.high));
    om_steps steps;
    assert_int_equal(om__steps_find(NULL, 0, 0, &steps, NULL), OM_OK);
    assert_true(steps.count == 0 && steps.pending == 0);
    om__steps_release(&steps);
    om__steps_release(NULL);
    om_duel_launch launch;
    double scratch[24];
    assert_false(om__duel_launch(missing, 3, scratch, &launch));
    assert_int_equal(om__duel_judge(NULL, 0, NULL, NULL, NULL), OM_OK);
}

/* One launch of 20 rounds: blocks of two, each with the same median: the rounds know it exactly. */
static void one_launch_is_marked(void **state)
{
    (void)state;
    double d[20], scratch[40];
    for (size_t i = 0; i < 20; i++)
        d[i] = i % 2 == 0 ? 0.049 : 0.051;
    om_duel_launch launch;
    assert_true(om__duel_launch(d, 20, scratch, &launch));
    assert_true(fabs(launch.value - 0.05) < 1e-15 && launch.within < 1e-15);
    om_duel_row row = {.launches = &launch, .launch_count = 1};
    assert_int_equal(om__duel_judge(&row, 1, NULL, NULL, NULL), OM_OK);
    assert_true(row.one_launch && row.verdict == OM_VERDICT_SLOWER);
    assert_true(om__duel_launch(d, 1, scratch, &launch)); /* one round knows no spread */
    assert_int_equal(om__duel_judge(&row, 1, NULL, NULL, NULL), OM_OK);
    assert_true(row.verdict == OM_VERDICT_UNCLEAR && isinf(row.low));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(function_vectors),
        cmocka_unit_test(block_test_takes_sixty_values),
        cmocka_unit_test(nothing_gives_no_answer),
        cmocka_unit_test(one_launch_is_marked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
