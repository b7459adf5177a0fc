/* SPDX-License-Identifier: Apache-2.0 */
/* rmsnorm_backward.c: the contract of the backward pass of rmsnorm. */
#include "opmark/rmsnorm.h"
#include "ops/norm.h"

static const om_field fields[] = {
    OM_INT_FIELD(om_rmsnorm_backward_args, m, NULL, 0, OM_INT_MAX, "rows"),
    OM_INT_FIELD(om_rmsnorm_backward_args, h, NULL, 0, OM_INT_MAX, "row length"),
    OM_DTYPE_FIELD(om_rmsnorm_backward_args, dtype, "bf16",
                   "of all tensors but rstd: bf16, fp16 or f32"),
};

enum { GRAD_Y, X, GAMMA, RSTD, GRAD_X, GRAD_GAMMA };
static const om_port ports[] = {
    [GRAD_Y] = OM_IN(om_rmsnorm_backward_args, grad_y),
    [X] = OM_IN(om_rmsnorm_backward_args, x),
    [GAMMA] = OM_WEIGHT(om_rmsnorm_backward_args, gamma),
    [RSTD] = OM_IN(om_rmsnorm_backward_args, rstd),
    [GRAD_X] = OM_OUT(om_rmsnorm_backward_args, grad_x),
    [GRAD_GAMMA] = OM_OUT(om_rmsnorm_backward_args, grad_gamma),
};

static om_status check(const void *args, om_error *err)
{
    const om_rmsnorm_backward_args *p = args;
    return om__dtype_check("dtype", p->dtype, OM_FLOATS_16_32, err);
}

static om_status describe(const void *args, om_tensor *tensors, om_error *err)
{
    const om_rmsnorm_backward_args *p = args;
    OM_TRY(OM_SHAPE(&tensors[GRAD_Y], p->dtype, err, p->m, p->h));
    OM_TRY(OM_SHAPE(&tensors[X], p->dtype, err, p->m, p->h));
    OM_TRY(OM_SHAPE(&tensors[GAMMA], p->dtype, err, p->h));
    OM_TRY(OM_SHAPE(&tensors[RSTD], OM_F32, err, p->m));
    OM_TRY(OM_SHAPE(&tensors[GRAD_X], p->dtype, err, p->m, p->h));
    return OM_SHAPE(&tensors[GRAD_GAMMA], p->dtype, err, p->h);
}

static void fill(const void *args, size_t port, om_fill *fill)
{
    (void)args;
    if (port == RSTD)
        om__fill_set_host(fill);
    else
        om__fill_set_normal(fill, 1);
}

/* rstd is what the forward pass gives for the x that was drawn. */
static om_status fill_host(const void *args, size_t port, uint64_t seed, om_tensor *tensors,
                           om_error *err)
{
    const om_rmsnorm_backward_args *p = args;
    (void)seed;
    (void)err;
    om__norm_fill(tensors[X].data, p->dtype, p->m, p->h, 1e-5, false, NULL, tensors[port].data);
    return OM_OK;
}

static om_work work(const void *args, const om_tensor *tensors)
{
    const om_rmsnorm_backward_args *p = args;
    (void)tensors;
    double m = (double)p->m, h = (double)p->h, element = om_dtype_bits(p->dtype) / 8.0;
    return (om_work){.flops = 10 * m * h, .bytes = (3 * m * h + 2 * h) * element + 4 * m};
}

static om_tolerance tolerance(const void *args, size_t port)
{
    (void)port;
    return om__tolerance_rounded(((const om_rmsnorm_backward_args *)args)->dtype);
}

static om_status reference(const void *args, const om_rows *rows, om_error *err)
{
    const om_rmsnorm_backward_args *p = args;
    const om_norm_backward norm = {
        .m = p->m,
        .h = p->h,
        .dtype = p->dtype,
        .grad_y = p->grad_y,
        .x = p->x,
        .gamma = p->gamma,
        .rstd = p->rstd,
        .grad_x = p->grad_x,
        .grad_gamma = p->grad_gamma,
    };
    (void)err;
    int64_t count = om__rows_count(rows, GRAD_X, p->m);
    OM_PARALLEL_FOR(count * p->h)
    for (int64_t i = 0; i < count; i++)
        om__norm_backward_row(&norm, om__rows_get(rows, GRAD_X, i));
    int64_t columns = om__rows_count(rows, GRAD_GAMMA, p->h);
    OM_PARALLEL_FOR(columns * p->m)
    for (int64_t i = 0; i < columns; i++)
        om__norm_backward_column(&norm, p->grad_gamma, om__rows_get(rows, GRAD_GAMMA, i));
    return OM_OK;
}

const om_op om_op_rmsnorm_backward = {
    .name = "rmsnorm",
    .pass = "backward",
    .summary = "gradients of root-mean-square normalisation",
    .args_size = sizeof(om_rmsnorm_backward_args),
    .fields = fields,
    .field_count = OM_COUNT(fields),
    .ports = ports,
    .port_count = OM_COUNT(ports),
    .dtype_field = "dtype",
    .check = check,
    .describe = describe,
    .fill = fill,
    .fill_host = fill_host,
    .work = work,
    .tolerance = tolerance,
    .reference = reference,
};
