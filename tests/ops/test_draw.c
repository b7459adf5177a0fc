/* SPDX-License-Identifier: Apache-2.0 */
/* test_draw.c: drawn routing: distinct ids, the spread that each word promises, the same again. */
#include "helpers/op_case.h"

#include <stdlib.h>
#include <string.h>

#include "ops/reference.h"

enum { T = 400, K = 4, E = 40 };

static void draw(int routing, uint64_t seed, int32_t *ids, int *counts)
{
    assert_int_equal(om__draw_ids(routing, seed, 1, T, K, E, ids, NULL), OM_OK);
    memset(counts, 0, E * sizeof *counts);
    for (int i = 0; i < T * K; i++) {
        assert_in_range(ids[i], 0, E - 1);
        counts[ids[i]]++;
        for (int j = i / K * K; j < i; j++)
            assert_int_not_equal(ids[i], ids[j]);
    }
}

static int descending(const void *a, const void *b)
{
    return *(const int *)b - *(const int *)a;
}

/* 1600 choices: skewed puts all but about one an expert on 8 of 40; the first of a zipf has more
 * than twice the share of the tenth. */
static void ids_spread_as_promised(void **state)
{
    (void)state;
    int32_t ids[T * K];
    int counts[E];
    draw(OM_MOE_SKEWED, 3, ids, counts);
    qsort(counts, E, sizeof *counts, descending);
    int hot = 0, rest = 0;
    for (int e = 0; e < E; e++)
        *(e < E / 5 ? &hot : &rest) += counts[e];
    assert_true(hot > 1500 && rest >= 10 && rest < 100);
    draw(OM_MOE_ZIPF, 3, ids, counts);
    qsort(counts, E, sizeof *counts, descending);
    assert_true(counts[0] > 250 && counts[0] > 2 * counts[9] && counts[E - 1] > 0);
    draw(OM_MOE_ONE, 3, ids, counts);
    for (int e = 0; e < E; e++)
        assert_int_equal(counts[e], e < K ? T : 0);
    draw(OM_MOE_UNIFORM, 3, ids, counts);
    qsort(counts, E, sizeof *counts, descending);
    assert_true(counts[0] < 70 && counts[E - 1] > 15);
}

static void seeds_repeat_and_differ(void **state)
{
    (void)state;
    int32_t first[T * K], again[T * K];
    int counts[E];
    for (int routing = OM_MOE_UNIFORM; routing <= OM_MOE_ZIPF; routing++) {
        draw(routing, 5, first, counts);
        draw(routing, 5, again, counts);
        assert_memory_equal(first, again, sizeof first);
        draw(routing, 6, again, counts);
        assert_memory_not_equal(first, again, sizeof first);
    }
}

/* All experts, when a token must choose every one of them. */
static void a_full_choice_is_a_permutation(void **state)
{
    (void)state;
    int32_t ids[3 * 7];
    for (int routing = OM_MOE_UNIFORM; routing <= OM_MOE_ONE; routing++) {
        assert_int_equal(om__draw_ids(routing, 1, 1, 3, 7, 7, ids, NULL), OM_OK);
        for (int t = 0; t < 3; t++) {
            int seen = 0;
            for (int j = 0; j < 7; j++)
                seen |= 1 << ids[t * 7 + j];
            assert_int_equal(seen, 127);
        }
    }
}

static void a_shuffle_keeps_what_it_moves(void **state)
{
    (void)state;
    om_draw draw = {.seed = 9};
    int32_t values[50];
    int moved = 0, seen[50] = {0};
    for (int i = 0; i < 50; i++)
        values[i] = i;
    om__draw_shuffle(&draw, values, 50);
    for (int i = 0; i < 50; i++) {
        moved += values[i] != i;
        seen[values[i]]++;
    }
    for (int i = 0; i < 50; i++)
        assert_int_equal(seen[i], 1);
    assert_true(moved > 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ids_spread_as_promised),
        cmocka_unit_test(seeds_repeat_and_differ),
        cmocka_unit_test(a_full_choice_is_a_permutation),
        cmocka_unit_test(a_shuffle_keeps_what_it_moves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
