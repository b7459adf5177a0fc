/* SPDX-License-Identifier: Apache-2.0 */
/* product.c: the matrix products of the catalogue as sequences of f32 products. */
#include "providers/product.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "opmark/bmm.h"
#include "opmark/bmm_fp8.h"
#include "opmark/gemm.h"
#include "opmark/gemm_fp8.h"
#include "opmark/gemm_w4a16.h"
#include "opmark/grouped_gemm.h"
#include "opmark/moe_gate_up.h"
#include "opmark/ragged_gemm.h"

/* One operand of one product: a matrix of `rows` rows that start `stride` elements apart. */
typedef struct factor {
    const void *data;
    om_dtype dtype;
    int64_t rows, columns, stride;
    const float *scales;  /* NULL, or one for each row and each `group` columns */
    const uint8_t *zeros; /* OM_U4X2: subtracted before scaling, in the layout of scales */
    int64_t group;
} factor;

typedef struct product {
    factor a, b;
    bool trans_a, trans_b;
    int64_t m, n, k;
    void *d;
    om_dtype d_dtype;
    float alpha;
    const void *bias; /* [n] bf16, or NULL */
} product;

/* ---- workspace ---- */

typedef struct scratch {
    char *at;
} scratch;

/* Blocks start on cache lines, so that no operand is punished by its neighbour's size. */
static size_t block_bytes(int64_t count)
{
    return ((size_t)count * sizeof(float) + 63) / 64 * 64;
}

static float *take(scratch *s, int64_t count)
{
    float *block = (float *)s->at;
    s->at += block_bytes(count);
    return block;
}

static factor matrix(const void *data, om_dtype dtype, int64_t rows, int64_t columns)
{
    return (factor){
        .data = data, .dtype = dtype, .rows = rows, .columns = columns, .stride = columns};
}

static const void *offset(const void *data, om_dtype dtype, int64_t count)
{
    return (const char *)data + count * om_dtype_bits(dtype) / 8;
}

/* ---- operands as f32 ---- */

static void dequantise_row(float *to, const factor *f, int64_t row)
{
    const uint8_t *nibbles = (const uint8_t *)f->data + row * f->stride / 2;
    int64_t groups = (f->columns + f->group - 1) / f->group;
    for (int64_t g = 0; g < groups; g++) {
        float scale = f->scales[row * groups + g];
        float zero = (float)f->zeros[row * groups + g];
        int64_t first = g * f->group / 2;
        for (int64_t i = first; i < first + f->group / 2; i++) {
            to[2 * i] = ((float)(nibbles[i] & 15) - zero) * scale;
            to[2 * i + 1] = ((float)(nibbles[i] >> 4) - zero) * scale;
        }
    }
}

static void scale_row(float *to, const factor *f, int64_t row)
{
    int64_t groups = (f->columns + f->group - 1) / f->group;
    for (int64_t g = 0; g < groups; g++) {
        float scale = f->scales[row * groups + g];
        int64_t end = (g + 1) * f->group < f->columns ? (g + 1) * f->group : f->columns;
        for (int64_t i = g * f->group; i < end; i++)
            to[i] *= scale;
    }
}

static void widen_row(float *to, const factor *f, int64_t row)
{
    if (f->dtype == OM_U4X2) {
        dequantise_row(to, f, row);
        return;
    }
    om__widen(to, offset(f->data, f->dtype, row * f->stride), f->dtype, f->columns, 1);
    if (f->scales != NULL)
        scale_row(to, f, row);
}

static const float *widened(const om_sgemm *self, const factor *f, scratch *s)
{
    bool is_packed = f->stride == f->columns;
    if (f->dtype == OM_F32 && is_packed && f->scales == NULL)
        return f->data;
    float *to = take(s, f->rows * f->columns);
    if (is_packed && f->scales == NULL) {
        om__widen(to, f->data, f->dtype, f->rows * f->columns, self->threads);
        return to;
    }
#pragma omp parallel for schedule(static) num_threads(self->threads)
    for (int64_t row = 0; row < f->rows; row++)
        widen_row(to + row * f->columns, f, row);
    return to;
}

/* ---- one product ---- */

static void finish(const om_sgemm *self, const product *p, float *d)
{
    if (p->alpha != 1.0f || p->bias != NULL) {
#pragma omp parallel for schedule(static) num_threads(self->threads)
        for (int64_t row = 0; row < p->m; row++)
            for (int64_t j = 0; j < p->n; j++) {
                float bias = 0;
                if (p->bias != NULL)
                    om__widen(&bias, (const uint16_t *)p->bias + j, OM_BF16, 1, 1);
                d[row * p->n + j] = d[row * p->n + j] * p->alpha + bias;
            }
    }
    if (p->d_dtype != OM_F32)
        om__narrow(p->d, d, p->d_dtype, p->m * p->n, self->threads);
}

static bool is_packed_bf16(const factor *f)
{
    return f->dtype == OM_BF16 && f->stride == f->columns && f->scales == NULL;
}

static bool is_native(const om_sgemm *self, const product *p)
{
    return self->native_bf16 && p->k > 0 && is_packed_bf16(&p->a) && is_packed_bf16(&p->b) &&
           p->d_dtype == OM_BF16 && p->alpha == 1.0f && p->bias == NULL;
}

static om_status multiply(om_sgemm *self, const product *p, scratch s, om_error *err)
{
    if (p->m == 0 || p->n == 0)
        return OM_OK;
    if (is_native(self, p))
        return self->multiply(self, OM_BF16, p->trans_a, p->trans_b, p->m, p->n, p->k, p->a.data,
                              p->b.data, p->d, err);
    float *d = p->d_dtype == OM_F32 ? p->d : take(&s, p->m * p->n);
    if (p->k == 0) {
        memset(d, 0, (size_t)(p->m * p->n) * sizeof *d);
    } else {
        const float *a = widened(self, &p->a, &s);
        const float *b = widened(self, &p->b, &s);
        OM_TRY(
            self->multiply(self, OM_F32, p->trans_a, p->trans_b, p->m, p->n, p->k, a, b, d, err));
    }
    finish(self, p, d);
    return OM_OK;
}

/* d[m,n] = a · b of one dtype, with the storage of each stated. */
static product plain(om_dtype dtype, bool trans_a, bool trans_b, int64_t m, int64_t n, int64_t k,
                     const void *a, const void *b, void *d)
{
    return (product){
        .a = matrix(a, dtype, trans_a ? k : m, trans_a ? m : k),
        .b = matrix(b, dtype, trans_b ? n : k, trans_b ? k : n),
        .trans_a = trans_a,
        .trans_b = trans_b,
        .m = m,
        .n = n,
        .k = k,
        .d = d,
        .d_dtype = dtype,
        .alpha = 1,
    };
}

/* ---- the operators ---- */

static om_status run_gemm(void *self, const om_problem *problem, void *workspace, om_error *err)
{
    const om_gemm_args *g = problem->args;
    product p = plain(g->dtype, g->trans_a, g->trans_b, g->m, g->n, g->k, g->a, g->b, g->d);
    return multiply(self, &p, (scratch){workspace}, err);
}

/* The gradient is an operand of both products: it is widened once. */
static om_status backward(om_sgemm *self, om_dtype dtype, int64_t m, int64_t n, int64_t k,
                          const void *grad_out, const void *a, const void *b, void *grad_a,
                          void *grad_b, scratch s, om_error *err)
{
    product to_a = plain(dtype, false, false, m, k, n, grad_out, b, grad_a);
    product to_b = plain(dtype, true, false, n, k, m, grad_out, a, grad_b);
    if (!is_native(self, &to_a) || !is_native(self, &to_b)) {
        to_a.a.data = to_b.a.data = widened(self, &to_a.a, &s);
        to_a.a.dtype = to_b.a.dtype = OM_F32;
    }
    OM_TRY(multiply(self, &to_a, s, err));
    return multiply(self, &to_b, s, err);
}

static om_status run_gemm_backward(void *self, const om_problem *problem, void *workspace,
                                   om_error *err)
{
    const om_gemm_backward_args *g = problem->args;
    return backward(self, g->dtype, g->m, g->n, g->k, g->grad_out, g->a, g->b, g->grad_a, g->grad_b,
                    (scratch){workspace}, err);
}

static om_status run_bmm(void *self, const om_problem *problem, void *workspace, om_error *err)
{
    const om_bmm_args *g = problem->args;
    for (int64_t i = 0; i < g->batch; i++) {
        product p =
            plain(g->dtype, false, false, g->m, g->n, g->k, offset(g->a, g->dtype, i * g->m * g->k),
                  offset(g->b, g->dtype, i * g->k * g->n),
                  (void *)(uintptr_t)offset(g->d, g->dtype, i * g->m * g->n));
        OM_TRY(multiply(self, &p, (scratch){workspace}, err));
    }
    return OM_OK;
}

static om_status bmm_fp8(void *self, const om_problem *problem, bool trans_b, void *workspace,
                         om_error *err)
{
    const om_bmm_fp8_args *g = problem->args;
    for (int64_t i = 0; i < g->batch; i++) {
        product p =
            plain(OM_E4M3, false, trans_b, g->m, g->n, g->k, offset(g->a, OM_E4M3, i * g->m * g->k),
                  offset(g->b, OM_E4M3, i * g->k * g->n),
                  (void *)(uintptr_t)offset(g->d, g->out_dtype, i * g->m * g->n));
        p.d_dtype = g->out_dtype;
        p.alpha = g->scale_a[0] * g->scale_b[0];
        OM_TRY(multiply(self, &p, (scratch){workspace}, err));
    }
    return OM_OK;
}

static om_status run_bmm_fp8_nk(void *self, const om_problem *problem, void *workspace,
                                om_error *err)
{
    return bmm_fp8(self, problem, true, workspace, err);
}

static om_status run_bmm_fp8_kn(void *self, const om_problem *problem, void *workspace,
                                om_error *err)
{
    return bmm_fp8(self, problem, false, workspace, err);
}

static om_status run_gemm_fp8(void *self, const om_problem *problem, void *workspace, om_error *err)
{
    const om_gemm_fp8_args *g = problem->args;
    product p = plain(OM_E4M3, false, true, g->m, g->n, g->k, g->a, g->b, g->d);
    p.d_dtype = g->out_dtype;
    p.bias = g->has_bias ? g->bias : NULL;
    if (g->scale_mode == OM_SCALE_BLOCK128) {
        p.a.scales = g->scale_a;
        p.b.scales = g->scale_b;
        p.a.group = p.b.group = 128;
    } else {
        p.alpha = g->scale_a[0] * g->scale_b[0];
    }
    return multiply(self, &p, (scratch){workspace}, err);
}

static om_status run_gemm_w4a16(void *self, const om_problem *problem, void *workspace,
                                om_error *err)
{
    const om_gemm_w4a16_args *g = problem->args;
    product p =
        plain(OM_F16, false, true, g->m, g->n, g->k, g->activation, g->packed_weight, g->out);
    p.b.dtype = OM_U4X2;
    p.b.scales = g->weight_scale;
    p.b.zeros = g->weight_zero;
    p.b.group = 128;
    return multiply(self, &p, (scratch){workspace}, err);
}

static om_status run_grouped_gemm(void *self, const om_problem *problem, void *workspace,
                                  om_error *err)
{
    const om_grouped_gemm_args *g = problem->args;
    for (int64_t i = 0; i < g->g; i++) {
        product p =
            plain(g->dtype, false, true, g->m, g->n, g->k, offset(g->a, g->dtype, i * g->m * g->k),
                  offset(g->b, g->dtype, i * g->n * g->k),
                  (void *)(uintptr_t)offset(g->d, g->dtype, i * g->m * g->n));
        OM_TRY(multiply(self, &p, (scratch){workspace}, err));
    }
    return OM_OK;
}

static om_status run_grouped_gemm_backward(void *self, const om_problem *problem, void *workspace,
                                           om_error *err)
{
    const om_grouped_gemm_backward_args *g = problem->args;
    for (int64_t i = 0; i < g->g; i++) {
        int64_t rows = i * g->m, weights = i * g->n * g->k;
        OM_TRY(backward(
            self, g->dtype, g->m, g->n, g->k, offset(g->grad_out, g->dtype, rows * g->n),
            offset(g->a, g->dtype, rows * g->k), offset(g->b, g->dtype, weights),
            (void *)(uintptr_t)offset(g->grad_a, g->dtype, rows * g->k),
            (void *)(uintptr_t)offset(g->grad_b, g->dtype, weights), (scratch){workspace}, err));
    }
    return OM_OK;
}

static om_status ragged(void *self, const om_problem *problem, bool trans_b, void *workspace,
                        om_error *err)
{
    const om_ragged_gemm_args *g = problem->args;
    for (int64_t i = 0; i < g->g; i++) {
        product p = plain(g->dtype, false, trans_b, g->sizes[i], g->n, g->k,
                          offset(g->a, g->dtype, g->offsets[i] * g->k),
                          offset(g->b, g->dtype, i * g->n * g->k),
                          (void *)(uintptr_t)offset(g->d, g->dtype, g->offsets[i] * g->n));
        OM_TRY(multiply(self, &p, (scratch){workspace}, err));
    }
    return OM_OK;
}

static om_status run_ragged_nt(void *self, const om_problem *problem, void *workspace,
                               om_error *err)
{
    return ragged(self, problem, true, workspace, err);
}

static om_status run_ragged_nn(void *self, const om_problem *problem, void *workspace,
                               om_error *err)
{
    return ragged(self, problem, false, workspace, err);
}

/* d[g] = (rows of a)ᵀ · rows of b; with tt the rows of b are columns of its storage. */
static om_status ragged_weights(void *self, const om_problem *problem, bool trans_b,
                                void *workspace, om_error *err)
{
    const om_ragged_gemm_args *g = problem->args;
    for (int64_t i = 0; i < g->g; i++) {
        int64_t rows = g->sizes[i], first = g->offsets[i];
        product p =
            plain(g->dtype, true, trans_b, g->n, g->k, rows, offset(g->a, g->dtype, first * g->n),
                  offset(g->b, g->dtype, trans_b ? first : first * g->k),
                  (void *)(uintptr_t)offset(g->d, g->dtype, i * g->n * g->k));
        if (trans_b)
            p.b.stride = g->s;
        OM_TRY(multiply(self, &p, (scratch){workspace}, err));
    }
    return OM_OK;
}

static om_status run_ragged_tn(void *self, const om_problem *problem, void *workspace,
                               om_error *err)
{
    return ragged_weights(self, problem, false, workspace, err);
}

static om_status run_ragged_tt(void *self, const om_problem *problem, void *workspace,
                               om_error *err)
{
    return ragged_weights(self, problem, true, workspace, err);
}

static float activate(float x, int activation)
{
    return activation == OM_SILU ? x / (1 + expf(-x)) : 0.5f * x * (1 + erff(x * 0.70710678f));
}

/* One product for gate and up together, then the pointwise part. */
static om_status run_gate_up(void *opaque, const om_problem *problem, void *workspace,
                             om_error *err)
{
    om_sgemm *self = opaque;
    const om_moe_gate_up_args *g = problem->args;
    for (int64_t e = 0; e < g->e; e++) {
        int64_t rows = g->sizes[e], first = g->offsets[e];
        scratch s = {workspace};
        float *both = take(&s, rows * 2 * g->f), *c = take(&s, rows * g->f);
        product p =
            plain(g->dtype, false, true, rows, 2 * g->f, g->k, offset(g->a, g->dtype, first * g->k),
                  offset(g->b, g->dtype, e * 2 * g->f * g->k), both);
        p.d_dtype = OM_F32;
        OM_TRY(multiply(self, &p, s, err));
#pragma omp parallel for schedule(static) num_threads(self->threads)
        for (int64_t row = 0; row < rows; row++)
            for (int64_t j = 0; j < g->f; j++)
                c[row * g->f + j] = activate(both[row * 2 * g->f + j], g->activation) *
                                    both[row * 2 * g->f + g->f + j];
        om__narrow((void *)(uintptr_t)offset(g->c, g->dtype, first * g->f), c, g->dtype,
                   rows * g->f, self->threads);
    }
    return OM_OK;
}

static const om_serve rows[] = {
    {"gemm", NULL, NULL, NULL, run_gemm},
    {"gemm", "backward", NULL, NULL, run_gemm_backward},
    {"bmm", NULL, NULL, NULL, run_bmm},
    {"bmm_fp8_nk", NULL, NULL, NULL, run_bmm_fp8_nk},
    {"bmm_fp8_kn", NULL, NULL, NULL, run_bmm_fp8_kn},
    {"gemm_fp8", NULL, NULL, NULL, run_gemm_fp8},
    {"gemm_w4a16", NULL, NULL, NULL, run_gemm_w4a16},
    {"grouped_gemm", NULL, NULL, NULL, run_grouped_gemm},
    {"grouped_gemm", "backward", NULL, NULL, run_grouped_gemm_backward},
    {"grouped_gemm_nt", NULL, NULL, NULL, run_ragged_nt},
    {"grouped_gemm_nn", NULL, NULL, NULL, run_ragged_nn},
    {"grouped_gemm_tn", NULL, NULL, NULL, run_ragged_tn},
    {"grouped_gemm_tt", NULL, NULL, NULL, run_ragged_tt},
    {"moe_grouped_gemm", NULL, NULL, NULL, run_ragged_nt},
    {"moe_gate_up", NULL, NULL, NULL, run_gate_up},
};

/* ---- the provider's functions ---- */

typedef struct sgemm_plan {
    const om_serve *serve;
    bool is_plain; /* nothing to convert */
} sgemm_plan;

static om_status find(const om_sgemm *self, const om_problem *problem, const om_serve **serve,
                      om_error *err)
{
    const om_serve_table table = {self->provider, rows, sizeof rows / sizeof rows[0]};
    return om__serve_find(&table, problem, serve, err);
}

om_status om__sgemm_query(void *opaque, const om_problem *problem, om_error *err)
{
    const om_sgemm *self = opaque;
    const om_serve *serve = NULL;
    OM_TRY(find(self, problem, &serve, err));
    for (size_t i = 0; i < problem->tensor_count; i++)
        for (int axis = 0; axis < problem->tensors[i].tensor.rank; axis++)
            if (problem->tensors[i].tensor.shape[axis] > self->largest)
                return om__error_set(err, OM_UNSUPPORTED, "%s: a dimension above %lld",
                                     self->provider, (long long)self->largest);
    return OM_OK;
}

/* Each operand of the largest single product as f32, and gate_up's two intermediate results.
 * Tensors of three axes are taken one matrix at a time. */
static size_t workspace_of(const om_problem *problem)
{
    size_t bytes = 0;
    for (size_t i = 0; i < problem->tensor_count; i++) {
        const om_tensor *tensor = &problem->tensors[i].tensor;
        int64_t count = om_tensor_count(tensor);
        if (tensor->rank == 3 && tensor->shape[0] > 0)
            count /= tensor->shape[0];
        if (tensor->rank >= 2)
            bytes += block_bytes(count) * (problem->tensors[i].is_output ? 3 : 1);
    }
    return bytes;
}

om_status om__sgemm_prepare(void *opaque, const om_problem *problem, void **plan,
                            size_t *workspace_bytes, om_error *err)
{
    const om_serve *serve = NULL;
    OM_TRY(find(opaque, problem, &serve, err));
    sgemm_plan *p = calloc(1, sizeof *p);
    if (p == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for a plan");
    p->serve = serve;
    om_dtype dtype = problem->tensors[0].tensor.dtype;
    p->is_plain = dtype == OM_F32 || (dtype == OM_BF16 && ((om_sgemm *)opaque)->native_bf16);
    for (size_t i = 0; i < problem->tensor_count; i++)
        p->is_plain &= problem->tensors[i].tensor.dtype == dtype;
    *workspace_bytes = workspace_of(problem);
    *plan = p;
    return OM_OK;
}

om_status om__sgemm_run(void *self, void *plan, const om_problem *problem, void *workspace,
                        om_error *err)
{
    const sgemm_plan *p = plan;
    return p->serve->run(self, problem, workspace, err);
}

void om__sgemm_release(void *self, void *plan)
{
    (void)self;
    free(plan);
}

void om__sgemm_explain(void *opaque, void *plan, char *text, size_t size)
{
    const om_sgemm *self = opaque;
    const sgemm_plan *p = plan;
    if (p->is_plain)
        snprintf(text, size, "%s", self->call);
    else
        snprintf(text, size, "operands to f32, %s, one rounding: all timed", self->call);
}
