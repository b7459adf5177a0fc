/* SPDX-License-Identifier: Apache-2.0 */
/* measure_kernels.cu: flush, clock probe and null kernel of the CUDA clocks. */
#include "bench/cuda/measure_kernels.h"

#include <cuda_runtime.h>

#include "base/error.h"
#include "core/cuda/cuda_status.h"

template <int KIND>
static __global__ void __launch_bounds__(512) flush_l2(uint4 *buffer, size_t count)
{
    size_t step = (size_t)gridDim.x * blockDim.x;
    uint32_t sum = 0;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step) {
        uint4 v = make_uint4(0, 0, 0, 0);
        if (KIND != OM_FLUSH_WRITE)
            v = buffer[i];
        if (KIND == OM_FLUSH_READ) {
            sum += v.x ^ v.y ^ v.z ^ v.w;
        } else {
            v.x += 1;
            buffer[i] = v;
        }
    }
    /* Keeps the loads of the read flush alive; the write it may once do hurts nothing. */
    if (KIND == OM_FLUSH_READ && sum == 0xFFFFFFFFu)
        buffer[0].x = sum;
}

om_status om__flush_launch(void *stream, int sm_count, om_flush_kind kind, void *buffer,
                           size_t bytes, om_error *err)
{
    cudaStream_t s = (cudaStream_t)stream;
    int blocks = sm_count * 4;
    size_t count = bytes / sizeof(uint4);
    if (kind == OM_FLUSH_READ_WRITE)
        flush_l2<OM_FLUSH_READ_WRITE><<<blocks, 512, 0, s>>>((uint4 *)buffer, count);
    else if (kind == OM_FLUSH_WRITE)
        flush_l2<OM_FLUSH_WRITE><<<blocks, 512, 0, s>>>((uint4 *)buffer, count);
    else
        flush_l2<OM_FLUSH_READ><<<blocks, 512, 0, s>>>((uint4 *)buffer, count);
    return om__cuda_launched("flush_l2", err);
}

static __device__ __forceinline__ uint64_t global_ns(void)
{
    uint64_t t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t)::"memory");
    return t;
}

/* The global timer ticks coarsely, so the stretch begins and ends right at a tick. */
static __global__ void __launch_bounds__(32) probe_clock(om_clock_probe *probe)
{
    uint64_t before = global_ns(), begin, now;
    do
        begin = global_ns();
    while (begin == before);
    long long first = clock64();
    do
        now = global_ns();
    while (now - begin < 10000);
    long long last = clock64();
    if (threadIdx.x == 0) {
        probe->cycles = (uint64_t)(last - first);
        probe->ns = now - begin;
    }
}

om_status om__probe_launch(void *stream, om_clock_probe *probe, om_error *err)
{
    probe_clock<<<1, 32, 0, (cudaStream_t)stream>>>(probe);
    return om__cuda_launched("probe_clock", err);
}

static __global__ void do_nothing(void)
{
}

om_status om__null_launch(void *stream, om_error *err)
{
    do_nothing<<<1, 1, 0, (cudaStream_t)stream>>>();
    return om__cuda_launched("do_nothing", err);
}

/* Shaped as PyTorch launches its elementwise kernels: blocks of 128 threads with 8 elements each,
 * whole blocks in vectors, the last one element by element. What such a kernel takes for one
 * element is the floor of an operator. */
#define ADD_EACH  8
#define ADD_BLOCK (ADD_EACH * 128)

static __device__ __forceinline__ void add_rest(float *to, const float *from, float addend,
                                                float factor, int rest)
{
    float v[ADD_EACH];
    int i = threadIdx.x;
#pragma unroll
    for (int j = 0; j < ADD_EACH; j++) {
        if (i < rest) {
            v[j] = from[i];
            i += 128;
        }
    }
#pragma unroll
    for (int j = 0; j < ADD_EACH; j++)
        if ((int)threadIdx.x + j * 128 < rest)
            v[j] += addend * factor;
    i = threadIdx.x;
#pragma unroll
    for (int j = 0; j < ADD_EACH; j++) {
        if (i < rest) {
            to[i] = v[j];
            i += 128;
        }
    }
}

static __global__ void __launch_bounds__(128)
    add_scaled(float *to, const float *from, float addend, float factor, int count)
{
    const int rest = count - (int)blockIdx.x * ADD_BLOCK;
    to += (int64_t)blockIdx.x * ADD_BLOCK;
    from += (int64_t)blockIdx.x * ADD_BLOCK;
    if (rest < ADD_BLOCK) {
        add_rest(to, from, addend, factor, rest);
        return;
    }
    float4 v[ADD_EACH / 4];
#pragma unroll
    for (int j = 0; j < ADD_EACH / 4; j++)
        v[j] = ((const float4 *)from)[threadIdx.x + j * 128];
#pragma unroll
    for (int j = 0; j < ADD_EACH / 4; j++) {
        v[j].x += addend * factor;
        v[j].y += addend * factor;
        v[j].z += addend * factor;
        v[j].w += addend * factor;
        ((float4 *)to)[threadIdx.x + j * 128] = v[j];
    }
}

om_status om__add_one_launch(void *stream, float *elements, om_error *err)
{
    add_scaled<<<1, 128, 0, (cudaStream_t)stream>>>(elements, elements, 1.0f, 1.0f, 1);
    return om__cuda_launched("add_scaled", err);
}
