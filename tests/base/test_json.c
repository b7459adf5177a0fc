/* SPDX-License-Identifier: Apache-2.0 */
/* test_json.c: the strict writer and the pull reader with its limits. */
#include "helpers/helper.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"

static void test_writing(void **state)
{
    (void)state;
    om_json_out out = {0};
    om_pairs pairs = {0};
    assert_int_equal(om__pairs_set(&pairs, "k\"", "v\n\x01\xFF", NULL), OM_OK);
    om__json_put_open(&out, NULL, '{');
    om__json_put_text(&out, "a", NULL);
    om__json_put_int(&out, "b", INT64_MIN);
    om__json_put_uint(&out, "c", UINT64_MAX);
    om__json_put_open(&out, "d", '[');
    om__json_put_double(&out, NULL, 0.1);
    om__json_put_double(&out, NULL, NAN);
    om__json_put_double(&out, NULL, -INFINITY);
    om__json_put_float(&out, NULL, 0.1f);
    om__json_put_bool(&out, NULL, true);
    om__json_put_close(&out, ']');
    om__json_put_pairs(&out, "e", &pairs);
    om__json_put_open(&out, "f", '{');
    om__json_put_close(&out, '}');
    om__json_put_close(&out, '}');
    assert_string_equal(out.text.data,
                        "{\"a\":null,\"b\":-9223372036854775808,\"c\":18446744073709551615,"
                        "\"d\":[0.1,null,null,0.1,true],"
                        "\"e\":{\"k\\\"\":\"v\\n\\u0001\xEF\xBF\xBD\"},\"f\":{}}");
    om__text_release(&out.text);
    om__pairs_release(&pairs);
}

static void test_indented_writing(void **state)
{
    (void)state;
    om_json_out out = {.indent = 2};
    om__json_put_open(&out, NULL, '{');
    om__json_put_open(&out, "a", '[');
    om__json_put_int(&out, NULL, 1);
    om__json_put_int(&out, NULL, 2);
    om__json_put_close(&out, ']');
    om__json_put_close(&out, '}');
    assert_string_equal(out.text.data, "{\n  \"a\": [\n    1,\n    2\n  ]\n}");
    om__text_release(&out.text);
}

static void test_doubles_read_back(void **state)
{
    (void)state;
    const double values[] = {0.0,
                             -0.0,
                             1.0,
                             0.1,
                             1.0 / 3,
                             DBL_MAX,
                             DBL_MIN,
                             5e-324,
                             123456.7,
                             1e22,
                             1e23,
                             -2.5e-7,
                             4503599627370497.5,
                             9007199254740993.0};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        om_json_out out = {0};
        om_json json;
        double back = 7;
        om__json_put_double(&out, NULL, values[i]);
        om__json_init(&json, out.text.data, out.text.size, "t", 1);
        assert_int_equal(om__json_read_double(&json, &back, NULL), OM_OK);
        assert_memory_equal(&back, &values[i], sizeof back);
        om__text_release(&out.text);
        om__json_release(&json);
    }
}

static void test_quick_numbers_equal_strtod(void **state)
{
    (void)state;
    unsigned seed = 1;
    for (int i = 0; i < 20000; i++) {
        char text[60];
        om_json json;
        double back;
        seed = seed * 1664525u + 1013904223u;
        snprintf(text, sizeof text, "%u.%0*u", seed % 100000, (int)(seed >> 28) % 9 + 1,
                 (seed >> 7) % 1000000000u);
        om__json_init(&json, text, strlen(text), "t", 1);
        assert_int_equal(om__json_read_double(&json, &back, NULL), OM_OK);
        assert_true(back == strtod(text, NULL));
        om__json_release(&json);
    }
}

static void test_reading_members(void **state)
{
    (void)state;
    const char *text = " { \"a\" : [ 1 , [ ] , {\"x\":{}} , \"q\" ] , \"b\\u00e9\" : -12 }\n ";
    om_json json;
    const char *key, *start;
    size_t size;
    int64_t number;
    om__json_init(&json, text, strlen(text), "t", 1);
    assert_int_equal(om__json_enter(&json, '{', NULL), OM_OK);
    assert_int_equal(om__json_next_key(&json, &key, NULL), OM_OK);
    assert_string_equal(key, "a");
    assert_int_equal(om__json_skip(&json, &start, &size, NULL), OM_OK);
    assert_int_equal(size, strlen("[ 1 , [ ] , {\"x\":{}} , \"q\" ]"));
    assert_int_equal(om__json_next_key(&json, &key, NULL), OM_OK);
    assert_string_equal(key, "b\xC3\xA9");
    assert_int_equal(om__json_read_int(&json, &number, NULL), OM_OK);
    assert_int_equal(number, -12);
    assert_int_equal(om__json_next_key(&json, &key, NULL), OM_OK);
    assert_null(key);
    assert_int_equal(om__json_finish(&json, NULL), OM_OK);
    om__json_release(&json);
}

static void test_texts(void **state)
{
    (void)state;
    const char *text = "\"\\\"\\\\\\/\\b\\f\\n\\r\\t \\ud83d\\ude00 \\ud800 \xC2\xB5\"";
    om_json json;
    const char *got;
    size_t size;
    om__json_init(&json, text, strlen(text), "t", 1);
    assert_int_equal(om__json_read_text(&json, &got, &size, NULL), OM_OK);
    assert_string_equal(got, "\"\\/\b\f\n\r\t \xF0\x9F\x98\x80 \xEF\xBF\xBD \xC2\xB5");
    assert_int_equal(size, strlen(got));
    om__json_release(&json);
}

static void test_strict_refusals(void **state)
{
    (void)state;
    const char *const texts[] = {
        "",           "{",       "[1,]",      "[1 2]",       "{\"a\"}",  "{\"a\":1,}", "{a:1}",
        "[01]",       "[1.]",    "[.5]",      "[+1]",        "[1e]",     "[NaN]",      "[-nan]",
        "[Infinity]", "\"\\q\"", "\"\\u12\"", "\"\\u0000\"", "\"a\nb\"", "\"\xFF\"",   "\"open",
        "[tru]",      "[nullx]", "[1] 2",     "[0x10]",      "[1-2]",    "[--1]",      "]",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        om_json json;
        om_error err;
        om__json_init(&json, texts[i], strlen(texts[i]), "t.json", 5);
        om_status status = om__json_skip(&json, NULL, NULL, &err);
        if (status == OM_OK)
            status = om__json_finish(&json, &err);
        if (status != OM_PARSE)
            fail_msg("accepted: %s", texts[i]);
        assert_string_equal(err.file, "t.json");
        assert_true(err.line >= 5);
        assert_non_null(strstr(err.text, "column "));
        om__json_release(&json);
    }
}

static void test_place_of_a_fault(void **state)
{
    (void)state;
    const char *text = "{\n \"a\": 1,\n  \"b\": NaN\n}";
    om_json json;
    om_error err;
    om__json_init(&json, text, strlen(text), "t.json", 1);
    assert_int_equal(om__json_skip(&json, NULL, NULL, &err), OM_PARSE);
    assert_int_equal(err.line, 3);
    assert_non_null(strstr(err.text, "column 8:"));
    om__json_release(&json);
}

/* The values that foreign files hold where a number belongs, each with its reason. */
static void test_values_that_are_none(void **state)
{
    (void)state;
    static const struct {
        const char *text, *reason;
        double value;
    } cases[] = {
        {"NaN", "nan", 0},           {"-nan", "nan", 0},         {"Infinity", "infinite", 0},
        {"-inf", "infinite", 0},     {"\"nan\"", "nan", 0},      {"null", "null", 0},
        {"1e999", "overflow", 0},    {"[1]", "not a number", 0}, {"\"fast\"", "not a number", 0},
        {"2.5", NULL, 2.5},          {"\"2.5\"", NULL, 2.5},     {"\"1,5\"", "not a number", 0},
        {"true", "not a number", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        om_json json;
        double value;
        const char *reason;
        om__json_init(&json, cases[i].text, strlen(cases[i].text), "t", 1);
        json.lenient = true;
        assert_int_equal(om__json_read_value(&json, &value, &reason, NULL), OM_OK);
        if (cases[i].reason == NULL) {
            assert_null(reason);
            assert_true(value == cases[i].value);
        } else {
            assert_string_equal(reason, cases[i].reason);
            assert_true(isnan(value));
        }
        assert_int_equal(om__json_finish(&json, NULL), OM_OK);
        om__json_release(&json);
    }
}

static void test_limits(void **state)
{
    (void)state;
    om_text deep = {0};
    om_json json;
    om_error err;
    for (int i = 0; i < 100; i++)
        om__text_add_char(&deep, '[');
    om__json_init(&json, deep.data, deep.size, "t", 1);
    assert_int_equal(om__json_skip(&json, NULL, NULL, &err), OM_PARSE);
    assert_non_null(strstr(err.text, "deeper than 64"));
    om__json_release(&json);
    om__json_init(&json, "\"abcdef\"", 8, "t", 1);
    json.longest_text = 3;
    assert_int_equal(om__json_skip(&json, NULL, NULL, &err), OM_PARSE);
    om__json_release(&json);
    const char *const numbers[] = {"9223372036854775808", "1.5", "1e3", "-"};
    for (size_t i = 0; i < 4; i++) {
        int64_t number;
        om__json_init(&json, numbers[i], strlen(numbers[i]), "t", 1);
        assert_int_equal(om__json_read_int(&json, &number, &err), OM_PARSE);
        om__json_release(&json);
    }
    uint64_t big;
    om__json_init(&json, "18446744073709551616", 20, "t", 1);
    assert_int_equal(om__json_read_uint(&json, &big, &err), OM_PARSE);
    om__json_release(&json);
    om__text_release(&deep);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_writing),
        cmocka_unit_test(test_indented_writing),
        cmocka_unit_test(test_doubles_read_back),
        cmocka_unit_test(test_quick_numbers_equal_strtod),
        cmocka_unit_test(test_reading_members),
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_strict_refusals),
        cmocka_unit_test(test_place_of_a_fault),
        cmocka_unit_test(test_values_that_are_none),
        cmocka_unit_test(test_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
