/* SPDX-License-Identifier: Apache-2.0 */
/* test_field_cases.c: faults that comparisons are known for in the field, each on a tiny input. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "compare/comparison.h"
#include "compare/policy.h"
#include "report/compare_document.h"

static char folder[64];

static int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/opmark-compare-XXXXXX");
    return mkdtemp(folder) == NULL;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

static void write_file(const char *name, const char *text, char *path, size_t size)
{
    snprintf(path, size, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

typedef struct pair {
    om_side base, head;
    om_comparison comparison;
} pair;

static om_status open_text(const char *name, const char *text, const om_side_options *options,
                           om_side *side, om_error *err)
{
    char path[256];
    write_file(name, text, path, sizeof path);
    return om__side_open(path, options, NULL, 0, side, err);
}

static void compare_texts(const char *base, const char *head, const char *ending,
                          const om_side_options *side, const om_compare_options *options, pair *p)
{
    static const om_side_options plain = {0};
    char name[32];
    om_error err = {0};
    snprintf(name, sizeof name, "base%s", ending);
    if (open_text(name, base, side != NULL ? side : &plain, &p->base, &err) != OM_OK)
        fail_msg("%s:%ld: %s", err.file, err.line, err.text);
    snprintf(name, sizeof name, "pr%s", ending);
    if (open_text(name, head, side != NULL ? side : &plain, &p->head, &err) != OM_OK)
        fail_msg("%s:%ld: %s", err.file, err.line, err.text);
    if (om__comparison_init(&p->base, &p->head, options, &p->comparison, &err) != OM_OK)
        fail_msg("%s", err.text);
}

static void release(pair *p)
{
    om__comparison_release(&p->comparison);
    om__side_release(&p->base);
    om__side_release(&p->head);
}

static const om_cell *cell_of(const pair *p, const char *name)
{
    for (size_t i = 0; i < p->comparison.cell_count; i++)
        if (strcmp(p->comparison.cells[i].name, name) == 0)
            return &p->comparison.cells[i];
    fail_msg("no cell %s", name);
    return NULL;
}

static bool has_note(const om_comparison *comparison, const char *part)
{
    for (size_t i = 0; i < comparison->note_count; i++)
        if (strstr(comparison->notes[i], part) != NULL)
            return true;
    return false;
}

static void check_headline(const pair *p, const char *want)
{
    char *headline = om__comparison_headline(&p->comparison);
    assert_string_equal(headline, want);
    free(headline);
}

#define HEADER "case,impl,sample,ms\n"

/* Field case C-01: Three rows of one name are three samples of one case, not nine pairs. */
static void repeated_names_are_samples(void **state)
{
    (void)state;
    pair p;
    compare_texts(HEADER "norm/4096,ours,0,0.210\nnorm/4096,ours,1,0.214\nnorm/4096,ours,2,0.205\n",
                  HEADER "norm/4096,ours,0,0.214\nnorm/4096,ours,1,0.205\nnorm/4096,ours,2,0.210\n",
                  ".csv", NULL, NULL, &p);
    assert_int_equal(p.comparison.cell_count, 1);
    const om_cell *cell = &p.comparison.cells[0];
    assert_int_equal(cell->base_samples, 3);
    assert_int_equal(cell->new_samples, 3);
    assert_true(cell->ratio == 1);
    assert_int_equal(cell->verdict, OM_VERDICT_UNCLEAR);
    release(&p);
}

/* Field case C-01. */
static void a_sample_that_contradicts_itself_is_an_error(void **state)
{
    (void)state;
    om_side side;
    om_error err = {0};
    om_side_options options = {0};
    const char *text = HEADER "a,ours,0,1\nb,ours,0,1\na,ours,0,2\na,ours,1,3\na,ours,1,3\n";
    assert_int_equal(open_text("twice.csv", text, &options, &side, &err), OM_PARSE);
    assert_int_equal(err.line, 4);
    assert_non_null(strstr(err.file, "twice.csv"));
    assert_non_null(strstr(err.text, "line 2"));
    options.lenient = true;
    assert_int_equal(open_text("twice.csv", text, &options, &side, &err), OM_OK);
    assert_int_equal(side.set.count, 2);
    assert_int_equal(side.set.items[0].sample_count, 3); /* 1, 2 and 3: the equal one came once */
    assert_int_equal(side.set.warnings.count, 1);
    om__side_release(&side);
}

/* Field case C-02: Naive means over sets that do not match would claim 71 % less time. */
static void unpaired_cases_enter_no_total(void **state)
{
    (void)state;
    pair p;
    compare_texts("case,ms\na,1.0\nb,2.0\nc,4.0\n", "case,ms\na,1.0\nb,2.0\nd,0.1\n", ".csv", NULL,
                  NULL, &p);
    assert_int_equal(p.comparison.compared, 2);
    assert_int_equal(p.comparison.counts[OM_VERDICT_NEW], 1);
    assert_int_equal(p.comparison.counts[OM_VERDICT_MISSING], 1);
    assert_int_equal(p.comparison.suite_count, 1);
    assert_int_equal(p.comparison.suites[0].compared, 2);
    assert_true(p.comparison.suites[0].median == 1);
    assert_true(cell_of(&p, "d")->new_value == 0.1 && isnan(cell_of(&p, "d")->ratio));
    check_headline(&p, "2 rows compared: 0 slower, 0 faster, 0 same, 2 unclear, 1 new, 1 missing, "
                       "0 not comparable, 0 no value");
    release(&p);
}

/* Field case C-03. */
static void parameters_are_a_set_and_aliases_are_declared(void **state)
{
    (void)state;
    pair p;
    const char *base = "case,ms\n\"attn/causal=1,b=2\",0.50\n";
    const char *head = "case,ms\n\"attn/b=2,causal=true\",0.80\n";
    compare_texts(base, head, ".csv", NULL, NULL, &p);
    assert_int_equal(p.comparison.compared, 0);
    check_headline(&p, "nothing was compared: 0 slower, 0 faster, 0 same, 0 unclear, 1 new, 1 "
                       "missing, 0 not comparable, 0 no value");
    assert_true(has_note(&p.comparison, "probably renamed"));
    release(&p);

    const char *text = "value causal true 1\n";
    om_aliases aliases;
    assert_int_equal(om__aliases_parse(text, strlen(text), "aliases.wl", &aliases, NULL), OM_OK);
    om_compare_options options = {.aliases = &aliases, .threshold = 0.05};
    compare_texts(base, head, ".csv", NULL, &options, &p);
    assert_int_equal(p.comparison.cell_count, 1);
    assert_int_equal(p.comparison.cells[0].verdict, OM_VERDICT_SLOWER);
    assert_true(fabs(1 / p.comparison.cells[0].ratio - 1.6) < 1e-9);
    release(&p);
    om__aliases_release(&aliases);
}

/* Field case C-04. */
static void a_subset_counts_what_it_lacks(void **state)
{
    (void)state;
    pair p;
    compare_texts("case,ms\na,1\nb,1\nc,1\nd,1\n", "case,ms\na,1\nc,1\n", ".csv", NULL, NULL, &p);
    assert_int_equal(p.comparison.compared, 2);
    assert_int_equal(p.comparison.counts[OM_VERDICT_MISSING], 2);
    release(&p);
}

/* Field case C-11: NaN and its friends are read, compared with nothing, and never taken for 0. */
static void no_number_is_no_value(void **state)
{
    (void)state;
    static const char *const reasons[] = {"nan",  "nan",      "infinite", "nan",
                                          "null", "overflow", "missing"};
    const char *base = "{\"rows\":[{\"c\":\"a\",\"v\":NaN},{\"c\":\"b\",\"v\":-nan},{\"c\":\"c\","
                       "\"v\":Infinity},{\"c\":\"d\",\"v\":\"nan\"},{\"c\":\"e\",\"v\":null},"
                       "{\"c\":\"f\",\"v\":1e999},{\"c\":\"g\"}]}";
    const char *head = "{\"rows\":[{\"c\":\"a\",\"v\":1},{\"c\":\"b\",\"v\":1},{\"c\":\"c\",\"v\":"
                       "1},{\"c\":\"d\",\"v\":1},{\"c\":\"e\",\"v\":1},{\"c\":\"f\",\"v\":1},"
                       "{\"c\":\"g\",\"v\":1}]}";
    pair p;
    compare_texts(base, head, ".json", NULL, NULL, &p);
    assert_int_equal(p.comparison.cell_count, 7);
    assert_int_equal(p.comparison.counts[OM_VERDICT_NO_VALUE], 7);
    for (size_t i = 0; i < 7; i++) {
        char name[2] = {(char)('a' + i), '\0'}, want[64];
        snprintf(want, sizeof want, "base: %s", reasons[i]);
        assert_string_equal(cell_of(&p, name)->reason, want);
        assert_true(isnan(cell_of(&p, name)->base_value));
    }
    release(&p);
}

/* Field case C-11: a strict reading refuses by line and column what is no JSON or out of range; a
 * text that holds "nan" and a null are JSON, and stay values with a reason. */
static void strict_reading_names_the_place(void **state)
{
    (void)state;
    static const struct {
        const char *file, *text;
        long line;
        const char *part;
    } bad[] = {
        {"a.json", "{\"rows\":[{\"c\":\"a\",\"v\":NaN}]}", 1, "column 23: "},
        {"b.json", "{\"rows\":[\n{\"c\":\"a\",\"v\":1},\n{\"c\":\"b\",\"v\":-nan}]}", 3,
         "column 14: "},
        {"c.json", "[{\"c\":\"c\",\"v\":Infinity}]", 1, "column 15: "},
        {"d.json", "[{\"c\":\"f\",\"v\":1e999}]", 1, "column 15: a number beyond the range"},
        {"e.jsonx", "{\"c\":\"a\",\"v\":1}\n{\"c\":\"f\",\"v\":1e999}", 2, "column 14: "},
        {"f.csv", "case,ms\na,1\nb,nan\n", 3, "column 2 (ms): 'nan' is no finite number"},
        {"g.csv", "case,ms\na,1e999\n", 2, "column 2 (ms): '1e999'"},
    };
    const om_side_options strict = {.strict = true}, plain = {0};
    om_side side;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        om_error err = {0};
        assert_int_equal(open_text(bad[i].file, bad[i].text, &plain, &side, &err), OM_OK);
        om__side_release(&side);
        if (open_text(bad[i].file, bad[i].text, &strict, &side, &err) != OM_PARSE)
            fail_msg("%s was read", bad[i].file);
        assert_int_equal(err.line, bad[i].line);
        if (strstr(err.text, bad[i].part) == NULL)
            fail_msg("%s: no '%s' in '%s'", bad[i].file, bad[i].part, err.text);
    }
    om_error err = {0};
    assert_int_equal(open_text("h.json",
                               "[{\"c\":\"d\",\"v\":\"nan\"},{\"c\":\"e\",\"v\":null},{\"c\":"
                               "\"g\",\"v\":2}]",
                               &strict, &side, &err),
                     OM_OK);
    assert_int_equal(side.set.count, 3);
    om__side_release(&side);
}

/* Field case C-12. */
static void a_zero_divides_nothing(void **state)
{
    (void)state;
    pair p;
    compare_texts("case,ms\na,0.000\nb,2.0\n", "case,ms\na,0.004\nb,2.0\n", ".csv", NULL, NULL, &p);
    assert_int_equal(p.comparison.compared, 1);
    assert_int_equal(cell_of(&p, "a")->verdict, OM_VERDICT_NO_VALUE);
    assert_string_equal(cell_of(&p, "a")->reason, "no ratio: base is 0 (difference +0.004 ms)");
    assert_true(cell_of(&p, "b")->ratio == 1);
    release(&p);
}

/* Field case C-14. */
static void negative_times_are_invalid_samples(void **state)
{
    (void)state;
    pair p;
    compare_texts("case,us\na,40\na,-1.8\na,40\nb,-2\nb,-2\nb,5\n",
                  "case,us\na,40\na,40\na,40\nb,5\nb,5\nb,5\n", ".csv", NULL, NULL, &p);
    const om_cell *cell = cell_of(&p, "a");
    assert_true(cell->base_value == 40 && cell->base_samples == 2);
    assert_int_equal(cell_of(&p, "b")->verdict, OM_VERDICT_NO_VALUE);
    assert_string_equal(cell_of(&p, "b")->reason,
                        "base: 2 of 3 samples are invalid: the clock went backwards");
    release(&p);
}

/* Field case C-15. */
static void units_convert_or_refuse(void **state)
{
    (void)state;
    pair p;
    compare_texts("case,value,unit\na,1000,us\nb,1,ms\nc,5,widgets\nd,1073.741824,GB/s\n",
                  "case,value,unit\na,1,ms\nb,1,GB/s\nc,6,widgets\nd,1000,GiB/s\n", ".csv", NULL,
                  NULL, &p);
    assert_true(fabs(cell_of(&p, "a")->ratio - 1) < 1e-12);
    assert_true(fabs(cell_of(&p, "a")->new_value - 1000) < 1e-9); /* in the base's unit */
    assert_int_equal(cell_of(&p, "b")->verdict, OM_VERDICT_NOT_COMPARABLE);
    assert_string_equal(cell_of(&p, "b")->reason, "unit: ms against GB/s");
    assert_true(fabs(cell_of(&p, "d")->ratio - 1) < 1e-9);
    assert_string_equal(cell_of(&p, "c")->reason, "changed by +20 %, direction unknown");
    release(&p);
}

/* Field case C-17. */
static void the_unit_says_which_way_is_better(void **state)
{
    (void)state;
    pair p;
    om_compare_options options = {.threshold = 0.05};
    compare_texts("case,value,unit\nbw,900,GB/s\nscore,10,widgets\n",
                  "case,value,unit\nbw,1100,GB/s\nscore,12,widgets\n", ".csv", NULL, &options, &p);
    assert_int_equal(cell_of(&p, "bw")->verdict, OM_VERDICT_FASTER);
    assert_true(fabs(cell_of(&p, "bw")->ratio - 11.0 / 9) < 1e-12);
    assert_int_equal(cell_of(&p, "score")->verdict, OM_VERDICT_NO_VALUE);
    release(&p);
    om_side_options declared = {.map = "case=case,value=value better=lower"};
    compare_texts("case,value\nscore,10\n", "case,value\nscore,12\n", ".csv", &declared, &options,
                  &p);
    assert_int_equal(cell_of(&p, "score")->verdict, OM_VERDICT_SLOWER);
    release(&p);
}

/* Field case C-19: 80 ratios of 1.00 and 20 of 0.85: a median of 1 says nothing about those. */
static void a_median_hides_nothing(void **state)
{
    (void)state;
    om_text base = {0}, head = {0};
    om__text_add(&base, "case,ms\n");
    om__text_add(&head, "case,ms\n");
    for (int i = 0; i < 100; i++) {
        om__text_addf(&base, "c%d,0.85\n", i);
        om__text_addf(&head, "c%d,%s\n", i, i % 5 == 0 ? "1" : "0.85");
    }
    pair p;
    om_compare_options options = {.threshold = 0.05};
    compare_texts(base.data, head.data, ".csv", NULL, &options, &p);
    assert_true(p.comparison.suites[0].median == 1);
    assert_int_equal(p.comparison.counts[OM_VERDICT_SLOWER], 20);
    assert_int_equal(p.comparison.counts[OM_VERDICT_SAME], 80);
    for (size_t i = 0; i < 20; i++) /* the worst first */
        assert_int_equal(p.comparison.cells[i].verdict, OM_VERDICT_SLOWER);
    release(&p);
    om__text_release(&base);
    om__text_release(&head);
}

/* Field case C-28. */
static void cut_and_noisy_lines_are_named(void **state)
{
    (void)state;
    om_side side;
    om_error err = {0};
    om_side_options options = {0};
    const char *rows = "{\"case\":\"a\",\"ms\":1}\n{\"case\":\"b\",\"ms\":1}\n{\"case\":\"c\","
                       "\"ms\":1}\n{\"case\":\"d\",\"ms\":1}\n";
    om_text text = {0};
    om__text_addf(&text, "%s{\"case\":\"e\",\"m", rows);
    assert_int_equal(open_text("cut.jsonx", text.data, &options, &side, &err), OM_OK);
    assert_int_equal(side.set.count, 4);
    assert_true(side.set.incomplete);
    assert_string_equal(side.set.warnings.items[0].value, "truncated after row 4");
    om__side_release(&side);
    om__text_clear(&text);
    om__text_addf(&text,
                  "{\"case\":\"a\",\"ms\":1}\nWARN: low memory\n{\"case\":\"b\",\"ms\":1}\n");
    assert_int_equal(open_text("noisy.jsonx", text.data, &options, &side, &err), OM_PARSE);
    assert_int_equal(err.line, 2);
    options.lenient = true;
    assert_int_equal(open_text("noisy.jsonx", text.data, &options, &side, &err), OM_OK);
    assert_int_equal(side.set.count, 2);
    assert_int_equal(side.set.skipped, 1);
    om__side_release(&side);
    assert_int_equal(open_text("empty.csv", "", &options, &side, &err), OM_PARSE);
    assert_string_equal(err.text, "empty file");
    om__text_release(&text);
}

/* Field case C-23. */
static void tables_that_are_wrong_name_their_line(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        long line;
        const char *part;
    } bad[] = {
        {"case,ms\na,1\nb,\"1,5\"\n", 3, "'1,5' is not a number"},
        {"case,ms\na,1\nb,1,5\n", 3, "cells"},
        {"what,ever\na,1\n", 1, "--map"},
        {"case,launch,ms\na,x,1\n", 2, "no launch number"},
        {"case,ms\n", 0, "no rows"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        om_side side;
        om_error err = {0};
        om_side_options options = {0};
        assert_int_equal(open_text("bad.csv", bad[i].text, &options, &side, &err), OM_PARSE);
        assert_int_equal(err.line, bad[i].line);
        if (strstr(err.text, bad[i].part) == NULL)
            fail_msg("'%s' lacks '%s'", err.text, bad[i].part);
        assert_non_null(strstr(err.file, "bad.csv"));
    }
}

/* Field case C-23. */
static void quoted_names_survive(void **state)
{
    (void)state;
    pair p;
    compare_texts("case,ms\n\"gemm, bias=1\",1.5\n\"say \"\"hi\"\"\",2\n=1+1,3\n\"a|b\n|c\",4\n",
                  "case,ms\n\"gemm, bias=1\",1.5\n\"say \"\"hi\"\"\",2\n=1+1,3\n\"a|b\n|c\",4\n",
                  ".csv", NULL, NULL, &p);
    assert_int_equal(p.comparison.compared, 4);
    cell_of(&p, "gemm, bias=1");
    cell_of(&p, "say \"hi\"");
    cell_of(&p, "=1+1");
    cell_of(&p, "a|b\n|c");
    release(&p);
}

/* A map says which columns hold what; several values are several metrics. */
static void maps_name_columns(void **state)
{
    (void)state;
    pair p;
    om_side_options options = {
        .map = "case=\"the name\",value=t,impl=who params=M+N unit=us better=lower metric=wall"};
    compare_texts("the name,who,M,N,t,x\nk,me,1,2,10,7\nk,me,1,3,20,7\n",
                  "the name,who,M,N,t,x\nk,me,1,2,10,8\nk,me,1,3,10,9\n", ".csv", &options, NULL,
                  &p);
    assert_int_equal(p.comparison.cell_count, 2);
    assert_string_equal(p.comparison.cells[0].metric, "wall");
    assert_string_equal(p.comparison.cells[0].provider, "me");
    assert_string_equal(p.comparison.cells[0].unit, "us");
    release(&p);
    static const char *const bad[] = {"case=the",           "case=who",
                                      "nonsense",           "cases=who,value=t",
                                      "case=who,value=\"t", "case=who,value=t better=up"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        om_side side;
        om_error err = {0};
        om_side_options wrong = {.map = bad[i]};
        assert_true(open_text("m.csv", "who,t\na,1\n", &wrong, &side, &err) != OM_OK);
        assert_true(err.text[0] != '\0');
    }
}

/* ---- gates ---- */

static om_gate gate_of(const pair *p, const char *policy_text, const char *today)
{
    om_policy policy = {0};
    om_gate gate;
    om_error err = {0};
    if (policy_text != NULL &&
        om__policy_parse(policy_text, strlen(policy_text), "policy.wl", &policy, &err) != OM_OK)
        fail_msg("%ld: %s", err.line, err.text);
    assert_int_equal(om__gate_judge(&p->comparison, &policy, NULL, 0, today, &gate, NULL), OM_OK);
    om__policy_release(&policy);
    return gate;
}

/* Field case C-30. */
static void many_slower_rows_trip_and_one_faster_row_does_not(void **state)
{
    (void)state;
    om_text base = {0}, head = {0};
    om_compare_options options = {.threshold = 0.05};
    om__text_add(&base, "case,ms\n");
    om__text_add(&head, "case,ms\n");
    for (int i = 0; i < 256; i++) {
        om__text_addf(&base, "c%d,1\n", i);
        om__text_addf(&head, "c%d,2\n", i);
    }
    pair p;
    compare_texts(base.data, head.data, ".csv", NULL, &options, &p);
    om_gate gate = gate_of(&p, NULL, "2026-11-30");
    assert_true(gate.trips && gate.slower == 256);
    om__gate_release(&gate);
    release(&p);
    compare_texts("case,ms\na,2\n", "case,ms\na,1\n", ".csv", NULL, &options, &p);
    gate = gate_of(&p, NULL, "2026-11-30");
    assert_false(gate.trips);
    assert_string_equal(gate.reason.data,
                        "passes: nothing that counts against it (1 row compared)");
    om__gate_release(&gate);
    release(&p);
    om__text_release(&base);
    om__text_release(&head);
}

/* Field case C-30. */
static void an_acknowledged_regression_is_quiet_until_it_changes(void **state)
{
    (void)state;
    pair p;
    om_compare_options options = {.threshold = 0.05};
    compare_texts("case,ms\nk/m=1,1\n", "case,ms\nk/m=1,1.08\n", ".csv", NULL, &options, &p);
    const char *policy = "allow k m=1 max=10% until=2027-01-31 reason=\"known\"\n";
    om_gate gate = gate_of(&p, policy, "2026-11-30");
    assert_false(gate.trips);
    assert_int_equal(gate.acknowledged, 1);
    om__gate_release(&gate);
    gate = gate_of(&p, policy, "2027-02-01"); /* out of date */
    assert_true(gate.trips && gate.expired == 1);
    om__gate_release(&gate);
    gate = gate_of(&p, "allow k m=1 max=5% reason=x\n", "2026-11-30"); /* it got worse */
    assert_true(gate.trips && gate.outgrown == 1);
    om__gate_release(&gate);
    gate = gate_of(&p, "allow k m=2 max=50% reason=x\n", "2026-11-30"); /* another row */
    assert_true(gate.trips);
    om__gate_release(&gate);
    gate = gate_of(&p, "fail missing suspect\n", "2026-11-30");
    assert_false(gate.trips);
    om__gate_release(&gate);
    release(&p);
}

static void a_missing_row_trips(void **state)
{
    (void)state;
    pair p;
    om_compare_options options = {.threshold = 0.05};
    compare_texts("case,ms\na,1\nb,1\n", "case,ms\na,1\n", ".csv", NULL, &options, &p);
    om_gate gate = gate_of(&p, NULL, "2026-11-30");
    assert_true(gate.trips && gate.missing == 1);
    assert_string_equal(gate.reason.data, "trips: 1 missing (1 row compared)");
    om__gate_release(&gate);
    const char *const words[] = {"slower"};
    assert_int_equal(om__gate_judge(&p.comparison, NULL, words, 1, "2026-11-30", &gate, NULL),
                     OM_OK);
    assert_false(gate.trips);
    om__gate_release(&gate);
    const char *const wrong[] = {"sloer"};
    assert_int_equal(om__gate_judge(&p.comparison, NULL, wrong, 1, "2026-11-30", &gate, NULL),
                     OM_INVALID);
    om__gate_release(&gate);
    release(&p);
}

/* Field case C-16: A bare number could be anything: 0.5 of what? */
static void shares_need_their_unit(void **state)
{
    (void)state;
    double share;
    assert_int_equal(om__share_parse("5%", "max", &share, NULL), OM_OK);
    assert_true(fabs(share - 0.05) < 1e-15);
    const char *const bad[] = {"0.5", "5", "%", "-1%", "0%", "100%", "5us", "nan%", "1e3%"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(om__share_parse(bad[i], "max", &share, NULL), OM_INVALID);
    static const struct {
        const char *text;
        long line;
    } policies[] = {
        {"allow gemm/x max=5 reason=x\n", 1},
        {"\nallow gemm/x max=5%\n", 2},
        {"allow max=5% reason=x\n", 1},
        {"allow a max=5% reason=x until=tomorrow\n", 1},
        {"allow a max=5% reason=x until=2027-13-01\n", 1},
        {"allow a max=5% reason=x until=2027-02-29\n", 1},
        {"floor a\n", 1},
        {"fail sometimes\n", 1},
        {"forgive everything\n", 1},
    };
    for (size_t i = 0; i < sizeof policies / sizeof *policies; i++) {
        om_policy policy;
        om_error err = {0};
        assert_int_equal(
            om__policy_parse(policies[i].text, strlen(policies[i].text), "p.wl", &policy, &err),
            OM_PARSE);
        assert_int_equal(err.line, policies[i].line);
        assert_string_equal(err.file, "p.wl");
    }
}

static void floors_can_be_set_per_row(void **state)
{
    (void)state;
    pair p;
    const char *text = "floor gemm/* effect=5% tolerance=4%\nfloor */big* effect=9%\n";
    om_policy policy;
    assert_int_equal(om__policy_parse(text, strlen(text), "p.wl", &policy, NULL), OM_OK);
    compare_texts("case,ms\nbig,1\nsmall,1\n", "case,ms\nbig,1\nsmall,1\n", ".csv", NULL, NULL, &p);
    om_cell cell = *cell_of(&p, "small");
    double floor = 0.02, tolerance = 0.02;
    cell.op = "gemm";
    om__policy_floor(&policy, &cell, &floor, &tolerance);
    assert_true(floor == 0.05 && tolerance == 0.04);
    cell.name = "bigger";
    om__policy_floor(&policy, &cell, &floor, &tolerance);
    assert_true(floor == 0.09 && tolerance == 0.04);
    om__policy_release(&policy);
    release(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(repeated_names_are_samples),
        cmocka_unit_test(a_sample_that_contradicts_itself_is_an_error),
        cmocka_unit_test(unpaired_cases_enter_no_total),
        cmocka_unit_test(parameters_are_a_set_and_aliases_are_declared),
        cmocka_unit_test(a_subset_counts_what_it_lacks),
        cmocka_unit_test(no_number_is_no_value),
        cmocka_unit_test(strict_reading_names_the_place),
        cmocka_unit_test(a_zero_divides_nothing),
        cmocka_unit_test(negative_times_are_invalid_samples),
        cmocka_unit_test(units_convert_or_refuse),
        cmocka_unit_test(the_unit_says_which_way_is_better),
        cmocka_unit_test(a_median_hides_nothing),
        cmocka_unit_test(cut_and_noisy_lines_are_named),
        cmocka_unit_test(tables_that_are_wrong_name_their_line),
        cmocka_unit_test(quoted_names_survive),
        cmocka_unit_test(maps_name_columns),
        cmocka_unit_test(many_slower_rows_trip_and_one_faster_row_does_not),
        cmocka_unit_test(an_acknowledged_regression_is_quiet_until_it_changes),
        cmocka_unit_test(a_missing_row_trips),
        cmocka_unit_test(shares_need_their_unit),
        cmocka_unit_test(floors_can_be_set_per_row),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
