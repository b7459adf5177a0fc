/* SPDX-License-Identifier: Apache-2.0 */
/* cudnn_attention.c: attention as graphs of cuDNN, forward and backward.
 *
 * cuDNN knows attention as a pattern of plain operations: it fuses the graphs below, and only
 * graphs of this very form, into one kernel (forward) or three. Its tensors are [B,H,S,D] by
 * whatever strides, so ours, [B,S,H,D], go as they lie; keys (and values, backward) enter
 * transposed. Scores and all between are f32; statistics are the logarithm of the sum of
 * exponentials, as ours.
 */
#include <math.h>
#include <stddef.h>

#include "base/error.h"
#include "opmark/attention.h"
#include "providers/cuda/cudnn_serve.h"

enum { Q = 1, K, V, O, LSE, GRAD_O, GRAD_Q, GRAD_K, GRAD_V, SCALE, MASKED, ONE, DELTA, SUM_Q };

typedef struct attention {
    int64_t b, s, hq, hkv, d;
    om_dtype dtype;
    bool is_causal;
    float scale;
} attention;

static attention attention_of(const void *args)
{
    const om_attention_args *a = args;
    attention t = {.b = a->b != 0 ? a->b : 1,
                   .s = a->s,
                   .hq = a->hq,
                   .hkv = a->hkv != 0 ? a->hkv : a->hq,
                   .d = a->d,
                   .dtype = a->dtype == OM_DTYPE_DEFAULT ? OM_BF16 : a->dtype,
                   .is_causal = a->causal != 0};
    t.scale = (float)(a->scale != 0 ? a->scale : 1 / sqrt((double)a->d));
    return t;
}

static attention attention_backward_of(const void *args)
{
    const om_attention_backward_args *a = args;
    const om_attention_args same = {.b = a->b,
                                    .s = a->s,
                                    .hq = a->hq,
                                    .hkv = a->hkv,
                                    .d = a->d,
                                    .dtype = a->dtype,
                                    .causal = a->causal,
                                    .scale = a->scale};
    return attention_of(&same);
}

static om_status check(const attention *a, om_error *err)
{
    if (a->dtype != OM_BF16 && a->dtype != OM_F16)
        return om__error_set(err, OM_UNSUPPORTED, "cuDNN's attention takes bf16 and fp16 alone");
    if (a->s < 1)
        return om__error_set(err, OM_UNSUPPORTED, "cuDNN has no empty attention");
    if (a->d % 8 != 0)
        return om__error_set(err, OM_UNSUPPORTED, "d=%lld is no multiple of 8", (long long)a->d);
    return OM_OK;
}

/* ---- pieces of graphs ---- */

typedef cudnnBackendDescriptor_t node;

typedef struct shape {
    int64_t dims[4], strides[4];
} shape;

/* [B,heads,S,D] as it lies in memory: [B,S,heads,D]. */
static shape interleaved(const attention *a, int64_t heads)
{
    return (shape){{a->b, heads, a->s, a->d}, {a->s * heads * a->d, a->d, heads * a->d, 1}};
}

static shape packed(int64_t b, int64_t heads, int64_t rows, int64_t columns)
{
    return (shape){{b, heads, rows, columns}, {heads * rows * columns, rows * columns, columns, 1}};
}

static shape turned(shape s)
{
    return (shape){{s.dims[0], s.dims[1], s.dims[3], s.dims[2]},
                   {s.strides[0], s.strides[1], s.strides[3], s.strides[2]}};
}

static shape statistic(const attention *a)
{
    return (shape){{a->b, a->hq, a->s, 1}, {a->hq * a->s, a->s, 1, 1}};
}

static node port(om_cudnn_graph *g, int number, om_dtype dtype, shape s)
{
    return om__cudnn_tensor(g, number, dtype, 4, s.dims, s.strides, false, false);
}

static node scalar(om_cudnn_graph *g, int number)
{
    const int64_t ones[] = {1, 1, 1, 1};
    return om__cudnn_tensor(g, number, OM_F32, 4, ones, ones, true, false);
}

static node between(om_cudnn_graph *g, cudnnDataType_t type, shape s)
{
    return om__cudnn_between(g, type, s.dims, s.strides);
}

static cudnnDataType_t type_of(const attention *a)
{
    return a->dtype == OM_F16 ? CUDNN_DATA_HALF : CUDNN_DATA_BFLOAT16;
}

static void attach(om_cudnn_graph *g, node op, cudnnBackendAttributeName_t name, node object)
{
    om__cudnn_set(g, op, name, CUDNN_TYPE_BACKEND_DESCRIPTOR, &object);
}

/* to = a · b */
static node multiply(om_cudnn_graph *g, node a, node b, node to)
{
    const cudnnDataType_t type = CUDNN_DATA_FLOAT;
    node how = om__cudnn_object_begin(g, CUDNN_BACKEND_MATMUL_DESCRIPTOR);
    om__cudnn_set(g, how, CUDNN_ATTR_MATMUL_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, &type);
    om__cudnn_object_end(g, how);
    node op = om__cudnn_op_begin(g, CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR);
    attach(g, op, CUDNN_ATTR_OPERATION_MATMUL_ADESC, a);
    attach(g, op, CUDNN_ATTR_OPERATION_MATMUL_BDESC, b);
    attach(g, op, CUDNN_ATTR_OPERATION_MATMUL_CDESC, to);
    attach(g, op, CUDNN_ATTR_OPERATION_MATMUL_DESC, how);
    om__cudnn_op_end(g, op);
    return to;
}

typedef struct pointwise {
    cudnnPointwiseMode_t mode;
    cudnnDataType_t compute;
    int64_t axis; /* of an index */
    node x, b, t, to;
} pointwise;

static node apply(om_cudnn_graph *g, pointwise p)
{
    const float one = 1;
    node how = om__cudnn_object_begin(g, CUDNN_BACKEND_POINTWISE_DESCRIPTOR);
    om__cudnn_set(g, how, CUDNN_ATTR_POINTWISE_MODE, CUDNN_TYPE_POINTWISE_MODE, &p.mode);
    om__cudnn_set(g, how, CUDNN_ATTR_POINTWISE_MATH_PREC, CUDNN_TYPE_DATA_TYPE, &p.compute);
    if (p.mode == CUDNN_POINTWISE_GEN_INDEX)
        om__cudnn_set(g, how, CUDNN_ATTR_POINTWISE_AXIS, CUDNN_TYPE_INT64, &p.axis);
    om__cudnn_object_end(g, how);
    node op = om__cudnn_op_begin(g, CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR);
    attach(g, op, CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, how);
    attach(g, op, CUDNN_ATTR_OPERATION_POINTWISE_XDESC, p.x);
    attach(g, op, CUDNN_ATTR_OPERATION_POINTWISE_YDESC, p.to);
    if (p.b != NULL)
        attach(g, op, CUDNN_ATTR_OPERATION_POINTWISE_BDESC, p.b);
    if (p.t != NULL)
        attach(g, op, CUDNN_ATTR_OPERATION_POINTWISE_TDESC, p.t);
    om__cudnn_set(g, op, CUDNN_ATTR_OPERATION_POINTWISE_ALPHA1, CUDNN_TYPE_FLOAT, &one);
    om__cudnn_set(g, op, CUDNN_ATTR_OPERATION_POINTWISE_ALPHA2, CUDNN_TYPE_FLOAT, &one);
    om__cudnn_op_end(g, op);
    return p.to;
}

/* to = x ∘ b, in f32; b may be NULL. */
static node combine(om_cudnn_graph *g, cudnnPointwiseMode_t mode, node x, node b, node to)
{
    return apply(g,
                 (pointwise){.mode = mode, .compute = CUDNN_DATA_FLOAT, .x = x, .b = b, .to = to});
}

static node reduce(om_cudnn_graph *g, cudnnReduceTensorOp_t what, node x, node to)
{
    const cudnnDataType_t type = CUDNN_DATA_FLOAT;
    node how = om__cudnn_object_begin(g, CUDNN_BACKEND_REDUCTION_DESCRIPTOR);
    om__cudnn_set(g, how, CUDNN_ATTR_REDUCTION_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, &type);
    om__cudnn_set(g, how, CUDNN_ATTR_REDUCTION_OPERATOR, CUDNN_TYPE_REDUCTION_OPERATOR_TYPE, &what);
    om__cudnn_object_end(g, how);
    node op = om__cudnn_op_begin(g, CUDNN_BACKEND_OPERATION_REDUCTION_DESCRIPTOR);
    attach(g, op, CUDNN_ATTR_OPERATION_REDUCTION_DESC, how);
    attach(g, op, CUDNN_ATTR_OPERATION_REDUCTION_XDESC, x);
    attach(g, op, CUDNN_ATTR_OPERATION_REDUCTION_YDESC, to);
    om__cudnn_op_end(g, op);
    return to;
}

static node reshape(om_cudnn_graph *g, node x, node to)
{
    node op = om__cudnn_op_begin(g, CUDNN_BACKEND_OPERATION_RESHAPE_DESCRIPTOR);
    attach(g, op, CUDNN_ATTR_OPERATION_RESHAPE_XDESC, x);
    attach(g, op, CUDNN_ATTR_OPERATION_RESHAPE_YDESC, to);
    om__cudnn_op_end(g, op);
    return to;
}

/* scores where the key is not after the query, minus infinity elsewhere */
static node mask(om_cudnn_graph *g, shape s, node scores)
{
    node index[2];
    for (int i = 0; i < 2; i++)
        index[i] = apply(g, (pointwise){.mode = CUDNN_POINTWISE_GEN_INDEX,
                                        .compute = CUDNN_DATA_FLOAT,
                                        .axis = 2 + i,
                                        .x = scores,
                                        .to = between(g, CUDNN_DATA_INT32, s)});
    node seen = apply(g, (pointwise){.mode = CUDNN_POINTWISE_CMP_GE,
                                     .compute = CUDNN_DATA_BOOLEAN,
                                     .x = index[0],
                                     .b = index[1],
                                     .to = between(g, CUDNN_DATA_BOOLEAN, s)});
    return apply(g, (pointwise){.mode = CUDNN_POINTWISE_BINARY_SELECT,
                                .compute = CUDNN_DATA_FLOAT,
                                .x = scores,
                                .b = scalar(g, MASKED),
                                .t = seen,
                                .to = between(g, CUDNN_DATA_FLOAT, s)});
}

/* ---- forward ---- */

static void describe_forward(om_cudnn_graph *g, const attention *a)
{
    const cudnnDataType_t f32 = CUDNN_DATA_FLOAT;
    const shape query = interleaved(a, a->hq), key = interleaved(a, a->hkv), row = statistic(a);
    const shape score = packed(a->b, a->hq, a->s, a->s);
    node s = multiply(g, port(g, Q, a->dtype, query), port(g, K, a->dtype, turned(key)),
                      between(g, f32, score));
    s = combine(g, CUDNN_POINTWISE_MUL, s, scalar(g, SCALE), between(g, f32, score));
    if (a->is_causal)
        s = mask(g, score, s);
    node top = reduce(g, CUDNN_REDUCE_TENSOR_MAX, s, between(g, f32, row));
    node p = combine(g, CUDNN_POINTWISE_SUB, s, top, between(g, f32, score));
    p = combine(g, CUDNN_POINTWISE_EXP, p, NULL, between(g, f32, score));
    node total = reduce(g, CUDNN_REDUCE_TENSOR_ADD, p, between(g, f32, row));
    node log = combine(g, CUDNN_POINTWISE_LOG, total, NULL, between(g, f32, row));
    combine(g, CUDNN_POINTWISE_ADD, top, log, port(g, LSE, OM_F32, row));
    p = combine(g, CUDNN_POINTWISE_DIV, p, total, between(g, type_of(a), score));
    multiply(g, p, port(g, V, a->dtype, key), port(g, O, a->dtype, query));
}

/* ---- backward ---- */

/* The gradient of keys or values: turned(x) · y, summed over the query heads that share one. */
static void key_gradient(om_cudnn_graph *g, const attention *a, node x, node y, int number)
{
    const shape score = packed(a->b, a->hq, a->s, a->s);
    node gradient = port(g, number, a->dtype, interleaved(a, a->hkv));
    node across = reshape(g, x, between(g, type_of(a), turned(score)));
    if (a->hq == a->hkv) {
        multiply(g, across, y, gradient);
        return;
    }
    node all = multiply(g, across, y, between(g, type_of(a), packed(a->b, a->hq, a->s, a->d)));
    reduce(g, CUDNN_REDUCE_TENSOR_ADD, all, gradient);
}

static void describe_backward(om_cudnn_graph *g, const attention *a)
{
    const cudnnDataType_t f32 = CUDNN_DATA_FLOAT;
    const shape query = interleaved(a, a->hq), key = interleaved(a, a->hkv), row = statistic(a);
    const shape score = packed(a->b, a->hq, a->s, a->s);
    node q = port(g, Q, a->dtype, query), k = port(g, K, a->dtype, turned(key));
    node grad_o = port(g, GRAD_O, a->dtype, query), scale = scalar(g, SCALE);

    node d = combine(g, CUDNN_POINTWISE_MUL, grad_o, port(g, O, a->dtype, query),
                     between(g, f32, packed(a->b, a->hq, a->s, a->d)));
    d = reduce(g, CUDNN_REDUCE_TENSOR_ADD, d, between(g, f32, row));
    d = combine(g, CUDNN_POINTWISE_MUL, d, scalar(g, ONE), port(g, DELTA, OM_F32, row));

    node p = multiply(g, q, k, between(g, f32, score));
    p = combine(g, CUDNN_POINTWISE_MUL, p, scale, between(g, f32, score));
    p = combine(g, CUDNN_POINTWISE_SUB, p, port(g, LSE, OM_F32, row), between(g, f32, score));
    if (a->is_causal)
        p = mask(g, score, p);
    p = combine(g, CUDNN_POINTWISE_EXP, p, NULL, between(g, f32, score));
    key_gradient(g, a, p, grad_o, GRAD_V);

    node ds = multiply(g, grad_o, port(g, V, a->dtype, turned(key)), between(g, f32, score));
    ds = combine(g, CUDNN_POINTWISE_SUB, ds, d, between(g, f32, score));
    ds = combine(g, CUDNN_POINTWISE_MUL, ds, p, between(g, f32, score));
    ds = combine(g, CUDNN_POINTWISE_MUL, ds, scale, between(g, f32, score));
    key_gradient(g, a, ds, q, GRAD_K);

    node sum = port(g, SUM_Q, OM_F32, packed(a->b, a->hq, a->s, a->d));
    multiply(g, ds, reshape(g, k, between(g, f32, key)), sum);
    combine(g, CUDNN_POINTWISE_IDENTITY, sum, NULL, port(g, GRAD_Q, a->dtype, query));
}

/* ---- ports ---- */

static om_cudnn_port rows(const attention *a, int number, int64_t heads, size_t offset)
{
    return (om_cudnn_port){
        .number = number, .offset = offset, .dtype = a->dtype, .count = a->b * a->s * heads * a->d};
}

static om_cudnn_port statistics(const attention *a, size_t offset)
{
    return (om_cudnn_port){
        .number = LSE, .offset = offset, .dtype = OM_F32, .count = a->b * a->hq * a->s};
}

static om_cudnn_port value(int number, float v)
{
    return (om_cudnn_port){.number = number, .place = OM_CUDNN_SCALAR, .value = v};
}

static om_cudnn_port scratch(int number, int64_t count)
{
    return (om_cudnn_port){
        .number = number, .place = OM_CUDNN_WORKSPACE, .dtype = OM_F32, .count = count};
}

static size_t scalars(const attention *a, om_cudnn_port *p)
{
    size_t count = 0;
    p[count++] = value(SCALE, a->scale);
    if (a->is_causal)
        p[count++] = value(MASKED, -INFINITY);
    return count;
}

static size_t forward_ports(const void *args, om_cudnn_port *p)
{
    const attention a = attention_of(args);
    size_t count = scalars(&a, p);
    p[count++] = rows(&a, Q, a.hq, offsetof(om_attention_args, q));
    p[count++] = rows(&a, K, a.hkv, offsetof(om_attention_args, k));
    p[count++] = rows(&a, V, a.hkv, offsetof(om_attention_args, v));
    p[count++] = rows(&a, O, a.hq, offsetof(om_attention_args, o));
    p[count++] = statistics(&a, offsetof(om_attention_args, lse));
    return count;
}

static size_t backward_ports(const void *args, om_cudnn_port *p)
{
    const attention a = attention_backward_of(args);
    size_t count = scalars(&a, p);
    p[count++] = value(ONE, 1);
    p[count++] = rows(&a, Q, a.hq, offsetof(om_attention_backward_args, q));
    p[count++] = rows(&a, K, a.hkv, offsetof(om_attention_backward_args, k));
    p[count++] = rows(&a, V, a.hkv, offsetof(om_attention_backward_args, v));
    p[count++] = rows(&a, O, a.hq, offsetof(om_attention_backward_args, o));
    p[count++] = statistics(&a, offsetof(om_attention_backward_args, lse));
    p[count++] = rows(&a, GRAD_O, a.hq, offsetof(om_attention_backward_args, grad_o));
    p[count++] = rows(&a, GRAD_Q, a.hq, offsetof(om_attention_backward_args, grad_q));
    p[count++] = rows(&a, GRAD_K, a.hkv, offsetof(om_attention_backward_args, grad_k));
    p[count++] = rows(&a, GRAD_V, a.hkv, offsetof(om_attention_backward_args, grad_v));
    p[count++] = scratch(DELTA, a.b * a.hq * a.s);
    p[count++] = scratch(SUM_Q, a.b * a.hq * a.s * a.d);
    return count;
}

/* ---- the list ---- */

static om_status forward_check(const void *args, om_error *err)
{
    const attention a = attention_of(args);
    return check(&a, err);
}

static void forward_describe(const void *args, om_cudnn_graph *graph)
{
    const attention a = attention_of(args);
    describe_forward(graph, &a);
}

static om_status backward_check(const void *args, om_error *err)
{
    const attention a = attention_backward_of(args);
    return check(&a, err);
}

static void backward_describe(const void *args, om_cudnn_graph *graph)
{
    const attention a = attention_backward_of(args);
    describe_backward(graph, &a);
}

const om_cudnn_serve om__cudnn_attentions[] = {
    {"attention", "forward", sizeof(om_attention_args), 91000, forward_check, forward_ports,
     forward_describe},
    {"attention", "backward", sizeof(om_attention_backward_args), 91000, backward_check,
     backward_ports, backward_describe},
    {0},
};
