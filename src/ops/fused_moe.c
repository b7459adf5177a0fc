/* SPDX-License-Identifier: Apache-2.0 */
/* fused_moe.c: the contracts of whole mixture-of-experts layers, without and with a shared expert.
 */
#include "opmark/fused_moe.h"

#include <stdlib.h>
#include <string.h>

#include "ops/mlp.h"
#include "ops/permute.h"
#include "ops/popularity.h"
#include "ops/route.h"

extern const om_op om_op_fused_moe;
extern const om_op om_op_shared_fused_moe;

static const double BIAS_DEVIATION = 0.1; /* of the drawn correction bias */

static const char *const score_words[] = {"softmax", "sigmoid", NULL};

#define COMMON_FIELDS(args)                                                                        \
    OM_INT_FIELD(args, t, NULL, 0, OM_INT32_MAX, "tokens"),                                        \
        OM_INT_FIELD(args, h, NULL, 0, OM_INT32_MAX, "hidden size"),                               \
        OM_INT_FIELD(args, f, NULL, 0, OM_INT32_MAX, "FFN size of an expert"),                     \
        OM_INT_FIELD(args, e, NULL, 1, OM_INT32_MAX, "experts"),                                   \
        OM_INT_FIELD(args, k, NULL, 1, OM_INT32_MAX, "experts of a token"),                        \
        OM_DTYPE_FIELD(args, dtype, "bf16", "of rows and weights: bf16 or fp16"),                  \
        OM_WORD_FIELD(args, score, "softmax", score_words, "how logits become weights"),           \
        OM_FLAG_FIELD(args, renormalize, "make the weights of a token add up to 1"),               \
        OM_FLAG_FIELD(args, has_bias, "select by score + bias (sigmoid only)"),                    \
        OM_FLOAT_FIELD(args, routed_scaling_factor, "1", "multiplies the routed weights")

static const om_field fields[] = {COMMON_FIELDS(om_fused_moe_args)};
static const om_field shared_fields[] = {
    COMMON_FIELDS(om_shared_fused_moe_args),
    OM_INT_FIELD(om_shared_fused_moe_args, fs, NULL, 0, OM_INT32_MAX,
                 "FFN size of the shared expert"),
};

/* The shared form has two ports more, between the common ones and the output. */
enum { HIDDEN, GATING, BIAS, W_GATE_UP, W_DOWN, OUT, PORTS };
enum { SHARED_GATE_UP = W_DOWN + 1, SHARED_DOWN, SHARED_OUT, SHARED_PORTS };

static const om_port ports[PORTS] = {
    [HIDDEN] = OM_IN(om_fused_moe_args, hidden),
    [GATING] = OM_IN(om_fused_moe_args, gating),
    [BIAS] = OM_IN_OPTIONAL(om_fused_moe_args, bias),
    [W_GATE_UP] = OM_WEIGHT(om_fused_moe_args, w_gate_up),
    [W_DOWN] = OM_WEIGHT(om_fused_moe_args, w_down),
    [OUT] = OM_OUT(om_fused_moe_args, out),
};

static const om_port shared_ports[SHARED_PORTS] = {
    [HIDDEN] = OM_IN(om_shared_fused_moe_args, hidden),
    [GATING] = OM_IN(om_shared_fused_moe_args, gating),
    [BIAS] = OM_IN_OPTIONAL(om_shared_fused_moe_args, bias),
    [W_GATE_UP] = OM_WEIGHT(om_shared_fused_moe_args, w_gate_up),
    [W_DOWN] = OM_WEIGHT(om_shared_fused_moe_args, w_down),
    [SHARED_GATE_UP] = OM_WEIGHT(om_shared_fused_moe_args, shared_w_gate_up),
    [SHARED_DOWN] = OM_WEIGHT(om_shared_fused_moe_args, shared_w_down),
    [SHARED_OUT] = OM_OUT(om_shared_fused_moe_args, out),
};

/* The plain layer is the shared one with an empty shared expert: both are worked on in that form.
 */
static om_shared_fused_moe_args widen(const om_fused_moe_args *p)
{
    return (om_shared_fused_moe_args){
        .t = p->t,
        .h = p->h,
        .f = p->f,
        .e = p->e,
        .k = p->k,
        .dtype = p->dtype,
        .score = p->score,
        .renormalize = p->renormalize,
        .has_bias = p->has_bias,
        .routed_scaling_factor = p->routed_scaling_factor,
        .hidden = p->hidden,
        .gating = p->gating,
        .bias = p->bias,
        .w_gate_up = p->w_gate_up,
        .w_down = p->w_down,
        .out = p->out,
    };
}

static om_status shared_check(const void *args, om_error *err)
{
    const om_shared_fused_moe_args *p = args;
    OM_TRY(om__dtype_check("dtype", p->dtype, OM_FLOATS_16, err));
    OM_TRY(om__finite_check("routed_scaling_factor", p->routed_scaling_factor, err));
    OM_TRY(om__index_check("t·k", p->t, p->k, err));
    if (p->has_bias && p->score != OM_MOE_SIGMOID)
        return om__error_set(err, OM_INVALID, "has_bias needs score=sigmoid");
    return om__routing_check(p->k, p->e, p->e, 0, err);
}

static om_status check(const void *args, om_error *err)
{
    const om_shared_fused_moe_args wide = widen(args);
    return shared_check(&wide, err);
}

static om_status describe_common(const om_shared_fused_moe_args *p, om_tensor *tensors,
                                 om_error *err)
{
    OM_TRY(OM_SHAPE(&tensors[HIDDEN], p->dtype, err, p->t, p->h));
    OM_TRY(OM_SHAPE(&tensors[GATING], OM_F32, err, p->t, p->e));
    tensors[BIAS] = (om_tensor){0};
    if (p->has_bias)
        OM_TRY(OM_SHAPE(&tensors[BIAS], OM_F32, err, p->e));
    OM_TRY(OM_SHAPE(&tensors[W_GATE_UP], p->dtype, err, p->e, 2 * p->f, p->h));
    return OM_SHAPE(&tensors[W_DOWN], p->dtype, err, p->e, p->h, p->f);
}

static om_status describe(const void *args, om_tensor *tensors, om_error *err)
{
    const om_shared_fused_moe_args p = widen(args);
    OM_TRY(describe_common(&p, tensors, err));
    return OM_SHAPE(&tensors[OUT], p.dtype, err, p.t, p.h);
}

static om_status shared_describe(const void *args, om_tensor *tensors, om_error *err)
{
    const om_shared_fused_moe_args *p = args;
    OM_TRY(describe_common(p, tensors, err));
    OM_TRY(OM_SHAPE(&tensors[SHARED_GATE_UP], p->dtype, err, 2 * p->fs, p->h));
    OM_TRY(OM_SHAPE(&tensors[SHARED_DOWN], p->dtype, err, p->h, p->fs));
    return OM_SHAPE(&tensors[SHARED_OUT], p->dtype, err, p->t, p->h);
}

static void fill(const void *args, size_t port, om_fill *fill)
{
    (void)args;
    if (port == HIDDEN || port == GATING)
        om__fill_set_normal(fill, 1);
    else if (port == BIAS)
        om__fill_set_normal(fill, BIAS_DEVIATION);
    else
        om__fill_set_normal(fill, 0.02);
}

/* ---- work ---- */

static om_route route_of(const om_shared_fused_moe_args *p)
{
    return (om_route){
        .e = p->e,
        .k = p->k,
        .score = p->score,
        .renormalize = p->renormalize,
        .factor = p->routed_scaling_factor,
        .dtype = OM_F32,
        .gating = p->gating,
        .bias = p->has_bias ? p->bias : NULL,
    };
}

/* Ids, and weights where not NULL, of `count` tokens. */
static om_status route_tokens(const om_route *route, int64_t count, const int64_t *tokens,
                              int32_t *ids, float *weights, om_error *err)
{
    om_route_token token;
    OM_TRY(om__route_token_create(route, &token, err));
    for (int64_t i = 0; i < count; i++) {
        om__route_token_load(route, tokens ? tokens[i] : i, &token);
        om__route_token_select(route, &token, ids + i * route->k);
        if (weights)
            om__route_token_weigh(route, &token, ids + i * route->k, weights + i * route->k);
    }
    om__route_token_release(&token);
    return OM_OK;
}

static double experts_hit(const om_shared_fused_moe_args *p, const om_tensor *tensors)
{
    double expected = p->has_bias ? om__experts_hit_biased(p->t, p->k, p->e, BIAS_DEVIATION)
                                  : om__experts_hit(p->t, p->k, p->e);
    if (!tensors || !tensors[GATING].data || (p->has_bias && !tensors[BIAS].data))
        return expected;
    om_route route = route_of(p);
    route.gating = tensors[GATING].data;
    route.bias = p->has_bias ? tensors[BIAS].data : NULL;
    int32_t *ids = om__scratch(p->t * p->k, sizeof *ids, NULL);
    if (ids && route_tokens(&route, p->t, NULL, ids, NULL, NULL) == OM_OK)
        expected = (double)om__permute_count_hit(ids, p->t * p->k, p->e, p->e, NULL);
    free(ids);
    return expected;
}

static om_work shared_work(const void *args, const om_tensor *tensors)
{
    const om_shared_fused_moe_args *p = args;
    double t = (double)p->t, h = (double)p->h, f = (double)p->f, fs = (double)p->fs;
    double element = om_dtype_bits(p->dtype) / 8.0, e = (double)p->e;
    double weights = 3 * h * (f * experts_hit(p, tensors) + fs);
    return (om_work){
        .flops = 6 * t * h * ((double)p->k * f + fs),
        .bytes = (weights + 2 * t * h) * element + 4 * t * e + (p->has_bias ? 4 * e : 0),
    };
}

static om_work work(const void *args, const om_tensor *tensors)
{
    const om_shared_fused_moe_args wide = widen(args);
    return shared_work(&wide, tensors);
}

static om_tolerance tolerance(const void *args, size_t port)
{
    (void)port;
    return om__tolerance_rounded(((const om_fused_moe_args *)args)->dtype);
}

static om_tolerance shared_tolerance(const void *args, size_t port)
{
    (void)port;
    return om__tolerance_rounded(((const om_shared_fused_moe_args *)args)->dtype);
}

/* ---- reference ---- */

static om_status add_routed(const om_shared_fused_moe_args *p, int64_t count, const int64_t *tokens,
                            double *sums, om_error *err)
{
    const om_route route = route_of(p);
    int32_t *ids = om__scratch(count * p->k, sizeof *ids, err);
    float *weights = om__scratch(count * p->k, sizeof *weights, err);
    om_status status = ids && weights ? OM_OK : OM_NO_MEMORY;
    if (status != OM_OK)
        goto out;
    const om_experts experts = {
        .h = p->h,
        .f = p->f,
        .e = p->e,
        .k = p->k,
        .e_local = p->e,
        .dtype = p->dtype,
        .hidden = p->hidden,
        .w_gate_up = p->w_gate_up,
        .w_down = p->w_down,
    };
    OM_TRY_OUT(route_tokens(&route, count, tokens, ids, weights, err));
    status = om__reference_experts(&experts, count, tokens, ids, weights, sums, err);
out:
    free(weights);
    free(ids);
    return status;
}

/* The shared expert is one that every token chooses with weight 1. */
static om_status add_shared(const om_shared_fused_moe_args *p, int64_t count, const int64_t *tokens,
                            double *sums, om_error *err)
{
    if (!p->shared_w_gate_up)
        return OM_OK;
    const om_experts shared = {
        .h = p->h,
        .f = p->fs,
        .e = 1,
        .k = 1,
        .e_local = 1,
        .dtype = p->dtype,
        .hidden = p->hidden,
        .w_gate_up = p->shared_w_gate_up,
        .w_down = p->shared_w_down,
    };
    int32_t *ids = om__scratch(count, sizeof *ids, err);
    float *weights = om__scratch(count, sizeof *weights, err);
    om_status status = ids && weights ? OM_OK : OM_NO_MEMORY;
    for (int64_t i = 0; status == OM_OK && i < count; i++) {
        ids[i] = 0;
        weights[i] = 1;
    }
    if (status == OM_OK)
        status = om__reference_experts(&shared, count, tokens, ids, weights, sums, err);
    free(weights);
    free(ids);
    return status;
}

static om_status reference_rows(const om_shared_fused_moe_args *p, const om_rows *rows, size_t port,
                                om_error *err)
{
    int64_t count = om__rows_count(rows, port, p->t);
    const int64_t *tokens = rows ? rows[port].index : NULL;
    double *sums = om__scratch(count * p->h, sizeof *sums, err);
    if (!sums)
        return OM_NO_MEMORY;
    memset(sums, 0, (size_t)(count * p->h) * sizeof *sums);
    om_status status = add_routed(p, count, tokens, sums, err);
    if (status == OM_OK)
        status = add_shared(p, count, tokens, sums, err);
    for (int64_t i = 0; status == OM_OK && i < count; i++)
        for (int64_t h = 0; h < p->h; h++)
            om__store_f64(p->out, p->dtype, (tokens ? tokens[i] : i) * p->h + h,
                          sums[i * p->h + h]);
    free(sums);
    return status;
}

static om_status reference(const void *args, const om_rows *rows, om_error *err)
{
    const om_shared_fused_moe_args wide = widen(args);
    return reference_rows(&wide, rows, OUT, err);
}

static om_status shared_reference(const void *args, const om_rows *rows, om_error *err)
{
    return reference_rows(args, rows, SHARED_OUT, err);
}

/* ---- judgement ---- */

/* Tokens that a rounding could send to other experts are not judged, but counted. */
static om_status judge_clear_tokens(const om_op *op, const void *args,
                                    const om_shared_fused_moe_args *p, size_t port,
                                    const om_tensor *got, const om_tensor *want,
                                    const om_rows *rows, om_check *found, om_error *err)
{
    if (!p->has_bias)
        return om__judge_standard(op, args, got, want, rows, found, err);
    om_route route = route_of(p);
    route.gating = want[GATING].data;
    route.bias = want[BIAS].data;
    int64_t count = om__rows_count(rows, port, p->t);
    int64_t *clear = om__scratch(count, sizeof *clear, err);
    int32_t *ids = om__scratch(p->k, sizeof *ids, err);
    om_rows kept[OM_MAX_PORTS] = {0};
    om_route_token token = {0};
    om_status status = clear && ids ? om__route_token_create(&route, &token, err) : OM_NO_MEMORY;
    if (status != OM_OK)
        goto out;
    kept[port].index = clear;
    for (int64_t i = 0; i < count; i++) {
        int64_t t = om__rows_get(rows, port, i);
        om__route_token_load(&route, t, &token);
        om__route_token_select(&route, &token, ids);
        if (!om__route_token_is_near_tie(&route, &token, ids))
            clear[kept[port].count++] = t;
    }
    status = om__judge_standard(op, args, got, want, kept, found, err);
    found->rows_left_out = count - kept[port].count;
out:
    om__route_token_release(&token);
    free(ids);
    free(clear);
    return status;
}

static om_status judge(const void *args, const om_tensor *got, const om_tensor *want,
                       const om_rows *rows, om_check *found, om_error *err)
{
    const om_shared_fused_moe_args wide = widen(args);
    return judge_clear_tokens(&om_op_fused_moe, args, &wide, OUT, got, want, rows, found, err);
}

static om_status shared_judge(const void *args, const om_tensor *got, const om_tensor *want,
                              const om_rows *rows, om_check *found, om_error *err)
{
    return judge_clear_tokens(&om_op_shared_fused_moe, args, args, SHARED_OUT, got, want, rows,
                              found, err);
}

const om_op om_op_fused_moe = {
    .name = "fused_moe",
    .pass = "forward",
    .summary = "mixture-of-experts layer: routing and experts in one call",
    .args_size = sizeof(om_fused_moe_args),
    .fields = fields,
    .field_count = OM_COUNT(fields),
    .ports = ports,
    .port_count = PORTS,
    .dtype_field = "dtype",
    .check = check,
    .describe = describe,
    .fill = fill,
    .work = work,
    .tolerance = tolerance,
    .reference = reference,
    .judge = judge,
    .judge_inputs = 1u << GATING | 1u << BIAS,
};

const om_op om_op_shared_fused_moe = {
    .name = "shared_fused_moe",
    .pass = "forward",
    .summary = "mixture-of-experts layer with a shared expert beside the routed ones",
    .args_size = sizeof(om_shared_fused_moe_args),
    .fields = shared_fields,
    .field_count = OM_COUNT(shared_fields),
    .ports = shared_ports,
    .port_count = SHARED_PORTS,
    .dtype_field = "dtype",
    .check = shared_check,
    .describe = shared_describe,
    .fill = fill,
    .work = shared_work,
    .tolerance = shared_tolerance,
    .reference = shared_reference,
    .judge = shared_judge,
    .judge_inputs = 1u << GATING | 1u << BIAS,
};
