/* SPDX-License-Identifier: Apache-2.0 */
/* composition.c: the provider `composition`: each fused operator as the sequence of its parts.
 *
 * The parts are opmark's own operators, called one after another through the public interface with
 * their intermediate results in memory, as a program without the fused operator would. It is what
 * fusing has to beat, so it counts as a competitor.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "core/convert.h"
#include "opmark/opmark.h"
#include "providers/providers.h"

typedef struct composition {
    om_context *context;
    int threads;
} composition;

/* ---- workspace: blocks on cache lines, one after another ---- */

static size_t block_bytes(int64_t count, size_t element)
{
    return ((size_t)count * element + 63) / 64 * 64;
}

static void *take(char **at, int64_t count, size_t element)
{
    void *block = *at;
    *at += block_bytes(count, element);
    return block;
}

/* ---- the experts ---- */

/* The sizes a run of experts needs; both forms of fused_moe and moe_experts fill one. */
typedef struct experts {
    om_moe_experts_args args;
    void *perm, *act, *down; /* [T·K,H], [T·K,F], [T·K,H] */
    int32_t *offsets, *sizes, *fwd_idx;
    int64_t *first;
} experts;

static size_t element_of(om_dtype dtype)
{
    return (size_t)om_dtype_bits(dtype) / 8;
}

static size_t experts_bytes(int64_t slots, int64_t h, int64_t f, int64_t e, om_dtype dtype)
{
    size_t element = element_of(dtype);
    return 2 * block_bytes(slots * h, element) + block_bytes(slots * f, element) +
           3 * block_bytes(slots + e + 1, sizeof(int32_t)) + block_bytes(e + 1, sizeof(int64_t));
}

static void take_experts(experts *x, char **at)
{
    const om_moe_experts_args *a = &x->args;
    int64_t slots = a->t * a->k;
    size_t element = element_of(a->dtype);
    x->perm = take(at, slots * a->h, element);
    x->act = take(at, slots * a->f, element);
    x->down = take(at, slots * a->h, element);
    x->offsets = take(at, a->e_local, sizeof(int32_t));
    x->sizes = take(at, a->e_local, sizeof(int32_t));
    x->fwd_idx = take(at, slots, sizeof(int32_t));
    x->first = take(at, a->e_local + 1, sizeof(int64_t));
}

static om_status run_parts(const composition *self, experts *x, om_error *err)
{
    const om_moe_experts_args *a = &x->args;
    int64_t slots = a->t * a->k;
    const om_moe_permute_args permute = {.t = a->t,
                                         .h = a->h,
                                         .e = a->e,
                                         .k = a->k,
                                         .e_local = a->e_local,
                                         .dtype = a->dtype,
                                         .has_map = a->has_map,
                                         .hidden = a->hidden,
                                         .ids = a->ids,
                                         .expert_map = a->expert_map,
                                         .perm_h = x->perm,
                                         .offsets = x->offsets,
                                         .sizes = x->sizes,
                                         .first_token_offset = x->first,
                                         .fwd_idx = x->fwd_idx};
    const om_moe_gate_up_args up = {.e = a->e_local,
                                    .s = slots,
                                    .f = a->f,
                                    .k = a->h,
                                    .dtype = a->dtype,
                                    .a = x->perm,
                                    .b = a->w_gate_up,
                                    .sizes = x->sizes,
                                    .offsets = x->offsets,
                                    .c = x->act};
    const om_ragged_gemm_args down = {.g = a->e_local,
                                      .s = slots,
                                      .n = a->h,
                                      .k = a->f,
                                      .dtype = a->dtype,
                                      .a = x->act,
                                      .b = a->w_down,
                                      .sizes = x->sizes,
                                      .offsets = x->offsets,
                                      .d = x->down};
    const om_moe_unpermute_args unpermute = {.t = a->t,
                                             .h = a->h,
                                             .k = a->k,
                                             .dtype = a->dtype,
                                             .rows = x->down,
                                             .fwd_idx = x->fwd_idx,
                                             .weights = a->weights,
                                             .out = a->out};
    OM_TRY(om_moe_permute(self->context, &permute, err));
    OM_TRY(om_moe_gate_up(self->context, &up, err));
    OM_TRY(om_moe_grouped_gemm(self->context, &down, err));
    return om_moe_unpermute(self->context, &unpermute, err);
}

static size_t experts_workspace(const om_problem *problem)
{
    const om_moe_experts_args *a = problem->args;
    return experts_bytes(a->t * a->k, a->h, a->f, a->e, a->dtype);
}

static om_status run_experts(void *self, const om_problem *problem, void *workspace, om_error *err)
{
    char *at = workspace;
    experts x = {.args = *(const om_moe_experts_args *)problem->args};
    if (x.args.e_local == 0)
        x.args.e_local = x.args.e;
    take_experts(&x, &at);
    return run_parts(self, &x, err);
}

/* ---- routing and experts; the shared form is the superset of both ---- */

static om_shared_fused_moe_args from_plain(const om_fused_moe_args *a)
{
    return (om_shared_fused_moe_args){.t = a->t,
                                      .h = a->h,
                                      .f = a->f,
                                      .e = a->e,
                                      .k = a->k,
                                      .dtype = a->dtype,
                                      .score = a->score,
                                      .renormalize = a->renormalize,
                                      .has_bias = a->has_bias,
                                      .routed_scaling_factor = a->routed_scaling_factor,
                                      .hidden = a->hidden,
                                      .gating = a->gating,
                                      .bias = a->bias,
                                      .w_gate_up = a->w_gate_up,
                                      .w_down = a->w_down,
                                      .out = a->out};
}

static size_t fused_bytes(const om_shared_fused_moe_args *a)
{
    size_t element = element_of(a->dtype);
    return experts_bytes(a->t * a->k, a->h, a->f, a->e, a->dtype) +
           block_bytes(a->t * a->k, sizeof(float)) + block_bytes(a->t * a->k, sizeof(int32_t)) +
           block_bytes(a->t * a->fs, element) + block_bytes(a->t * a->h, element);
}

/* out += other, both of dtype. */
static void add(const composition *self, void *out, const void *other, om_dtype dtype,
                int64_t count)
{
    enum { CHUNK = 4096 };
    size_t element = element_of(dtype);
    (void)self;
#pragma omp parallel for schedule(static) num_threads(self->threads)
    for (int64_t first = 0; first < count; first += CHUNK) {
        float a[CHUNK], b[CHUNK];
        int64_t size = count - first < CHUNK ? count - first : CHUNK;
        om__widen(a, (const char *)out + (size_t)first * element, dtype, size, 1);
        om__widen(b, (const char *)other + (size_t)first * element, dtype, size, 1);
        for (int64_t i = 0; i < size; i++)
            a[i] += b[i];
        om__narrow((char *)out + (size_t)first * element, a, dtype, size, 1);
    }
}

/* The shared expert is a group of all tokens. */
static om_status run_shared(const composition *self, const om_shared_fused_moe_args *a, char *at,
                            om_error *err)
{
    size_t element = element_of(a->dtype);
    const int32_t size = (int32_t)a->t, offset = 0;
    void *act = take(&at, a->t * a->fs, element), *shared = take(&at, a->t * a->h, element);
    const om_moe_gate_up_args up = {.e = 1,
                                    .s = a->t,
                                    .f = a->fs,
                                    .k = a->h,
                                    .dtype = a->dtype,
                                    .a = a->hidden,
                                    .b = a->shared_w_gate_up,
                                    .sizes = &size,
                                    .offsets = &offset,
                                    .c = act};
    const om_gemm_args down = {.m = a->t,
                               .n = a->h,
                               .k = a->fs,
                               .dtype = a->dtype,
                               .trans_b = 1,
                               .a = act,
                               .b = a->shared_w_down,
                               .d = shared};
    OM_TRY(om_moe_gate_up(self->context, &up, err));
    OM_TRY(om_gemm(self->context, &down, err));
    add(self, a->out, shared, a->dtype, a->t * a->h);
    return OM_OK;
}

static om_status run_fused(const composition *self, const om_shared_fused_moe_args *a,
                           void *workspace, om_error *err)
{
    char *at = workspace;
    experts x = {.args = {.t = a->t,
                          .h = a->h,
                          .f = a->f,
                          .e = a->e,
                          .k = a->k,
                          .e_local = a->e,
                          .dtype = a->dtype,
                          .hidden = a->hidden,
                          .w_gate_up = a->w_gate_up,
                          .w_down = a->w_down,
                          .out = a->out}};
    float *weights = take(&at, a->t * a->k, sizeof *weights);
    int32_t *ids = take(&at, a->t * a->k, sizeof *ids);
    const om_moe_topk_args topk = {.t = a->t,
                                   .e = a->e,
                                   .k = a->k,
                                   .dtype = OM_F32,
                                   .score = a->score,
                                   .renormalize = a->renormalize,
                                   .has_bias = a->has_bias,
                                   .routed_scaling_factor = a->routed_scaling_factor,
                                   .gating = a->gating,
                                   .bias = a->bias,
                                   .weights = weights,
                                   .ids = ids};
    x.args.weights = weights;
    x.args.ids = ids;
    take_experts(&x, &at);
    OM_TRY(om_moe_topk(self->context, &topk, err));
    OM_TRY(run_parts(self, &x, err));
    return a->fs > 0 ? run_shared(self, a, at, err) : OM_OK;
}

static size_t fused_workspace(const om_problem *problem)
{
    om_shared_fused_moe_args args = from_plain(problem->args);
    return fused_bytes(&args);
}

static om_status run_fused_moe(void *self, const om_problem *problem, void *workspace,
                               om_error *err)
{
    om_shared_fused_moe_args args = from_plain(problem->args);
    return run_fused(self, &args, workspace, err);
}

static size_t shared_fused_workspace(const om_problem *problem)
{
    return fused_bytes(problem->args);
}

static om_status run_shared_fused_moe(void *self, const om_problem *problem, void *workspace,
                                      om_error *err)
{
    return run_fused(self, problem->args, workspace, err);
}

/* ---- attention: two products with a softmax between them, one head after another ---- */

typedef struct head {
    float *q, *k, *v, *s, *o; /* [S,D] three times, [S,S], [S,D] */
} head;

static size_t attention_workspace(const om_problem *problem)
{
    const om_attention_args *a = problem->args;
    return 4 * block_bytes(a->s * a->d, sizeof(float)) + block_bytes(a->s * a->s, sizeof(float));
}

/* Rows of one head out of [B,S,heads,D], as f32. */
static void gather(const composition *self, float *to, const void *from, const om_attention_args *a,
                   int64_t batch, int64_t heads, int64_t which)
{
    size_t element = element_of(a->dtype);
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

static om_status run_head(const composition *self, const om_attention_args *a, const head *h,
                          int64_t batch, int64_t which, om_error *err)
{
    size_t element = element_of(a->dtype);
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
    const composition *self = opaque;
    om_attention_args given = *(const om_attention_args *)problem->args;
    given.b = given.b != 0 ? given.b : 1;
    given.hkv = given.hkv != 0 ? given.hkv : given.hq;
    const om_attention_args *a = &given;
    char *at = workspace;
    int64_t plane = a->s * a->d, group = a->hq / a->hkv;
    head h = {take(&at, plane, 4), take(&at, plane, 4), take(&at, plane, 4),
              take(&at, a->s * a->s, 4), take(&at, plane, 4)};
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

/* ---- fp8_linear: casts, then a product of fp8 operands ---- */

static om_status run_fp8_linear(void *opaque, const om_problem *problem, void *workspace,
                                om_error *err)
{
    (void)workspace;
    const composition *self = opaque;
    const om_fp8_linear_args *a = problem->args;
    int scaling = a->scaling == OM_FP8_CURRENT ? OM_CAST_CURRENT : OM_CAST_GIVEN;
    const om_cast_args cast_x = {.m = a->m,
                                 .h = a->k,
                                 .scaling = scaling,
                                 .x = a->x,
                                 .y = a->x_fp8,
                                 .scale = a->scale_x,
                                 .amax = a->amax_x};
    const om_cast_args cast_w = {.m = a->n,
                                 .h = a->k,
                                 .scaling = scaling,
                                 .x = a->w,
                                 .y = a->w_fp8,
                                 .scale = a->scale_w,
                                 .amax = a->amax_w};
    OM_TRY(om_cast(self->context, &cast_x, err));
    OM_TRY(om_cast(self->context, &cast_w, err));
    float inverse_x = 1 / a->scale_x[0], inverse_w = 1 / a->scale_w[0];
    const om_gemm_fp8_args product = {.m = a->m,
                                      .n = a->n,
                                      .k = a->k,
                                      .a = a->x_fp8,
                                      .b = a->w_fp8,
                                      .scale_a = &inverse_x,
                                      .scale_b = &inverse_w,
                                      .d = a->d};
    return om_gemm_fp8(self->context, &product, err);
}

/* Results rounded to fp16 between the parts are further from the contract than its tolerance. */
static om_status query_dtype(void *self, const om_problem *problem, om_error *err)
{
    (void)self;
    const om_tensor *hidden = om__problem_tensor(problem, "hidden");
    if (hidden != NULL && hidden->dtype == OM_F16)
        return om__error_set(err, OM_UNSUPPORTED, "the parts round to fp16 in between");
    return OM_OK;
}

static const om_serve rows[] = {
    {"moe_experts", NULL, query_dtype, experts_workspace, run_experts},
    {"fused_moe", NULL, query_dtype, fused_workspace, run_fused_moe},
    {"shared_fused_moe", NULL, query_dtype, shared_fused_workspace, run_shared_fused_moe},
    {"attention", NULL, NULL, attention_workspace, run_attention},
    {"fp8_linear", NULL, NULL, NULL, run_fp8_linear},
};

static const om_serve_table table = {"composition", rows, sizeof rows / sizeof rows[0]};

static om_status composition_open(const om_provider_host *host, void **out, om_error *err)
{
    composition *self = calloc(1, sizeof *self);
    if (self == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for a provider");
    self->context = host->context;
    self->threads = host->threads > 0 ? host->threads : 1;
    *out = self;
    return OM_OK;
}

static void composition_close(void *self)
{
    free(self);
}

static void composition_describe(void *self, char *version, size_t version_size, char *details,
                                 size_t details_size)
{
    (void)self;
    snprintf(version, version_size, "opmark %s", om_version());
    snprintf(details, details_size, "parts=opmark's own operators\n");
}

static om_status composition_query(void *self, const om_problem *problem, om_error *err)
{
    return om__serve_query(&table, self, problem, err);
}

static om_status composition_prepare(void *self, const om_problem *problem, void **plan,
                                     size_t *workspace_bytes, om_error *err)
{
    (void)self;
    return om__serve_prepare(&table, problem, plan, workspace_bytes, err);
}

const om_provider om_provider_composition = {
    .abi = OM_PROVIDER_ABI,
    .name = "composition",
    .role = OM_ROLE_COMPETITOR,
    .device_kind = "cpu",
    .summary = "fused operators as the sequence of their parts, by opmark's own operators",
    .open = composition_open,
    .close = composition_close,
    .describe = composition_describe,
    .query = composition_query,
    .prepare = composition_prepare,
    .run = om__serve_run,
    .release = om__serve_release,
};
