/* SPDX-License-Identifier: Apache-2.0 */
/* measure_kernels.h: the few kernels that measuring itself needs: flush, clock probe, null kernel.
 */
#ifndef OM_BENCH_CUDA_MEASURE_KERNELS_H
#define OM_BENCH_CUDA_MEASURE_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#include "opmark/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum om_flush_kind {
    OM_FLUSH_READ_WRITE = 0, /* reads and writes back: the L2 is full of dirty lines */
    OM_FLUSH_WRITE,          /* writes only, as a memset does */
    OM_FLUSH_READ,           /* reads only: the L2 is full of clean lines */
} om_flush_kind;

/* What a probe saw of the SM clock: cycles and nanoseconds of one stretch of time. */
typedef struct om_clock_probe {
    uint64_t cycles, ns;
} om_clock_probe;

/* Passes over `bytes` (a multiple of 16) of a buffer made for it. */
om_status om__flush_launch(void *stream, int sm_count, om_flush_kind kind, void *buffer,
                           size_t bytes, om_error *err);

/* One warp that counts cycles for about 10 us; needs no other memory than `probe` on the device. */
om_status om__probe_launch(void *stream, om_clock_probe *probe, om_error *err);

/* A kernel of one thread that does nothing, and an addition on one element of an array. */
om_status om__null_launch(void *stream, om_error *err);
om_status om__add_one_launch(void *stream, float *elements, om_error *err);

#ifdef __cplusplus
}
#endif

#endif
