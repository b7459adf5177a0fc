/* SPDX-License-Identifier: Apache-2.0 */
/* composition_attention.c: attention as products of whole heads in f32 with a pass between them. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "core/convert.h"
#include "providers/composition.h"

/* ---- attention: two products with a softmax between them, one head after another ---- */

typedef struct head {
    float *q, *k, *v, *s, *o; /* [S,D] three times, [S,S], [S,D] */
} head;

static size_t attention_workspace(const om_problem *problem)
{
    const om_attention_args *a = problem->args;
    return 4 * om__block_bytes(a->s * a->d, sizeof(float)) +
           om__block_bytes(a->s * a->s, sizeof(float));
}

/* Rows of one head out of [B,S,heads,D], as f32. */
static void gather(const om__composition *self, float *to, const void *from,
                   const om_attention_args *a, int64_t batch, int64_t heads, int64_t which)
{
    size_t element = om__element_of(a->dtype);
    (void)self;
#pragma omp parallel for schedule(static) num_threads(self->threads)
    for (int64_t i = 0; i < a->s; i++) {
        int64_t at = ((batch * a->s + i) * heads + which) * a->d;
        om__widen(to + i * a->d, (const char *)from + (size_t)at * element, a->dtype, a->d, 1);
    }
}

static void softmax_row(float *s, int64_t visible, int64_t all, float scale, float *lse)
{
    float top = -INFINITY, sum = 0;
    for (int64_t j = 0; j < visible; j++)
        top = fmaxf(top, s[j] * scale);
    for (int64_t j = 0; j < visible; j++) {
        s[j] = expf(s[j] * scale - top);
        sum += s[j];
    }
    for (int64_t j = 0; j < visible; j++)
        s[j] /= sum;
    memset(s + visible, 0, (size_t)(all - visible) * sizeof *s);
    *lse = top + logf(sum);
}

static om_status run_head(const om__composition *self, const om_attention_args *a, const head *h,
                          int64_t batch, int64_t which, om_error *err)
{
    size_t element = om__element_of(a->dtype);
    float scale = (float)(a->scale != 0 ? a->scale : 1 / sqrt((double)a->d));
    const om_gemm_args scores = {.m = a->s,
                                 .n = a->s,
                                 .k = a->d,
                                 .dtype = OM_F32,
                                 .trans_b = 1,
                                 .a = h->q,
                                 .b = h->k,
                                 .d = h->s};
    const om_gemm_args values = {
        .m = a->s, .n = a->d, .k = a->s, .dtype = OM_F32, .a = h->s, .b = h->v, .d = h->o};
    OM_TRY(om_gemm(self->context, &scores, err));
#pragma omp parallel for schedule(static, 16) num_threads(self->threads)
    for (int64_t i = 0; i < a->s; i++)
        softmax_row(h->s + i * a->s, a->causal ? i + 1 : a->s, a->s, scale,
                    &a->lse[(batch * a->hq + which) * a->s + i]);
    OM_TRY(om_gemm(self->context, &values, err));
#pragma omp parallel for schedule(static) num_threads(self->threads)
    for (int64_t i = 0; i < a->s; i++) {
        int64_t at = ((batch * a->s + i) * a->hq + which) * a->d;
        om__narrow((char *)a->o + (size_t)at * element, h->o + i * a->d, a->dtype, a->d, 1);
    }
    return OM_OK;
}

static om_status run_attention(void *opaque, const om_problem *problem, void *workspace,
                               om_error *err)
{
    const om__composition *self = opaque;
    om_attention_args given = *(const om_attention_args *)problem->args;
    given.b = given.b != 0 ? given.b : 1;
    given.hkv = given.hkv != 0 ? given.hkv : given.hq;
    const om_attention_args *a = &given;
    char *at = workspace;
    int64_t plane = a->s * a->d, group = a->hq / a->hkv;
    head h = {om__block_take(&at, plane, 4), om__block_take(&at, plane, 4),
              om__block_take(&at, plane, 4), om__block_take(&at, a->s * a->s, 4),
              om__block_take(&at, plane, 4)};
    for (int64_t batch = 0; batch < a->b; batch++)
        for (int64_t which = 0; which < a->hq; which++) {
            if (which % group == 0) {
                gather(self, h.k, a->k, a, batch, a->hkv, which / group);
                gather(self, h.v, a->v, a, batch, a->hkv, which / group);
            }
            gather(self, h.q, a->q, a, batch, a->hq, which);
            OM_TRY(run_head(self, a, &h, batch, which, err));
        }
    return OM_OK;
}

/* ---- backward: the same products and three more, one head after another ---- */

typedef struct backward_head {
    float *q, *k, *v, *grad_o, *p, *ds;     /* [S,D] four times, [S,S] twice */
    float *grad_q, *part, *grad_k, *grad_v; /* [S,D]; part: what one query head adds */
    float *delta;                           /* [S] */
} backward_head;

static size_t backward_workspace(const om_problem *problem)
{
    const om_attention_backward_args *a = problem->args;
    return 8 * om__block_bytes(a->s * a->d, sizeof(float)) +
           2 * om__block_bytes(a->s * a->s, sizeof(float)) + om__block_bytes(a->s, sizeof(float));
}

/* Rows of one head out of f32 [S,D], the other way of gather. */
static void scatter(const om__composition *self, void *to, const float *from,
                    const om_attention_args *a, int64_t batch, int64_t heads, int64_t which)
{
    size_t element = om__element_of(a->dtype);
    (void)self;
#pragma omp parallel for schedule(static) num_threads(self->threads)
    for (int64_t i = 0; i < a->s; i++) {
        int64_t at = ((batch * a->s + i) * heads + which) * a->d;
        om__narrow((char *)to + (size_t)at * element, from + i * a->d, a->dtype, a->d, 1);
    }
}

/* Scores become probabilities, and their gradients those of the scores. */
static void differentiate_row(float *p, float *ds, int64_t visible, int64_t all, float scale,
                              float lse, float delta)
{
    for (int64_t j = 0; j < visible; j++) {
        p[j] = expf(p[j] * scale - lse);
        ds[j] = p[j] * (ds[j] - delta) * scale;
    }
    memset(p + visible, 0, (size_t)(all - visible) * sizeof *p);
    memset(ds + visible, 0, (size_t)(all - visible) * sizeof *ds);
}

static void add_plane(const om__composition *self, float *to, const float *from, int64_t count)
{
    (void)self;
#pragma omp parallel for schedule(static) num_threads(self->threads)
    for (int64_t i = 0; i < count; i++)
        to[i] += from[i];
}

/* h->delta from o, widened to h->part. */
static void find_delta(const om__composition *self, const om_attention_args *a,
                       const backward_head *h)
{
    (void)self;
#pragma omp parallel for schedule(static) num_threads(self->threads)
    for (int64_t i = 0; i < a->s; i++) {
        float sum = 0;
        for (int64_t d = 0; d < a->d; d++)
            sum += h->part[i * a->d + d] * h->grad_o[i * a->d + d];
        h->delta[i] = sum;
    }
}

static om_gemm_args product(int64_t m, int64_t n, int64_t k, const float *a, const float *b,
                            float *d)
{
    return (om_gemm_args){.m = m, .n = n, .k = k, .dtype = OM_F32, .a = a, .b = b, .d = d};
}

static om_status differentiate_head(const om__composition *self, const om_attention_args *a,
                                    const backward_head *h, const float *lse, om_error *err)
{
    const int64_t s = a->s, d = a->d;
    const float scale = (float)(a->scale != 0 ? a->scale : 1 / sqrt((double)d));
    om_gemm_args scores = product(s, s, d, h->q, h->k, h->p);
    om_gemm_args gradients = product(s, s, d, h->grad_o, h->v, h->ds);
    om_gemm_args values = product(s, d, s, h->p, h->grad_o, h->part);
    om_gemm_args queries = product(s, d, s, h->ds, h->k, h->grad_q);
    om_gemm_args keys = product(s, d, s, h->ds, h->q, h->part);
    scores.trans_b = gradients.trans_b = values.trans_a = keys.trans_a = 1;
    OM_TRY(om_gemm(self->context, &scores, err));
    OM_TRY(om_gemm(self->context, &gradients, err));
#pragma omp parallel for schedule(static, 16) num_threads(self->threads)
    for (int64_t i = 0; i < s; i++)
        differentiate_row(h->p + i * s, h->ds + i * s, a->causal ? i + 1 : s, s, scale, lse[i],
                          h->delta[i]);
    OM_TRY(om_gemm(self->context, &values, err));
    add_plane(self, h->grad_v, h->part, s * d);
    OM_TRY(om_gemm(self->context, &queries, err));
    OM_TRY(om_gemm(self->context, &keys, err));
    add_plane(self, h->grad_k, h->part, s * d);
    return OM_OK;
}

/* One key head with the query heads that share it. */
static om_status differentiate_group(const om__composition *self,
                                     const om_attention_backward_args *b,
                                     const om_attention_args *a, const backward_head *h,
                                     int64_t batch, int64_t kv, om_error *err)
{
    const int64_t group = a->hq / a->hkv;
    const size_t plane = (size_t)(a->s * a->d) * sizeof(float);
    gather(self, h->k, b->k, a, batch, a->hkv, kv);
    gather(self, h->v, b->v, a, batch, a->hkv, kv);
    if (plane > 0) { /* else there is no memory */
        memset(h->grad_k, 0, plane);
        memset(h->grad_v, 0, plane);
    }
    for (int64_t which = kv * group; which < (kv + 1) * group; which++) {
        gather(self, h->q, b->q, a, batch, a->hq, which);
        gather(self, h->grad_o, b->grad_o, a, batch, a->hq, which);
        gather(self, h->part, b->o, a, batch, a->hq, which);
        find_delta(self, a, h);
        OM_TRY(differentiate_head(self, a, h, b->lse + (batch * a->hq + which) * a->s, err));
        scatter(self, b->grad_q, h->grad_q, a, batch, a->hq, which);
    }
    scatter(self, b->grad_k, h->grad_k, a, batch, a->hkv, kv);
    scatter(self, b->grad_v, h->grad_v, a, batch, a->hkv, kv);
    return OM_OK;
}

/* With one key all gradients of scores cancel to zero; sums made in different orders leave a rest.
 */
static om_status query_backward(void *self, const om_problem *problem, om_error *err)
{
    (void)self;
    if (((const om_attention_backward_args *)problem->args)->s == 1)
        return om__error_set(err, OM_UNSUPPORTED, "of one key the parts leave a rest for a zero");
    return OM_OK;
}

static om_status run_backward(void *opaque, const om_problem *problem, void *workspace,
                              om_error *err)
{
    const om__composition *self = opaque;
    const om_attention_backward_args *b = problem->args;
    const om_attention_args a = {.b = b->b != 0 ? b->b : 1,
                                 .s = b->s,
                                 .hq = b->hq,
                                 .hkv = b->hkv != 0 ? b->hkv : b->hq,
                                 .d = b->d,
                                 .dtype = b->dtype,
                                 .causal = b->causal,
                                 .scale = b->scale};
    char *at = workspace;
    const int64_t plane = a.s * a.d, square = a.s * a.s;
    backward_head h = {0};
    float **const planes[] = {&h.q,      &h.k,    &h.v,      &h.grad_o,
                              &h.grad_q, &h.part, &h.grad_k, &h.grad_v};
    for (size_t i = 0; i < sizeof planes / sizeof *planes; i++)
        *planes[i] = om__block_take(&at, plane, sizeof(float));
    h.p = om__block_take(&at, square, sizeof(float));
    h.ds = om__block_take(&at, square, sizeof(float));
    h.delta = om__block_take(&at, a.s, sizeof(float));
    for (int64_t batch = 0; batch < a.b; batch++)
        for (int64_t kv = 0; kv < a.hkv; kv++)
            OM_TRY(differentiate_group(self, b, &a, &h, batch, kv, err));
    return OM_OK;
}

const om_serve om__composition_attention[] = {
    {"attention", NULL, NULL, attention_workspace, run_attention},
    {"attention", "backward", query_backward, backward_workspace, run_backward},
    {0},
};
