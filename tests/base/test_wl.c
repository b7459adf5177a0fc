/* SPDX-License-Identifier: Apache-2.0 */
/* test_wl.c: the line grammar, its errors with their lines, and the way back through
 * om__pairs_format. */
#include "helpers/helper.h"

#include <stdlib.h>
#include <string.h>

#include "base/wl.h"

static om_wl parse(const char *text)
{
    om_wl wl;
    om_error err;
    if (om__wl_parse(text, strlen(text), "t.wl", &wl, &err) != OM_OK)
        fail_msg("line %ld: %s", err.line, err.text);
    return wl;
}

static void test_words_pairs_sections(void **state)
{
    (void)state;
    om_wl wl = parse("# head\n\ngemm m=1 n=\"a b\"  # tail\n[perf] # sizes\n"
                     "allow gemm/* \"two words\" reason=\"a \\\"#\\\" \\\\ b\" empty=\"\"\r\n"
                     "x \\\n  k=2 \\\n\n last a=b=c");
    assert_int_equal(wl.count, 4);
    assert_string_equal(wl.file, "t.wl");
    assert_string_equal(wl.lines[0].section, "");
    assert_int_equal(wl.lines[0].line, 3);
    assert_int_equal(wl.lines[0].word_count, 1);
    assert_string_equal(wl.lines[0].words[0], "gemm");
    assert_string_equal(om__pairs_find(&wl.lines[0].pairs, "n"), "a b");
    assert_string_equal(wl.lines[1].section, "perf");
    assert_int_equal(wl.lines[1].word_count, 3);
    assert_string_equal(wl.lines[1].words[1], "gemm/*");
    assert_string_equal(wl.lines[1].words[2], "two words");
    assert_string_equal(om__pairs_find(&wl.lines[1].pairs, "reason"), "a \"#\" \\ b");
    assert_string_equal(om__pairs_find(&wl.lines[1].pairs, "empty"), "");
    assert_int_equal(wl.lines[2].line, 6);
    assert_string_equal(om__pairs_find(&wl.lines[2].pairs, "k"), "2");
    assert_int_equal(wl.lines[3].line, 9);
    assert_string_equal(om__pairs_find(&wl.lines[3].pairs, "a"), "b=c");
    om__wl_release(&wl);
}

static void test_empty_texts(void **state)
{
    (void)state;
    const char *const texts[] = {"", "\n\n", "# only", "\xEF\xBB\xBF", "[a]\n[b]\n"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        om_wl wl = parse(texts[i]);
        assert_int_equal(wl.count, 0);
        om__wl_release(&wl);
    }
}

static void test_errors_name_their_line(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        long line;
        const char *part;
    } cases[] = {
        {"a\nb m=1 m=2\n", 2, "m= is given twice"},
        {"a \"open\nb\n", 1, "not closed"},
        {"a\n\n[sec\n", 3, "closing ]"},
        {"[]\n", 1, "no name"},
        {"[a] b\n", 1, "after the ]"},
        {"a k=1 word\n", 1, "after key=value"},
        {"a =1\n", 1, "key is missing"},
        {"a x\\y\n", 1, "backslash"},
        {"a \\", 1, "backslash"},
        {"a \"\\q\"\n", 1, "inside quotes"},
        {"a\nb \x01\n", 2, "control character 0x01"},
        {"a \xFF\n", 1, "not UTF-8"},
        {"a \xC0\x80\n", 1, "not UTF-8"},
        {"a \\\n b \\\n \"x\n", 3, "not closed"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        om_wl wl;
        om_error err;
        assert_int_equal(om__wl_parse(cases[i].text, strlen(cases[i].text), "t.wl", &wl, &err),
                         OM_PARSE);
        assert_int_equal(err.line, cases[i].line);
        assert_string_equal(err.file, "t.wl");
        if (strstr(err.text, cases[i].part) == NULL)
            fail_msg("case %zu says: %s", i, err.text);
        assert_null(wl.lines);
    }
}

static void test_nul_is_refused(void **state)
{
    (void)state;
    om_wl wl;
    om_error err;
    assert_int_equal(om__wl_parse("a\0b", 3, "t.wl", &wl, &err), OM_PARSE);
}

static void test_any_value_survives_the_way_back(void **state)
{
    (void)state;
    const char *const values[] = {"plain",
                                  "",
                                  "a b",
                                  "a\tb",
                                  "p\nq\r",
                                  "#12",
                                  "\"q\"",
                                  "\\",
                                  "x\\y",
                                  ("\x7F"
                                   "\x01"),
                                  "µ×",
                                  "1,2,3",
                                  "a=b"};
    om_pairs pairs = {0};
    size_t count = sizeof values / sizeof values[0];
    for (size_t i = 0; i < count; i++) {
        if (values[i][0] != '\0')
            assert_int_equal(om__pairs_set(&pairs, values[i], values[count - 1 - i], NULL), OM_OK);
    }
    char *line = om__pairs_format(&pairs);
    assert_non_null(line);
    om_wl wl = parse(line);
    assert_int_equal(wl.count, 1);
    assert_true(om__pairs_equal(&wl.lines[0].pairs, &pairs));
    om__wl_release(&wl);
    om__pairs_release(&pairs);
    free(line);
}

static void test_reading_a_missing_file(void **state)
{
    (void)state;
    om_wl wl;
    om_error err;
    assert_int_equal(om__wl_read("/nonexistent/x.wl", &wl, &err), OM_IO);
    assert_string_equal(err.file, "/nonexistent/x.wl");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words_pairs_sections),
        cmocka_unit_test(test_empty_texts),
        cmocka_unit_test(test_errors_name_their_line),
        cmocka_unit_test(test_nul_is_refused),
        cmocka_unit_test(test_any_value_survives_the_way_back),
        cmocka_unit_test(test_reading_a_missing_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
