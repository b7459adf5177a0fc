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
#include <string.h>

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
#define LISTS        4         /* runs of a counting sort */
#define STREAM_BYTES (1 << 20) /* an output this large is not read from the cache again */

static om_status query_topk(const om_kernel_env *env, const void *arguments,
                            size_t *workspace_bytes, om_error *err)
{
    const om_moe_topk_args *args = arguments;
    (void)err;
    *workspace_bytes = (size_t)env->threads * om__carved(om__route_scratch_bytes(args->e));
    return OM_OK;
}

typedef struct route_work {
    om__route_fn route;
    const om__routing *routing;
    int64_t tokens;
    char *scratch; /* scratch_bytes for each part */
    size_t scratch_bytes;
} route_work;

static void route_part(const void *opaque, int part, int parts)
{
    const route_work *work = opaque;
    work->route(work->routing, work->tokens * part / parts, work->tokens * (part + 1) / parts,
                (float *)(void *)(work->scratch + (size_t)part * work->scratch_bytes));
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
    const int threads = om__threads_for(
        env, (double)args->t * (double)args->e * (double)(4 + args->k), GRAIN_BYTES);
    om__run_parts(threads, route_part,
                  &(route_work){.route = level->route[args->dtype],
                                .routing = &routing,
                                .tokens = args->t,
                                .scratch = workspace,
                                .scratch_bytes = om__carved(om__route_scratch_bytes(args->e))});
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

typedef struct spread_work {
    const om__moe_level *level;
    const om_moe_permute_args *args;
    int stream;
} spread_work;

/* The rows of some tokens, each to all its slots at once. */
static void spread_part(const void *opaque, int part, int parts)
{
    enum { AT_ONCE = 8 };
    const spread_work *work = opaque;
    const om_moe_permute_args *args = work->args;
    const int64_t first = args->t * part / parts, last = args->t * (part + 1) / parts;
    const int64_t row = args->h * om_dtype_bits(args->dtype) / 8;
    for (int64_t t = first; t < last; t++) {
        const char *from = (const char *)args->hidden + t * row;
        char *to[AT_ONCE];
        int64_t count = 0;
        for (int64_t j = 0; j < args->k; j++) {
            const int32_t slot = args->fwd_idx[t * args->k + j];
            if (slot >= 0)
                to[count++] = (char *)args->perm_h + slot * row;
            if (count == AT_ONCE || (j + 1 == args->k && count > 0)) {
                work->level->spread(to, count, from, row, work->stream);
                count = 0;
            }
        }
    }
    work->level->fence();
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
    (void)workspace;
    om__expert_sort_run(&sort, args->first_token_offset, args->fwd_idx, NULL);
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
    om__run_parts(threads, spread_part,
                  &(spread_work){.level = level, .args = args, .stream = stream});
    return OM_OK;
}

typedef struct sum_work {
    const om__moe_level *level;
    const om_moe_unpermute_args *args;
} sum_work;

static void sum_part(const void *opaque, int part, int parts)
{
    const sum_work *work = opaque;
    const om_moe_unpermute_args *args = work->args;
    const int64_t row = args->h * om_dtype_bits(args->dtype) / 8;
    const int64_t last = args->t * (part + 1) / parts;
    for (int64_t t = args->t * part / parts; t < last; t++) {
        const int32_t *index = args->fwd_idx + t * args->k;
        const om__row_sum sum = {.rows = args->rows,
                                 .h = args->h,
                                 .k = args->k,
                                 .index = index,
                                 .next = t + 1 < last ? index + args->k : NULL,
                                 .weights = args->weights + t * args->k,
                                 .to = (char *)args->out + t * row,
                                 .stream = args->t * row >= STREAM_BYTES};
        work->level->sum_rows[args->dtype](&sum);
    }
    work->level->fence();
}

static om_status run_unpermute(const om__moe_level *level, const om_kernel_env *env,
                               const void *arguments, void *workspace)
{
    const om_moe_unpermute_args *args = arguments;
    const int64_t row = args->h * om_dtype_bits(args->dtype) / 8;
    const double bytes = (double)args->t * (double)(args->k + 1) * (double)row;
    (void)workspace;
    om__run_parts(om__threads_for(env, bytes, GRAIN_BYTES), sum_part,
                  &(sum_work){.level = level, .args = args});
    return OM_OK;
}

static om_status query_align(const om_kernel_env *env, const void *arguments,
                             size_t *workspace_bytes, om_error *err)
{
    const om_moe_permute_align_args *args = arguments;
    (void)env;
    (void)err;
    *workspace_bytes = om__carved((args->e + 1) * LISTS * (int64_t)sizeof(int32_t));
    return OM_OK;
}

static void fill_ids(int32_t *to, int64_t first, int64_t last, int32_t value)
{
    for (int64_t i = first; i < last; i++)
        to[i] = value;
}

/* A counting sort. The choices are cut into LISTS runs that are walked side by side: each has
 * counters of its own, so that an expert that comes several times in a row does not make one
 * addition wait for the last. In the order of the runs the slots of an expert stay ascending. */
typedef struct align_sort {
    const int32_t *ids;
    int64_t count, run; /* choices in all, and in a run; the last may be shorter */
    uint32_t experts;
    int32_t *at; /* [E, LISTS] */
} align_sort;

/* One choice is counted (to NULL) or placed. What is no expert is left out. */
static inline __attribute__((always_inline)) void take_choice(const align_sort *s, int64_t list,
                                                              int64_t i, int32_t *to)
{
    const int64_t choice = list * s->run + i;
    const uint32_t id = (uint32_t)s->ids[choice];
    if (id >= s->experts)
        return;
    int32_t *at = &s->at[id * LISTS + (uint64_t)list];
    if (to != NULL)
        to[*at] = (int32_t)choice;
    ++*at;
}

static inline __attribute__((always_inline)) void take_choices(const align_sort *s, int32_t *to)
{
    const int64_t rest = s->count - (LISTS - 1) * s->run; /* of the last run */
    int64_t i = 0;
    for (; i < rest; i++)
        for (int64_t l = 0; l < LISTS; l++)
            take_choice(s, l, i, to);
    for (; i < s->run; i++)
        for (int64_t l = 0; l < LISTS && l * s->run + i < s->count; l++)
            take_choice(s, l, i, to);
}

/* Counters become the slots that the choices go to; returns the number of slots. */
static int64_t lay_out_experts(const om_moe_permute_align_args *args, int64_t block, int32_t *at)
{
    int64_t slot = 0, blocks = 0;
    for (int64_t e = 0; e < args->e; e++) {
        const int64_t first = slot;
        for (int64_t l = 0; l < LISTS; l++) {
            int32_t size = at[e * LISTS + l];
            at[e * LISTS + l] = (int32_t)slot;
            slot += size;
        }
        const int64_t used = (slot - first + block - 1) / block;
        fill_ids(args->expert_ids, blocks, blocks + used, (int32_t)e);
        slot = first + used * block;
        blocks += used;
    }
    fill_ids(args->expert_ids, blocks,
             (args->t * args->k + (args->e + 1) * (block - 1) + block - 1) / block, -1);
    return slot;
}

static om_status run_align(const om__moe_level *level, const om_kernel_env *env,
                           const void *arguments, void *workspace)
{
    const om_moe_permute_align_args *args = arguments;
    const int64_t count = args->t * args->k, block = args->block_size > 0 ? args->block_size : 64;
    const align_sort sort = {.ids = args->ids,
                             .count = count,
                             .run = (count + LISTS - 1) / LISTS,
                             .experts = (uint32_t)args->e,
                             .at = workspace};
    (void)level;
    (void)env;
    memset(sort.at, 0, (size_t)(args->e * LISTS) * sizeof *sort.at);
    take_choices(&sort, NULL);
    /* In order, which brings the lines into the cache before the choices go anywhere in them. */
    fill_ids(args->sorted_token_ids, 0, count + (args->e + 1) * (block - 1), (int32_t)count);
    args->num_tokens_post_pad[0] = (int32_t)lay_out_experts(args, block, sort.at);
    take_choices(&sort, args->sorted_token_ids);
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
KERNELS(moe_permute, query_nothing, run_permute)
KERNELS(moe_unpermute, query_nothing, run_unpermute)
KERNEL(moe_permute_align, scalar, OM_ISA_SCALAR, query_align, run_align)
