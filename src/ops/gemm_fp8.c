/* SPDX-License-Identifier: Apache-2.0 */
/* gemm_fp8.c: the contract of the fp8 product with scales of the whole tensor or of blocks. */
#include "opmark/gemm_fp8.h"

#include "ops/reference.h"

enum { SCALE_BLOCK = 128 };

static const char *const scale_mode_words[] = {
    [OM_SCALE_PER_TENSOR] = "per_tensor",
    [OM_SCALE_BLOCK128] = "block128",
    NULL,
};

static const om_field fields[] = {
    OM_INT_FIELD(om_gemm_fp8_args, m, NULL, 0, OM_INT_MAX, "rows of d"),
    OM_INT_FIELD(om_gemm_fp8_args, n, NULL, 0, OM_INT_MAX, "columns of d"),
    OM_INT_FIELD(om_gemm_fp8_args, k, NULL, 0, OM_INT_MAX, "contraction length"),
    OM_WORD_FIELD(om_gemm_fp8_args, scale_mode, "per_tensor", scale_mode_words,
                  "one scale for an operand, or one for each row and 128 values of k"),
    OM_FLAG_FIELD(om_gemm_fp8_args, has_bias, "add a bf16 bias to every row"),
    OM_DTYPE_FIELD(om_gemm_fp8_args, out_dtype, "bf16", "of d: bf16 or fp16"),
};

enum { A, B, SCALE_A, SCALE_B, BIAS, D };
static const om_port ports[] = {
    [A] = OM_IN(om_gemm_fp8_args, a),
    [B] = OM_WEIGHT(om_gemm_fp8_args, b),
    [SCALE_A] = OM_IN(om_gemm_fp8_args, scale_a),
    [SCALE_B] = OM_IN(om_gemm_fp8_args, scale_b),
    [BIAS] = OM_IN_OPTIONAL(om_gemm_fp8_args, bias),
    [D] = OM_OUT(om_gemm_fp8_args, d),
};

static int64_t blocks(const om_gemm_fp8_args *p)
{
    return p->k / SCALE_BLOCK + (p->k % SCALE_BLOCK != 0);
}

static om_status check(const void *args, om_error *err)
{
    return om__dtype_check("out_dtype", ((const om_gemm_fp8_args *)args)->out_dtype, OM_FLOATS_16,
                           err);
}

static om_status describe(const void *args, om_tensor *tensors, om_error *err)
{
    const om_gemm_fp8_args *p = args;
    OM_TRY(OM_SHAPE(&tensors[A], OM_E4M3, err, p->m, p->k));
    OM_TRY(OM_SHAPE(&tensors[B], OM_E4M3, err, p->n, p->k));
    if (p->scale_mode == OM_SCALE_BLOCK128) {
        OM_TRY(OM_SHAPE(&tensors[SCALE_A], OM_F32, err, p->m, blocks(p)));
        OM_TRY(OM_SHAPE(&tensors[SCALE_B], OM_F32, err, p->n, blocks(p)));
    } else {
        OM_TRY(OM_SHAPE(&tensors[SCALE_A], OM_F32, err, 1));
        OM_TRY(OM_SHAPE(&tensors[SCALE_B], OM_F32, err, 1));
    }
    tensors[BIAS] = (om_tensor){0};
    if (p->has_bias)
        OM_TRY(OM_SHAPE(&tensors[BIAS], OM_BF16, err, p->n));
    return OM_SHAPE(&tensors[D], p->out_dtype, err, p->m, p->n);
}

static void fill(const void *args, size_t port, om_fill *fill)
{
    (void)args;
    if (port == A || port == B)
        om__fill_set_normal(fill, 0.25);
    else if (port == BIAS)
        om__fill_set_normal(fill, 1);
    else
        om__fill_set_uniform(fill, 0.5, 1.5);
}

static om_work work(const void *args, const om_tensor *tensors)
{
    const om_gemm_fp8_args *p = args;
    (void)tensors;
    double m = (double)p->m, n = (double)p->n, k = (double)p->k;
    double scales = p->scale_mode == OM_SCALE_BLOCK128 ? (m + n) * (double)blocks(p) : 2;
    return (om_work){
        .flops = 2 * m * n * k,
        .bytes = m * k + n * k + 2 * m * n + 4 * scales + (p->has_bias ? 2 * n : 0),
    };
}

static om_tolerance tolerance(const void *args, size_t port)
{
    (void)args;
    (void)port;
    return om__tolerance_fp8_product();
}

/* A row of an operand times the scales of its blocks. */
static void load_scaled(const om_gemm_fp8_args *p, const void *codes, const float *scales,
                        int64_t i, float *row)
{
    om__load_f32_array(row, (const uint8_t *)codes + i * p->k, OM_E4M3, p->k);
    for (int64_t k = 0; k < p->k; k++) {
        bool by_block = p->scale_mode == OM_SCALE_BLOCK128;
        row[k] *= by_block ? scales[i * blocks(p) + k / SCALE_BLOCK] : scales[0];
    }
}

static void load_a(const void *user, int64_t i, float *row)
{
    const om_gemm_fp8_args *p = user;
    load_scaled(p, p->a, p->scale_a, i, row);
}

static void load_b(const void *user, int64_t j, float *row)
{
    const om_gemm_fp8_args *p = user;
    load_scaled(p, p->b, p->scale_b, j, row);
}

static void emit(const void *user, int64_t i, int64_t j, double value)
{
    const om_gemm_fp8_args *p = user;
    if (p->has_bias)
        value += om__load_f64(p->bias, OM_BF16, j);
    om__store_f64(p->d, p->out_dtype, i * p->n + j, value);
}

static om_status reference(const void *args, const om_rows *rows, om_error *err)
{
    const om_gemm_fp8_args *p = args;
    om_product product = {
        .m = om__rows_count(rows, D, p->m),
        .n = p->n,
        .k = p->k,
        .index = rows ? rows[D].index : NULL,
        .load_a = load_a,
        .load_b = load_b,
        .emit = emit,
        .user = p,
    };
    return om__reference_product(&product, err);
}

const om_op om_op_gemm_fp8 = {
    .name = "gemm_fp8",
    .pass = "forward",
    .summary = "product of e4m3 operands with scales and an optional bias",
    .args_size = sizeof(om_gemm_fp8_args),
    .fields = fields,
    .field_count = OM_COUNT(fields),
    .ports = ports,
    .port_count = OM_COUNT(ports),
    .check = check,
    .describe = describe,
    .fill = fill,
    .work = work,
    .tolerance = tolerance,
    .reference = reference,
};
