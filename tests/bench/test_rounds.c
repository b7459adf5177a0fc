/* SPDX-License-Identifier: Apache-2.0 */
/* test_rounds.c: the timed loop on virtual time: orders, inner loops, stopping, warming up,
 * leaving, invalid samples. */
#include "helpers/helper.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "bench/rounds.h"
#include "core/fill.h"
#include "providers/providers.h"

/* A contender whose every call takes what the test says. */
typedef struct actor {
    om_fake_time *time;
    double ns, noise, slope, decay; /* slope exp(-calls / decay) on top */
    int64_t calls, fail_at;
} actor;

static om_status act(void *self, om_error *err)
{
    actor *a = self;
    double chance = (double)(om__fill_bits(5, 1, (uint64_t)a->calls) >> 11) * 0x1p-53;
    if (a->fail_at > 0 && a->calls >= a->fail_at)
        return om__error_set(err, OM_DEVICE, "broke at call %lld", (long long)a->calls);
    a->time->now_ns += a->ns * (1 + a->noise * (chance - 0.5)) *
                       (1 + a->slope * exp(-(double)a->calls / (a->decay > 0 ? a->decay : 20000)));
    a->calls++;
    return OM_OK;
}

typedef struct setting {
    om_fake_time time;
    om_clock *clock;
    actor actors[3];
    om_timed timed[3];
    om_rounds_options options;
    om_rounds_result result;
    size_t announced[3];
} setting;

static void announce(void *self, size_t index)
{
    setting *s = self;
    s->announced[index]++;
}

static void set_up(setting *s)
{
    *s = (setting){.options = {.budget_ns = 1e9, .order_seed = 11}};
    om_clock_options options = {.device = "fake:0", .stream = &s->time};
    assert_int_equal(om_clock_fake.open(&options, &s->clock, NULL), OM_OK);
    for (int i = 0; i < 3; i++) {
        s->actors[i] = (actor){.time = &s->time, .ns = 1000.0 * (i + 1), .noise = 0.002};
        s->timed[i] = (om_timed){.name = "x", .call = act, .self = &s->actors[i]};
    }
    s->options.self = s;
    s->options.announce = announce;
}

static void tear_down(setting *s)
{
    for (int i = 0; i < 3; i++)
        om__timed_release(&s->timed[i]);
    om_clock_fake.close(s->clock);
}

static void run(setting *s)
{
    assert_int_equal(
        om__rounds_run(&om_clock_fake, s->clock, s->timed, 3, &s->options, &s->result, NULL),
        OM_OK);
}

static void test_order_is_a_permutation(void **state)
{
    (void)state;
    size_t first_counts[5] = {0};
    for (int64_t round = 0; round < 5000; round++) {
        size_t order[5], again[5], seen = 0;
        om__order_draw(42, round, 5, order);
        om__order_draw(42, round, 5, again);
        assert_memory_equal(order, again, sizeof order);
        for (int i = 0; i < 5; i++)
            seen |= (size_t)1 << order[i];
        assert_int_equal(seen, 31);
        first_counts[order[0]]++;
    }
    /* Each is first in 1000 of 5000 rounds, give or take five standard deviations (141). */
    for (int i = 0; i < 5; i++)
        assert_in_range(first_counts[i], 859, 1141);
    size_t a[5], b[5];
    om__order_draw(1, 0, 5, a);
    int differs = 0;
    for (uint64_t seed = 2; seed < 12; seed++) {
        om__order_draw(seed, 0, 5, b);
        differs += memcmp(a, b, sizeof a) != 0;
    }
    assert_true(differs > 5);
}

static void test_quiet_rows_stop_early(void **state)
{
    (void)state;
    setting s;
    set_up(&s);
    run(&s);
    assert_true(s.result.precise);
    assert_in_range(s.result.rounds, 10, 16);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(s.timed[i].count, s.result.rounds);
        /* The fake clock wants 0.1 ms a sample: 100, 50, 34 calls. */
        assert_in_range(s.timed[i].inner, 100 / (i + 1), 103 / (i + 1) + 1);
        assert_true(fabs(s.timed[i].samples[5] / (1000.0 * (i + 1)) - 1) < 0.002);
        assert_true(s.announced[i] >= (size_t)s.result.rounds);
        assert_true(s.timed[i].warm_up > 0);
    }
    tear_down(&s);
}

static void test_noisy_rows_go_on(void **state)
{
    (void)state;
    setting s;
    set_up(&s);
    s.actors[1].noise = 1.5;
    s.options.single = true; /* one call a sample: the noise is not averaged away */
    run(&s);
    assert_false(s.result.precise);
    assert_int_equal(s.result.rounds, 100);
    tear_down(&s);
    set_up(&s);
    s.actors[1].noise = 1.5;
    s.actors[0].ns = s.actors[2].ns = 1e7;
    s.options.single = true;
    run(&s); /* 20 ms a round: a budget of 1 s is 50 rounds */
    assert_in_range(s.result.rounds, 40, 52);
    tear_down(&s);
}

static void test_aside_is_not_waited_for(void **state)
{
    (void)state;
    setting s;
    set_up(&s);
    s.timed[1].aside = true;
    s.actors[1].noise = 1.5;
    s.actors[1].slope = 3; /* nor is it a reason to drop rounds */
    s.actors[1].decay = 50;
    s.options.single = true;
    run(&s);
    assert_true(s.result.precise);
    assert_in_range(s.result.rounds, 10, 16);
    assert_int_equal(s.result.dropped, 0);
    assert_int_equal(s.timed[1].count, s.result.rounds);
    for (int64_t i = 0; i < s.result.rounds; i++)
        assert_true(s.timed[1].samples[i] > 0);
    tear_down(&s);
    set_up(&s);
    s.timed[0].aside = true;
    s.actors[1].fail_at = s.actors[2].fail_at = 1; /* alone it has nothing to stand beside */
    run(&s);
    assert_int_equal(s.result.rounds, 0);
    tear_down(&s);
}

static void test_long_calls_take_few_rounds(void **state)
{
    (void)state;
    setting s;
    set_up(&s);
    for (int i = 0; i < 3; i++)
        s.actors[i].ns = 1e9; /* 3 s a round, 1 s of budget: ten rounds would be 30 s */
    run(&s);
    assert_in_range(s.result.rounds, 3, 4); /* times are collected every four rounds */
    assert_int_equal(s.timed[0].inner, 1);
    tear_down(&s);
}

/* Field case C-35. */
static void test_warming_up_is_left_out(void **state)
{
    (void)state;
    setting s;
    set_up(&s);
    s.actors[2].slope = 0.5; /* 50 % slower at first, over twenty thousand calls */
    s.options.precision = 0.002;
    run(&s);
    /* The warm-up is drawn out, or the first rounds are dropped, until the rest is steady. */
    assert_true(s.timed[2].warm_up > 60000);
    assert_true(fabs(s.timed[2].samples[s.result.rounds - 1] / 3000 - 1) < 0.01);
    /* Rounds stay paired: they are dropped for all. */
    for (int i = 0; i < 3; i++)
        assert_int_equal(s.timed[i].count, s.result.rounds);
    tear_down(&s);
    set_up(&s);
    s.actors[2].slope = 3;
    s.actors[2].ns = 3e6; /* too slow to get warm in time: it is said */
    s.actors[2].decay = 200;
    s.options.budget_ns = 1e9;
    run(&s);
    assert_true(s.result.dropped > 0);
    assert_true(s.timed[2].trend < -0.01);
    assert_true(s.timed[0].trend == 0);
    tear_down(&s);
}

static void test_who_fails_leaves(void **state)
{
    (void)state;
    setting s;
    set_up(&s);
    s.actors[1].fail_at = 400; /* in the rounds */
    run(&s);
    assert_true(s.timed[1].left);
    assert_non_null(strstr(s.timed[1].error.text, "broke at call 400"));
    assert_false(s.timed[0].left);
    assert_true(s.result.rounds >= 10);
    assert_int_equal(s.timed[0].count, s.timed[2].count);
    tear_down(&s);
    set_up(&s);
    for (int i = 0; i < 3; i++)
        s.actors[i].fail_at = 1;
    run(&s); /* nobody is left: it ends */
    for (int i = 0; i < 3; i++)
        assert_true(s.timed[i].left);
    tear_down(&s);
}

/* A clock that spoils every third sample. */
static int taken;

static om_status collect_spoilt(om_clock *clock, om_clock_sample *samples, size_t count,
                                om_error *err)
{
    om_status status = om_clock_fake.collect(clock, samples, count, err);
    for (size_t i = 0; i < count && count > 1; i++)
        if (taken++ % 3 == 0)
            strcpy(samples[i].invalid, "throttled");
    return status;
}

/* Field case C-14. */
static void test_invalid_samples_keep_their_place(void **state)
{
    (void)state;
    setting s;
    set_up(&s);
    taken = 0;
    om_clock_api api = om_clock_fake;
    api.collect = collect_spoilt;
    assert_int_equal(om__rounds_run(&api, s.clock, s.timed, 3, &s.options, &s.result, NULL), OM_OK);
    size_t invalid = 0;
    for (int i = 0; i < 3; i++)
        for (size_t r = 0; r < s.timed[i].count; r++) {
            bool spoilt = isnan(s.timed[i].samples[r]);
            invalid += spoilt;
            bool told = s.timed[i].reasons != NULL && s.timed[i].reasons[r] != NULL;
            assert_int_equal(spoilt, told);
            if (told)
                assert_string_equal(s.timed[i].reasons[r], "throttled");
        }
    assert_int_equal(invalid, s.result.rounds); /* a third of three a round */
    /* Ten valid ones are wanted from each. */
    assert_true(s.result.rounds >= 13);
    tear_down(&s);
}

/* Where only results count: as many calls as asked for, one a sample, and waiting spoils none. */
static void test_untimed_calls_are_few(void **state)
{
    (void)state;
    setting s;
    set_up(&s);
    s.options.untimed = true;
    s.options.min_rounds = s.options.max_rounds = 4;
    s.actors[2].fail_at = 2;
    taken = 0;
    om_clock_api api = om_clock_fake;
    api.collect = collect_spoilt;
    assert_int_equal(om__rounds_run(&api, s.clock, s.timed, 3, &s.options, &s.result, NULL), OM_OK);
    assert_int_equal(s.result.rounds, 4);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(s.actors[i].calls, 4);
        assert_int_equal(s.timed[i].inner, 1);
        assert_int_equal(s.timed[i].count, 4);
        assert_int_equal(s.announced[i], 4);
        assert_true(s.timed[i].trend == 0);
        for (int r = 0; r < 4; r++)
            assert_false(isnan(s.timed[i].samples[r]));
    }
    assert_true(s.timed[2].left);
    assert_int_equal(s.actors[2].calls, 2);
    tear_down(&s);
}

static void test_spread(void **state)
{
    (void)state;
    double scratch[32], flat[10], few[5] = {1, 1, 1, 1, 1};
    for (int i = 0; i < 10; i++)
        flat[i] = 10 + i;
    /* n = 10: the second smallest and second largest, 11 and 18, around 14.5. */
    assert_true(fabs(om__stop_spread(flat, 10, scratch) - 3.5 / 14.5) < 1e-12);
    assert_true(isinf(om__stop_spread(few, 5, scratch)));
    for (int i = 0; i < 10; i++)
        flat[i] = 7;
    assert_true(om__stop_spread(flat, 10, scratch) == 0);
    for (int i = 0; i < 10; i++)
        flat[i] = 0;
    assert_true(om__stop_spread(flat, 10, scratch) == 0); /* divides by nothing */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order_is_a_permutation),
        cmocka_unit_test(test_quiet_rows_stop_early),
        cmocka_unit_test(test_noisy_rows_go_on),
        cmocka_unit_test(test_aside_is_not_waited_for),
        cmocka_unit_test(test_long_calls_take_few_rounds),
        cmocka_unit_test(test_warming_up_is_left_out),
        cmocka_unit_test(test_who_fails_leaves),
        cmocka_unit_test(test_invalid_samples_keep_their_place),
        cmocka_unit_test(test_untimed_calls_are_few),
        cmocka_unit_test(test_spread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
