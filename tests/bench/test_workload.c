/* SPDX-License-Identifier: Apache-2.0 */
/* test_workload.c: lines into workloads: sweeps, names, passes, faults, twins, filters. */
#include "helpers/helper.h"

#include <stdlib.h>
#include <string.h>

#include "bench/workload.h"
#include "opmark/gemm.h"

static om_status add(om_workloads *set, const char *text, om_error *err)
{
    om_wl wl;
    if (om__wl_parse(text, strlen(text), "dir/mine.wl", &wl, err) != OM_OK)
        fail_msg("%s", err->text);
    om_status status = om__workloads_add_file(set, &wl, err);
    om__wl_release(&wl);
    return status;
}

static om_workloads make(const char *text)
{
    om_workloads set = {0};
    om_error err;
    if (add(&set, text, &err) != OM_OK)
        fail_msg("line %ld: %s", err.line, err.text);
    return set;
}

static void test_one_line(void **state)
{
    (void)state;
    om_workloads set = make("[perf]\ngemm k=3 m=1 n=2 trans_b=1 dtype=bfloat16\n");
    assert_int_equal(set.count, 1);
    const om_workload *w = &set.items[0];
    assert_string_equal(w->suite, "mine");
    assert_string_equal(w->table, "gemm");
    assert_string_equal(w->name, "m=1 n=2 k=3 trans_b=1");
    assert_string_equal(w->pass, "forward");
    assert_string_equal(w->dtype, "bf16");
    assert_string_equal(w->cache, "cold");
    assert_string_equal(w->section, "perf");
    assert_int_equal(w->line, 2);
    assert_string_equal(om__pairs_find(&w->all, "trans_a"), "0");
    assert_null(om__pairs_find(&w->params, "trans_a"));
    assert_null(w->missing);
    om_gemm_args args;
    memcpy(&args, w->args, sizeof args);
    assert_int_equal(args.m, 1);
    assert_int_equal(args.k, 3);
    assert_int_equal(args.trans_b, 1);
    assert_null(args.a);
    om__workloads_release(&set);
}

static void test_sweeps_multiply(void **state)
{
    (void)state;
    om_workloads set = make("gemm name=a,b m=1,2 n=8 k=3,4,5 table=T cache=warm\n");
    static const char *const names[] = {"a,b m=1 k=3", "a,b m=1 k=4", "a,b m=1 k=5",
                                        "a,b m=2 k=3", "a,b m=2 k=4", "a,b m=2 k=5"};
    assert_int_equal(set.count, 6);
    for (size_t i = 0; i < 6; i++) {
        assert_string_equal(set.items[i].name, names[i]);
        assert_string_equal(set.items[i].table, "T");
        assert_string_equal(set.items[i].cache, "warm");
    }
    om__workloads_release(&set);
}

static void test_sweep_is_counted_first(void **state)
{
    (void)state;
    om_text text = {0};
    om_wl wl;
    om_error err;
    size_t count;
    om__text_add(&text, "gemm");
    for (const char *key = "mnk"; *key != '\0'; key++) {
        om__text_addf(&text, " %c=1", *key);
        for (int i = 2; i <= 50; i++)
            om__text_addf(&text, ",%d", i);
    }
    assert_int_equal(om__wl_parse(text.data, text.size, "s.wl", &wl, &err), OM_OK);
    assert_int_equal(om__sweep_count(&wl.lines[0], "s.wl", &count, &err), OM_INVALID);
    assert_non_null(strstr(err.text, "more than 100000"));
    om__wl_release(&wl);
    om__text_release(&text);
}

static void test_faults_name_their_line(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        long line;
        const char *part;
    } cases[] = {
        {"\ngem m=1 n=1 k=1\n", 2, "there is no operator gem; did you mean gemm?"},
        {"gemm m=1 n=1 k=1 pass=sideways\n", 1, "gemm has no pass sideways"},
        {"gemm m=1 n=1\n", 1, "k"},
        {"gemm m=1 n=1 k=1 trans_c=1\n", 1, "trans_c"},
        {"gemm m=x n=1 k=1\n", 1, "x"},
        {"gemm m=1,,2 n=1 k=1\n", 1, "m"},
        {"gemm m=-1 n=1 k=1\n", 1, "m"},
        {"gemm m=99999999999999999999 n=1 k=1\n", 1, "m"},
        {"gemm m=4000000000000000000 n=4 k=4000000000000000000\n", 1, ""},
        {"gemm m=1 n=1 k=1 cache=lukewarm\n", 1, "neither cold nor warm"},
        {"m=1\n", 1, "names no operator"},
        {"gemm gemm m=1\n", 1, "one operator a line"},
        {"gemm m=1 n=1 k=1\n\ngemm k=1 m=1 n=1 dtype=bf16\n", 3, "here and in line 1"},
        {"gemm m=1 n=1 k=1 name=a\ngemm m=2 n=1 k=1 name=a\n", 2, "here and in line 1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        om_workloads set = {0};
        om_error err;
        assert_int_equal(add(&set, cases[i].text, &err), OM_INVALID);
        assert_int_equal(err.line, cases[i].line);
        assert_string_equal(err.file, "dir/mine.wl");
        if (strstr(err.text, cases[i].part) == NULL)
            fail_msg("case %zu says: %s", i, err.text);
        assert_int_equal(set.count, 0);
        om__workloads_release(&set);
    }
}

/* What a catalogue lists stays, whatever this build knows of it. */
static void test_catalogue_rows_never_vanish(void **state)
{
    (void)state;
    om_workloads set = make("[catalogue]\n"
                            "no_such_op table=T name=a x=1 dtype=fp8\n"
                            "gemm name=b m=1 n=1 k=1 new_flag=1\n"
                            "gemm name=b pass=sideways m=1 n=1 k=1\n"
                            "gemm name=c m=1 n=1 k=1\n");
    assert_int_equal(set.count, 4);
    assert_null(set.items[0].op);
    assert_string_equal(set.items[0].missing, "there is no operator no_such_op");
    assert_string_equal(set.items[0].dtype, "fp8");
    assert_string_equal(om__pairs_find(&set.items[0].params, "x"), "1");
    assert_non_null(strstr(set.items[1].missing, "new_flag"));
    assert_non_null(strstr(set.items[2].missing, "sideways"));
    assert_non_null(set.items[3].op);
    assert_null(set.items[3].missing);
    om__workloads_release(&set);
}

static om_status filter(om_workloads *set, const char *a, const char *b, om_error *err)
{
    const char *const filters[] = {a, b};
    return om__workloads_filter(set, filters, b == NULL ? 1 : 2, err);
}

static om_workloads twelve(void)
{
    return make("gemm m=1,2,4 n=8 k=8 dtype=bf16,f32\n"
                "rmsnorm m=1,2,4 h=8\ncast m=1,2,4 h=8 name=\"x,y\"\n");
}

static void test_filters(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b;
        size_t count;
    } cases[] = {
        {"op=gemm", NULL, 6},        {"op=gemm,cast", NULL, 9},   {"m=2", NULL, 4},
        {"op=gemm", "dtype=f32", 3}, {"trans_a=0", NULL, 6},      {"name=m=4*", NULL, 3},
        {"name=x,y*", "m=1,4", 2},   {"op=*m*", "table=g*", 6},   {"suite=mine", "cache=cold", 12},
        {"scaling=given", NULL, 3},  {"workload=*h=8*", NULL, 3}, {"pass=forward", NULL, 12},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        om_workloads set = twelve();
        om_error err;
        if (filter(&set, cases[i].a, cases[i].b, &err) != OM_OK)
            fail_msg("%s", err.text);
        if (set.count != cases[i].count)
            fail_msg("%s keeps %zu", cases[i].a, set.count);
        for (size_t k = 1; k < set.count; k++)
            assert_true(set.items[k].line >= set.items[k - 1].line);
        om__workloads_release(&set);
    }
}

static void test_filters_that_match_nothing(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b, *text;
    } cases[] = {
        {"op=gem", NULL, "0 of 12 cases match op=gem; did you mean op=gemm?"},
        {"M=2", NULL, "0 of 12 cases match M=2: none has M; did you mean m=2?"},
        {"m=2", "dtyp=f32",
         "0 of 12 cases match m=2 dtyp=f32: none has dtyp; did you mean "
         "dtype=f32?"},
        {"op=cast", "trans_a=0", "0 of 12 cases match op=cast trans_a=0"},
        {"m=77777", NULL, "0 of 12 cases match m=77777; m is one of 1, 2, 4"},
        {"gemm", NULL, "a filter is written key=value, not gemm"},
        {"op=", NULL, "a filter is written key=value, not op="},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        om_workloads set = twelve();
        om_error err;
        assert_int_equal(filter(&set, cases[i].a, cases[i].b, &err), OM_INVALID);
        assert_string_equal(err.text, cases[i].text);
        assert_int_equal(set.count, 12);
        om__workloads_release(&set);
    }
}

static void test_finding_suites(void **state)
{
    (void)state;
    const char *folder = OM_SOURCE_DIR "/workloads";
    om_pairs suites = {0};
    om_error err;
    char *path;
    assert_int_equal(om__suites_list(folder, &suites, &err), OM_OK);
    assert_non_null(om__pairs_find(&suites, "quick"));
    assert_non_null(om__pairs_find(&suites, "te"));
    /* Every suite that is shipped can be read. */
    for (size_t i = 0; i < suites.count; i++) {
        om_workloads set = {0};
        if (om__workloads_read(&set, suites.items[i].value, &err) != OM_OK)
            fail_msg("%s:%ld: %s", err.file, err.line, err.text);
        om__workloads_release(&set);
    }
    assert_int_equal(om__suite_find(folder, "te", &path, &err), OM_OK);
    assert_string_equal(path, OM_SOURCE_DIR "/workloads/catalogue/te.wl");
    free(path);
    assert_int_equal(om__suite_find(folder, "a/b.wl", &path, &err), OM_OK);
    assert_string_equal(path, "a/b.wl");
    free(path);
    assert_int_equal(om__suite_find(folder, "quik", &path, &err), OM_INVALID);
    assert_string_equal(err.text, "there is no suite quik; did you mean quick?");
    assert_int_equal(om__suites_list("/nonexistent", &suites, &err), OM_IO);
    om__pairs_release(&suites);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_line),
        cmocka_unit_test(test_sweeps_multiply),
        cmocka_unit_test(test_sweep_is_counted_first),
        cmocka_unit_test(test_faults_name_their_line),
        cmocka_unit_test(test_catalogue_rows_never_vanish),
        cmocka_unit_test(test_filters),
        cmocka_unit_test(test_filters_that_match_nothing),
        cmocka_unit_test(test_finding_suites),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
