/* SPDX-License-Identifier: Apache-2.0 */
/* attention.c: the contract of attention, forward. */
#include "opmark/attention.h"

#include "ops/attend.h"

static const om_field fields[] = {
    OM_INT_FIELD(om_attention_args, b, "1", 1, OM_INT32_MAX, "batch"),
    OM_INT_FIELD(om_attention_args, s, NULL, 0, OM_INT32_MAX, "sequence length"),
    OM_INT_FIELD(om_attention_args, hq, NULL, 1, OM_INT32_MAX, "query heads"),
    OM_INT_FIELD(om_attention_args, hkv, "0", 0, OM_INT32_MAX, "key and value heads; 0: as hq"),
    OM_INT_FIELD(om_attention_args, d, NULL, 1, OM_ATTEND_MAX_D, "head dimension"),
    OM_DTYPE_FIELD(om_attention_args, dtype, "bf16", "of q, k, v and o: bf16, fp16 or f32"),
    OM_FLAG_FIELD(om_attention_args, causal, "mask keys after the query"),
    OM_FLOAT_FIELD(om_attention_args, scale, "0", "of the scores; 0: 1 / sqrt(d)"),
};

enum { Q, K, V, O, LSE };
static const om_port ports[] = {
    [Q] = OM_IN(om_attention_args, q),      [K] = OM_IN(om_attention_args, k),
    [V] = OM_IN(om_attention_args, v),      [O] = OM_OUT(om_attention_args, o),
    [LSE] = OM_OUT(om_attention_args, lse),
};

static om_status check(const void *args, om_error *err)
{
    const om_attend attend = om__attend_forward(args);
    return om__attend_check(&attend, err);
}

/* lse has a last axis of one, so that a row of it belongs to one query. */
static om_status describe(const void *args, om_tensor *tensors, om_error *err)
{
    const om_attend a = om__attend_forward(args);
    OM_TRY(OM_SHAPE(&tensors[Q], a.dtype, err, a.b, a.s, a.hq, a.d));
    OM_TRY(OM_SHAPE(&tensors[K], a.dtype, err, a.b, a.s, a.hkv, a.d));
    OM_TRY(OM_SHAPE(&tensors[V], a.dtype, err, a.b, a.s, a.hkv, a.d));
    OM_TRY(OM_SHAPE(&tensors[O], a.dtype, err, a.b, a.s, a.hq, a.d));
    return OM_SHAPE(&tensors[LSE], OM_F32, err, a.b, a.hq, a.s, 1);
}

static void fill(const void *args, size_t port, om_fill *fill)
{
    (void)args;
    (void)port;
    om__fill_set_normal(fill, 1);
}

static om_work work(const void *args, const om_tensor *tensors)
{
    const om_attend a = om__attend_forward(args);
    (void)tensors;
    double heads = (double)a.b * (double)a.hq, rows = heads * (double)a.s, d = (double)a.d;
    double kv_rows = (double)a.b * (double)a.s * (double)a.hkv;
    return (om_work){
        .flops = 4 * heads * om__attend_pairs(&a) * d,
        .bytes = (2 * rows + 2 * kv_rows) * d * om_dtype_bits(a.dtype) / 8 + 4 * rows,
    };
}

static om_tolerance tolerance(const void *args, size_t port)
{
    return port == LSE ? om__tolerance_rounded(OM_F32)
                       : om__tolerance_rounded_rows(((const om_attention_args *)args)->dtype);
}

static om_status reference(const void *args, const om_rows *rows, om_error *err)
{
    const om_attention_args *p = args;
    const om_attend a = om__attend_forward(p);
    if (!rows)
        return om__attend_run(&a, p->o, p->lse, NULL, O, OM_ROWS_BSH, err);
    OM_TRY(om__attend_run(&a, p->o, NULL, rows, O, OM_ROWS_BSH, err));
    return om__attend_run(&a, NULL, p->lse, rows, LSE, OM_ROWS_BHS, err);
}

const om_op om_op_attention = {
    .name = "attention",
    .pass = "forward",
    .summary = "scaled dot-product attention with grouped queries",
    .args_size = sizeof(om_attention_args),
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
};
