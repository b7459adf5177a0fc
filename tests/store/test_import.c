/* SPDX-License-Identifier: Apache-2.0 */
/* test_import.c: files of other tools. Those of Google Benchmark 1.7.1, hyperfine 1.15,
 * pytest-benchmark 3.2.2 and Go 1.19 were written by the tools; those of nvbench (file version 1),
 * asv (version 2) and Criterion 0.5 after their documentation. */
#include "helpers/helper.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "store/import.h"

#define FIXTURES OM_SOURCE_DIR "/tests/fixtures/import/"

static om_record_set import(const char *name, const char *kind)
{
    om_record_set set = {0};
    om_error err;
    om_text path = {0};
    const om_importer *importer;
    om__text_addf(&path, "%s%s", FIXTURES, name);
    if (om__import_detect(path.data, &importer, &err) != OM_OK)
        fail_msg("%s: %s", name, err.text);
    assert_non_null(importer);
    assert_string_equal(importer->name, kind);
    if (om__import_read(importer, path.data, NULL, &set, &err) != OM_OK)
        fail_msg("%s:%ld: %s", name, err.line, err.text);
    om__text_release(&path);
    return set;
}

static const om_record *find(const om_record_set *set, const char *name, const char *params,
                             const char *metric)
{
    for (size_t i = 0; i < set->count; i++) {
        const om_record *r = &set->items[i];
        char *own = om__pairs_format(&r->benchmark.params);
        bool found = strcmp(r->benchmark.name, name) == 0 && strcmp(own, params) == 0 &&
                     strcmp(r->metric.name, metric) == 0;
        free(own);
        if (found)
            return r;
    }
    fail_msg("no %s of %s %s", metric, name, params);
    return NULL;
}

static void test_google_benchmark(void **state)
{
    (void)state;
    om_record_set set = import("google_benchmark_1_7_1.json", "google-benchmark");
    /* copy/64 and copy/4096 with time, cpu_time, bytes_per_second and a counter; one failure; one
     * with two threads. Aggregates are left out: the repetitions are there. */
    assert_int_equal(set.count, 4 + 4 + 1 + 2);
    const om_record *r = find(&set, "copy", "arg=64", "time");
    assert_string_equal(r->benchmark.table, "gb");
    assert_null(r->benchmark.op);
    assert_int_equal(r->sample_count, 3);
    assert_string_equal(r->metric.unit, "us");
    assert_int_equal(r->metric.better, OM_BETTER_LOWER);
    assert_null(r->metric.derivation);
    assert_true(r->samples[0] == 7.5186641170153501e-03f);
    assert_string_equal(r->place.instance, "host");
    assert_string_equal(om__pairs_find(&r->place.settings, "num_cpus"), "2");
    assert_string_equal(om__pairs_find(&r->evidence, "repeats"), "3");
    r = find(&set, "copy", "arg=64", "bytes_per_second");
    assert_int_equal(r->metric.better, OM_BETTER_HIGHER);
    assert_string_equal(r->metric.unit, "B/s");
    r = find(&set, "copy", "arg=64", "rounds");
    assert_int_equal(r->metric.better, OM_BETTER_UNKNOWN);
    r = find(&set, "fails", "", "time");
    assert_int_equal(r->outcome, OM_OUTCOME_ERROR);
    assert_string_equal(r->reason, "no such device");
    assert_int_equal(r->summary.n, 0);
    om__record_set_release(&set);

    set = import("google_benchmark_aggregates.json", "google-benchmark");
    assert_int_equal(set.count, 8);
    r = find(&set, "copy", "arg=4096", "time");
    assert_int_equal(r->sample_count, 1);
    assert_string_equal(r->metric.derivation, "median of repetitions");
    om__record_set_release(&set);
}

/* Arguments, bare and named, are parameters; how long and how often something ran is not part of
 * what it is; templates, fixtures and negative numbers keep their names. */
static void test_google_benchmark_names(void **state)
{
    (void)state;
    om_record_set set = import("google_benchmark_names_1_7_1.json", "google-benchmark");
    static const struct {
        const char *name, *params;
    } rows[] = {{"copy", "arg=64"},
                {"copy", "arg=4096"},
                {"fill", "arg1=8 arg2=512"},
                {"fill", "arg1=16 arg2=32"},
                {"fill_named", "rows=8 cols=512 clock=real_time threads=2"},
                {"sum<double>", ""},
                {"sum<std::size_t>", ""},
                {"Fix/copy", "arg=-1"}};
    size_t count = sizeof rows / sizeof rows[0];
    assert_int_equal(set.count, 2 * count);
    for (size_t i = 0; i < count; i++) {
        const om_record *r = find(&set, rows[i].name, rows[i].params, "time");
        assert_int_equal(r->sample_count, i < 2 ? 3 : 1);
        find(&set, rows[i].name, rows[i].params, "cpu_time");
    }
    om__record_set_release(&set);
}

static void test_hyperfine(void **state)
{
    (void)state;
    om_record_set set = import("hyperfine_1_15.json", "hyperfine");
    assert_int_equal(set.count, 2);
    const om_record *r = find(&set, "sleep 0.001", "n=0.001", "time");
    assert_int_equal(r->sample_count, 5);
    assert_string_equal(r->metric.unit, "s");
    assert_true(r->samples[0] == 0.027975574000000003f);
    om__record_set_release(&set);
}

static void test_pytest_benchmark(void **state)
{
    (void)state;
    om_record_set set = import("pytest_benchmark_3_2_2.json", "pytest-benchmark");
    assert_int_equal(set.count, 2);
    const om_record *r = find(&set, "test_sum.py::test_sum[10]", "n=10", "time");
    assert_int_equal(r->sample_count, 6);
    assert_int_equal(r->method.inner, 10);
    assert_string_equal(r->place.machine_class, "AMD EPYC");
    assert_null(r->subject.commit);
    assert_true(r->samples[5] == 6.910004231031053e-08f);
    om__record_set_release(&set);
}

static void test_go(void **state)
{
    (void)state;
    om_record_set set = import("go_1_19.txt", "go");
    assert_int_equal(set.count, 2 * 4 + 2);
    const om_record *r = find(&set, "Fill", "procs=2 size=64", "time");
    assert_int_equal(r->sample_count, 3);
    assert_string_equal(r->benchmark.table, "example.com/a");
    assert_string_equal(r->metric.unit, "ns");
    assert_true(r->samples[1] == 34.72f);
    r = find(&set, "Fill", "procs=2 size=64", "throughput");
    assert_string_equal(r->metric.unit, "MB/s");
    assert_int_equal(r->metric.better, OM_BETTER_HIGHER);
    r = find(&set, "Rows", "procs=2", "rows/op");
    assert_int_equal(r->metric.better, OM_BETTER_UNKNOWN);
    assert_string_equal(r->place.machine_class, "AMD EPYC");
    om__record_set_release(&set);
}

static void check_asv(om_record_set *set)
{
    assert_int_equal(set->count, 4 + 3);
    const om_record *r = find(set, "sums.time_sum", "n=10 kind='list'", "time");
    assert_int_equal(r->sample_count, 3);
    assert_true(r->samples[2] == 1.9e-06f);
    assert_string_equal(r->subject.commit, "0123abcd0123abcd0123abcd0123abcd0123abcd");
    assert_string_equal(r->place.machine_class, "AMD EPYC");
    assert_string_equal(r->place.instance, "box");
    assert_string_equal(r->when.started, "2025-11-30T10:00:00.000Z");
    r = find(set, "sums.time_sum", "n=10 kind='range'", "time");
    assert_int_equal(r->sample_count, 1);
    assert_true(r->samples[0] == 3e-06f);
    r = find(set, "sums.time_sum", "n=100 kind='list'", "time");
    assert_int_equal(r->outcome, OM_OUTCOME_SKIPPED);
    assert_string_equal(r->reason, "skipped (nan)");
    r = find(set, "sums.time_sum", "n=100 kind='range'", "time");
    assert_int_equal(r->outcome, OM_OUTCOME_ERROR);
    r = find(set, "sums.peakmem_sum", "", "peak_memory");
    assert_true(r->samples[0] == 41943040.0f);
    r = find(set, "sums.track_ratio", "", "value");
    assert_string_equal(r->metric.unit, "ratio");
    assert_int_equal(r->metric.better, OM_BETTER_UNKNOWN);
    r = find(set, "sums.time_broken", "", "time");
    assert_string_equal(r->reason, "failed (null)");
    om__record_set_release(set);
}

static void test_asv(void **state)
{
    (void)state;
    om_record_set set = import("asv/box/0123abcd-py3.11.json", "asv");
    check_asv(&set);
    set = import("asv", "asv");
    check_asv(&set);
    set = import("asv/box", "asv");
    check_asv(&set);
}

static void test_criterion(void **state)
{
    (void)state;
    static const char *const places[] = {"criterion", "criterion/sort/quick/1000/new/sample.json"};
    for (size_t i = 0; i < 2; i++) {
        om_record_set set = import(places[i], "criterion");
        assert_int_equal(set.count, 1);
        const om_record *r = find(&set, "quick", "value=1000", "time");
        assert_string_equal(r->benchmark.table, "sort");
        assert_int_equal(r->sample_count, 4);
        assert_true(r->samples[0] == 100 && r->samples[1] == 105 && r->samples[3] == 110);
        om__record_set_release(&set);
    }
}

/* Of cargo-criterion 1.1, by hand from its documentation: messages of cargo and of groups beside.
 */
static void test_cargo_criterion(void **state)
{
    (void)state;
    om_record_set set = import("cargo_criterion_1_1.jsonl", "cargo-criterion");
    assert_int_equal(set.count, 3);
    const om_record *r = find(&set, "quick", "value=1000", "time");
    assert_string_equal(r->benchmark.table, "sort");
    assert_int_equal(r->sample_count, 3);
    assert_true(r->samples[0] == 4140 && r->samples[1] == 4100 && r->samples[2] == 4000);
    assert_int_equal(r->metric.better, OM_BETTER_LOWER);
    r = find(&set, "norm", "", "time");
    assert_string_equal(r->benchmark.table, "norm");
    r = find(&set, "count", "", "value");
    assert_string_equal(r->metric.unit, "cycles");
    assert_int_equal(r->metric.better, OM_BETTER_UNKNOWN);
    om__record_set_release(&set);
}

static void test_nvbench(void **state)
{
    (void)state;
    om_record_set set = import("nvbench_1.json", "nvbench");
    assert_int_equal(set.count, 3);
    const om_record *r = find(&set, "copy", "Elements=1048576", "time");
    assert_int_equal(r->sample_count, 4);
    assert_true(r->samples[1] == 3.6e-5f);
    assert_true(isnan(r->samples[2]));
    assert_string_equal(r->sample_reasons[2], "nan");
    assert_string_equal(r->place.machine_class, "NVIDIA H200");
    assert_null(r->metric.derivation);
    r = find(&set, "copy", "Elements=16777216", "time");
    assert_string_equal(r->metric.derivation, "mean of cold runs");
    r = find(&set, "copy", "Elements=1099511627776", "time");
    assert_int_equal(r->outcome, OM_OUTCOME_SKIPPED);
    assert_string_equal(r->reason, "not enough memory");
    om__record_set_release(&set);
}

/* ---- faults ---- */

static om_status import_text(const char *text, const om_importer **importer, om_record_set *set,
                             om_error *err)
{
    char *folder = helper_folder_create();
    om_text path = {0};
    om__text_addf(&path, "%s/in", folder);
    helper_file_write(path.data, text);
    *set = (om_record_set){0};
    om_status status = om__import_detect(path.data, importer, err);
    if (status == OM_OK && *importer != NULL)
        status = om__import_read(*importer, path.data, NULL, set, err);
    om__text_release(&path);
    helper_folder_remove(folder);
    return status;
}

static void test_unknown_versions_and_damage(void **state)
{
    (void)state;
    static const struct {
        const char *text, *part;
    } cases[] = {
        {"{\"context\":{\"json_schema_version\":2},\"benchmarks\":[]}", "schema 2 is not known"},
        {"{\"meta\":{\"version\":{\"json\":{\"major\":3}}},\"devices\":[],\"benchmarks\":[]}",
         "version 3 are not known"},
        {"{\"machine_info\":{},\"version\":\"9.0\",\"benchmarks\":[]}", "9.0 is not known"},
        {"{\"commit_hash\":\"a\",\"version\":1,\"results\":{}}", "version 1 are not known"},
        {"{\"context\":{},\"benchmarks\":[]}", "holds no benchmark of google-benchmark"},
        {"{\"context\":{},\"benchmarks\":[{\"real_time\":1}]}", "without a name"},
        {"{\"context\":{},\"benchmarks\":[{\"name\":\"a\",\"real_time\":1}", "the text ends"},
        {"{\"context\":{},\"benchmarks\":[{\"name\":\"a\",\"real_time\":1}]", "the text ends"},
        {"{\"results\":[{\"times\":[1]}]}", "without a command"},
        {"BenchmarkA 10 5 ns/op 7\n", "7 has no unit"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const om_importer *importer;
        om_record_set set;
        om_error err = {0};
        if (import_text(cases[i].text, &importer, &set, &err) != OM_PARSE)
            fail_msg("case %zu was accepted", i);
        assert_non_null(importer);
        assert_string_not_equal(err.file, "");
        if (strstr(err.text, cases[i].part) == NULL)
            fail_msg("case %zu says: %s", i, err.text);
        assert_int_equal(set.count, 0);
        om__record_set_release(&set);
    }
}

/* Field case C-11, C-12. */
static void test_values_that_are_none(void **state)
{
    (void)state;
    const char *text =
        "{\"context\":{},\"benchmarks\":["
        "{\"name\":\"a\",\"real_time\":NaN},{\"name\":\"b\",\"real_time\":-nan},"
        "{\"name\":\"c\",\"real_time\":Infinity},{\"name\":\"d\",\"real_time\":\"nan\"},"
        "{\"name\":\"e\",\"real_time\":null},{\"name\":\"f\",\"real_time\":1e999},"
        "{\"name\":\"g\"},{\"name\":\"h\",\"real_time\":5,\"iterations\":0},"
        "{\"name\":\"i\",\"real_time\":0}]}";
    static const char *const reasons[] = {"nan",      "nan",     "infinite",     "nan", "null",
                                          "overflow", "missing", "0 iterations", NULL};
    const om_importer *importer;
    om_record_set set;
    om_error err;
    if (import_text(text, &importer, &set, &err) != OM_OK)
        fail_msg("%s", err.text);
    assert_int_equal(set.count, 9);
    for (size_t i = 0; i < 9; i++) {
        if (reasons[i] == NULL) {
            assert_int_equal(set.items[i].outcome, OM_OUTCOME_OK);
            assert_true(set.items[i].summary.median == 0);
            continue;
        }
        assert_string_equal(set.items[i].reason, reasons[i]);
        assert_int_equal(set.items[i].outcome, OM_OUTCOME_ERROR);
        assert_int_equal(set.items[i].summary.n, 0);
    }
    om__record_set_release(&set);
}

/* A rate that is no number is a value with a reason too, not one that is left out. */
static void test_rates_that_are_none(void **state)
{
    (void)state;
    static const struct {
        const char *rate, *reason;
    } cases[] = {{"\"fast\"", "not a number"}, {"null", "null"}, {"[1]", "not a number"},
                 {"true", "not a number"},     {"NaN", "nan"},   {"\"12\"", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const om_importer *importer;
        om_record_set set;
        om_text text = {0};
        om__text_addf(&text,
                      "{\"context\":{},\"benchmarks\":[{\"name\":\"a\",\"real_time\":5,"
                      "\"bytes_per_second\":%s}]}",
                      cases[i].rate);
        assert_int_equal(import_text(text.data, &importer, &set, NULL), OM_OK);
        assert_int_equal(set.count, 2);
        if (cases[i].reason != NULL)
            assert_string_equal(set.items[1].reason, cases[i].reason);
        else
            assert_true(set.items[1].summary.median == 12);
        om__record_set_release(&set);
        om__text_release(&text);
    }
}

/* Field case C-11, strictly: refused by line and column, also where the value is stepped over. */
static void test_strict(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        long line;
        const char *part;
    } bad[] = {
        {"{\"context\":{},\n\"benchmarks\":[{\"name\":\"a\",\"real_time\":NaN}]}", 2, "column 39"},
        {"{\"context\":{},\"benchmarks\":[{\"name\":\"f\",\n\"real_time\":1e999}]}", 2,
         "column 13: a number beyond"},
        {"{\"results\":[{\"command\":\"a\",\"times\":[1.0,\nInfinity],\"median\":1}]}", 2,
         "column 1"},
        {"{\"results\":[{\"command\":\"a\",\"times\":[1.0,1e999],\"median\":1}]}", 1, "column 41"},
        {"{\"context\":{},\"benchmarks\":[{\"name\":\"a\",\n\"real_time\":\"12\"}]}", 2,
         "column 13: expected a number"},
        {"{\"context\":{},\"benchmarks\":[{\"name\":\"a\",\"real_time\":null}]}", 1,
         "expected a number"},
        {"{\"context\":{},\"benchmarks\":[{\"name\":\"a\",\"real_time\":[1]}]}", 1,
         "expected a number"},
        {"{\"context\":{},\"benchmarks\":[{\"name\":\"a\",\"cpu_time\":{}}]}", 1,
         "expected a number"},
        {"{\"context\":{},\"benchmarks\":[{\"name\":\"a\",\"cpu_time\":true}]}", 1,
         "expected a number"},
        {"{\"context\":{},\"benchmarks\":[{\"name\":\"a\",\n\"bytes_per_second\":\"12\"}]}", 2,
         "column 20: expected a number"},
        {"{\"results\":[{\"command\":\"a\",\n\"times\":[1.0,\n \"2\"],\"median\":1}]}", 3,
         "column 2: expected a number"},
        {"goos: linux\nBenchmarkA-2\t10\tNaN ns/op\n", 2, "'NaN' is no finite number"},
    };
    const om_import_options strict = {.strict = true};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const om_importer *importer;
        om_record_set set = {0};
        om_error err = {0};
        if (import_text(bad[i].text, &importer, &set, &err) != OM_OK)
            fail_msg("%zu: %s", i, err.text);
        om__record_set_release(&set);
        char *folder = helper_folder_create();
        om_text path = {0};
        om__text_addf(&path, "%s/x", folder);
        helper_file_write(path.data, bad[i].text);
        if (om__import_read(importer, path.data, &strict, &set, &err) != OM_PARSE)
            fail_msg("%zu was read", i);
        if (err.line != bad[i].line || strstr(err.text, bad[i].part) == NULL)
            fail_msg("%zu: line %ld, %s", i, err.line, err.text);
        assert_int_equal(set.count, 0);
        om__record_set_release(&set);
        om__text_release(&path);
        helper_folder_remove(folder);
    }
}

static void test_what_no_tool_wrote(void **state)
{
    (void)state;
    const char *const texts[] = {"case,impl,sample,ms\na,b,0,1\n",
                                 "{\"rows\":[]}",
                                 "[1,2]",
                                 "{\"schema\":1}\n",
                                 "Benchmark of the year\n",
                                 "{"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const om_importer *importer;
        om_record_set set;
        assert_int_equal(import_text(texts[i], &importer, &set, NULL), OM_OK);
        assert_null(importer);
        om__record_set_release(&set);
    }
    const om_importer *importer;
    om_record_set set;
    om_error err;
    assert_int_equal(import_text("", &importer, &set, &err), OM_PARSE);
    assert_string_equal(err.text, "empty file");
    om__record_set_release(&set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_google_benchmark),
        cmocka_unit_test(test_google_benchmark_names),
        cmocka_unit_test(test_hyperfine),
        cmocka_unit_test(test_pytest_benchmark),
        cmocka_unit_test(test_go),
        cmocka_unit_test(test_asv),
        cmocka_unit_test(test_criterion),
        cmocka_unit_test(test_cargo_criterion),
        cmocka_unit_test(test_nvbench),
        cmocka_unit_test(test_unknown_versions_and_damage),
        cmocka_unit_test(test_values_that_are_none),
        cmocka_unit_test(test_rates_that_are_none),
        cmocka_unit_test(test_strict),
        cmocka_unit_test(test_what_no_tool_wrote),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
