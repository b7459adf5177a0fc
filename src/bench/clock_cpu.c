/* SPDX-License-Identifier: Apache-2.0 */
/* clock_cpu.c: the clock `monotonic`: wall time on the host, with the processor time beside it. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/error.h"
#include "bench/clock.h"

/* Below this the clock call itself, a timer interrupt or a page walk is a visible part. */
#define OM_SHORTEST_SAMPLE_NS 1e6

typedef struct om_taken {
    double time_ns, cpu_ns;
} om_taken;

struct om_clock {
    double tick_ns, overhead_ns;
    double start_ns, start_cpu_ns;
    om_taken *taken;
    size_t count, capacity;
};

static double now_ns(clockid_t id)
{
    struct timespec t;
    clock_gettime(id, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* The smallest step seen between two readings, and the median of an empty sample. */
static void calibrate(om_clock *clock)
{
    enum { TRIES = 201 };
    double empty[TRIES];
    clock->tick_ns = 1e9;
    for (int i = 0; i < TRIES; i++) {
        double a = now_ns(CLOCK_MONOTONIC), b = now_ns(CLOCK_MONOTONIC);
        empty[i] = b - a;
        while (b <= a)
            b = now_ns(CLOCK_MONOTONIC);
        if (b - a < clock->tick_ns)
            clock->tick_ns = b - a;
    }
    for (int i = 1; i < TRIES; i++)
        for (int j = i; j > 0 && empty[j - 1] > empty[j]; j--) {
            double swap = empty[j];
            empty[j] = empty[j - 1];
            empty[j - 1] = swap;
        }
    clock->overhead_ns = empty[TRIES / 2];
}

static om_status cpu_open(const om_clock_options *options, om_clock **clock, om_error *err)
{
    (void)options;
    *clock = calloc(1, sizeof **clock);
    if (*clock == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for a clock");
    calibrate(*clock);
    return OM_OK;
}

static void cpu_close(om_clock *clock)
{
    if (clock == NULL)
        return;
    free(clock->taken);
    free(clock);
}

static void cpu_info(om_clock *clock, om_clock_info *info)
{
    *info = (om_clock_info){.tick_ns = clock->tick_ns,
                            .overhead_ns = clock->overhead_ns,
                            .shortest_sample_ns = OM_SHORTEST_SAMPLE_NS,
                            .rounds_per_collect = 1};
}

static om_status cpu_begin(om_clock *clock, int64_t calls, om_error *err)
{
    (void)calls;
    if (clock->count == clock->capacity) {
        size_t capacity = clock->capacity > 0 ? 2 * clock->capacity : 64;
        om_taken *more = realloc(clock->taken, capacity * sizeof *more);
        if (more == NULL)
            return om__error_set(err, OM_NO_MEMORY, "no memory for samples");
        clock->taken = more;
        clock->capacity = capacity;
    }
    clock->start_cpu_ns = now_ns(CLOCK_PROCESS_CPUTIME_ID);
    clock->start_ns = now_ns(CLOCK_MONOTONIC);
    return OM_OK;
}

static om_status cpu_end(om_clock *clock, om_error *err)
{
    (void)err;
    double end_ns = now_ns(CLOCK_MONOTONIC);
    double end_cpu_ns = now_ns(CLOCK_PROCESS_CPUTIME_ID);
    double time_ns = end_ns - clock->start_ns - clock->overhead_ns;
    clock->taken[clock->count++] = (om_taken){.time_ns = time_ns > 0 ? time_ns : 0,
                                              .cpu_ns = end_cpu_ns - clock->start_cpu_ns};
    return OM_OK;
}

static om_status cpu_collect(om_clock *clock, om_clock_sample *samples, size_t count, om_error *err)
{
    if (count != clock->count)
        return om__error_set(err, OM_INTERNAL, "%zu samples asked for, %zu taken", count,
                             clock->count);
    for (size_t i = 0; i < count; i++)
        samples[i] = (om_clock_sample){.time_ns = clock->taken[i].time_ns,
                                       .cpu_ns = clock->taken[i].cpu_ns,
                                       .kernel_count = -1};
    clock->count = 0;
    return OM_OK;
}

const om_clock_api om_clock_cpu = {
    .name = "monotonic",
    .device_kind = "cpu",
    .summary = "wall time of the host, CLOCK_MONOTONIC",
    .open = cpu_open,
    .close = cpu_close,
    .info = cpu_info,
    .begin = cpu_begin,
    .end = cpu_end,
    .collect = cpu_collect,
};
