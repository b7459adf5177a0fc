/* SPDX-License-Identifier: Apache-2.0 */
/* grouped_gemm.c: the contracts of products of equal groups of rows, forward and backward. */
#include "opmark/grouped_gemm.h"
#include "ops/reference.h"

static const om_field fields[] = {
    OM_INT_FIELD(om_grouped_gemm_args, g, NULL, 0, OM_INT_MAX, "groups"),
    OM_INT_FIELD(om_grouped_gemm_args, m, NULL, 0, OM_INT_MAX, "rows of a group"),
    OM_INT_FIELD(om_grouped_gemm_args, n, NULL, 0, OM_INT_MAX, "columns of the result"),
    OM_INT_FIELD(om_grouped_gemm_args, k, NULL, 0, OM_INT_MAX, "contraction length"),
    OM_DTYPE_FIELD(om_grouped_gemm_args, dtype, "bf16", "of all tensors: bf16, fp16 or f32"),
};

static const om_field backward_fields[] = {
    OM_INT_FIELD(om_grouped_gemm_backward_args, g, NULL, 0, OM_INT_MAX, "groups"),
    OM_INT_FIELD(om_grouped_gemm_backward_args, m, NULL, 0, OM_INT_MAX, "rows of a group"),
    OM_INT_FIELD(om_grouped_gemm_backward_args, n, NULL, 0, OM_INT_MAX, "columns of grad_out"),
    OM_INT_FIELD(om_grouped_gemm_backward_args, k, NULL, 0, OM_INT_MAX, "columns of a and b"),
    OM_DTYPE_FIELD(om_grouped_gemm_backward_args, dtype, "bf16",
                   "of all tensors: bf16, fp16 or f32"),
};

enum { A, B, D };
static const om_port ports[] = {
    [A] = OM_IN(om_grouped_gemm_args, a),
    [B] = OM_WEIGHT(om_grouped_gemm_args, b),
    [D] = OM_OUT(om_grouped_gemm_args, d),
};

enum { BACK_GRAD_OUT, BACK_A, BACK_B, BACK_GRAD_A, BACK_GRAD_B };
static const om_port backward_ports[] = {
    [BACK_GRAD_OUT] = OM_IN(om_grouped_gemm_backward_args, grad_out),
    [BACK_A] = OM_IN(om_grouped_gemm_backward_args, a),
    [BACK_B] = OM_WEIGHT(om_grouped_gemm_backward_args, b),
    [BACK_GRAD_A] = OM_OUT(om_grouped_gemm_backward_args, grad_a),
    [BACK_GRAD_B] = OM_OUT(om_grouped_gemm_backward_args, grad_b),
};

static om_status rows_check(int64_t g, int64_t m, om_error *err)
{
    int64_t rows;
    if (__builtin_mul_overflow(g, m, &rows))
        return om__error_set(err, OM_INVALID, "g·m overflows 64 bits");
    return OM_OK;
}

static om_status check(const void *args, om_error *err)
{
    const om_grouped_gemm_args *p = args;
    OM_TRY(om__dtype_check("dtype", p->dtype, OM_FLOATS_16_32, err));
    return rows_check(p->g, p->m, err);
}

static om_status backward_check(const void *args, om_error *err)
{
    const om_grouped_gemm_backward_args *p = args;
    OM_TRY(om__dtype_check("dtype", p->dtype, OM_FLOATS_16_32, err));
    return rows_check(p->g, p->m, err);
}

static om_status describe(const void *args, om_tensor *tensors, om_error *err)
{
    const om_grouped_gemm_args *p = args;
    OM_TRY(OM_SHAPE(&tensors[A], p->dtype, err, p->g * p->m, p->k));
    OM_TRY(OM_SHAPE(&tensors[B], p->dtype, err, p->g, p->n, p->k));
    return OM_SHAPE(&tensors[D], p->dtype, err, p->g * p->m, p->n);
}

static om_status backward_describe(const void *args, om_tensor *tensors, om_error *err)
{
    const om_grouped_gemm_backward_args *p = args;
    OM_TRY(OM_SHAPE(&tensors[BACK_GRAD_OUT], p->dtype, err, p->g * p->m, p->n));
    OM_TRY(OM_SHAPE(&tensors[BACK_A], p->dtype, err, p->g * p->m, p->k));
    OM_TRY(OM_SHAPE(&tensors[BACK_B], p->dtype, err, p->g, p->n, p->k));
    OM_TRY(OM_SHAPE(&tensors[BACK_GRAD_A], p->dtype, err, p->g * p->m, p->k));
    return OM_SHAPE(&tensors[BACK_GRAD_B], p->dtype, err, p->g, p->n, p->k);
}

static void fill(const void *args, size_t port, om_fill *fill)
{
    (void)args;
    (void)port;
    om__fill_set_normal(fill, 1);
}

static om_work work(const void *args, const om_tensor *tensors)
{
    const om_grouped_gemm_args *p = args;
    (void)tensors;
    double g = (double)p->g, m = (double)p->m, n = (double)p->n, k = (double)p->k;
    return (om_work){
        .flops = 2 * g * m * n * k,
        .bytes = g * (m * k + n * k + m * n) * om_dtype_bits(p->dtype) / 8,
    };
}

static om_work backward_work(const void *args, const om_tensor *tensors)
{
    const om_grouped_gemm_backward_args *p = args;
    (void)tensors;
    double g = (double)p->g, m = (double)p->m, n = (double)p->n, k = (double)p->k;
    return (om_work){
        .flops = 4 * g * m * n * k,
        .bytes = g * (m * n + 2 * m * k + 2 * n * k) * om_dtype_bits(p->dtype) / 8,
    };
}

static om_tolerance tolerance(const void *args, size_t port)
{
    (void)port;
    return om__tolerance_rounded(((const om_grouped_gemm_args *)args)->dtype);
}

static om_tolerance backward_tolerance(const void *args, size_t port)
{
    (void)port;
    return om__tolerance_rounded(((const om_grouped_gemm_backward_args *)args)->dtype);
}

static om_status reference(const void *args, const om_rows *rows, om_error *err)
{
    const om_grouped_gemm_args *p = args;
    const om_batch groups = {p->g, p->m * p->k, p->n * p->k, p->m * p->n};
    const om_matmul matmul = {
        .m = p->m,
        .n = p->n,
        .k = p->k,
        .a = {p->a, p->dtype, 0, p->k, 1},
        .b = {p->b, p->dtype, 0, p->k, 1},
        .d = p->d,
        .d_dtype = p->dtype,
        .d_row = p->n,
        .d_column = 1,
    };
    return om__reference_batch(&matmul, &groups, rows, D, err);
}

static om_status backward_reference(const void *args, const om_rows *rows, om_error *err)
{
    const om_grouped_gemm_backward_args *p = args;
    const om_batch a_groups = {p->g, p->m * p->n, p->n * p->k, p->m * p->k};
    const om_batch b_groups = {p->g, p->m * p->n, p->m * p->k, p->n * p->k};
    const om_matmul grad_a = {
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
    const om_matmul grad_b = {
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
    OM_TRY(om__reference_batch(&grad_a, &a_groups, rows, BACK_GRAD_A, err));
    return om__reference_batch(&grad_b, &b_groups, rows, BACK_GRAD_B, err);
}

const om_op om_op_grouped_gemm = {
    .name = "grouped_gemm",
    .pass = "forward",
    .summary = "products of equal groups of rows, each with a weight of its own",
    .args_size = sizeof(om_grouped_gemm_args),
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

const om_op om_op_grouped_gemm_backward = {
    .name = "grouped_gemm",
    .pass = "backward",
    .summary = "both gradients of products of equal groups of rows",
    .args_size = sizeof(om_grouped_gemm_backward_args),
    .fields = backward_fields,
    .field_count = OM_COUNT(backward_fields),
    .ports = backward_ports,
    .port_count = OM_COUNT(backward_ports),
    .dtype_field = "dtype",
    .check = backward_check,
    .describe = backward_describe,
    .fill = fill,
    .work = backward_work,
    .tolerance = backward_tolerance,
    .reference = backward_reference,
};
