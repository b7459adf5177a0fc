/* SPDX-License-Identifier: Apache-2.0 */
/* clock.h: how the bench engine asks for the time of a sample, and the loadable object that brings
 * clocks and rivals of a device.
 *
 * A sample is one or more calls of one contender between begin and end. A clock may know its time
 * at once (the CPU's monotonic clock) or later (device records that arrive in buffers), so times
 * are fetched with collect, many samples at a time and outside of what is timed:
 *
 *     begin(calls)  call … call  end()      one sample
 *     begin(calls)  call … call  end()      the next
 *     collect(samples, 2)                   both times, in the order they were taken
 *
 * One clock serves one worker and one thread; samples never overlap. A failing begin or end spoils
 * that sample only: collect then gives it with `invalid` set.
 */
#ifndef OM_BENCH_CLOCK_H
#define OM_BENCH_CLOCK_H

#include <stdint.h>

#include "base/pairs.h"
#include "opmark/provider.h"

#define OM_MEASURE_ABI 1u

typedef struct om_clock om_clock; /* the clock's own */

typedef struct om_clock_options {
    const char *device; /* "cpu", "cuda:0", "fake:0" */
    void *stream;       /* where providers launch; the fake device's virtual time */
    uint64_t seed;      /* fake: of its noise */
} om_clock_options;

typedef struct om_clock_info {
    double tick_ns;     /* smallest difference it can show; 0: not known */
    double overhead_ns; /* what a sample with no call reads (null-call calibration) */
    /* Calls are repeated inside a sample until it lasts this long; 0: one call a sample always. */
    double shortest_sample_ns;
    int rounds_per_collect; /* how many rounds may wait for one collect; at least 1 */
    int is_virtual;         /* 1: its time does not pass by itself, and bounds count in it */
} om_clock_info;

typedef struct om_clock_sample {
    double time_ns;      /* of the whole sample, overhead subtracted where the clock knows it */
    double cpu_ns;       /* processor time of the process in it; < 0: not known */
    double span_ns;      /* from its first kernel's start to its last one's end; 0: not known */
    int kernel_count;    /* device kernels in it, flushes left out; -1: not known */
    const char *kernels; /* their names in order, kept until the clock closes; NULL: not known */
    double clock_mhz;    /* of the device during the sample; 0: not known */
    char
        invalid[120]; /* why the time must not be used ("throttled: 1200 of 1980 MHz"); "": valid */
} om_clock_sample;

typedef struct om_clock_api {
    const char *name;        /* as the record says it: "monotonic", "fake", "records", "events" */
    const char *device_kind; /* "cpu", "cuda", "fake" */
    const char *summary;     /* one line */
    om_status (*open)(const om_clock_options *options, om_clock **clock, om_error *err);
    void (*close)(om_clock *clock);
    void (*info)(om_clock *clock, om_clock_info *info);
    /* Empties the last-level cache of the device, outside of samples or, between the calls of one,
     * marked so that its time and kernels are not counted. NULL: the engine flushes by itself or
     * rotates buffers. */
    om_status (*flush)(om_clock *clock, om_error *err);
    om_status (*begin)(om_clock *clock, int64_t calls, om_error *err);
    om_status (*end)(om_clock *clock, om_error *err);
    /* Waits for, and gives, all samples since the last collect; count is how many were taken. */
    om_status (*collect)(om_clock *clock, om_clock_sample *samples, size_t count, om_error *err);
    /* What the record should say of the samples collected since the last call: kernel names, clock
     * range, throttle reasons. NULL: nothing. */
    om_status (*evidence)(om_clock *clock, om_pairs *evidence, om_error *err);
} om_clock_api;

/* What an object such as opmark-measure-cuda.so exports as
 *
 *     const om_measure_api *om_measure_api_entry(void);
 */
typedef struct om_measure_api {
    uint32_t abi;                      /* OM_MEASURE_ABI */
    const char *kind;                  /* the device kind it serves: "cuda" */
    const om_clock_api *const *clocks; /* the standard one first */
    size_t clock_count;
    const om_provider *const *providers; /* rivals from the vendor's libraries */
    size_t provider_count;
    /* A stream of its own for the worker's context, clock and contenders (some clocks cannot use
     * the default one); it lives as long as the process. NULL: the default stream serves. */
    om_status (*stream_open)(const char *device, void **stream, om_error *err);
    /* Of the device, once a run: machine class, instance, driver, clock policy. NULL: nothing. */
    om_status (*settings)(const char *device, om_pairs *settings, om_error *err);
    /* Of the device, before and after the samples of a row: clocks, temperature, throttle reasons,
     * other processes; keys as the record has them. NULL: nothing. */
    om_status (*state)(const char *device, om_pairs *evidence, om_error *err);
} om_measure_api;

typedef const om_measure_api *(*om_measure_api_entry_fn)(void);

extern const om_clock_api om_clock_cpu;
extern const om_clock_api om_clock_fake;

/* A loaded measuring object. */
typedef struct om_measure {
    void *library;
    const om_measure_api *api;
} om_measure;

/* Loads opmark-measure-<kind>.so: from library_dir, beside the program, or the search path.
 * OM_UNSUPPORTED with the reason where there is none, or one of another ABI. */
om_status om__measure_open(const char *kind, const char *library_dir, om_measure *measure,
                           om_error *err);
void om__measure_close(om_measure *measure); /* a zeroed one is accepted */

/* The clock `name` for a kind of device, NULL: the standard one. measure may be NULL. */
om_status om__clock_find(const char *kind, const char *name, const om_measure *measure,
                         const om_clock_api **api, om_error *err);

#endif
