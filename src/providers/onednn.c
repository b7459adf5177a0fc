/* SPDX-License-Identifier: Apache-2.0 */
/* onednn.c: the providers `onednn` (matmul in the types as they are where oneDNN has them) and
 * `onednn-f32` (bf16 widened to f32 first, which is faster where the processor has no bf16
 * products).
 *
 * One adapter for the C interfaces of oneDNN 2.x and 3.x: the older keeps descriptors in the
 * caller's storage, the newer behind pointers. Primitives are made once a shape and kept; making
 * one counts as part of the first call.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "base/dynlib.h"
#include "base/error.h"
#include "providers/product.h"

/* Values of oneDNN's public enumerations, the same in both versions. */
enum { DNNL_BF16 = 2, DNNL_F32 = 3, DNNL_CPU = 1, DNNL_STREAM_DEFAULT = 1, DNNL_IMPL_INFO_STR = 8 };
enum { DNNL_SRC = 1, DNNL_DST = 17, DNNL_WEIGHTS = 33 };

/* Room for the 2.x descriptors (696 and 2,800 bytes in 2.6), with a margin for its other releases.
 */
enum { OLD_MEMORY_DESC_BYTES = 2048, OLD_MATMUL_DESC_BYTES = 16384 };

typedef struct exec_arg {
    int arg;
    void *memory;
} exec_arg;

typedef struct dnnl_version {
    int major, minor, patch;
    /* more follows, which is not read */
} dnnl_version;

typedef struct dnnl_api {
    const dnnl_version *(*version)(void);
    int (*engine_create)(void **engine, int kind, size_t index);
    int (*engine_destroy)(void *engine);
    int (*stream_create)(void **stream, void *engine, unsigned flags);
    int (*stream_wait)(void *stream);
    int (*stream_destroy)(void *stream);
    int (*memory_create)(void **memory, const void *desc, void *engine, void *data);
    int (*memory_set_data_handle)(void *memory, void *data);
    int (*memory_destroy)(void *memory);
    int (*primitive_create)(void **primitive, const void *primitive_desc);
    int (*primitive_execute)(const void *primitive, void *stream, int count, const exec_arg *args);
    int (*primitive_destroy)(void *primitive);
    int (*primitive_desc_destroy)(void *desc);
    int (*primitive_desc_query)(const void *desc, int what, int index, void *result);
    /* 2.x */
    int (*old_memory_desc_init)(void *desc, int rank, const int64_t *dims, int dtype,
                                const int64_t *strides);
    int (*old_matmul_desc_init)(void *desc, const void *src, const void *weights, const void *bias,
                                const void *dst);
    int (*old_primitive_desc_create)(void **desc, const void *op_desc, const void *attr,
                                     void *engine, const void *hint);
    /* 3.x */
    int (*memory_desc_create)(void **desc, int rank, const int64_t *dims, int dtype,
                              const int64_t *strides);
    int (*memory_desc_destroy)(void *desc);
    int (*matmul_desc_create)(void **desc, void *engine, const void *src, const void *weights,
                              const void *bias, const void *dst, const void *attr);
} dnnl_api;

typedef struct matmul_key {
    om_dtype dtype;
    bool trans_a, trans_b;
    int64_t m, n, k;
} matmul_key;

typedef struct matmul {
    struct matmul *next;
    matmul_key key;
    void *primitive;
    void *memories[3]; /* src, weights, dst */
} matmul;

typedef struct onednn {
    om_sgemm products; /* first */
    dnnl_api api;
    bool is_old;
    char path[256], implementation[64];
    void *engine, *stream;
    matmul *made;
} onednn;

static const char *const places[] = {"libdnnl.so.3", "libdnnl.so.2", "libdnnl.so"};

static om_status failed(om_error *err, const char *what, int code)
{
    return om__error_set(err, code == 3 ? OM_UNSUPPORTED : OM_PROVIDER,
                         "oneDNN %s failed with status %d", what, code);
}

#define TRY_DNNL(what, call)                                                                       \
    do {                                                                                           \
        int dnnl_code_ = (call);                                                                   \
        if (dnnl_code_ != 0) {                                                                     \
            status = failed(err, what, dnnl_code_);                                                \
            goto out;                                                                              \
        }                                                                                          \
    } while (0)

/* ---- loading ---- */

static om_status load_symbols(void *library, const void *table, size_t count, om_error *err)
{
    const struct {
        const char *name;
        void *function;
    } *rows = table;
    for (size_t i = 0; i < count; i++)
        OM_TRY(om__library_symbol(library, rows[i].name, rows[i].function, err));
    return OM_OK;
}

static om_status load(onednn *self, om_error *err)
{
    dnnl_api *api = &self->api;
    void *library;
    OM_TRY(om__dynlib_open_any(places, sizeof places / sizeof places[0], &library, err));
    const struct {
        const char *name;
        void *function;
    } both[] = {
        {"dnnl_version", &api->version},
        {"dnnl_engine_create", &api->engine_create},
        {"dnnl_engine_destroy", &api->engine_destroy},
        {"dnnl_stream_create", &api->stream_create},
        {"dnnl_stream_wait", &api->stream_wait},
        {"dnnl_stream_destroy", &api->stream_destroy},
        {"dnnl_memory_create", &api->memory_create},
        {"dnnl_memory_set_data_handle", &api->memory_set_data_handle},
        {"dnnl_memory_destroy", &api->memory_destroy},
        {"dnnl_primitive_create", &api->primitive_create},
        {"dnnl_primitive_execute", &api->primitive_execute},
        {"dnnl_primitive_destroy", &api->primitive_destroy},
        {"dnnl_primitive_desc_destroy", &api->primitive_desc_destroy},
        {"dnnl_primitive_desc_query", &api->primitive_desc_query},
    };
    OM_TRY(load_symbols(library, both, sizeof both / sizeof both[0], err));
    om__dynlib_path(om__dynlib_find(library, "dnnl_version"), self->path, sizeof self->path);
    self->is_old = api->version()->major < 3;
    const struct {
        const char *name;
        void *function;
    } old[] =
        {
            {"dnnl_memory_desc_init_by_strides", &api->old_memory_desc_init},
            {"dnnl_matmul_desc_init", &api->old_matmul_desc_init},
            {"dnnl_primitive_desc_create", &api->old_primitive_desc_create},
        },
      current[] = {
          {"dnnl_memory_desc_create_with_strides", &api->memory_desc_create},
          {"dnnl_memory_desc_destroy", &api->memory_desc_destroy},
          {"dnnl_matmul_primitive_desc_create", &api->matmul_desc_create},
      };
    OM_TRY(load_symbols(library, self->is_old ? old : current, 3, err));
    void *runtime = om__dynlib_find(library, "omp_get_max_threads");
    if (runtime == NULL)
        return om__error_set(err, OM_UNSUPPORTED, "%s is not built on OpenMP", self->path);
#ifdef _OPENMP
    if (runtime != (void *)(uintptr_t)&omp_get_max_threads) {
        char ours[256], theirs[256];
        om__dynlib_path((const void *)(uintptr_t)&omp_get_max_threads, ours, sizeof ours);
        om__dynlib_path(runtime, theirs, sizeof theirs);
        if (strcmp(ours, theirs) != 0)
            return om__error_set(err, OM_UNSUPPORTED,
                                 "%s runs on another OpenMP runtime (%s) than opmark", self->path,
                                 theirs);
    }
#endif
    return OM_OK;
}

/* ---- primitives ---- */

static om_status make_old_desc(onednn *self, const int64_t dims[3][2], const int64_t strides[3][2],
                               int dtype, void *descs[3], void **primitive_desc, om_error *err)
{
    om_status status = OM_OK;
    void *op_desc = calloc(1, OLD_MATMUL_DESC_BYTES);
    if (op_desc == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for a oneDNN descriptor");
    for (int i = 0; i < 3; i++) {
        descs[i] = calloc(1, OLD_MEMORY_DESC_BYTES);
        if (descs[i] == NULL) {
            status = om__error_set(err, OM_NO_MEMORY, "no memory for a oneDNN descriptor");
            goto out;
        }
        TRY_DNNL("memory_desc_init",
                 self->api.old_memory_desc_init(descs[i], 2, dims[i], dtype, strides[i]));
    }
    TRY_DNNL("matmul_desc_init",
             self->api.old_matmul_desc_init(op_desc, descs[0], descs[1], NULL, descs[2]));
    TRY_DNNL("primitive_desc_create", self->api.old_primitive_desc_create(
                                          primitive_desc, op_desc, NULL, self->engine, NULL));
out:
    free(op_desc);
    return status;
}

static om_status make_desc(onednn *self, const int64_t dims[3][2], const int64_t strides[3][2],
                           int dtype, void *descs[3], void **primitive_desc, om_error *err)
{
    om_status status = OM_OK;
    for (int i = 0; i < 3; i++)
        TRY_DNNL("memory_desc_create",
                 self->api.memory_desc_create(&descs[i], 2, dims[i], dtype, strides[i]));
    TRY_DNNL("matmul_primitive_desc_create",
             self->api.matmul_desc_create(primitive_desc, self->engine, descs[0], descs[1], NULL,
                                          descs[2], NULL));
out:
    return status;
}

static void matmul_destroy(onednn *self, matmul *m)
{
    for (int i = 0; i < 3; i++)
        if (m->memories[i] != NULL)
            self->api.memory_destroy(m->memories[i]);
    if (m->primitive != NULL)
        self->api.primitive_destroy(m->primitive);
    free(m);
}

static om_status fill_matmul(onednn *self, matmul *m, om_error *err)
{
    om_status status = OM_OK;
    const matmul_key *key = &m->key;
    const int64_t dims[3][2] = {{key->m, key->k}, {key->k, key->n}, {key->m, key->n}};
    const int64_t strides[3][2] = {{key->trans_a ? 1 : key->k, key->trans_a ? key->m : 1},
                                   {key->trans_b ? 1 : key->n, key->trans_b ? key->k : 1},
                                   {key->n, 1}};
    void *descs[3] = {NULL}, *primitive_desc = NULL;
    int dtype = key->dtype == OM_BF16 ? DNNL_BF16 : DNNL_F32;
    OM_TRY_OUT((self->is_old ? make_old_desc : make_desc)(self, dims, strides, dtype, descs,
                                                          &primitive_desc, err));
    const char *implementation = NULL;
    if (self->api.primitive_desc_query(primitive_desc, DNNL_IMPL_INFO_STR, 0, &implementation) == 0)
        snprintf(self->implementation, sizeof self->implementation, "%s", implementation);
    TRY_DNNL("primitive_create", self->api.primitive_create(&m->primitive, primitive_desc));
    for (int i = 0; i < 3; i++)
        TRY_DNNL("memory_create",
                 self->api.memory_create(&m->memories[i], descs[i], self->engine, NULL));
out:
    if (primitive_desc != NULL)
        self->api.primitive_desc_destroy(primitive_desc);
    for (int i = 0; i < 3; i++)
        if (descs[i] != NULL && self->is_old)
            free(descs[i]);
        else if (descs[i] != NULL)
            self->api.memory_desc_destroy(descs[i]);
    return status;
}

static om_status find_matmul(onednn *self, const matmul_key *key, matmul **found, om_error *err)
{
    for (matmul *m = self->made; m != NULL; m = m->next)
        if (m->key.dtype == key->dtype && m->key.trans_a == key->trans_a &&
            m->key.trans_b == key->trans_b && m->key.m == key->m && m->key.n == key->n &&
            m->key.k == key->k) {
            *found = m;
            return OM_OK;
        }
    matmul *m = calloc(1, sizeof *m);
    if (m == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for a oneDNN primitive");
    m->key = *key;
#ifdef _OPENMP
    omp_set_num_threads(self->products.threads); /* read when the primitive is made */
#endif
    om_status status = fill_matmul(self, m, err);
    if (status != OM_OK) {
        matmul_destroy(self, m);
        return status;
    }
    m->next = self->made;
    self->made = m;
    *found = m;
    return OM_OK;
}

static om_status multiply(void *opaque, om_dtype dtype, bool trans_a, bool trans_b, int64_t m,
                          int64_t n, int64_t k, const void *a, const void *b, void *d,
                          om_error *err)
{
    om_status status = OM_OK;
    onednn *self = opaque;
    matmul *found = NULL;
    const matmul_key key = {dtype, trans_a, trans_b, m, n, k};
    void *data[3] = {(void *)(uintptr_t)a, (void *)(uintptr_t)b, d};
    OM_TRY(find_matmul(self, &key, &found, err));
    for (int i = 0; i < 3; i++)
        TRY_DNNL("memory_set_data_handle",
                 self->api.memory_set_data_handle(found->memories[i], data[i]));
    const exec_arg args[3] = {{DNNL_SRC, found->memories[0]},
                              {DNNL_WEIGHTS, found->memories[1]},
                              {DNNL_DST, found->memories[2]}};
    TRY_DNNL("primitive_execute",
             self->api.primitive_execute(found->primitive, self->stream, 3, args));
    TRY_DNNL("stream_wait", self->api.stream_wait(self->stream));
out:
    return status;
}

/* ---- the providers ---- */

static void onednn_close(void *opaque)
{
    onednn *self = opaque;
    while (self->made != NULL) {
        matmul *m = self->made;
        self->made = m->next;
        matmul_destroy(self, m);
    }
    if (self->stream != NULL)
        self->api.stream_destroy(self->stream);
    if (self->engine != NULL)
        self->api.engine_destroy(self->engine);
    free(self);
}

static om_status open_as(const om_provider_host *host, const char *name, bool native_bf16,
                         void **out, om_error *err)
{
    om_status status = OM_OK;
    onednn *self = calloc(1, sizeof *self);
    if (self == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for a provider");
    self->products = (om_sgemm){.provider = name,
                                .call = "dnnl matmul",
                                .threads = host->threads > 0 ? host->threads : 1,
                                .largest = INT64_MAX,
                                .native_bf16 = native_bf16,
                                .multiply = multiply};
    OM_TRY_OUT(load(self, err));
    TRY_DNNL("engine_create", self->api.engine_create(&self->engine, DNNL_CPU, 0));
    TRY_DNNL("stream_create",
             self->api.stream_create(&self->stream, self->engine, DNNL_STREAM_DEFAULT));
    *out = self;
out:
    if (status != OM_OK)
        onednn_close(self);
    return status;
}

static om_status onednn_open(const om_provider_host *host, void **self, om_error *err)
{
    return open_as(host, "onednn", true, self, err);
}

static om_status onednn_f32_open(const om_provider_host *host, void **self, om_error *err)
{
    return open_as(host, "onednn-f32", false, self, err);
}

/* In f32 the two are one: only the first takes part. */
static om_status onednn_f32_query(void *self, const om_problem *problem, om_error *err)
{
    bool has_narrow = false;
    for (size_t i = 0; i < problem->tensor_count; i++)
        has_narrow |= problem->tensors[i].tensor.dtype == OM_BF16;
    if (!has_narrow)
        return om__error_set(err, OM_UNSUPPORTED, "without bf16 this is the same as onednn");
    return om__sgemm_query(self, problem, err);
}

static void onednn_describe(void *opaque, char *version, size_t version_size, char *details,
                            size_t details_size)
{
    const onednn *self = opaque;
    const dnnl_version *v = self->api.version();
    snprintf(version, version_size, "oneDNN %d.%d.%d", v->major, v->minor, v->patch);
    snprintf(details, details_size, "library=%s\nthread_runtime=openmp\n", self->path);
}

static void onednn_explain(void *opaque, void *plan, char *text, size_t size)
{
    const onednn *self = opaque;
    om__sgemm_explain(opaque, plan, text, size);
    size_t used = strlen(text);
    if (self->implementation[0] != '\0' && used < size)
        snprintf(text + used, size - used, " (%s)", self->implementation);
}

const om_provider om_provider_onednn = {
    .abi = OM_PROVIDER_ABI,
    .name = "onednn",
    .role = OM_ROLE_COMPETITOR,
    .device_kind = "cpu",
    .summary = "oneDNN matmul in f32 and bf16; other types by widening",
    .open = onednn_open,
    .close = onednn_close,
    .describe = onednn_describe,
    .query = om__sgemm_query,
    .prepare = om__sgemm_prepare,
    .run = om__sgemm_run,
    .release = om__sgemm_release,
    .explain = onednn_explain,
};

const om_provider om_provider_onednn_f32 = {
    .abi = OM_PROVIDER_ABI,
    .name = "onednn-f32",
    .role = OM_ROLE_COMPETITOR,
    .device_kind = "cpu",
    .summary = "oneDNN matmul in f32, with bf16 widened first",
    .open = onednn_f32_open,
    .close = onednn_close,
    .describe = onednn_describe,
    .query = onednn_f32_query,
    .prepare = om__sgemm_prepare,
    .run = om__sgemm_run,
    .release = om__sgemm_release,
    .explain = onednn_explain,
};
