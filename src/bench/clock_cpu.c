/* SPDX-License-Identifier: Apache-2.0 */
/* clock_cpu.c: the clock `monotonic`: wall time on the host, with the processor time beside it.
 *
 * On a machine that is shared, a thread of ours may stand in the run queue in the middle of a
 * sample; the sample then measures the others. The kernel counts that waiting for each thread, so
 * such samples are marked invalid, one by one, and a row is lost only when none is left.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "bench/clock.h"

/* Below this the clock call itself, a timer interrupt or a page walk is a visible part. */
#define OM_SHORTEST_SAMPLE_NS 1e6

/* A thread that waited for a processor longer than this share of the sample spoils it. */
#define OM_WAIT_LIMIT 0.5
/* Threads are looked up anew after so many samples: pools grow in the first calls. */
#define OM_LOOK_EVERY 16

enum { MOST_THREADS = 256 };

typedef struct om_taken {
    double time_ns, cpu_ns, waited_ns;
} om_taken;

struct om_clock {
    double tick_ns, overhead_ns;
    double start_ns, start_cpu_ns;
    om_taken *taken;
    size_t count, capacity;
    int64_t begun;
    int threads[MOST_THREADS]; /* descriptors of their schedstat */
    double waited[MOST_THREADS];
    int thread_count;
};

static double now_ns(clockid_t id)
{
    struct timespec t;
    clock_gettime(id, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void forget_threads(om_clock *clock)
{
    for (int i = 0; i < clock->thread_count; i++)
        close(clock->threads[i]);
    clock->thread_count = 0;
}

static void find_threads(om_clock *clock)
{
    DIR *tasks = opendir("/proc/self/task");
    struct dirent *task;
    forget_threads(clock);
    while (tasks != NULL && (task = readdir(tasks)) != NULL && clock->thread_count < MOST_THREADS) {
        char path[300];
        if (task->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "/proc/self/task/%.200s/schedstat", task->d_name);
        int fd = open(path, O_RDONLY | O_CLOEXEC);
        if (fd >= 0)
            clock->threads[clock->thread_count++] = fd;
    }
    if (tasks != NULL)
        closedir(tasks);
}

/* Nanoseconds in the run queue until now, from "ran waited slices". */
static double read_waited(int fd)
{
    char text[128];
    ssize_t size = pread(fd, text, sizeof text - 1, 0);
    if (size <= 0)
        return 0;
    text[size] = '\0';
    const char *second = strchr(text, ' ');
    return second != NULL ? strtod(second, NULL) : 0;
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
    forget_threads(clock);
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
    if (clock->begun++ % OM_LOOK_EVERY == 0)
        find_threads(clock);
    for (int i = 0; i < clock->thread_count; i++)
        clock->waited[i] = read_waited(clock->threads[i]);
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
    double waited_ns = 0;
    for (int i = 0; i < clock->thread_count; i++) {
        double waited = read_waited(clock->threads[i]) - clock->waited[i];
        waited_ns = waited > waited_ns ? waited : waited_ns;
    }
    clock->taken[clock->count++] = (om_taken){.time_ns = time_ns > 0 ? time_ns : 0,
                                              .cpu_ns = end_cpu_ns - clock->start_cpu_ns,
                                              .waited_ns = waited_ns};
    return OM_OK;
}

static om_status cpu_collect(om_clock *clock, om_clock_sample *samples, size_t count, om_error *err)
{
    if (count != clock->count)
        return om__error_set(err, OM_INTERNAL, "%zu samples asked for, %zu taken", count,
                             clock->count);
    for (size_t i = 0; i < count; i++) {
        const om_taken *t = &clock->taken[i];
        samples[i] =
            (om_clock_sample){.time_ns = t->time_ns, .cpu_ns = t->cpu_ns, .kernel_count = -1};
        if (t->waited_ns > OM_WAIT_LIMIT * t->time_ns)
            snprintf(samples[i].invalid, sizeof samples[i].invalid,
                     "a thread waited for a processor for %.0f %% of it",
                     100 * t->waited_ns / (t->time_ns + 1));
    }
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
