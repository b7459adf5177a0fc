/* SPDX-License-Identifier: Apache-2.0 */
/* test_context.c: contexts, devices by name, tensor descriptions, workspace. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "core/context.h"
#include "core/cpu.h"
#include "opmark/opmark.h"

static void device_names_are_parsed(void **state)
{
    (void)state;
    char kind[16];
    int index = -1;
    assert_int_equal(om__device_name_parse("cuda:12", kind, &index, NULL), OM_OK);
    assert_string_equal(kind, "cuda");
    assert_int_equal(index, 12);
    assert_int_equal(om__device_name_parse("cpu", kind, &index, NULL), OM_OK);
    assert_int_equal(index, 0);
    static const char *const bad[] = {
        "", ":1", "cuda:", "cuda:x", "cuda:-1", "cuda:99999", "averyveryverylongkind:0"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(om__device_name_parse(bad[i], kind, &index, NULL), OM_INVALID);
}

static void contexts_refuse_what_is_not_there(void **state)
{
    (void)state;
    om_context *context = (om_context *)state;
    om_error err;
    om_context_options options = {.device = "tpu:0"};
    assert_int_equal(om_context_create(&options, &context, &err), OM_INVALID);
    assert_null(context);
    assert_non_null(strstr(err.text, "tpu"));
    options = (om_context_options){.device = "cpu:1"};
    assert_int_equal(om_context_create(&options, &context, &err), OM_UNSUPPORTED);
    options = (om_context_options){.threads = -1};
    assert_int_equal(om_context_create(&options, &context, &err), OM_INVALID);
    options = (om_context_options){.isa = (om_isa)99};
    assert_int_equal(om_context_create(&options, &context, &err), OM_INVALID);
    options = (om_context_options){.device = "cuda:0", .library_dir = "/nonexistent"};
    assert_int_equal(om_context_create(&options, &context, &err), OM_UNSUPPORTED);
    assert_int_equal(om_context_create(NULL, NULL, &err), OM_INVALID);
    om_context_destroy(NULL);
}

static void isa_can_be_lowered(void **state)
{
    (void)state;
    om_context *context;
    om_context_options options = {.isa = OM_ISA_SCALAR, .threads = 3};
    assert_int_equal(om_context_create(&options, &context, NULL), OM_OK);
    om_kernel_env env;
    om__context_kernel_env(context, &env);
    assert_int_equal(env.isa, OM_ISA_SCALAR);
    assert_int_equal(env.threads, 3);
    om_context_destroy(context);
}

static void memory_round_trips_on_every_built_in_device(void **state)
{
    (void)state;
    static const char *const devices[] = {"cpu", "fake:1"};
    for (size_t i = 0; i < 2; i++) {
        om_context *context;
        om_context_options options = {.device = devices[i]};
        assert_int_equal(om_context_create(&options, &context, NULL), OM_OK);
        void *memory, *nothing;
        char in[100], out[100] = {0};
        memset(in, 42, sizeof in);
        assert_int_equal(om_memory_create(context, sizeof in, &memory, NULL), OM_OK);
        assert_int_equal((uintptr_t)memory % 256, 0);
        assert_int_equal(om_memory_create(context, 0, &nothing, NULL), OM_OK);
        assert_int_equal(om_memory_upload(context, memory, in, sizeof in, NULL), OM_OK);
        assert_int_equal(om_memory_download(context, out, memory, sizeof out, NULL), OM_OK);
        assert_memory_equal(in, out, sizeof in);
        assert_int_equal(om_context_synchronize(context, NULL), OM_OK);
        assert_int_equal(om_memory_upload(context, NULL, in, 1, NULL), OM_INVALID);
        om_memory_destroy(context, memory);
        om_memory_destroy(context, nothing);
        om_context_destroy(context);
    }
}

static void too_much_memory_is_an_answer(void **state)
{
    (void)state;
    om_context *context;
    void *memory;
    om_error err;
    assert_int_equal(om_context_create(NULL, &context, NULL), OM_OK);
    assert_int_equal(om_memory_create(context, SIZE_MAX - 5, &memory, &err), OM_NO_MEMORY);
    om_context_destroy(context);
    om_context_options options = {.device = "fake"};
    assert_int_equal(om_context_create(&options, &context, NULL), OM_OK);
    assert_int_equal(om_memory_create(context, (size_t)65 << 20, &memory, &err), OM_NO_MEMORY);
    om_context_destroy(context);
}

static void workspace_is_reused_and_never_shared(void **state)
{
    (void)state;
    om_context *context;
    void *first, *second, *again, *none;
    assert_int_equal(om_context_create(NULL, &context, NULL), OM_OK);
    assert_int_equal(om__workspace_take(context, 1000, &first, NULL), OM_OK);
    assert_int_equal(om__workspace_take(context, 1000, &second, NULL), OM_OK);
    assert_ptr_not_equal(first, second);
    om__workspace_give(context, first);
    assert_int_equal(om__workspace_take(context, 500, &again, NULL), OM_OK);
    assert_ptr_equal(again, first);
    assert_int_equal(om__workspace_take(context, 0, &none, NULL), OM_OK);
    assert_null(none);
    om__workspace_give(context, again);
    om__workspace_give(context, second);
    om_context_destroy(context);
}

static void tensors_check_their_shape(void **state)
{
    (void)state;
    om_tensor tensor;
    int64_t good[3] = {2, 0, 5}, negative[1] = {-1};
    int64_t huge[3] = {INT64_MAX / 2, 0, 4}, nibbles[1] = {5};
    assert_int_equal(om_tensor_init(&tensor, OM_F32, 3, good, NULL), OM_OK);
    assert_int_equal(om_tensor_count(&tensor), 0);
    assert_int_equal(om_tensor_init(&tensor, OM_F32, 1, negative, NULL), OM_INVALID);
    assert_int_equal(om_tensor_init(&tensor, OM_F32, 3, huge, NULL), OM_INVALID);
    assert_int_equal(om_tensor_init(&tensor, OM_F32, 6, good, NULL), OM_INVALID);
    assert_int_equal(om_tensor_init(&tensor, OM_DTYPE_DEFAULT, 1, good, NULL), OM_INVALID);
    assert_int_equal(om_tensor_init(&tensor, OM_U4X2, 1, nibbles, NULL), OM_OK);
    assert_int_equal(om_tensor_size_bytes(&tensor), 3);
}

static void dtype_names_are_read_both_ways(void **state)
{
    (void)state;
    for (int d = OM_F32; d < OM_DTYPE_COUNT; d++) {
        om_dtype back;
        assert_int_equal(om_dtype_parse(om_dtype_name((om_dtype)d), &back, NULL), OM_OK);
        assert_int_equal(back, d);
        assert_true(om_dtype_bits((om_dtype)d) > 0);
    }
    om_dtype dtype = OM_I64;
    om_error err;
    assert_int_equal(om_dtype_parse("torch.bfloat16", &dtype, NULL), OM_OK);
    assert_int_equal(dtype, OM_BF16);
    assert_int_equal(om_dtype_parse("bf61", &dtype, &err), OM_INVALID);
    assert_int_equal(dtype, OM_BF16);
    assert_string_equal(om_dtype_name((om_dtype)77), "unknown");
}

static void cpu_facts_are_plausible(void **state)
{
    (void)state;
    const om_cpu_info *cpu = om__cpu_info_get();
    assert_true(cpu->processors >= 1);
    assert_true(cpu->isa >= OM_ISA_SCALAR && cpu->isa < OM_ISA_COUNT);
    assert_true(cpu->model[0] != '\0');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(device_names_are_parsed),
        cmocka_unit_test(contexts_refuse_what_is_not_there),
        cmocka_unit_test(isa_can_be_lowered),
        cmocka_unit_test(memory_round_trips_on_every_built_in_device),
        cmocka_unit_test(too_much_memory_is_an_answer),
        cmocka_unit_test(workspace_is_reused_and_never_shared),
        cmocka_unit_test(tensors_check_their_shape),
        cmocka_unit_test(dtype_names_are_read_both_ways),
        cmocka_unit_test(cpu_facts_are_plausible),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
