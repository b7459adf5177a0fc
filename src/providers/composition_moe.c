/* SPDX-License-Identifier: Apache-2.0 */
/* composition_moe.c: mixtures of experts as routing, permutation, grouped products and sums. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "core/convert.h"
#include "providers/composition.h"

/* ---- the experts ---- */

/* The sizes a run of experts needs; both forms of fused_moe and moe_experts fill one. */
typedef struct experts {
    om_moe_experts_args args;
    void *perm, *act, *down; /* [T·K,H], [T·K,F], [T·K,H] */
    int32_t *offsets, *sizes, *fwd_idx;
    int64_t *first;
} experts;

static size_t experts_bytes(int64_t slots, int64_t h, int64_t f, int64_t e, om_dtype dtype)
{
    size_t element = om__element_of(dtype);
    return 2 * om__block_bytes(slots * h, element) + om__block_bytes(slots * f, element) +
           3 * om__block_bytes(slots + e + 1, sizeof(int32_t)) +
           om__block_bytes(e + 1, sizeof(int64_t));
}

static void take_experts(experts *x, char **at)
{
    const om_moe_experts_args *a = &x->args;
    int64_t slots = a->t * a->k;
    size_t element = om__element_of(a->dtype);
    x->perm = om__block_take(at, slots * a->h, element);
    x->act = om__block_take(at, slots * a->f, element);
    x->down = om__block_take(at, slots * a->h, element);
    x->offsets = om__block_take(at, a->e_local, sizeof(int32_t));
    x->sizes = om__block_take(at, a->e_local, sizeof(int32_t));
    x->fwd_idx = om__block_take(at, slots, sizeof(int32_t));
    x->first = om__block_take(at, a->e_local + 1, sizeof(int64_t));
}

static om_status run_parts(const om__composition *self, experts *x, om_error *err)
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
    size_t element = om__element_of(a->dtype);
    return experts_bytes(a->t * a->k, a->h, a->f, a->e, a->dtype) +
           om__block_bytes(a->t * a->k, sizeof(float)) +
           om__block_bytes(a->t * a->k, sizeof(int32_t)) + om__block_bytes(a->t * a->fs, element) +
           om__block_bytes(a->t * a->h, element);
}

/* out += other, both of dtype. */
static void add(const om__composition *self, void *out, const void *other, om_dtype dtype,
                int64_t count)
{
    enum { CHUNK = 4096 };
    size_t element = om__element_of(dtype);
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
static om_status run_shared(const om__composition *self, const om_shared_fused_moe_args *a,
                            char *at, om_error *err)
{
    size_t element = om__element_of(a->dtype);
    const int32_t size = (int32_t)a->t, offset = 0;
    void *act = om__block_take(&at, a->t * a->fs, element),
         *shared = om__block_take(&at, a->t * a->h, element);
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

static om_status run_fused(const om__composition *self, const om_shared_fused_moe_args *a,
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
    float *weights = om__block_take(&at, a->t * a->k, sizeof *weights);
    int32_t *ids = om__block_take(&at, a->t * a->k, sizeof *ids);
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

/* ---- gate and up: one product of both, then the activation ---- */

static size_t gate_up_workspace(const om_problem *problem)
{
    const om_moe_gate_up_args *a = problem->args;
    return om__block_bytes(a->s * 2 * a->f, om__element_of(a->dtype));
}

/* c = act(gate) · up for rows [first, first + rows) of [gate | up]. */
static void activate(const om__composition *self, const om_moe_gate_up_args *a, const char *both,
                     int64_t first, int64_t rows)
{
    enum { CHUNK = 512 };
    const size_t element = om__element_of(a->dtype);
    (void)self;
#pragma omp parallel for schedule(static) num_threads(self->threads)
    for (int64_t r = first; r < first + rows; r++)
        for (int64_t at = 0; at < a->f; at += CHUNK) {
            float gate[CHUNK], up[CHUNK];
            const int64_t size = a->f - at < CHUNK ? a->f - at : CHUNK;
            const char *from = both + (size_t)(r * 2 * a->f + at) * element;
            om__widen(gate, from, a->dtype, size, 1);
            om__widen(up, from + (size_t)a->f * element, a->dtype, size, 1);
            for (int64_t i = 0; i < size; i++) {
                const float x = gate[i];
                const float y = a->activation == OM_GELU ? 0.5f * x * (1 + erff(x * 0.70710678f))
                                                         : x / (1 + expf(-x));
                gate[i] = y * up[i];
            }
            om__narrow((char *)a->c + (size_t)(r * a->f + at) * element, gate, a->dtype, size, 1);
        }
}

static om_status run_gate_up(void *opaque, const om_problem *problem, void *workspace,
                             om_error *err)
{
    const om__composition *self = opaque;
    const om_moe_gate_up_args *a = problem->args;
    const om_ragged_gemm_args both = {.g = a->e,
                                      .s = a->s,
                                      .n = 2 * a->f,
                                      .k = a->k,
                                      .dtype = a->dtype,
                                      .a = a->a,
                                      .b = a->b,
                                      .sizes = a->sizes,
                                      .offsets = a->offsets,
                                      .d = workspace};
    OM_TRY(om_moe_grouped_gemm(self->context, &both, err));
    for (int64_t e = 0; e < a->e; e++)
        activate(self, a, workspace, a->offsets[e], a->sizes[e]);
    return OM_OK;
}

/* Results rounded to fp16 between the parts are further from the contract than its tolerance. */
static om_status query_dtype(void *self, const om_problem *problem, om_error *err)
{
    (void)self;
    const om_tensor *hidden = om__problem_tensor(problem, "hidden");
    if (hidden == NULL)
        hidden = om__problem_tensor(problem, "a");
    if (hidden != NULL && hidden->dtype == OM_F16)
        return om__error_set(err, OM_UNSUPPORTED, "the parts round to fp16 in between");
    return OM_OK;
}

/* gate and up are rounded before they meet, one rounding more each than the contract has. Over many
 * values that stays well inside of its tolerance; over few it may not. */
static om_status query_gate_up(void *self, const om_problem *problem, om_error *err)
{
    enum { LEAST_VALUES = 1024 };
    const om_moe_gate_up_args *a = problem->args;
    if (a->dtype == OM_BF16 && a->s * a->f < LEAST_VALUES)
        return om__error_set(err, OM_UNSUPPORTED,
                             "the parts round in between, which shows in fewer than %d values",
                             LEAST_VALUES);
    return query_dtype(self, problem, err);
}

const om_serve om__composition_moe[] = {
    {"moe_gate_up", NULL, query_gate_up, gate_up_workspace, run_gate_up},
    {"moe_experts", NULL, query_dtype, experts_workspace, run_experts},
    {"fused_moe", NULL, query_dtype, fused_workspace, run_fused_moe},
    {"shared_fused_moe", NULL, query_dtype, shared_fused_workspace, run_shared_fused_moe},
    {0},
};
