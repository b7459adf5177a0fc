/* SPDX-License-Identifier: Apache-2.0 */
/* cpu.h: what the processor can do and how large its caches are. */
#ifndef OM_CORE_CPU_H
#define OM_CORE_CPU_H

#include <stdint.h>

#include "opmark/device.h"

typedef struct om_cpu_info {
    char model[128];
    om_isa isa; /* strongest level that processor and operating system support */
    int has_avx512_bf16, has_avx512_vnni;
    int64_t l1d_bytes, l2_bytes, l3_bytes; /* 0: not known */
    int processors; /* this process may run on: affinity mask, cut by the cgroup's quota (rounded
                       up) */
} om_cpu_info;

/* Filled once, then shared; safe from several threads. */
const om_cpu_info *om__cpu_info_get(void);

const char *om__isa_name(om_isa isa); /* "scalar", "avx2", "avx512" */
om_status om__isa_parse(const char *text, om_isa *isa, om_error *err);

#endif
