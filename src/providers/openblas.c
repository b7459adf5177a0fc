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
#include "providers/product.h"

enum { ROW_MAJOR = 101, NO_TRANS = 111, TRANS = 112, PARALLEL_OPENMP = 2 };

typedef void (*sgemm_fn)(int order, int trans_a, int trans_b, int m, int n, int k, float alpha,
                         const float *a, int lda, const float *b, int ldb, float beta, float *c,
                         int ldc);

typedef struct openblas {
    om_sgemm products; /* first */
    void *library;
    char path[256];
    char runtime[256];
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

static om_status multiply(void *self, om_dtype dtype, bool trans_a, bool trans_b, int64_t m,
                          int64_t n, int64_t k, const void *a, const void *b, void *d,
                          om_error *err)
{
    (void)dtype;
    (void)err;
    const openblas *o = self;
    o->sgemm(ROW_MAJOR, trans_a ? TRANS : NO_TRANS, trans_b ? TRANS : NO_TRANS, (int)m, (int)n,
             (int)k, 1.0f, a, (int)(trans_a ? m : k), b, (int)(trans_b ? k : n), 0.0f, d, (int)n);
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
    o->products = (om_sgemm){.provider = "openblas",
                             .call = "cblas_sgemm",
                             .threads = host->threads > 0 ? host->threads : 1,
                             .largest = INT_MAX,
                             .multiply = multiply};
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
    o->set_num_threads(o->products.threads);
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

const om_provider om_provider_openblas = {
    .abi = OM_PROVIDER_ABI,
    .name = "openblas",
    .role = OM_ROLE_COMPETITOR,
    .device_kind = "cpu",
    .summary = "OpenBLAS (OpenMP build) by cblas_sgemm; other types by widening",
    .open = openblas_open,
    .close = openblas_close,
    .describe = openblas_describe,
    .query = om__sgemm_query,
    .prepare = om__sgemm_prepare,
    .run = om__sgemm_run,
    .release = om__sgemm_release,
    .explain = om__sgemm_explain,
};
