/* SPDX-License-Identifier: Apache-2.0 */
/* ragged_gemm.c: the contracts of products over groups of rows whose sizes are data:
 * grouped_gemm_nt, _nn, _tn and _tt, and moe_grouped_gemm.
 */
#include "opmark/ragged_gemm.h"

#include <stdlib.h>

#include "ops/reference.h"

static const om_field fields[] = {
    OM_INT_FIELD(om_ragged_gemm_args, g, NULL, 1, OM_INT32_MAX, "groups"),
    OM_INT_FIELD(om_ragged_gemm_args, s, NULL, 0, OM_INT32_MAX, "rows of all groups"),
    OM_INT_FIELD(om_ragged_gemm_args, n, NULL, 0, OM_INT_MAX, "output size of a group's weight"),
    OM_INT_FIELD(om_ragged_gemm_args, k, NULL, 0, OM_INT_MAX, "input size of a group's weight"),
    OM_DTYPE_FIELD(om_ragged_gemm_args, dtype, "bf16", "of a, b and d: bf16, fp16 or f32"),
    OM_WORD_FIELD(om_ragged_gemm_args, routing, "uniform", om__routing_words,
                  "how the sizes are drawn"),
};

enum { A, B, SIZES, OFFSETS, D };
static const om_port ports[] = {
    [A] = OM_IN(om_ragged_gemm_args, a),         [B] = OM_WEIGHT(om_ragged_gemm_args, b),
    [SIZES] = OM_IN(om_ragged_gemm_args, sizes), [OFFSETS] = OM_IN(om_ragged_gemm_args, offsets),
    [D] = OM_OUT(om_ragged_gemm_args, d),
};

static om_status check(const void *args, om_error *err)
{
    return om__dtype_check("dtype", ((const om_ragged_gemm_args *)args)->dtype, OM_FLOATS_16_32,
                           err);
}

static om_status describe_groups(const om_ragged_gemm_args *p, om_tensor *tensors, om_error *err)
{
    OM_TRY(OM_SHAPE(&tensors[SIZES], OM_I32, err, p->g));
    return OM_SHAPE(&tensors[OFFSETS], OM_I32, err, p->g);
}

static om_status nt_describe(const void *args, om_tensor *tensors, om_error *err)
{
    const om_ragged_gemm_args *p = args;
    OM_TRY(describe_groups(p, tensors, err));
    OM_TRY(OM_SHAPE(&tensors[A], p->dtype, err, p->s, p->k));
    OM_TRY(OM_SHAPE(&tensors[B], p->dtype, err, p->g, p->n, p->k));
    return OM_SHAPE(&tensors[D], p->dtype, err, p->s, p->n);
}

static om_status nn_describe(const void *args, om_tensor *tensors, om_error *err)
{
    const om_ragged_gemm_args *p = args;
    OM_TRY(nt_describe(args, tensors, err));
    return OM_SHAPE(&tensors[B], p->dtype, err, p->g, p->k, p->n);
}

static om_status tn_describe(const void *args, om_tensor *tensors, om_error *err)
{
    const om_ragged_gemm_args *p = args;
    OM_TRY(describe_groups(p, tensors, err));
    OM_TRY(OM_SHAPE(&tensors[A], p->dtype, err, p->s, p->n));
    OM_TRY(OM_SHAPE(&tensors[B], p->dtype, err, p->s, p->k));
    return OM_SHAPE(&tensors[D], p->dtype, err, p->g, p->n, p->k);
}

static om_status tt_describe(const void *args, om_tensor *tensors, om_error *err)
{
    const om_ragged_gemm_args *p = args;
    OM_TRY(tn_describe(args, tensors, err));
    return OM_SHAPE(&tensors[B], p->dtype, err, p->k, p->s);
}

/* Stacked activations and weights of the size they have in mixtures of experts. */
static void fill(const void *args, size_t port, om_fill *fill)
{
    (void)args;
    if (port == A || port == B)
        om__fill_set_normal(fill, 0.02);
    else
        om__fill_set_host(fill);
}

static om_status fill_host(const void *args, size_t port, uint64_t seed, om_tensor *tensors,
                           om_error *err)
{
    const om_ragged_gemm_args *p = args;
    (void)err;
    om__draw_groups(p->routing, seed, SIZES, p->s, p->g, port == SIZES ? tensors[port].data : NULL,
                    port == OFFSETS ? tensors[port].data : NULL);
    return OM_OK;
}

static om_work work(const void *args, const om_tensor *tensors)
{
    const om_ragged_gemm_args *p = args;
    double g = (double)p->g, s = (double)p->s, n = (double)p->n, k = (double)p->k;
    (void)tensors;
    return (om_work){
        .flops = 2 * s * n * k,
        .bytes = (s * k + g * n * k + s * n) * om_dtype_bits(p->dtype) / 8,
    };
}

static om_tolerance tolerance(const void *args, size_t port)
{
    (void)port;
    return om__tolerance_rounded(((const om_ragged_gemm_args *)args)->dtype);
}

/* Rows of d = rows of a · b[g], with b[g] as `b` says for group 0. */
static om_status multiply_rows(const om_ragged_gemm_args *p, om_matrix b, const om_rows *rows,
                               om_error *err)
{
    int64_t *index = om__scratch(p->s, sizeof *index, err);
    om_status status = index ? OM_OK : OM_NO_MEMORY;
    for (int64_t g = 0; status == OM_OK && g < p->g; g++) {
        int64_t first = p->offsets[g];
        om_matmul matmul = {
            .m = om__rows_within(rows, D, first, p->sizes[g], index),
            .n = p->n,
            .k = p->k,
            .index = index,
            .a = {p->a, p->dtype, first * p->k, p->k, 1},
            .b = b,
            .d = p->d,
            .d_dtype = p->dtype,
            .d_origin = first * p->n,
            .d_row = p->n,
            .d_column = 1,
        };
        matmul.b.origin = g * p->n * p->k;
        status = om__reference_matmul(&matmul, err);
    }
    free(index);
    return status;
}

/* d[g] = (rows of a)ᵀ · rows of b, where row s of b begins at s · step and its elements lie
 * `stride` apart. */
static om_status multiply_columns(const om_ragged_gemm_args *p, int64_t step, int64_t stride,
                                  const om_rows *rows, om_error *err)
{
    int64_t *index = om__scratch(p->n, sizeof *index, err);
    om_status status = index ? OM_OK : OM_NO_MEMORY;
    for (int64_t g = 0; status == OM_OK && g < p->g; g++) {
        int64_t first = p->offsets[g];
        om_matmul matmul = {
            .m = om__rows_within(rows, D, g * p->n, p->n, index),
            .n = p->k,
            .k = p->sizes[g],
            .index = index,
            .a = {p->a, p->dtype, first * p->n, 1, p->n},
            .b = {p->b, p->dtype, first * step, stride, step},
            .d = p->d,
            .d_dtype = p->dtype,
            .d_origin = g * p->n * p->k,
            .d_row = p->k,
            .d_column = 1,
        };
        status = om__reference_matmul(&matmul, err);
    }
    free(index);
    return status;
}

static om_status nt_reference(const void *args, const om_rows *rows, om_error *err)
{
    const om_ragged_gemm_args *p = args;
    return multiply_rows(p, (om_matrix){p->b, p->dtype, 0, p->k, 1}, rows, err);
}

static om_status nn_reference(const void *args, const om_rows *rows, om_error *err)
{
    const om_ragged_gemm_args *p = args;
    return multiply_rows(p, (om_matrix){p->b, p->dtype, 0, 1, p->n}, rows, err);
}

static om_status tn_reference(const void *args, const om_rows *rows, om_error *err)
{
    const om_ragged_gemm_args *p = args;
    return multiply_columns(p, p->k, 1, rows, err);
}

static om_status tt_reference(const void *args, const om_rows *rows, om_error *err)
{
    const om_ragged_gemm_args *p = args;
    return multiply_columns(p, 1, p->s, rows, err);
}

/* All five share everything but the shape of their operands. */
#define RAGGED_OP(label, words, describe_, reference_)                                             \
    {                                                                                              \
        .name = label, .pass = "forward", .summary = words,                                        \
        .args_size = sizeof(om_ragged_gemm_args), .fields = fields,                                \
        .field_count = OM_COUNT(fields), .ports = ports, .port_count = OM_COUNT(ports),            \
        .dtype_field = "dtype", .check = check, .describe = describe_, .fill = fill,               \
        .fill_host = fill_host, .work = work, .tolerance = tolerance, .reference = reference_      \
    }

const om_op om_op_grouped_gemm_nt = RAGGED_OP(
    "grouped_gemm_nt", "groups of rows times a weight [N,K] each", nt_describe, nt_reference);
const om_op om_op_grouped_gemm_nn = RAGGED_OP(
    "grouped_gemm_nn", "groups of rows times a weight [K,N] each", nn_describe, nn_reference);
const om_op om_op_grouped_gemm_tn = RAGGED_OP(
    "grouped_gemm_tn", "a weight gradient for each group of rows", tn_describe, tn_reference);
const om_op om_op_grouped_gemm_tt =
    RAGGED_OP("grouped_gemm_tt", "a weight gradient for each group of rows, b stored [K,S]",
              tt_describe, tt_reference);
const om_op om_op_moe_grouped_gemm = RAGGED_OP(
    "moe_grouped_gemm", "rows of each expert times its weight [N,K]", nt_describe, nt_reference);
