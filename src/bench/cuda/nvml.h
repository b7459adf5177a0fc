/* SPDX-License-Identifier: Apache-2.0 */
/* nvml.h: what the driver's management library says of a GPU. */
#ifndef OM_BENCH_CUDA_NVML_H
#define OM_BENCH_CUDA_NVML_H

#include "base/pairs.h"

/* Things that hold for a run: driver, limits, modes. A library or a reading that is missing leaves
 * its key out, and "nvml" says why when nothing can be read. */
om_status om__nvml_settings(const char *bus_id, om_pairs *settings, om_error *err);

/* Things that change: clocks, power, temperature, throttle reasons, other processes. */
om_status om__nvml_state(const char *bus_id, om_pairs *evidence, om_error *err);

/* Words for the bits of the driver's throttle reasons ("power cap, thermal"); "none" for 0. */
void om__nvml_format_reasons(unsigned long long reasons, char *text, size_t size);

#endif
