/* SPDX-License-Identifier: Apache-2.0 */
/* test_contest.c: rows, ratios and verdicts of ours against theirs. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compare/contest.h"
#include "compare/units.h"

#define ROUNDS 20

/* Records built by hand; texts are literals, samples and items belong to the bench. */
typedef struct bench {
    om_record items[4000];
    size_t count;
    uint64_t seed;
} bench;

static double noise(bench *b, double size)
{
    b->seed = b->seed * 6364136223846793005u + 1442695040888963407u;
    return 1 + size * ((double)(b->seed >> 40) / (1 << 24) - 0.5);
}

static om_record *add(bench *b, const char *name, const char *provider, om_role role,
                      const char *run, int launch, double time_ns)
{
    assert_true(b->count < sizeof b->items / sizeof *b->items);
    om_record *r = &b->items[b->count++];
    *r = (om_record){0};
    r->benchmark.suite = "quick";
    r->benchmark.name = (char *)name;
    r->benchmark.op = "gemm";
    r->benchmark.pass = "forward";
    r->metric.name = "time";
    r->metric.unit = "ns";
    r->metric.better = OM_BETTER_LOWER;
    r->subject.provider = (char *)provider;
    r->subject.role = role;
    r->place.machine_class = "box";
    r->place.device = "cpu";
    r->when.run = (char *)run;
    r->when.started = (char *)run; /* the names of runs below sort by age */
    r->when.launch = launch;
    r->method.cache = "warm";
    r->method.inner = 1;
    r->check.error = 1e-3;
    r->samples = calloc(ROUNDS, sizeof *r->samples);
    assert_non_null(r->samples);
    r->sample_count = ROUNDS;
    for (int i = 0; i < ROUNDS; i++)
        r->samples[i] = (float)(time_ns * noise(b, 0.004));
    return r;
}

static bench *make(void)
{
    bench *b = calloc(1, sizeof *b);
    assert_non_null(b);
    b->seed = 5;
    return b;
}

static void release(bench *b)
{
    for (size_t i = 0; i < b->count; i++)
        free(b->items[i].samples);
    free(b);
}

static om_contest contest_of(bench *b, const om_contest_options *options)
{
    om_record_set set = {.items = b->items, .count = b->count};
    om_contest contest;
    assert_int_equal(om__contest_init(&set, options, &contest, NULL), OM_OK);
    return contest;
}

static const om_contest_row *row_of(const om_contest *contest, const char *name,
                                    const char *provider)
{
    for (size_t i = 0; i < contest->row_count; i++)
        if (strcmp(contest->rows[i].record->benchmark.name, name) == 0 &&
            strcmp(contest->rows[i].variant_name, provider) == 0)
            return &contest->rows[i];
    fail_msg("no row %s of %s", name, provider);
    return NULL;
}

/* Field case C-31: ours 2.00 ms, vendor 2.40, plain (a reference) 1.50, broken (failed its check)
 * 0.10: the ratio is 1.20 against the vendor, and the reference that is faster gets a footnote. */
static void only_competitors_that_passed_count(void **state)
{
    (void)state;
    bench *b = make();
    for (int launch = 0; launch < 3; launch++) {
        add(b, "a", "plain", OM_ROLE_REFERENCE, "r1", launch, 1.5e6);
        add(b, "a", "own", OM_ROLE_OWN, "r1", launch, 2.0e6);
        add(b, "a", "slow", OM_ROLE_COMPETITOR, "r1", launch, 9.0e6);
        add(b, "a", "vendor", OM_ROLE_COMPETITOR, "r1", launch, 2.4e6);
        om_record *broken = add(b, "a", "broken", OM_ROLE_COMPETITOR, "r1", launch, 1e5);
        broken->outcome = OM_OUTCOME_WRONG;
        broken->reason = "output c: 3 of 12 elements differ";
    }
    om_contest contest = contest_of(b, NULL);
    assert_int_equal(contest.row_count, 5);
    assert_int_equal(contest.case_count, 1);
    const om_contest_row *own = row_of(&contest, "a", "own");
    const om_contest_row *rival = &contest.rows[own->alternative];
    assert_string_equal(rival->variant_name, "vendor");
    assert_true(fabs(own->ratio - 1.2) < 0.01);
    assert_true(own->ratio == rival->time_ms / own->time_ms); /* the quotient of what is printed */
    assert_true(own->ratio_low < own->ratio && own->ratio < own->ratio_high);
    assert_int_equal(own->verdict, OM_VERDICT_FASTER);
    assert_string_equal(contest.rows[own->faster_bystander].variant_name, "plain");
    assert_true(own->ci_low_ms <= own->time_ms && own->time_ms <= own->ci_high_ms);
    assert_int_equal(own->launch_count, 3);
    assert_true(isnan(rival->ratio) && rival->verdict == OM_VERDICT_NONE);
    const om_contest_row *broken = row_of(&contest, "a", "broken");
    assert_true(isnan(broken->time_ms) && broken->outcome == OM_OUTCOME_WRONG);
    assert_string_equal(broken->reason, "output c: 3 of 12 elements differ");
    assert_int_equal(contest.outcomes[OM_OUTCOME_OK], 4);
    assert_int_equal(contest.outcomes[OM_OUTCOME_WRONG], 1);
    const om_contest_case *one = &contest.cases[0];
    const char *order[] = {"own", "plain", "vendor", "slow", "broken"};
    for (size_t i = 0; i < 5; i++)
        assert_string_equal(contest.rows[one->rows[i]].variant_name, order[i]);
    assert_int_equal(one->own, one->rows[0]);
    om__contest_release(&contest);
    release(b);
}

static void add_pair(bench *b, const char *name, const char *run, int launch, double own,
                     double rival)
{
    add(b, name, "own", OM_ROLE_OWN, run, launch, own);
    add(b, name, "vendor", OM_ROLE_COMPETITOR, run, launch, rival);
}

static void words_follow_the_band(void **state)
{
    (void)state;
    bench *b = make();
    for (int launch = 0; launch < 3; launch++) {
        add_pair(b, "slower", "r1", launch, 1.05e6, 1e6);
        add_pair(b, "faster", "r1", launch, 0.95e6, 1e6);
        add_pair(b, "level", "r1", launch, 1.005e6, 1e6);
        /* a launch effect of 3 % on the ratio: the launches cannot agree */
        add_pair(b, "unclear", "r1", launch, (1 + 0.03 * launch) * 1e6, 1e6);
    }
    om_contest contest = contest_of(b, NULL);
    const char *names[] = {"slower", "faster", "level", "unclear"};
    om_verdict words[] = {OM_VERDICT_SLOWER, OM_VERDICT_FASTER, OM_VERDICT_SAME,
                          OM_VERDICT_UNCLEAR};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(row_of(&contest, names[i], "own")->verdict, words[i]);
        assert_int_equal(contest.verdicts[words[i]], 1);
    }
    assert_int_equal(contest.geomean_rows, 4);
    assert_true(fabs(contest.geomean - 0.993) < 0.005);
    om__contest_release(&contest);
    om_contest_options wide = {.tolerance = 0.08};
    contest = contest_of(b, &wide);
    assert_int_equal(row_of(&contest, "slower", "own")->verdict, OM_VERDICT_SAME);
    om__contest_release(&contest);
    release(b);
}

static void the_newest_run_of_a_row_speaks(void **state)
{
    (void)state;
    bench *b = make();
    for (int launch = 0; launch < 2; launch++) {
        add_pair(b, "a", "r2", launch, 3e6, 3e6);
        add_pair(b, "a", "r1", launch, 1e6, 1e6);
        add_pair(b, "old", "r1", launch, 4e6, 4e6);
    }
    add(b, "a", "own", OM_ROLE_OWN, "r3", 0, 2e6); /* run alone later */
    om_contest contest = contest_of(b, NULL);
    const om_contest_row *own = row_of(&contest, "a", "own");
    assert_true(fabs(own->time_ms - 2) < 0.02);
    assert_int_equal(own->launch_count, 1);
    assert_true(fabs(row_of(&contest, "a", "vendor")->time_ms - 3) < 0.02);
    assert_int_equal(own->verdict, OM_VERDICT_UNCLEAR);
    assert_string_equal(own->note, "not measured in the same launches");
    assert_true(fabs(own->ratio - 1.5) < 0.02 && isnan(own->ratio_low));
    assert_int_equal(row_of(&contest, "old", "own")->launch_count, 2);
    assert_int_equal(contest.run_count, 3);
    assert_int_equal(contest.older_rows, 6);
    om__contest_release(&contest);
    om_contest_options all = {.all_runs = true};
    contest = contest_of(b, &all);
    assert_int_equal(contest.case_count, 4);
    om__contest_release(&contest);
    release(b);
}

static void one_launch_is_marked(void **state)
{
    (void)state;
    bench *b = make();
    add_pair(b, "a", "r1", 0, 1.1e6, 1e6);
    om_contest contest = contest_of(b, NULL);
    const om_contest_row *own = row_of(&contest, "a", "own");
    assert_true(own->one_launch && own->verdict == OM_VERDICT_SLOWER && own->note != NULL);
    assert_false(isnan(own->ci_low_ms));
    om__contest_release(&contest);
    release(b);
}

/* Field case C-36: Sample 3 of the rival is invalid: its round is left out for the pair, and
 * counted. */
static void invalid_samples_are_left_out(void **state)
{
    (void)state;
    bench *b = make();
    for (int launch = 0; launch < 3; launch++) {
        add_pair(b, "a", "r1", launch, 1e6, 1e6);
        b->items[b->count - 1].samples[3] = NAN;
        b->items[b->count - 2].samples[3] = 5e9f;
    }
    om_contest contest = contest_of(b, NULL);
    assert_int_equal(row_of(&contest, "a", "vendor")->invalid_count, 3);
    assert_int_equal(row_of(&contest, "a", "own")->verdict, OM_VERDICT_SAME);
    om__contest_release(&contest);
    release(b);
}

/* Rounds say 1.00 every time, but the medians of the two rows come from different halves. */
static void paired_and_printed_must_agree(void **state)
{
    (void)state;
    bench *b = make();
    for (int launch = 0; launch < 3; launch++) {
        add_pair(b, "a", "r1", launch, 1e6, 1e6);
        float *own = b->items[b->count - 2].samples, *rival = b->items[b->count - 1].samples;
        for (int i = 0; i < ROUNDS; i++) {
            own[i] = i < 11 ? 2e6f : 1e6f;
            rival[i] = i < 9 ? 2e6f : 1e6f;
        }
    }
    om_contest contest = contest_of(b, NULL);
    const om_contest_row *own = row_of(&contest, "a", "own");
    assert_true(own->ratio < 0.6);
    assert_int_equal(own->verdict, OM_VERDICT_UNCLEAR);
    assert_string_equal(own->note, "paired rounds and printed times disagree");
    om__contest_release(&contest);
    release(b);
}

static void a_tick_widens_the_band(void **state)
{
    (void)state;
    bench *b = make();
    for (int launch = 0; launch < 3; launch++) {
        add_pair(b, "a", "r1", launch, 1030, 1000);
        b->items[b->count - 1].method.tick_ns = b->items[b->count - 2].method.tick_ns = 32;
    }
    om_contest contest = contest_of(b, NULL);
    assert_int_equal(row_of(&contest, "a", "own")->verdict, OM_VERDICT_SAME);
    assert_non_null(row_of(&contest, "a", "own")->note);
    om__contest_release(&contest);
    for (size_t i = 0; i < b->count; i++)
        b->items[i].method.inner = 100; /* a tick of 0.32 ns a call */
    contest = contest_of(b, NULL);
    assert_int_equal(row_of(&contest, "a", "own")->verdict, OM_VERDICT_SLOWER);
    om__contest_release(&contest);
    release(b);
}

static void other_metrics_keep_their_direction(void **state)
{
    (void)state;
    bench *b = make();
    for (int launch = 0; launch < 3; launch++) {
        add_pair(b, "a", "r1", launch, 1100, 900);
        add_pair(b, "b", "r1", launch, 1100, 900);
    }
    for (size_t i = 0; i < b->count; i++) {
        bool first = b->items[i].benchmark.name[0] == 'a';
        b->items[i].metric.name = first ? "bandwidth" : "score";
        b->items[i].metric.unit = first ? "GB/s" : "widgets";
        b->items[i].metric.better = first ? OM_BETTER_HIGHER : OM_BETTER_UNKNOWN;
    }
    om_contest contest = contest_of(b, NULL);
    const om_contest_row *own = row_of(&contest, "a", "own");
    assert_int_equal(own->verdict, OM_VERDICT_FASTER);
    assert_true(fabs(own->ratio - 1.222) < 0.01 && isnan(own->time_ms));
    assert_true(fabs(own->value - 1100) < 5);
    assert_true(isnan(row_of(&contest, "b", "own")->ratio)); /* no verdict without a direction */
    assert_int_equal(row_of(&contest, "b", "own")->verdict, OM_VERDICT_NONE);
    om__contest_release(&contest);
    release(b);
}

/* Field case C-35. */
static void first_calls_join_their_rows(void **state)
{
    (void)state;
    bench *b = make();
    add_pair(b, "a", "r1", 0, 12.1e6, 12e6);
    om_record *first = add(b, "a", "own", OM_ROLE_OWN, "r1", 0, 480e6);
    first->metric.name = "first_call";
    first->sample_count = 1;
    om_contest contest = contest_of(b, NULL);
    assert_int_equal(contest.row_count, 2);
    assert_true(fabs(row_of(&contest, "a", "own")->first_call_ms - 480) < 2);
    assert_true(isnan(row_of(&contest, "a", "vendor")->first_call_ms));
    assert_true(fabs(row_of(&contest, "a", "own")->time_ms - 12.1) < 0.1);
    om__contest_release(&contest);
    om_contest_options apart = {.first_call_rows = true};
    contest = contest_of(b, &apart);
    assert_int_equal(contest.row_count, 3);
    om__contest_release(&contest);
    release(b);
}

/* One launch of three that the machine spoilt: the other two speak, without a verdict. */
static void a_mistrusted_launch_is_left_out(void **state)
{
    (void)state;
    bench *b = make();
    om_record *spoilt[2] = {NULL, NULL};
    for (int launch = 0; launch < 3; launch++) {
        om_record *own = add(b, "a", "own", OM_ROLE_OWN, "r1", launch, 1e6);
        add(b, "a", "vendor", OM_ROLE_COMPETITOR, "r1", launch, 2e6);
        om_record *other = add(b, "b", "own", OM_ROLE_OWN, "r1", launch, launch == 0 ? 1e6 : 9e6);
        add(b, "b", "vendor", OM_ROLE_COMPETITOR, "r1", launch, 2e6);
        if (launch == 1)
            spoilt[0] = own;
        if (launch > 0) { /* two of three: one launch is no row */
            other->outcome = OM_OUTCOME_MISTRUSTED;
            other->reason = "2 of 9 samples accepted";
        }
    }
    spoilt[0]->outcome = OM_OUTCOME_MISTRUSTED;
    spoilt[0]->reason = "2 of 9 samples accepted";
    for (size_t i = 0; i < spoilt[0]->sample_count; i++)
        spoilt[0]->samples[i] = 9e6f;
    om_contest contest = contest_of(b, NULL);
    const om_contest_row *own = row_of(&contest, "a", "own");
    assert_int_equal(own->outcome, OM_OUTCOME_OK);
    assert_int_equal(own->launch_count, 2);
    assert_int_equal(own->lost_count, 1);
    assert_true(fabs(own->time_ms - 1) < 0.05);
    assert_true(own->ratio > 1.8 && own->ratio < 2.2);
    assert_int_equal(own->verdict, OM_VERDICT_UNCLEAR);
    assert_non_null(
        strstr(own->note, "2 of 3 launches: launch 2 is mistrusted (2 of 9 samples accepted)"));
    own = row_of(&contest, "b", "own");
    assert_int_equal(own->outcome, OM_OUTCOME_MISTRUSTED);
    assert_int_equal(own->lost_count, 0);
    assert_true(isnan(own->ratio) && isnan(own->time_ms));
    om__contest_release(&contest);
    release(b);
}

static void a_failed_launch_fails_the_row(void **state)
{
    (void)state;
    bench *b = make();
    for (int launch = 0; launch < 3; launch++)
        add_pair(b, "a", "r1", launch, 1e6, 1e6);
    b->items[2].outcome = OM_OUTCOME_CRASHED;
    b->items[2].reason = "signal 11 in run";
    om_contest contest = contest_of(b, NULL);
    const om_contest_row *own = row_of(&contest, "a", "own");
    assert_int_equal(own->outcome, OM_OUTCOME_CRASHED);
    assert_string_equal(own->reason, "launch 2: signal 11 in run");
    assert_true(isnan(own->ratio) && own->verdict == OM_VERDICT_NONE);
    assert_int_equal(contest.own_without_rival, 0);
    om__contest_release(&contest);
    release(b);
}

/* The worst of what went wrong is the row's, and rivals that failed are told. */
static void the_worst_launch_counts(void **state)
{
    static const om_outcome outcomes[] = {OM_OUTCOME_MISTRUSTED, OM_OUTCOME_WRONG, OM_OUTCOME_OK};
    (void)state;
    bench *b = make();
    for (int launch = 0; launch < 3; launch++) {
        add(b, "a", "own", OM_ROLE_OWN, "r1", launch, 1e6);
        om_record *rival = add(b, "a", "vendor", OM_ROLE_COMPETITOR, "r1", launch, 2e6);
        rival->outcome = outcomes[launch];
        rival->reason = "y[0] is 1, not 2";
    }
    om_contest contest = contest_of(b, NULL);
    const om_contest_row *rival = row_of(&contest, "a", "vendor");
    assert_int_equal(rival->outcome, OM_OUTCOME_WRONG);
    assert_string_equal(rival->reason, "launch 2: y[0] is 1, not 2");
    assert_string_equal(row_of(&contest, "a", "own")->note, "no rival left: vendor wrong");
    om__contest_release(&contest);
    release(b);
}

static void nothing_is_an_empty_table(void **state)
{
    (void)state;
    om_record_set set = {0};
    om_contest contest;
    assert_int_equal(om__contest_init(&set, NULL, &contest, NULL), OM_OK);
    assert_int_equal(contest.row_count, 0);
    assert_true(isnan(contest.geomean));
    om__contest_release(&contest);
    om__contest_release(NULL);
}

static void units_convert_within_a_dimension(void **state)
{
    (void)state;
    double factor;
    assert_true(om__unit_factor("us", "ns", &factor) && fabs(factor - 1000) < 1e-9);
    assert_true(om__unit_factor("GB/s", "GiB/s", &factor));
    assert_true(fabs(1073.741824 * factor - 1000) < 1e-9); /* 2^30 bytes in 1 ms */
    assert_true(om__unit_factor("widgets", "widgets", &factor) && factor == 1);
    assert_false(om__unit_factor("widgets", "ns", &factor));
    assert_false(om__unit_factor("ms", "GB/s", &factor));
    assert_false(om__unit_factor("tokens/s", "ops/s", &factor));
    assert_int_equal(om__unit_better("TFLOP/s"), OM_BETTER_HIGHER);
    assert_int_equal(om__unit_better("\xc2\xb5s"), OM_BETTER_LOWER);
    assert_int_equal(om__unit_better("MB"), OM_BETTER_UNKNOWN);
    assert_int_equal(om__unit_better(NULL), OM_BETTER_UNKNOWN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_competitors_that_passed_count),
        cmocka_unit_test(words_follow_the_band),
        cmocka_unit_test(the_newest_run_of_a_row_speaks),
        cmocka_unit_test(one_launch_is_marked),
        cmocka_unit_test(invalid_samples_are_left_out),
        cmocka_unit_test(paired_and_printed_must_agree),
        cmocka_unit_test(a_tick_widens_the_band),
        cmocka_unit_test(other_metrics_keep_their_direction),
        cmocka_unit_test(first_calls_join_their_rows),
        cmocka_unit_test(a_mistrusted_launch_is_left_out),
        cmocka_unit_test(the_worst_launch_counts),
        cmocka_unit_test(a_failed_launch_fails_the_row),
        cmocka_unit_test(nothing_is_an_empty_table),
        cmocka_unit_test(units_convert_within_a_dimension),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
