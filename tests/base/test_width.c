/* SPDX-License-Identifier: Apache-2.0 */
/* test_width.c: terminal columns of UTF-8 texts, and what a terminal may be shown. */
#include "helpers/helper.h"

#include "base/width.h"

static void columns_are_not_bytes(void **state)
{
    (void)state;
    assert_int_equal(om__text_width(""), 0);
    assert_int_equal(om__text_width("gemm"), 4);
    assert_int_equal(om__text_width("12.3 µs ±1 ×"), 12);
    assert_int_equal(om__text_width("e\xcc\x81"), 1); /* e and a combining acute */
    assert_int_equal(om__text_width("矩阵"), 4);      /* two wide characters */
    assert_int_equal(om__text_width("🚀x"), 3);        /* an emoji and a letter */
    assert_int_equal(om__text_width("a\xffz"), 3);    /* an invalid byte shows as one column */
    assert_int_equal(om__text_width("a\x1b[1m"), 8);  /* the escape shows as \x1b */
}

static void expect_visible(const char *text, const char *shown)
{
    om_text out = {0};
    om__text_add_visible(&out, text);
    assert_string_equal(out.data, shown);
    assert_int_equal(om__text_width(text), om__text_width(shown));
    om__text_release(&out);
}

static void a_terminal_is_not_steered(void **state)
{
    (void)state;
    expect_visible("p\nq\tr", "p\\nq\\tr");
    expect_visible("\x1b]0;title\x07", "\\x1b]0;title\\x07");
    expect_visible("\xc2\x9b"
                   "31m",
                   "\\x9b31m"); /* the one-byte form of ESC [ */
    /* marks of direction, a zero-width space, a line separator, a tag; a joiner stays */
    expect_visible("a\u202eb", "a\\u202eb");
    expect_visible("\u2066\u2069\u200b\u2028", "\\u2066\\u2069\\u200b\\u2028");
    expect_visible("\U000e0041", "\\U000e0041");
    expect_visible("a\u200db", "a\u200db");
    expect_visible("a\xc0\xaf", "a\xef\xbf\xbd\xef\xbf\xbd");               /* overlong */
    expect_visible("\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"); /* a surrogate */
    expect_visible("cut \xe2\x80", "cut \xef\xbf\xbd\xef\xbf\xbd");
}

static void expect_cut(const char *text, int width, const char *shown)
{
    om_text out = {0};
    om__text_add(&out, "");
    om__text_add_cut(&out, text, width);
    assert_string_equal(out.data, shown);
    assert_true(om__text_width(out.data) <= width);
    om__text_release(&out);
}

static void long_texts_lose_their_middle(void **state)
{
    (void)state;
    expect_cut("abcdefghij", 10, "abcdefghij");
    expect_cut("abcdefghij", 9, "abcd…ghij");
    expect_cut("abcdefghij", 4, "ab…j");
    expect_cut("abcdefghij", 1, "…");
    expect_cut("abcdefghij", 0, "");
    expect_cut("矩阵矩阵矩阵", 7, "矩…阵");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_are_not_bytes),
        cmocka_unit_test(a_terminal_is_not_steered),
        cmocka_unit_test(long_texts_lose_their_middle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
