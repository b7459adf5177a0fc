/* SPDX-License-Identifier: Apache-2.0 */
/* moe_unpermute_cuda_reference.cu: the plain device form of moe_unpermute that faster kernels are
 * judged by.
 *
 * Shapes     as the contract
 * Layout     nothing kept
 * Schedule   one thread an output element
 * Numerics   f64 sums, k ascending, one rounding
 * Refuses    nothing
 * Cost       2TKH flop
 */
#include "kernels/cuda/kernel_util.cuh"

extern "C" {
#include "opmark/moe_unpermute.h"
}

#define THREADS 128

template <typename TYPE>
static __global__ void __launch_bounds__(THREADS) reference(om_moe_unpermute_args a)
{
    int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (i >= a.t * a.h)
        return;
    int64_t token = i / a.h, column = i % a.h;
    double sum = 0;
    for (int64_t k = 0; k < a.k; k++) {
        int64_t slot = a.fwd_idx[token * a.k + k];
        if (slot >= 0)
            sum += (double)a.weights[token * a.k + k] *
                   om__to_f32(((const TYPE *)a.rows)[slot * a.h + column]);
    }
    om__from_f32((TYPE *)a.out + i, (float)sum);
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
    const om_moe_unpermute_args *args = (const om_moe_unpermute_args *)arguments;
    unsigned blocks = (unsigned)om__ceil_div(args->t * args->h, THREADS);
    (void)workspace;
    if (blocks == 0)
        return OM_OK;
    if (args->dtype == OM_F32)
        reference<float><<<blocks, THREADS, 0, om__stream(env)>>>(*args);
    else if (args->dtype == OM_F16)
        reference<__half><<<blocks, THREADS, 0, om__stream(env)>>>(*args);
    else
        reference<__nv_bfloat16><<<blocks, THREADS, 0, om__stream(env)>>>(*args);
    return om__cuda_launched("the moe_unpermute reference", err);
}

extern "C" {
extern const om_kernel om_moe_unpermute_cuda_any__reference;
const om_kernel om_moe_unpermute_cuda_any__reference = {
    "om_moe_unpermute_cuda_any__reference",
    "moe_unpermute",
    "forward",
    OM_ISA_DEFAULT,
    1,
    query,
    run,
};
}
