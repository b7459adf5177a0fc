/* SPDX-License-Identifier: Apache-2.0 */
/* blis.c: the provider `blis`: sgemm of the BLIS found on the machine, through its typed interface.
 *
 * BLIS takes a row and a column stride for each matrix, so every storage order goes in as it is.
 * Which kernels it runs stands in the record: a comparison that hides it would flatter.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/dynlib.h"
#include "base/error.h"
#include "core/cpu.h"
#include "providers/product.h"

typedef void (*bli_sgemm_fn)(int trans_a, int trans_b, int64_t m, int64_t n, int64_t k,
                             const float *alpha, const float *a, int64_t rs_a, int64_t cs_a,
                             const float *b, int64_t rs_b, int64_t cs_b, const float *beta,
                             float *c, int64_t rs_c, int64_t cs_c);

typedef struct blis_api {
    bli_sgemm_fn sgemm;
    const char *(*get_version)(void);
    int (*query_arch)(void);
    const char *(*arch_string)(int);
    int (*has_openmp)(void);
    void (*set_threads)(int64_t);
} blis_api;

typedef struct blis {
    om_sgemm products; /* first */
    char path[256];
    blis_api api;
} blis;

#define GENERIC "generic" /* the kernels in plain C */

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
    self->api.sgemm(0, 0, m, n, k, &one, a, trans_a ? 1 : k, trans_a ? m : 1, b, trans_b ? 1 : n,
                    trans_b ? k : 1, &zero, d, n, 1);
    return OM_OK;
}

static om_status load(blis_api *api, om_error *err)
{
    void *library;
    OM_TRY(om__dynlib_open_any(places, sizeof places / sizeof places[0], &library, err));
    OM_TRY(om__library_symbol(library, "bli_sgemm", &api->sgemm, err));
    OM_TRY(om__library_symbol(library, "bli_info_get_version_str", &api->get_version, err));
    OM_TRY(om__library_symbol(library, "bli_arch_query_id", &api->query_arch, err));
    OM_TRY(om__library_symbol(library, "bli_arch_string", &api->arch_string, err));
    OM_TRY(om__library_symbol(library, "bli_info_get_enable_openmp", &api->has_openmp, err));
    OM_TRY(om__library_symbol(library, "bli_thread_set_num_threads", &api->set_threads, err));
    return OM_OK;
}

/* ---- kernels for a processor that is younger than this BLIS ----
 *
 * There BLIS takes its plain C, a fifth of what its vector kernels give on the same processor. It
 * can be told others, once a process and before its first call, and ends the process if it was
 * built without them: so a child tries.
 */

#define SETTING "BLIS_ARCH_TYPE"

/* The number of the kernels `name`; −1: not known. The list ends with the plain ones. */
static int find_arch(const blis_api *api, const char *name)
{
    for (int id = 0; id < 64 && strcmp(api->arch_string(id), GENERIC) != 0; id++)
        if (strcmp(api->arch_string(id), name) == 0)
            return id;
    return -1;
}

static bool multiplies(const blis_api *api)
{
    enum { SIZE = 8 };
    float a[SIZE * SIZE], d[SIZE * SIZE] = {0};
    const float one = 1, zero = 0;
    for (int i = 0; i < SIZE * SIZE; i++)
        a[i] = 1;
    api->set_threads(1);
    api->sgemm(0, 0, SIZE, SIZE, SIZE, &one, a, SIZE, 1, a, SIZE, 1, &zero, d, SIZE, 1);
    for (int i = 0; i < SIZE * SIZE; i++)
        if (d[i] != SIZE)
            return false;
    return true;
}

/* In the child. With name == NULL: whether BLIS chooses its plain kernels; else whether the named
 * ones work. */
static bool try_arch(const char *name)
{
    blis_api api;
    om_error err;
    char number[16];
    if (load(&api, &err) != OM_OK)
        return false;
    if (name == NULL)
        return strcmp(api.arch_string(api.query_arch()), GENERIC) == 0;
    const int id = find_arch(&api, name);
    snprintf(number, sizeof number, "%d", id);
    return id >= 0 && setenv(SETTING, number, 1) == 0 && multiplies(&api) &&
           strcmp(api.arch_string(api.query_arch()), name) == 0;
}

static bool try_in_child(const char *name)
{
    enum { MOST_SECONDS = 5 };
    const pid_t child = fork();
    if (child == 0) {
        const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
        signal(SIGALRM, SIG_DFL);
        alarm(MOST_SECONDS);
        if (nowhere >= 0) {
            dup2(nowhere, STDOUT_FILENO);
            dup2(nowhere, STDERR_FILENO);
        }
        _exit(try_arch(name) ? 0 : 1);
    }
    int state = 1;
    while (child > 0 && waitpid(child, &state, 0) < 0 && errno == EINTR)
        continue;
    return child > 0 && WIFEXITED(state) && WEXITSTATUS(state) == 0;
}

/* What the user has set stands. */
static void choose_arch(void)
{
    static const char *const best[] = {"skx", "zen3", "haswell"};
    const om_isa isa = om__cpu_info_get()->isa;
    blis_api api;
    om_error err;
    if (isa < OM_ISA_AVX2 || getenv(SETTING) != NULL || !try_in_child(NULL))
        return;
    for (size_t i = isa < OM_ISA_AVX512 ? 1 : 0; i < sizeof best / sizeof best[0]; i++) {
        if (!try_in_child(best[i]) || load(&api, &err) != OM_OK)
            continue;
        char number[16];
        snprintf(number, sizeof number, "%d", find_arch(&api, best[i]));
        setenv(SETTING, number, 1);
        return;
    }
}

/* ---- the provider ---- */

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
    choose_arch();
    om_status status = load(&self->api, err);
    if (status == OM_OK) {
        om__dynlib_path((const void *)(uintptr_t)self->api.sgemm, self->path, sizeof self->path);
        if (!self->api.has_openmp())
            status = om__error_set(
                err, OM_UNSUPPORTED,
                "%s is not built on OpenMP; its own threads would fight with the other "
                "contenders (Debian: libblis4-openmp)",
                self->path);
    }
    if (status != OM_OK) {
        free(self);
        return status;
    }
    self->api.set_threads(self->products.threads);
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
    const char *arch = self->api.arch_string(self->api.query_arch());
    snprintf(version, version_size, "BLIS %s, %s", self->api.get_version(), arch);
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
