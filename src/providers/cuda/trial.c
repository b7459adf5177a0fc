/* SPDX-License-Identifier: Apache-2.0 */
/* trial.c: choosing among ways to do one thing by timing cold calls of each, in turn. */
#include "providers/cuda/trial.h"

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/error.h"
#include "core/cuda/cuda_status.h"

#define ROUNDS 7
/* Beyond this the differences between ways exceed what a few readings scatter. */
#define LONG_MS 5.0f

typedef struct contest {
    cudaStream_t stream;
    cudaEvent_t before, after;
    void *flush;
    size_t flush_bytes;
    float ms[OM_TRIAL_MOST][ROUNDS];
    bool has_failed[OM_TRIAL_MOST];
    om_error last; /* why the last one failed */
} contest;

static om_status prepare(contest *c, om_error *err)
{
    int index, l2;
    OM_TRY_CUDA(cudaGetDevice(&index), err);
    OM_TRY_CUDA(cudaDeviceGetAttribute(&l2, cudaDevAttrL2CacheSize, index), err);
    c->flush_bytes = 2 * (size_t)l2;
    OM_TRY_CUDA(cudaMalloc(&c->flush, c->flush_bytes), err);
    OM_TRY_CUDA(cudaEventCreate(&c->before), err);
    OM_TRY_CUDA(cudaEventCreate(&c->after), err);
    return OM_OK;
}

static om_status call_once(contest *c, int which, int round, om_trial_call call, void *self,
                           om_error *err)
{
    if (c->has_failed[which])
        return OM_OK;
    OM_TRY_CUDA(cudaMemsetAsync(c->flush, round + 1, c->flush_bytes, c->stream), err);
    OM_TRY_CUDA(cudaEventRecord(c->before, c->stream), err);
    om_status status = call(self, which, &c->last);
    OM_TRY_CUDA(cudaEventRecord(c->after, c->stream), err);
    OM_TRY_CUDA(cudaStreamSynchronize(c->stream), err);
    if (status != OM_OK)
        c->has_failed[which] = true;
    else if (round >= 0)
        OM_TRY_CUDA(cudaEventElapsedTime(&c->ms[which][round], c->before, c->after), err);
    return OM_OK;
}

static int compare(const void *a, const void *b)
{
    const float *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static om_status judge(contest *c, int count, int rounds, om_trial_result *result, om_error *err)
{
    *result = (om_trial_result){0};
    for (int i = 0; i < count; i++) {
        if (c->has_failed[i])
            continue;
        qsort(c->ms[i], (size_t)rounds, sizeof(float), compare);
        double us = (double)c->ms[i][rounds / 2] * 1e3;
        if (result->tried++ == 0)
            result->first_us = us;
        if (result->tried == 1 || us < result->best_us) {
            result->best_us = us;
            result->best = i;
        }
    }
    if (result->tried == 0)
        return om__error_set(err, OM_UNSUPPORTED, "none of %d ways works: %s", count, c->last.text);
    return OM_OK;
}

om_status om__trial_run(void *stream, int count, om_trial_call call, void *self,
                        om_trial_result *result, om_error *err)
{
    contest c = {.stream = (cudaStream_t)stream};
    int rounds = ROUNDS;
    om_status status = prepare(&c, err);
    for (int round = -1; round < rounds && status == OM_OK; round++) {
        for (int i = 0; i < count && status == OM_OK; i++)
            status = call_once(&c, i, round, call, self, err);
        if (round == 0 && c.ms[0][0] > LONG_MS)
            rounds = 3;
    }
    if (status == OM_OK)
        status = judge(&c, count, rounds, result, err);
    if (c.flush != NULL)
        (void)cudaFree(c.flush);
    if (c.before != NULL)
        (void)cudaEventDestroy(c.before);
    if (c.after != NULL)
        (void)cudaEventDestroy(c.after);
    return status;
}
