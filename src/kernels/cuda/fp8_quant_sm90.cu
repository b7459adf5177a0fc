/* SPDX-License-Identifier: Apache-2.0 */
/* fp8_quant_sm90.cu: rows of D values to e4m3, each with its own scale.
 *
 * Shapes     x[B,S,G,D] bf16, fp16 or f32 -> out e4m3, scale[B,S,G] f32
 * Layout     groups: 16 bytes of x a lane, D/8 or D/4 lanes a row, so a warp holds whole rows.
 * rows: a warp a row, any D Schedule   groups: one load, the largest value by shuffles inside the
 * group, one store; nothing but the launch and one trip to memory. rows: two passes, the second
 * mostly from cache Numerics   scale = max(amax, 1e-4) / 448 rounded once; x / scale correctly
 * rounded, then to e4m3 to nearest even; NaN makes the row NaN Refuses    groups: rows of other
 * than 2, 4, 8, 16 or 32 times 16 bytes, misaligned tensors Cost       elem + 1 bytes a value; no
 * shared memory, no workspace
 */
#include <cuda_fp8.h>

#include "kernels/cuda/kernel_util.cuh"

extern "C" {
#include "opmark/fp8_quant.h"
}

#define QUANT_THREADS 256

typedef struct quant_problem {
    const uint8_t *x;
    float *scale;
    uint8_t *out;
    int64_t rows;
    int64_t d;
} quant_problem;

/* The larger magnitude, and NaN once there was one: as unsigned bits NaN is above infinity. */
static __device__ __forceinline__ uint32_t magnitude_max(uint32_t amax, float x)
{
    return max(amax, __float_as_uint(x) & 0x7fffffffu);
}

static __device__ __forceinline__ float scale_of(uint32_t amax)
{
    float value = __uint_as_float(amax);
    value = value < 1e-4f ? 1e-4f : value; /* keeps NaN */
    return __fdiv_rn(value, 448.0f);
}

/* Four quotients as e4m3. */
static __device__ __forceinline__ uint32_t quantise4(const float *x, float scale)
{
    uint32_t low = __nv_cvt_float2_to_fp8x2(
        make_float2(__fdiv_rn(x[0], scale), __fdiv_rn(x[1], scale)), __NV_SATFINITE, __NV_E4M3);
    uint32_t high = __nv_cvt_float2_to_fp8x2(
        make_float2(__fdiv_rn(x[2], scale), __fdiv_rn(x[3], scale)), __NV_SATFINITE, __NV_E4M3);
    return low | high << 16;
}

template <typename TYPE, int LANES>
static __global__ void __launch_bounds__(QUANT_THREADS) quant_groups(quant_problem p)
{
    constexpr int N = 16 / sizeof(TYPE);
    const int64_t at = (int64_t)blockIdx.x * QUANT_THREADS + threadIdx.x; /* in units of 16 bytes */
    const bool inside = at < p.rows * LANES; /* a group is inside as a whole */
    union {
        uint4 unit;
        TYPE element[N];
    } v;
    v.unit = make_uint4(0, 0, 0, 0);
    if (inside)
        v.unit = om__load_once((const uint4 *)p.x + at);
    float x[N];
    uint32_t amax = 0;
#pragma unroll
    for (int i = 0; i < N; i++) {
        x[i] = om__to_f32(v.element[i]);
        amax = magnitude_max(amax, x[i]);
    }
#pragma unroll
    for (int d = LANES / 2; d > 0; d >>= 1)
        amax = max(amax, __shfl_xor_sync(OM_FULL_WARP, amax, d));
    float scale = scale_of(amax);
    if (!inside)
        return;
    if (N == 8)
        *((uint2 *)p.out + at) = make_uint2(quantise4(x, scale), quantise4(x + N - 4, scale));
    else
        *((uint32_t *)p.out + at) = quantise4(x, scale);
    if (threadIdx.x % LANES == 0)
        p.scale[at / LANES] = scale;
}

template <typename TYPE>
static __global__ void __launch_bounds__(QUANT_THREADS) quant_rows(quant_problem p)
{
    const int lane = threadIdx.x & 31;
    const int64_t warps = (int64_t)gridDim.x * (QUANT_THREADS / 32);
    for (int64_t row = (int64_t)blockIdx.x * (QUANT_THREADS / 32) + (threadIdx.x >> 5);
         row < p.rows; row += warps) {
        const TYPE *x = (const TYPE *)p.x + row * p.d;
        uint32_t amax = 0;
        for (int64_t i = lane; i < p.d; i += 32)
            amax = magnitude_max(amax, om__to_f32(x[i]));
        amax = __reduce_max_sync(OM_FULL_WARP, amax);
        float scale = scale_of(amax);
        for (int64_t i = lane; i < p.d; i += 32)
            p.out[row * p.d + i] = __nv_cvt_float_to_fp8(__fdiv_rn(om__to_f32(x[i]), scale),
                                                         __NV_SATFINITE, __NV_E4M3);
        if (lane == 0)
            p.scale[row] = scale;
    }
}

/* ---- host side ---- */

static quant_problem problem_of(const om_fp8_quant_args *args)
{
    quant_problem p;
    p.x = (const uint8_t *)args->x;
    p.scale = args->scale;
    p.out = (uint8_t *)args->out;
    p.rows = (args->b ? args->b : 1) * args->s * (args->g ? args->g : 1);
    p.d = args->d;
    return p;
}

static int64_t lanes_of(const om_fp8_quant_args *args)
{
    int64_t bytes = args->d * (om_dtype_bits(args->dtype) / 8);
    return bytes % 16 == 0 ? bytes / 16 : 0;
}

static om_status query_groups(const om_kernel_env *env, const void *arguments,
                              size_t *workspace_bytes, om_error *err)
{
    const om_fp8_quant_args *args = (const om_fp8_quant_args *)arguments;
    int64_t lanes = lanes_of(args);
    (void)env;
    *workspace_bytes = 0;
    if (lanes != 2 && lanes != 4 && lanes != 8 && lanes != 16 && lanes != 32)
        return om__error_set(err, OM_UNSUPPORTED,
                             "rows are not 2, 4, 8, 16 or 32 times 16 bytes long");
    if (!om__is_aligned(args->x, 16) || !om__is_aligned(args->out, 8))
        return om__error_set(err, OM_UNSUPPORTED, "x does not lie on 16 bytes, or out not on 8");
    if (problem_of(args).rows > (int64_t)1 << 31)
        return om__error_set(err, OM_UNSUPPORTED, "more than 2^31 rows");
    return OM_OK;
}

template <typename TYPE>
static void launch_groups(const quant_problem &p, int64_t lanes, cudaStream_t stream)
{
    unsigned blocks = (unsigned)om__ceil_div(p.rows * lanes, QUANT_THREADS);
    switch (lanes) {
    case 2:
        quant_groups<TYPE, 2><<<blocks, QUANT_THREADS, 0, stream>>>(p);
        break;
    case 4:
        quant_groups<TYPE, 4><<<blocks, QUANT_THREADS, 0, stream>>>(p);
        break;
    case 8:
        quant_groups<TYPE, 8><<<blocks, QUANT_THREADS, 0, stream>>>(p);
        break;
    case 16:
        quant_groups<TYPE, 16><<<blocks, QUANT_THREADS, 0, stream>>>(p);
        break;
    default:
        quant_groups<TYPE, 32><<<blocks, QUANT_THREADS, 0, stream>>>(p);
        break;
    }
}

static om_status run_groups(const om_kernel_env *env, const void *arguments, void *workspace,
                            om_error *err)
{
    const om_fp8_quant_args *args = (const om_fp8_quant_args *)arguments;
    quant_problem p = problem_of(args);
    int64_t lanes = lanes_of(args);
    (void)workspace;
    if (p.rows == 0)
        return OM_OK;
    if (args->dtype == OM_F32)
        launch_groups<float>(p, lanes, om__stream(env));
    else if (args->dtype == OM_F16)
        launch_groups<__half>(p, lanes, om__stream(env));
    else
        launch_groups<__nv_bfloat16>(p, lanes, om__stream(env));
    return om__cuda_launched("fp8_quant", err);
}

static om_status query_rows(const om_kernel_env *env, const void *arguments,
                            size_t *workspace_bytes, om_error *err)
{
    (void)env;
    (void)arguments;
    (void)err;
    *workspace_bytes = 0;
    return OM_OK;
}

static om_status run_rows(const om_kernel_env *env, const void *arguments, void *workspace,
                          om_error *err)
{
    const om_fp8_quant_args *args = (const om_fp8_quant_args *)arguments;
    quant_problem p = problem_of(args);
    (void)workspace;
    if (p.rows == 0)
        return OM_OK;
    unsigned blocks =
        (unsigned)om__min_i64(om__ceil_div(p.rows, QUANT_THREADS / 32), (int64_t)env->sm_count * 8);
    if (args->dtype == OM_F32)
        quant_rows<float><<<blocks, QUANT_THREADS, 0, om__stream(env)>>>(p);
    else if (args->dtype == OM_F16)
        quant_rows<__half><<<blocks, QUANT_THREADS, 0, om__stream(env)>>>(p);
    else
        quant_rows<__nv_bfloat16><<<blocks, QUANT_THREADS, 0, om__stream(env)>>>(p);
    return om__cuda_launched("fp8_quant", err);
}

extern "C" {
extern const om_kernel om_fp8_quant_sm90_any__groups;
const om_kernel om_fp8_quant_sm90_any__groups = {
    "om_fp8_quant_sm90_any__groups",
    "fp8_quant",
    "forward",
    OM_ISA_DEFAULT,
    0,
    query_groups,
    run_groups,
};
extern const om_kernel om_fp8_quant_sm90_any__rows;
const om_kernel om_fp8_quant_sm90_any__rows = {
    "om_fp8_quant_sm90_any__rows", "fp8_quant", "forward", OM_ISA_DEFAULT, 0, query_rows, run_rows,
};
}
