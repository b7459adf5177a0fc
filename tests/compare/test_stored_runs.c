/* SPDX-License-Identifier: Apache-2.0 */
/* test_stored_runs.c: runs of our own compared: launches, machines, methods, devices, renames. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compare/comparison.h"
#include "compare/policy.h"
#include "report/compare_document.h"

#define SAMPLES 10

/* A side built by hand: texts are literals; samples and started texts are its own. */
typedef struct bench {
    om_side side;
    char starts[3000][40];
    uint64_t seed;
} bench;

static double gauss(bench *b)
{
    double sum = 0;
    for (int i = 0; i < 12; i++) {
        b->seed = b->seed * 6364136223846793005u + 1442695040888963407u;
        sum += (double)(b->seed >> 40) / (1 << 24);
    }
    return sum - 6;
}

static bench *make(const char *label, uint64_t seed)
{
    bench *b = calloc(1, sizeof *b);
    assert_non_null(b);
    b->side.label = (char *)label;
    b->side.set.items = calloc(3000, sizeof *b->side.set.items);
    assert_non_null(b->side.set.items);
    b->seed = seed;
    return b;
}

static void release_bench(bench *b)
{
    for (size_t i = 0; i < b->side.set.count; i++) {
        free(b->side.set.items[i].samples);
        om__pairs_release(&b->side.set.items[i].benchmark.params);
        om__pairs_release(&b->side.set.items[i].place.settings);
    }
    free(b->side.set.items);
    free(b);
}

static om_record *add(bench *b, const char *name, const char *run, int launch, double time_ns,
                      double spread)
{
    size_t at = b->side.set.count++;
    om_record *r = &b->side.set.items[at];
    assert_true(at < 3000);
    om__record_init(r);
    snprintf(b->starts[at], sizeof b->starts[at], "2026-11-30T10:%02d:00.%03dZ", launch,
             (int)(at % 1000));
    r->benchmark.suite = "cpu";
    r->benchmark.name = (char *)name;
    r->benchmark.op = "gemm";
    r->benchmark.pass = "forward";
    r->metric.name = "time";
    r->metric.unit = "ns";
    r->metric.better = OM_BETTER_LOWER;
    r->subject.provider = "own";
    r->place.machine_class = "box";
    r->place.device = "cuda:4";
    r->when.run = (char *)run;
    r->when.started = b->starts[at];
    r->when.launch = launch;
    r->method.clock = "records";
    r->method.cache = "cold";
    r->method.inner = 1;
    r->samples = calloc(SAMPLES, sizeof *r->samples);
    assert_non_null(r->samples);
    r->sample_count = SAMPLES;
    double level = time_ns * exp(spread * gauss(b));
    for (int i = 0; i < SAMPLES; i++)
        r->samples[i] = (float)(level * exp(0.002 * gauss(b)));
    return r;
}

static om_comparison compare(bench *base, bench *head, const om_compare_options *options)
{
    om_comparison comparison;
    om_error err = {0};
    if (om__comparison_init(&base->side, &head->side, options, &comparison, &err) != OM_OK)
        fail_msg("%s", err.text);
    return comparison;
}

static bool has_note(const om_comparison *comparison, const char *part)
{
    for (size_t i = 0; i < comparison->note_count; i++)
        if (strstr(comparison->notes[i], part) != NULL)
            return true;
    return false;
}

/* Field case C-40: Samples of one launch agree to 0.2 %, launches do
 * not: 10.00, 10.42, 10.05, 10.38 against 10.40, 10.03, 10.41, 10.06. One launch a side would claim
 * +4 % with any certainty one likes. */
static void one_launch_decides_nothing(void **state)
{
    (void)state;
    static const double base_ns[] = {10000, 10420, 10050, 10380};
    static const double new_ns[] = {10400, 10030, 10410, 10060};
    for (int launches = 1; launches <= 4; launches += 3) {
        bench *base = make("base", 1), *head = make("new", 2);
        for (int l = 0; l < launches; l++) {
            add(base, "a", "r", l, base_ns[l], 0);
            add(head, "a", "r", l, new_ns[l], 0);
        }
        om_comparison c = compare(base, head, NULL);
        assert_int_equal(c.cells[0].verdict, OM_VERDICT_UNCLEAR);
        if (launches == 1) {
            assert_int_equal(c.cells[0].doubt, OM_DOUBT_FEW_LAUNCHES);
            assert_string_equal(c.cells[0].reason,
                                "1 against 1 launches: one launch a side decides nothing");
        } else {
            assert_true(fabs(c.cells[0].ratio - 1) < 0.005);
            assert_true(c.cells[0].ratio_low < 1 && c.cells[0].ratio_high > 1);
        }
        om__comparison_release(&c);
        om_compare_options samples = {.replicate = OM_REPLICATE_SAMPLES};
        c = compare(base, head, &samples); /* what other tools would say */
        if (launches == 1)
            assert_int_equal(c.cells[0].verdict, OM_VERDICT_SLOWER);
        om__comparison_release(&c);
        release_bench(base);
        release_bench(head);
    }
}

static void fill(bench *b, int rows, int launches, double change_of_7, double spread)
{
    static char names[60][8];
    for (int i = 0; i < rows; i++)
        snprintf(names[i], sizeof names[i], "c%d", i);
    for (int l = 0; l < launches; l++)
        for (int i = 0; i < rows; i++)
            add(b, names[i], "r", l, (20000 + 500 * i) * (i == 7 ? change_of_7 : 1), spread);
}

/* 30 rows and 10 launches a side at a spread of 0.5 %: 6 % are found, the others are the same. */
static void several_launches_decide(void **state)
{
    (void)state;
    bench *base = make("base", 3), *head = make("new", 4);
    fill(base, 30, 10, 1, 0.005);
    fill(head, 30, 10, 1.06, 0.005);
    om_comparison c = compare(base, head, NULL);
    assert_int_equal(c.counts[OM_VERDICT_SLOWER], 1);
    assert_int_equal(c.counts[OM_VERDICT_FASTER], 0);
    assert_true(c.counts[OM_VERDICT_SAME] >= 25);
    assert_string_equal(c.cells[0].name, "c7");
    assert_true(fabs(1 / c.cells[0].ratio - 1.06) < 0.01);
    assert_true(c.cells[0].ratio_low < c.cells[0].ratio &&
                c.cells[0].ratio < c.cells[0].ratio_high);
    assert_int_equal(c.section_count, 1);
    assert_true(c.sections[0].judged && c.sections[0].base_launches == 10);
    assert_true(c.sections[0].visible_median > 0.01 && c.sections[0].visible_median < 0.04);
    om__comparison_release(&c);
    /* unchanged: silent */
    bench *again = make("again", 5);
    fill(again, 30, 10, 1, 0.005);
    c = compare(base, again, NULL);
    assert_int_equal(c.counts[OM_VERDICT_SLOWER] + c.counts[OM_VERDICT_FASTER], 0);
    om__comparison_release(&c);
    release_bench(base);
    release_bench(head);
    release_bench(again);
}

static void shifts_have_no_exponent(void **state)
{
    (void)state;
    static const struct {
        double factor;
        const char *text;
    } cases[] = {{2, "+100 %"},     {11, "+1000 %"}, {1.05, "+5 %"},    {1.104, "+10 %"},
                 {1.0999, "+10 %"}, {0.25, "-75 %"}, {0.988, "-1.2 %"}, {1.0042, "+0.42 %"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[OM_SHIFT_SIZE];
        assert_string_equal(om__shift_format(log(cases[i].factor), text), cases[i].text);
    }
}

static void all_rows_moving_is_suspect(void **state)
{
    (void)state;
    bench *base = make("base", 6), *head = make("new", 7);
    fill(base, 30, 10, 1, 0.005);
    fill(head, 30, 10, 1, 0.005);
    for (size_t i = 0; i < head->side.set.count; i++)
        for (int k = 0; k < SAMPLES; k++)
            head->side.set.items[i].samples[k] *= 1.05f;
    om_comparison c = compare(base, head, NULL);
    assert_int_equal(c.suspect_sections, 1);
    assert_true(c.sections[0].all_moved);
    assert_int_equal(c.counts[OM_VERDICT_UNCLEAR], 30);
    assert_non_null(strstr(c.cells[0].reason, "suspect: all rows moved by +5"));
    om_document document;
    assert_int_equal(om__comparison_document(&c, 1, NULL, &document, NULL), OM_OK);
    assert_true(document.warnings.count >= 1);
    assert_non_null(strstr(document.warnings.items[0], "suspect measurement"));
    om__document_release(&document);
    om__comparison_release(&c);
    release_bench(base);
    release_bench(head);
}

/* Field case C-07, C-08: Device number, instance: one machine class; a setting: a warning; the
 * class: not comparable. */
static void fields_of_a_place_have_roles(void **state)
{
    (void)state;
    bench *base = make("base", 8), *head = make("new", 9);
    om_record *a = add(base, "a", "r", 0, 1e4, 0), *b = add(head, "a", "r", 0, 1e4, 0);
    b->place.device = "cuda:0";
    a->place.instance = "node1";
    b->place.instance = "node2";
    assert_int_equal(om__pairs_set(&a->place.settings, "driver", "550", NULL), OM_OK);
    assert_int_equal(om__pairs_set(&b->place.settings, "driver", "560", NULL), OM_OK);
    om_comparison c = compare(base, head, NULL);
    assert_int_equal(c.compared, 1);
    assert_true(has_note(&c, "driver differs: 550 against 560"));
    assert_true(has_note(&c, "two instances of one machine class: node1 and node2"));
    om__comparison_release(&c);
    b->place.machine_class = "another";
    c = compare(base, head, NULL);
    assert_int_equal(c.cell_count, 1);
    assert_int_equal(c.cells[0].verdict, OM_VERDICT_NOT_COMPARABLE);
    assert_string_equal(c.cells[0].reason, "machine: box against another");
    assert_true(!isnan(c.cells[0].base_value) && !isnan(c.cells[0].new_value));
    assert_true(isnan(c.cells[0].ratio));
    om__comparison_release(&c);
    release_bench(base);
    release_bench(head);
}

/* Field case C-08, C-34. */
static void another_method_is_not_comparable(void **state)
{
    (void)state;
    bench *base = make("base", 10), *head = make("new", 11);
    add(base, "a", "r", 0, 4100, 0);
    om_record *b = add(head, "a", "r", 0, 26000, 0);
    b->method.clock = "events";
    om_comparison c = compare(base, head, NULL);
    assert_int_equal(c.cells[0].verdict, OM_VERDICT_NOT_COMPARABLE);
    assert_string_equal(c.cells[0].reason, "clock: records against events");
    om__comparison_release(&c);
    b->method.clock = "records";
    b->method.harness = "opmark v4";
    base->side.set.items[0].method.harness = "opmark v3";
    c = compare(base, head, NULL);
    assert_string_equal(c.cells[0].reason, "harness: opmark v3 against opmark v4");
    om__comparison_release(&c);
    b->method.cache = "warm";
    c = compare(base, head, NULL);
    assert_int_equal(c.cell_count, 1);
    assert_string_equal(c.cells[0].reason, "cache: cold against warm");
    om__comparison_release(&c);
    release_bench(base);
    release_bench(head);
}

static void a_renamed_case_is_known_by_its_structure(void **state)
{
    (void)state;
    bench *base = make("base", 12), *head = make("new", 13);
    om_record *a = add(base, "old name", "r", 0, 1e4, 0),
              *b = add(head, "new name", "r", 0, 1e4, 0);
    assert_int_equal(om__pairs_set(&a->benchmark.params, "m", "16", NULL), OM_OK);
    assert_int_equal(om__pairs_set(&a->benchmark.params, "n", "32", NULL), OM_OK);
    assert_int_equal(om__pairs_set(&b->benchmark.params, "n", "32", NULL), OM_OK);
    assert_int_equal(om__pairs_set(&b->benchmark.params, "m", "16", NULL), OM_OK);
    om_comparison c = compare(base, head, NULL);
    assert_int_equal(c.compared, 1);
    assert_int_equal(c.cell_count, 1);
    om__comparison_release(&c);
    /* two rows of that structure on one side: nobody can tell which it was */
    om_record *twin = add(head, "third name", "r", 0, 1e4, 0);
    assert_int_equal(om__pairs_copy(&twin->benchmark.params, &b->benchmark.params, NULL), OM_OK);
    c = compare(base, head, NULL);
    assert_int_equal(c.compared, 0);
    assert_int_equal(c.counts[OM_VERDICT_MISSING], 1);
    assert_int_equal(c.counts[OM_VERDICT_NEW], 2);
    assert_int_equal(c.twins.groups, 1);
    om__comparison_release(&c);
    release_bench(base);
    release_bench(head);
}

/* Field case C-39. */
static void failures_count_and_come_first(void **state)
{
    (void)state;
    bench *base = make("base", 14), *head = make("new", 15);
    for (int i = 0; i < 3; i++) {
        const char *names[] = {"fine", "broken", "gone"};
        add(base, names[i], "r", 0, 1e4, 0);
        if (i < 2)
            add(head, names[i], "r", 0, 1e4, 0);
    }
    head->side.set.items[1].outcome = OM_OUTCOME_WRONG;
    head->side.set.items[1].reason = "output c differs";
    om_comparison c = compare(base, head, NULL);
    assert_string_equal(c.cells[0].name, "broken");
    assert_true(c.cells[0].new_failed);
    assert_int_equal(c.cells[0].verdict, OM_VERDICT_NO_VALUE);
    assert_string_equal(c.cells[0].reason, "new: wrong: output c differs");
    assert_string_equal(c.cells[1].name, "gone");
    om__comparison_release(&c);
    release_bench(base);
    release_bench(head);
}

/* A launch that cannot be trusted is lost; one in five may be. A rival's trouble is not ours. */
static void mistrusted_launches_are_lost_values(void **state)
{
    (void)state;
    bench *base = make("base", 24), *head = make("new", 25);
    for (int l = 0; l < 6; l++) {
        add(base, "a", "r", l, 1e4, 0.001);
        add(head, "a", "r", l, 1e4, 0.001);
    }
    om_record *bad = &head->side.set.items[2];
    bad->outcome = OM_OUTCOME_MISTRUSTED;
    bad->reason = "throttled";
    om_comparison c = compare(base, head, NULL);
    assert_int_equal(c.cells[0].verdict, OM_VERDICT_SAME);
    assert_int_equal(c.cells[0].new_samples, 5 * SAMPLES);
    om__comparison_release(&c);
    head->side.set.items[4].outcome = OM_OUTCOME_MISTRUSTED;
    c = compare(base, head, NULL);
    assert_int_equal(c.cells[0].doubt, OM_DOUBT_LOST_LAUNCHES);
    om__comparison_release(&c);
    bad->outcome = OM_OUTCOME_CRASHED;
    c = compare(base, head, NULL);
    assert_true(c.cells[0].new_failed);
    assert_string_equal(c.cells[0].reason, "new: launch 3: crashed: throttled");
    om_gate gate;
    assert_int_equal(om__gate_judge(&c, NULL, NULL, 0, "2026-11-30", &gate, NULL), OM_OK);
    assert_false(gate.trips); /* the role of these records is that of a competitor */
    om__gate_release(&gate);
    om__comparison_release(&c);
    for (size_t i = 0; i < head->side.set.count; i++)
        head->side.set.items[i].subject.role = OM_ROLE_OWN;
    c = compare(base, head, NULL);
    assert_int_equal(om__gate_judge(&c, NULL, NULL, 0, "2026-11-30", &gate, NULL), OM_OK);
    assert_true(gate.trips && gate.missing == 1);
    om__gate_release(&gate);
    om__comparison_release(&c);
    release_bench(base);
    release_bench(head);
}

static void the_newest_run_counts_unless_told(void **state)
{
    (void)state;
    bench *base = make("base", 16), *head = make("new", 17);
    for (int l = 0; l < 6; l++) {
        char *run = l < 3 ? "r1" : "r2";
        add(base, "a", run, l, 1e4, 0.001);
        add(head, "a", run, l, 1e4, 0.001);
    }
    om_comparison c = compare(base, head, NULL);
    assert_int_equal(c.cells[0].base_launches, 3);
    om__comparison_release(&c);
    om_compare_options all = {.all_runs = true};
    c = compare(base, head, &all);
    assert_int_equal(c.cells[0].base_launches, 6);
    assert_int_equal(c.cells[0].verdict, OM_VERDICT_SAME);
    om__comparison_release(&c);
    release_bench(base);
    release_bench(head);
}

/* Field case C-09: The base of a pull request is what both sides grew from; anything else is said.
 */
static void another_base_commit_is_said(void **state)
{
    (void)state;
    bench *base = make("base", 18), *head = make("new", 19);
    add(base, "a", "r", 0, 1e4, 0)->subject.commit = "m3abcdef";
    add(head, "a", "r", 0, 1e4, 0)->subject.commit = "p0000000";
    om_compare_options options = {.merge_base = "m1000000"};
    om_comparison c = compare(base, head, &options);
    assert_true(has_note(&c, "base m3abcdef is not the merge base m1000000"));
    om__comparison_release(&c);
    options.merge_base = "m3abcdef0123456789";
    c = compare(base, head, &options);
    assert_int_equal(c.note_count, 0);
    om__comparison_release(&c);
    release_bench(base);
    release_bench(head);
}

static void derived_metrics_are_never_judged(void **state)
{
    (void)state;
    bench *base = make("base", 20), *head = make("new", 21);
    for (int l = 0; l < 8; l++) {
        add(base, "a", "r", l, 1e4, 0.001)->metric.derivation = "both - forward";
        add(head, "a", "r", l, 2e4, 0.001)->metric.derivation = "both - forward";
    }
    om_comparison c = compare(base, head, NULL);
    assert_int_equal(c.cells[0].verdict, OM_VERDICT_NO_VALUE);
    assert_true(fabs(c.cells[0].ratio - 0.5) < 0.01 && c.cells[0].derived);
    om__comparison_release(&c);
    release_bench(base);
    release_bench(head);
}

static void an_empty_side_compares_with_nothing(void **state)
{
    (void)state;
    bench *base = make("base", 22), *head = make("new", 23);
    add(base, "a", "r", 0, 1e4, 0);
    om_comparison c = compare(base, head, NULL);
    assert_int_equal(c.compared, 0);
    assert_int_equal(c.counts[OM_VERDICT_MISSING], 1);
    om_document document;
    assert_int_equal(om__comparison_document(&c, 1, NULL, &document, NULL), OM_OK);
    assert_non_null(strstr(document.headline.items[0], "nothing was compared"));
    om__document_release(&document);
    om__comparison_release(&c);
    om__comparison_release(NULL);
    release_bench(base);
    release_bench(head);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_launch_decides_nothing),
        cmocka_unit_test(several_launches_decide),
        cmocka_unit_test(shifts_have_no_exponent),
        cmocka_unit_test(all_rows_moving_is_suspect),
        cmocka_unit_test(fields_of_a_place_have_roles),
        cmocka_unit_test(another_method_is_not_comparable),
        cmocka_unit_test(a_renamed_case_is_known_by_its_structure),
        cmocka_unit_test(failures_count_and_come_first),
        cmocka_unit_test(mistrusted_launches_are_lost_values),
        cmocka_unit_test(the_newest_run_counts_unless_told),
        cmocka_unit_test(another_base_commit_is_said),
        cmocka_unit_test(derived_metrics_are_never_judged),
        cmocka_unit_test(an_empty_side_compares_with_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
