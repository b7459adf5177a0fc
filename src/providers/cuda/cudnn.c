/* SPDX-License-Identifier: Apache-2.0 */
/* cudnn.c: the provider `cudnn`: attention and norms by the vendor's library.
 *
 * What an operator is to cuDNN stands in cudnn_norm.c and cudnn_attention.c; here it is planned,
 * tried and run.
 */
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "core/cuda/cuda_status.h"
#include "core/cuda/fill_cuda.h"
#include "providers/cuda/cudnn_serve.h"
#include "providers/cuda/serve_cuda.h"
#include "providers/cuda/trial.h"
#include "providers/cuda/vendors.h"

typedef struct cudnn_self {
    om_cudnn *cudnn;
    void *stream;
} cudnn_self;

typedef struct cudnn_plan {
    om_cudnn_graph graph;
    const om_cudnn_serve *serve;
    om_cudnn_port ports[OM_CUDNN_MOST_PORTS]; /* its scalars are read by cuDNN in every call */
    size_t port_count;
    size_t workspace_bytes; /* the engine's, then that of the graph's own scratch */
    int best;
    char words[128];
} cudnn_plan;

static const om_cudnn_serve *const lists[] = {om__cudnn_attentions, om__cudnn_norms};

static om_status find_serve(const om_problem *problem, const om_cudnn_serve **serve, om_error *err)
{
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        for (*serve = lists[i]; (*serve)->op != NULL; (*serve)++)
            if (strcmp((*serve)->op, problem->op) == 0 &&
                strcmp((*serve)->pass, problem->pass) == 0)
                return OM_OK;
    return om__error_set(err, OM_UNSUPPORTED, "cudnn does not serve %s %s", problem->op,
                         problem->pass);
}

static size_t bytes_of(const om_cudnn_port *port)
{
    size_t bytes = (size_t)port->count * (size_t)om_dtype_bits(port->dtype) / 8;
    return (bytes + 255) & ~(size_t)255;
}

static void *pointer_get(const om_cudnn_port *port, const void *args)
{
    void *pointer;
    memcpy(&pointer, (const char *)args + port->offset, sizeof pointer);
    return pointer;
}

static void pointer_set(const om_cudnn_port *port, void *args, void *pointer)
{
    memcpy((char *)args + port->offset, &pointer, sizeof pointer);
}

static om_status execute(cudnn_plan *plan, int which, const void *args, void *workspace,
                         om_error *err)
{
    int64_t numbers[OM_CUDNN_MOST_PORTS];
    void *pointers[OM_CUDNN_MOST_PORTS];
    char *scratch = (char *)workspace + plan->workspace_bytes;
    for (size_t i = 0; i < plan->port_count; i++) {
        om_cudnn_port *port = &plan->ports[i];
        numbers[i] = port->number;
        if (port->place == OM_CUDNN_WORKSPACE)
            pointers[i] = scratch -= bytes_of(port);
        else
            pointers[i] = port->place == OM_CUDNN_SCALAR ? &port->value : pointer_get(port, args);
    }
    return om__cudnn_execute(&plan->graph, which, plan->port_count, numbers, pointers, workspace,
                             err);
}

/* ---- trials ---- */

typedef struct trial {
    cudnn_plan *plan;
    void *args, *workspace;
} trial;

static om_status try_one(void *self, int which, om_error *err)
{
    trial *t = self;
    return execute(t->plan, which, t->args, t->workspace, err);
}

/* Tensors of random numbers in place of the call's. */
static om_status trial_make(trial *t, void *stream, om_error *err)
{
    const om_fill fill = {.kind = OM_FILL_NORMAL, .seed = 1, .scale = 1};
    for (size_t i = 0; i < t->plan->port_count; i++) {
        const om_cudnn_port *port = &t->plan->ports[i];
        void *memory = NULL;
        if (port->place != OM_CUDNN_TENSOR)
            continue;
        OM_TRY_CUDA(cudaMalloc(&memory, bytes_of(port)), err);
        pointer_set(port, t->args, memory);
        om_fill own = fill;
        om_tensor tensor = {
            .data = memory, .dtype = port->dtype, .rank = 1, .shape = {port->count}};
        own.tensor = (uint32_t)i;
        OM_TRY(om__cuda_fill_launch(stream, 64, &own, &tensor, err));
    }
    OM_TRY_CUDA(cudaMalloc(&t->workspace, t->plan->workspace_bytes + 256), err);
    return OM_OK;
}

static void trial_release(trial *t)
{
    for (size_t i = 0; i < t->plan->port_count; i++)
        if (t->plan->ports[i].place == OM_CUDNN_TENSOR)
            (void)cudaFree(pointer_get(&t->plan->ports[i], t->args));
    (void)cudaFree(t->workspace);
    free(t->args);
}

static om_status choose(cudnn_self *self, cudnn_plan *plan, const void *args, om_error *err)
{
    om_trial_result result = {0};
    trial t = {.plan = plan, .args = malloc(plan->serve->args_size)};
    if (t.args == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for a trial");
    memcpy(t.args, args, plan->serve->args_size);
    for (size_t i = 0; i < plan->port_count; i++)
        if (plan->ports[i].place == OM_CUDNN_TENSOR)
            pointer_set(&plan->ports[i], t.args, NULL);
    om_status status = trial_make(&t, self->stream, err);
    if (status == OM_OK)
        status = om__trial_run(self->stream, plan->graph.plan_count, try_one, &t, &result, err);
    if (status == OM_OK)
        snprintf(plan->words, sizeof plan->words,
                 "plan %d, fastest of %d tried (first %.1f us, best %.1f us)", result.best,
                 result.tried, result.first_us, result.best_us);
    else if (status == OM_NO_MEMORY)
        snprintf(plan->words, sizeof plan->words, "first plan: no memory to try them");
    plan->best = result.best;
    trial_release(&t);
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
    const om_cudnn_serve *serve = NULL;
    size_t version = om__cudnn_number_get(((const cudnn_self *)self)->cudnn);
    OM_TRY(find_serve(problem, &serve, err));
    if (version < serve->least_version)
        return om__error_set(err, OM_UNSUPPORTED, "needs cuDNN %zu.%zu or newer",
                             serve->least_version / 10000, serve->least_version / 100 % 100);
    return serve->check(problem->args, err);
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
    cudnn_plan *plan = calloc(1, sizeof *plan);
    if (plan == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for a plan");
    plan->graph.cudnn = c->cudnn;
    OM_TRY_OUT(find_serve(problem, &plan->serve, err));
    plan->port_count = plan->serve->ports(problem->args, plan->ports);
    plan->serve->describe(problem->args, &plan->graph);
    OM_TRY_OUT(om__cudnn_build(&plan->graph, err));
    plan->workspace_bytes = (plan->graph.workspace_bytes + 255) & ~(size_t)255;
    for (size_t i = 0; i < plan->port_count; i++)
        if (plan->ports[i].place == OM_CUDNN_WORKSPACE)
            plan->workspace_bytes += bytes_of(&plan->ports[i]);
    OM_TRY_OUT(choose(c, plan, problem->args, err));
    *workspace_bytes = plan->workspace_bytes;
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
    (void)self;
    return execute(p, p->best, problem->args, workspace, err);
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
