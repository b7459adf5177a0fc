/* SPDX-License-Identifier: Apache-2.0 */
/* attention_backward.c: the contract of the backward pass of attention. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ops/attend.h"

static const om_field fields[] = {
    OM_INT_FIELD(om_attention_backward_args, b, "1", 1, OM_INT32_MAX, "batch"),
    OM_INT_FIELD(om_attention_backward_args, s, NULL, 0, OM_INT32_MAX, "sequence length"),
    OM_INT_FIELD(om_attention_backward_args, hq, NULL, 1, OM_INT32_MAX, "query heads"),
    OM_INT_FIELD(om_attention_backward_args, hkv, "0", 0, OM_INT32_MAX,
                 "key and value heads; 0: as hq"),
    OM_INT_FIELD(om_attention_backward_args, d, NULL, 1, OM_ATTEND_MAX_D, "head dimension"),
    OM_DTYPE_FIELD(om_attention_backward_args, dtype, "bf16",
                   "of all tensors but lse: bf16, fp16 or f32"),
    OM_FLAG_FIELD(om_attention_backward_args, causal, "mask keys after the query"),
    OM_FLOAT_FIELD(om_attention_backward_args, scale, "0", "of the scores; 0: 1 / sqrt(d)"),
};

enum { Q, K, V, O, LSE, GRAD_O, GRAD_Q, GRAD_K, GRAD_V };
static const om_port ports[] = {
    [Q] = OM_IN(om_attention_backward_args, q),
    [K] = OM_IN(om_attention_backward_args, k),
    [V] = OM_IN(om_attention_backward_args, v),
    [O] = OM_IN(om_attention_backward_args, o),
    [LSE] = OM_IN(om_attention_backward_args, lse),
    [GRAD_O] = OM_IN(om_attention_backward_args, grad_o),
    [GRAD_Q] = OM_OUT(om_attention_backward_args, grad_q),
    [GRAD_K] = OM_OUT(om_attention_backward_args, grad_k),
    [GRAD_V] = OM_OUT(om_attention_backward_args, grad_v),
};

static om_status check(const void *args, om_error *err)
{
    const om_attend attend = om__attend_backward(args);
    return om__attend_check(&attend, err);
}

static om_status describe(const void *args, om_tensor *tensors, om_error *err)
{
    const om_attend a = om__attend_backward(args);
    for (size_t port = Q; port <= GRAD_V; port++) {
        bool is_key = port == K || port == V || port == GRAD_K || port == GRAD_V;
        if (port == LSE)
            OM_TRY(OM_SHAPE(&tensors[port], OM_F32, err, a.b, a.hq, a.s, 1));
        else
            OM_TRY(OM_SHAPE(&tensors[port], a.dtype, err, a.b, a.s, is_key ? a.hkv : a.hq, a.d));
    }
    return OM_OK;
}

static void fill(const void *args, size_t port, om_fill *fill)
{
    (void)args;
    if (port == O || port == LSE)
        om__fill_set_host(fill);
    else
        om__fill_set_normal(fill, 1);
}

/* o and lse are what the forward pass gives for the q, k and v that were drawn. */
static om_status fill_host(const void *args, size_t port, uint64_t seed, om_tensor *tensors,
                           om_error *err)
{
    om_attend a = om__attend_backward(args);
    (void)seed;
    a.q = tensors[Q].data;
    a.k = tensors[K].data;
    a.v = tensors[V].data;
    if (port == O)
        return om__attend_run(&a, tensors[O].data, NULL, NULL, O, OM_ROWS_BSH, err);
    return om__attend_run(&a, NULL, tensors[LSE].data, NULL, LSE, OM_ROWS_BHS, err);
}

static om_work work(const void *args, const om_tensor *tensors)
{
    const om_attend a = om__attend_backward(args);
    (void)tensors;
    double heads = (double)a.b * (double)a.hq, rows = heads * (double)a.s, d = (double)a.d;
    double kv_rows = (double)a.b * (double)a.s * (double)a.hkv;
    return (om_work){
        .flops = 10 * heads * om__attend_pairs(&a) * d,
        .bytes = (4 * rows + 4 * kv_rows) * d * om_dtype_bits(a.dtype) / 8 + 4 * rows,
    };
}

static om_tolerance tolerance(const void *args, size_t port)
{
    (void)port;
    return om__tolerance_rounded_rows(((const om_attention_backward_args *)args)->dtype);
}

/* The widened tensors of one key head and its query heads. */
typedef struct group {
    const om_attend *a;
    const om_attention_backward_args *args;
    int64_t b, kv, heads;
    float *k, *v;        /* [S,D] */
    float *q, *o, *grad; /* [S,heads,D] */
    double *delta;       /* [S,heads] */
    om_attend_row *list; /* [S·heads] */
} group;

static void group_release(group *g)
{
    free(g->k);
    free(g->v);
    free(g->q);
    free(g->o);
    free(g->grad);
    free(g->delta);
    free(g->list);
}

static om_status group_create(group *g, om_error *err)
{
    int64_t size = g->a->s * g->a->d, rows = g->a->s * g->heads;
    g->k = om__scratch(size, sizeof(float), err);
    g->v = om__scratch(size, sizeof(float), err);
    g->q = om__scratch(size * g->heads, sizeof(float), err);
    g->o = om__scratch(size * g->heads, sizeof(float), err);
    g->grad = om__scratch(size * g->heads, sizeof(float), err);
    g->delta = om__scratch(rows, sizeof(double), err);
    g->list = om__scratch(rows, sizeof(om_attend_row), err);
    bool is_whole = g->k && g->v && g->q && g->o && g->grad && g->delta && g->list;
    return is_whole ? OM_OK : OM_NO_MEMORY;
}

static void group_load(group *g)
{
    const om_attend *a = g->a;
    int64_t first = g->kv * g->heads;
    om__attend_widen(a, a->k, g->b, g->kv, 1, a->hkv, g->k);
    om__attend_widen(a, a->v, g->b, g->kv, 1, a->hkv, g->v);
    om__attend_widen(a, a->q, g->b, first, g->heads, a->hq, g->q);
    om__attend_widen(a, g->args->o, g->b, first, g->heads, a->hq, g->o);
    om__attend_widen(a, g->args->grad_o, g->b, first, g->heads, a->hq, g->grad);
    for (int64_t i = 0; i < a->s * g->heads; i++)
        g->delta[i] = om__dot(g->o + i * a->d, g->grad + i * a->d, a->d);
}

/* Probability of key n for row `row` of the group, and the gradient of that score. */
static double probability(const group *g, int64_t row, int64_t n, double *score_gradient)
{
    const om_attend *a = g->a;
    int64_t s = row / g->heads, h = g->kv * g->heads + row % g->heads;
    double score = a->scale * om__dot(g->q + row * a->d, g->k + n * a->d, a->d);
    double p = exp(score - (double)g->args->lse[(g->b * a->hq + h) * a->s + s]);
    *score_gradient = p * (om__dot(g->grad + row * a->d, g->v + n * a->d, a->d) - g->delta[row]);
    return p;
}

static void query_gradients(const group *g, int64_t count)
{
    const om_attend *a = g->a;
    OM_PARALLEL_FOR(count * a->s * a->d)
    for (int64_t i = 0; i < count; i++) {
        int64_t s = g->list[i].s, h = g->list[i].h;
        int64_t row = s * g->heads + h - g->kv * g->heads, visible = a->causal ? s + 1 : a->s;
        double sums[OM_ATTEND_MAX_D] = {0}, gradient;
        for (int64_t n = 0; n < visible; n++) {
            probability(g, row, n, &gradient);
            for (int64_t d = 0; d < a->d; d++)
                sums[d] += gradient * (double)g->k[n * a->d + d];
        }
        int64_t to = ((g->b * a->s + s) * a->hq + h) * a->d;
        for (int64_t d = 0; d < a->d; d++)
            om__store_f64(g->args->grad_q, a->dtype, to + d, a->scale * sums[d]);
    }
}

static void key_gradients(const group *g, int64_t count, void *grad_k, void *grad_v)
{
    const om_attend *a = g->a;
    OM_PARALLEL_FOR(count * a->s * a->d)
    for (int64_t i = 0; i < count; i++) {
        int64_t n = g->list[i].s;
        double k_sums[OM_ATTEND_MAX_D] = {0}, v_sums[OM_ATTEND_MAX_D] = {0}, gradient;
        for (int64_t row = (a->causal ? n : 0) * g->heads; row < a->s * g->heads; row++) {
            double p = probability(g, row, n, &gradient);
            for (int64_t d = 0; d < a->d; d++) {
                k_sums[d] += gradient * (double)g->q[row * a->d + d];
                v_sums[d] += p * (double)g->grad[row * a->d + d];
            }
        }
        int64_t to = ((g->b * a->s + n) * a->hkv + g->kv) * a->d;
        for (int64_t d = 0; d < a->d; d++) {
            if (grad_k)
                om__store_f64(grad_k, a->dtype, to + d, a->scale * k_sums[d]);
            if (grad_v)
                om__store_f64(grad_v, a->dtype, to + d, v_sums[d]);
        }
    }
}

static int64_t rows_of(const group *g, const om_rows *rows, size_t port)
{
    const om_attend *a = g->a;
    if (port == GRAD_Q)
        return om__attend_rows(a, rows, port, OM_ROWS_BSH, g->b, g->kv * g->heads, g->heads, a->hq,
                               g->list);
    return om__attend_rows(a, rows, port, OM_ROWS_BSH, g->b, g->kv, 1, a->hkv, g->list);
}

static void group_run(group *g, const om_rows *rows)
{
    const om_attention_backward_args *p = g->args;
    group_load(g);
    query_gradients(g, rows_of(g, rows, GRAD_Q));
    if (!rows) {
        key_gradients(g, rows_of(g, NULL, GRAD_K), p->grad_k, p->grad_v);
        return;
    }
    key_gradients(g, rows_of(g, rows, GRAD_K), p->grad_k, NULL);
    key_gradients(g, rows_of(g, rows, GRAD_V), NULL, p->grad_v);
}

static om_status reference(const void *args, const om_rows *rows, om_error *err)
{
    const om_attend a = om__attend_backward(args);
    group g = {.a = &a, .args = args, .heads = a.hq / a.hkv};
    om_status status = group_create(&g, err);
    for (int64_t i = 0; status == OM_OK && i < a.b * a.hkv; i++) {
        g.b = i / a.hkv;
        g.kv = i % a.hkv;
        if (rows_of(&g, rows, GRAD_Q) + rows_of(&g, rows, GRAD_K) + rows_of(&g, rows, GRAD_V) > 0)
            group_run(&g, rows);
    }
    group_release(&g);
    return status;
}

const om_op om_op_attention_backward = {
    .name = "attention",
    .pass = "backward",
    .summary = "gradients of attention from its output and log-sum-exp",
    .args_size = sizeof(om_attention_backward_args),
    .fields = fields,
    .field_count = OM_COUNT(fields),
    .ports = ports,
    .port_count = OM_COUNT(ports),
    .dtype_field = "dtype",
    .check = check,
    .describe = describe,
    .fill = fill,
    .fill_host = fill_host,
    .work = work,
    .tolerance = tolerance,
    .reference = reference,
};
