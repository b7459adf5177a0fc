/* SPDX-License-Identifier: Apache-2.0 */
/* flush.c: emptying the L2 before a cold call. */
#include "bench/cuda/flush.h"

#include <cuda_runtime_api.h>
#include <stdio.h>

#include "base/error.h"
#include "core/cuda/cuda_status.h"

om_status om__flush_open(om_flush_state *flush, om_flush_kind kind, om_error *err)
{
    int index, l2;
    *flush = (om_flush_state){.kind = kind};
    OM_TRY_CUDA(cudaGetDevice(&index), err);
    OM_TRY_CUDA(cudaDeviceGetAttribute(&l2, cudaDevAttrL2CacheSize, index), err);
    OM_TRY_CUDA(cudaDeviceGetAttribute(&flush->sm_count, cudaDevAttrMultiProcessorCount, index),
                err);
    flush->bytes = (size_t)l2 * 2 & ~(size_t)15;
    OM_TRY_CUDA(cudaMalloc(&flush->buffer, flush->bytes), err);
    OM_TRY_CUDA(cudaMemset(flush->buffer, 0, flush->bytes), err);
    return OM_OK;
}

void om__flush_close(om_flush_state *flush)
{
    if (flush->buffer != NULL)
        (void)cudaFree(flush->buffer);
    flush->buffer = NULL;
}

om_status om__flush_run(const om_flush_state *flush, void *stream, om_error *err)
{
    OM_TRY_CUDA(cudaCtxResetPersistingL2Cache(), err);
    OM_TRY(
        om__flush_launch(stream, flush->sm_count, flush->kind, flush->buffer, flush->bytes, err));
    OM_TRY_CUDA(cudaStreamSynchronize((cudaStream_t)stream), err);
    return OM_OK;
}

void om__flush_describe(const om_flush_state *flush, char *text, size_t size)
{
    static const char *const words[] = {"read+write", "write", "read"};
    snprintf(text, size, "%s of %.0f MiB, persisting lines reset", words[flush->kind],
             (double)flush->bytes / 1048576.0);
}
