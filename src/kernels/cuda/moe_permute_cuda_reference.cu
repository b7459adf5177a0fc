/* SPDX-License-Identifier: Apache-2.0 */
/* moe_permute_cuda_reference.cu: the plain device form of moe_permute that faster kernels are
 * judged by.
 *
 * Shapes     as the contract; any E and H
 * Layout     the outputs themselves carry the counts from launch to launch
 * Schedule   one thread a local expert counts and, after one thread has summed up, walks all ids in
 *            order; then one thread copies each byte pair of the rows
 * Numerics   integers and copies
 * Refuses    nothing
 * Cost       2·E_local·T·K reads; T·K rows read and written
 */
#include "kernels/cuda/kernel_util.cuh"

extern "C" {
#include "opmark/moe_permute.h"
}

#define THREADS 128

/* -1 where another rank owns the choice. */
static __device__ int64_t local_of(const om_moe_permute_args &a, int64_t f)
{
    int64_t id = a.ids[f];
    if (id < 0 || id >= a.e)
        return -1;
    int64_t local = a.has_map ? a.expert_map[id] : id;
    return local >= 0 && local < a.e_local ? local : -1;
}

static __global__ void __launch_bounds__(THREADS) count(om_moe_permute_args a)
{
    int64_t e = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (e >= a.e_local)
        return;
    int32_t n = 0;
    for (int64_t f = 0; f < a.t * a.k; f++)
        n += local_of(a, f) == e;
    a.sizes[e] = n;
}

static __global__ void scan(om_moe_permute_args a)
{
    int32_t first = 0;
    for (int64_t e = 0; e < a.e_local; e++) {
        a.offsets[e] = first;
        a.first_token_offset[e] = first;
        first += a.sizes[e];
    }
    a.first_token_offset[a.e_local] = first;
}

/* Thread e_local handles the choices of other ranks. */
static __global__ void __launch_bounds__(THREADS) place(om_moe_permute_args a)
{
    int64_t e = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (e > a.e_local)
        return;
    int32_t slot = e < a.e_local ? a.offsets[e] : 0;
    for (int64_t f = 0; f < a.t * a.k; f++) {
        int64_t local = local_of(a, f);
        if (e < a.e_local && local == e)
            a.fwd_idx[f] = slot++;
        else if (e == a.e_local && local < 0)
            a.fwd_idx[f] = -1;
    }
}

/* Elements are 2 or 4 bytes: `width` pairs of bytes a row. */
static __global__ void __launch_bounds__(THREADS) copy(om_moe_permute_args a, int64_t width)
{
    int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (i >= a.t * a.k * width)
        return;
    int64_t f = i / width, column = i % width, slot = a.fwd_idx[f];
    if (slot >= 0)
        ((uint16_t *)a.perm_h)[slot * width + column] =
            ((const uint16_t *)a.hidden)[f / a.k * width + column];
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
    om_moe_permute_args args = *(const om_moe_permute_args *)arguments;
    (void)workspace;
    if (args.e_local == 0)
        args.e_local = args.e;
    int64_t width = args.h * (om_dtype_bits(args.dtype) / 16), pairs = args.t * args.k * width;
    cudaStream_t stream = om__stream(env);
    unsigned experts = (unsigned)om__ceil_div(args.e_local + 1, THREADS);
    count<<<experts, THREADS, 0, stream>>>(args);
    scan<<<1, 1, 0, stream>>>(args);
    place<<<experts, THREADS, 0, stream>>>(args);
    if (pairs > 0)
        copy<<<(unsigned)om__ceil_div(pairs, THREADS), THREADS, 0, stream>>>(args, width);
    return om__cuda_launched("the moe_permute reference", err);
}

extern "C" {
extern const om_kernel om_moe_permute_cuda_any__reference;
const om_kernel om_moe_permute_cuda_any__reference = {
    "om_moe_permute_cuda_any__reference", "moe_permute", "forward", OM_ISA_DEFAULT, 1, query, run,
};
}
