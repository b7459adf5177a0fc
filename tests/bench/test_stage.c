/* SPDX-License-Identifier: Apache-2.0 */
/* test_stage.c: tensors of a case: copies for cold calls, poison, rows to judge, what does not fit.
 */
#include "helpers/helper.h"

#include <stdlib.h>
#include <string.h>

#include "bench/env.h"
#include "bench/run.h"
#include "bench/stage.h"

static void parse(const om_op *op, void *args, int64_t m, int64_t n, int64_t k)
{
    om_pairs params = {0};
    assert_int_equal(om__pairs_setf(&params, "m", NULL, "%lld", (long long)m), OM_OK);
    assert_int_equal(om__pairs_setf(&params, "n", NULL, "%lld", (long long)n), OM_OK);
    assert_int_equal(om__pairs_setf(&params, "k", NULL, "%lld", (long long)k), OM_OK);
    assert_int_equal(om__args_parse(op, &params, args, NULL), OM_OK);
    om__pairs_release(&params);
}

static void test_sets_are_equal_and_large(void **state)
{
    (void)state;
    const om_op *op = om__op_find("gemm", "forward");
    _Alignas(max_align_t) char args[OM_MAX_ARGS_SIZE];
    om_context_options options = {.device = "fake:0"};
    om_context *context;
    om_stage stage;
    parse(op, args, 16, 24, 32);
    assert_int_equal(om_context_create(&options, &context, NULL), OM_OK);
    assert_int_equal(om__stage_init(&stage, context, op, args, OM_CACHE_ROTATE, 9, NULL), OM_OK);
    /* The fake device has 1 MiB of cache: four times that must be walked through. */
    assert_true(stage.set_count * stage.set_bytes >= (size_t)4 << 20);
    for (size_t set = 1; set < stage.set_count; set += 37)
        for (int i = 0; i < 2; i++)
            assert_memory_equal(stage.arena + set * stage.set_bytes + stage.offsets[i],
                                stage.arena + stage.offsets[i],
                                (size_t)om_tensor_size_bytes(&stage.tensors[i]));
    /* Every call gets other pointers, and comes round. */
    om__stage_select(&stage, 0);
    const void *first = stage.named[0].tensor.data;
    for (size_t i = 0; i < stage.set_count; i++) {
        om__stage_advance(&stage);
        assert_ptr_equal(stage.named[0].tensor.data, om__args_pointer_get(op, stage.args, 0));
        if (i + 1 < stage.set_count)
            assert_ptr_not_equal(stage.named[0].tensor.data, first);
    }
    assert_ptr_equal(stage.named[0].tensor.data, first);
    om__stage_release(&stage);
    om_context_destroy(context);
}

static void test_judge_sees_what_is_wrong(void **state)
{
    (void)state;
    const om_op *op = om__op_find("gemm", "forward");
    _Alignas(max_align_t) char args[OM_MAX_ARGS_SIZE];
    om_context *context;
    om_stage stage;
    om_check check;
    parse(op, args, 300, 8, 16);
    assert_int_equal(om_context_create(NULL, &context, NULL), OM_OK);
    for (int sampled = 0; sampled < 2; sampled++) {
        assert_int_equal(om__stage_init(&stage, context, op, args, OM_CACHE_WARM, 9, NULL), OM_OK);
        assert_int_equal(om__stage_reference(&stage, sampled ? 1.0 : 1e9, NULL), OM_OK);
        assert_int_equal(stage.whole, !sampled);
        assert_int_equal(stage.rows_checked, sampled ? 64 : 300);
        assert_int_equal(stage.rows_total, 300);
        om__stage_select(&stage, 0);
        assert_int_equal(om__stage_poison(&stage, 0, NULL), OM_OK);
        assert_int_equal(om__stage_judge(&stage, 0, &check, NULL), OM_OK);
        assert_false(check.passed); /* nothing was written */
        assert_non_null(strstr(check.where, "never written"));
        assert_int_equal(op->reference(stage.args, NULL, NULL), OM_OK);
        assert_int_equal(om__stage_judge(&stage, 0, &check, NULL), OM_OK);
        assert_true(check.passed);
        ((uint16_t *)stage.tensors[2].data)[300 * 8 - 1] ^= 0x4000; /* the last element */
        assert_int_equal(om__stage_judge(&stage, 0, &check, NULL), OM_OK);
        assert_false(check.passed);
        assert_non_null(strstr(check.where, "[299,7]"));
        om__stage_release(&stage);
    }
    om_context_destroy(context);
}

static void test_rows(void **state)
{
    (void)state;
    int64_t index[256];
    assert_int_equal(om__rows_pick(10, 64, 1, index), 10);
    for (int i = 0; i < 10; i++)
        assert_int_equal(index[i], i);
    for (int64_t total = 65; total < 5000; total = total * 3 / 2) {
        bool has_last = false, has_first = false, has_border = false;
        assert_int_equal(om__rows_pick(total, 64, 7, index), 64);
        for (int i = 0; i < 64; i++) {
            assert_true(index[i] >= 0 && index[i] < total);
            if (i > 0)
                assert_true(index[i] > index[i - 1]);
            has_first |= index[i] == 0;
            has_last |= index[i] == total - 1;
            has_border |= total < 129 || index[i] == 128 || index[i] == 127;
        }
        assert_true(has_first && has_last && has_border);
    }
}

static void test_what_does_not_fit_is_said(void **state)
{
    (void)state;
    om_case c = {.op = (char *)"gemm", .pass = (char *)"forward"};
    om_session_options session = {.device = "cpu", .threads = 2};
    om_device_info device = {.memory_free_bytes = (int64_t)8 << 30, .l2_bytes = 32 << 20};
    om_estimate estimate;
    om_error err = {0};
    assert_int_equal(om__pairs_set(&c.params, "m", "200000", NULL), OM_OK);
    assert_int_equal(om__pairs_set(&c.params, "n", "200000", NULL), OM_OK);
    assert_int_equal(om__pairs_set(&c.params, "k", "64", NULL), OM_OK);
    assert_int_equal(om__run_estimate(&session, &device, &c, 2, &estimate, &err), OM_OK);
    assert_non_null(strstr(estimate.impossible, "GiB are free"));
    assert_true(estimate.seconds > 60);
    assert_int_equal(om__pairs_set(&c.params, "m", "64", NULL), OM_OK);
    assert_int_equal(om__pairs_set(&c.params, "n", "64", NULL), OM_OK);
    assert_int_equal(om__run_estimate(&session, &device, &c, 2, &estimate, &err), OM_OK);
    assert_string_equal(estimate.impossible, "");
    assert_true(estimate.seconds < 3);
    assert_true(estimate.device_bytes >= (int64_t)128 << 20);
    /* A shape whose bytes overflow 64 bits is an error of the user's, not a crash. */
    assert_int_equal(om__pairs_set(&c.params, "m", "4000000000000000000", NULL), OM_OK);
    assert_int_equal(om__run_estimate(&session, &device, &c, 2, &estimate, &err), OM_INVALID);
    om__pairs_release(&c.params);
}

static void check_cpus(const char *text, const char *want)
{
    om_cpu_list cpus;
    char shown[64];
    om_error err = {0};
    om_status status = om__cpus_parse(text, &cpus, &err);
    if (want == NULL) {
        assert_int_equal(status, OM_INVALID);
        assert_non_null(strstr(err.text, text));
        return;
    }
    assert_int_equal(status, OM_OK);
    om__cpus_format(&cpus, shown, sizeof shown);
    assert_string_equal(shown, want);
    om__cpus_release(&cpus);
}

static void test_cpu_lists(void **state)
{
    (void)state;
    check_cpus("0", "0");
    check_cpus("3,1,2", "1-3");
    check_cpus("0-3,8", "0-3,8");
    check_cpus("5,5,4-5", "4-5");
    const char *const bad[] = {"",     "a",  "1-",   "-1",  "3-1",
                               "1,,2", "1,", "9999", "1 2", "99999999999999999999"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        check_cpus(bad[i], NULL);
}

static void test_environment(void **state)
{
    (void)state;
    om_pairs pairs = {0};
    char now[32];
    setenv("OMP_NUM_THREADS", "3", 1);
    setenv("SECRET_TOKEN", "x", 1);
    assert_int_equal(om__env_variables(&pairs, NULL), OM_OK);
    assert_string_equal(om__pairs_find(&pairs, "OMP_NUM_THREADS"), "3");
    assert_null(om__pairs_find(&pairs, "SECRET_TOKEN"));
    om__pairs_release(&pairs);
    assert_int_equal(om__env_settings(&pairs, NULL), OM_OK);
    assert_non_null(om__pairs_find(&pairs, "kernel"));
    om__pairs_release(&pairs);
    om__env_now(now);
    assert_int_equal(strlen(now), 24);
    assert_int_equal(now[23], 'Z');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sets_are_equal_and_large),
        cmocka_unit_test(test_judge_sees_what_is_wrong),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_what_does_not_fit_is_said),
        cmocka_unit_test(test_cpu_lists),
        cmocka_unit_test(test_environment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
