/* SPDX-License-Identifier: Apache-2.0 */
/* moe_topk_cuda_reference.cu: the plain device form of moe_topk that faster kernels are judged by.
 *
 * Shapes     as the contract; any E and K
 * Layout     nothing kept: every choice looks through the token's row again
 * Schedule   one thread a token
 * Numerics   scores in f64, rounded once to f32; sums in f64
 * Refuses    nothing
 * Cost       2TE(1+K) flop and about as many reads
 */
#include "kernels/cuda/kernel_util.cuh"

extern "C" {
#include "opmark/moe_topk.h"
}

#define THREADS 64

static __device__ float logit_at(const om_moe_topk_args &a, int64_t token, int64_t expert)
{
    int64_t i = token * a.e + expert;
    if (a.dtype == OM_F32)
        return ((const float *)a.gating)[i];
    if (a.dtype == OM_F16)
        return __half2float(((const __half *)a.gating)[i]);
    return __bfloat162float(((const __nv_bfloat16 *)a.gating)[i]);
}

static __device__ float order_value(const om_moe_topk_args &a, int64_t token, int64_t expert)
{
    float logit = logit_at(a, token, expert);
    if (!a.has_bias)
        return logit;
    return (float)(1.0 / (1.0 + exp(-(double)logit))) + a.bias[expert];
}

/* Does (x, i) go before (y, j)? Descending, NaN last, then by number. */
static __device__ bool goes_before(float x, int64_t i, float y, int64_t j)
{
    bool x_nan = x != x, y_nan = y != y;
    if (x_nan != y_nan)
        return y_nan;
    if (!x_nan && x != y)
        return x > y;
    return i < j;
}

static __global__ void __launch_bounds__(THREADS) reference(om_moe_topk_args a)
{
    int64_t token = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (token >= a.t)
        return;
    float *weights = a.weights + token * a.k;
    int32_t *ids = a.ids + token * a.k;
    double best = -INFINITY, sum = 0;
    for (int64_t e = 0; e < a.e; e++)
        best = fmax(best, (double)logit_at(a, token, e));
    for (int64_t e = 0; e < a.e; e++)
        sum += exp((double)logit_at(a, token, e) - best);

    double total = 0;
    float last = 0;
    int64_t last_id = -1;
    for (int64_t k = 0; k < a.k; k++) {
        /* The first of those that go after the last one chosen. */
        int64_t id = -1;
        float value = 0;
        for (int64_t e = 0; e < a.e; e++) {
            float x = order_value(a, token, e);
            if (last_id >= 0 && !goes_before(last, last_id, x, e))
                continue;
            if (id < 0 || goes_before(x, e, value, id)) {
                id = e;
                value = x;
            }
        }
        double logit = logit_at(a, token, id);
        weights[k] = (float)(a.score == OM_MOE_SOFTMAX ? exp(logit - best) / sum
                                                       : 1.0 / (1.0 + exp(-logit)));
        total += weights[k];
        ids[k] = (int32_t)id;
        last = value;
        last_id = id;
    }
    double factor = a.routed_scaling_factor != 0.0 ? a.routed_scaling_factor : 1.0;
    for (int64_t k = 0; k < a.k; k++)
        weights[k] = (float)(weights[k] / (a.renormalize && total != 0 ? total : 1.0) * factor);
}

static om_status query(const om_kernel_env *env, const void *arguments, size_t *workspace_bytes,
                       om_error *err)
{
    (void)env, (void)arguments, (void)err;
    *workspace_bytes = 0;
    return OM_OK;
}

static om_status run(const om_kernel_env *env, const void *arguments, void *workspace,
                     om_error *err)
{
    const om_moe_topk_args *args = (const om_moe_topk_args *)arguments;
    (void)workspace;
    if (args->t == 0)
        return OM_OK;
    reference<<<(unsigned)om__ceil_div(args->t, THREADS), THREADS, 0, om__stream(env)>>>(*args);
    return om__cuda_launched("the moe_topk reference", err);
}

extern "C" {
extern const om_kernel om_moe_topk_cuda_any__reference;
const om_kernel om_moe_topk_cuda_any__reference = {
    "om_moe_topk_cuda_any__reference", "moe_topk", "forward", OM_ISA_DEFAULT, 1, query, run,
};
}
