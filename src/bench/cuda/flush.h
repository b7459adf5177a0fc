/* SPDX-License-Identifier: Apache-2.0 */
/* flush.h: emptying the L2 before a cold call. */
#ifndef OM_BENCH_CUDA_FLUSH_H
#define OM_BENCH_CUDA_FLUSH_H

#include <stddef.h>

#include "bench/cuda/measure_kernels.h"
#include "opmark/status.h"

typedef struct om_flush_state {
    om_flush_kind kind;
    void *buffer; /* twice the L2 */
    size_t bytes;
    int sm_count;
} om_flush_state;

/* Takes memory on the current device. */
om_status om__flush_open(om_flush_state *flush, om_flush_kind kind, om_error *err);
void om__flush_close(om_flush_state *flush);

/* Gives up persisting lines (those loaded as evict-last survive any amount of other traffic and
 * would fake a warm cache), passes over the buffer, and waits until the device is idle. */
om_status om__flush_run(const om_flush_state *flush, void *stream, om_error *err);

/* "read+write of 120 MiB, persisting lines reset" */
void om__flush_describe(const om_flush_state *flush, char *text, size_t size);

#endif
