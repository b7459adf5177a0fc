/* SPDX-License-Identifier: Apache-2.0 */
/* cublaslt.c: the providers `cublaslt` and `cublaslt_fast`: matrix products by the vendor's
 * library.
 *
 * They differ for fp8 alone: the fast one lets the tensor cores keep their short sums over the
 * whole of k, which is quicker and less exact. Fields of an operator are read from its public
 * argument struct.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "opmark/gemm.h"
#include "providers/cuda/lt_product.h"
#include "providers/cuda/serve_cuda.h"
#include "providers/cuda/vendors.h"

typedef struct cublaslt {
    om_lt *lt;
    void *stream;
    bool is_fast;
} cublaslt;

/* How an operator's arguments become a product and its operands. */
typedef struct lt_serve {
    const char *op;
    om_status (*product)(const void *args, om_lt_product *product, om_error *err);
    void (*operands)(const void *args, om_lt_operands *operands);
} lt_serve;

static om_status product_gemm(const void *args, om_lt_product *product, om_error *err)
{
    const om_gemm_args *g = args;
    om_dtype type = g->dtype == OM_DTYPE_DEFAULT ? OM_BF16 : g->dtype;
    (void)err;
    *product = (om_lt_product){.batch = 1,
                               .m = g->m,
                               .n = g->n,
                               .k = g->k,
                               .type_a = type,
                               .type_b = type,
                               .type_d = type,
                               .trans_a = g->trans_a != 0,
                               .trans_b = g->trans_b != 0};
    return OM_OK;
}

static void operands_gemm(const void *args, om_lt_operands *operands)
{
    const om_gemm_args *g = args;
    *operands = (om_lt_operands){.a = g->a, .b = g->b, .d = g->d};
}

static const lt_serve serves[] = {
    {"gemm", product_gemm, operands_gemm},
};

static om_status find_serve(const om_problem *problem, const lt_serve **serve, om_error *err)
{
    for (size_t i = 0; i < sizeof serves / sizeof serves[0]; i++)
        if (strcmp(serves[i].op, problem->op) == 0 && strcmp(problem->pass, "forward") == 0) {
            *serve = &serves[i];
            return OM_OK;
        }
    return om__error_set(err, OM_UNSUPPORTED, "cublaslt does not serve %s %s", problem->op,
                         problem->pass);
}

static om_status read_problem(const cublaslt *c, const om_problem *problem, om_lt_product *product,
                              om_error *err)
{
    const lt_serve *serve;
    OM_TRY(find_serve(problem, &serve, err));
    OM_TRY(serve->product(problem->args, product, err));
    bool is_fp8 = om_dtype_bits(product->type_a) == 8;
    if (c->is_fast && !is_fp8)
        return om__error_set(err, OM_UNSUPPORTED, "fast accumulation is a choice of fp8 alone");
    product->fast_accumulation = c->is_fast;
    return om__lt_product_check(product, err);
}

static om_status open_as(bool is_fast, const om_provider_host *host, void **self, om_error *err)
{
    *self = NULL;
    OM_TRY(om__cuda_host_enter(host->device, err));
    cublaslt *c = calloc(1, sizeof *c);
    if (c == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for a provider");
    *c = (cublaslt){.stream = host->stream, .is_fast = is_fast};
    om_status status = om__lt_open(host->cuda_libs, &c->lt, err);
    if (status != OM_OK) {
        free(c);
        return status;
    }
    *self = c;
    return OM_OK;
}

static om_status open_precise(const om_provider_host *host, void **self, om_error *err)
{
    return open_as(false, host, self, err);
}

static om_status open_fast(const om_provider_host *host, void **self, om_error *err)
{
    return open_as(true, host, self, err);
}

static void cublaslt_close(void *self)
{
    cublaslt *c = self;
    if (c == NULL)
        return;
    om__lt_close(c->lt);
    free(c);
}

static void cublaslt_describe(void *self, char *version, size_t version_size, char *details,
                              size_t details_size)
{
    const cublaslt *c = self;
    snprintf(version, version_size, "%s", om__lt_version_get(c->lt));
    snprintf(details, details_size, "library=%s\nfast_accumulation=%s", om__lt_path_get(c->lt),
             c->is_fast ? "on" : "off");
}

static om_status cublaslt_query(void *self, const om_problem *problem, om_error *err)
{
    om_lt_product product;
    return read_problem(self, problem, &product, err);
}

static om_status cublaslt_prepare(void *self, const om_problem *problem, void **plan,
                                  size_t *workspace_bytes, om_error *err)
{
    cublaslt *c = self;
    om_lt_product product;
    OM_TRY(read_problem(c, problem, &product, err));
    return om__lt_plan_create(c->lt, c->stream, &product, (om_lt_plan **)plan, workspace_bytes,
                              err);
}

static om_status cublaslt_run(void *self, void *plan, const om_problem *problem, void *workspace,
                              om_error *err)
{
    cublaslt *c = self;
    const lt_serve *serve;
    om_lt_operands operands;
    OM_TRY(find_serve(problem, &serve, err));
    serve->operands(problem->args, &operands);
    return om__lt_plan_run(plan, c->stream, &operands, workspace, err);
}

static void cublaslt_release(void *self, void *plan)
{
    (void)self;
    om__lt_plan_destroy(plan);
}

static void cublaslt_explain(void *self, void *plan, char *text, size_t size)
{
    (void)self;
    snprintf(text, size, "%s", om__lt_plan_words_get(plan));
}

const om_provider om_provider_cublaslt = {
    .abi = OM_PROVIDER_ABI,
    .name = "cublaslt",
    .role = OM_ROLE_COMPETITOR,
    .device_kind = "cuda",
    .summary = "NVIDIA cuBLASLt, best of the algorithms it suggests",
    .open = open_precise,
    .close = cublaslt_close,
    .describe = cublaslt_describe,
    .query = cublaslt_query,
    .prepare = cublaslt_prepare,
    .run = cublaslt_run,
    .release = cublaslt_release,
    .explain = cublaslt_explain,
};

const om_provider om_provider_cublaslt_fast = {
    .abi = OM_PROVIDER_ABI,
    .name = "cublaslt_fast",
    .role = OM_ROLE_COMPETITOR,
    .device_kind = "cuda",
    .summary = "NVIDIA cuBLASLt, fp8 with fast accumulation",
    .open = open_fast,
    .close = cublaslt_close,
    .describe = cublaslt_describe,
    .query = cublaslt_query,
    .prepare = cublaslt_prepare,
    .run = cublaslt_run,
    .release = cublaslt_release,
    .explain = cublaslt_explain,
};
