/* SPDX-License-Identifier: Apache-2.0 */
/* fp8_quant_sm90.cu: rows of D values to e4m3, each row with a scale of its own.
 *
 * Shapes     x[B,S,G,D] bf16, fp16 or f32 -> out e4m3, scale[B,S,G] f32
 * Layout     groups: 16 bytes of x a lane, so a warp holds one or more whole rows. rows: a warp a
 *            row, any D
 * Schedule   groups: one load, the largest value of the row by shuffles or one reduction, one
 *            store; nothing but the launch and one trip to memory. rows: two passes, the second
 *            mostly from cache
 * Numerics   scale = max(amax, 1e-4) / 448 rounded once; x / scale rounded correctly, then to
 *            e4m3 to nearest even; a NaN makes its row NaN
 * Refuses    groups: rows of other than 2, 4, 8, 16 or 32 times 16 bytes, misaligned tensors
 * Cost       element + 1 bytes a value; no shared memory, no workspace
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
    uint32_t lanes; /* of all rows; groups only */
} quant_problem;

/* The larger magnitude, and NaN once there was one: as unsigned bits NaN is above infinity. */
static __device__ __forceinline__ uint32_t magnitude_max(uint32_t amax, float x)
{
    return max(amax, __float_as_uint(x) & 0x7fffffffu);
}

/* How a row is divided: scale = max(amax, 1e-4) / 448 rounded once, by the product with 1/448 and a
 * correction by its remainder; quotients likewise. The inverse starts from amax beside the scale.
 */
typedef struct division {
    float scale;
    float divisor; /* the scale; 0 where it is infinite and must not meet its inverse of 0 */
    float inverse;
} division;

static __device__ __forceinline__ division division_of(uint32_t amax)
{
    division q;
    amax = max(amax, __float_as_uint(1e-4f)); /* keeps NaN */
    const float value = __uint_as_float(amax);
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(q.inverse) : "f"(value));
    q.inverse *= 448.0f;
    q.scale = value * (1.0f / 448.0f);
    q.scale = fmaf(fmaf(-q.scale, 448.0f, value), 1.0f / 448.0f, q.scale);
    q.divisor = q.scale;
    if (amax == 0x7f800000u) {
        q.scale = value;
        q.divisor = 0.0f;
    }
    q.inverse = fmaf(fmaf(-q.divisor, q.inverse, 1.0f), q.inverse, q.inverse);
    return q;
}

static __device__ __forceinline__ float divide(float x, const division &q)
{
    float u = x * q.inverse;
    return fmaf(fmaf(-u, q.divisor, x), q.inverse, u);
}

/* Four quotients as e4m3. */
static __device__ __forceinline__ uint32_t quantise4(const float *x, const division &q)
{
    uint32_t low = __nv_cvt_float2_to_fp8x2(make_float2(divide(x[0], q), divide(x[1], q)),
                                            __NV_SATFINITE, __NV_E4M3);
    uint32_t high = __nv_cvt_float2_to_fp8x2(make_float2(divide(x[2], q), divide(x[3], q)),
                                             __NV_SATFINITE, __NV_E4M3);
    return low | high << 16;
}

/* The largest magnitude of 16 bytes, as f32 bits; NaN stays. Two-byte types go in pairs. */
static __device__ __forceinline__ uint32_t magnitude_of(const float *, uint4 v)
{
    v.x &= 0x7fffffffu, v.y &= 0x7fffffffu, v.z &= 0x7fffffffu, v.w &= 0x7fffffffu;
    return max(max(v.x, v.y), max(v.z, v.w));
}

static __device__ __forceinline__ uint32_t magnitude_of(const __nv_bfloat16 *, uint4 v)
{
    v.x &= 0x7fff7fffu, v.y &= 0x7fff7fffu, v.z &= 0x7fff7fffu, v.w &= 0x7fff7fffu;
    uint32_t pair = __vmaxu2(__vmaxu2(v.x, v.y), __vmaxu2(v.z, v.w));
    return max(pair << 16, pair & 0xffff0000u);
}

static __device__ __forceinline__ uint32_t magnitude_of(const __half *, uint4 v)
{
    v.x &= 0x7fff7fffu, v.y &= 0x7fff7fffu, v.z &= 0x7fff7fffu, v.w &= 0x7fff7fffu;
    uint32_t pair = __vmaxu2(__vmaxu2(v.x, v.y), __vmaxu2(v.z, v.w));
    uint32_t half = max(pair & 0xffffu, pair >> 16);
    return __float_as_uint(__half2float(__ushort_as_half((unsigned short)half)));
}

/* LANES lanes a row, 16 bytes each. */
template <typename TYPE, int LANES>
static __global__ void __launch_bounds__(QUANT_THREADS) quant_groups(quant_problem p)
{
    constexpr int N = 16 / sizeof(TYPE);
    const uint32_t lane = blockIdx.x * QUANT_THREADS + threadIdx.x;
    const bool inside = lane < p.lanes; /* a group is inside as a whole */
    union {
        uint4 unit;
        TYPE element[N];
    } v;
    v.unit = make_uint4(0, 0, 0, 0);
    if (inside)
        v.unit = om__load_once((const uint4 *)p.x + lane);
    uint32_t amax = magnitude_of((const TYPE *)NULL, v.unit);
    if (LANES == 32) {
        amax = __reduce_max_sync(OM_FULL_WARP, amax);
    } else {
#pragma unroll
        for (int d = LANES / 2; d > 0; d >>= 1)
            amax = max(amax, __shfl_xor_sync(OM_FULL_WARP, amax, d));
    }
    if (!inside)
        return;
    const division q = division_of(amax);
    uint32_t codes[N / 4];
#pragma unroll
    for (int i = 0; i < N; i += 4) {
        float x[4];
#pragma unroll
        for (int j = 0; j < 4; j++)
            x[j] = om__to_f32(v.element[i + j]);
        codes[i / 4] = quantise4(x, q);
    }
    if constexpr (N == 8)
        ((uint2 *)p.out)[lane] = make_uint2(codes[0], codes[1]);
    else
        ((uint32_t *)p.out)[lane] = codes[0];
    if (threadIdx.x % LANES == 0)
        p.scale[lane / LANES] = q.scale;
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
        const division q = division_of(amax);
        for (int64_t i = lane; i < p.d; i += 32)
            p.out[row * p.d + i] =
                __nv_cvt_float_to_fp8(divide(om__to_f32(x[i]), q), __NV_SATFINITE, __NV_E4M3);
        if (lane == 0)
            p.scale[row] = q.scale;
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
    p.lanes = 0;
    return p;
}

/* 16-byte units of a row; 0 where it is not made of such. */
static int64_t units_of(const om_fp8_quant_args *args)
{
    int64_t bytes = args->d * (om_dtype_bits(args->dtype) / 8);
    return bytes % 16 == 0 ? bytes / 16 : 0;
}

static om_status query_groups(const om_kernel_env *env, const void *arguments,
                              size_t *workspace_bytes, om_error *err)
{
    const om_fp8_quant_args *args = (const om_fp8_quant_args *)arguments;
    int64_t units = units_of(args);
    (void)env;
    *workspace_bytes = 0;
    if (units != 2 && units != 4 && units != 8 && units != 16 && units != 32)
        return om__error_set(err, OM_UNSUPPORTED,
                             "rows are not 2, 4, 8, 16 or 32 times 16 bytes long");
    if (!om__is_aligned(args->x, 16) || !om__is_aligned(args->out, 16))
        return om__error_set(err, OM_UNSUPPORTED, "x or out does not lie on 16 bytes");
    if (problem_of(args).rows > ((int64_t)1 << 31) / units)
        return om__error_set(err, OM_UNSUPPORTED, "more than 2^31 units of 16 bytes");
    return OM_OK;
}

template <typename TYPE, int LANES> static void launch_lanes(quant_problem p, cudaStream_t stream)
{
    p.lanes = (uint32_t)(p.rows * LANES);
    unsigned blocks = (unsigned)om__ceil_div(p.lanes, QUANT_THREADS);
    quant_groups<TYPE, LANES><<<blocks, QUANT_THREADS, 0, stream>>>(p);
}

template <typename TYPE>
static void launch_groups(const quant_problem &p, int64_t units, cudaStream_t stream)
{
    switch (units) {
    case 2:
        launch_lanes<TYPE, 2>(p, stream);
        break;
    case 4:
        launch_lanes<TYPE, 4>(p, stream);
        break;
    case 8:
        launch_lanes<TYPE, 8>(p, stream);
        break;
    case 16:
        launch_lanes<TYPE, 16>(p, stream);
        break;
    default:
        launch_lanes<TYPE, 32>(p, stream);
        break;
    }
}

static om_status run_groups(const om_kernel_env *env, const void *arguments, void *workspace,
                            om_error *err)
{
    const om_fp8_quant_args *args = (const om_fp8_quant_args *)arguments;
    quant_problem p = problem_of(args);
    int64_t units = units_of(args);
    (void)workspace;
    if (p.rows == 0)
        return OM_OK;
    if (args->dtype == OM_F32)
        launch_groups<float>(p, units, om__stream(env));
    else if (args->dtype == OM_F16)
        launch_groups<__half>(p, units, om__stream(env));
    else
        launch_groups<__nv_bfloat16>(p, units, om__stream(env));
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
