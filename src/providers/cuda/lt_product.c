/* SPDX-License-Identifier: Apache-2.0 */
/* lt_product.c: a matrix product by cuBLASLt: described, tuned by trial, run.
 *
 * cuBLASLt is column-major, so a row-major product is asked for as its transpose: d' = b' · a',
 * with our b as its first operand. A row-major matrix [r][c] is a column-major one of c rows and r
 * columns.
 */
#include "providers/cuda/lt_product.h"

#include <cublasLt.h>
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "core/cuda/cuda_status.h"
#include "core/cuda/fill_cuda.h"
#include "providers/cuda/lt_steps.h"
#include "providers/cuda/trial.h"
#include "providers/cuda/vendor_library.h"

#define MOST_ALGORITHMS OM_TRIAL_MOST
#define WORKSPACE_LIMIT ((size_t)64 << 20)

struct om_lt {
    void *library;
    char path[384], version[64];
    cublasLtHandle_t handle;
    cublasStatus_t (*create)(cublasLtHandle_t *handle);
    cublasStatus_t (*destroy)(cublasLtHandle_t handle);
    size_t (*get_version)(void);
    cublasStatus_t (*layout_create)(cublasLtMatrixLayout_t *layout, cudaDataType type,
                                    uint64_t rows, uint64_t columns, int64_t pitch);
    cublasStatus_t (*layout_destroy)(cublasLtMatrixLayout_t layout);
    cublasStatus_t (*layout_set)(cublasLtMatrixLayout_t layout,
                                 cublasLtMatrixLayoutAttribute_t which, const void *value,
                                 size_t size);
    cublasStatus_t (*desc_create)(cublasLtMatmulDesc_t *desc, cublasComputeType_t compute,
                                  cudaDataType_t scale);
    cublasStatus_t (*desc_destroy)(cublasLtMatmulDesc_t desc);
    cublasStatus_t (*desc_set)(cublasLtMatmulDesc_t desc, cublasLtMatmulDescAttributes_t which,
                               const void *value, size_t size);
    cublasStatus_t (*preference_create)(cublasLtMatmulPreference_t *preference);
    cublasStatus_t (*preference_destroy)(cublasLtMatmulPreference_t preference);
    cublasStatus_t (*preference_set)(cublasLtMatmulPreference_t preference,
                                     cublasLtMatmulPreferenceAttributes_t which, const void *value,
                                     size_t size);
    cublasStatus_t (*heuristic)(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc,
                                cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                cublasLtMatmulPreference_t preference, int wanted,
                                cublasLtMatmulHeuristicResult_t *results, int *found);
    cublasStatus_t (*matmul)(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc, const void *alpha,
                             const void *a, cublasLtMatrixLayout_t layout_a, const void *b,
                             cublasLtMatrixLayout_t layout_b, const void *beta, const void *c,
                             cublasLtMatrixLayout_t layout_c, void *d,
                             cublasLtMatrixLayout_t layout_d, const cublasLtMatmulAlgo_t *algorithm,
                             void *workspace, size_t workspace_size, cudaStream_t stream);
    cublasStatus_t (*config_get)(const cublasLtMatmulAlgo_t *algorithm,
                                 cublasLtMatmulAlgoConfigAttributes_t which, void *value,
                                 size_t size, size_t *written);
    const char *(*status_string)(cublasStatus_t status);
};

struct om_lt_plan {
    om_lt *lt;
    om_lt_product product;
    cublasLtMatmulDesc_t desc;
    cublasLtMatrixLayout_t layout_a, layout_b, layout_d; /* of our a, b, d */
    cublasLtMatmulHeuristicResult_t found[MOST_ALGORITHMS];
    int found_count;
    int best;
    bool turns_b; /* product.trans_b was made so by moving b in front of each call */
    /* Where the parts of the workspace begin: the library's own part is the first. */
    size_t scale_a_at, scale_b_at, b_at, workspace_bytes;
    char words[256];
};

static om_status check(const om_lt *lt, cublasStatus_t code, const char *what, om_error *err)
{
    if (code == CUBLAS_STATUS_SUCCESS)
        return OM_OK;
    om_status status = code == CUBLAS_STATUS_NOT_SUPPORTED      ? OM_UNSUPPORTED
                       : code == CUBLAS_STATUS_ALLOC_FAILED     ? OM_NO_MEMORY
                       : code == CUBLAS_STATUS_EXECUTION_FAILED ? OM_DEVICE
                                                                : OM_PROVIDER;
    return om__error_set(err, status, "cuBLASLt %s: %s", what,
                         lt->status_string != NULL ? lt->status_string(code) : "failed");
}

/* ---- the library ---- */

om_status om__lt_open(const char *folder, om_lt **out, om_error *err)
{
    static const char *const names[] = {"libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so",
                                        NULL};
    om_status status;
    *out = NULL;
    om_lt *lt = calloc(1, sizeof *lt);
    if (lt == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for cuBLASLt");
    OM_TRY_OUT(
        om__vendor_library_open(names, folder, &lt->library, lt->path, sizeof lt->path, err));
    const struct {
        const char *name;
        void *function;
    } symbols[] = {
        {"cublasLtCreate", &lt->create},
        {"cublasLtDestroy", &lt->destroy},
        {"cublasLtGetVersion", &lt->get_version},
        {"cublasLtMatrixLayoutCreate", &lt->layout_create},
        {"cublasLtMatrixLayoutDestroy", &lt->layout_destroy},
        {"cublasLtMatrixLayoutSetAttribute", &lt->layout_set},
        {"cublasLtMatmulDescCreate", &lt->desc_create},
        {"cublasLtMatmulDescDestroy", &lt->desc_destroy},
        {"cublasLtMatmulDescSetAttribute", &lt->desc_set},
        {"cublasLtMatmulPreferenceCreate", &lt->preference_create},
        {"cublasLtMatmulPreferenceDestroy", &lt->preference_destroy},
        {"cublasLtMatmulPreferenceSetAttribute", &lt->preference_set},
        {"cublasLtMatmulAlgoGetHeuristic", &lt->heuristic},
        {"cublasLtMatmul", &lt->matmul},
        {"cublasLtMatmulAlgoConfigGetAttribute", &lt->config_get},
        {"cublasLtGetStatusString", &lt->status_string},
    };
    for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++)
        OM_TRY_OUT(
            om__vendor_symbol(lt->library, "cuBLASLt", symbols[i].name, symbols[i].function, err));
    OM_TRY_OUT(check(lt, lt->create(&lt->handle), "create", err));
    size_t version = lt->get_version(); /* 130100: 13.1.0 */
    snprintf(lt->version, sizeof lt->version, "cuBLASLt %zu.%zu.%zu", version / 10000,
             version / 100 % 100, version % 100);
    *out = lt;
    lt = NULL;
out:
    om__lt_close(lt);
    return status;
}

/* The library itself stays loaded: it registers things with the driver that outlive a dlclose. */
void om__lt_close(om_lt *lt)
{
    if (lt == NULL)
        return;
    if (lt->handle != NULL)
        (void)lt->destroy(lt->handle);
    free(lt);
}

const char *om__lt_version_get(const om_lt *lt)
{
    return lt->version;
}

const char *om__lt_path_get(const om_lt *lt)
{
    return lt->path;
}

/* ---- describing ---- */

static bool is_fp8(om_dtype type)
{
    return type == OM_E4M3 || type == OM_E5M2;
}

static bool find_type(om_dtype type, cudaDataType_t *out)
{
    switch (type) {
    case OM_F32:
        *out = CUDA_R_32F;
        return true;
    case OM_BF16:
        *out = CUDA_R_16BF;
        return true;
    case OM_F16:
        *out = CUDA_R_16F;
        return true;
    case OM_E4M3:
        *out = CUDA_R_8F_E4M3;
        return true;
    case OM_E5M2:
        *out = CUDA_R_8F_E5M2;
        return true;
    default:
        return false;
    }
}

om_status om__lt_product_check(const om_lt_product *p, om_error *err)
{
    cudaDataType_t type;
    if (!find_type(p->type_a, &type) || !find_type(p->type_b, &type) ||
        !find_type(p->type_d, &type))
        return om__error_set(err, OM_UNSUPPORTED, "cuBLASLt has no product of %s and %s",
                             om_dtype_name(p->type_a), om_dtype_name(p->type_b));
    if (p->batch < 1 || p->m < 1 || p->n < 1 || p->k < 1)
        return om__error_set(err, OM_UNSUPPORTED, "cuBLASLt has no empty products");
    if (p->batch > INT32_MAX || p->m > INT32_MAX || p->n > INT32_MAX || p->k > INT32_MAX)
        return om__error_set(err, OM_UNSUPPORTED, "a dimension beyond 2^31");
    if (is_fp8(p->type_a) != is_fp8(p->type_b))
        return om__error_set(err, OM_UNSUPPORTED, "cuBLASLt has no product of %s and %s",
                             om_dtype_name(p->type_a), om_dtype_name(p->type_b));
    if (!is_fp8(p->type_a))
        return OM_OK;
    if (p->trans_a)
        return om__error_set(err, OM_UNSUPPORTED, "fp8 on Hopper wants a contiguous along k");
    if (p->scaling == OM_LT_VECTORS_128 && p->batch > 1)
        return om__error_set(err, OM_UNSUPPORTED, "no batches with scales for blocks");
    if (p->k % 16 != 0 || p->n % 16 != 0)
        return om__error_set(err, OM_UNSUPPORTED,
                             "fp8 wants k and n divisible by 16, not %lld, %lld", (long long)p->k,
                             (long long)p->n);
    return OM_OK;
}

/* A row-major matrix as cuBLASLt sees it. */
static om_status make_layout(om_lt *lt, om_dtype type, int64_t rows, int64_t columns, int64_t batch,
                             cublasLtMatrixLayout_t *layout, om_error *err)
{
    cudaDataType_t t = CUDA_R_32F;
    int32_t count = (int32_t)batch;
    int64_t stride = rows * columns;
    (void)find_type(type, &t);
    OM_TRY(check(lt, lt->layout_create(layout, t, (uint64_t)columns, (uint64_t)rows, columns),
                 "layout", err));
    if (batch > 1) {
        OM_TRY(check(
            lt, lt->layout_set(*layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count, sizeof count),
            "layout", err));
        OM_TRY(check(lt,
                     lt->layout_set(*layout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &stride,
                                    sizeof stride),
                     "layout", err));
    }
    return OM_OK;
}

static om_status set_desc(om_lt_plan *plan, cublasLtMatmulDescAttributes_t which, const void *value,
                          size_t size, om_error *err)
{
    return check(plan->lt, plan->lt->desc_set(plan->desc, which, value, size), "description", err);
}

/* Our b is cuBLASLt's A. */
static om_status set_pointers(om_lt_plan *plan, const float *scale_a, const float *scale_b,
                              const void *bias, om_error *err)
{
    if (plan->product.has_bias)
        OM_TRY(set_desc(plan, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &bias, sizeof bias, err));
    if (plan->product.scaling == OM_LT_UNSCALED)
        return OM_OK;
    OM_TRY(set_desc(plan, CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, &scale_b, sizeof scale_b, err));
    return set_desc(plan, CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, &scale_a, sizeof scale_a, err);
}

static om_status describe(om_lt_plan *plan, om_error *err)
{
    const om_lt_product *p = &plan->product;
    om_lt *lt = plan->lt;
    cublasOperation_t op_a = p->trans_a ? CUBLAS_OP_T : CUBLAS_OP_N;
    cublasOperation_t op_b = p->trans_b ? CUBLAS_OP_T : CUBLAS_OP_N;
    OM_TRY(check(lt, lt->desc_create(&plan->desc, CUBLAS_COMPUTE_32F, CUDA_R_32F), "description",
                 err));
    OM_TRY(set_desc(plan, CUBLASLT_MATMUL_DESC_TRANSA, &op_b, sizeof op_b, err));
    OM_TRY(set_desc(plan, CUBLASLT_MATMUL_DESC_TRANSB, &op_a, sizeof op_a, err));
    if (is_fp8(p->type_a)) {
        int8_t fast = p->fast_accumulation;
        OM_TRY(set_desc(plan, CUBLASLT_MATMUL_DESC_FAST_ACCUM, &fast, sizeof fast, err));
    }
    if (p->scaling == OM_LT_VECTORS_128) {
        int32_t mode = CUBLASLT_MATMUL_MATRIX_SCALE_VEC128_32F;
        OM_TRY(set_desc(plan, CUBLASLT_MATMUL_DESC_A_SCALE_MODE, &mode, sizeof mode, err));
        OM_TRY(set_desc(plan, CUBLASLT_MATMUL_DESC_B_SCALE_MODE, &mode, sizeof mode, err));
    }
    if (p->has_bias) {
        int32_t epilogue = CUBLASLT_EPILOGUE_BIAS, type = CUDA_R_16BF;
        OM_TRY(set_desc(plan, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue, sizeof epilogue, err));
        OM_TRY(set_desc(plan, CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, &type, sizeof type, err));
    }
    OM_TRY(make_layout(lt, p->type_a, p->trans_a ? p->k : p->m, p->trans_a ? p->m : p->k, p->batch,
                       &plan->layout_a, err));
    OM_TRY(make_layout(lt, p->type_b, p->trans_b ? p->n : p->k, p->trans_b ? p->k : p->n, p->batch,
                       &plan->layout_b, err));
    return make_layout(lt, p->type_d, p->m, p->n, p->batch, &plan->layout_d, err);
}

static om_status ask(om_lt_plan *plan, om_error *err)
{
    om_lt *lt = plan->lt;
    cublasLtMatmulPreference_t preference = NULL;
    size_t limit = WORKSPACE_LIMIT;
    om_status status;
    OM_TRY_OUT(check(lt, lt->preference_create(&preference), "preference", err));
    OM_TRY_OUT(check(lt,
                     lt->preference_set(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                        &limit, sizeof limit),
                     "preference", err));
    OM_TRY_OUT(check(lt,
                     lt->heuristic(lt->handle, plan->desc, plan->layout_b, plan->layout_a,
                                   plan->layout_d, plan->layout_d, preference, MOST_ALGORITHMS,
                                   plan->found, &plan->found_count),
                     "has no algorithm for this product", err));
    if (plan->found_count == 0)
        status = om__error_set(err, OM_UNSUPPORTED, "cuBLASLt has no algorithm for this product");
out:
    if (preference != NULL)
        (void)lt->preference_destroy(preference);
    return status;
}

static om_status launch(const om_lt_plan *plan, int which, cudaStream_t stream,
                        const om_lt_operands *o, void *workspace, size_t workspace_size,
                        om_error *err)
{
    const float one = 1, zero = 0;
    return check(plan->lt,
                 plan->lt->matmul(plan->lt->handle, plan->desc, &one, o->b, plan->layout_b, o->a,
                                  plan->layout_a, &zero, o->d, plan->layout_d, o->d, plan->layout_d,
                                  &plan->found[which].algo, workspace, workspace_size, stream),
                 "matmul", err);
}

/* ---- trials ---- */

/* What the trials compute with. */
typedef struct scratch {
    om_lt_plan *plan;
    cudaStream_t stream;
    void *a, *b, *d, *workspace, *bias;
    float *scale_a, *scale_b;
} scratch;

static om_status make_operand(cudaStream_t stream, om_dtype type, int64_t count, om_fill_kind kind,
                              void **memory, om_error *err)
{
    om_tensor tensor = {.dtype = type, .rank = 1, .shape = {count}};
    om_fill fill = {.kind = kind, .seed = 1, .scale = 1, .low = 1, .high = 1};
    fill.tensor = (uint32_t)(count % 97);
    OM_TRY_CUDA(cudaMalloc(memory, (size_t)om_tensor_size_bytes(&tensor)), err);
    tensor.data = *memory;
    return om__cuda_fill_launch(stream, 64, &fill, &tensor, err);
}

static void scratch_release(scratch *s)
{
    void *all[] = {s->a, s->b, s->d, s->workspace, s->bias, s->scale_a, s->scale_b};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (all[i] != NULL)
            (void)cudaFree(all[i]);
}

/* Random operands, scales of one. */
static om_status scratch_make(scratch *s, om_error *err)
{
    const om_lt_product *p = &s->plan->product;
    cudaStream_t stream = s->stream;
    int64_t blocks = (p->k + 127) / 128;
    OM_TRY(make_operand(stream, p->type_a, p->batch * p->m * p->k, OM_FILL_NORMAL, &s->a, err));
    OM_TRY(make_operand(stream, p->type_b, p->batch * p->n * p->k, OM_FILL_NORMAL, &s->b, err));
    OM_TRY(make_operand(stream, p->type_d, p->batch * p->m * p->n, OM_FILL_NORMAL, &s->d, err));
    OM_TRY(make_operand(stream, OM_BF16, p->n, OM_FILL_NORMAL, &s->bias, err));
    OM_TRY(make_operand(stream, OM_F32, p->batch * p->m * blocks, OM_FILL_UNIFORM,
                        (void **)&s->scale_a, err));
    OM_TRY(make_operand(stream, OM_F32, p->batch * p->n * blocks, OM_FILL_UNIFORM,
                        (void **)&s->scale_b, err));
    OM_TRY_CUDA(cudaMalloc(&s->workspace, WORKSPACE_LIMIT), err);
    return set_pointers(s->plan, s->scale_a, s->scale_b, s->bias, err);
}

static om_status try_one(void *self, int which, om_error *err)
{
    scratch *s = self;
    om_lt_operands o = {.a = s->a, .b = s->b, .d = s->d};
    return launch(s->plan, which, s->stream, &o, s->workspace, WORKSPACE_LIMIT, err);
}

static int config(const om_lt_plan *plan, cublasLtMatmulAlgoConfigAttributes_t which, size_t size)
{
    int32_t value = 0;
    size_t written;
    (void)plan->lt->config_get(&plan->found[plan->best].algo, which, &value, size, &written);
    return (int)value;
}

static void choose_words(om_lt_plan *plan, const char *how)
{
    snprintf(
        plan->words, sizeof plan->words, "algorithm %d tile %d stages %d split-k %d cluster %d; %s",
        config(plan, CUBLASLT_ALGO_CONFIG_ID, 4), config(plan, CUBLASLT_ALGO_CONFIG_TILE_ID, 4),
        config(plan, CUBLASLT_ALGO_CONFIG_STAGES_ID, 4),
        config(plan, CUBLASLT_ALGO_CONFIG_SPLITK_NUM, 4),
        config(plan, CUBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID, 2), how);
}

static om_status try_all(om_lt_plan *plan, cudaStream_t stream, om_error *err)
{
    scratch s = {.plan = plan, .stream = stream};
    om_trial_result result;
    char how[96];
    om_status status = scratch_make(&s, err);
    if (status == OM_OK)
        status = om__trial_run(stream, plan->found_count, try_one, &s, &result, err);
    if (status == OM_OK) {
        plan->best = result.best;
        snprintf(how, sizeof how, "fastest of %d tried (first %.1f us, best %.1f us)", result.tried,
                 result.first_us, result.best_us);
        choose_words(plan, how);
    } else if (status == OM_NO_MEMORY) {
        choose_words(plan, "first suggestion: no memory to try them");
        status = OM_OK;
    }
    scratch_release(&s);
    return status;
}

/* ---- plans ---- */

static size_t round_up(size_t size)
{
    return (size + 255) & ~(size_t)255;
}

static void lay_out_workspace(om_lt_plan *plan)
{
    const om_lt_product *p = &plan->product;
    size_t blocks = (size_t)((p->k + 127) / 128);
    plan->scale_a_at = round_up(plan->found[plan->best].workspaceSize);
    plan->scale_b_at = plan->b_at = plan->scale_a_at;
    if (p->scaling == OM_LT_VECTORS_128) {
        plan->scale_b_at = plan->scale_a_at + round_up((size_t)p->m * blocks * sizeof(float));
        plan->b_at = plan->scale_b_at + round_up((size_t)p->n * blocks * sizeof(float));
    }
    plan->workspace_bytes =
        plan->b_at + (plan->turns_b ? (size_t)p->batch * (size_t)p->n * (size_t)p->k : 0);
}

om_status om__lt_plan_create(om_lt *lt, void *stream, const om_lt_product *product,
                             om_lt_plan **out, size_t *workspace_bytes, om_error *err)
{
    om_status status;
    *out = NULL;
    OM_TRY(om__lt_product_check(product, err));
    om_lt_plan *plan = calloc(1, sizeof *plan);
    if (plan == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for a plan");
    plan->lt = lt;
    plan->product = *product;
    if (is_fp8(product->type_a) && !product->trans_b) {
        plan->turns_b = true;
        plan->product.trans_b = true;
    }
    OM_TRY_OUT(describe(plan, err));
    /* The heuristic looks at whether there are scales, not at what they are. */
    static const float one = 1;
    OM_TRY_OUT(set_pointers(plan, &one, &one, &one, err));
    OM_TRY_OUT(ask(plan, err));
    OM_TRY_OUT(try_all(plan, (cudaStream_t)stream, err));
    lay_out_workspace(plan);
    *workspace_bytes = plan->workspace_bytes;
    *out = plan;
    plan = NULL;
out:
    om__lt_plan_destroy(plan);
    return status;
}

void om__lt_plan_destroy(om_lt_plan *plan)
{
    if (plan == NULL)
        return;
    if (plan->layout_a != NULL)
        (void)plan->lt->layout_destroy(plan->layout_a);
    if (plan->layout_b != NULL)
        (void)plan->lt->layout_destroy(plan->layout_b);
    if (plan->layout_d != NULL)
        (void)plan->lt->layout_destroy(plan->layout_d);
    if (plan->desc != NULL)
        (void)plan->lt->desc_destroy(plan->desc);
    free(plan);
}

om_status om__lt_plan_run(om_lt_plan *plan, void *stream, const om_lt_operands *operands,
                          void *workspace, om_error *err)
{
    const om_lt_product *p = &plan->product;
    om_lt_operands o = *operands;
    char *parts = workspace;
    if (p->scaling == OM_LT_VECTORS_128) {
        int64_t blocks = (p->k + 127) / 128;
        float *scale_a = (float *)(void *)(parts + plan->scale_a_at);
        float *scale_b = (float *)(void *)(parts + plan->scale_b_at);
        OM_TRY(om__transpose_scales_launch(stream, o.scale_a, p->m, blocks, scale_a, err));
        OM_TRY(om__transpose_scales_launch(stream, o.scale_b, p->n, blocks, scale_b, err));
        o.scale_a = scale_a;
        o.scale_b = scale_b;
    }
    if (plan->turns_b) {
        void *b = parts + plan->b_at;
        OM_TRY(om__transpose_bytes_launch(stream, o.b, p->batch, p->k, p->n, b, err));
        o.b = b;
    }
    OM_TRY(set_pointers(plan, o.scale_a, o.scale_b, o.bias, err));
    return launch(plan, plan->best, (cudaStream_t)stream, &o, workspace,
                  plan->found[plan->best].workspaceSize, err);
}

const char *om__lt_plan_words_get(const om_lt_plan *plan)
{
    return plan->words;
}
