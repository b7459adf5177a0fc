/* SPDX-License-Identifier: Apache-2.0 */
/* estimate.c: what a case will take in memory and time, before anything is run. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "bench/run.h"

/* Rough and on the slow side: what a core of today does at least, and what memory gives it. */
#define OM_CORE_FLOPS    1.5e10
#define OM_MEMORY_BYTES  5e9
#define OM_DEVICE_FLOPS  1e14
#define OM_DEVICE_BYTES  1e12
#define OM_CASE_OVERHEAD 0.15

static double call_seconds(const om_session_options *session, om_work work)
{
    bool host = session->device == NULL || strncmp(session->device, "cpu", 3) == 0;
    double threads = session->threads > 0 ? session->threads : 1;
    double flops = host ? OM_CORE_FLOPS * threads : OM_DEVICE_FLOPS;
    double bytes = host ? OM_MEMORY_BYTES : OM_DEVICE_BYTES;
    return work.flops / flops + work.bytes / bytes;
}

om_status om__run_estimate(const om_session_options *session, const om_device_info *device,
                           const om_case *c, size_t contenders, om_estimate *estimate,
                           om_error *err)
{
    _Alignas(max_align_t) char args[OM_MAX_ARGS_SIZE];
    om_tensor tensors[OM_MAX_PORTS] = {0};
    double budget = session->time_s > 0 ? session->time_s : 1;
    *estimate = (om_estimate){.seconds = 1.2 * budget + OM_CASE_OVERHEAD};
    if (c->op == NULL)
        return OM_OK;
    const om_op *op = om__op_find(c->op, c->pass);
    if (op == NULL) { /* answered without a worker */
        estimate->seconds = 0;
        return OM_OK;
    }
    OM_TRY(om__args_parse(op, &c->params, args, err));
    bool warm = c->cache != NULL ? strcmp(c->cache, "warm") == 0 : session->warm;
    om_cache_mode cache = warm ? OM_CACHE_WARM : OM_CACHE_ROTATE;
    bool is_host = session->device == NULL || strncmp(session->device, "cuda", 4) != 0;
    if (!is_host) /* devices flush by their clock */
        cache = OM_CACHE_WARM;
    OM_TRY(op->describe(args, tensors, err));
    OM_TRY(om__stage_estimate(op, args, cache, (size_t)device->l2_bytes, &estimate->device_bytes,
                              err));
    int64_t once;
    OM_TRY(om__args_memory_bytes(op, args, &once, err));
    estimate->host_bytes = once;
    om_work work = op->work(args, tensors);
    double call = call_seconds(session, work);
    /* Ten rounds are wanted; past four budgets three have to do. */
    double rounds = 11 * call * (double)contenders;
    rounds = fmax(fmin(rounds, 4 * budget), 4 * call * (double)contenders);
    double threads = session->threads > 0 ? session->threads : 1;
    double reference = fmin((work.flops + work.bytes) / (1e9 * threads), 1.5);
    double draw = (double)estimate->device_bytes / (is_host ? 1.5e9 : 1e11);
    estimate->seconds = OM_CASE_OVERHEAD + draw + reference + fmax(1.1 * budget, rounds) + 2 * call;
    int64_t need = estimate->device_bytes + (is_host ? estimate->host_bytes : 0);
    if (device->memory_free_bytes > 0 && cache == OM_CACHE_ROTATE && need > 0) {
        /* Fewer copies do where memory is short; two are the least. */
        int64_t least = 3 * once;
        need = need < least ? need : least;
    }
    if (device->memory_free_bytes > 0 && need > device->memory_free_bytes / 100 * 95)
        snprintf(estimate->impossible, sizeof estimate->impossible,
                 "needs %.1f GiB, %.1f GiB are free", (double)need / 0x1p30,
                 (double)device->memory_free_bytes / 0x1p30);
    return OM_OK;
}
