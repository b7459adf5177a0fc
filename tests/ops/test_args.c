/* SPDX-License-Identifier: Apache-2.0 */
/* test_args.c: the field table: text to argument struct and back, bounds, hints, pointers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "opmark/opmark.h"
#include "ops/op.h"

static om_status parse_gemm(const char *const *words, om_gemm_args *args, om_error *err)
{
    om_pairs params = {0};
    for (; words[0] != NULL; words += 2)
        assert_int_equal(om__pairs_set(&params, words[0], words[1], NULL), OM_OK);
    om_status status = om__args_parse(om__op_find("gemm", NULL), &params, args, err);
    om__pairs_release(&params);
    return status;
}

static void text_becomes_arguments(void **state)
{
    (void)state;
    om_gemm_args args;
    const char *words[] = {"n",       "32", "m",     "16",      "k", "7",
                           "trans_b", "1",  "dtype", "float16", NULL};
    assert_int_equal(parse_gemm(words, &args, NULL), OM_OK);
    assert_int_equal(args.m, 16);
    assert_int_equal(args.n, 32);
    assert_int_equal(args.k, 7);
    assert_int_equal(args.trans_a, 0);
    assert_int_equal(args.trans_b, 1);
    assert_int_equal(args.dtype, OM_F16);
}

static void arguments_become_text(void **state)
{
    (void)state;
    const om_op *op = om__op_find("rmsnorm", "forward");
    om_rmsnorm_args args = {.m = 4, .h = 8, .dtype = OM_BF16, .eps = 1e-5};
    om_pairs params = {0};
    assert_int_equal(om__args_format(op, &args, &params, NULL), OM_OK);
    char *text = om__pairs_format(&params);
    assert_string_equal(text, "m=4 h=8 dtype=bf16 eps=1e-05");
    free(text);
    assert_int_equal(om__args_format_short(op, &args, &params, NULL), OM_OK);
    text = om__pairs_format(&params);
    assert_string_equal(text, "m=4 h=8");
    free(text);
    args.eps = 1.0 / 3;
    om_rmsnorm_args back;
    assert_int_equal(om__args_format(op, &args, &params, NULL), OM_OK);
    assert_int_equal(om__args_parse(op, &params, &back, NULL), OM_OK);
    assert_true(back.eps == args.eps);
    om__pairs_release(&params);
}

static void expect_refusal(const char *const *words, const char *part)
{
    om_gemm_args args;
    om_error err;
    assert_int_equal(parse_gemm(words, &args, &err), OM_INVALID);
    if (strstr(err.text, part) == NULL)
        fail_msg("'%s' does not name '%s'", err.text, part);
}

static void bad_text_is_refused_in_words(void **state)
{
    (void)state;
    expect_refusal((const char *[]){"m", "1", "n", "1", NULL}, "gemm needs k");
    expect_refusal((const char *[]){"m", "1", "n", "1", "k", "x", NULL}, "k=x");
    expect_refusal((const char *[]){"m", "-1", "n", "1", "k", "1", NULL}, "m=-1");
    expect_refusal((const char *[]){"m", "1", "n", "1", "k", "9999999999999999999999", NULL},
                   "64 bits");
    expect_refusal((const char *[]){"m", "1", "n", "1", "k", "1", "trnas_b", "1", NULL},
                   "did you mean trans_b?");
    expect_refusal((const char *[]){"m", "1", "n", "1", "k", "1", "trans_b", "true", NULL},
                   "0 or 1");
    expect_refusal((const char *[]){"m", "1", "n", "1", "k", "1", "dtype", "e4m3", NULL},
                   "one of bf16");
    expect_refusal((const char *[]){"m", "4000000000", "n", "4000000000", "k", "1", NULL},
                   "overflows");
}

static void words_of_a_field_are_listed(void **state)
{
    (void)state;
    om_cast_args args = {0};
    om_error err;
    assert_int_equal(om__args_set(om__op_find("cast", NULL), "scaling", "delayed", &args, &err),
                     OM_INVALID);
    assert_non_null(strstr(err.text, "given, current"));
}

static void zero_takes_the_standard_value(void **state)
{
    (void)state;
    om_rmsnorm_args args = {.m = 1, .h = 1};
    assert_int_equal(om__args_check(om__op_find("rmsnorm", NULL), &args, false, NULL), OM_OK);
    assert_int_equal(args.dtype, OM_BF16);
    assert_true(args.eps == 1e-5);
}

static void pointers_are_checked(void **state)
{
    (void)state;
    const om_op *op = om__op_find("gemm", NULL);
    static uint16_t storage[64];
    om_error err;
    om_gemm_args args = {.m = 2, .n = 2, .k = 2, .a = storage, .b = storage};
    assert_int_equal(om__args_check(op, &args, true, &err), OM_INVALID);
    assert_non_null(strstr(err.text, "tensor d is NULL"));
    args.d = (char *)storage + 33;
    assert_int_equal(om__args_check(op, &args, true, &err), OM_INVALID);
    assert_non_null(strstr(err.text, "aligned to 2 bytes"));
    args.d = storage + 16;
    assert_int_equal(om__args_check(op, &args, true, &err), OM_OK);
    args = (om_gemm_args){.m = 0, .n = 2, .k = 0}; /* empty tensors need no storage */
    assert_int_equal(om__args_check(op, &args, true, &err), OM_OK);
}

static void calls_check_before_they_compute(void **state)
{
    (void)state;
    om_context *context;
    om_error err;
    assert_int_equal(om_context_create(NULL, &context, NULL), OM_OK);
    om_gemm_args args = {.m = -1, .n = 2, .k = 2};
    assert_int_equal(om_gemm(context, &args, &err), OM_INVALID);
    assert_int_equal(om_gemm(NULL, &args, &err), OM_INVALID);
    assert_int_equal(om_gemm(context, NULL, NULL), OM_INVALID);
    om_context_destroy(context);
}

/* Every contract must be whole, whatever operator is added later. */
static void contracts_are_whole(void **state)
{
    (void)state;
    size_t count;
    const om_op *const *ops = om__ops_get(&count);
    assert_true(count >= 3);
    for (size_t i = 0; i < count; i++) {
        const om_op *op = ops[i];
        assert_ptr_equal(om__op_find(op->name, op->pass), op);
        assert_true(op->args_size <= OM_MAX_ARGS_SIZE);
        assert_true(op->port_count > 0 && op->port_count <= OM_MAX_PORTS);
        assert_true(op->describe && op->fill && op->work && op->tolerance && op->reference);
        if (op->dtype_field != NULL)
            assert_non_null(om__op_field_find(op, op->dtype_field));
        for (size_t f = 0; f < op->field_count; f++) {
            const om_field *field = &op->fields[f];
            assert_non_null(field->help);
            assert_true(field->offset < op->args_size);
            assert_ptr_equal(om__op_field_find(op, field->name), field);
            if (field->kind == OM_FIELD_WORD)
                assert_non_null(field->words);
        }
        int outputs = 0;
        for (size_t p = 0; p < op->port_count; p++) {
            assert_true(op->ports[p].offset + sizeof(void *) <= op->args_size);
            outputs += op->ports[p].role == OM_PORT_OUT;
        }
        assert_true(outputs > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_becomes_arguments),
        cmocka_unit_test(arguments_become_text),
        cmocka_unit_test(bad_text_is_refused_in_words),
        cmocka_unit_test(words_of_a_field_are_listed),
        cmocka_unit_test(zero_takes_the_standard_value),
        cmocka_unit_test(pointers_are_checked),
        cmocka_unit_test(calls_check_before_they_compute),
        cmocka_unit_test(contracts_are_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
