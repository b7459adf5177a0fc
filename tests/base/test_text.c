/* SPDX-License-Identifier: Apache-2.0 */
/* test_text.c: errors, the text buffer, ordered pairs, numbers, near-miss words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/pairs.h"
#include "base/text.h"

static void errors_are_cut_never_overrun(void **state)
{
    (void)state;
    om_error err;
    char line[1024], longest[2000];
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    assert_int_equal(om__error_set(&err, OM_PARSE, "%s", longest), OM_PARSE);
    assert_int_equal(strlen(err.text), sizeof err.text - 1);
    om__error_prefix(&err, OM_PARSE, "reading %s: ", "a.wl");
    assert_int_equal(strlen(err.text), sizeof err.text - 1);
    assert_memory_equal(err.text, "reading a.wl: xxx", 17);
    om__error_set_at(&err, OM_PARSE, "a.wl", 7, "no '='");
    assert_string_equal(om__error_format(&err, line, sizeof line), "a.wl:7: no '='");
    om__error_set_at(&err, OM_IO, "a.wl", 0, "cannot open");
    assert_string_equal(om__error_format(&err, line, sizeof line), "a.wl: cannot open");
    assert_int_equal(om__error_set(NULL, OM_IO, "dropped"), OM_IO);
}

static void every_status_has_a_word(void **state)
{
    (void)state;
    for (int i = 0; i < OM_STATUS_COUNT; i++)
        assert_string_not_equal(om_status_name((om_status)i), "unknown");
    assert_string_equal(om_status_name((om_status)99), "unknown");
}

static void text_grows(void **state)
{
    (void)state;
    om_text text = {0};
    for (int i = 0; i < 1000; i++)
        om__text_addf(&text, "%d,", i);
    om__text_add_bytes(&text, "a\0b", 3);
    assert_int_equal(text.size, 10 * 2 + 90 * 3 + 900 * 4 + 3);
    assert_int_equal(text.data[text.size], 0);
    assert_int_equal(om__text_check(&text, NULL), OM_OK);
    om__text_clear(&text);
    assert_int_equal(text.size, 0);
    assert_string_equal(text.data, "");
    om__text_release(&text);
    assert_null(text.data);
}

static void a_failed_text_stays_failed(void **state)
{
    (void)state;
    om_text text = {0};
    om_error err;
    om__text_add_bytes(&text, "x", SIZE_MAX / 2);
    assert_true(text.failed);
    om__text_add(&text, "more");
    assert_int_equal(text.size, 0);
    assert_int_equal(om__text_check(&text, &err), OM_NO_MEMORY);
    om__text_release(&text);
}

static void numbers_are_whole_texts_in_the_c_locale(void **state)
{
    (void)state;
    int64_t whole;
    double number;
    assert_true(om__parse_int64("-42", &whole));
    assert_true(whole == -42);
    static const char *const not_whole[] = {
        "", " 1", "1 ", "1.0", "0x10", "1,5", "9223372036854775808"};
    for (size_t i = 0; i < sizeof not_whole / sizeof *not_whole; i++)
        assert_false(om__parse_int64(not_whole[i], &whole));
    assert_true(om__parse_double("-1.5e3", &number));
    assert_true(number == -1500);
    static const char *const not_number[] = {"", " 1", "1,5", "nan", "inf", "1e999", "0x1p3", "1e"};
    for (size_t i = 0; i < sizeof not_number / sizeof *not_number; i++)
        assert_false(om__parse_double(not_number[i], &number));
}

static void near_misses_are_found(void **state)
{
    (void)state;
    static const char *const words[] = {"gemm", "rmsnorm", "cast", "attention"};
    assert_string_equal(om__closest_word("gem", words, 4), "gemm");
    assert_string_equal(om__closest_word("atention", words, 4), "attention");
    assert_string_equal(om__closest_word("cast", words, 4), "cast");
    assert_null(om__closest_word("zzz", words, 4));
    assert_null(om__closest_word("", words, 4));
    char longest[300];
    memset(longest, 'a', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    assert_null(om__closest_word(longest, words, 4));
}

static void pairs_keep_their_order(void **state)
{
    (void)state;
    om_pairs pairs = {0}, copy = {0}, other = {0};
    assert_int_equal(om__pairs_setf(&pairs, "long", NULL, "%5000d|", 3), OM_OK);
    assert_int_equal(strlen(om__pairs_find(&pairs, "long")), 5001);
    om__pairs_release(&pairs);
    assert_int_equal(om__pairs_set(&pairs, "m", "16", NULL), OM_OK);
    assert_int_equal(om__pairs_set(&pairs, "name", "a \"b\" \\c", NULL), OM_OK);
    assert_int_equal(om__pairs_setf(&pairs, "k", NULL, "%d", 3), OM_OK);
    assert_int_equal(om__pairs_set(&pairs, "m", "", NULL), OM_OK);
    char *text = om__pairs_format(&pairs);
    assert_string_equal(text, "m=\"\" name=\"a \\\"b\\\" \\\\c\" k=3");
    free(text);
    assert_null(om__pairs_find(&pairs, "n"));
    assert_int_equal(om__pairs_copy(&copy, &pairs, NULL), OM_OK);
    assert_true(om__pairs_equal(&copy, &pairs));
    assert_int_equal(om__pairs_set(&other, "k", "3", NULL), OM_OK);
    assert_int_equal(om__pairs_set(&other, "m", "", NULL), OM_OK);
    assert_false(om__pairs_equal(&other, &pairs));
    assert_int_equal(om__pairs_set(&other, "name", "a \"b\" \\c", NULL), OM_OK);
    assert_true(om__pairs_equal(&other, &pairs)); /* order does not matter */
    om__pairs_release(&pairs);
    om__pairs_release(&copy);
    om__pairs_release(&other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_are_cut_never_overrun),
        cmocka_unit_test(every_status_has_a_word),
        cmocka_unit_test(text_grows),
        cmocka_unit_test(a_failed_text_stays_failed),
        cmocka_unit_test(numbers_are_whole_texts_in_the_c_locale),
        cmocka_unit_test(near_misses_are_found),
        cmocka_unit_test(pairs_keep_their_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
