/* SPDX-License-Identifier: Apache-2.0 */
/* test_gpu_full_size.c: the kernels of libopmark-cuda.so at full size against the device
 * references.
 */
#include <stdio.h>
#include <string.h>

#include "helpers/device_check.h"
#include "helpers/gpu.h"

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

/* Every operator that has a kernel here; those with references alone take no time. */
static void test_full_size(void **state)
{
    om_error error = {0};
    size_t count;
    (void)state;
    gpu_need(&the);
    const om_kernel *const *kernels = the.context->api->kernels(&count);
    for (size_t i = 0; i < count; i++) {
        bool is_new = !kernels[i]->is_reference;
        for (size_t j = 0; j < i && is_new; j++)
            is_new = kernels[j]->is_reference || strcmp(kernels[i]->op, kernels[j]->op) != 0;
        if (!is_new)
            continue;
        device_check check = start();
        assert_ok(device_check_workload(&check, kernels[i]->op, "perf", &error), &error);
        finish(&check, kernels[i]->op);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_full_size)};
    return cmocka_run_group_tests(tests, gpu_set_up, gpu_tear_down);
}
