/* SPDX-License-Identifier: Apache-2.0 */
/* recorder.h: device records from CUPTI, each with the owner it was launched for. */
#ifndef OM_BENCH_CUDA_RECORDER_H
#define OM_BENCH_CUDA_RECORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/intervals.h"
#include "opmark/status.h"

/* Work of the measuring itself (flushes, probes) is owned by this number and never counted. */
#define OM_RECORDER_OWN UINT64_MAX

/* A piece of device work. */
typedef struct om_device_work {
    om_interval interval;
    const char *name; /* the kernel's, mangled; "memcpy", "memset"; lives as long as the recorder */
    bool is_kernel;
} om_device_work;

typedef struct om_recording {
    om_device_work *work; /* sorted by owner, then start */
    size_t count;
    size_t kernels_of_nobody; /* launched by calls no owner was pushed for (another thread) */
    size_t dropped;           /* records CUPTI says it lost */
} om_recording;

/* Loads CUPTI and turns the records on. CUPTI is one per process, so there is one recorder; opening
 * it again only counts. OM_UNSUPPORTED says what is missing. */
om_status om__recorder_open(om_error *err);
void om__recorder_close(void);

/* What is launched by this thread from now on belongs to the owner (1 or more). They nest. */
om_status om__recorder_push(uint64_t owner, om_error *err);
om_status om__recorder_pop(om_error *err);

/* Hands over everything that has been recorded; the device must be idle. release() it. */
om_status om__recorder_take(om_recording *recording, om_error *err);
void om__recording_release(om_recording *recording);

/* While on, CUPTI gets no room for records and has to drop them: proves that its counter counts. */
void om__recorder_starve(bool on);
/* More launches than the buffers that CUPTI may hold already have room for. */
size_t om__recorder_room_get(void);

/* Where CUPTI lies and its version, "libcupti 13.0 (/usr/…)". */
const char *om__recorder_library_get(void);

#endif
