/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_facts.h: what can be said about measuring on the GPUs of this machine, for `opmark doctor`.
 */
#ifndef OM_BENCH_GPU_FACTS_H
#define OM_BENCH_GPU_FACTS_H

#include <stddef.h>

#include "opmark/status.h"

typedef enum om_fact_state {
    OM_FACT_FINE,
    OM_FACT_MISSING, /* a capability that is not there; nothing is wrong otherwise */
    OM_FACT_SPOILS,  /* there, and it spoils measurements */
} om_fact_state;

typedef struct om_fact {
    char name[48]; /* "driver", "cuda:0", "cublaslt" */
    om_fact_state state;
    char text[600]; /* what was found; for the other states why not, and what would help */
} om_fact;

#define OM_GPU_FACTS_MOST 40

/* Looks at each link of the chain in turn (kernels, driver, devices, measuring object, clocks,
 * rivals, state of each GPU) and stops where nothing further can be said. facts has
 * OM_GPU_FACTS_MOST entries. library_dir and cuda_libs may be NULL. Works, and says so, on a
 * machine with no GPU. */
om_status om__gpu_facts(const char *library_dir, const char *cuda_libs, om_fact *facts,
                        size_t *count, om_error *err);

#endif
