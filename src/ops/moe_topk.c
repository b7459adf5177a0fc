/* SPDX-License-Identifier: Apache-2.0 */
/* moe_topk.c: the contract of the routing of tokens to experts. */
#include "opmark/moe_topk.h"

#include <stdlib.h>
#include <string.h>

#include "ops/reference.h"
#include "ops/route.h"

extern const om_op om_op_moe_topk;

static const char *const score_words[] = {"softmax", "sigmoid", NULL};

static const om_field fields[] = {
    OM_INT_FIELD(om_moe_topk_args, t, NULL, 0, OM_INT32_MAX, "tokens"),
    OM_INT_FIELD(om_moe_topk_args, e, NULL, 1, OM_INT32_MAX, "experts"),
    OM_INT_FIELD(om_moe_topk_args, k, NULL, 1, OM_INT32_MAX, "experts of a token"),
    OM_DTYPE_FIELD(om_moe_topk_args, dtype, "bf16", "of the gating logits: bf16, fp16 or f32"),
    OM_WORD_FIELD(om_moe_topk_args, score, "softmax", score_words, "how logits become weights"),
    OM_FLAG_FIELD(om_moe_topk_args, renormalize, "make the weights of a token add up to 1"),
    OM_FLAG_FIELD(om_moe_topk_args, has_bias, "select by score + bias (sigmoid only)"),
    OM_FLOAT_FIELD(om_moe_topk_args, routed_scaling_factor, "1", "multiplies the weights last"),
};

enum { GATING, BIAS, WEIGHTS, IDS };
static const om_port ports[] = {
    [GATING] = OM_IN(om_moe_topk_args, gating),
    [BIAS] = OM_IN_OPTIONAL(om_moe_topk_args, bias),
    [WEIGHTS] = OM_OUT(om_moe_topk_args, weights),
    [IDS] = OM_OUT(om_moe_topk_args, ids),
};

static om_status check(const void *args, om_error *err)
{
    const om_moe_topk_args *p = args;
    OM_TRY(om__dtype_check("dtype", p->dtype, OM_FLOATS_16_32, err));
    OM_TRY(om__finite_check("routed_scaling_factor", p->routed_scaling_factor, err));
    if (p->k > p->e)
        return om__error_set(err, OM_INVALID, "k is %lld, more than the %lld experts",
                             (long long)p->k, (long long)p->e);
    if (p->has_bias && p->score != OM_MOE_SIGMOID)
        return om__error_set(err, OM_INVALID, "has_bias needs score=sigmoid");
    return OM_OK;
}

static om_status describe(const void *args, om_tensor *tensors, om_error *err)
{
    const om_moe_topk_args *p = args;
    OM_TRY(OM_SHAPE(&tensors[GATING], p->dtype, err, p->t, p->e));
    if (p->has_bias)
        OM_TRY(OM_SHAPE(&tensors[BIAS], OM_F32, err, p->e));
    else
        tensors[BIAS] = (om_tensor){0};
    OM_TRY(OM_SHAPE(&tensors[WEIGHTS], OM_F32, err, p->t, p->k));
    return OM_SHAPE(&tensors[IDS], OM_I32, err, p->t, p->k);
}

static void fill(const void *args, size_t port, om_fill *fill)
{
    (void)args;
    if (port == GATING)
        om__fill_set_normal(fill, 1);
    else if (port == BIAS)
        om__fill_set_normal(fill, 0.1);
}

static om_work work(const void *args, const om_tensor *tensors)
{
    const om_moe_topk_args *p = args;
    double t = (double)p->t, e = (double)p->e, k = (double)p->k;
    (void)tensors;
    return (om_work){
        .flops = 2 * t * e * (1 + k),
        .bytes = t * e * om_dtype_bits(p->dtype) / 8 + 8 * t * k + (p->has_bias ? 4 * e : 0),
    };
}

static om_tolerance tolerance(const void *args, size_t port)
{
    (void)args;
    return port == WEIGHTS ? om__tolerance_rounded(OM_F32) : om__tolerance_exact();
}

static om_route route_of(const om_moe_topk_args *p)
{
    return (om_route){
        .e = p->e,
        .k = p->k,
        .score = p->score,
        .renormalize = p->renormalize,
        .factor = p->routed_scaling_factor,
        .dtype = p->dtype,
        .gating = p->gating,
        .bias = p->has_bias ? p->bias : NULL,
    };
}

/* Both outputs have the same rows, but each may be asked for by a sample of its own. */
static om_status reference(const void *args, const om_rows *rows, om_error *err)
{
    const om_moe_topk_args *p = args;
    om_route route = route_of(p);
    om_route_token token;
    OM_TRY(om__route_token_create(&route, &token, err));
    for (size_t port = WEIGHTS; port <= IDS; port++) {
        int64_t count = om__rows_count(rows, port, p->t);
        for (int64_t i = 0; i < count; i++) {
            int64_t t = om__rows_get(rows, port, i);
            om__route_token_load(&route, t, &token);
            om__route_token_select(&route, &token, p->ids + t * p->k);
            om__route_token_weigh(&route, &token, p->ids + t * p->k, p->weights + t * p->k);
        }
        if (!rows)
            break;
    }
    om__route_token_release(&token);
    return OM_OK;
}

/* Where the ids that were got are an order the contract leaves free, they become what is wanted,
 * with the weights that belong to them. */
static void accept_near_tie(const om_route *route, om_route_token *token, int64_t t,
                            const int32_t *got_ids, int32_t *ids, float *weights)
{
    int64_t k = route->k;
    if (memcmp(got_ids + t * k, ids + t * k, (size_t)k * sizeof *ids) == 0)
        return;
    om__route_token_load(route, t, token);
    if (!om__route_token_allows(route, token, got_ids + t * k))
        return;
    memcpy(ids + t * k, got_ids + t * k, (size_t)k * sizeof *ids);
    om__route_token_weigh(route, token, ids + t * k, weights + t * k);
}

static om_status accept_near_ties(const om_moe_topk_args *p, const om_tensor *got,
                                  const om_tensor *inputs, const om_rows *rows, int32_t *ids,
                                  float *weights, om_error *err)
{
    om_route route = route_of(p);
    route.gating = inputs[GATING].data;
    route.bias = inputs[BIAS].data;
    om_route_token token;
    OM_TRY(om__route_token_create(&route, &token, err));
    for (size_t port = WEIGHTS; port <= IDS; port++) {
        int64_t count = om__rows_count(rows, port, p->t);
        for (int64_t i = 0; i < count; i++)
            accept_near_tie(&route, &token, om__rows_get(rows, port, i), got[IDS].data, ids,
                            weights);
    }
    om__route_token_release(&token);
    return OM_OK;
}

static om_status judge(const void *args, const om_tensor *got, const om_tensor *want,
                       const om_rows *rows, om_check *found, om_error *err)
{
    const om_moe_topk_args *p = args;
    if (!p->has_bias)
        return om__judge_standard(&om_op_moe_topk, args, got, want, rows, found, err);
    om_tensor mine[OM_COUNT(ports)];
    memcpy(mine, want, sizeof mine);
    int32_t *ids = om__scratch(p->t * p->k, sizeof *ids, err);
    float *weights = om__scratch(p->t * p->k, sizeof *weights, err);
    om_status status = ids && weights ? OM_OK : OM_NO_MEMORY;
    if (status != OM_OK)
        goto out;
    memcpy(ids, want[IDS].data, (size_t)om_tensor_size_bytes(&want[IDS]));
    memcpy(weights, want[WEIGHTS].data, (size_t)om_tensor_size_bytes(&want[WEIGHTS]));
    mine[IDS].data = ids;
    mine[WEIGHTS].data = weights;
    OM_TRY_OUT(accept_near_ties(p, got, want, rows, ids, weights, err));
    status = om__judge_standard(&om_op_moe_topk, args, got, mine, rows, found, err);
out:
    free(weights);
    free(ids);
    return status;
}

const om_op om_op_moe_topk = {
    .name = "moe_topk",
    .pass = "forward",
    .summary = "the K best experts of each token and their weights",
    .args_size = sizeof(om_moe_topk_args),
    .fields = fields,
    .field_count = OM_COUNT(fields),
    .ports = ports,
    .port_count = OM_COUNT(ports),
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
