/* SPDX-License-Identifier: Apache-2.0 */
/* test_import_command.c: `opmark import` and `opmark export` as a user calls them, for every kind
 * of file, and what comes back after a round trip. */
#include "helpers/helper.h"

#include <stdio.h>
#include <string.h>

#define IMPORT OM_SOURCE_DIR "/tests/fixtures/import/"

/* The files that come from the tools themselves (Debian 12) or from their documentation. */
static const struct {
    const char *file, *kind;
    const char *says; /* on standard error */
} kinds[] = {
    {"google_benchmark_1_7_1.json", "google-benchmark", "11 rows, 27 values, 1 of them no number"},
    {"google_benchmark_names_1_7_1.json", "google-benchmark", "16 rows, 24 values"},
    {"google_benchmark_aggregates.json", "google-benchmark", "8 rows, "},
    {"nvbench_1.json", "nvbench", "3 rows, 6 values, 2 of them no numbers"},
    {"pytest_benchmark_3_2_2.json", "pytest-benchmark", "2 rows, 12 values"},
    {"hyperfine_1_15.json", "hyperfine", "2 rows, 10 values"},
    {"go_1_19.txt", "go", "10 rows, 30 values"},
    {"asv", "asv", "7 rows, 9 values, 3 of them no numbers"},
    {"asv/box/0123abcd-py3.11.json", "asv", "7 rows, 9 values, 3 of them no numbers"},
    {"criterion", "criterion", "1 row, 4 values"},
    {"cargo_criterion_1_1.jsonl", "cargo-criterion", "3 rows, 7 values"},
};
#define KINDS (sizeof kinds / sizeof kinds[0])

static helper_output expect(const char *folder, int code, const char *part, const char *line)
{
    helper_output o = helper_run(folder, "%s", line);
    if (o.code != code)
        fail_msg("'%s' ended with %d: %s%s", line, o.code, o.out, o.err);
    if (part != NULL && strstr(o.out, part) == NULL && strstr(o.err, part) == NULL)
        fail_msg("'%s' says no '%s' but: %s%s", line, part, o.out, o.err);
    return o;
}

static void want(const char *folder, int code, const char *part, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
static void want(const char *folder, int code, const char *part, const char *format, ...)
{
    char line[2000];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    helper_output o = expect(folder, code, part, line);
    helper_output_release(&o);
}

static void every_kind_is_told_from_its_content(void **state)
{
    (void)state;
    char *folder = helper_folder_create();
    for (size_t i = 0; i < KINDS; i++) {
        char says[160];
        snprintf(says, sizeof says, "%s, %s", kinds[i].kind, kinds[i].says);
        want(folder, 0, says, "opmark import %s%s --machine box --out d%zu", IMPORT, kinds[i].file,
             i);
        want(folder, 0, "\"schema\":1", "opmark import %s%s --kind %s", IMPORT, kinds[i].file,
             kinds[i].kind);
        want(folder, 0, NULL, "opmark import %s%s --store s.db --machine box%zu", IMPORT,
             kinds[i].file, i);
        /* the same file twice is the same run: nothing is added */
        want(folder, 0, NULL,
             "a=$(opmark store show machine=box%zu -f jsonl --store s.db | wc -l); "
             "opmark import %s%s --store s.db --machine box%zu && "
             "b=$(opmark store show machine=box%zu -f jsonl --store s.db | wc -l); "
             "test $a -gt 0 && test $a = $b",
             i, IMPORT, kinds[i].file, i, i);
        /* whatever was imported is a side, and compared with itself nothing is slower */
        want(folder, 0, " 0 slower", "opmark compare --threshold 5%% %s%s d%zu --machine box",
             IMPORT, kinds[i].file, i);
    }
    helper_folder_remove(folder);
}

static void a_wrong_kind_or_file_is_one_line(void **state)
{
    (void)state;
    char *folder = helper_folder_create();
    want(folder, 2, "not one of google-benchmark",
         "opmark import --kind gtest " IMPORT "go_1_19.txt");
    want(folder, 2, "no file to import", "opmark import");
    want(folder, 2, "absent.json: ", "opmark import absent.json");
    for (size_t i = 0; i < KINDS; i++)
        want(folder, 2, "opmark: ", "opmark import --kind %s x.txt",
             strcmp(kinds[i].kind, "go") == 0 ? "asv" : kinds[i].kind);
    want(folder, 2, "x.txt", "echo hello > x.txt; opmark import --kind go x.txt");
    want(folder, 2, "opmark: ", "opmark import x.txt");
    want(folder, 2, "empty file", ": > e.json; opmark import e.json");
    want(folder, 2, "asv results of version 9",
         "sed 's/\"version\": 2}/\"version\": 9}/' " IMPORT
         "asv/box/0123abcd-py3.11.json > v.json; opmark import v.json");
    helper_folder_remove(folder);
}

/* The values of all rows that the other format can hold, as text, in one order. */
#define VALUES                                                                                     \
    "values() { opmark export $1 --format csv | "                                                  \
    "awk -F, '$12 == \"time\" || $12 == \"cpu_time\" { print $12, $13, $14 }' | sort; }; "

static void google_benchmark_comes_back_the_same(void **state)
{
    (void)state;
    char *folder = helper_folder_create();
    static const char *const files[] = {"google_benchmark_names_1_7_1.json",
                                        "google_benchmark_1_7_1.json"};
    for (size_t i = 0; i < 2; i++)
        want(folder, 0, NULL,
             VALUES "opmark import %s%s --out a%zu && "
                    "opmark export a%zu --format google-benchmark -o x%zu.json && "
                    "opmark import x%zu.json --out b%zu && values a%zu > a.txt && "
                    "values b%zu > b.txt && test -s a.txt && cmp a.txt b.txt",
             IMPORT, files[i], i, i, i, i, i, i, i);
    helper_folder_remove(folder);
}

/* What was measured by other tools, as Google Benchmark's: its times have no processor time of
 * their own, so the time stands in for it; no row is lost, and none falls together with another. */
static void others_become_google_benchmark(void **state)
{
    (void)state;
    char *folder = helper_folder_create();
    static const char *const files[] = {"hyperfine_1_15.json", "pytest_benchmark_3_2_2.json",
                                        "nvbench_1.json", "criterion", "asv"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        want(folder, 0, NULL,
             "values() { opmark export $1 --format csv | awk -F, '$12 == \"time\" { print $13, $14 "
             "}' "
             "| sort; }; opmark import %s%s --out a%zu && "
             "opmark export a%zu --format google-benchmark -o x.json && "
             "opmark import x.json --out b%zu && values a%zu > a.txt && values b%zu > b.txt && "
             "test -s a.txt && cmp a.txt b.txt",
             IMPORT, files[i], i, i, i, i, i);
    helper_folder_remove(folder);
}

static void asv_comes_back_with_its_date(void **state)
{
    (void)state;
    char *folder = helper_folder_create();
    want(folder, 0, NULL, "opmark import " IMPORT "asv --out a");
    want(folder, 2, "--out", "opmark export a --format asv");
    want(folder, 0, NULL, "opmark export a --format asv --out r && test -e r/benchmarks.json");
    /* 2025-11-30T10:00:00Z */
    want(folder, 0, NULL, "cat r/box/0123abcd-opmark.json | grep -q '\"date\": *1764496800000'");
    want(folder, 0, "5 rows", "opmark import r --out b");
    want(folder, 0, NULL,
         "t() { opmark export $1 -f csv | awk -F, '$12 == \"time\" && $14 != \"\" { print $14 }' | "
         "sort; }; "
         "t a > a.txt; t b > b.txt; test -s a.txt && cmp a.txt b.txt");
    helper_folder_remove(folder);
}

static void csv_and_prometheus(void **state)
{
    (void)state;
    char *folder = helper_folder_create();
    want(folder, 0, NULL, "opmark import " IMPORT "hyperfine_1_15.json --out a --machine m");
    want(folder, 0, "2 rows compared",
         "opmark export a --format csv -o a.csv && opmark compare --threshold 5%% a.csv a.csv");
    want(folder, 0, "# TYPE opmark_seconds gauge", "opmark export a --format prometheus");
    want(folder, 2, "not one of", "opmark export a --format xml");
    want(folder, 2, "opmark: ", "opmark export absent");
    want(folder, 0, "left out",
         "opmark import " IMPORT "go_1_19.txt --out g && opmark export g -f google-benchmark");
    want(folder, 0, "m",
         "opmark import " IMPORT "hyperfine_1_15.json --store s.db --machine m && "
         "opmark export store:file=s.db,machine=m");
    helper_folder_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_is_told_from_its_content),
        cmocka_unit_test(a_wrong_kind_or_file_is_one_line),
        cmocka_unit_test(google_benchmark_comes_back_the_same),
        cmocka_unit_test(others_become_google_benchmark),
        cmocka_unit_test(asv_comes_back_with_its_date),
        cmocka_unit_test(csv_and_prometheus),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
