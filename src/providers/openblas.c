/* SPDX-License-Identifier: Apache-2.0 */
/* openblas.c: the provider `openblas`: SGEMM of the OpenBLAS found on the machine.
 *
 * Only a build on the OpenMP runtime that opmark itself uses is accepted: a build with its own
 * thread pool fights with the other contenders of a row and looks up to 2.6x slower than it is.
 * OpenBLAS has no bf16 or fp16 product in the usual builds, so those rows widen the operands, call
 * sgemm and round once, all inside the clock, as a user would have to.
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
#include "opmark/gemm.h"
#include "providers/providers.h"

enum { ROW_MAJOR = 101, NO_TRANS = 111, TRANS = 112, PARALLEL_OPENMP = 2 };

typedef void (*sgemm_fn)(int order, int trans_a, int trans_b, int m, int n, int k, float alpha,
                         const float *a, int lda, const float *b, int ldb, float beta, float *c,
                         int ldc);

typedef struct openblas {
    void *library;
    char path[256];
    char runtime[256];
    int threads;
    sgemm_fn sgemm;
    void (*set_num_threads)(int);
    char *(*get_corename)(void);
    char *(*get_config)(void);
} openblas;

/* Where the distributions put the OpenMP build, then whatever the linker finds. */
static const char *const places[] = {
    "/usr/lib/x86_64-linux-gnu/openblas-openmp/libopenblas.so.0",
    "/usr/lib/aarch64-linux-gnu/openblas-openmp/libopenblas.so.0",
    "/usr/lib64/libopenblaso.so.0",
    "/usr/lib64/openblas-openmp/libopenblas.so.0",
    "libopenblaso.so.0",
    "libopenblas.so.0",
    "libopenblas.so",
};

static om_status accept(openblas *o, om_error *err)
{
    int (*get_parallel)(void) = NULL;
    OM_TRY(om__library_symbol(o->library, "cblas_sgemm", &o->sgemm, err));
    OM_TRY(om__library_symbol(o->library, "openblas_set_num_threads", &o->set_num_threads, err));
    OM_TRY(om__library_symbol(o->library, "openblas_get_corename", &o->get_corename, err));
    OM_TRY(om__library_symbol(o->library, "openblas_get_config", &o->get_config, err));
    OM_TRY(om__library_symbol(o->library, "openblas_get_parallel", &get_parallel, err));
    if (strstr(o->get_config(), "USE64BITINT") != NULL)
        return om__error_set(err, OM_UNSUPPORTED, "%s: its integers have 64 bits", o->path);
    if (get_parallel() != PARALLEL_OPENMP)
        return om__error_set(err, OM_UNSUPPORTED,
                             "%s is not built on OpenMP; its own threads would fight with the "
                             "other contenders (Debian: libopenblas0-openmp)",
                             o->path);
    /* The file that brings OpenMP to the library, and to us: they must be one. */
    om__dynlib_path(om__dynlib_find(o->library, "omp_get_max_threads"), o->runtime,
                    sizeof o->runtime);
#ifdef _OPENMP
    char ours[256];
    om__dynlib_path((const void *)(uintptr_t)&omp_get_max_threads, ours, sizeof ours);
    if (strcmp(ours, o->runtime) != 0)
        return om__error_set(err, OM_UNSUPPORTED,
                             "%s runs on another OpenMP runtime (%s) than opmark (%s)", o->path,
                             o->runtime, ours);
#endif
    return OM_OK;
}

static void openblas_close(void *self)
{
    free(self);
}

static om_status openblas_open(const om_provider_host *host, void **self, om_error *err)
{
    openblas *o = calloc(1, sizeof *o);
    if (o == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for a provider");
    o->threads = host->threads > 0 ? host->threads : 1;
    om_error refusal = {0};
    om_status status = OM_UNSUPPORTED;
    for (size_t i = 0; i < sizeof places / sizeof places[0] && status != OM_OK; i++) {
        if (om__dynlib_open(places[i], &o->library, NULL) != OM_OK)
            continue;
        om__dynlib_path(om__dynlib_find(o->library, "cblas_sgemm"), o->path, sizeof o->path);
        status = accept(o, &refusal);
    }
    if (status != OM_OK) {
        free(o);
        return om__error_set(err, OM_UNSUPPORTED, "%s",
                             refusal.text[0] != '\0'
                                 ? refusal.text
                                 : "no libopenblas.so.0 (Debian: libopenblas0-openmp)");
    }
    o->set_num_threads(o->threads);
    *self = o;
    return OM_OK;
}

static void openblas_describe(void *self, char *version, size_t version_size, char *details,
                              size_t details_size)
{
    const openblas *o = self;
    char name[64] = "OpenBLAS", number[64] = "";
    /* "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH …": the name, the number, then the build. */
    if (sscanf(o->get_config(), "%63s %63s", name, number) < 2)
        number[0] = '\0';
    snprintf(version, version_size, "%s %s, %s", name, number, o->get_corename());
    snprintf(details, details_size, "library=%s\ncore=%s\nthread_runtime=%s\nconfig=%s\n", o->path,
             o->get_corename(), o->runtime, o->get_config());
}

static om_status gemm_query(void *self, const om_problem *problem, om_error *err)
{
    (void)self;
    const om_gemm_args *g = problem->args;
    if (g->m > INT_MAX || g->n > INT_MAX || g->k > INT_MAX)
        return om__error_set(err, OM_UNSUPPORTED, "a dimension above 2^31 - 1");
    return OM_OK;
}

/* Copies start on cache lines, so that no operand is punished by its neighbour's size. */
static size_t floats(int64_t count)
{
    return ((size_t)count * sizeof(float) + 63) / 64 * 64;
}

static om_status gemm_prepare(void *self, const om_problem *problem, void **plan,
                              size_t *workspace_bytes, om_error *err)
{
    (void)self;
    (void)err;
    const om_gemm_args *g = problem->args;
    *plan = NULL;
    *workspace_bytes =
        g->dtype == OM_F32 ? 0 : floats(g->m * g->k) + floats(g->k * g->n) + floats(g->m * g->n);
    return OM_OK;
}

static om_status gemm_run(void *self, void *plan, const om_problem *problem, void *workspace,
                          om_error *err)
{
    (void)plan;
    (void)err;
    const openblas *o = self;
    const om_gemm_args *g = problem->args;
    int m = (int)g->m, n = (int)g->n, k = (int)g->k;
    int lda = g->trans_a ? m : k, ldb = g->trans_b ? k : n;
    if (m == 0 || n == 0)
        return OM_OK;
    const float *a = g->a, *b = g->b;
    float *d = g->d;
    if (g->dtype != OM_F32) {
        float *wide_a = workspace;
        float *wide_b = (float *)((char *)wide_a + floats(g->m * g->k));
        d = (float *)((char *)wide_b + floats(g->k * g->n));
        om__widen(wide_a, g->a, g->dtype, g->m * g->k, o->threads);
        om__widen(wide_b, g->b, g->dtype, g->k * g->n, o->threads);
        a = wide_a;
        b = wide_b;
    }
    if (k == 0)
        memset(d, 0, (size_t)m * (size_t)n * sizeof(float));
    else
        o->sgemm(ROW_MAJOR, g->trans_a ? TRANS : NO_TRANS, g->trans_b ? TRANS : NO_TRANS, m, n, k,
                 1.0f, a, lda, b, ldb, 0.0f, d, n);
    if (g->dtype != OM_F32)
        om__narrow(g->d, d, g->dtype, g->m * g->n, o->threads);
    return OM_OK;
}

static const om_serve serves[] = {
    {"gemm", NULL, gemm_query, gemm_prepare, gemm_run},
};

typedef struct openblas_plan {
    const om_serve *serve;
    void *inner;
    om_dtype dtype;
} openblas_plan;

static om_status openblas_query(void *self, const om_problem *problem, om_error *err)
{
    const om_serve *serve;
    OM_TRY(
        om__serve_find(serves, sizeof serves / sizeof serves[0], "openblas", problem, &serve, err));
    return serve->query != NULL ? serve->query(self, problem, err) : OM_OK;
}

static om_status openblas_prepare(void *self, const om_problem *problem, void **plan,
                                  size_t *workspace_bytes, om_error *err)
{
    const om_serve *serve;
    OM_TRY(
        om__serve_find(serves, sizeof serves / sizeof serves[0], "openblas", problem, &serve, err));
    openblas_plan *p = calloc(1, sizeof *p);
    if (p == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for a plan");
    p->serve = serve;
    p->dtype = problem->tensor_count > 0 ? problem->tensors[0].tensor.dtype : OM_F32;
    om_status status = OM_OK;
    *workspace_bytes = 0;
    if (serve->prepare != NULL)
        status = serve->prepare(self, problem, &p->inner, workspace_bytes, err);
    if (status != OM_OK) {
        free(p);
        return status;
    }
    *plan = p;
    return OM_OK;
}

static om_status openblas_run(void *self, void *plan, const om_problem *problem, void *workspace,
                              om_error *err)
{
    const openblas_plan *p = plan;
    return p->serve->run(self, p->inner, problem, workspace, err);
}

static void openblas_release(void *self, void *plan)
{
    (void)self;
    free(plan);
}

static void openblas_explain(void *self, void *plan, char *text, size_t size)
{
    (void)self;
    const openblas_plan *p = plan;
    if (p->dtype == OM_F32)
        snprintf(text, size, "cblas_sgemm");
    else
        snprintf(text, size, "widen %s to f32, cblas_sgemm, round: all timed",
                 om_dtype_name(p->dtype));
}

const om_provider om_provider_openblas = {
    .abi = OM_PROVIDER_ABI,
    .name = "openblas",
    .role = OM_ROLE_COMPETITOR,
    .device_kind = "cpu",
    .summary = "OpenBLAS (OpenMP build) by cblas_sgemm; 16-bit types by widening",
    .open = openblas_open,
    .close = openblas_close,
    .describe = openblas_describe,
    .query = openblas_query,
    .prepare = openblas_prepare,
    .run = openblas_run,
    .release = openblas_release,
    .explain = openblas_explain,
};
