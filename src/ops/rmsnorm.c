/* SPDX-License-Identifier: Apache-2.0 */
/* rmsnorm.c: the contract of rmsnorm forward: y = x / sqrt(mean(x²) + eps) · gamma, row by row. */
#include "opmark/rmsnorm.h"

#include <math.h>

#include "base/error.h"
#include "core/convert.h"
#include "ops/op.h"
#include "ops/tolerance.h"

enum { X, GAMMA, Y, RSTD, PORTS };

static const om_field fields[] = {
    {"m", OM_FIELD_INT, offsetof(om_rmsnorm_args, m), NULL, NULL, 0, 0, "rows"},
    {"h", OM_FIELD_INT, offsetof(om_rmsnorm_args, h), NULL, NULL, 0, 0, "row length"},
    {"dtype", OM_FIELD_DTYPE, offsetof(om_rmsnorm_args, dtype), "bf16", NULL, 0, 0,
     "type of x, gamma and y: bf16, fp16 or f32"},
    {"eps", OM_FIELD_FLOAT, offsetof(om_rmsnorm_args, eps), "1e-5", NULL, 0, 1,
     "added to the mean of squares"},
};

static const om_port ports[PORTS] = {
    [X] = {.name = "x", .offset = offsetof(om_rmsnorm_args, x), .role = OM_PORT_IN},
    [GAMMA] = {.name = "gamma",
               .offset = offsetof(om_rmsnorm_args, gamma),
               .role = OM_PORT_IN,
               .timed_as_weight = true},
    [Y] = {.name = "y", .offset = offsetof(om_rmsnorm_args, y), .role = OM_PORT_OUT},
    [RSTD] = {.name = "rstd", .offset = offsetof(om_rmsnorm_args, rstd), .role = OM_PORT_OUT},
};

static om_status check(const void *opaque, om_error *err)
{
    const om_rmsnorm_args *args = opaque;
    if (args->dtype != OM_BF16 && args->dtype != OM_F16 && args->dtype != OM_F32)
        return om__error_set(err, OM_INVALID, "dtype=%s: one of bf16, fp16, f32",
                             om_dtype_name(args->dtype));
    return OM_OK;
}

static om_status describe(const void *opaque, om_tensor *tensors, om_error *err)
{
    const om_rmsnorm_args *args = opaque;
    int64_t matrix[2] = {args->m, args->h};
    OM_TRY(om_tensor_init(&tensors[X], args->dtype, 2, matrix, err));
    OM_TRY(om_tensor_init(&tensors[GAMMA], args->dtype, 1, &args->h, err));
    OM_TRY(om_tensor_init(&tensors[Y], args->dtype, 2, matrix, err));
    return om_tensor_init(&tensors[RSTD], OM_F32, 1, &args->m, err);
}

static void fill(const void *opaque, size_t port, om_fill *out)
{
    (void)opaque;
    (void)port;
    *out = (om_fill){.kind = OM_FILL_NORMAL, .scale = 1};
}

static om_work work(const void *opaque, const om_tensor *tensors)
{
    const om_rmsnorm_args *args = opaque;
    (void)tensors;
    double m = (double)args->m, h = (double)args->h, element = om_dtype_bits(args->dtype) / 8.0;
    return (om_work){.flops = 5 * m * h, .bytes = (2 * m * h + h) * element + 4 * m};
}

static om_tolerance tolerance(const void *opaque, size_t port)
{
    const om_rmsnorm_args *args = opaque;
    return om__tolerance_rounded(port == RSTD ? OM_F32 : args->dtype);
}

static void reference_row(const om_rmsnorm_args *args, int64_t row)
{
    int64_t first = row * args->h;
    double squares = 0;
    for (int64_t j = 0; j < args->h; j++) {
        double x = om__load_f64(args->x, args->dtype, first + j);
        squares += x * x;
    }
    double rstd = 1 / sqrt((args->h > 0 ? squares / (double)args->h : 0) + args->eps);
    for (int64_t j = 0; j < args->h; j++) {
        double x = om__load_f64(args->x, args->dtype, first + j);
        double gamma = om__load_f64(args->gamma, args->dtype, j);
        om__store_f64(args->y, args->dtype, first + j, x * rstd * gamma);
    }
    args->rstd[row] = (float)rstd;
}

/* Both outputs have one row a row of x; the rows of either are computed whole. */
static om_status reference(const void *opaque, const om_rows *rows, om_error *err)
{
    const om_rmsnorm_args *args = opaque;
    (void)err;
    bool is_whole = rows == NULL || rows[Y].index == NULL || rows[RSTD].index == NULL;
    if (is_whole) {
#pragma omp parallel for schedule(static)
        for (int64_t row = 0; row < args->m; row++)
            reference_row(args, row);
        return OM_OK;
    }
    for (int64_t i = 0; i < rows[Y].count; i++)
        reference_row(args, rows[Y].index[i]);
    for (int64_t i = 0; i < rows[RSTD].count; i++)
        reference_row(args, rows[RSTD].index[i]);
    return OM_OK;
}

const om_op om_op_rmsnorm = {
    .name = "rmsnorm",
    .pass = "forward",
    .summary = "root-mean-square normalisation of rows",
    .args_size = sizeof(om_rmsnorm_args),
    .fields = fields,
    .field_count = sizeof fields / sizeof *fields,
    .ports = ports,
    .port_count = PORTS,
    .dtype_field = "dtype",
    .check = check,
    .describe = describe,
    .fill = fill,
    .work = work,
    .tolerance = tolerance,
    .reference = reference,
};
