/* SPDX-License-Identifier: Apache-2.0 */
/* moe_route_fused.c: choosing experts, permuting rows to them and summing rows back; one kernel a
 * level.
 *
 * Shapes    any. Layout: rows packed. Types: bf16, fp16, f32.
 * Schedule  tokens shared between the threads; the sort itself is serial, its two passes are small
 *           against the rows that move.
 * Numerics  scores in f32, sums of weights in f64, sums of rows in f32 in the order of k.
 * Refuses   nothing. Cost: one read and one write of what moves.
 */
#include "base/error.h"
#include "kernels/cpu/expert_sort.h"
#include "kernels/cpu/gemm_product.h"
#include "kernels/cpu/moe_rows.h"
#include "kernels/cpu/parallel.h"
#include "opmark/moe_permute.h"
#include "opmark/moe_permute_align.h"
#include "opmark/moe_topk.h"
#include "opmark/moe_unpermute.h"

#define GRAIN_BYTES  32e3
#define STREAM_BYTES (4 << 20) /* an output this large is not read from the cache again */

static om_status query_topk(const om_kernel_env *env, const void *arguments,
                            size_t *workspace_bytes, om_error *err)
{
    const om_moe_topk_args *args = arguments;
    (void)err;
    *workspace_bytes = (size_t)env->threads * om__carved(om__route_scratch_bytes(args->e));
    return OM_OK;
}

static om_status run_topk(const om__moe_level *level, const om_kernel_env *env,
                          const void *arguments, void *workspace)
{
    const om_moe_topk_args *args = arguments;
    const om__routing routing = {
        .e = args->e,
        .k = args->k,
        .score = args->score,
        .renormalize = args->renormalize,
        .factor = args->routed_scaling_factor == 0 ? 1 : (float)args->routed_scaling_factor,
        .bias = args->has_bias ? args->bias : NULL,
        .gating = args->gating,
        .weights = args->weights,
        .ids = args->ids,
    };
    const size_t scratch = om__carved(om__route_scratch_bytes(args->e));
    const int threads = om__threads_for(
        env, (double)args->t * (double)args->e * (double)(4 + args->k), GRAIN_BYTES);
    (void)threads; /* without OpenMP nothing reads it */
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1)
    for (int part = 0; part < threads; part++)
        level->route[args->dtype](&routing, args->t * part / threads,
                                  args->t * (part + 1) / threads,
                                  (float *)(void *)((char *)workspace + (size_t)part * scratch));
    return OM_OK;
}

static int64_t local_of(const om_moe_permute_args *args)
{
    return args->e_local > 0 ? args->e_local : args->e;
}

static om_status query_nothing(const om_kernel_env *env, const void *arguments,
                               size_t *workspace_bytes, om_error *err)
{
    (void)env;
    (void)arguments;
    (void)err;
    *workspace_bytes = 0;
    return OM_OK;
}

static om_status query_permute(const om_kernel_env *env, const void *arguments,
                               size_t *workspace_bytes, om_error *err)
{
    const om_moe_permute_args *args = arguments;
    (void)env;
    (void)err;
    *workspace_bytes = om__carved(args->t * args->k * (int64_t)sizeof(int32_t));
    return OM_OK;
}

static om_status run_permute(const om__moe_level *level, const om_kernel_env *env,
                             const void *arguments, void *workspace)
{
    const om_moe_permute_args *args = arguments;
    const int64_t local = local_of(args);
    const om__expert_sort sort = {.ids = args->ids,
                                  .count = args->t * args->k,
                                  .e = args->e,
                                  .local = local,
                                  .map = args->has_map ? args->expert_map : NULL};
    int32_t *choice_of = workspace;
    om__expert_sort_run(&sort, args->first_token_offset, args->fwd_idx, choice_of);
    for (int64_t l = 0; l < local; l++) {
        args->offsets[l] = (int32_t)args->first_token_offset[l];
        args->sizes[l] = (int32_t)(args->first_token_offset[l + 1] - args->first_token_offset[l]);
    }
    const int64_t slots = args->first_token_offset[local];
    const int64_t row = args->h * om_dtype_bits(args->dtype) / 8;
    const int stream = slots * row >= STREAM_BYTES;
    const int threads = om__threads_for(env, (double)slots * (double)row, GRAIN_BYTES);
    if (row == 0)
        return OM_OK;
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1)
    for (int part = 0; part < threads; part++) {
        for (int64_t slot = slots * part / threads; slot < slots * (part + 1) / threads; slot++)
            level->copy((char *)args->perm_h + slot * row,
                        (const char *)args->hidden + choice_of[slot] / args->k * row, row, stream);
        level->fence();
    }
    return OM_OK;
}

static om_status run_unpermute(const om__moe_level *level, const om_kernel_env *env,
                               const void *arguments, void *workspace)
{
    const om_moe_unpermute_args *args = arguments;
    const int64_t row = args->h * om_dtype_bits(args->dtype) / 8;
    const int threads =
        om__threads_for(env, (double)args->t * (double)(args->k + 1) * (double)row, GRAIN_BYTES);
    (void)workspace;
    (void)threads; /* without OpenMP nothing reads it */
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1)
    for (int64_t t = 0; t < args->t; t++)
        level->sum_rows[args->dtype](args->rows, args->h, args->fwd_idx + t * args->k,
                                     args->weights + t * args->k, args->k,
                                     (char *)args->out + t * row);
    return OM_OK;
}

static om_status query_align(const om_kernel_env *env, const void *arguments,
                             size_t *workspace_bytes, om_error *err)
{
    const om_moe_permute_align_args *args = arguments;
    (void)env;
    (void)err;
    *workspace_bytes = om__carved((args->e + 1) * (int64_t)sizeof(int64_t)) +
                       om__carved(args->t * args->k * (int64_t)sizeof(int32_t));
    return OM_OK;
}

static om_status run_align(const om__moe_level *level, const om_kernel_env *env,
                           const void *arguments, void *workspace)
{
    const om_moe_permute_align_args *args = arguments;
    const int64_t count = args->t * args->k, block = args->block_size > 0 ? args->block_size : 64;
    const int64_t cap = count + (args->e + 1) * (block - 1);
    const om__expert_sort sort = {.ids = args->ids, .count = count, .e = args->e, .local = args->e};
    char *memory = workspace;
    int64_t *starts = om__carve(&memory, (args->e + 1) * (int64_t)sizeof *starts);
    int32_t *choice_of = om__carve(&memory, count * (int64_t)sizeof *choice_of);
    (void)level;
    (void)env;
    om__expert_sort_run(&sort, starts, NULL, choice_of);
    int64_t at = 0, blocks = 0;
    for (int64_t e = 0; e < args->e; e++) {
        for (int64_t slot = starts[e]; slot < starts[e + 1]; slot++)
            args->sorted_token_ids[at++] = choice_of[slot];
        for (; at % block != 0; at++)
            args->sorted_token_ids[at] = (int32_t)count;
        for (; blocks < at / block; blocks++)
            args->expert_ids[blocks] = (int32_t)e;
    }
    args->num_tokens_post_pad[0] = (int32_t)at;
    for (; at < cap; at++)
        args->sorted_token_ids[at] = (int32_t)count;
    for (; blocks < (cap + block - 1) / block; blocks++)
        args->expert_ids[blocks] = -1;
    return OM_OK;
}

#define KERNEL(NAME, LEVEL, ISA, QUERY, RUN)                                                       \
    static om_status run_##NAME##_##LEVEL(const om_kernel_env *env, const void *args,              \
                                          void *workspace, om_error *err)                          \
    {                                                                                              \
        (void)err;                                                                                 \
        return RUN(&om__moe_##LEVEL, env, args, workspace);                                        \
    }                                                                                              \
    const om_kernel om_##NAME##_##LEVEL##__fused = {                                               \
        .name = "om_" #NAME "_" #LEVEL "__fused",                                                  \
        .op = #NAME,                                                                               \
        .pass = "forward",                                                                         \
        .isa = ISA,                                                                                \
        .query = QUERY,                                                                            \
        .run = run_##NAME##_##LEVEL,                                                               \
    };
#define KERNELS(NAME, QUERY, RUN)                                                                  \
    KERNEL(NAME, scalar, OM_ISA_SCALAR, QUERY, RUN)                                                \
    KERNEL(NAME, avx2, OM_ISA_AVX2, QUERY, RUN)                                                    \
    KERNEL(NAME, avx512, OM_ISA_AVX512, QUERY, RUN)

KERNELS(moe_topk, query_topk, run_topk)
KERNELS(moe_permute, query_permute, run_permute)
KERNELS(moe_unpermute, query_nothing, run_unpermute)
KERNEL(moe_permute_align, scalar, OM_ISA_SCALAR, query_align, run_align)
