/* SPDX-License-Identifier: Apache-2.0 */
/* measure_cuda.c: what opmark-measure-cuda.so exports: clocks, evidence and rivals of CUDA devices.
 */
#include <cuda_runtime_api.h>
#include <stdio.h>

#include "base/error.h"
#include "bench/cuda/clock_cuda.h"
#include "bench/cuda/nvml.h"
#include "core/cuda/cuda_status.h"
#include "providers/cuda/serve_cuda.h"
#include "providers/cuda/vendors.h"

static const om_clock_api *const clocks[] = {
    &om_clock_cuda_records,
    &om_clock_cuda_records_write,
    &om_clock_cuda_events,
    &om_clock_cuda_graph,
};

static const om_provider *const providers[] = {
    &om_provider_cublaslt,
    &om_provider_cublaslt_fast,
    &om_provider_cudnn,
};

/* The stream is a blocking one: work that a contender puts on the default stream stays ordered. */
static om_status stream_open(const char *device, void **stream, om_error *err)
{
    OM_TRY(om__cuda_host_enter(device, err));
    OM_TRY_CUDA(cudaStreamCreate((cudaStream_t *)stream), err);
    return OM_OK;
}

static om_status bus_id(const char *device, char text[32], om_error *err)
{
    int index;
    OM_TRY(om__cuda_host_enter(device, err));
    OM_TRY_CUDA(cudaGetDevice(&index), err);
    OM_TRY_CUDA(cudaDeviceGetPCIBusId(text, 32, index), err);
    return OM_OK;
}

static om_status settings(const char *device, om_pairs *pairs, om_error *err)
{
    char place[32];
    int driver = 0, runtime = 0;
    OM_TRY(bus_id(device, place, err));
    OM_TRY(om__nvml_settings(place, pairs, err));
    OM_TRY_CUDA(cudaDriverGetVersion(&driver), err);
    OM_TRY_CUDA(cudaRuntimeGetVersion(&runtime), err);
    OM_TRY(om__pairs_setf(pairs, "cuda_driver", err, "%d.%d", driver / 1000, driver % 1000 / 10));
    return om__pairs_setf(pairs, "cuda_runtime", err, "%d.%d", runtime / 1000, runtime % 1000 / 10);
}

static om_status state(const char *device, om_pairs *evidence, om_error *err)
{
    char place[32];
    OM_TRY(bus_id(device, place, err));
    return om__nvml_state(place, evidence, err);
}

static const om_measure_api api = {
    .abi = OM_MEASURE_ABI,
    .kind = "cuda",
    .clocks = clocks,
    .clock_count = sizeof clocks / sizeof clocks[0],
    .providers = providers,
    .provider_count = sizeof providers / sizeof providers[0],
    .stream_open = stream_open,
    .settings = settings,
    .state = state,
};

OM_API const om_measure_api *om_measure_api_entry(void);

const om_measure_api *om_measure_api_entry(void)
{
    return &api;
}
