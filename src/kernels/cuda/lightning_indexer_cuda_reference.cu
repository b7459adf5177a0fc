/* SPDX-License-Identifier: Apache-2.0 */
/* lightning_indexer_cuda_reference.cu: the plain device form of lightning_indexer that faster
 * kernels are judged by.
 *
 * Shapes     as the contract
 * Layout     nothing kept: each logit casts its query and quantises its key again
 * Schedule   one thread a logit
 * Numerics   products and sums in f32 per head (exact products), heads summed in f64
 * Refuses    nothing
 * Cost       2 D H flop a visible pair
 */
#include <cuda_fp8.h>

#include "kernels/cuda/kernel_util.cuh"

extern "C" {
#include "opmark/lightning_indexer.h"
}

#define THREADS 128

static __device__ float code_value(__nv_fp8_storage_t code)
{
    return __half2float(__half(__nv_cvt_fp8_to_halfraw(code, __NV_E4M3)));
}

static __device__ float round_e4m3(float x)
{
    return code_value(__nv_cvt_float_to_fp8(x, __NV_SATFINITE, __NV_E4M3));
}

static __device__ float value_at(const void *array, om_dtype dtype, int64_t i)
{
    if (dtype == OM_E4M3)
        return code_value(((const uint8_t *)array)[i]);
    return __bfloat162float(((const __nv_bfloat16 *)array)[i]);
}

static __global__ void __launch_bounds__(THREADS) reference(om_lightning_indexer_args a)
{
    int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (i >= a.b * a.s * a.n * a.g)
        return;
    int64_t group = i % a.g, n = i / a.g % a.n, s = i / (a.g * a.n) % a.s,
            b = i / (a.g * a.n * a.s);
    if (n < a.ks[s] || n >= a.ke[s]) {
        if (!a.keep_masked)
            a.logits[i] = -INFINITY;
        return;
    }
    const bool codes = a.dtype == OM_E4M3;
    const int64_t key = (b * a.n + n) * a.g + group, heads = a.h / a.g;
    float scale = codes && a.has_k_scale ? a.k_scale[key] : 1.0f;
    if (!codes) {
        float amax = 0;
        for (int64_t d = 0; d < a.d; d++) {
            float x = fabsf(value_at(a.k, a.dtype, key * a.d + d));
            if (x > amax || x != x)
                amax = x;
            if (amax != amax)
                break;
        }
        scale = __fdiv_rn(amax < 1e-4f ? 1e-4f : amax, 448.0f);
    }
    double sum = 0;
    for (int64_t h = group * heads; h < (group + 1) * heads; h++) {
        float product = 0;
        for (int64_t d = 0; d < a.d; d++) {
            float q = value_at(a.q, a.dtype, ((b * a.s + s) * a.h + h) * a.d + d);
            float k = value_at(a.k, a.dtype, key * a.d + d);
            product = codes ? fmaf(q, k, product)
                            : fmaf(round_e4m3(q), round_e4m3(__fdiv_rn(k, scale)), product);
        }
        if (!(product <= 0))
            sum += (double)a.weights[s * a.h + h] * product;
    }
    a.logits[i] = (float)(scale * sum);
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
    om_lightning_indexer_args args = *(const om_lightning_indexer_args *)arguments;
    (void)workspace;
    args.b = args.b ? args.b : 1;
    args.g = args.g ? args.g : 1;
    unsigned blocks = (unsigned)om__ceil_div(args.b * args.s * args.n * args.g, THREADS);
    if (blocks > 0)
        reference<<<blocks, THREADS, 0, om__stream(env)>>>(args);
    return om__cuda_launched("the lightning_indexer reference", err);
}

extern "C" {
extern const om_kernel om_lightning_indexer_cuda_any__reference;
const om_kernel om_lightning_indexer_cuda_any__reference = {
    "om_lightning_indexer_cuda_any__reference",
    "lightning_indexer",
    "forward",
    OM_ISA_DEFAULT,
    1,
    query,
    run,
};
}
