/* SPDX-License-Identifier: Apache-2.0 */
/* cudnn_graph.c: one operation graph of cuDNN: described, planned, executed. */
#include "providers/cuda/cudnn_graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "providers/cuda/vendor_library.h"

/* Far beyond any port's number. */
#define FIRST_VIRTUAL 1000

struct om_cudnn {
    void *library;
    char path[384], version[64];
    cudnnHandle_t handle;
    cudnnStatus_t (*create_handle)(cudnnHandle_t *handle);
    cudnnStatus_t (*destroy_handle)(cudnnHandle_t handle);
    cudnnStatus_t (*set_stream)(cudnnHandle_t handle, cudaStream_t stream);
    size_t (*get_version)(void);
    const char *(*error_string)(cudnnStatus_t status);
    void (*last_error)(char *message, size_t size);
    cudnnStatus_t (*create)(cudnnBackendDescriptorType_t type, cudnnBackendDescriptor_t *object);
    cudnnStatus_t (*destroy)(cudnnBackendDescriptor_t object);
    cudnnStatus_t (*finalize)(cudnnBackendDescriptor_t object);
    cudnnStatus_t (*set)(cudnnBackendDescriptor_t object, cudnnBackendAttributeName_t name,
                         cudnnBackendAttributeType_t type, int64_t count, const void *values);
    cudnnStatus_t (*get)(cudnnBackendDescriptor_t object, cudnnBackendAttributeName_t name,
                         cudnnBackendAttributeType_t type, int64_t wanted, int64_t *count,
                         void *values);
    cudnnStatus_t (*execute)(cudnnHandle_t handle, cudnnBackendDescriptor_t plan,
                             cudnnBackendDescriptor_t pack);
};

/* ---- the library ---- */

om_status om__cudnn_open(const char *folder, void *stream, om_cudnn **out, om_error *err)
{
    static const char *const names[] = {"libcudnn.so.9", "libcudnn.so", NULL};
    om_status status;
    *out = NULL;
    om_cudnn *c = calloc(1, sizeof *c);
    if (c == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for cuDNN");
    OM_TRY_OUT(om__vendor_library_open(names, folder, &c->library, c->path, sizeof c->path, err));
    const struct {
        const char *name;
        void *function;
    } symbols[] = {
        {"cudnnCreate", &c->create_handle},
        {"cudnnDestroy", &c->destroy_handle},
        {"cudnnSetStream", &c->set_stream},
        {"cudnnGetVersion", &c->get_version},
        {"cudnnGetErrorString", &c->error_string},
        {"cudnnGetLastErrorString", &c->last_error},
        {"cudnnBackendCreateDescriptor", &c->create},
        {"cudnnBackendDestroyDescriptor", &c->destroy},
        {"cudnnBackendFinalize", &c->finalize},
        {"cudnnBackendSetAttribute", &c->set},
        {"cudnnBackendGetAttribute", &c->get},
        {"cudnnBackendExecute", &c->execute},
    };
    for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++)
        OM_TRY_OUT(
            om__vendor_symbol(c->library, "cuDNN", symbols[i].name, symbols[i].function, err));
    cudnnStatus_t code = c->create_handle(&c->handle);
    if (code == CUDNN_STATUS_SUCCESS)
        code = c->set_stream(c->handle, (cudaStream_t)stream);
    if (code != CUDNN_STATUS_SUCCESS) {
        status =
            om__error_set(err, OM_UNSUPPORTED, "cuDNN does not start: %s", c->error_string(code));
        goto out;
    }
    size_t version = c->get_version(); /* 91400: 9.14.0 */
    snprintf(c->version, sizeof c->version, "cuDNN %zu.%zu.%zu", version / 10000,
             version / 100 % 100, version % 100);
    *out = c;
    c = NULL;
out:
    om__cudnn_close(c);
    return status;
}

/* As with cuBLASLt, the library itself stays loaded. */
void om__cudnn_close(om_cudnn *c)
{
    if (c == NULL)
        return;
    if (c->handle != NULL)
        (void)c->destroy_handle(c->handle);
    free(c);
}

const char *om__cudnn_version_get(const om_cudnn *c)
{
    return c->version;
}

const char *om__cudnn_path_get(const om_cudnn *c)
{
    return c->path;
}

size_t om__cudnn_number_get(const om_cudnn *c)
{
    return c->get_version();
}

/* ---- describing ---- */

static void note(om_cudnn_graph *g, cudnnStatus_t code, const char *where)
{
    if (g->failure != CUDNN_STATUS_SUCCESS || code == CUDNN_STATUS_SUCCESS)
        return;
    g->failure = code;
    g->failed_at = where;
}

static cudnnBackendDescriptor_t make(om_cudnn_graph *g, cudnnBackendDescriptorType_t type)
{
    cudnnBackendDescriptor_t object = NULL;
    if (g->object_count == OM_CUDNN_MOST_OBJECTS) {
        note(g, CUDNN_STATUS_ALLOC_FAILED, "too many objects");
        return NULL;
    }
    note(g, g->cudnn->create(type, &object), "create");
    if (object != NULL)
        g->objects[g->object_count++] = object;
    return object;
}

void om__cudnn_set(om_cudnn_graph *g, cudnnBackendDescriptor_t object,
                   cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type,
                   const void *value)
{
    if (g->failure == CUDNN_STATUS_SUCCESS)
        note(g, g->cudnn->set(object, name, type, 1, value), "an attribute");
}

static void set_many(om_cudnn_graph *g, cudnnBackendDescriptor_t object,
                     cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type,
                     int64_t count, const void *values)
{
    if (g->failure == CUDNN_STATUS_SUCCESS)
        note(g, g->cudnn->set(object, name, type, count, values), "an attribute");
}

static void finalize(om_cudnn_graph *g, cudnnBackendDescriptor_t object, const char *what)
{
    if (g->failure == CUDNN_STATUS_SUCCESS)
        note(g, g->cudnn->finalize(object), what);
}

static cudnnDataType_t data_type(om_dtype dtype)
{
    return dtype == OM_BF16  ? CUDNN_DATA_BFLOAT16
           : dtype == OM_F16 ? CUDNN_DATA_HALF
                             : CUDNN_DATA_FLOAT;
}

typedef struct tensor {
    int64_t number;
    cudnnDataType_t type;
    int64_t alignment;
    int rank;
    const int64_t *dims, *strides;
    bool by_value, is_virtual;
} tensor;

static cudnnBackendDescriptor_t make_tensor(om_cudnn_graph *g, const tensor *t)
{
    cudnnBackendDescriptor_t d = make(g, CUDNN_BACKEND_TENSOR_DESCRIPTOR);
    om__cudnn_set(g, d, CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE, &t->type);
    set_many(g, d, CUDNN_ATTR_TENSOR_DIMENSIONS, CUDNN_TYPE_INT64, t->rank, t->dims);
    set_many(g, d, CUDNN_ATTR_TENSOR_STRIDES, CUDNN_TYPE_INT64, t->rank, t->strides);
    om__cudnn_set(g, d, CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_INT64, &t->number);
    om__cudnn_set(g, d, CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, CUDNN_TYPE_INT64, &t->alignment);
    om__cudnn_set(g, d, CUDNN_ATTR_TENSOR_IS_BY_VALUE, CUDNN_TYPE_BOOLEAN, &t->by_value);
    om__cudnn_set(g, d, CUDNN_ATTR_TENSOR_IS_VIRTUAL, CUDNN_TYPE_BOOLEAN, &t->is_virtual);
    finalize(g, d, "a tensor");
    return d;
}

cudnnBackendDescriptor_t om__cudnn_tensor(om_cudnn_graph *g, int64_t number, om_dtype dtype,
                                          int rank, const int64_t *dims, const int64_t *strides,
                                          bool by_value, bool is_virtual)
{
    const tensor t = {number, data_type(dtype), by_value ? 4 : 16, rank,
                      dims,   strides,          by_value,          is_virtual};
    return make_tensor(g, &t);
}

cudnnBackendDescriptor_t om__cudnn_between(om_cudnn_graph *g, cudnnDataType_t type,
                                           const int64_t *dims, const int64_t *strides)
{
    const tensor t = {FIRST_VIRTUAL + g->virtual_count++, type, 16, 4, dims, strides, false, true};
    return make_tensor(g, &t);
}

cudnnBackendDescriptor_t om__cudnn_object_begin(om_cudnn_graph *g,
                                                cudnnBackendDescriptorType_t type)
{
    return make(g, type);
}

void om__cudnn_object_end(om_cudnn_graph *g, cudnnBackendDescriptor_t object)
{
    finalize(g, object, "an object");
}

cudnnBackendDescriptor_t om__cudnn_op_begin(om_cudnn_graph *g, cudnnBackendDescriptorType_t type)
{
    return make(g, type);
}

void om__cudnn_op_end(om_cudnn_graph *g, cudnnBackendDescriptor_t op)
{
    finalize(g, op, "an operation");
    if (g->op_count < OM_CUDNN_MOST_OPS)
        g->ops[g->op_count++] = op;
    else
        note(g, CUDNN_STATUS_ALLOC_FAILED, "too many operations");
}

/* ---- planning ---- */

static om_status refuse(const om_cudnn_graph *g, om_error *err)
{
    char words[256] = "";
    g->cudnn->last_error(words, sizeof words);
    words[strcspn(words, "\n")] = '\0';
    return om__error_set(err, OM_UNSUPPORTED, "cuDNN refuses %s: %s%s%s", g->failed_at,
                         g->cudnn->error_string(g->failure), words[0] != '\0' ? "; " : "", words);
}

/* Engines of one heuristic mode, as plans where they can be made. */
static void add_plans(om_cudnn_graph *g, cudnnBackendDescriptor_t operations,
                      cudnnBackendHeurMode_t mode)
{
    enum { MOST = OM_CUDNN_MOST_PLANS };
    cudnnBackendDescriptor_t configs[MOST];
    int64_t found = 0;
    cudnnBackendDescriptor_t heuristic = make(g, CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR);
    om__cudnn_set(g, heuristic, CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH,
                  CUDNN_TYPE_BACKEND_DESCRIPTOR, &operations);
    om__cudnn_set(g, heuristic, CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE, &mode);
    finalize(g, heuristic, "the heuristic");
    for (int i = 0; i < MOST; i++)
        configs[i] = make(g, CUDNN_BACKEND_ENGINECFG_DESCRIPTOR);
    if (g->failure != CUDNN_STATUS_SUCCESS)
        return;
    note(g,
         g->cudnn->get(heuristic, CUDNN_ATTR_ENGINEHEUR_RESULTS, CUDNN_TYPE_BACKEND_DESCRIPTOR,
                       MOST, &found, configs),
         "the heuristic");
    for (int i = 0; i < found && i < MOST && g->plan_count < OM_CUDNN_MOST_PLANS; i++) {
        int64_t bytes = 0, count = 0;
        cudnnBackendDescriptor_t plan = make(g, CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR);
        if (plan == NULL)
            return;
        /* An engine that cannot do it is no failure of the graph. */
        if (g->cudnn->set(plan, CUDNN_ATTR_EXECUTION_PLAN_HANDLE, CUDNN_TYPE_HANDLE, 1,
                          &g->cudnn->handle) != CUDNN_STATUS_SUCCESS ||
            g->cudnn->set(plan, CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG,
                          CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &configs[i]) != CUDNN_STATUS_SUCCESS ||
            g->cudnn->finalize(plan) != CUDNN_STATUS_SUCCESS ||
            g->cudnn->get(plan, CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE, CUDNN_TYPE_INT64, 1,
                          &count, &bytes) != CUDNN_STATUS_SUCCESS)
            continue;
        g->plans[g->plan_count++] = plan;
        if ((size_t)bytes > g->workspace_bytes)
            g->workspace_bytes = (size_t)bytes;
    }
}

om_status om__cudnn_build(om_cudnn_graph *g, om_error *err)
{
    cudnnBackendDescriptor_t operations = make(g, CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
    set_many(g, operations, CUDNN_ATTR_OPERATIONGRAPH_OPS, CUDNN_TYPE_BACKEND_DESCRIPTOR,
             (int64_t)g->op_count, g->ops);
    om__cudnn_set(g, operations, CUDNN_ATTR_OPERATIONGRAPH_HANDLE, CUDNN_TYPE_HANDLE,
                  &g->cudnn->handle);
    finalize(g, operations, "the graph");
    add_plans(g, operations, CUDNN_HEUR_MODE_A);
    if (g->failure != CUDNN_STATUS_SUCCESS)
        return refuse(g, err);
    if (g->plan_count == 0)
        add_plans(g, operations, CUDNN_HEUR_MODE_FALLBACK);
    if (g->plan_count > 0)
        return OM_OK;
    g->failed_at = "every engine";
    if (g->failure == CUDNN_STATUS_SUCCESS)
        g->failure = CUDNN_STATUS_NOT_SUPPORTED;
    return refuse(g, err);
}

om_status om__cudnn_execute(const om_cudnn_graph *g, int plan, size_t count, const int64_t *numbers,
                            void *const *pointers, void *workspace, om_error *err)
{
    const om_cudnn *c = g->cudnn;
    cudnnBackendDescriptor_t pack = NULL;
    cudnnStatus_t code = c->create(CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR, &pack);
    if (code == CUDNN_STATUS_SUCCESS)
        code = c->set(pack, CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR,
                      (int64_t)count, pointers);
    if (code == CUDNN_STATUS_SUCCESS)
        code = c->set(pack, CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, CUDNN_TYPE_INT64, (int64_t)count,
                      numbers);
    if (code == CUDNN_STATUS_SUCCESS)
        code = c->set(pack, CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR, 1, &workspace);
    if (code == CUDNN_STATUS_SUCCESS)
        code = c->finalize(pack);
    if (code == CUDNN_STATUS_SUCCESS)
        code = c->execute(c->handle, g->plans[plan], pack);
    if (pack != NULL)
        (void)c->destroy(pack);
    if (code == CUDNN_STATUS_SUCCESS)
        return OM_OK;
    char words[256] = "";
    c->last_error(words, sizeof words);
    words[strcspn(words, "\n")] = '\0';
    return om__error_set(err, OM_PROVIDER, "cuDNN execute: %s%s%s", c->error_string(code),
                         words[0] != '\0' ? "; " : "", words);
}

void om__cudnn_graph_release(om_cudnn_graph *g)
{
    while (g->object_count > 0)
        (void)g->cudnn->destroy(g->objects[--g->object_count]);
    g->plan_count = 0;
    g->op_count = 0;
    g->virtual_count = 0;
    g->failure = CUDNN_STATUS_SUCCESS;
}
