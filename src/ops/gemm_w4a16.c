/* SPDX-License-Identifier: Apache-2.0 */
/* gemm_w4a16.c: the contract of the fp16 product with int4 weights in groups of 128. */
#include "opmark/gemm_w4a16.h"
#include "ops/reference.h"

enum { GROUP = 128 };

static const om_field fields[] = {
    OM_INT_FIELD(om_gemm_w4a16_args, m, NULL, 0, OM_INT_MAX, "rows of out"),
    OM_INT_FIELD(om_gemm_w4a16_args, n, NULL, 0, OM_INT_MAX, "columns of out"),
    OM_INT_FIELD(om_gemm_w4a16_args, k, NULL, 0, OM_INT_MAX,
                 "contraction length, a multiple of 128"),
};

enum { ACTIVATION, WEIGHT, SCALE, ZERO, OUT };
static const om_port ports[] = {
    [ACTIVATION] = OM_IN(om_gemm_w4a16_args, activation),
    [WEIGHT] = OM_WEIGHT(om_gemm_w4a16_args, packed_weight),
    [SCALE] = OM_WEIGHT(om_gemm_w4a16_args, weight_scale),
    [ZERO] = OM_WEIGHT(om_gemm_w4a16_args, weight_zero),
    [OUT] = OM_OUT(om_gemm_w4a16_args, out),
};

static om_status check(const void *args, om_error *err)
{
    const om_gemm_w4a16_args *p = args;
    if (p->k % GROUP != 0)
        return om__error_set(err, OM_INVALID, "k=%lld is no multiple of %d", (long long)p->k,
                             GROUP);
    return OM_OK;
}

static om_status describe(const void *args, om_tensor *tensors, om_error *err)
{
    const om_gemm_w4a16_args *p = args;
    OM_TRY(OM_SHAPE(&tensors[ACTIVATION], OM_F16, err, p->m, p->k));
    OM_TRY(OM_SHAPE(&tensors[WEIGHT], OM_U4X2, err, p->n, p->k));
    OM_TRY(OM_SHAPE(&tensors[SCALE], OM_F32, err, p->n, p->k / GROUP));
    OM_TRY(OM_SHAPE(&tensors[ZERO], OM_U8, err, p->n, p->k / GROUP));
    return OM_SHAPE(&tensors[OUT], OM_F16, err, p->m, p->n);
}

/* Scales near 0.01 keep the results near 1, where the absolute part of the tolerance has a meaning.
 */
static void fill(const void *args, size_t port, om_fill *fill)
{
    (void)args;
    if (port == ACTIVATION) {
        om__fill_set_normal(fill, 1);
    } else if (port == SCALE) {
        om__fill_set_uniform(fill, 0.005, 0.015);
    } else {
        fill->kind = OM_FILL_INTEGER;
        fill->high = 15;
    }
}

static om_work work(const void *args, const om_tensor *tensors)
{
    const om_gemm_w4a16_args *p = args;
    (void)tensors;
    double m = (double)p->m, n = (double)p->n, k = (double)p->k;
    return (om_work){
        .flops = 2 * m * n * k,
        .bytes = 2 * m * k + n * k / 2 + 5 * n * (k / GROUP) + 2 * m * n,
    };
}

static om_tolerance tolerance(const void *args, size_t port)
{
    (void)args;
    (void)port;
    return om__tolerance_w4a16();
}

static void load_a(const void *user, int64_t i, float *row)
{
    const om_gemm_w4a16_args *p = user;
    om__load_f32_array(row, (const uint16_t *)p->activation + i * p->k, OM_F16, p->k);
}

static void load_b(const void *user, int64_t j, float *row)
{
    const om_gemm_w4a16_args *p = user;
    for (int64_t k = 0; k < p->k; k++) {
        int64_t group = (j * p->k + k) / GROUP;
        uint8_t byte = ((const uint8_t *)p->packed_weight)[(j * p->k + k) / 2];
        int q = k % 2 == 0 ? byte & 15 : byte >> 4;
        row[k] = (float)(q - p->weight_zero[group]) * p->weight_scale[group];
    }
}

static void emit(const void *user, int64_t i, int64_t j, double value)
{
    const om_gemm_w4a16_args *p = user;
    om__store_f64(p->out, OM_F16, i * p->n + j, value);
}

static om_status reference(const void *args, const om_rows *rows, om_error *err)
{
    const om_gemm_w4a16_args *p = args;
    om_product product = {
        .m = om__rows_count(rows, OUT, p->m),
        .n = p->n,
        .k = p->k,
        .index = rows ? rows[OUT].index : NULL,
        .load_a = load_a,
        .load_b = load_b,
        .emit = emit,
        .user = p,
    };
    return om__reference_product(&product, err);
}

const om_op om_op_gemm_w4a16 = {
    .name = "gemm_w4a16",
    .pass = "forward",
    .summary = "fp16 product with int4 weights, a scale and a zero point for each 128 of k",
    .args_size = sizeof(om_gemm_w4a16_args),
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
