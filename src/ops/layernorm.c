/* SPDX-License-Identifier: Apache-2.0 */
/* layernorm.c: the contracts of layer normalisation, forward and backward. */
#include "opmark/layernorm.h"

#include "ops/norm.h"

static const om_field fields[] = {
    OM_INT_FIELD(om_layernorm_args, m, NULL, 0, OM_INT_MAX, "rows"),
    OM_INT_FIELD(om_layernorm_args, h, NULL, 0, OM_INT_MAX, "row length"),
    OM_DTYPE_FIELD(om_layernorm_args, dtype, "bf16",
                   "of all tensors but mean and rstd: bf16, fp16 or f32"),
    OM_FLOAT_FIELD(om_layernorm_args, eps, "1e-5", "added to the variance"),
};

static const om_field backward_fields[] = {
    OM_INT_FIELD(om_layernorm_backward_args, m, NULL, 0, OM_INT_MAX, "rows"),
    OM_INT_FIELD(om_layernorm_backward_args, h, NULL, 0, OM_INT_MAX, "row length"),
    OM_DTYPE_FIELD(om_layernorm_backward_args, dtype, "bf16",
                   "of all tensors but mean and rstd: bf16, fp16 or f32"),
};

enum { X, GAMMA, BETA, Y, MEAN, RSTD };
static const om_port ports[] = {
    [X] = OM_IN(om_layernorm_args, x),           [GAMMA] = OM_WEIGHT(om_layernorm_args, gamma),
    [BETA] = OM_WEIGHT(om_layernorm_args, beta), [Y] = OM_OUT(om_layernorm_args, y),
    [MEAN] = OM_OUT(om_layernorm_args, mean),    [RSTD] = OM_OUT(om_layernorm_args, rstd),
};

enum { BACK_GRAD_Y, BACK_X, BACK_GAMMA, BACK_MEAN, BACK_RSTD, GRAD_X, GRAD_GAMMA, GRAD_BETA };
static const om_port backward_ports[] = {
    [BACK_GRAD_Y] = OM_IN(om_layernorm_backward_args, grad_y),
    [BACK_X] = OM_IN(om_layernorm_backward_args, x),
    [BACK_GAMMA] = OM_WEIGHT(om_layernorm_backward_args, gamma),
    [BACK_MEAN] = OM_IN(om_layernorm_backward_args, mean),
    [BACK_RSTD] = OM_IN(om_layernorm_backward_args, rstd),
    [GRAD_X] = OM_OUT(om_layernorm_backward_args, grad_x),
    [GRAD_GAMMA] = OM_OUT(om_layernorm_backward_args, grad_gamma),
    [GRAD_BETA] = OM_OUT(om_layernorm_backward_args, grad_beta),
};

static om_status check(const void *args, om_error *err)
{
    const om_layernorm_args *p = args;
    OM_TRY(om__dtype_check("dtype", p->dtype, OM_FLOATS_16_32, err));
    OM_TRY(om__finite_check("eps", p->eps, err));
    if (p->eps < 0)
        return om__error_set(err, OM_INVALID, "eps is negative");
    return OM_OK;
}

static om_status backward_check(const void *args, om_error *err)
{
    const om_layernorm_backward_args *p = args;
    return om__dtype_check("dtype", p->dtype, OM_FLOATS_16_32, err);
}

static om_status describe(const void *args, om_tensor *tensors, om_error *err)
{
    const om_layernorm_args *p = args;
    OM_TRY(OM_SHAPE(&tensors[X], p->dtype, err, p->m, p->h));
    OM_TRY(OM_SHAPE(&tensors[GAMMA], p->dtype, err, p->h));
    OM_TRY(OM_SHAPE(&tensors[BETA], p->dtype, err, p->h));
    OM_TRY(OM_SHAPE(&tensors[Y], p->dtype, err, p->m, p->h));
    OM_TRY(OM_SHAPE(&tensors[MEAN], OM_F32, err, p->m));
    return OM_SHAPE(&tensors[RSTD], OM_F32, err, p->m);
}

static om_status backward_describe(const void *args, om_tensor *tensors, om_error *err)
{
    const om_layernorm_backward_args *p = args;
    OM_TRY(OM_SHAPE(&tensors[BACK_GRAD_Y], p->dtype, err, p->m, p->h));
    OM_TRY(OM_SHAPE(&tensors[BACK_X], p->dtype, err, p->m, p->h));
    OM_TRY(OM_SHAPE(&tensors[BACK_GAMMA], p->dtype, err, p->h));
    OM_TRY(OM_SHAPE(&tensors[BACK_MEAN], OM_F32, err, p->m));
    OM_TRY(OM_SHAPE(&tensors[BACK_RSTD], OM_F32, err, p->m));
    OM_TRY(OM_SHAPE(&tensors[GRAD_X], p->dtype, err, p->m, p->h));
    OM_TRY(OM_SHAPE(&tensors[GRAD_GAMMA], p->dtype, err, p->h));
    return OM_SHAPE(&tensors[GRAD_BETA], p->dtype, err, p->h);
}

static void fill(const void *args, size_t port, om_fill *fill)
{
    (void)args;
    (void)port;
    om__fill_set_normal(fill, 1);
}

static void backward_fill(const void *args, size_t port, om_fill *fill)
{
    (void)args;
    if (port == BACK_MEAN || port == BACK_RSTD)
        om__fill_set_host(fill);
    else
        om__fill_set_normal(fill, 1);
}

/* mean and rstd are what the forward pass gives for the x that was drawn. */
static om_status backward_fill_host(const void *args, size_t port, uint64_t seed,
                                    om_tensor *tensors, om_error *err)
{
    const om_layernorm_backward_args *p = args;
    (void)seed;
    (void)err;
    om__norm_fill(tensors[BACK_X].data, p->dtype, p->m, p->h, 1e-5, true,
                  port == BACK_MEAN ? tensors[port].data : NULL,
                  port == BACK_RSTD ? tensors[port].data : NULL);
    return OM_OK;
}

static om_work work(const void *args, const om_tensor *tensors)
{
    const om_layernorm_args *p = args;
    (void)tensors;
    double m = (double)p->m, h = (double)p->h, element = om_dtype_bits(p->dtype) / 8.0;
    return (om_work){.flops = 5 * m * h, .bytes = (2 * m * h + 2 * h) * element + 8 * m};
}

static om_work backward_work(const void *args, const om_tensor *tensors)
{
    const om_layernorm_backward_args *p = args;
    (void)tensors;
    double m = (double)p->m, h = (double)p->h, element = om_dtype_bits(p->dtype) / 8.0;
    return (om_work){.flops = 10 * m * h, .bytes = (3 * m * h + 3 * h) * element + 8 * m};
}

static om_tolerance tolerance(const void *args, size_t port)
{
    bool is_f32 = port == MEAN || port == RSTD;
    return om__tolerance_rounded(is_f32 ? OM_F32 : ((const om_layernorm_args *)args)->dtype);
}

static om_tolerance backward_tolerance(const void *args, size_t port)
{
    (void)port;
    return om__tolerance_rounded(((const om_layernorm_backward_args *)args)->dtype);
}

static void reference_row(const om_layernorm_args *p, size_t port, int64_t row)
{
    double mean, rstd = om__norm_statistics(p->x, p->dtype, row * p->h, p->h, p->eps, &mean);
    if (port == MEAN)
        p->mean[row] = (float)mean;
    if (port == RSTD)
        p->rstd[row] = (float)rstd;
    for (int64_t j = 0; port == Y && j < p->h; j++) {
        double xh = (om__load_f64(p->x, p->dtype, row * p->h + j) - mean) * rstd;
        double y = xh * om__load_f64(p->gamma, p->dtype, j) + om__load_f64(p->beta, p->dtype, j);
        om__store_f64(p->y, p->dtype, row * p->h + j, y);
    }
}

static om_status reference(const void *args, const om_rows *rows, om_error *err)
{
    const om_layernorm_args *p = args;
    (void)err;
    for (size_t port = Y; port <= RSTD; port++) {
        int64_t count = om__rows_count(rows, port, p->m);
        OM_PARALLEL_FOR(count * p->h)
        for (int64_t i = 0; i < count; i++)
            reference_row(p, port, om__rows_get(rows, port, i));
    }
    return OM_OK;
}

static om_status backward_reference(const void *args, const om_rows *rows, om_error *err)
{
    const om_layernorm_backward_args *p = args;
    const om_norm_backward norm = {
        .m = p->m,
        .h = p->h,
        .dtype = p->dtype,
        .grad_y = p->grad_y,
        .x = p->x,
        .gamma = p->gamma,
        .mean = p->mean,
        .rstd = p->rstd,
        .grad_x = p->grad_x,
        .grad_gamma = p->grad_gamma,
        .grad_beta = p->grad_beta,
    };
    (void)err;
    int64_t count = om__rows_count(rows, GRAD_X, p->m);
    OM_PARALLEL_FOR(count * p->h)
    for (int64_t i = 0; i < count; i++)
        om__norm_backward_row(&norm, om__rows_get(rows, GRAD_X, i));
    for (size_t port = GRAD_GAMMA; port <= GRAD_BETA; port++) {
        void *to = port == GRAD_GAMMA ? p->grad_gamma : p->grad_beta;
        int64_t columns = om__rows_count(rows, port, p->h);
        OM_PARALLEL_FOR(columns * p->m)
        for (int64_t i = 0; i < columns; i++)
            om__norm_backward_column(&norm, to, om__rows_get(rows, port, i));
    }
    return OM_OK;
}

const om_op om_op_layernorm = {
    .name = "layernorm",
    .pass = "forward",
    .summary = "layer normalisation of rows",
    .args_size = sizeof(om_layernorm_args),
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

const om_op om_op_layernorm_backward = {
    .name = "layernorm",
    .pass = "backward",
    .summary = "gradients of layer normalisation",
    .args_size = sizeof(om_layernorm_backward_args),
    .fields = backward_fields,
    .field_count = OM_COUNT(backward_fields),
    .ports = backward_ports,
    .port_count = OM_COUNT(backward_ports),
    .dtype_field = "dtype",
    .check = backward_check,
    .describe = backward_describe,
    .fill = backward_fill,
    .fill_host = backward_fill_host,
    .work = backward_work,
    .tolerance = backward_tolerance,
    .reference = backward_reference,
};
