/* SPDX-License-Identifier: Apache-2.0 */
/* blis.c: the provider `blis`: sgemm of the BLIS found on the machine, through its typed interface.
 *
 * BLIS takes a row and a column stride for each matrix, so every storage order goes in as it is.
 * Which kernels it runs stands in the record: a distribution's build has AVX2 kernels at most, and
 * a comparison that hides it would flatter.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/dynlib.h"
#include "base/error.h"
#include "providers/product.h"

typedef void (*bli_sgemm_fn)(int trans_a, int trans_b, int64_t m, int64_t n, int64_t k,
                             const float *alpha, const float *a, int64_t rs_a, int64_t cs_a,
                             const float *b, int64_t rs_b, int64_t cs_b, const float *beta,
                             float *c, int64_t rs_c, int64_t cs_c);

typedef struct blis {
    om_sgemm products; /* first */
    char path[256];
    bli_sgemm_fn sgemm;
    const char *(*get_version)(void);
    int (*query_arch)(void);
    const char *(*arch_string)(int);
} blis;

static const char *const places[] = {
    "/usr/lib/x86_64-linux-gnu/blis-openmp/libblis.so.4",
    "/usr/lib/aarch64-linux-gnu/blis-openmp/libblis.so.4",
    "libblis-mt.so.4",
    "libblis.so.4",
    "libblis.so",
};

static om_status multiply(void *opaque, om_dtype dtype, bool trans_a, bool trans_b, int64_t m,
                          int64_t n, int64_t k, const void *a, const void *b, void *d,
                          om_error *err)
{
    static const float one = 1, zero = 0;
    const blis *self = opaque;
    (void)dtype;
    (void)err;
    self->sgemm(0, 0, m, n, k, &one, a, trans_a ? 1 : k, trans_a ? m : 1, b, trans_b ? 1 : n,
                trans_b ? k : 1, &zero, d, n, 1);
    return OM_OK;
}

static om_status load(blis *self, om_error *err)
{
    void *library;
    int (*has_openmp)(void) = NULL;
    void (*set_threads)(int64_t) = NULL;
    OM_TRY(om__dynlib_open_any(places, sizeof places / sizeof places[0], &library, err));
    OM_TRY(om__library_symbol(library, "bli_sgemm", &self->sgemm, err));
    OM_TRY(om__library_symbol(library, "bli_info_get_version_str", &self->get_version, err));
    OM_TRY(om__library_symbol(library, "bli_arch_query_id", &self->query_arch, err));
    OM_TRY(om__library_symbol(library, "bli_arch_string", &self->arch_string, err));
    OM_TRY(om__library_symbol(library, "bli_info_get_enable_openmp", &has_openmp, err));
    OM_TRY(om__library_symbol(library, "bli_thread_set_num_threads", &set_threads, err));
    om__dynlib_path(om__dynlib_find(library, "bli_sgemm"), self->path, sizeof self->path);
    if (!has_openmp())
        return om__error_set(
            err, OM_UNSUPPORTED,
            "%s is not built on OpenMP; its own threads would fight with the other "
            "contenders (Debian: libblis4-openmp)",
            self->path);
    set_threads(self->products.threads);
    return OM_OK;
}

static om_status blis_open(const om_provider_host *host, void **out, om_error *err)
{
    blis *self = calloc(1, sizeof *self);
    if (self == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for a provider");
    self->products = (om_sgemm){.provider = "blis",
                                .call = "bli_sgemm",
                                .threads = host->threads > 0 ? host->threads : 1,
                                .largest = INT64_MAX,
                                .multiply = multiply};
    om_status status = load(self, err);
    if (status != OM_OK) {
        free(self);
        return status;
    }
    *out = self;
    return OM_OK;
}

static void blis_close(void *self)
{
    free(self);
}

static void blis_describe(void *opaque, char *version, size_t version_size, char *details,
                          size_t details_size)
{
    const blis *self = opaque;
    const char *arch = self->arch_string(self->query_arch());
    snprintf(version, version_size, "BLIS %s, %s", self->get_version(), arch);
    snprintf(details, details_size, "library=%s\ncore=%s\nthread_runtime=openmp\n", self->path,
             arch);
}

const om_provider om_provider_blis = {
    .abi = OM_PROVIDER_ABI,
    .name = "blis",
    .role = OM_ROLE_COMPETITOR,
    .device_kind = "cpu",
    .summary = "BLIS (OpenMP build) by bli_sgemm; other types by widening",
    .open = blis_open,
    .close = blis_close,
    .describe = blis_describe,
    .query = om__sgemm_query,
    .prepare = om__sgemm_prepare,
    .run = om__sgemm_run,
    .release = om__sgemm_release,
    .explain = om__sgemm_explain,
};
