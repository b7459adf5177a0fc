/* SPDX-License-Identifier: Apache-2.0 */
/* moe_experts_blocked.c: whole mixture-of-experts layers: experts, fused_moe, shared_fused_moe.
 *
 * Shapes    any. Layout: weights [E,2F,H] and [E,H,F]. Types: bf16, fp16.
 * Schedule  tokens are sorted by expert as indices only; gate and up read their rows through the
 *           index; the results of down are summed token by token in the order of k. The shared
 *           expert is one more product of each list and one more row of each sum.
 * Numerics  f32 sums; gate·up and down stay f32, but for bf16 pairs, where they are rounded.
 * Refuses   nothing.
 * Cost      scratch of T·K·(F+H) elements.
 */
#include "kernels/cpu/expert_sort.h"
#include "kernels/cpu/moe_items.h"
#include "kernels/cpu/moe_rows.h"
#include "kernels/cpu/parallel.h"
#include "opmark/fused_moe.h"
#include "opmark/moe_experts.h"

#define GRAIN_BYTES 32e3

/* A layer, however it was asked for. */
typedef struct layer {
    int64_t t, h, f, e, k, local;
    int64_t fs; /* F of the shared expert; 0: none */
    om_dtype dtype;
    const void *hidden, *w_gate_up, *w_down, *shared_gate_up, *shared_down;
    const float *weights;
    const int32_t *ids, *map;
    void *out;
    int routes; /* weights and ids are found first */
    om__routing routing;
} layer;

/* The pieces of the workspace. */
typedef struct scratch {
    int64_t *starts;
    int32_t *slot_of, *choice_of, *token_of;
    om__gemm_item *gate_up_items, *down_items;
    char *gated, *shared_gated, *rows; /* rows: of down; those of the shared expert last */
    float *weights;                    /* [T, K or K + 1] */
    int32_t *ids;
    int32_t *index; /* [T, K + 1]: the rows of each sum */
    char *route, *rest;
} scratch;

/* The type between the products: what the tiles read where it lies. */
static om_dtype middle_of(const om__gemm_level *level, const layer *l)
{
    return level->direct == l->dtype ? l->dtype : OM_F32;
}

static int64_t sums_of(const layer *l)
{
    return l->k + (l->fs > 0);
}

/* Cuts memory into pieces; with memory NULL the return value is their size. */
static size_t lay_out(const om__gemm_level *level, const layer *l, int threads, char *memory,
                      scratch *s)
{
    char *at = memory;
    const int64_t choices = l->t * l->k, bytes = om_dtype_bits(middle_of(level, l)) / 8;
    const int64_t items = (l->local + 1) * (int64_t)sizeof(om__gemm_item);
    s->starts = om__carve(&at, (l->local + 1) * 8);
    s->slot_of = om__carve(&at, choices * 4);
    s->choice_of = om__carve(&at, choices * 4);
    s->token_of = om__carve(&at, choices * 4);
    s->gate_up_items = om__carve(&at, items);
    s->down_items = om__carve(&at, items);
    s->gated = om__carve(&at, choices * l->f * bytes);
    s->shared_gated = om__carve(&at, l->t * l->fs * bytes);
    s->rows = om__carve(&at, (choices + (l->fs > 0 ? l->t : 0)) * l->h * bytes);
    s->weights = om__carve(&at, l->t * sums_of(l) * 4 + choices * 4);
    s->ids = om__carve(&at, choices * 4);
    s->index = om__carve(&at, l->t * sums_of(l) * 4);
    s->route = om__carve(
        &at, l->routes ? threads * (int64_t)om__carved(om__route_scratch_bytes(l->e)) : 0);
    s->rest = at;
    return (size_t)((uintptr_t)at - (uintptr_t)memory);
}

static om__product down_product(const om__gemm_level *level, const layer *l, int64_t rows)
{
    const int64_t most_k = l->f > l->fs ? l->f : l->fs;
    return (om__product){
        .a = middle_of(level, l),
        .b = l->dtype,
        .d = middle_of(level, l),
        .items = l->local + 1,
        .rows = rows,
        .most_k = most_k,
        .odd_k = l->f % 2 != 0 || l->fs % 2 != 0,
    };
}

static om_status query_layer(const om__gemm_level *level, const om_kernel_env *env, const layer *l,
                             size_t *workspace_bytes, om_error *err)
{
    scratch s;
    size_t first = 0, second = 0, third = 0;
    om__product gate_up = om__gate_up_product(level, l->dtype, middle_of(level, l), 0, l->local + 1,
                                              l->t * l->k, l->f, l->h);
    om__product shared =
        om__gate_up_product(level, l->dtype, middle_of(level, l), 0, 1, l->t, l->fs, l->h);
    om__product down = down_product(level, l, l->t * sums_of(l));
    OM_TRY(om__product_query(level, env, &gate_up, &first, err));
    OM_TRY(om__product_query(level, env, &shared, &second, err));
    OM_TRY(om__product_query(level, env, &down, &third, err));
    first = first > second ? first : second;
    *workspace_bytes =
        lay_out(level, l, env->threads, NULL, &s) + (first > third ? first : third) + 64;
    return OM_OK;
}

static const om__moe_level *rows_of(const om__gemm_level *level)
{
    return level->isa == OM_ISA_SCALAR ? &om__moe_scalar
           : level->isa == OM_ISA_AVX2 ? &om__moe_avx2
                                       : &om__moe_avx512;
}

static void route(const om__gemm_level *level, const om_kernel_env *env, layer *l, scratch *s)
{
    l->routing.weights = s->weights + l->t * sums_of(l);
    l->routing.ids = s->ids;
    l->weights = l->routing.weights;
    l->ids = s->ids;
    const size_t step = om__carved(om__route_scratch_bytes(l->e));
    const int threads =
        om__threads_for(env, (double)l->t * (double)l->e * (double)(4 + l->k), GRAIN_BYTES);
    (void)threads; /* without OpenMP nothing reads it */
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1)
    for (int part = 0; part < threads; part++)
        rows_of(level)->route[OM_F32](&l->routing, l->t * part / threads,
                                      l->t * (part + 1) / threads,
                                      (float *)(void *)(s->route + (size_t)part * step));
}

static void multiply(const om__gemm_level *level, const om_kernel_env *env, const layer *l,
                     scratch *s)
{
    const int64_t bytes = om_dtype_bits(l->dtype) / 8, choices = l->t * l->k;
    const int64_t middle = om_dtype_bits(middle_of(level, l)) / 8;
    om__product gate_up =
        om__gate_up_product(level, l->dtype, middle_of(level, l), 0, l->local, choices, l->f, l->h);
    om__product down = down_product(level, l, l->t * sums_of(l));
    for (int64_t e = 0; e < l->local; e++) {
        const int64_t first = s->starts[e], rows = s->starts[e + 1] - first;
        char *gated = s->gated + first * l->f * middle;
        s->gate_up_items[e] =
            om__gate_up_item(level, l->f, l->h, rows, l->hidden, s->token_of + first,
                             (const char *)l->w_gate_up + e * 2 * l->f * l->h * bytes, gated);
        s->down_items[e] = (om__gemm_item){
            .m = rows,
            .n = l->h,
            .k = l->f,
            .a = {.data = gated, .stride = l->f},
            .b = {.data = (const char *)l->w_down + e * l->h * l->f * bytes, .stride = l->f},
            .d = s->rows + first * l->h * middle,
            .d_stride = l->h,
        };
    }
    s->down_items[l->local] = (om__gemm_item){0};
    om__product_run(level, env, &gate_up, s->gate_up_items, s->rest);
    if (l->fs > 0) {
        om__product shared =
            om__gate_up_product(level, l->dtype, middle_of(level, l), 0, 1, l->t, l->fs, l->h);
        om__gemm_item item = om__gate_up_item(level, l->fs, l->h, l->t, l->hidden, NULL,
                                              l->shared_gate_up, s->shared_gated);
        om__product_run(level, env, &shared, &item, s->rest);
        s->down_items[l->local] = (om__gemm_item){
            .m = l->t,
            .n = l->h,
            .k = l->fs,
            .a = {.data = s->shared_gated, .stride = l->fs},
            .b = {.data = l->shared_down, .stride = l->fs},
            .d = s->rows + choices * l->h * middle,
            .d_stride = l->h,
        };
    }
    om__product_run(level, env, &down, s->down_items, s->rest);
}

static void sum_tokens(const om__gemm_level *level, const om_kernel_env *env, const layer *l,
                       scratch *s)
{
    const int64_t sums = sums_of(l), row = l->h * om_dtype_bits(l->dtype) / 8;
    const om__moe_level *by = rows_of(level);
    const om__sum_rows_fn sum =
        middle_of(level, l) == l->dtype ? by->sum_rows[l->dtype] : by->sum_wide_rows[l->dtype];
    const int threads =
        om__threads_for(env, (double)l->t * (double)(sums + 1) * (double)row, GRAIN_BYTES);
    (void)threads; /* without OpenMP nothing reads it */
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1)
    for (int64_t t = 0; t < l->t; t++) {
        int32_t *index = s->index + t * sums;
        float *weights = s->weights + t * sums;
        for (int64_t j = 0; j < l->k; j++) {
            index[j] = s->slot_of[t * l->k + j];
            weights[j] = l->weights[t * l->k + j];
        }
        if (l->fs > 0) {
            index[l->k] = (int32_t)(l->t * l->k + t);
            weights[l->k] = 1;
        }
        const om__row_sum one = {.rows = s->rows,
                                 .h = l->h,
                                 .k = sums,
                                 .index = index,
                                 .weights = weights,
                                 .to = (char *)l->out + t * row};
        sum(&one);
    }
}

static om_status run_layer(const om__gemm_level *level, const om_kernel_env *env, layer *l,
                           void *workspace)
{
    scratch s;
    lay_out(level, l, env->threads, workspace, &s);
    if (l->routes)
        route(level, env, l, &s);
    const om__expert_sort sort = {
        .ids = l->ids, .count = l->t * l->k, .e = l->e, .local = l->local, .map = l->map};
    om__expert_sort_run(&sort, s.starts, s.slot_of, s.choice_of);
    for (int64_t slot = 0; slot < s.starts[l->local]; slot++)
        s.token_of[slot] = (int32_t)(s.choice_of[slot] / l->k);
    multiply(level, env, l, &s);
    sum_tokens(level, env, l, &s);
    return OM_OK;
}

static layer experts_layer(const void *arguments)
{
    const om_moe_experts_args *args = arguments;
    return (layer){
        .t = args->t,
        .h = args->h,
        .f = args->f,
        .e = args->e,
        .k = args->k,
        .local = args->e_local > 0 ? args->e_local : args->e,
        .dtype = args->dtype,
        .hidden = args->hidden,
        .w_gate_up = args->w_gate_up,
        .w_down = args->w_down,
        .weights = args->weights,
        .ids = args->ids,
        .map = args->has_map ? args->expert_map : NULL,
        .out = args->out,
    };
}

#define ROUTED_LAYER                                                                               \
    {                                                                                              \
        .t = args->t, .h = args->h, .f = args->f, .e = args->e, .k = args->k, .local = args->e,    \
        .dtype = args->dtype, .hidden = args->hidden, .w_gate_up = args->w_gate_up,                \
        .w_down = args->w_down, .out = args->out, .routes = 1,                                     \
        .routing = {                                                                               \
            .e = args->e,                                                                          \
            .k = args->k,                                                                          \
            .score = args->score,                                                                  \
            .renormalize = args->renormalize,                                                      \
            .factor = args->routed_scaling_factor == 0 ? 1 : (float)args->routed_scaling_factor,   \
            .bias = args->has_bias ? args->bias : NULL,                                            \
            .gating = args->gating,                                                                \
        },                                                                                         \
    }

static layer fused_layer(const void *arguments)
{
    const om_fused_moe_args *args = arguments;
    return (layer)ROUTED_LAYER;
}

static layer shared_layer(const void *arguments)
{
    const om_shared_fused_moe_args *args = arguments;
    layer l = ROUTED_LAYER;
    l.fs = args->fs;
    l.shared_gate_up = args->shared_w_gate_up;
    l.shared_down = args->shared_w_down;
    return l;
}

#define LAYER(NAME)                                                                                \
    static om_status query_##NAME(const om__gemm_level *level, const om_kernel_env *env,           \
                                  const void *args, size_t *workspace_bytes, om_error *err)        \
    {                                                                                              \
        layer l = NAME##_layer(args);                                                              \
        return query_layer(level, env, &l, workspace_bytes, err);                                  \
    }                                                                                              \
    static om_status run_##NAME(const om__gemm_level *level, const om_kernel_env *env,             \
                                const void *args, void *workspace, om_error *err)                  \
    {                                                                                              \
        layer l = NAME##_layer(args);                                                              \
        (void)err;                                                                                 \
        return run_layer(level, env, &l, workspace);                                               \
    }
LAYER(experts)
LAYER(fused)
LAYER(shared)

OM_PRODUCT_KERNELS(moe_experts, "moe_experts", "forward", query_experts, run_experts)
OM_PRODUCT_KERNELS(fused_moe, "fused_moe", "forward", query_fused, run_fused)
OM_PRODUCT_KERNELS(shared_fused_moe, "shared_fused_moe", "forward", query_shared, run_shared)
