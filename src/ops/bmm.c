/* SPDX-License-Identifier: Apache-2.0 */
/* bmm.c: the contract of the batched matrix product. */
#include "opmark/bmm.h"
#include "ops/reference.h"

static const om_field fields[] = {
    OM_INT_FIELD(om_bmm_args, batch, NULL, 0, OM_INT_MAX, "products"),
    OM_INT_FIELD(om_bmm_args, m, NULL, 0, OM_INT_MAX, "rows of each d"),
    OM_INT_FIELD(om_bmm_args, n, NULL, 0, OM_INT_MAX, "columns of each d"),
    OM_INT_FIELD(om_bmm_args, k, NULL, 0, OM_INT_MAX, "contraction length"),
    OM_DTYPE_FIELD(om_bmm_args, dtype, "bf16", "of a, b and d: bf16, fp16 or f32"),
};

enum { A, B, D };
static const om_port ports[] = {
    [A] = OM_IN(om_bmm_args, a),
    [B] = OM_IN(om_bmm_args, b),
    [D] = OM_OUT(om_bmm_args, d),
};

static om_status check(const void *args, om_error *err)
{
    return om__dtype_check("dtype", ((const om_bmm_args *)args)->dtype, OM_FLOATS_16_32, err);
}

static om_status describe(const void *args, om_tensor *tensors, om_error *err)
{
    const om_bmm_args *p = args;
    OM_TRY(OM_SHAPE(&tensors[A], p->dtype, err, p->batch, p->m, p->k));
    OM_TRY(OM_SHAPE(&tensors[B], p->dtype, err, p->batch, p->k, p->n));
    return OM_SHAPE(&tensors[D], p->dtype, err, p->batch, p->m, p->n);
}

static void fill(const void *args, size_t port, om_fill *fill)
{
    (void)args;
    (void)port;
    om__fill_set_normal(fill, 1);
}

static om_work work(const void *args, const om_tensor *tensors)
{
    const om_bmm_args *p = args;
    (void)tensors;
    double batch = (double)p->batch, m = (double)p->m, n = (double)p->n, k = (double)p->k;
    return (om_work){
        .flops = 2 * batch * m * n * k,
        .bytes = batch * (m * k + n * k + m * n) * om_dtype_bits(p->dtype) / 8,
    };
}

static om_tolerance tolerance(const void *args, size_t port)
{
    (void)port;
    return om__tolerance_rounded(((const om_bmm_args *)args)->dtype);
}

static om_status reference(const void *args, const om_rows *rows, om_error *err)
{
    const om_bmm_args *p = args;
    const om_batch batch = {p->batch, p->m * p->k, p->k * p->n, p->m * p->n};
    const om_matmul matmul = {
        .m = p->m,
        .n = p->n,
        .k = p->k,
        .a = {p->a, p->dtype, 0, p->k, 1},
        .b = {p->b, p->dtype, 0, 1, p->n},
        .d = p->d,
        .d_dtype = p->dtype,
        .d_row = p->n,
        .d_column = 1,
    };
    return om__reference_batch(&matmul, &batch, rows, D, err);
}

const om_op om_op_bmm = {
    .name = "bmm",
    .pass = "forward",
    .summary = "batch of matrix products in bf16, fp16 or f32",
    .args_size = sizeof(om_bmm_args),
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
