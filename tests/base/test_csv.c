/* SPDX-License-Identifier: Apache-2.0 */
/* test_csv.c: reading and writing comma-separated values. */
#include "helpers/helper.h"

#include <string.h>

#include "base/csv.h"

static om_csv parse(const char *text)
{
    om_csv csv;
    om_error err;
    if (om__csv_parse(text, strlen(text), "t.csv", &csv, &err) != OM_OK)
        fail_msg("%s", err.text);
    return csv;
}

static void plain_and_quoted_cells(void **state)
{
    (void)state;
    om_csv csv = parse("\xef\xbb\xbfname,ms\r\n\"gemm, bias=1\",1.5\r\n\"say \"\"hi\"\"\",2\n\n"
                       "\"two\nlines\",\nlast,4");
    assert_int_equal(csv.column_count, 2);
    assert_string_equal(csv.header[0], "name");
    assert_int_equal(csv.row_count, 4);
    assert_string_equal(csv.rows[0].cells[0], "gemm, bias=1");
    assert_string_equal(csv.rows[0].cells[1], "1.5");
    assert_string_equal(csv.rows[1].cells[0], "say \"hi\"");
    assert_string_equal(csv.rows[2].cells[0], "two\nlines");
    assert_string_equal(csv.rows[2].cells[1], "");
    assert_int_equal(csv.rows[2].line, 5);
    assert_int_equal(csv.rows[3].line, 7);
    assert_string_equal(csv.rows[3].cells[1], "4");
    size_t index;
    om_error err;
    assert_int_equal(om__csv_column(&csv, "ms", &index, &err), OM_OK);
    assert_int_equal(index, 1);
    assert_int_equal(om__csv_column(&csv, "us", &index, &err), OM_PARSE);
    assert_string_equal(err.text, "there is no column 'us'");
    om__csv_release(&csv);
}

static void expect_fault(const char *text, size_t size, long line, const char *words)
{
    om_csv csv;
    om_error err;
    assert_int_equal(om__csv_parse(text, size, "t.csv", &csv, &err), OM_PARSE);
    assert_string_equal(err.text, words);
    assert_string_equal(err.file, "t.csv");
    assert_int_equal(err.line, line);
}

static void faults_name_their_line(void **state)
{
    (void)state;
    expect_fault("", 0, 0, "the table is empty");
    expect_fault("\n\n", 2, 0, "the table is empty");
    expect_fault("a,b\n1,2\n3\n", 10, 3, "1 cells where the header has 2");
    expect_fault("a,b\nx;1,5,6\n", 12, 2, "3 cells where the header has 2");
    expect_fault("a\n\"open\n", 8, 2, "the quote opened here is never closed");
    expect_fault("a\n\"x\"y\n", 7, 2, "text after a closing quote");
    expect_fault("a\nx\0y\n", 6, 2, "a NUL byte: this is no text");
}

static void expect_cell(const char *cell, bool defuse, const char *written)
{
    om_text out = {0};
    om__text_add(&out, "");
    om__csv_add_cell(&out, cell, defuse);
    assert_string_equal(out.data, written);
    om__text_release(&out);
}

static void cells_are_quoted_where_needed(void **state)
{
    (void)state;
    expect_cell("plain", false, "plain");
    expect_cell("a|b", false, "a|b");
    expect_cell("gemm, bias=1", false, "\"gemm, bias=1\"");
    expect_cell("say \"hi\"", false, "\"say \"\"hi\"\"\"");
    expect_cell("p\nq", false, "\"p\nq\"");
    expect_cell("=1+1", false, "=1+1");
    expect_cell("=1+1", true, "\"'=1+1\"");
    expect_cell("@team", true, "\"'@team\"");
    expect_cell("-1.5", true, "-1.5");
    expect_cell("+1.5e3", true, "+1.5e3");
    expect_cell("", true, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_and_quoted_cells),
        cmocka_unit_test(faults_name_their_line),
        cmocka_unit_test(cells_are_quoted_where_needed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
