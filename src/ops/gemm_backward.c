/* SPDX-License-Identifier: Apache-2.0 */
/* gemm_backward.c: the contract of the backward pass of gemm: both gradients of d = a · bᵀ. */
#include "opmark/gemm.h"
#include "ops/reference.h"

static const om_field fields[] = {
    OM_INT_FIELD(om_gemm_backward_args, m, NULL, 0, OM_INT_MAX, "rows of grad_out"),
    OM_INT_FIELD(om_gemm_backward_args, n, NULL, 0, OM_INT_MAX, "columns of grad_out"),
    OM_INT_FIELD(om_gemm_backward_args, k, NULL, 0, OM_INT_MAX, "columns of a and b"),
    OM_DTYPE_FIELD(om_gemm_backward_args, dtype, "bf16", "of all tensors: bf16, fp16 or f32"),
};

enum { GRAD_OUT, A, B, GRAD_A, GRAD_B };
static const om_port ports[] = {
    [GRAD_OUT] = OM_IN(om_gemm_backward_args, grad_out),
    [A] = OM_IN(om_gemm_backward_args, a),
    [B] = OM_WEIGHT(om_gemm_backward_args, b),
    [GRAD_A] = OM_OUT(om_gemm_backward_args, grad_a),
    [GRAD_B] = OM_OUT(om_gemm_backward_args, grad_b),
};

static om_status check(const void *args, om_error *err)
{
    const om_gemm_backward_args *p = args;
    return om__dtype_check("dtype", p->dtype, OM_FLOATS_16_32, err);
}

static om_status describe(const void *args, om_tensor *tensors, om_error *err)
{
    const om_gemm_backward_args *p = args;
    OM_TRY(OM_SHAPE(&tensors[GRAD_OUT], p->dtype, err, p->m, p->n));
    OM_TRY(OM_SHAPE(&tensors[A], p->dtype, err, p->m, p->k));
    OM_TRY(OM_SHAPE(&tensors[B], p->dtype, err, p->n, p->k));
    OM_TRY(OM_SHAPE(&tensors[GRAD_A], p->dtype, err, p->m, p->k));
    return OM_SHAPE(&tensors[GRAD_B], p->dtype, err, p->n, p->k);
}

static void fill(const void *args, size_t port, om_fill *fill)
{
    (void)args;
    (void)port;
    om__fill_set_normal(fill, 1);
}

static om_work work(const void *args, const om_tensor *tensors)
{
    const om_gemm_backward_args *p = args;
    (void)tensors;
    double m = (double)p->m, n = (double)p->n, k = (double)p->k;
    return (om_work){
        .flops = 4 * m * n * k,
        .bytes = (m * n + 2 * m * k + 2 * n * k) * om_dtype_bits(p->dtype) / 8,
    };
}

static om_tolerance tolerance(const void *args, size_t port)
{
    (void)port;
    return om__tolerance_rounded(((const om_gemm_backward_args *)args)->dtype);
}

static om_status reference(const void *args, const om_rows *rows, om_error *err)
{
    const om_gemm_backward_args *p = args;
    const om_batch one = {.count = 1};
    om_matmul grad_a = {
        .m = p->m,
        .n = p->k,
        .k = p->n,
        .a = {p->grad_out, p->dtype, 0, p->n, 1},
        .b = {p->b, p->dtype, 0, 1, p->k},
        .d = p->grad_a,
        .d_dtype = p->dtype,
        .d_row = p->k,
        .d_column = 1,
    };
    om_matmul grad_b = {
        .m = p->n,
        .n = p->k,
        .k = p->m,
        .a = {p->grad_out, p->dtype, 0, 1, p->n},
        .b = {p->a, p->dtype, 0, 1, p->k},
        .d = p->grad_b,
        .d_dtype = p->dtype,
        .d_row = p->k,
        .d_column = 1,
    };
    OM_TRY(om__reference_batch(&grad_a, &one, rows, GRAD_A, err));
    return om__reference_batch(&grad_b, &one, rows, GRAD_B, err);
}

const om_op om_op_gemm_backward = {
    .name = "gemm",
    .pass = "backward",
    .summary = "both gradients of a dense product d = a · bᵀ",
    .args_size = sizeof(om_gemm_backward_args),
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
