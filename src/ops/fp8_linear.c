/* SPDX-License-Identifier: Apache-2.0 */
/* fp8_linear.c: the contracts of a linear layer in fp8 with its casts, forward and backward. */
#include "opmark/fp8_linear.h"

#include <stdlib.h>

#include "ops/quantise.h"
#include "ops/reference.h"

static const char *const scaling_words[] = {
    [OM_FP8_DELAYED] = "delayed",
    [OM_FP8_CURRENT] = "current",
    NULL,
};

static const om_field fields[] = {
    OM_INT_FIELD(om_fp8_linear_args, m, NULL, 0, OM_INT_MAX, "rows of x"),
    OM_INT_FIELD(om_fp8_linear_args, n, NULL, 0, OM_INT_MAX, "rows of w"),
    OM_INT_FIELD(om_fp8_linear_args, k, NULL, 0, OM_INT_MAX, "contraction length"),
    OM_WORD_FIELD(om_fp8_linear_args, scaling, "delayed", scaling_words,
                  "delayed: scales are known; current: found from the data first"),
};

static const om_field backward_fields[] = {
    OM_INT_FIELD(om_fp8_linear_backward_args, m, NULL, 0, OM_INT_MAX, "rows of grad_out"),
    OM_INT_FIELD(om_fp8_linear_backward_args, n, NULL, 0, OM_INT_MAX, "columns of grad_out"),
    OM_INT_FIELD(om_fp8_linear_backward_args, k, NULL, 0, OM_INT_MAX, "columns of x and w"),
    OM_WORD_FIELD(om_fp8_linear_backward_args, scaling, "delayed", scaling_words,
                  "delayed: the gradient's scale is known; current: found from the data first"),
};

/* A scale is one pointer of the struct with two roles: read, or written. */
enum { X, W, SCALE_X, SCALE_W, D, X_FP8, W_FP8, SCALE_X_OUT, SCALE_W_OUT, AMAX_X, AMAX_W, PORTS };
static const om_port ports[PORTS] = {
    [X] = OM_IN(om_fp8_linear_args, x),
    [W] = OM_WEIGHT(om_fp8_linear_args, w),
    [SCALE_X] = OM_IN_OPTIONAL(om_fp8_linear_args, scale_x),
    [SCALE_W] = OM_IN_OPTIONAL(om_fp8_linear_args, scale_w),
    [D] = OM_OUT(om_fp8_linear_args, d),
    [X_FP8] = OM_OUT(om_fp8_linear_args, x_fp8),
    [W_FP8] = OM_OUT(om_fp8_linear_args, w_fp8),
    [SCALE_X_OUT] = {"scale_x_out", offsetof(om_fp8_linear_args, scale_x), OM_PORT_OUT, true,
                     false},
    [SCALE_W_OUT] = {"scale_w_out", offsetof(om_fp8_linear_args, scale_w), OM_PORT_OUT, true,
                     false},
    [AMAX_X] = OM_OUT(om_fp8_linear_args, amax_x),
    [AMAX_W] = OM_OUT(om_fp8_linear_args, amax_w),
};

enum {
    BACK_GRAD_OUT,
    BACK_X,
    BACK_W,
    BACK_SCALE_X,
    BACK_SCALE_W,
    BACK_SCALE_G,
    BACK_GRAD_X,
    BACK_GRAD_W,
    BACK_SCALE_G_OUT,
    BACK_AMAX_G,
    BACK_PORTS
};
static const om_port backward_ports[BACK_PORTS] = {
    [BACK_GRAD_OUT] = OM_IN(om_fp8_linear_backward_args, grad_out),
    [BACK_X] = OM_IN(om_fp8_linear_backward_args, x_fp8),
    [BACK_W] = OM_WEIGHT(om_fp8_linear_backward_args, w_fp8),
    [BACK_SCALE_X] = OM_IN(om_fp8_linear_backward_args, scale_x),
    [BACK_SCALE_W] = OM_IN(om_fp8_linear_backward_args, scale_w),
    [BACK_SCALE_G] = OM_IN_OPTIONAL(om_fp8_linear_backward_args, scale_g),
    [BACK_GRAD_X] = OM_OUT(om_fp8_linear_backward_args, grad_x),
    [BACK_GRAD_W] = OM_OUT(om_fp8_linear_backward_args, grad_w),
    [BACK_SCALE_G_OUT] = {"scale_g_out", offsetof(om_fp8_linear_backward_args, scale_g),
                          OM_PORT_OUT, true, false},
    [BACK_AMAX_G] = OM_OUT(om_fp8_linear_backward_args, amax_g),
};

static om_status describe(const void *args, om_tensor *tensors, om_error *err)
{
    const om_fp8_linear_args *p = args;
    bool finds = p->scaling == OM_FP8_CURRENT;
    for (int i = 0; i < PORTS; i++)
        tensors[i] = (om_tensor){0};
    OM_TRY(OM_SHAPE(&tensors[X], OM_BF16, err, p->m, p->k));
    OM_TRY(OM_SHAPE(&tensors[W], OM_BF16, err, p->n, p->k));
    OM_TRY(OM_SHAPE(&tensors[finds ? SCALE_X_OUT : SCALE_X], OM_F32, err, 1));
    OM_TRY(OM_SHAPE(&tensors[finds ? SCALE_W_OUT : SCALE_W], OM_F32, err, 1));
    OM_TRY(OM_SHAPE(&tensors[D], OM_BF16, err, p->m, p->n));
    OM_TRY(OM_SHAPE(&tensors[X_FP8], OM_E4M3, err, p->m, p->k));
    OM_TRY(OM_SHAPE(&tensors[W_FP8], OM_E4M3, err, p->n, p->k));
    OM_TRY(OM_SHAPE(&tensors[AMAX_X], OM_F32, err, 1));
    return OM_SHAPE(&tensors[AMAX_W], OM_F32, err, 1);
}

static om_status backward_describe(const void *args, om_tensor *tensors, om_error *err)
{
    const om_fp8_linear_backward_args *p = args;
    bool finds = p->scaling == OM_FP8_CURRENT;
    for (int i = 0; i < BACK_PORTS; i++)
        tensors[i] = (om_tensor){0};
    OM_TRY(OM_SHAPE(&tensors[BACK_GRAD_OUT], OM_BF16, err, p->m, p->n));
    OM_TRY(OM_SHAPE(&tensors[BACK_X], OM_E4M3, err, p->m, p->k));
    OM_TRY(OM_SHAPE(&tensors[BACK_W], OM_E4M3, err, p->n, p->k));
    OM_TRY(OM_SHAPE(&tensors[BACK_SCALE_X], OM_F32, err, 1));
    OM_TRY(OM_SHAPE(&tensors[BACK_SCALE_W], OM_F32, err, 1));
    OM_TRY(OM_SHAPE(&tensors[finds ? BACK_SCALE_G_OUT : BACK_SCALE_G], OM_F32, err, 1));
    OM_TRY(OM_SHAPE(&tensors[BACK_GRAD_X], OM_BF16, err, p->m, p->k));
    OM_TRY(OM_SHAPE(&tensors[BACK_GRAD_W], OM_BF16, err, p->n, p->k));
    return OM_SHAPE(&tensors[BACK_AMAX_G], OM_F32, err, 1);
}

/* Known scales are such that the drawn values fill most of the range of e4m3. */
static void fill(const void *args, size_t port, om_fill *fill)
{
    (void)args;
    if (port == X || port == W)
        om__fill_set_normal(fill, 1);
    else
        om__fill_set_uniform(fill, 64, 128);
}

static void backward_fill(const void *args, size_t port, om_fill *fill)
{
    (void)args;
    if (port == BACK_GRAD_OUT)
        om__fill_set_normal(fill, 1);
    else if (port == BACK_X || port == BACK_W)
        om__fill_set_normal(fill, 96);
    else
        om__fill_set_uniform(fill, 64, 128);
}

/* The bf16 operands are read, their fp8 forms and the result written. */
static om_work work(const void *args, const om_tensor *tensors)
{
    const om_fp8_linear_args *p = args;
    (void)tensors;
    double m = (double)p->m, n = (double)p->n, k = (double)p->k;
    return (om_work){.flops = 2 * m * n * k, .bytes = 3 * m * k + 3 * n * k + 2 * m * n};
}

static om_work backward_work(const void *args, const om_tensor *tensors)
{
    const om_fp8_linear_backward_args *p = args;
    (void)tensors;
    double m = (double)p->m, n = (double)p->n, k = (double)p->k;
    return (om_work){.flops = 4 * m * n * k, .bytes = 2 * m * n + 3 * m * k + 3 * n * k};
}

static om_tolerance tolerance(const void *args, size_t port)
{
    (void)args;
    if (port == X_FP8 || port == W_FP8)
        return om__tolerance_codes();
    if (port == AMAX_X || port == AMAX_W)
        return om__tolerance_exact();
    return port == D ? om__tolerance_fp8_product() : om__tolerance_rounded(OM_F32);
}

static om_tolerance backward_tolerance(const void *args, size_t port)
{
    (void)args;
    if (port == BACK_AMAX_G)
        return om__tolerance_exact();
    return port == BACK_SCALE_G_OUT ? om__tolerance_rounded(OM_F32) : om__tolerance_fp8_product();
}

/* amax, the scale where it is to be found, and the codes. */
static void quantise(const void *x, int64_t count, om_dtype to, bool finds_scale, float *scale,
                     float *amax, uint8_t *out)
{
    *amax = om__amax(x, OM_BF16, 0, count);
    if (finds_scale)
        *scale = *amax == 0 ? 1 : om__fp8_limit(to) / *amax;
    for (int64_t i = 0; i < count; i++) {
        float value = (float)om__load_f64(x, OM_BF16, i) * *scale;
        out[i] = to == OM_E4M3 ? om__e4m3_from_f32(value) : om__e5m2_from_f32(value);
    }
}

static om_status reference(const void *args, const om_rows *rows, om_error *err)
{
    const om_fp8_linear_args *p = args;
    bool finds = p->scaling == OM_FP8_CURRENT;
    quantise(p->x, p->m * p->k, OM_E4M3, finds, p->scale_x, p->amax_x, p->x_fp8);
    quantise(p->w, p->n * p->k, OM_E4M3, finds, p->scale_w, p->amax_w, p->w_fp8);
    const om_batch one = {.count = 1};
    const om_matmul matmul = {
        .m = p->m,
        .n = p->n,
        .k = p->k,
        .a = {p->x_fp8, OM_E4M3, 0, p->k, 1},
        .b = {p->w_fp8, OM_E4M3, 0, p->k, 1},
        .d = p->d,
        .d_dtype = OM_BF16,
        .d_row = p->n,
        .d_column = 1,
        .scale = 1 / ((double)*p->scale_x * (double)*p->scale_w),
    };
    return om__reference_batch(&matmul, &one, rows, D, err);
}

static om_status backward_products(const om_fp8_linear_backward_args *p, const uint8_t *g,
                                   const om_rows *rows, om_error *err)
{
    const om_batch one = {.count = 1};
    const om_matmul grad_x = {
        .m = p->m,
        .n = p->k,
        .k = p->n,
        .a = {g, OM_E5M2, 0, p->n, 1},
        .b = {p->w_fp8, OM_E4M3, 0, 1, p->k},
        .d = p->grad_x,
        .d_dtype = OM_BF16,
        .d_row = p->k,
        .d_column = 1,
        .scale = 1 / ((double)*p->scale_g * (double)*p->scale_w),
    };
    const om_matmul grad_w = {
        .m = p->n,
        .n = p->k,
        .k = p->m,
        .a = {g, OM_E5M2, 0, 1, p->n},
        .b = {p->x_fp8, OM_E4M3, 0, 1, p->k},
        .d = p->grad_w,
        .d_dtype = OM_BF16,
        .d_row = p->k,
        .d_column = 1,
        .scale = 1 / ((double)*p->scale_g * (double)*p->scale_x),
    };
    OM_TRY(om__reference_batch(&grad_x, &one, rows, BACK_GRAD_X, err));
    return om__reference_batch(&grad_w, &one, rows, BACK_GRAD_W, err);
}

static om_status backward_reference(const void *args, const om_rows *rows, om_error *err)
{
    const om_fp8_linear_backward_args *p = args;
    uint8_t *g = om__scratch(p->m * p->n, 1, err);
    if (!g)
        return OM_NO_MEMORY;
    quantise(p->grad_out, p->m * p->n, OM_E5M2, p->scaling == OM_FP8_CURRENT, p->scale_g, p->amax_g,
             g);
    om_status status = backward_products(p, g, rows, err);
    free(g);
    return status;
}

const om_op om_op_fp8_linear = {
    .name = "fp8_linear",
    .pass = "forward",
    .summary = "linear layer in bf16 whose product runs in e4m3, casts included",
    .args_size = sizeof(om_fp8_linear_args),
    .fields = fields,
    .field_count = OM_COUNT(fields),
    .ports = ports,
    .port_count = PORTS,
    .describe = describe,
    .fill = fill,
    .work = work,
    .tolerance = tolerance,
    .reference = reference,
};

const om_op om_op_fp8_linear_backward = {
    .name = "fp8_linear",
    .pass = "backward",
    .summary = "both gradients of a linear layer in fp8, the gradient's cast to e5m2 included",
    .args_size = sizeof(om_fp8_linear_backward_args),
    .fields = backward_fields,
    .field_count = OM_COUNT(backward_fields),
    .ports = backward_ports,
    .port_count = BACK_PORTS,
    .describe = backward_describe,
    .fill = backward_fill,
    .work = backward_work,
    .tolerance = backward_tolerance,
    .reference = backward_reference,
};
