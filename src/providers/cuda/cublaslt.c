/* SPDX-License-Identifier: Apache-2.0 */
/* cublaslt.c: the providers `cublaslt` and `cublaslt_fast`: matrix products by the vendor's
 * libraries: cuBLASLt, and for groups whose sizes are data the grouped call of cuBLAS.
 *
 * They differ for fp8 alone: the fast one lets the tensor cores keep their short sums over the
 * whole of k, which is quicker and less exact. Fields of an operator are read from its public
 * argument struct.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "opmark/bmm.h"
#include "opmark/bmm_fp8.h"
#include "opmark/gemm.h"
#include "opmark/gemm_fp8.h"
#include "opmark/grouped_gemm.h"
#include "providers/cuda/cublas_groups.h"
#include "providers/cuda/lt_product.h"
#include "providers/cuda/serve_cuda.h"
#include "providers/cuda/vendors.h"

typedef struct cublaslt {
    om_lt *lt;
    om_cublas_groups *groups; /* opened when first asked for */
    char folder[400];         /* where to look for it; empty: anywhere */
    void *stream;
    bool is_fast;
} cublaslt;

#define MOST_PRODUCTS 2

/* How an operator's arguments become products and their operands. */
typedef struct lt_serve {
    const char *op, *pass;
    int count; /* of products in one call; 0: groups of drawn sizes, in this form: */
    om_groups_form form;
    om_status (*product)(const void *args, int which, om_lt_product *product, om_error *err);
    void (*operands)(const void *args, int which, om_lt_operands *operands);
} lt_serve;

typedef struct lt_plan {
    const lt_serve *serve;
    om_lt_plan *parts[MOST_PRODUCTS];
    char words[600];
} lt_plan;

static om_dtype type_or(om_dtype type, om_dtype standard)
{
    return type == OM_DTYPE_DEFAULT ? standard : type;
}

static om_lt_product plain(int64_t batch, int64_t m, int64_t n, int64_t k, om_dtype dtype,
                           bool trans_a, bool trans_b)
{
    om_dtype type = type_or(dtype, OM_BF16);
    return (om_lt_product){.batch = batch,
                           .m = m,
                           .n = n,
                           .k = k,
                           .type_a = type,
                           .type_b = type,
                           .type_d = type,
                           .trans_a = trans_a,
                           .trans_b = trans_b};
}

static om_status product_gemm(const void *args, int which, om_lt_product *product, om_error *err)
{
    const om_gemm_args *g = args;
    (void)which;
    (void)err;
    *product = plain(1, g->m, g->n, g->k, g->dtype, g->trans_a != 0, g->trans_b != 0);
    return OM_OK;
}

static void operands_gemm(const void *args, int which, om_lt_operands *operands)
{
    const om_gemm_args *g = args;
    (void)which;
    *operands = (om_lt_operands){.a = g->a, .b = g->b, .d = g->d};
}

/* The first product gives grad_a, the second grad_b. */
static om_status product_gemm_backward(const void *args, int which, om_lt_product *product,
                                       om_error *err)
{
    const om_gemm_backward_args *g = args;
    (void)err;
    *product = which == 0 ? plain(1, g->m, g->k, g->n, g->dtype, false, false)
                          : plain(1, g->n, g->k, g->m, g->dtype, true, false);
    return OM_OK;
}

static void operands_gemm_backward(const void *args, int which, om_lt_operands *operands)
{
    const om_gemm_backward_args *g = args;
    *operands = which == 0 ? (om_lt_operands){.a = g->grad_out, .b = g->b, .d = g->grad_a}
                           : (om_lt_operands){.a = g->grad_out, .b = g->a, .d = g->grad_b};
}

static om_status product_bmm(const void *args, int which, om_lt_product *product, om_error *err)
{
    const om_bmm_args *g = args;
    (void)which;
    (void)err;
    *product = plain(g->batch, g->m, g->n, g->k, g->dtype, false, false);
    return OM_OK;
}

static void operands_bmm(const void *args, int which, om_lt_operands *operands)
{
    const om_bmm_args *g = args;
    (void)which;
    *operands = (om_lt_operands){.a = g->a, .b = g->b, .d = g->d};
}

static om_status product_grouped(const void *args, int which, om_lt_product *product, om_error *err)
{
    const om_grouped_gemm_args *g = args;
    (void)which;
    (void)err;
    *product = plain(g->g, g->m, g->n, g->k, g->dtype, false, true);
    return OM_OK;
}

static void operands_grouped(const void *args, int which, om_lt_operands *operands)
{
    const om_grouped_gemm_args *g = args;
    (void)which;
    *operands = (om_lt_operands){.a = g->a, .b = g->b, .d = g->d};
}

static om_status product_grouped_backward(const void *args, int which, om_lt_product *product,
                                          om_error *err)
{
    const om_grouped_gemm_backward_args *g = args;
    (void)err;
    *product = which == 0 ? plain(g->g, g->m, g->k, g->n, g->dtype, false, false)
                          : plain(g->g, g->n, g->k, g->m, g->dtype, true, false);
    return OM_OK;
}

static void operands_grouped_backward(const void *args, int which, om_lt_operands *operands)
{
    const om_grouped_gemm_backward_args *g = args;
    *operands = which == 0 ? (om_lt_operands){.a = g->grad_out, .b = g->b, .d = g->grad_a}
                           : (om_lt_operands){.a = g->grad_out, .b = g->a, .d = g->grad_b};
}

static om_status product_gemm_fp8(const void *args, int which, om_lt_product *product,
                                  om_error *err)
{
    const om_gemm_fp8_args *g = args;
    (void)which;
    (void)err;
    *product = plain(1, g->m, g->n, g->k, OM_E4M3, false, true);
    product->type_d = type_or(g->out_dtype, OM_BF16);
    product->scaling = g->scale_mode == OM_SCALE_BLOCK128 ? OM_LT_VECTORS_128 : OM_LT_PER_TENSOR;
    product->has_bias = g->has_bias != 0;
    return OM_OK;
}

static void operands_gemm_fp8(const void *args, int which, om_lt_operands *operands)
{
    const om_gemm_fp8_args *g = args;
    (void)which;
    *operands = (om_lt_operands){.a = g->a,
                                 .b = g->b,
                                 .d = g->d,
                                 .scale_a = g->scale_a,
                                 .scale_b = g->scale_b,
                                 .bias = g->bias};
}

static om_status product_bmm_fp8(const om_bmm_fp8_args *g, bool trans_b, om_lt_product *product)
{
    *product = plain(g->batch, g->m, g->n, g->k, OM_E4M3, false, trans_b);
    product->type_d = type_or(g->out_dtype, OM_BF16);
    product->scaling = OM_LT_PER_TENSOR;
    return OM_OK;
}

static om_status product_bmm_fp8_nk(const void *args, int which, om_lt_product *product,
                                    om_error *err)
{
    (void)which;
    (void)err;
    return product_bmm_fp8(args, true, product);
}

static om_status product_bmm_fp8_kn(const void *args, int which, om_lt_product *product,
                                    om_error *err)
{
    (void)which;
    (void)err;
    return product_bmm_fp8(args, false, product);
}

static void operands_bmm_fp8(const void *args, int which, om_lt_operands *operands)
{
    const om_bmm_fp8_args *g = args;
    (void)which;
    *operands = (om_lt_operands){
        .a = g->a, .b = g->b, .d = g->d, .scale_a = g->scale_a, .scale_b = g->scale_b};
}

static const lt_serve serves[] = {
    {"gemm", "forward", 1, OM_GROUPS_NT, product_gemm, operands_gemm},
    {"gemm", "backward", 2, OM_GROUPS_NT, product_gemm_backward, operands_gemm_backward},
    {"bmm", "forward", 1, OM_GROUPS_NT, product_bmm, operands_bmm},
    {"grouped_gemm", "forward", 1, OM_GROUPS_NT, product_grouped, operands_grouped},
    {"grouped_gemm", "backward", 2, OM_GROUPS_NT, product_grouped_backward,
     operands_grouped_backward},
    {"gemm_fp8", "forward", 1, OM_GROUPS_NT, product_gemm_fp8, operands_gemm_fp8},
    {"bmm_fp8_nk", "forward", 1, OM_GROUPS_NT, product_bmm_fp8_nk, operands_bmm_fp8},
    {"bmm_fp8_kn", "forward", 1, OM_GROUPS_NT, product_bmm_fp8_kn, operands_bmm_fp8},
    {"grouped_gemm_nt", "forward", 0, OM_GROUPS_NT, NULL, NULL},
    {"grouped_gemm_nn", "forward", 0, OM_GROUPS_NN, NULL, NULL},
    {"grouped_gemm_tn", "forward", 0, OM_GROUPS_TN, NULL, NULL},
    {"grouped_gemm_tt", "forward", 0, OM_GROUPS_TT, NULL, NULL},
    {"moe_grouped_gemm", "forward", 0, OM_GROUPS_NT, NULL, NULL},
};

static om_status find_serve(const om_problem *problem, const lt_serve **serve, om_error *err)
{
    for (size_t i = 0; i < sizeof serves / sizeof serves[0]; i++)
        if (strcmp(serves[i].op, problem->op) == 0 && strcmp(serves[i].pass, problem->pass) == 0) {
            *serve = &serves[i];
            return OM_OK;
        }
    return om__error_set(err, OM_UNSUPPORTED, "cublaslt does not serve %s %s", problem->op,
                         problem->pass);
}

static om_status read_product(const cublaslt *c, const lt_serve *serve, const void *args, int which,
                              om_lt_product *product, om_error *err)
{
    OM_TRY(serve->product(args, which, product, err));
    if (c->is_fast && om_dtype_bits(product->type_a) != 8)
        return om__error_set(err, OM_UNSUPPORTED, "fast accumulation is a choice of fp8 alone");
    if (c->is_fast && product->scaling == OM_LT_VECTORS_128)
        return om__error_set(err, OM_UNSUPPORTED,
                             "with scales for blocks there is one way to accumulate");
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
    snprintf(c->folder, sizeof c->folder, "%s", host->cuda_libs != NULL ? host->cuda_libs : "");
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
    om__cublas_groups_close(c->groups);
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
    const cublaslt *c = self;
    const lt_serve *serve = NULL;
    om_lt_product product;
    OM_TRY(find_serve(problem, &serve, err));
    if (serve->count == 0) {
        if (c->is_fast)
            return om__error_set(err, OM_UNSUPPORTED, "fast accumulation is a choice of fp8 alone");
        return om__cublas_groups_check(problem->args, err);
    }
    for (int i = 0; i < serve->count; i++)
        OM_TRY(read_product(self, serve, problem->args, i, &product, err));
    return OM_OK;
}

static void cublaslt_release(void *self, void *plan)
{
    lt_plan *p = plan;
    (void)self;
    if (p == NULL)
        return;
    for (int i = 0; i < MOST_PRODUCTS; i++)
        om__lt_plan_destroy(p->parts[i]);
    free(p);
}

/* Products run one after the other on one stream, so they share one workspace. */
static om_status cublaslt_prepare(void *self, const om_problem *problem, void **out,
                                  size_t *workspace_bytes, om_error *err)
{
    cublaslt *c = self;
    om_status status = OM_OK;
    lt_plan *plan = calloc(1, sizeof *plan);
    size_t used = 0;
    *workspace_bytes = 0;
    if (plan == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for a plan");
    OM_TRY_OUT(find_serve(problem, &plan->serve, err));
    if (plan->serve->count == 0) {
        if (c->groups == NULL)
            OM_TRY_OUT(om__cublas_groups_open(c->folder, c->stream, &c->groups, err));
        *workspace_bytes = om__cublas_groups_workspace(problem->args);
        snprintf(plan->words, sizeof plan->words, "%s", om__cublas_groups_words_get(c->groups));
    }
    for (int i = 0; i < plan->serve->count; i++) {
        om_lt_product product;
        size_t bytes = 0;
        OM_TRY_OUT(read_product(c, plan->serve, problem->args, i, &product, err));
        OM_TRY_OUT(om__lt_plan_create(c->lt, c->stream, &product, &plan->parts[i], &bytes, err));
        if (bytes > *workspace_bytes)
            *workspace_bytes = bytes;
        if (used < sizeof plan->words)
            used += (size_t)snprintf(plan->words + used, sizeof plan->words - used, "%s%s",
                                     i > 0 ? " | " : "", om__lt_plan_words_get(plan->parts[i]));
    }
    *out = plan;
    plan = NULL;
out:
    cublaslt_release(self, plan);
    return status;
}

static om_status cublaslt_run(void *self, void *plan, const om_problem *problem, void *workspace,
                              om_error *err)
{
    cublaslt *c = self;
    lt_plan *p = plan;
    if (p->serve->count == 0)
        return om__cublas_groups_run(c->groups, p->serve->form, problem->args, workspace, err);
    for (int i = 0; i < p->serve->count; i++) {
        om_lt_operands operands;
        p->serve->operands(problem->args, i, &operands);
        OM_TRY(om__lt_plan_run(p->parts[i], c->stream, &operands, workspace, err));
    }
    return OM_OK;
}

static void cublaslt_explain(void *self, void *plan, char *text, size_t size)
{
    (void)self;
    snprintf(text, size, "%s", ((const lt_plan *)plan)->words);
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
