/* SPDX-License-Identifier: Apache-2.0 */
/* cudnn.c: the provider `cudnn`: norms by the vendor's library, forward and backward.
 *
 * cuDNN's norms take [rows, width, 1, 1] tensors with the width innermost, a scale (and shift) of
 * [1, width, 1, 1] and statistics of [rows, 1, 1, 1] in f32.
 */
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "core/cuda/cuda_status.h"
#include "opmark/layernorm.h"
#include "opmark/rmsnorm.h"
#include "providers/cuda/cudnn_graph.h"
#include "providers/cuda/serve_cuda.h"
#include "providers/cuda/trial.h"
#include "providers/cuda/vendors.h"

typedef struct cudnn_self {
    om_cudnn *cudnn;
    void *stream;
} cudnn_self;

/* What a norm needs, whichever operator it came from. Tensor numbers are indices of pointers. */
enum { X, Y, SCALE, SHIFT, MEAN, RSTD, EPSILON, GRAD_Y, GRAD_X, GRAD_SCALE, GRAD_SHIFT, PORTS };

typedef struct norm {
    int64_t rows, width;
    om_dtype dtype;
    float epsilon;
    bool is_layer, is_backward;
    void *pointers[PORTS]; /* NULL: not a tensor of this norm */
} norm;

typedef struct cudnn_serve {
    const char *op, *pass;
    void (*read)(const void *args, norm *n);
} cudnn_serve;

typedef struct cudnn_plan {
    om_cudnn_graph graph;
    const cudnn_serve *serve;
    float epsilon; /* read by cuDNN in every call */
    int best;
    char words[128];
} cudnn_plan;

static norm common(int64_t rows, int64_t width, om_dtype dtype, double epsilon)
{
    return (norm){.rows = rows,
                  .width = width,
                  .dtype = dtype == OM_DTYPE_DEFAULT ? OM_BF16 : dtype,
                  .epsilon = (float)(epsilon == 0 ? 1e-5 : epsilon)};
}

/* Pointers of inputs are const for us; cuDNN takes all as void *. */
#define POINTER(p) ((void *)(uintptr_t)(p))

static void read_rmsnorm(const void *args, norm *n)
{
    const om_rmsnorm_args *a = args;
    *n = common(a->m, a->h, a->dtype, a->eps);
    n->pointers[X] = POINTER(a->x);
    n->pointers[SCALE] = POINTER(a->gamma);
    n->pointers[Y] = a->y;
    n->pointers[RSTD] = a->rstd;
}

static void read_rmsnorm_backward(const void *args, norm *n)
{
    const om_rmsnorm_backward_args *a = args;
    *n = common(a->m, a->h, a->dtype, 0);
    n->is_backward = true;
    n->pointers[GRAD_Y] = POINTER(a->grad_y);
    n->pointers[X] = POINTER(a->x);
    n->pointers[SCALE] = POINTER(a->gamma);
    n->pointers[RSTD] = POINTER(a->rstd);
    n->pointers[GRAD_X] = a->grad_x;
    n->pointers[GRAD_SCALE] = a->grad_gamma;
}

static void read_layernorm(const void *args, norm *n)
{
    const om_layernorm_args *a = args;
    *n = common(a->m, a->h, a->dtype, a->eps);
    n->is_layer = true;
    n->pointers[X] = POINTER(a->x);
    n->pointers[SCALE] = POINTER(a->gamma);
    n->pointers[SHIFT] = POINTER(a->beta);
    n->pointers[Y] = a->y;
    n->pointers[MEAN] = a->mean;
    n->pointers[RSTD] = a->rstd;
}

static void read_layernorm_backward(const void *args, norm *n)
{
    const om_layernorm_backward_args *a = args;
    *n = common(a->m, a->h, a->dtype, 0);
    n->is_layer = n->is_backward = true;
    n->pointers[GRAD_Y] = POINTER(a->grad_y);
    n->pointers[X] = POINTER(a->x);
    n->pointers[SCALE] = POINTER(a->gamma);
    n->pointers[MEAN] = POINTER(a->mean);
    n->pointers[RSTD] = POINTER(a->rstd);
    n->pointers[GRAD_X] = a->grad_x;
    n->pointers[GRAD_SCALE] = a->grad_gamma;
    n->pointers[GRAD_SHIFT] = a->grad_beta;
}

static const cudnn_serve serves[] = {
    {"rmsnorm", "forward", read_rmsnorm},
    {"rmsnorm", "backward", read_rmsnorm_backward},
    {"layernorm", "forward", read_layernorm},
    {"layernorm", "backward", read_layernorm_backward},
};

static om_status find_serve(const om_problem *problem, const cudnn_serve **serve, om_error *err)
{
    for (size_t i = 0; i < sizeof serves / sizeof serves[0]; i++)
        if (strcmp(serves[i].op, problem->op) == 0 && strcmp(serves[i].pass, problem->pass) == 0) {
            *serve = &serves[i];
            return OM_OK;
        }
    return om__error_set(err, OM_UNSUPPORTED, "cudnn does not serve %s %s", problem->op,
                         problem->pass);
}

/* ---- the graph of a norm ---- */

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

/* Which ports a norm has, independent of the pointers (prepare sees none). */
static bool has_port(const norm *n, int port)
{
    switch (port) {
    case X:
    case SCALE:
    case RSTD:
        return true;
    case Y:
    case EPSILON:
        return !n->is_backward;
    case SHIFT:
        return n->is_layer && !n->is_backward;
    case MEAN:
        return n->is_layer;
    case GRAD_SHIFT:
        return n->is_layer && n->is_backward;
    default:
        return n->is_backward;
    }
}

static om_status execute(cudnn_plan *plan, int which, const norm *n, void *workspace, om_error *err)
{
    int64_t numbers[PORTS];
    void *pointers[PORTS];
    size_t count = 0;
    for (int port = 0; port < PORTS; port++) {
        if (!has_port(n, port))
            continue;
        numbers[count] = port;
        pointers[count++] = port == EPSILON ? &plan->epsilon : n->pointers[port];
    }
    return om__cudnn_execute(&plan->graph, which, count, numbers, pointers, workspace, err);
}

/* ---- trials ---- */

typedef struct scratch {
    cudnn_plan *plan;
    norm n;
    void *workspace;
} scratch;

static om_status try_one(void *self, int which, om_error *err)
{
    scratch *s = self;
    return execute(s->plan, which, &s->n, s->workspace, err);
}

static size_t port_bytes(const norm *n, int port)
{
    size_t element = (size_t)om_dtype_bits(n->dtype) / 8;
    bool is_full = port == X || port == Y || port == GRAD_X || port == GRAD_Y;
    if (port == MEAN || port == RSTD)
        return (size_t)n->rows * sizeof(float);
    return (size_t)(is_full ? n->rows : 1) * (size_t)n->width * element;
}

static om_status scratch_make(scratch *s, om_error *err)
{
    for (int port = 0; port < PORTS; port++) {
        if (!has_port(&s->n, port) || port == EPSILON)
            continue;
        OM_TRY_CUDA(cudaMalloc(&s->n.pointers[port], port_bytes(&s->n, port)), err);
        /* 0x3C3C is 0.0115 in bf16 and 1.06 in fp16: a norm takes as long for any number. */
        OM_TRY_CUDA(cudaMemset(s->n.pointers[port], 0x3C, port_bytes(&s->n, port)), err);
    }
    OM_TRY_CUDA(cudaMalloc(&s->workspace, s->plan->graph.workspace_bytes + 256), err);
    return OM_OK;
}

static om_status choose(cudnn_self *self, cudnn_plan *plan, const norm *n, om_error *err)
{
    scratch s = {.plan = plan, .n = *n};
    om_trial_result result = {0};
    memset(s.n.pointers, 0, sizeof s.n.pointers);
    om_status status = scratch_make(&s, err);
    if (status == OM_OK)
        status = om__trial_run(self->stream, plan->graph.plan_count, try_one, &s, &result, err);
    if (status == OM_OK)
        snprintf(plan->words, sizeof plan->words,
                 "plan %d, fastest of %d tried (first %.1f us, best %.1f us)", result.best,
                 result.tried, result.first_us, result.best_us);
    else if (status == OM_NO_MEMORY)
        snprintf(plan->words, sizeof plan->words, "first plan: no memory to try them");
    plan->best = result.best;
    for (int port = 0; port < PORTS; port++)
        if (s.n.pointers[port] != NULL)
            (void)cudaFree(s.n.pointers[port]);
    if (s.workspace != NULL)
        (void)cudaFree(s.workspace);
    return status == OM_NO_MEMORY ? OM_OK : status;
}

/* ---- the provider ---- */

static om_status cudnn_open(const om_provider_host *host, void **self, om_error *err)
{
    *self = NULL;
    OM_TRY(om__cuda_host_enter(host->device, err));
    cudnn_self *c = calloc(1, sizeof *c);
    if (c == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for a provider");
    c->stream = host->stream;
    om_status status = om__cudnn_open(host->cuda_libs, host->stream, &c->cudnn, err);
    if (status != OM_OK) {
        free(c);
        return status;
    }
    *self = c;
    return OM_OK;
}

static void cudnn_close(void *self)
{
    cudnn_self *c = self;
    if (c == NULL)
        return;
    om__cudnn_close(c->cudnn);
    free(c);
}

static void cudnn_describe(void *self, char *version, size_t version_size, char *details,
                           size_t details_size)
{
    const cudnn_self *c = self;
    snprintf(version, version_size, "%s", om__cudnn_version_get(c->cudnn));
    snprintf(details, details_size, "library=%s", om__cudnn_path_get(c->cudnn));
}

static om_status cudnn_query(void *self, const om_problem *problem, om_error *err)
{
    const cudnn_serve *serve = NULL;
    norm n;
    (void)self;
    OM_TRY(find_serve(problem, &serve, err));
    serve->read(problem->args, &n);
    if (n.rows < 1 || n.width < 1)
        return om__error_set(err, OM_UNSUPPORTED, "cuDNN has no empty norms");
    if (n.rows > INT32_MAX || n.width > INT32_MAX)
        return om__error_set(err, OM_UNSUPPORTED, "a dimension beyond 2^31");
    return OM_OK;
}

static void cudnn_release(void *self, void *plan)
{
    cudnn_plan *p = plan;
    (void)self;
    if (p == NULL)
        return;
    om__cudnn_graph_release(&p->graph);
    free(p);
}

static om_status cudnn_prepare(void *self, const om_problem *problem, void **out,
                               size_t *workspace_bytes, om_error *err)
{
    cudnn_self *c = self;
    om_status status;
    norm n;
    cudnn_plan *plan = calloc(1, sizeof *plan);
    if (plan == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for a plan");
    plan->graph.cudnn = c->cudnn;
    OM_TRY_OUT(find_serve(problem, &plan->serve, err));
    plan->serve->read(problem->args, &n);
    plan->epsilon = n.epsilon;
    if (n.is_backward)
        describe_backward(&plan->graph, &n);
    else
        describe_forward(&plan->graph, &n);
    OM_TRY_OUT(om__cudnn_build(&plan->graph, err));
    OM_TRY_OUT(choose(c, plan, &n, err));
    *workspace_bytes = plan->graph.workspace_bytes;
    *out = plan;
    plan = NULL;
out:
    cudnn_release(self, plan);
    return status;
}

static om_status cudnn_run(void *self, void *plan, const om_problem *problem, void *workspace,
                           om_error *err)
{
    cudnn_plan *p = plan;
    norm n;
    (void)self;
    p->serve->read(problem->args, &n);
    return execute(p, p->best, &n, workspace, err);
}

static void cudnn_explain(void *self, void *plan, char *text, size_t size)
{
    (void)self;
    snprintf(text, size, "%s", ((const cudnn_plan *)plan)->words);
}

const om_provider om_provider_cudnn = {
    .abi = OM_PROVIDER_ABI,
    .name = "cudnn",
    .role = OM_ROLE_COMPETITOR,
    .device_kind = "cuda",
    .summary = "NVIDIA cuDNN, best of the plans it suggests",
    .open = cudnn_open,
    .close = cudnn_close,
    .describe = cudnn_describe,
    .query = cudnn_query,
    .prepare = cudnn_prepare,
    .run = cudnn_run,
    .release = cudnn_release,
    .explain = cudnn_explain,
};
