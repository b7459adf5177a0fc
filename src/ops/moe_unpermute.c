/* SPDX-License-Identifier: Apache-2.0 */
/* moe_unpermute.c: the contract of the weighted sum that brings experts' rows back to tokens. */
#include "opmark/moe_unpermute.h"

#include <stdlib.h>

#include "ops/reference.h"

static const om_field fields[] = {
    OM_INT_FIELD(om_moe_unpermute_args, t, NULL, 0, OM_INT32_MAX, "tokens"),
    OM_INT_FIELD(om_moe_unpermute_args, h, NULL, 0, OM_INT32_MAX, "hidden size"),
    OM_INT_FIELD(om_moe_unpermute_args, k, NULL, 1, OM_INT32_MAX, "experts of a token"),
    OM_DTYPE_FIELD(om_moe_unpermute_args, dtype, "bf16", "of the rows: bf16, fp16 or f32"),
    OM_INT_FIELD(om_moe_unpermute_args, missing, "0", 0, OM_INT32_MAX,
                 "choices drawn as -1: owned by another rank"),
};

enum { ROWS, FWD_IDX, WEIGHTS, OUT };
static const om_port ports[] = {
    [ROWS] = OM_IN(om_moe_unpermute_args, rows),
    [FWD_IDX] = OM_IN(om_moe_unpermute_args, fwd_idx),
    [WEIGHTS] = OM_IN(om_moe_unpermute_args, weights),
    [OUT] = OM_OUT(om_moe_unpermute_args, out),
};

static om_status check(const void *args, om_error *err)
{
    const om_moe_unpermute_args *p = args;
    OM_TRY(om__dtype_check("dtype", p->dtype, OM_FLOATS_16_32, err));
    OM_TRY(om__index_check("t·k", p->t, p->k, err));
    if (p->missing > p->t * p->k)
        return om__error_set(err, OM_INVALID, "missing is %lld, more than the %lld choices",
                             (long long)p->missing, (long long)(p->t * p->k));
    return OM_OK;
}

static om_status describe(const void *args, om_tensor *tensors, om_error *err)
{
    const om_moe_unpermute_args *p = args;
    OM_TRY(OM_SHAPE(&tensors[ROWS], p->dtype, err, p->t * p->k, p->h));
    OM_TRY(OM_SHAPE(&tensors[FWD_IDX], OM_I32, err, p->t, p->k));
    OM_TRY(OM_SHAPE(&tensors[WEIGHTS], OM_F32, err, p->t, p->k));
    return OM_SHAPE(&tensors[OUT], p->dtype, err, p->t, p->h);
}

static void fill(const void *args, size_t port, om_fill *fill)
{
    (void)args;
    if (port == ROWS)
        om__fill_set_normal(fill, 1);
    else if (port == WEIGHTS)
        om__fill_set_uniform(fill, 0, 1);
    else
        om__fill_set_host(fill);
}

/* fwd_idx: the slots in random order, the first `missing` positions of another order set to -1. */
static om_status fill_host(const void *args, size_t port, uint64_t seed, om_tensor *tensors,
                           om_error *err)
{
    const om_moe_unpermute_args *p = args;
    int64_t count = p->t * p->k;
    int32_t *slots = tensors[port].data;
    int32_t *order = om__scratch(count, sizeof *order, err);
    if (!order)
        return OM_NO_MEMORY;
    om_draw draw = {.seed = seed, .tensor = (uint32_t)port};
    for (int64_t i = 0; i < count; i++)
        slots[i] = order[i] = (int32_t)i;
    om__draw_shuffle(&draw, slots, count);
    om__draw_shuffle(&draw, order, count);
    for (int64_t i = 0; i < p->missing; i++)
        slots[order[i]] = -1;
    free(order);
    return OM_OK;
}

static om_work work(const void *args, const om_tensor *tensors)
{
    const om_moe_unpermute_args *p = args;
    (void)tensors;
    double choices = (double)p->t * (double)p->k;
    double present = choices - (double)p->missing;
    double row = (double)p->h * om_dtype_bits(p->dtype) / 8;
    return (om_work){
        .flops = 2 * present * (double)p->h,
        .bytes = present * row + (double)p->t * row + 8 * choices,
    };
}

static om_tolerance tolerance(const void *args, size_t port)
{
    (void)port;
    return om__tolerance_rounded(((const om_moe_unpermute_args *)args)->dtype);
}

static om_status reference(const void *args, const om_rows *rows, om_error *err)
{
    const om_moe_unpermute_args *p = args;
    (void)err;
    int64_t count = om__rows_count(rows, OUT, p->t);
    OM_PARALLEL_FOR(count * p->h * p->k)
    for (int64_t i = 0; i < count; i++) {
        int64_t t = om__rows_get(rows, OUT, i);
        for (int64_t h = 0; h < p->h; h++) {
            double sum = 0;
            for (int64_t k = 0; k < p->k; k++) {
                int64_t slot = p->fwd_idx[t * p->k + k];
                if (slot >= 0)
                    sum += (double)p->weights[t * p->k + k] *
                           om__load_f64(p->rows, p->dtype, slot * p->h + h);
            }
            om__store_f64(p->out, p->dtype, t * p->h + h, sum);
        }
    }
    return OM_OK;
}

const om_op om_op_moe_unpermute = {
    .name = "moe_unpermute",
    .pass = "forward",
    .summary = "experts' rows summed back to their tokens with the routing weights",
    .args_size = sizeof(om_moe_unpermute_args),
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
