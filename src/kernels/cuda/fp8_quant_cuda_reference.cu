/* SPDX-License-Identifier: Apache-2.0 */
/* fp8_quant_cuda_reference.cu: the plain device form of fp8_quant that faster kernels are judged
 * by.
 *
 * Shapes     as the contract
 * Layout     nothing kept
 * Schedule   one thread a row
 * Numerics   as the contract, divisions correctly rounded
 * Refuses    nothing
 * Cost       two passes over x by single elements
 */
#include <cuda_fp8.h>

#include "kernels/cuda/kernel_util.cuh"

extern "C" {
#include "opmark/fp8_quant.h"
}

#define THREADS 128

template <typename TYPE>
static __global__ void __launch_bounds__(THREADS) reference(om_fp8_quant_args a, int64_t rows)
{
    int64_t row = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (row >= rows)
        return;
    const TYPE *x = (const TYPE *)a.x + row * a.d;
    float amax = 0;
    for (int64_t i = 0; i < a.d; i++) {
        float value = fabsf(om__to_f32(x[i]));
        if (value > amax || value != value)
            amax = value;
        if (amax != amax)
            break;
    }
    float scale = __fdiv_rn(amax < 1e-4f ? 1e-4f : amax, 448.0f);
    a.scale[row] = scale;
    for (int64_t i = 0; i < a.d; i++)
        ((uint8_t *)a.out)[row * a.d + i] =
            __nv_cvt_float_to_fp8(__fdiv_rn(om__to_f32(x[i]), scale), __NV_SATFINITE, __NV_E4M3);
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
    const om_fp8_quant_args *args = (const om_fp8_quant_args *)arguments;
    int64_t rows = (args->b ? args->b : 1) * args->s * (args->g ? args->g : 1);
    unsigned blocks = (unsigned)om__ceil_div(rows, THREADS);
    (void)workspace;
    if (blocks == 0)
        return OM_OK;
    if (args->dtype == OM_F32)
        reference<float><<<blocks, THREADS, 0, om__stream(env)>>>(*args, rows);
    else if (args->dtype == OM_F16)
        reference<__half><<<blocks, THREADS, 0, om__stream(env)>>>(*args, rows);
    else
        reference<__nv_bfloat16><<<blocks, THREADS, 0, om__stream(env)>>>(*args, rows);
    return om__cuda_launched("the fp8_quant reference", err);
}

extern "C" {
extern const om_kernel om_fp8_quant_cuda_any__reference;
const om_kernel om_fp8_quant_cuda_any__reference = {
    "om_fp8_quant_cuda_any__reference", "fp8_quant", "forward", OM_ISA_DEFAULT, 1, query, run,
};
}
