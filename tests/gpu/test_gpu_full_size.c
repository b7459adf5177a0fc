/* SPDX-License-Identifier: Apache-2.0 */
/* test_gpu_full_size.c: the kernels of libopmark-cuda.so at full size against the device
 * references.
 */
#include <stdio.h>

#include "helpers/device_check.h"
#include "helpers/gpu.h"

static gpu the;

static int open_gpu(void **state)
{
    (void)state;
    the = gpu_open();
    return 0;
}

static int close_gpu(void **state)
{
    (void)state;
    gpu_close(&the);
    return 0;
}

static device_check start(void)
{
    device_check check = {.api = the.context->api, .device = the.context->device};
    om__context_kernel_env(the.context, &check.env);
    return check;
}

static void finish(const device_check *check, const char *what)
{
    device_check_print(check, what);
    assert_false(check->is_lost);
    assert_int_equal(check->failures, 0);
    assert_true(check->calls > 0);
}

static const char *const workloads[] = {"moe_topk",  "moe_permute_align", "moe_permute",
                                        "fp8_quant", "moe_unpermute",     "lightning_indexer"};
#define WORKLOADS (sizeof workloads / sizeof workloads[0])

static void test_full_size(void **state)
{
    om_error error = {0};
    (void)state;
    gpu_need(&the);
    for (size_t i = 0; i < WORKLOADS; i++) {
        device_check check = start();
        assert_ok(device_check_workload(&check, workloads[i], "perf", &error), &error);
        finish(&check, workloads[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_full_size)};
    return cmocka_run_group_tests(tests, open_gpu, close_gpu);
}
