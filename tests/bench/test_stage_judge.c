/* SPDX-License-Identifier: Apache-2.0 */
/* test_stage_judge.c: where the reference stays on a device, judges still see the inputs they read.
 */
#include "helpers/helper.h"

#include <stdlib.h>
#include <string.h>

#include "bench/stage.h"
#include "core/context.h"
#include "opmark/moe_topk.h"

/* Brings the host reference of a drawn problem to the device, as a device reference leaves it. */
static void put_reference(om_stage *stage, int64_t *wrong_id)
{
    om_moe_topk_args args;
    memcpy(&args, stage->args, sizeof args);
    void *host[OM_MAX_PORTS] = {0};
    const om_device_api *api = stage->context->api;
    for (size_t i = 0; i < stage->op->port_count; i++) {
        size_t size = (size_t)om_tensor_size_bytes(&stage->tensors[i]);
        host[i] = malloc(size + 1);
        assert_int_equal(
            api->download(stage->context->device, host[i], stage->tensors[i].data, size, NULL),
            OM_OK);
        om__args_pointer_set(stage->op, &args, i, host[i]);
    }
    assert_int_equal(stage->op->reference(&args, NULL, NULL), OM_OK);
    if (wrong_id != NULL)
        args.ids[*wrong_id] = (args.ids[*wrong_id] + 1) % (int32_t)args.e;
    for (size_t i = 0; i < stage->op->port_count; i++) {
        size_t size = (size_t)om_tensor_size_bytes(&stage->tensors[i]);
        assert_int_equal(
            api->upload(stage->context->device, stage->tensors[i].data, host[i], size, NULL),
            OM_OK);
        free(host[i]);
    }
}

static void a_judge_sees_inputs_that_stayed_on_the_device(void **state)
{
    (void)state;
    om_error err = {0};
    om_context *context = NULL;
    om_context_options options = {.device = "fake"};
    assert_int_equal(om_context_create(&options, &context, &err), OM_OK);
    /* The fake device under a name of its own, so that its memory does not count as the host's. */
    om_device_api device = *context->api;
    const om_device_api *fake = context->api;
    device.kind = "strange";
    context->api = &device;
    om_moe_topk_args args = {.t = 40, .e = 16, .k = 4, .dtype = OM_F32, .score = OM_MOE_SIGMOID};
    args.has_bias = 1;
    args.routed_scaling_factor = 1;
    om_stage stage;
    om_status status = om__stage_init(&stage, context, om__op_find("moe_topk", NULL), &args,
                                      OM_CACHE_WARM, 1, &err);
    if (status != OM_OK)
        fail_msg("%s", err.text);
    om_check check = {0};
    put_reference(&stage, NULL);
    assert_int_equal(om__stage_reference_from_device(&stage, &err), OM_OK);
    assert_null(stage.host_inputs);
    assert_non_null(stage.got);
    assert_int_equal(om__stage_judge(&stage, 0, &check, &err), OM_OK);
    assert_true(check.passed);
    int64_t wrong = 17;
    put_reference(&stage, &wrong);
    assert_int_equal(om__stage_judge(&stage, 0, &check, &err), OM_OK);
    assert_false(check.passed);
    om__stage_release(&stage);
    context->api = fake;
    om_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_judge_sees_inputs_that_stayed_on_the_device),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
