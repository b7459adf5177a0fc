/* SPDX-License-Identifier: Apache-2.0 */
/* bmm_fp8.c: the contracts of the batched fp8 products, with b stored [N,K] and [K,N]. */
#include "opmark/bmm_fp8.h"
#include "ops/reference.h"

static const om_field fields[] = {
    OM_INT_FIELD(om_bmm_fp8_args, batch, NULL, 0, OM_INT_MAX, "products"),
    OM_INT_FIELD(om_bmm_fp8_args, m, NULL, 0, OM_INT_MAX, "rows of each d"),
    OM_INT_FIELD(om_bmm_fp8_args, n, NULL, 0, OM_INT_MAX, "columns of each d"),
    OM_INT_FIELD(om_bmm_fp8_args, k, NULL, 0, OM_INT_MAX, "contraction length"),
    OM_DTYPE_FIELD(om_bmm_fp8_args, out_dtype, "bf16", "of d: bf16 or fp16"),
};

enum { A, B, SCALE_A, SCALE_B, D };
static const om_port ports[] = {
    [A] = OM_IN(om_bmm_fp8_args, a),
    [B] = OM_IN(om_bmm_fp8_args, b),
    [SCALE_A] = OM_IN(om_bmm_fp8_args, scale_a),
    [SCALE_B] = OM_IN(om_bmm_fp8_args, scale_b),
    [D] = OM_OUT(om_bmm_fp8_args, d),
};

static om_status check(const void *args, om_error *err)
{
    return om__dtype_check("out_dtype", ((const om_bmm_fp8_args *)args)->out_dtype, OM_FLOATS_16,
                           err);
}

static om_status describe_but_b(const om_bmm_fp8_args *p, om_tensor *tensors, om_error *err)
{
    OM_TRY(OM_SHAPE(&tensors[A], OM_E4M3, err, p->batch, p->m, p->k));
    OM_TRY(OM_SHAPE(&tensors[SCALE_A], OM_F32, err, 1));
    OM_TRY(OM_SHAPE(&tensors[SCALE_B], OM_F32, err, 1));
    return OM_SHAPE(&tensors[D], p->out_dtype, err, p->batch, p->m, p->n);
}

static om_status nk_describe(const void *args, om_tensor *tensors, om_error *err)
{
    const om_bmm_fp8_args *p = args;
    OM_TRY(describe_but_b(p, tensors, err));
    return OM_SHAPE(&tensors[B], OM_E4M3, err, p->batch, p->n, p->k);
}

static om_status kn_describe(const void *args, om_tensor *tensors, om_error *err)
{
    const om_bmm_fp8_args *p = args;
    OM_TRY(describe_but_b(p, tensors, err));
    return OM_SHAPE(&tensors[B], OM_E4M3, err, p->batch, p->k, p->n);
}

static void fill(const void *args, size_t port, om_fill *fill)
{
    (void)args;
    if (port == A || port == B)
        om__fill_set_normal(fill, 0.25);
    else
        om__fill_set_uniform(fill, 0.5, 1.5);
}

static om_work work(const void *args, const om_tensor *tensors)
{
    const om_bmm_fp8_args *p = args;
    (void)tensors;
    double batch = (double)p->batch, m = (double)p->m, n = (double)p->n, k = (double)p->k;
    return (om_work){
        .flops = 2 * batch * m * n * k,
        .bytes = batch * (m * k + n * k + 2 * m * n) + 8,
    };
}

static om_tolerance tolerance(const void *args, size_t port)
{
    (void)args;
    (void)port;
    return om__tolerance_fp8_product();
}

static om_status multiply(const om_bmm_fp8_args *p, om_matrix b, const om_rows *rows, om_error *err)
{
    const om_batch batch = {p->batch, p->m * p->k, p->k * p->n, p->m * p->n};
    const om_matmul matmul = {
        .m = p->m,
        .n = p->n,
        .k = p->k,
        .a = {p->a, OM_E4M3, 0, p->k, 1},
        .b = b,
        .d = p->d,
        .d_dtype = p->out_dtype,
        .d_row = p->n,
        .d_column = 1,
        .scale = (double)*p->scale_a * (double)*p->scale_b,
    };
    return om__reference_batch(&matmul, &batch, rows, D, err);
}

static om_status nk_reference(const void *args, const om_rows *rows, om_error *err)
{
    const om_bmm_fp8_args *p = args;
    return multiply(p, (om_matrix){p->b, OM_E4M3, 0, p->k, 1}, rows, err);
}

static om_status kn_reference(const void *args, const om_rows *rows, om_error *err)
{
    const om_bmm_fp8_args *p = args;
    return multiply(p, (om_matrix){p->b, OM_E4M3, 0, 1, p->n}, rows, err);
}

const om_op om_op_bmm_fp8_nk = {
    .name = "bmm_fp8_nk",
    .pass = "forward",
    .summary = "batch of scaled e4m3 products, b stored [N,K]",
    .args_size = sizeof(om_bmm_fp8_args),
    .fields = fields,
    .field_count = OM_COUNT(fields),
    .ports = ports,
    .port_count = OM_COUNT(ports),
    .check = check,
    .describe = nk_describe,
    .fill = fill,
    .work = work,
    .tolerance = tolerance,
    .reference = nk_reference,
};

const om_op om_op_bmm_fp8_kn = {
    .name = "bmm_fp8_kn",
    .pass = "forward",
    .summary = "batch of scaled e4m3 products, b stored [K,N]",
    .args_size = sizeof(om_bmm_fp8_args),
    .fields = fields,
    .field_count = OM_COUNT(fields),
    .ports = ports,
    .port_count = OM_COUNT(ports),
    .check = check,
    .describe = kn_describe,
    .fill = fill,
    .work = work,
    .tolerance = tolerance,
    .reference = kn_reference,
};
