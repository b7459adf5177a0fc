/* SPDX-License-Identifier: Apache-2.0 */
/* test_gpu_clock.c: the clocks of CUDA devices: attribution, flushes, anchors, events, graphs. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "helpers/gpu.h"

static om_tensor work; /* 256 MiB to draw: the kernel that is timed here */

static int open_gpu_and_work(void **state)
{
    om_error error = {0};
    gpu_set_up(state);
    work = (om_tensor){.dtype = OM_BF16, .rank = 1, .shape = {(int64_t)1 << 27}};
    if (the.context != NULL)
        assert_ok(om_memory_create(the.context, (size_t)1 << 28, &work.data, &error), &error);
    return 0;
}

static int close_work_and_gpu(void **state)
{
    if (the.context != NULL)
        om_memory_destroy(the.context, work.data);
    return gpu_tear_down(state);
}

static const om_clock_api *find_clock(const char *name)
{
    for (size_t i = 0; i < the.measure->clock_count; i++)
        if (strcmp(the.measure->clocks[i]->name, name) == 0)
            return the.measure->clocks[i];
    fail_msg("no clock %s", name);
    return NULL;
}

static om_clock *open_clock(const om_clock_api *api)
{
    om_error error = {0};
    om_clock *clock = NULL;
    om_clock_options options = {.device = "cuda:0", .stream = the.stream};
    assert_ok(api->open(&options, &clock, &error), &error);
    return clock;
}

static void draw(int64_t count)
{
    om_error error = {0};
    om_tensor part = work;
    const om_fill fill = {.kind = OM_FILL_NORMAL, .seed = 1, .scale = 1};
    part.shape[0] = count;
    assert_ok(the.context->api->fill(the.context->device, &fill, &part, &error), &error);
}

static om_clock_sample one_sample(const om_clock_api *api, om_clock *clock, int64_t count,
                                  int calls)
{
    om_error error = {0};
    om_clock_sample sample;
    assert_ok(api->begin(clock, calls, &error), &error);
    for (int i = 0; i < calls; i++)
        draw(count);
    assert_ok(api->end(clock, &error), &error);
    assert_ok(api->collect(clock, &sample, 1, &error), &error);
    return sample;
}

static void print_pairs(const char *title, const om_pairs *pairs)
{
    printf("%s:", title);
    for (size_t i = 0; i < pairs->count; i++)
        printf(" %s='%s'", pairs->items[i].key, pairs->items[i].value);
    printf("\n");
}

static void test_records_count_what_was_launched(void **state)
{
    (void)state;
    gpu_need(&the);
    const om_clock_api *api = find_clock("records");
    om_clock *clock = open_clock(api);
    om_clock_sample one = one_sample(api, clock, (int64_t)1 << 24, 1);
    om_clock_sample three = one_sample(api, clock, (int64_t)1 << 24, 3);
    printf("one: %.0f ns, span %.0f, %s, %.0f MHz; three: %.0f ns, span %.0f, %s\n", one.time_ns,
           one.span_ns, one.kernels, one.clock_mhz, three.time_ns, three.span_ns, three.kernels);
    assert_string_equal(one.invalid, "");
    assert_int_equal(one.kernel_count, 1);
    assert_int_equal(three.kernel_count, 3);
    assert_true(three.time_ns > 2 * one.time_ns && three.time_ns < 4 * one.time_ns);
    assert_true(three.span_ns >= three.time_ns);
    assert_non_null(strstr(one.kernels, "fill"));
    assert_true(one.clock_mhz > 300 && one.clock_mhz < 2500);
    api->close(clock);
}

static void test_flushes_are_not_counted(void **state)
{
    om_error error = {0};
    om_clock_sample sample;
    (void)state;
    gpu_need(&the);
    const om_clock_api *api = find_clock("records");
    om_clock *clock = open_clock(api);
    double alone = one_sample(api, clock, (int64_t)1 << 20, 1).time_ns;
    assert_ok(api->begin(clock, 2, &error), &error);
    assert_ok(api->flush(clock, &error), &error);
    draw((int64_t)1 << 20);
    assert_ok(api->flush(clock, &error), &error);
    assert_ok(api->end(clock, &error), &error);
    assert_ok(api->collect(clock, &sample, 1, &error), &error);
    assert_int_equal(sample.kernel_count, 1);
    assert_true(sample.time_ns < 2 * alone + 2000);
    assert_string_equal(sample.invalid, "");
    api->close(clock);
}

static void test_no_device_work_is_said(void **state)
{
    om_error error = {0};
    om_clock_sample samples[2];
    (void)state;
    gpu_need(&the);
    const om_clock_api *api = find_clock("records");
    om_clock *clock = open_clock(api);
    assert_ok(api->begin(clock, 1, &error), &error);
    assert_ok(api->end(clock, &error), &error);
    draw(1000); /* outside of any sample */
    assert_ok(api->begin(clock, 1, &error), &error);
    draw(1000);
    assert_ok(api->end(clock, &error), &error);
    assert_ok(api->collect(clock, samples, 2, &error), &error);
    assert_int_equal(samples[0].kernel_count, 0);
    assert_true(samples[0].invalid[0] != '\0');
    assert_int_equal(samples[1].kernel_count, 1);
    assert_string_equal(samples[1].invalid, "");
    api->close(clock);
}

/* The anchors say whether the clock and the machine read what they should. */
static void test_anchors(void **state)
{
    om_error error = {0};
    om_pairs evidence = {0};
    om_device_info device;
    om_clock_info info;
    (void)state;
    gpu_need(&the);
    const om_clock_api *api = find_clock("records");
    om_clock *clock = open_clock(api);
    api->info(clock, &info);
    (void)one_sample(api, clock, 1000, 1);
    assert_ok(api->evidence(clock, &evidence, &error), &error);
    print_pairs("records", &evidence);
    printf("tick %.1f ns\n", info.tick_ns);
    assert_true(info.tick_ns > 4 && info.tick_ns <= 100);
    assert_string_equal(om__pairs_find(&evidence, "drop_counter"), "live");
    assert_ok(the.context->api->info(the.context->device, &device, &error), &error);
    if (strcmp(device.name, "NVIDIA H200") == 0) {
        double copy = atof(om__pairs_find(&evidence, "copy_4gib_us"));
        double add = atof(om__pairs_find(&evidence, "add_one_ns"));
        assert_true(fabs(copy - 2003) < 0.03 * 2003);
        assert_true(fabs(add - 1100) < 250);
    }
    om__pairs_release(&evidence);
    api->close(clock);
}

static void test_records_against_events_and_graph(void **state)
{
    static const char *const names[] = {"records", "events", "graph"};
    double times[3];
    (void)state;
    gpu_need(&the);
    for (int c = 0; c < 3; c++) {
        const om_clock_api *api = find_clock(names[c]);
        om_clock *clock = open_clock(api);
        om_clock_info info;
        api->info(clock, &info);
        times[c] = INFINITY;
        for (int i = 0; i < 20; i++) {
            om_clock_sample sample = one_sample(api, clock, (int64_t)1 << 27, 1);
            assert_string_equal(sample.invalid, "");
            times[c] = fmin(times[c], sample.time_ns);
        }
        printf("%s: %.1f us (tick %.1f ns, overhead %.0f ns)\n", names[c], times[c] / 1e3,
               info.tick_ns, info.overhead_ns);
        api->close(clock);
    }
    /* Events add a few microseconds to a kernel of some 100. */
    assert_true(times[1] > times[0] && times[1] < times[0] + 15e3);
    assert_true(times[2] > times[0] - 1e3 && times[2] < times[0] + 15e3);
}

static void test_graph_refuses_the_default_stream(void **state)
{
    om_error error = {0};
    om_clock *clock = NULL;
    om_clock_options options = {.device = "cuda:0"};
    (void)state;
    gpu_need(&the);
    assert_int_equal(find_clock("graph")->open(&options, &clock, &error), OM_UNSUPPORTED);
    assert_null(clock);
}

static void test_driver_evidence(void **state)
{
    om_error error = {0};
    om_pairs settings = {0}, evidence = {0};
    (void)state;
    gpu_need(&the);
    assert_ok(the.measure->settings("cuda:0", &settings, &error), &error);
    assert_ok(the.measure->state("cuda:0", &evidence, &error), &error);
    print_pairs("settings", &settings);
    print_pairs("state", &evidence);
    assert_non_null(om__pairs_find(&settings, "cuda_driver"));
    if (om__pairs_find(&evidence, "nvml") == NULL) {
        assert_true(atof(om__pairs_find(&evidence, "nvml_sm_mhz")) > 100);
        assert_true(atof(om__pairs_find(&evidence, "power_w")) > 10);
        assert_non_null(om__pairs_find(&evidence, "throttle"));
    }
    om__pairs_release(&settings);
    om__pairs_release(&evidence);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_anchors),
        cmocka_unit_test(test_records_count_what_was_launched),
        cmocka_unit_test(test_flushes_are_not_counted),
        cmocka_unit_test(test_no_device_work_is_said),
        cmocka_unit_test(test_records_against_events_and_graph),
        cmocka_unit_test(test_graph_refuses_the_default_stream),
        cmocka_unit_test(test_driver_evidence),
    };
    return cmocka_run_group_tests(tests, open_gpu_and_work, close_work_and_gpu);
}
