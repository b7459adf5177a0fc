/* SPDX-License-Identifier: Apache-2.0 */
/* test_gpu_device.c: the CUDA device: its facts, memory, copies, and fill with the host's bits. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/fill.h"
#include "helpers/gpu.h"

static void test_facts(void **state)
{
    om_device_info info;
    om_error error = {0};
    (void)state;
    gpu_need(&the);
    assert_ok(the.context->api->info(the.context->device, &info, &error), &error);
    printf("%s; %s; %s; driver %s; %d SMs; L2 %.0f MiB; %.0f and %.0f TFLOP/s, %.0f GB/s nominal\n",
           info.name, info.machine_class, info.instance, info.driver, info.unit_count,
           (double)info.l2_bytes / 1048576, info.peak_tflops_16, info.peak_tflops_8,
           info.peak_gbps);
    assert_true(info.unit_count > 0 && info.l2_bytes > 0);
    assert_true(info.memory_free_bytes > 0 && info.memory_free_bytes <= info.memory_bytes);
    assert_int_equal(strncmp(info.instance, "GPU-", 4), 0);
    if (strcmp(info.name, "NVIDIA H200") == 0) {
        assert_int_equal(info.unit_count, 132);
        assert_true(info.peak_tflops_16 > 1060 && info.peak_tflops_16 < 1080);
        assert_true(info.peak_gbps > 4700 && info.peak_gbps < 5000);
    }
}

static void test_no_such_device(void **state)
{
    om_device *device = NULL;
    om_error error = {0};
    (void)state;
    gpu_need(&the);
    assert_int_equal(the.context->api->open(99, NULL, &device, &error), OM_UNSUPPORTED);
    assert_non_null(strstr(error.text, "cuda:99"));
    assert_null(device);
}

static void test_memory_that_is_not_there(void **state)
{
    void *memory = NULL;
    om_error error = {0};
    (void)state;
    gpu_need(&the);
    assert_int_equal(om_memory_create(the.context, (size_t)1 << 45, &memory, &error), OM_NO_MEMORY);
    assert_null(memory);
    assert_non_null(strstr(error.text, "GiB"));
    /* The device goes on working. */
    assert_ok(om_memory_create(the.context, 0, &memory, &error), &error);
    assert_non_null(memory);
    om_memory_destroy(the.context, memory);
}

static void test_copies_come_back(void **state)
{
    enum { SIZE = 1000003 };
    void *memory = NULL;
    om_error error = {0};
    (void)state;
    gpu_need(&the);
    unsigned char *out = malloc(SIZE), *back = malloc(SIZE);
    for (int i = 0; i < SIZE; i++)
        out[i] = (unsigned char)(i * 7 + i / 251);
    assert_ok(om_memory_create(the.context, SIZE, &memory, &error), &error);
    assert_int_equal((uintptr_t)memory % 256, 0);
    assert_ok(om_memory_upload(the.context, memory, out, SIZE, &error), &error);
    assert_ok(om_memory_download(the.context, back, memory, SIZE, &error), &error);
    assert_memory_equal(out, back, SIZE);
    assert_ok(the.context->api->set(the.context->device, memory, 0xA5, SIZE - 1, &error), &error);
    assert_ok(om_memory_download(the.context, back, memory, SIZE, &error), &error);
    for (int i = 0; i < SIZE - 1; i++)
        assert_int_equal(back[i], 0xA5);
    assert_int_equal(back[SIZE - 1], out[SIZE - 1]);
    om_memory_destroy(the.context, memory);
    free(out);
    free(back);
}

/* Draws one tensor on host and device between guard bytes, and compares every byte. */
static void compare_fill(const om_fill *fill, om_dtype dtype, int64_t count)
{
    enum { GUARD = 4096 };
    om_error error = {0};
    om_tensor tensor = {.dtype = dtype, .rank = 1, .shape = {count}};
    size_t size = (size_t)om_tensor_size_bytes(&tensor), all = size + 2 * GUARD;
    unsigned char *host = malloc(all), *device = malloc(all);
    void *memory = NULL;
    memset(host, 0x5A, all);
    assert_ok(om_memory_create(the.context, all, &memory, &error), &error);
    assert_ok(om_memory_upload(the.context, memory, host, all, &error), &error);
    tensor.data = host + GUARD;
    assert_ok(om__fill_tensor(fill, &tensor, &error), &error);
    tensor.data = (char *)memory + GUARD;
    assert_ok(the.context->api->fill(the.context->device, fill, &tensor, &error), &error);
    assert_ok(om_memory_download(the.context, device, memory, all, &error), &error);
    for (size_t i = 0; i < all; i++)
        if (host[i] != device[i])
            fail_msg("%s kind %d count %lld: byte %zd is %02x, on the host %02x",
                     om_dtype_name(dtype), (int)fill->kind, (long long)count, (ssize_t)i - GUARD,
                     device[i], host[i]);
    om_memory_destroy(the.context, memory);
    free(host);
    free(device);
}

static const int64_t counts[] = {0, 1, 2, 3, 255, 1025, 700001};
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void test_fill_floats_bit_for_bit(void **state)
{
    static const om_dtype dtypes[] = {OM_F32, OM_BF16, OM_F16, OM_E4M3, OM_E5M2};
    const om_fill fills[] = {
        {.kind = OM_FILL_NORMAL, .seed = 1, .tensor = 0, .scale = 1},
        {.kind = OM_FILL_NORMAL, .seed = 0x123456789ABCDEF, .tensor = 7, .scale = 0.02},
        {.kind = OM_FILL_NORMAL, .seed = 5, .tensor = 1, .scale = 300}, /* fp8 saturates */
        {.kind = OM_FILL_UNIFORM, .seed = 2, .tensor = 2, .low = -0.3, .high = 1.7},
        {.kind = OM_FILL_UNIFORM, .seed = 2, .tensor = 2, .low = 1, .high = 1},
        {.kind = OM_FILL_INTEGER, .seed = 3, .tensor = 3, .low = -3, .high = 3},
        {.kind = OM_FILL_INTEGER, .seed = 3, .tensor = 3, .low = -1000, .high = 100000},
    };
    (void)state;
    gpu_need(&the);
    for (size_t d = 0; d < COUNT(dtypes); d++)
        for (size_t f = 0; f < COUNT(fills); f++)
            for (size_t c = 0; c < COUNT(counts); c++)
                compare_fill(&fills[f], dtypes[d], counts[c]);
}

static void test_fill_integers_bit_for_bit(void **state)
{
    static const om_dtype dtypes[] = {OM_U4X2, OM_U8, OM_I32, OM_I64};
    const om_fill fills[] = {
        {.kind = OM_FILL_INTEGER, .seed = 11, .tensor = 4, .low = 0, .high = 15},
        {.kind = OM_FILL_INTEGER, .seed = 12, .tensor = 5, .low = -5, .high = 260},
    };
    (void)state;
    gpu_need(&the);
    for (size_t d = 0; d < COUNT(dtypes); d++)
        for (size_t f = 0; f < COUNT(fills); f++)
            for (size_t c = 0; c < COUNT(counts); c++)
                compare_fill(&fills[f], dtypes[d], counts[c]);
}

static void test_fill_ids_bit_for_bit(void **state)
{
    static const int64_t shapes[][2] = {{8, 255}, {1, 0}, {8, 7}, {256, 255}, {6, 159}};
    (void)state;
    gpu_need(&the);
    for (size_t i = 0; i < COUNT(shapes); i++) {
        const om_fill fill = {.kind = OM_FILL_IDS,
                              .seed = 9,
                              .tensor = 6,
                              .high = (double)shapes[i][1],
                              .columns = shapes[i][0]};
        compare_fill(&fill, OM_I32, shapes[i][0] * 777);
    }
}

static void test_fill_refuses_what_the_host_refuses(void **state)
{
    om_error error = {0};
    om_tensor tensor = {.dtype = OM_U8, .rank = 1, .shape = {16}};
    const om_fill normal = {.kind = OM_FILL_NORMAL, .seed = 1, .scale = 1};
    const om_fill ids = {.kind = OM_FILL_IDS, .seed = 1, .high = 3, .columns = 8};
    (void)state;
    gpu_need(&the);
    assert_ok(om_memory_create(the.context, 64, &tensor.data, &error), &error);
    assert_int_equal(the.context->api->fill(the.context->device, &normal, &tensor, &error),
                     OM_INVALID);
    assert_int_equal(the.context->api->fill(the.context->device, &ids, &tensor, &error),
                     OM_INVALID);
    tensor.dtype = OM_I32;
    assert_int_equal(the.context->api->fill(the.context->device, &ids, &tensor, &error),
                     OM_INVALID);
    om_memory_destroy(the.context, tensor.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_facts),
        cmocka_unit_test(test_no_such_device),
        cmocka_unit_test(test_memory_that_is_not_there),
        cmocka_unit_test(test_copies_come_back),
        cmocka_unit_test(test_fill_floats_bit_for_bit),
        cmocka_unit_test(test_fill_integers_bit_for_bit),
        cmocka_unit_test(test_fill_ids_bit_for_bit),
        cmocka_unit_test(test_fill_refuses_what_the_host_refuses),
    };
    return cmocka_run_group_tests(tests, gpu_set_up, gpu_tear_down);
}
