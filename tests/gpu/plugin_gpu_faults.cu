/* SPDX-License-Identifier: Apache-2.0 */
/* plugin_gpu_faults.cu: providers for GPUs that misbehave in one way each, chosen when it is
 * compiled: an illegal access, a kernel that never ends (for a minute), no work at all. */
#include <cuda_runtime.h>
#include <stdio.h>

#include "opmark/provider.h"

#define ILLEGAL 1
#define HANG    2
#define IDLE    3

static __global__ void write_nowhere(int *to)
{
    *to = 1;
}

/* A minute, then it gives the device back even if nobody kills the process. */
static __global__ void spin(void)
{
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
    do
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    while (now - begin < 60000000000ull);
}

static om_status fault_open(const om_provider_host *host, void **self, om_error *err)
{
    (void)err;
    *self = host->stream;
    return OM_OK;
}

static void fault_close(void *self)
{
    (void)self;
}

static om_status fault_query(void *self, const om_problem *problem, om_error *err)
{
    (void)self;
    (void)problem;
    (void)err;
    return OM_OK;
}

static om_status fault_prepare(void *self, const om_problem *problem, void **plan,
                               size_t *workspace_bytes, om_error *err)
{
    (void)self;
    (void)problem;
    (void)err;
    *plan = NULL;
    *workspace_bytes = 0;
    return OM_OK;
}

static om_status fault_run(void *self, void *plan, const om_problem *problem, void *workspace,
                           om_error *err)
{
    (void)self;
    (void)plan;
    (void)problem;
    (void)workspace;
    (void)err;
#if FAULT == ILLEGAL
    write_nowhere<<<1, 1, 0, (cudaStream_t)self>>>((int *)16);
#elif FAULT == HANG
    spin<<<1, 1, 0, (cudaStream_t)self>>>();
#endif
    return OM_OK;
}

static void fault_release(void *self, void *plan)
{
    (void)self;
    (void)plan;
}

extern "C" OM_API const om_provider *om_provider_entry(void);

extern "C" const om_provider *om_provider_entry(void)
{
    static om_provider provider;
    provider.abi = OM_PROVIDER_ABI;
    provider.name = FAULT == ILLEGAL ? "gpu_illegal" : FAULT == HANG ? "gpu_hang" : "gpu_idle";
    provider.role = OM_ROLE_COMPETITOR;
    provider.device_kind = "cuda";
    provider.summary = "misbehaves, for tests";
    provider.open = fault_open;
    provider.close = fault_close;
    provider.query = fault_query;
    provider.prepare = fault_prepare;
    provider.run = fault_run;
    provider.release = fault_release;
    (void)write_nowhere;
    (void)spin;
    return &provider;
}
