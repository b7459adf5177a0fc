/* SPDX-License-Identifier: Apache-2.0 */
/* clock_fake.c: the clock `fake`: reads the virtual time of the fake device, so that what the
 * engine does with times can be tested without any passing. */
#include <stdlib.h>

#include "base/error.h"
#include "bench/clock.h"
#include "providers/providers.h"

struct om_clock {
    const om_fake_time *time;
    double start_ns;
    double *taken;
    size_t count, capacity;
};

static om_status fake_open(const om_clock_options *options, om_clock **clock, om_error *err)
{
    if (options->stream == NULL)
        return om__error_set(err, OM_INVALID, "the fake clock needs the fake device's time");
    *clock = calloc(1, sizeof **clock);
    if (*clock == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for a clock");
    (*clock)->time = options->stream;
    return OM_OK;
}

static void fake_close(om_clock *clock)
{
    if (clock == NULL)
        return;
    free(clock->taken);
    free(clock);
}

static void fake_info(om_clock *clock, om_clock_info *info)
{
    (void)clock;
    *info = (om_clock_info){
        .tick_ns = 1, .shortest_sample_ns = 1e5, .rounds_per_collect = 4, .is_virtual = 1};
}

static om_status fake_begin(om_clock *clock, int64_t calls, om_error *err)
{
    (void)calls;
    if (clock->count == clock->capacity) {
        size_t capacity = clock->capacity > 0 ? 2 * clock->capacity : 64;
        double *more = realloc(clock->taken, capacity * sizeof *more);
        if (more == NULL)
            return om__error_set(err, OM_NO_MEMORY, "no memory for samples");
        clock->taken = more;
        clock->capacity = capacity;
    }
    clock->start_ns = clock->time->now_ns;
    return OM_OK;
}

static om_status fake_end(om_clock *clock, om_error *err)
{
    (void)err;
    clock->taken[clock->count++] = clock->time->now_ns - clock->start_ns;
    return OM_OK;
}

static om_status fake_collect(om_clock *clock, om_clock_sample *samples, size_t count,
                              om_error *err)
{
    if (count != clock->count)
        return om__error_set(err, OM_INTERNAL, "%zu samples asked for, %zu taken", count,
                             clock->count);
    for (size_t i = 0; i < count; i++)
        samples[i] =
            (om_clock_sample){.time_ns = clock->taken[i], .cpu_ns = -1, .kernel_count = -1};
    clock->count = 0;
    return OM_OK;
}

const om_clock_api om_clock_fake = {
    .name = "fake",
    .device_kind = "fake",
    .summary = "virtual time of the fake device",
    .open = fake_open,
    .close = fake_close,
    .info = fake_info,
    .begin = fake_begin,
    .end = fake_end,
    .collect = fake_collect,
};
