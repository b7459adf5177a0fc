/* SPDX-License-Identifier: Apache-2.0 */
/* fp8_quant.c: the contract of quantising rows to e4m3, each with a scale of its own. */
#include "opmark/fp8_quant.h"

#include <math.h>

#include "ops/quantise.h"
#include "ops/reference.h"

static const om_field fields[] = {
    OM_INT_FIELD(om_fp8_quant_args, b, "1", 1, OM_INT32_MAX, "batch"),
    OM_INT_FIELD(om_fp8_quant_args, s, NULL, 0, OM_INT_MAX, "rows of a batch"),
    OM_INT_FIELD(om_fp8_quant_args, g, "1", 1, OM_INT32_MAX, "groups of a row"),
    OM_INT_FIELD(om_fp8_quant_args, d, NULL, 1, OM_INT32_MAX, "values that share a scale"),
    OM_DTYPE_FIELD(om_fp8_quant_args, dtype, "bf16", "of x: bf16, fp16 or f32"),
};

enum { X, SCALE, OUT };
static const om_port ports[] = {
    [X] = OM_IN(om_fp8_quant_args, x),
    [SCALE] = OM_OUT(om_fp8_quant_args, scale),
    [OUT] = OM_OUT(om_fp8_quant_args, out),
};

static om_status check(const void *args, om_error *err)
{
    return om__dtype_check("dtype", ((const om_fp8_quant_args *)args)->dtype, OM_FLOATS_16_32, err);
}

static om_status describe(const void *args, om_tensor *tensors, om_error *err)
{
    const om_fp8_quant_args *p = args;
    OM_TRY(OM_SHAPE(&tensors[X], p->dtype, err, p->b, p->s, p->g, p->d));
    OM_TRY(OM_SHAPE(&tensors[SCALE], OM_F32, err, p->b, p->s, p->g));
    return OM_SHAPE(&tensors[OUT], OM_E4M3, err, p->b, p->s, p->g, p->d);
}

static void fill(const void *args, size_t port, om_fill *fill)
{
    (void)args;
    (void)port;
    om__fill_set_normal(fill, 1);
}

/* For each value an absolute, a maximum, a division, two of the clamp and a rounding; for each row
 * the scale. */
static om_work work(const void *args, const om_tensor *tensors)
{
    const om_fp8_quant_args *p = args;
    (void)tensors;
    double rows = (double)p->b * (double)p->s * (double)p->g, values = rows * (double)p->d;
    return (om_work){
        .flops = 6 * values + rows,
        .bytes = values * om_dtype_bits(p->dtype) / 8 + values + 4 * rows,
    };
}

static om_tolerance tolerance(const void *args, size_t port)
{
    (void)args;
    return port == OUT ? om__tolerance_codes() : om__tolerance_rounded(OM_F32);
}

static om_status reference(const void *args, const om_rows *rows, om_error *err)
{
    const om_fp8_quant_args *p = args;
    (void)err;
    /* A row of `out` holds d values; a row of `scale`, whose last axis is g, belongs to g of them.
     */
    int64_t out_count = om__rows_count(rows, OUT, p->b * p->s * p->g);
    OM_PARALLEL_FOR(out_count * p->d)
    for (int64_t i = 0; i < out_count; i++) {
        int64_t row = om__rows_get(rows, OUT, i);
        om__quantise_row(p->x, p->dtype, row * p->d, p->d, (uint8_t *)p->out + row * p->d);
    }
    int64_t scale_count = om__rows_count(rows, SCALE, p->b * p->s);
    OM_PARALLEL_FOR(scale_count * p->g * p->d)
    for (int64_t i = 0; i < scale_count * p->g; i++) {
        int64_t row = om__rows_get(rows, SCALE, i / p->g) * p->g + i % p->g;
        p->scale[row] = om__quantise_row(p->x, p->dtype, row * p->d, p->d, NULL);
    }
    return OM_OK;
}

const om_op om_op_fp8_quant = {
    .name = "fp8_quant",
    .pass = "forward",
    .summary = "rows quantised to e4m3, each with a scale of its own",
    .args_size = sizeof(om_fp8_quant_args),
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
