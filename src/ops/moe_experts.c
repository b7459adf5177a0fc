/* SPDX-License-Identifier: Apache-2.0 */
/* moe_experts.c: the contract of the experts of a mixture, from tokens to tokens. */
#include "opmark/moe_experts.h"

#include <stdlib.h>
#include <string.h>

#include "ops/mlp.h"
#include "ops/permute.h"
#include "ops/popularity.h"

static const om_field fields[] = {
    OM_INT_FIELD(om_moe_experts_args, t, NULL, 0, OM_INT32_MAX, "tokens"),
    OM_INT_FIELD(om_moe_experts_args, h, NULL, 0, OM_INT32_MAX, "hidden size"),
    OM_INT_FIELD(om_moe_experts_args, f, NULL, 0, OM_INT32_MAX, "FFN size of an expert"),
    OM_INT_FIELD(om_moe_experts_args, e, NULL, 1, OM_INT32_MAX, "experts"),
    OM_INT_FIELD(om_moe_experts_args, k, NULL, 1, OM_INT32_MAX, "experts of a token"),
    OM_INT_FIELD(om_moe_experts_args, e_local, "0", 0, OM_INT32_MAX,
                 "experts of this rank; 0: all (other values need has_map)"),
    OM_DTYPE_FIELD(om_moe_experts_args, dtype, "bf16", "of rows and weights: bf16 or fp16"),
    OM_FLAG_FIELD(om_moe_experts_args, has_map, "an expert map says which experts are local"),
    OM_WORD_FIELD(om_moe_experts_args, routing, "uniform", om__routing_words,
                  "how the ids are drawn"),
};

enum { HIDDEN, W_GATE_UP, W_DOWN, WEIGHTS, IDS, MAP, OUT };
static const om_port ports[] = {
    [HIDDEN] = OM_IN(om_moe_experts_args, hidden),
    [W_GATE_UP] = OM_WEIGHT(om_moe_experts_args, w_gate_up),
    [W_DOWN] = OM_WEIGHT(om_moe_experts_args, w_down),
    [WEIGHTS] = OM_IN(om_moe_experts_args, weights),
    [IDS] = OM_IN(om_moe_experts_args, ids),
    [MAP] = OM_IN_OPTIONAL(om_moe_experts_args, expert_map),
    [OUT] = OM_OUT(om_moe_experts_args, out),
};

static int64_t local_experts(const om_moe_experts_args *p)
{
    return p->e_local > 0 ? p->e_local : p->e;
}

static om_status check(const void *args, om_error *err)
{
    const om_moe_experts_args *p = args;
    OM_TRY(om__dtype_check("dtype", p->dtype, OM_FLOATS_16, err));
    OM_TRY(om__index_check("t·k", p->t, p->k, err));
    return om__routing_check(p->k, p->e, local_experts(p), p->has_map, err);
}

static om_status describe(const void *args, om_tensor *tensors, om_error *err)
{
    const om_moe_experts_args *p = args;
    int64_t local = local_experts(p);
    OM_TRY(OM_SHAPE(&tensors[HIDDEN], p->dtype, err, p->t, p->h));
    OM_TRY(OM_SHAPE(&tensors[W_GATE_UP], p->dtype, err, local, 2 * p->f, p->h));
    OM_TRY(OM_SHAPE(&tensors[W_DOWN], p->dtype, err, local, p->h, p->f));
    OM_TRY(OM_SHAPE(&tensors[WEIGHTS], OM_F32, err, p->t, p->k));
    OM_TRY(OM_SHAPE(&tensors[IDS], OM_I32, err, p->t, p->k));
    tensors[MAP] = (om_tensor){0};
    if (p->has_map)
        OM_TRY(OM_SHAPE(&tensors[MAP], OM_I32, err, p->e));
    return OM_SHAPE(&tensors[OUT], p->dtype, err, p->t, p->h);
}

static void fill(const void *args, size_t port, om_fill *fill)
{
    const om_moe_experts_args *p = args;
    if (port == HIDDEN)
        om__fill_set_normal(fill, 1);
    else if (port == W_GATE_UP || port == W_DOWN)
        om__fill_set_normal(fill, 0.02);
    else if (port == WEIGHTS)
        om__fill_set_uniform(fill, 0, 1);
    else if (port == IDS && p->routing == OM_MOE_UNIFORM)
        om__fill_set_ids(fill, p->k, p->e);
    else
        om__fill_set_host(fill);
}

static om_status fill_host(const void *args, size_t port, uint64_t seed, om_tensor *tensors,
                           om_error *err)
{
    const om_moe_experts_args *p = args;
    if (port == IDS)
        return om__draw_ids(p->routing, seed, (uint32_t)port, p->t, p->k, p->e, tensors[port].data,
                            err);
    om__draw_expert_map(p->e, local_experts(p), tensors[port].data);
    return OM_OK;
}

static om_work work(const void *args, const om_tensor *tensors)
{
    const om_moe_experts_args *p = args;
    double t = (double)p->t, h = (double)p->h, f = (double)p->f;
    double choices = t * (double)p->k, share = (double)local_experts(p) / (double)p->e;
    double rows = choices * share, hit = om__experts_hit(p->t, p->k, p->e) * share;
    if (tensors && tensors[IDS].data) {
        const int32_t *ids = tensors[IDS].data, *map = tensors[MAP].data;
        rows = (double)om__permute_count_local(ids, p->t * p->k, p->e, local_experts(p), map);
        hit = (double)om__permute_count_hit(ids, p->t * p->k, p->e, local_experts(p), map);
    }
    double element = om_dtype_bits(p->dtype) / 8.0;
    return (om_work){
        .flops = 6 * rows * f * h,
        .bytes = (3 * hit * f * h + 2 * t * h) * element + 8 * choices +
                 (p->has_map ? 4 * (double)p->e : 0),
    };
}

static om_tolerance tolerance(const void *args, size_t port)
{
    (void)port;
    return om__tolerance_rounded(((const om_moe_experts_args *)args)->dtype);
}

static om_status reference(const void *args, const om_rows *rows, om_error *err)
{
    const om_moe_experts_args *p = args;
    int64_t count = om__rows_count(rows, OUT, p->t), k = p->k;
    int32_t *ids = om__scratch(count * k, sizeof *ids, err);
    float *weights = om__scratch(count * k, sizeof *weights, err);
    double *sums = om__scratch(count * p->h, sizeof *sums, err);
    om_status status = ids && weights && sums ? OM_OK : OM_NO_MEMORY;
    if (status != OM_OK)
        goto out;
    memset(sums, 0, (size_t)(count * p->h) * sizeof *sums);
    for (int64_t i = 0; i < count; i++) {
        int64_t t = om__rows_get(rows, OUT, i);
        memcpy(ids + i * k, p->ids + t * k, (size_t)k * sizeof *ids);
        memcpy(weights + i * k, p->weights + t * k, (size_t)k * sizeof *weights);
    }
    const om_experts experts = {
        .h = p->h,
        .f = p->f,
        .e = p->e,
        .k = k,
        .e_local = local_experts(p),
        .dtype = p->dtype,
        .hidden = p->hidden,
        .w_gate_up = p->w_gate_up,
        .w_down = p->w_down,
        .map = p->has_map ? p->expert_map : NULL,
    };
    OM_TRY_OUT(om__reference_experts(&experts, count, rows ? rows[OUT].index : NULL, ids, weights,
                                     sums, err));
    for (int64_t i = 0; i < count * p->h; i++)
        om__store_f64(p->out, p->dtype, om__rows_get(rows, OUT, i / p->h) * p->h + i % p->h,
                      sums[i]);
out:
    free(sums);
    free(weights);
    free(ids);
    return status;
}

const om_op om_op_moe_experts = {
    .name = "moe_experts",
    .pass = "forward",
    .summary = "each token's weighted sum of its experts' MLPs",
    .args_size = sizeof(om_moe_experts_args),
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
