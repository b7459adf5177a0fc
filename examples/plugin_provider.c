/* SPDX-License-Identifier: Apache-2.0 */
/* plugin_provider.c: a provider as a plug-in: a plain triple loop for gemm in f32.
 *
 *     cc -shared -fPIC -O2 -I include examples/plugin_provider.c -o plugin_provider.so
 *     opmark run gemm m=64 n=64 k=64 dtype=f32 --plugin ./plugin_provider.so
 *
 * It serves one operator, one data type and one storage layout, and says so for all others.
 */
#include <stdio.h>
#include <string.h>

#include "opmark/gemm.h"
#include "opmark/provider.h"

static om_status refuse(om_error *err, const char *why)
{
    if (err != NULL) {
        memset(err, 0, sizeof *err);
        err->code = OM_UNSUPPORTED;
        snprintf(err->text, sizeof err->text, "%s", why);
    }
    return OM_UNSUPPORTED;
}

static om_status open_loops(const om_provider_host *host, void **self, om_error *err)
{
    *self = NULL; /* no state */
    return strcmp(host->device, "cpu") == 0 ? OM_OK : refuse(err, "loops run on the CPU");
}

static void describe_loops(void *self, char *version, size_t version_size, char *details,
                           size_t details_size)
{
    (void)self;
    snprintf(version, version_size, "loops 1");
    snprintf(details, details_size, "threads=1\n");
}

static om_status query_loops(void *self, const om_problem *problem, om_error *err)
{
    const om_gemm_args *args = problem->args;
    (void)self;
    if (strcmp(problem->op, "gemm") != 0 || strcmp(problem->pass, "forward") != 0)
        return refuse(err, "loops serve gemm forward");
    if (args->dtype != OM_F32 || args->trans_a || args->trans_b)
        return refuse(err, "loops serve f32 without transposed storage");
    return OM_OK;
}

static om_status prepare_loops(void *self, const om_problem *problem, void **plan,
                               size_t *workspace_bytes, om_error *err)
{
    (void)self;
    (void)problem;
    (void)err;
    *plan = NULL;
    *workspace_bytes = 0;
    return OM_OK;
}

static om_status run_loops(void *self, void *plan, const om_problem *problem, void *workspace,
                           om_error *err)
{
    const om_gemm_args *args = problem->args;
    const float *a = args->a, *b = args->b;
    float *d = args->d;
    (void)self;
    (void)plan;
    (void)workspace;
    (void)err;
    for (int64_t i = 0; i < args->m; i++) {
        memset(d + i * args->n, 0, (size_t)args->n * sizeof *d);
        for (int64_t l = 0; l < args->k; l++)
            for (int64_t j = 0; j < args->n; j++)
                d[i * args->n + j] += a[i * args->k + l] * b[l * args->n + j];
    }
    return OM_OK;
}

OM_API const om_provider *om_provider_entry(void);

const om_provider *om_provider_entry(void)
{
    static const om_provider loops = {
        .abi = OM_PROVIDER_ABI,
        .name = "loops",
        .role = OM_ROLE_COMPETITOR,
        .device_kind = "cpu",
        .summary = "gemm as three loops",
        .open = open_loops,
        .describe = describe_loops,
        .query = query_loops,
        .prepare = prepare_loops,
        .run = run_loops,
    };
    return &loops;
}
