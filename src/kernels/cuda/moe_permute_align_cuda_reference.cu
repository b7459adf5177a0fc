/* SPDX-License-Identifier: Apache-2.0 */
/* moe_permute_align_cuda_reference.cu: the plain device form of moe_permute_align that faster
 * kernels are judged by.
 *
 * Shapes     as the contract; any E
 * Layout     workspace: the first slot of each expert, E + 1 words
 * Schedule   one thread for the first slots; then everything is filled, one thread a word; then one
 *            thread an expert walks all ids in order
 * Numerics   integers
 * Refuses    nothing
 * Cost       E·T·K reads
 */
#include "kernels/cuda/kernel_util.cuh"

extern "C" {
#include "opmark/moe_permute_align.h"
}

#define THREADS 128

static __global__ void __launch_bounds__(THREADS)
    count(om_moe_permute_align_args a, int32_t *counts)
{
    int64_t e = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (e >= a.e)
        return;
    int32_t n = 0;
    for (int64_t f = 0; f < a.t * a.k; f++)
        n += a.ids[f] == e;
    counts[e] = n;
}

static __global__ void scan(om_moe_permute_align_args a, int32_t *counts)
{
    int32_t first = 0;
    for (int64_t e = 0; e <= a.e; e++) {
        int32_t n = e < a.e ? counts[e] : 0;
        counts[e] = first;
        first += (int32_t)((n + a.block_size - 1) / a.block_size * a.block_size);
    }
    a.num_tokens_post_pad[0] = first;
}

static __global__ void __launch_bounds__(THREADS)
    fill(om_moe_permute_align_args a, int64_t cap, int64_t blocks)
{
    int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (i < cap)
        a.sorted_token_ids[i] = (int32_t)(a.t * a.k);
    if (i < blocks)
        a.expert_ids[i] = -1;
}

static __global__ void __launch_bounds__(THREADS)
    place(om_moe_permute_align_args a, const int32_t *first)
{
    int64_t e = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (e >= a.e)
        return;
    int32_t slot = first[e];
    for (int64_t f = 0; f < a.t * a.k; f++)
        if (a.ids[f] == e)
            a.sorted_token_ids[slot++] = (int32_t)f;
    for (int64_t s = first[e]; s < first[e + 1]; s += a.block_size)
        a.expert_ids[s / a.block_size] = (int32_t)e;
}

static om_status query(const om_kernel_env *env, const void *arguments, size_t *workspace_bytes,
                       om_error *err)
{
    (void)env, (void)err;
    *workspace_bytes =
        (size_t)(((const om_moe_permute_align_args *)arguments)->e + 1) * sizeof(int32_t);
    return OM_OK;
}

static om_status run(const om_kernel_env *env, const void *arguments, void *workspace,
                     om_error *err)
{
    const om_moe_permute_align_args *args = (const om_moe_permute_align_args *)arguments;
    int64_t cap = args->t * args->k + (args->e + 1) * (args->block_size - 1);
    int64_t blocks = om__ceil_div(cap, args->block_size);
    unsigned experts = (unsigned)om__ceil_div(args->e, THREADS);
    int32_t *first = (int32_t *)workspace;
    cudaStream_t stream = om__stream(env);
    count<<<experts, THREADS, 0, stream>>>(*args, first);
    scan<<<1, 1, 0, stream>>>(*args, first);
    if (cap > 0)
        fill<<<(unsigned)om__ceil_div(cap, THREADS), THREADS, 0, stream>>>(*args, cap, blocks);
    place<<<experts, THREADS, 0, stream>>>(*args, first);
    return om__cuda_launched("the moe_permute_align reference", err);
}

extern "C" {
extern const om_kernel om_moe_permute_align_cuda_i32__reference;
const om_kernel om_moe_permute_align_cuda_i32__reference = {
    "om_moe_permute_align_cuda_i32__reference",
    "moe_permute_align",
    "forward",
    OM_ISA_DEFAULT,
    1,
    query,
    run,
};
}
