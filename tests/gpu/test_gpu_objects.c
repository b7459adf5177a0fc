/* SPDX-License-Identifier: Apache-2.0 */
/* test_gpu_objects.c: the two CUDA objects as a machine without a GPU sees them: they load, their
 * tables are whole, and what needs a device is refused with a reason. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/dynlib.h"
#include "bench/clock.h"
#include "core/device_api.h"
#include "helpers/gpu.h"
#include "ops/op.h"
#include "providers/providers.h"

static void *load(const char *name, const char *entry)
{
    char folder[800], path[900];
    om_error error = {0};
    void *library = NULL;
    snprintf(path, sizeof path, "%s/%s", gpu_object_folder(folder, sizeof folder), name);
    if (access(path, R_OK) != 0)
        return NULL;
    assert_ok(om__dynlib_open(path, &library, &error), &error);
    void *found = om__dynlib_find(library, entry);
    assert_non_null(found);
    return found;
}

static const om_device_api *device_api(void)
{
    om_device_api_entry_fn entry = NULL;
    *(void **)&entry = load("libopmark-cuda.so", "om_device_api_entry");
    return entry != NULL ? entry() : NULL;
}

static const om_measure_api *measure_api(void)
{
    om_measure_api_entry_fn entry = NULL;
    *(void **)&entry = load("opmark-measure-cuda.so", "om_measure_api_entry");
    return entry != NULL ? entry() : NULL;
}

static void test_device_table(void **state)
{
    (void)state;
    const om_device_api *api = device_api();
    if (api == NULL)
        skip_because("built without CUDA");
    assert_int_equal(api->abi, OM_DEVICE_ABI);
    assert_string_equal(api->kind, "cuda");
    assert_true(api->count != NULL && api->open != NULL && api->close != NULL && api->info != NULL);
    assert_true(api->alloc != NULL && api->free != NULL && api->upload != NULL &&
                api->download != NULL && api->set != NULL && api->synchronize != NULL);
    assert_true(api->fill != NULL && api->kernel_env != NULL && api->kernels != NULL);
}

/* Each kernel belongs to a contract, and what stands before the two underscores of its name says
 * what it is. */
static void test_kernels_belong_to_contracts(void **state)
{
    size_t count = 0;
    (void)state;
    const om_device_api *api = device_api();
    if (api == NULL)
        skip_because("built without CUDA");
    const om_kernel *const *kernels = api->kernels(&count);
    for (size_t i = 0; i < count; i++) {
        char start[128];
        const om_kernel *k = kernels[i];
        assert_non_null(om__op_find(k->op, k->pass));
        assert_true(k->query != NULL && k->run != NULL);
        snprintf(start, sizeof start, "om_%s_", k->op);
        assert_int_equal(strncmp(k->name, start, strlen(start)), 0);
        assert_non_null(strstr(k->name, "__"));
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(k->name, kernels[j]->name);
        /* A fast kernel is checked against the plain one of its device. */
        bool has_reference = false;
        for (size_t j = 0; j < count; j++)
            has_reference |= kernels[j]->is_reference && strcmp(kernels[j]->op, k->op) == 0 &&
                             strcmp(kernels[j]->pass, k->pass) == 0;
        assert_true(has_reference);
    }
}

static void test_measure_table(void **state)
{
    om_error error = {0};
    (void)state;
    const om_measure_api *api = measure_api();
    if (api == NULL)
        skip_because("built without CUDA");
    assert_int_equal(api->abi, OM_MEASURE_ABI);
    assert_string_equal(api->kind, "cuda");
    assert_true(api->clock_count >= 4);
    assert_string_equal(api->clocks[0]->name, "records");
    for (size_t i = 0; i < api->clock_count; i++) {
        const om_clock_api *clock = api->clocks[i];
        assert_string_equal(clock->device_kind, "cuda");
        assert_true(clock->open != NULL && clock->close != NULL && clock->info != NULL &&
                    clock->flush != NULL && clock->begin != NULL && clock->end != NULL &&
                    clock->collect != NULL && clock->evidence != NULL);
    }
    assert_true(api->provider_count >= 3);
    for (size_t i = 0; i < api->provider_count; i++)
        assert_ok(om__provider_check(api->providers[i], "the measuring object", &error), &error);
}

/* What a user of a machine without a GPU reads. */
static void test_refusals_have_reasons(void **state)
{
    int count = 0;
    om_error error = {0};
    om_device *device = NULL;
    om_clock *clock = NULL;
    void *self = NULL;
    (void)state;
    const om_device_api *api = device_api();
    const om_measure_api *measure = measure_api();
    if (api == NULL || measure == NULL)
        skip_because("built without CUDA");
    if (api->count(&count, &error) == OM_OK && count > 0)
        skip_because("there is a GPU");
    assert_int_equal(api->open(0, NULL, &device, &error), OM_UNSUPPORTED);
    assert_non_null(strstr(error.text, "NVIDIA driver"));
    for (size_t i = 0; i < measure->clock_count; i++) {
        om_clock_options options = {.device = "cuda:0", .stream = &count};
        memset(&error, 0, sizeof error);
        assert_int_equal(measure->clocks[i]->open(&options, &clock, &error), OM_UNSUPPORTED);
        assert_null(clock);
        assert_true(strlen(error.text) > 10);
    }
    om_provider_host host = {.abi = OM_PROVIDER_ABI, .device = "cuda:0"};
    for (size_t i = 0; i < measure->provider_count; i++) {
        memset(&error, 0, sizeof error);
        assert_int_equal(measure->providers[i]->open(&host, &self, &error), OM_UNSUPPORTED);
        assert_non_null(strstr(error.text, "NVIDIA driver"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_device_table),
        cmocka_unit_test(test_kernels_belong_to_contracts),
        cmocka_unit_test(test_measure_table),
        cmocka_unit_test(test_refusals_have_reasons),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
