/* SPDX-License-Identifier: Apache-2.0 */
/* lightning_indexer_blocked.c: scores of queries against the keys of their windows, on the tiles of
 * the GEMM core.
 *
 * Shapes    any. Layout: as the contract. Types: bf16 (quantised first) and e4m3.
 * Schedule  a task is some queries with all their heads, widened once, which walk the keys 64 at a
 *           time; key blocks that none of them sees are not read.
 * Numerics  e4m3 products are exact in bf16 and f32; f32 sums, heads in order. Refuses: nothing.
 * Cost      keys are packed once a task.
 */
#include <math.h>
#include <string.h>

#include "kernels/cpu/attention_rows.h"
#include "kernels/cpu/cast_run.h"
#include "kernels/cpu/gemm_product.h"
#include "kernels/cpu/norm_rows.h"
#include "kernels/cpu/parallel.h"
#include "opmark/lightning_indexer.h"

#define TASK_ROWS  512 /* heads of queries in a task, about */
#define KEYS       64
#define FLOP_GRAIN 1e6

typedef struct shape {
    int64_t b, s, n, h, g, d, heads; /* heads: of a group */
    int64_t queries;                 /* of a task */
    int64_t row_bytes;               /* of a widened row of q */
    int64_t steps;                   /* of a tile */
} shape;

typedef struct operands {
    const uint8_t *q, *k; /* e4m3 */
    const float *factor;  /* of each key; NULL: 1 */
} operands;

static shape shape_of(const om__gemm_level *level, const om_lightning_indexer_args *args)
{
    shape z = {.b = args->b > 0 ? args->b : 1, .s = args->s, .n = args->n, .h = args->h};
    z.g = args->g > 0 ? args->g : 1;
    z.d = args->d;
    z.heads = z.h / z.g;
    z.queries = z.h < TASK_ROWS ? TASK_ROWS / z.h : 1;
    z.steps = level->tiles->pairs ? (z.d + 1) / 2 : z.d;
    z.row_bytes = (z.steps * 4 + 63) / 64 * 64 + 64;
    return z;
}

/* Codes of q and k and scales of k, where they are found first. */
static size_t code_bytes(const shape *z, const om_lightning_indexer_args *args)
{
    if (args->dtype != OM_BF16)
        return 0;
    return om__carved(z->b * z->s * z->h * z->d) + om__carved(z->b * z->n * z->g * z->d) +
           om__carved(z->b * z->n * z->g * 4);
}

static size_t task_bytes(const shape *z)
{
    return om__carved(z->queries * z->h * z->row_bytes) + om__carved(z->steps * KEYS * 4) +
           om__carved(OM_TILE_ROWS * KEYS * 4);
}

static om_status query(const om__gemm_level *level, const om_kernel_env *env, const void *arguments,
                       size_t *workspace_bytes, om_error *err)
{
    const shape z = shape_of(level, arguments);
    if (env->isa < level->isa)
        return om__error_set(err, OM_UNSUPPORTED, "needs %s", om__isa_name(level->isa));
    if (level->tiles->pairs && !om__cpu_info_get()->has_avx512_bf16)
        return om__error_set(err, OM_UNSUPPORTED, "needs AVX512-BF16");
    *workspace_bytes = code_bytes(&z, arguments) + (size_t)env->threads * task_bytes(&z);
    return OM_OK;
}

static operands quantise(const om__gemm_level *level, const om_kernel_env *env, const shape *z,
                         const om_lightning_indexer_args *args, char **memory)
{
    if (args->dtype != OM_BF16)
        return (operands){
            .q = args->q, .k = args->k, .factor = args->has_k_scale ? args->k_scale : NULL};
    const om__cast_level *casts = level->isa == OM_ISA_SCALAR ? &om__cast_scalar
                                  : level->isa == OM_ISA_AVX2 ? &om__cast_avx2
                                                              : &om__cast_avx512;
    const om__norm_level *norms = level->isa == OM_ISA_SCALAR ? &om__norm_scalar
                                  : level->isa == OM_ISA_AVX2 ? &om__norm_avx2
                                                              : &om__norm_avx512;
    const int64_t rows = z->b * z->n * z->g;
    uint8_t *q = om__carve(memory, z->b * z->s * z->h * z->d);
    uint8_t *k = om__carve(memory, rows * z->d);
    float *factor = om__carve(memory, rows * 4);
    float one = 1, amax;
    om__cast_call call = {.x = args->q,
                          .y = q,
                          .count = z->b * z->s * z->h * z->d,
                          .from = OM_BF16,
                          .to = OM_E4M3,
                          .scale = &one,
                          .amax = &amax};
    om__cast_all(casts, env, &call);
    const int threads = om__threads_for(env, (double)rows * (double)z->d, 5e4);
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1)
    for (int part = 0; part < threads; part++) {
        const int64_t first = rows * part / threads, last = rows * (part + 1) / threads;
        norms->quantise[OM_BF16]((const uint16_t *)args->k + first * z->d, last - first, z->d,
                                 factor + first, k + first * z->d);
    }
    return (operands){.q = q, .k = k, .factor = factor};
}

static const om__attention_level *rows_of(const om__gemm_level *level)
{
    return level->isa == OM_ISA_SCALAR ? &om__attention_scalar
           : level->isa == OM_ISA_AVX2 ? &om__attention_avx2
                                       : &om__attention_avx512;
}

typedef struct task {
    const om__gemm_level *level;
    const shape *z;
    const om_lightning_indexer_args *args;
    const operands *o;
    int64_t b, first, last; /* queries */
    char *q;                /* widened rows of all heads of the queries */
    char *keys;             /* a packed block */
    float *products;
} task;

static void window(const task *t, int64_t s, int64_t *from, int64_t *to)
{
    *from = t->args->ks[s] > 0 ? t->args->ks[s] : 0;
    *to = t->args->ke[s] < t->z->n ? t->args->ke[s] : t->z->n;
    *to = *to > *from ? *to : *from;
}

/* products[rows, 64] = rows of q · the packed block. */
static void multiply(const task *t, int64_t row, int64_t rows)
{
    const om__tiles *tiles = t->level->tiles;
    const int64_t width = (int64_t)tiles->vectors * tiles->vector;
    for (int64_t done = 0; done < rows; done += tiles->rows) {
        const int64_t some = rows - done < tiles->rows ? rows - done : tiles->rows;
        const char *a[OM_TILE_ROWS];
        for (int64_t i = 0; i < some; i++)
            a[i] = t->q + (row + done + i) * t->z->row_bytes;
        for (int64_t c = 0; c < KEYS; c += width)
            tiles->tile[some - 1][tiles->vectors - 1](t->z->steps, a, t->keys + t->z->steps * c * 4,
                                                      width * 4, t->products + done * KEYS + c,
                                                      KEYS, 0);
    }
}

/* The logits of query s for the `keys` keys from `key` on, in group g; the block is packed. */
static void score_block(const task *t, int64_t s, int64_t g, int64_t key, int64_t keys)
{
    const shape *z = t->z;
    const om__attention_level *by = rows_of(t->level);
    const int64_t row = (s - t->first) * z->h + g * z->heads;
    float sums[KEYS] = {0};
    int64_t from, to;
    for (int64_t h = 0; h < z->heads; h += OM_TILE_ROWS) {
        const int64_t rows = z->heads - h < OM_TILE_ROWS ? z->heads - h : OM_TILE_ROWS;
        multiply(t, row + h, rows);
        by->score(t->products, rows, t->args->weights + s * z->h + g * z->heads + h, sums);
    }
    window(t, s, &from, &to);
    float *logits = t->args->logits + (t->b * z->s + s) * z->n * z->g;
    for (int64_t i = 0; i < keys; i++) {
        const int64_t n = key + i;
        if (n >= from && n < to)
            logits[n * z->g + g] =
                sums[i] * (t->o->factor ? t->o->factor[(t->b * z->n + n) * z->g + g] : 1);
        else if (!t->args->keep_masked)
            logits[n * z->g + g] = -INFINITY;
    }
}

static void pack_keys(const task *t, int64_t g, int64_t key, int64_t keys)
{
    const shape *z = t->z;
    const om__tiles *tiles = t->level->tiles;
    const int64_t width = (int64_t)tiles->vectors * tiles->vector;
    const om__gemm_operand k = {.data = t->o->k + (t->b * z->n * z->g + g) * z->d,
                                .stride = z->g * z->d};
    memset(t->keys, 0, (size_t)(z->steps * KEYS * 4));
    for (int64_t c = 0; c < keys; c += width)
        t->level->pack_b[OM_E4M3][0](&k, key + c, keys - c < width ? keys - c : width, 0, z->d,
                                     t->keys + z->steps * c * 4, width * 4);
}

static void run_task(const task *t)
{
    const shape *z = t->z;
    const om__gemm_operand q = {.data = t->o->q, .stride = z->d};
    int is_widened = 0;
    for (int64_t key = 0; key < z->n; key += KEYS) {
        const int64_t keys = z->n - key < KEYS ? z->n - key : KEYS;
        for (int64_t g = 0; g < z->g; g++) {
            int is_packed = 0;
            for (int64_t s = t->first; s < t->last; s++) {
                int64_t from, to;
                window(t, s, &from, &to);
                if (from < key + keys && to > key) {
                    if (!is_widened)
                        t->level->pack_a[OM_E4M3][0](&q, (t->b * z->s + t->first) * z->h,
                                                     (t->last - t->first) * z->h, 0, z->d, t->q,
                                                     z->row_bytes);
                    if (!is_packed)
                        pack_keys(t, g, key, keys);
                    is_widened = is_packed = 1;
                    score_block(t, s, g, key, keys);
                } else if (!t->args->keep_masked && g == 0) {
                    /* The block of one query, all groups: side by side. */
                    rows_of(t->level)->fill(t->args->logits +
                                                ((t->b * z->s + s) * z->n + key) * z->g,
                                            keys * z->g, -INFINITY);
                }
            }
        }
    }
}

static om_status run(const om__gemm_level *level, const om_kernel_env *env, const void *arguments,
                     void *workspace, om_error *err)
{
    const om_lightning_indexer_args *args = arguments;
    const shape z = shape_of(level, args);
    char *memory = workspace;
    const operands o = quantise(level, env, &z, args, &memory);
    const int64_t blocks = (z.s + z.queries - 1) / z.queries;
    const double work =
        (double)z.b * (double)z.s * (double)z.n * (double)z.g * (double)(2 * z.d * z.heads + 16);
    const int threads = om__threads_for(env, work, FLOP_GRAIN);
    (void)err;
#pragma omp parallel for schedule(dynamic) num_threads(threads) if (threads > 1)
    for (int64_t number = 0; number < z.b * blocks; number++) {
        const int thread = threads > 1 ? omp_get_thread_num() : 0;
        char *mine = memory + (size_t)thread * task_bytes(&z);
        task t = {.level = level, .z = &z, .args = args, .o = &o, .b = number / blocks};
        t.first = number % blocks * z.queries;
        t.last = t.first + z.queries < z.s ? t.first + z.queries : z.s;
        t.q = om__carve(&mine, z.queries * z.h * z.row_bytes);
        t.keys = om__carve(&mine, z.steps * KEYS * 4);
        t.products = om__carve(&mine, OM_TILE_ROWS * KEYS * 4);
        run_task(&t);
    }
    return OM_OK;
}

OM_PRODUCT_KERNELS(lightning_indexer, "lightning_indexer", "forward", query, run)
