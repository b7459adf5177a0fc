/* SPDX-License-Identifier: Apache-2.0 */
/* test_list.c: `opmark list` as scripts use it. */
#include "helpers/helper.h"

#include <string.h>

#include "base/csv.h"

static om_csv list(const char *arguments)
{
    om_csv csv;
    om_error err;
    helper_output output = helper_run(NULL, "opmark list %s --format csv", arguments);
    if (output.code != 0)
        fail_msg("%s: %s", arguments, output.err);
    if (om__csv_parse(output.out, strlen(output.out), arguments, &csv, &err) != OM_OK)
        fail_msg("%s", err.text);
    helper_output_release(&output);
    return csv;
}

static void test_workloads(void **state)
{
    (void)state;
    static const char *const columns[] = {"suite", "table", "workload", "op",
                                          "pass",  "dtype", "params"};
    static const struct {
        const char *arguments;
        size_t rows;
    } cases[] = {
        {"workloads --suite te", 752},
        {"workloads --suite llm-ops", 152},
        {"workloads --suite te --suite llm-ops", 904},
        {"workloads --suite te,llm-ops table=GemmFwd", 14},
        {"workloads --suite te op=cast", 80},
        {"workloads --suite te --filter table=benchmark_gemm --filter m=1024 pass=forward", 24},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        om_csv csv = list(cases[i].arguments);
        assert_int_equal(csv.column_count, 7);
        for (size_t c = 0; c < 7; c++)
            assert_string_equal(csv.header[c], columns[c]);
        assert_int_equal(csv.row_count, cases[i].rows);
        om__csv_release(&csv);
    }
}

static void test_the_others(void **state)
{
    (void)state;
    om_csv csv = list("ops");
    assert_string_equal(csv.rows[0].cells[0], "gemm");
    om__csv_release(&csv);
    csv = list("providers");
    assert_string_equal(csv.header[0], "provider");
    assert_string_equal(csv.rows[0].cells[0], "own");
    om__csv_release(&csv);
    csv = list("devices");
    assert_string_equal(csv.rows[0].cells[0], "cpu");
    om__csv_release(&csv);
    csv = list("suites");
    for (size_t i = 0; i < csv.row_count; i++)
        if (csv.rows[i].cells[3][0] != '\0')
            fail_msg("%s: %s", csv.rows[i].cells[0], csv.rows[i].cells[3]);
    om__csv_release(&csv);
}

static void test_faults(void **state)
{
    (void)state;
    static const struct {
        const char *arguments, *part;
    } cases[] = {
        {"", "say what to list"},
        {"worloads", "did you mean workloads?"},
        {"ops gemm", "one subject at a time"},
        {"workloads --suite tee", "did you mean te?"},
        {"workloads --suite quick op=gem", "did you mean op=gemm?"},
        {"workloads --suite ./missing.wl", "missing.wl"},
        {"workloads --format xml", "xml"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        helper_output output = helper_run(NULL, "opmark list %s", cases[i].arguments);
        assert_int_equal(output.code, 2);
        assert_string_equal(output.out, "");
        if (strstr(output.err, cases[i].part) == NULL)
            fail_msg("%s says: %s", cases[i].arguments, output.err);
        helper_output_release(&output);
    }
}

static void test_a_faulty_file_names_its_line(void **state)
{
    (void)state;
    char *folder = helper_folder_create();
    om_text path = {0};
    om__text_addf(&path, "%s/mine.wl", folder);
    helper_file_write(path.data, "gemm m=1 n=1 k=1\n\ngemm m=1 n=1 q=1\n");
    helper_output output = helper_run(folder, "opmark list workloads --suite mine.wl");
    assert_int_equal(output.code, 2);
    if (strncmp(output.err, "opmark: mine.wl:3: ", 19) != 0)
        fail_msg("says: %s", output.err);
    helper_output_release(&output);
    om__text_release(&path);
    helper_folder_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_workloads),
        cmocka_unit_test(test_the_others),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_a_faulty_file_names_its_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
