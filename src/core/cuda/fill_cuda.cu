/* SPDX-License-Identifier: Apache-2.0 */
/* fill_cuda.cu: the counter-based fill of fill.h as device kernels, bit for bit as on the host.
 *
 * Every element depends on its own index alone, so one thread draws one element (one row of IDS,
 * one byte of nibbles). Products and sums are written as explicitly rounded operations: a fused
 * multiply-add would give other bits than the host.
 */
#include "core/cuda/fill_cuda.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_runtime.h>

#include "base/error.h"
#include "core/cuda/cuda_status.h"

typedef struct draw_plan {
    uint64_t seed;
    uint32_t tensor;
    om_fill_kind kind;
    float factor;         /* NORMAL and UNIFORM */
    float low;            /* UNIFORM */
    int64_t first, range; /* INTEGER */
} draw_plan;

static __device__ __forceinline__ uint64_t draw_bits(uint64_t seed, uint32_t tensor, uint64_t index)
{
    uint64_t z = seed * 0x9E3779B97F4A7C15u + (uint64_t)tensor * 0xD1B54A32D192ED03u +
                 index * 0x8CB92BA72F3D8DD7u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static __device__ __forceinline__ int64_t draw_integer(uint64_t bits, int64_t first, uint64_t range)
{
    return first + (int64_t)(((bits >> 32) * range) >> 32);
}

static __device__ __forceinline__ float draw_float(const draw_plan &plan, uint64_t bits)
{
    if (plan.kind == OM_FILL_NORMAL) {
        int sum = (int)(bits & 0xFFFF) + (int)(bits >> 16 & 0xFFFF) + (int)(bits >> 32 & 0xFFFF) +
                  (int)(bits >> 48) - 131070;
        return __fmul_rn((float)sum, plan.factor);
    }
    if (plan.kind == OM_FILL_UNIFORM)
        return __fadd_rn(plan.low, __fmul_rn((float)(uint32_t)(bits >> 40), plan.factor));
    return __ll2float_rn(draw_integer(bits, plan.first, (uint64_t)plan.range));
}

static __device__ __forceinline__ void store(void *to, om_dtype dtype, int64_t index, float value)
{
    switch (dtype) {
    case OM_F32:
        ((float *)to)[index] = value;
        break;
    case OM_BF16:
        ((__nv_bfloat16 *)to)[index] = __float2bfloat16_rn(value);
        break;
    case OM_F16:
        ((__half *)to)[index] = __float2half_rn(value);
        break;
    case OM_E4M3:
        ((__nv_fp8_storage_t *)to)[index] = __nv_cvt_float_to_fp8(value, __NV_SATFINITE, __NV_E4M3);
        break;
    default:
        ((__nv_fp8_storage_t *)to)[index] = __nv_cvt_float_to_fp8(value, __NV_SATFINITE, __NV_E5M2);
        break;
    }
}

template <int DTYPE> static __global__ void fill_floats(void *to, int64_t count, draw_plan plan)
{
    int64_t step = (int64_t)gridDim.x * blockDim.x;
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step)
        store(to, (om_dtype)DTYPE, i, draw_float(plan, draw_bits(plan.seed, plan.tensor, i)));
}

static __device__ __forceinline__ int64_t clamp(int64_t value, int64_t low, int64_t high)
{
    return value < low ? low : value > high ? high : value;
}

template <int DTYPE> static __global__ void fill_integers(void *to, int64_t count, draw_plan plan)
{
    int64_t step = (int64_t)gridDim.x * blockDim.x;
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step) {
        uint64_t bits = draw_bits(plan.seed, plan.tensor, i);
        int64_t value = draw_integer(bits, plan.first, (uint64_t)plan.range);
        if (DTYPE == OM_U8)
            ((uint8_t *)to)[i] = (uint8_t)clamp(value, 0, 255);
        else if (DTYPE == OM_I32)
            ((int32_t *)to)[i] = (int32_t)clamp(value, INT32_MIN, INT32_MAX);
        else
            ((int64_t *)to)[i] = value;
    }
}

static __global__ void fill_nibbles(uint8_t *to, int64_t count, draw_plan plan)
{
    int64_t step = (int64_t)gridDim.x * blockDim.x;
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; 2 * i < count; i += step) {
        uint64_t range = (uint64_t)plan.range;
        uint64_t even = draw_bits(plan.seed, plan.tensor, 2 * i);
        unsigned low = (unsigned)clamp(draw_integer(even, plan.first, range), 0, 15), high;
        if (2 * i + 1 < count) {
            uint64_t odd = draw_bits(plan.seed, plan.tensor, 2 * i + 1);
            high = (unsigned)clamp(draw_integer(odd, plan.first, range), 0, 15);
        } else {
            high = to[i] >> 4; /* past the end: keeps what it has */
        }
        to[i] = (uint8_t)(low | high << 4);
    }
}

/* Floyd's sampling without repetition, as on the host: draw j comes from 0..n−columns+j, and a
 * repeated one is replaced by that upper end; the low half of the same number places it. */
static __global__ void fill_ids(int32_t *to, int64_t rows, int64_t columns, int64_t n,
                                draw_plan plan)
{
    int64_t step = (int64_t)gridDim.x * blockDim.x;
    for (int64_t row = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; row < rows; row += step) {
        int32_t *ids = to + row * columns;
        for (int64_t j = 0; j < columns; j++) {
            uint64_t bits = draw_bits(plan.seed, plan.tensor, row * columns + j);
            int64_t top = n - columns + j;
            int32_t id = (int32_t)draw_integer(bits, 0, (uint64_t)top + 1);
            for (int64_t i = 0; i < j; i++)
                if (ids[i] == id) {
                    id = (int32_t)top;
                    break;
                }
            int64_t other = (int64_t)(((bits & 0xFFFFFFFFu) * (uint64_t)(j + 1)) >> 32);
            ids[j] = id;
            ids[j] = ids[other];
            ids[other] = id;
        }
    }
}

typedef void (*fill_kernel)(void *to, int64_t count, draw_plan plan);

static fill_kernel kernel_for(om_dtype dtype)
{
    switch (dtype) {
    case OM_F32:
        return fill_floats<OM_F32>;
    case OM_BF16:
        return fill_floats<OM_BF16>;
    case OM_F16:
        return fill_floats<OM_F16>;
    case OM_E4M3:
        return fill_floats<OM_E4M3>;
    case OM_E5M2:
        return fill_floats<OM_E5M2>;
    case OM_U8:
        return fill_integers<OM_U8>;
    case OM_I32:
        return fill_integers<OM_I32>;
    case OM_I64:
        return fill_integers<OM_I64>;
    default:
        return NULL;
    }
}

static om_status launch_ids(cudaStream_t stream, int blocks, const om_fill *fill,
                            const draw_plan *plan, om_tensor *tensor, om_error *err)
{
    int64_t n = (int64_t)fill->high + 1, count = om_tensor_count(tensor);
    if (tensor->dtype != OM_I32)
        return om__error_set(err, OM_INVALID, "ids are drawn as i32, not %s",
                             om_dtype_name(tensor->dtype));
    if (fill->columns < 1 || fill->columns > n || n > INT32_MAX || count % fill->columns != 0)
        return om__error_set(err, OM_INVALID, "cannot draw rows of %lld distinct ids out of %lld",
                             (long long)fill->columns, (long long)n);
    fill_ids<<<blocks, 256, 0, stream>>>((int32_t *)tensor->data, count / fill->columns,
                                         fill->columns, n, *plan);
    return om__cuda_launched("fill_ids", err);
}

om_status om__cuda_fill_launch(void *stream, int sm_count, const om_fill *fill, om_tensor *tensor,
                               om_error *err)
{
    cudaStream_t s = (cudaStream_t)stream;
    int64_t count = om_tensor_count(tensor), blocks = (count + 255) / 256;
    draw_plan plan;

    if (fill->kind == OM_FILL_NONE || count == 0)
        return OM_OK;
    if (fill->kind == OM_FILL_HOST)
        return om__error_set(err, OM_INTERNAL, "a host-drawn tensor has no counter-based fill");
    if (blocks > (int64_t)sm_count * 8)
        blocks = (int64_t)sm_count * 8;
    plan.seed = fill->seed;
    plan.tensor = fill->tensor;
    plan.kind = fill->kind;
    plan.low = (float)fill->low;
    plan.factor = fill->kind == OM_FILL_NORMAL ? (float)(fill->scale / 37837.0)
                                               : (float)((fill->high - fill->low) / 16777216);
    plan.first = (int64_t)fill->low;
    plan.range = (int64_t)((uint64_t)((int64_t)fill->high - (int64_t)fill->low) + 1);
    if (fill->kind == OM_FILL_IDS)
        return launch_ids(s, (int)blocks, fill, &plan, tensor, err);
    if (fill->kind != OM_FILL_INTEGER && !om_dtype_is_float(tensor->dtype))
        return om__error_set(err, OM_INVALID, "a %s tensor can only be drawn as integers",
                             om_dtype_name(tensor->dtype));
    if (tensor->dtype == OM_U4X2) {
        fill_nibbles<<<(int)blocks, 256, 0, s>>>((uint8_t *)tensor->data, count, plan);
        return om__cuda_launched("fill_nibbles", err);
    }
    fill_kernel kernel = kernel_for(tensor->dtype);
    if (kernel == NULL)
        return om__error_set(err, OM_INVALID, "cannot draw a tensor of type %s",
                             om_dtype_name(tensor->dtype));
    kernel<<<(int)blocks, 256, 0, s>>>(tensor->data, count, plan);
    return om__cuda_launched("fill", err);
}
