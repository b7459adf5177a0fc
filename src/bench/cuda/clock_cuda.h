/* SPDX-License-Identifier: Apache-2.0 */
/* clock_cuda.h: the clocks of CUDA devices.
 *
 * records        device records of the driver's tracing library, attributed by number: the standard
 * records-write  the same, with a flush that only writes
 * events         a pair of events around the calls: the whole of it, launch gaps included
 * graph          the calls captured once, a replay timed by events: launch gaps as small as they
 * get
 *
 * None ever stands in for another: what cannot be had is refused, with the reason.
 */
#ifndef OM_BENCH_CUDA_CLOCK_CUDA_H
#define OM_BENCH_CUDA_CLOCK_CUDA_H

#include "bench/clock.h"

extern const om_clock_api om_clock_cuda_records;
extern const om_clock_api om_clock_cuda_records_write;
extern const om_clock_api om_clock_cuda_events;
extern const om_clock_api om_clock_cuda_graph;

/* Growing list of numbers with order statistics, for evidence. */
typedef struct om_values {
    double *items;
    size_t count, capacity;
} om_values;

void om__values_add(om_values *values, double value); /* dropped when memory is short */
/* Sorts; 0 for an empty list. */
double om__values_median(om_values *values);
/* "min/median/max" with the given number of decimals into evidence; nothing for an empty list. */
om_status om__values_evidence(om_values *values, const char *key, int decimals, om_pairs *evidence,
                              om_error *err);

#endif
