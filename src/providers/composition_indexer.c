/* SPDX-License-Identifier: Apache-2.0 */
/* composition_indexer.c: the lightning indexer as casts, products in fp8 and a pass of sums. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "core/convert.h"
#include "providers/composition.h"

#define INDEXER_ROWS 1024 /* heads of queries in one product, about */

static int64_t queries_of(const om_lightning_indexer_args *a)
{
    return a->h < INDEXER_ROWS ? INDEXER_ROWS / a->h : 1;
}

static int64_t groups_of(const om_lightning_indexer_args *a)
{
    return a->g != 0 ? a->g : 1;
}

typedef struct indexer {
    const om_lightning_indexer_args *a;
    int64_t b, g, heads; /* heads: of a group */
    const uint8_t *q, *k;
    const float *factor; /* of each key; NULL: 1 */
    uint8_t *some_q, *some_k;
    uint16_t *products; /* bf16 [queries · heads, N] */
} indexer;

static size_t indexer_workspace(const om_problem *problem)
{
    const om_lightning_indexer_args *a = problem->args;
    const int64_t b = a->b != 0 ? a->b : 1, g = groups_of(a), rows = queries_of(a) * a->h;
    size_t bytes = om__block_bytes(rows * a->d, 1) + om__block_bytes(a->n * a->d, 1) +
                   om__block_bytes(rows * a->n, sizeof(uint16_t));
    if (a->dtype == OM_BF16)
        bytes += om__block_bytes(b * a->s * a->h * a->d, 1) +
                 om__block_bytes(b * a->n * g * a->d, 1) +
                 om__block_bytes(b * a->n * g, sizeof(float));
    return bytes;
}

/* bf16 becomes e4m3: q as it stands, keys with a scale each. */
static om_status quantise(const om__composition *self, indexer *x, char **at, om_error *err)
{
    const om_lightning_indexer_args *a = x->a;
    float one = 1, amax;
    const int64_t queries = x->b * a->s * a->h;
    uint8_t *q = om__block_take(at, queries * a->d, 1);
    uint8_t *k = om__block_take(at, x->b * a->n * x->g * a->d, 1);
    float *factor = om__block_take(at, x->b * a->n * x->g, sizeof *factor);
    const om_cast_args cast = {
        .m = queries, .h = a->d, .x = a->q, .y = q, .scale = &one, .amax = &amax};
    const om_fp8_quant_args quant = {
        .b = x->b, .s = a->n, .g = x->g, .d = a->d, .x = a->k, .scale = factor, .out = k};
    x->q = q;
    x->k = k;
    x->factor = factor;
    OM_TRY(om_cast(self->context, &cast, err));
    return om_fp8_quant(self->context, &quant, err);
}

/* The rows of one group out of [count, groups, row]; in place where there is one group. */
static const uint8_t *rows_of_group(uint8_t *to, const uint8_t *from, int64_t count, int64_t groups,
                                    int64_t group, int64_t row)
{
    if (groups == 1)
        return from;
    for (int64_t i = 0; i < count; i++)
        memcpy(to + i * row, from + (i * groups + group) * row, (size_t)row);
    return to;
}

static void sum_heads(const indexer *x, int64_t batch, int64_t first, int64_t s, int64_t group)
{
    enum { CHUNK = 256 };
    const om_lightning_indexer_args *a = x->a;
    float *logits = a->logits + (batch * a->s + s) * a->n * x->g;
    for (int64_t at = 0; at < a->n; at += CHUNK) {
        float sums[CHUNK] = {0}, values[CHUNK];
        const int64_t size = a->n - at < CHUNK ? a->n - at : CHUNK;
        for (int64_t h = 0; h < x->heads; h++) {
            const float weight = a->weights[s * a->h + group * x->heads + h];
            om__widen(values, x->products + ((s - first) * x->heads + h) * a->n + at, OM_BF16, size,
                      1);
            for (int64_t i = 0; i < size; i++) /* a NaN is not at most 0 and goes on */
                sums[i] += values[i] <= 0 ? 0 : weight * values[i];
        }
        for (int64_t i = 0; i < size; i++) {
            const int64_t n = at + i;
            if (n >= a->ks[s] && n < a->ke[s])
                logits[n * x->g + group] =
                    sums[i] * (x->factor ? x->factor[(batch * a->n + n) * x->g + group] : 1);
            else if (!a->keep_masked)
                logits[n * x->g + group] = -INFINITY;
        }
    }
}

static om_status run_group(const om__composition *self, const indexer *x, int64_t batch,
                           int64_t group, om_error *err)
{
    const om_lightning_indexer_args *a = x->a;
    const int64_t most = queries_of(a);
    const float one = 1;
    const uint8_t *k =
        rows_of_group(x->some_k, x->k + batch * a->n * x->g * a->d, a->n, x->g, group, a->d);
    for (int64_t first = 0; first < a->s; first += most) {
        const int64_t queries = a->s - first < most ? a->s - first : most;
        const uint8_t *q = x->q + (batch * a->s + first) * a->h * a->d;
        const om_gemm_fp8_args product = {
            .m = queries * x->heads,
            .n = a->n,
            .k = a->d,
            .a = rows_of_group(x->some_q, q, queries, x->g, group, x->heads * a->d),
            .b = k,
            .scale_a = &one,
            .scale_b = &one,
            .d = x->products};
        OM_TRY(om_gemm_fp8(self->context, &product, err));
#pragma omp parallel for schedule(static) num_threads(self->threads)
        for (int64_t s = first; s < first + queries; s++)
            sum_heads(x, batch, first, s, group);
    }
    return OM_OK;
}

static om_status run_indexer(void *opaque, const om_problem *problem, void *workspace,
                             om_error *err)
{
    const om__composition *self = opaque;
    const om_lightning_indexer_args *a = problem->args;
    char *at = workspace;
    indexer x = {.a = a,
                 .b = a->b != 0 ? a->b : 1,
                 .g = groups_of(a),
                 .q = a->q,
                 .k = a->k,
                 .factor = a->has_k_scale ? a->k_scale : NULL};
    const int64_t rows = queries_of(a) * a->h;
    x.heads = a->h / x.g;
    x.some_q = om__block_take(&at, rows * a->d, 1);
    x.some_k = om__block_take(&at, a->n * a->d, 1);
    x.products = om__block_take(&at, rows * a->n, sizeof *x.products);
    if (a->dtype == OM_BF16)
        OM_TRY(quantise(self, &x, &at, err));
    for (int64_t batch = 0; batch < x.b; batch++)
        for (int64_t group = 0; group < x.g; group++)
            OM_TRY(run_group(self, &x, batch, group, err));
    return OM_OK;
}

const om_serve om__composition_indexer[] = {
    {"lightning_indexer", NULL, NULL, indexer_workspace, run_indexer},
    {0},
};
