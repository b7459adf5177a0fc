/* SPDX-License-Identifier: Apache-2.0 */
/* cudnn_norm.c: rmsnorm and layernorm as graphs of cuDNN, forward and backward.
 *
 * cuDNN's norms take [rows, width, 1, 1] tensors with the width innermost, a scale (and shift) of
 * [1, width, 1, 1] and statistics of [rows, 1, 1, 1] in f32.
 */
#include <stddef.h>

#include "base/error.h"
#include "opmark/layernorm.h"
#include "opmark/rmsnorm.h"
#include "providers/cuda/cudnn_serve.h"

/* From 1 on: some engines take a tensor of number 0 for none. */
enum { X = 1, Y, SCALE, SHIFT, MEAN, RSTD, EPSILON, GRAD_Y, GRAD_X, GRAD_SCALE, GRAD_SHIFT };

/* What a norm needs, whichever operator it came from. */
typedef struct norm {
    int64_t rows, width;
    om_dtype dtype;
    float epsilon;
    bool is_layer, is_backward;
} norm;

static norm norm_of(int64_t rows, int64_t width, om_dtype dtype, double epsilon)
{
    return (norm){.rows = rows,
                  .width = width,
                  .dtype = dtype == OM_DTYPE_DEFAULT ? OM_BF16 : dtype,
                  .epsilon = (float)(epsilon == 0 ? 1e-5 : epsilon)};
}

static norm rmsnorm_of(const void *args)
{
    const om_rmsnorm_args *a = args;
    return norm_of(a->m, a->h, a->dtype, a->eps);
}

static norm rmsnorm_backward_of(const void *args)
{
    const om_rmsnorm_backward_args *a = args;
    norm n = norm_of(a->m, a->h, a->dtype, 0);
    n.is_backward = true;
    return n;
}

static norm layernorm_of(const void *args)
{
    const om_layernorm_args *a = args;
    norm n = norm_of(a->m, a->h, a->dtype, a->eps);
    n.is_layer = true;
    return n;
}

static norm layernorm_backward_of(const void *args)
{
    const om_layernorm_backward_args *a = args;
    norm n = norm_of(a->m, a->h, a->dtype, 0);
    n.is_layer = n.is_backward = true;
    return n;
}

static om_status check(const norm *n, om_error *err)
{
    if (n->rows < 1 || n->width < 1)
        return om__error_set(err, OM_UNSUPPORTED, "cuDNN has no empty norms");
    if (n->rows > INT32_MAX || n->width > INT32_MAX)
        return om__error_set(err, OM_UNSUPPORTED, "a dimension beyond 2^31");
    return OM_OK;
}

/* ---- graphs ---- */

static cudnnBackendDescriptor_t full(om_cudnn_graph *g, const norm *n, int port)
{
    const int64_t dims[] = {n->rows, n->width, 1, 1};
    const int64_t strides[] = {n->width, 1, n->width, n->width};
    return om__cudnn_tensor(g, port, n->dtype, 4, dims, strides, false, false);
}

static cudnnBackendDescriptor_t one_row(om_cudnn_graph *g, const norm *n, int port)
{
    const int64_t dims[] = {1, n->width, 1, 1};
    const int64_t strides[] = {n->width, 1, n->width, n->width};
    return om__cudnn_tensor(g, port, n->dtype, 4, dims, strides, false, false);
}

static cudnnBackendDescriptor_t statistic(om_cudnn_graph *g, const norm *n, int port)
{
    const int64_t dims[] = {n->rows, 1, 1, 1}, strides[] = {1, 1, 1, 1};
    return om__cudnn_tensor(g, port, OM_F32, 4, dims, strides, false, false);
}

static void attach(om_cudnn_graph *g, cudnnBackendDescriptor_t op, cudnnBackendAttributeName_t name,
                   cudnnBackendDescriptor_t tensor)
{
    om__cudnn_set(g, op, name, CUDNN_TYPE_BACKEND_DESCRIPTOR, &tensor);
}

static void describe_forward(om_cudnn_graph *g, const norm *n)
{
    const int64_t ones[] = {1, 1, 1, 1};
    cudnnBackendNormMode_t mode = n->is_layer ? CUDNN_LAYER_NORM : CUDNN_RMS_NORM;
    cudnnBackendNormFwdPhase_t phase = CUDNN_NORM_FWD_TRAINING;
    cudnnBackendDescriptor_t op =
        om__cudnn_op_begin(g, CUDNN_BACKEND_OPERATION_NORM_FORWARD_DESCRIPTOR);
    om__cudnn_set(g, op, CUDNN_ATTR_OPERATION_NORM_FWD_MODE, CUDNN_TYPE_NORM_MODE, &mode);
    om__cudnn_set(g, op, CUDNN_ATTR_OPERATION_NORM_FWD_PHASE, CUDNN_TYPE_NORM_FWD_PHASE, &phase);
    attach(g, op, CUDNN_ATTR_OPERATION_NORM_FWD_XDESC, full(g, n, X));
    attach(g, op, CUDNN_ATTR_OPERATION_NORM_FWD_SCALE_DESC, one_row(g, n, SCALE));
    attach(g, op, CUDNN_ATTR_OPERATION_NORM_FWD_EPSILON_DESC,
           om__cudnn_tensor(g, EPSILON, OM_F32, 4, ones, ones, true, false));
    if (n->is_layer) {
        attach(g, op, CUDNN_ATTR_OPERATION_NORM_FWD_BIAS_DESC, one_row(g, n, SHIFT));
        attach(g, op, CUDNN_ATTR_OPERATION_NORM_FWD_MEAN_DESC, statistic(g, n, MEAN));
    }
    attach(g, op, CUDNN_ATTR_OPERATION_NORM_FWD_INV_VARIANCE_DESC, statistic(g, n, RSTD));
    attach(g, op, CUDNN_ATTR_OPERATION_NORM_FWD_YDESC, full(g, n, Y));
    om__cudnn_op_end(g, op);
}

static void describe_backward(om_cudnn_graph *g, const norm *n)
{
    cudnnBackendNormMode_t mode = n->is_layer ? CUDNN_LAYER_NORM : CUDNN_RMS_NORM;
    cudnnBackendDescriptor_t op =
        om__cudnn_op_begin(g, CUDNN_BACKEND_OPERATION_NORM_BACKWARD_DESCRIPTOR);
    om__cudnn_set(g, op, CUDNN_ATTR_OPERATION_NORM_BWD_MODE, CUDNN_TYPE_NORM_MODE, &mode);
    attach(g, op, CUDNN_ATTR_OPERATION_NORM_BWD_XDESC, full(g, n, X));
    attach(g, op, CUDNN_ATTR_OPERATION_NORM_BWD_DYDESC, full(g, n, GRAD_Y));
    attach(g, op, CUDNN_ATTR_OPERATION_NORM_BWD_SCALE_DESC, one_row(g, n, SCALE));
    if (n->is_layer)
        attach(g, op, CUDNN_ATTR_OPERATION_NORM_BWD_MEAN_DESC, statistic(g, n, MEAN));
    attach(g, op, CUDNN_ATTR_OPERATION_NORM_BWD_INV_VARIANCE_DESC, statistic(g, n, RSTD));
    attach(g, op, CUDNN_ATTR_OPERATION_NORM_BWD_DSCALE_DESC, one_row(g, n, GRAD_SCALE));
    if (n->is_layer)
        attach(g, op, CUDNN_ATTR_OPERATION_NORM_BWD_DBIAS_DESC, one_row(g, n, GRAD_SHIFT));
    attach(g, op, CUDNN_ATTR_OPERATION_NORM_BWD_DXDESC, full(g, n, GRAD_X));
    om__cudnn_op_end(g, op);
}

/* ---- ports ---- */

static om_cudnn_port full_port(const norm *n, int port, size_t offset)
{
    return (om_cudnn_port){
        .number = port, .offset = offset, .dtype = n->dtype, .count = n->rows * n->width};
}

static om_cudnn_port row_port(const norm *n, int port, size_t offset)
{
    return (om_cudnn_port){.number = port, .offset = offset, .dtype = n->dtype, .count = n->width};
}

static om_cudnn_port statistic_port(const norm *n, int port, size_t offset)
{
    return (om_cudnn_port){.number = port, .offset = offset, .dtype = OM_F32, .count = n->rows};
}

static om_cudnn_port epsilon_port(const norm *n)
{
    return (om_cudnn_port){.number = EPSILON, .place = OM_CUDNN_SCALAR, .value = n->epsilon};
}

static size_t rmsnorm_ports(const void *args, om_cudnn_port *p)
{
    const norm n = rmsnorm_of(args);
    size_t count = 0;
    p[count++] = full_port(&n, X, offsetof(om_rmsnorm_args, x));
    p[count++] = row_port(&n, SCALE, offsetof(om_rmsnorm_args, gamma));
    p[count++] = full_port(&n, Y, offsetof(om_rmsnorm_args, y));
    p[count++] = statistic_port(&n, RSTD, offsetof(om_rmsnorm_args, rstd));
    p[count++] = epsilon_port(&n);
    return count;
}

static size_t rmsnorm_backward_ports(const void *args, om_cudnn_port *p)
{
    const norm n = rmsnorm_backward_of(args);
    size_t count = 0;
    p[count++] = full_port(&n, GRAD_Y, offsetof(om_rmsnorm_backward_args, grad_y));
    p[count++] = full_port(&n, X, offsetof(om_rmsnorm_backward_args, x));
    p[count++] = row_port(&n, SCALE, offsetof(om_rmsnorm_backward_args, gamma));
    p[count++] = statistic_port(&n, RSTD, offsetof(om_rmsnorm_backward_args, rstd));
    p[count++] = full_port(&n, GRAD_X, offsetof(om_rmsnorm_backward_args, grad_x));
    p[count++] = row_port(&n, GRAD_SCALE, offsetof(om_rmsnorm_backward_args, grad_gamma));
    return count;
}

static size_t layernorm_ports(const void *args, om_cudnn_port *p)
{
    const norm n = layernorm_of(args);
    size_t count = 0;
    p[count++] = full_port(&n, X, offsetof(om_layernorm_args, x));
    p[count++] = row_port(&n, SCALE, offsetof(om_layernorm_args, gamma));
    p[count++] = row_port(&n, SHIFT, offsetof(om_layernorm_args, beta));
    p[count++] = full_port(&n, Y, offsetof(om_layernorm_args, y));
    p[count++] = statistic_port(&n, MEAN, offsetof(om_layernorm_args, mean));
    p[count++] = statistic_port(&n, RSTD, offsetof(om_layernorm_args, rstd));
    p[count++] = epsilon_port(&n);
    return count;
}

static size_t layernorm_backward_ports(const void *args, om_cudnn_port *p)
{
    const norm n = layernorm_backward_of(args);
    size_t count = 0;
    p[count++] = full_port(&n, GRAD_Y, offsetof(om_layernorm_backward_args, grad_y));
    p[count++] = full_port(&n, X, offsetof(om_layernorm_backward_args, x));
    p[count++] = row_port(&n, SCALE, offsetof(om_layernorm_backward_args, gamma));
    p[count++] = statistic_port(&n, MEAN, offsetof(om_layernorm_backward_args, mean));
    p[count++] = statistic_port(&n, RSTD, offsetof(om_layernorm_backward_args, rstd));
    p[count++] = full_port(&n, GRAD_X, offsetof(om_layernorm_backward_args, grad_x));
    p[count++] = row_port(&n, GRAD_SCALE, offsetof(om_layernorm_backward_args, grad_gamma));
    p[count++] = row_port(&n, GRAD_SHIFT, offsetof(om_layernorm_backward_args, grad_beta));
    return count;
}

/* ---- the list ---- */

#define CHECK_AND_DESCRIBE(name, describe)                                                         \
    static om_status name##_check(const void *args, om_error *err)                                 \
    {                                                                                              \
        const norm n = name##_of(args);                                                            \
        return check(&n, err);                                                                     \
    }                                                                                              \
    static void name##_describe(const void *args, om_cudnn_graph *graph)                           \
    {                                                                                              \
        const norm n = name##_of(args);                                                            \
        describe(graph, &n);                                                                       \
    }

CHECK_AND_DESCRIBE(rmsnorm, describe_forward)
CHECK_AND_DESCRIBE(rmsnorm_backward, describe_backward)
CHECK_AND_DESCRIBE(layernorm, describe_forward)
CHECK_AND_DESCRIBE(layernorm_backward, describe_backward)

const om_cudnn_serve om__cudnn_norms[] = {
    {"rmsnorm", "forward", sizeof(om_rmsnorm_args), 0, rmsnorm_check, rmsnorm_ports,
     rmsnorm_describe},
    {"rmsnorm", "backward", sizeof(om_rmsnorm_backward_args), 0, rmsnorm_backward_check,
     rmsnorm_backward_ports, rmsnorm_backward_describe},
    {"layernorm", "forward", sizeof(om_layernorm_args), 0, layernorm_check, layernorm_ports,
     layernorm_describe},
    {"layernorm", "backward", sizeof(om_layernorm_backward_args), 0, layernorm_backward_check,
     layernorm_backward_ports, layernorm_backward_describe},
    {0},
};
