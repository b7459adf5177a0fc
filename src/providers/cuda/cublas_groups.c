/* SPDX-License-Identifier: Apache-2.0 */
/* cublas_groups.c: products over groups of rows whose sizes are data, by cuBLAS' grouped call.
 *
 * cuBLAS is column-major, so every product is asked for as its transpose, our b first. Each group
 * that is not empty is a group of one product; groups whose depth is empty are set to zero by hand.
 */
#include "providers/cuda/cublas_groups.h"

#include <cublas_v2.h>
#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "core/cuda/cuda_status.h"
#include "providers/cuda/vendor_library.h"

struct om_cublas_groups {
    void *library;
    char path[384], words[128];
    cublasHandle_t handle;
    cudaStream_t stream;
    cublasStatus_t (*create)(cublasHandle_t *handle);
    cublasStatus_t (*destroy)(cublasHandle_t handle);
    cublasStatus_t (*set_stream)(cublasHandle_t handle, cudaStream_t stream);
    cublasStatus_t (*get_property)(libraryPropertyType which, int *value);
    const char *(*status_string)(cublasStatus_t status);
    cublasStatus_t (*multiply)(cublasHandle_t handle, const cublasOperation_t *trans_a,
                               const cublasOperation_t *trans_b, const int *m, const int *n,
                               const int *k, const void *alpha, const void *const *a,
                               cudaDataType_t type_a, const int *pitch_a, const void *const *b,
                               cudaDataType_t type_b, const int *pitch_b, const void *beta,
                               void *const *c, cudaDataType_t type_c, const int *pitch_c, int count,
                               const int *sizes, cublasComputeType_t compute);
};

static om_status check(const om_cublas_groups *c, cublasStatus_t code, const char *what,
                       om_error *err)
{
    if (code == CUBLAS_STATUS_SUCCESS)
        return OM_OK;
    om_status status = code == CUBLAS_STATUS_NOT_SUPPORTED      ? OM_UNSUPPORTED
                       : code == CUBLAS_STATUS_ALLOC_FAILED     ? OM_NO_MEMORY
                       : code == CUBLAS_STATUS_EXECUTION_FAILED ? OM_DEVICE
                                                                : OM_PROVIDER;
    return om__error_set(err, status, "cuBLAS %s: %s", what, c->status_string(code));
}

om_status om__cublas_groups_open(const char *folder, void *stream, om_cublas_groups **out,
                                 om_error *err)
{
    static const char *const names[] = {"libcublas.so.13", "libcublas.so.12", "libcublas.so", NULL};
    om_status status;
    int version[3] = {0};
    *out = NULL;
    om_cublas_groups *c = calloc(1, sizeof *c);
    if (c == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for cuBLAS");
    c->stream = (cudaStream_t)stream;
    OM_TRY_OUT(om__vendor_library_open(names, folder, &c->library, c->path, sizeof c->path, err));
    const struct {
        const char *name;
        void *function;
    } symbols[] = {
        {"cublasCreate_v2", &c->create},
        {"cublasDestroy_v2", &c->destroy},
        {"cublasSetStream_v2", &c->set_stream},
        {"cublasGetProperty", &c->get_property},
        {"cublasGetStatusString", &c->status_string},
        {"cublasGemmGroupedBatchedEx", &c->multiply},
    };
    for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++)
        OM_TRY_OUT(
            om__vendor_symbol(c->library, "cuBLAS", symbols[i].name, symbols[i].function, err));
    OM_TRY_OUT(check(c, c->create(&c->handle), "create", err));
    OM_TRY_OUT(check(c, c->set_stream(c->handle, c->stream), "set stream", err));
    (void)c->get_property(MAJOR_VERSION, &version[0]);
    (void)c->get_property(MINOR_VERSION, &version[1]);
    (void)c->get_property(PATCH_LEVEL, &version[2]);
    snprintf(c->words, sizeof c->words, "cublasGemmGroupedBatchedEx of cuBLAS %d.%d.%d", version[0],
             version[1], version[2]);
    *out = c;
    c = NULL;
out:
    om__cublas_groups_close(c);
    return status;
}

/* As with cuBLASLt, the library itself stays loaded. */
void om__cublas_groups_close(om_cublas_groups *c)
{
    if (c == NULL)
        return;
    if (c->handle != NULL)
        (void)c->destroy(c->handle);
    free(c);
}

const char *om__cublas_groups_words_get(const om_cublas_groups *c)
{
    return c->words;
}

om_status om__cublas_groups_check(const om_ragged_gemm_args *args, om_error *err)
{
    if (args->s == 0 || args->n == 0 || args->k == 0)
        return om__error_set(err, OM_UNSUPPORTED, "cuBLAS has no empty products");
    if (args->s > INT32_MAX || args->n > INT32_MAX || args->k > INT32_MAX)
        return om__error_set(err, OM_UNSUPPORTED, "a dimension beyond 2^31");
    return OM_OK;
}

/* Three lists of pointers. */
size_t om__cublas_groups_workspace(const om_ragged_gemm_args *args)
{
    return 3 * (size_t)args->g * sizeof(void *);
}

/* The lists of one call, all as long as there are groups. */
typedef struct lists {
    int32_t *sizes, *offsets;
    cublasOperation_t *trans_a, *trans_b;
    int *m, *n, *k, *pitch_a, *pitch_b, *pitch_c, *ones;
    float *alpha, *beta;
    const void **pointers; /* a, b and c, one list behind the other */
    int count;             /* of products */
    void *block;
} lists;

static om_status lists_make(lists *l, int64_t groups, om_error *err)
{
    size_t g = (size_t)groups, pointers = 3 * g * sizeof(void *);
    char *p = l->block = calloc(1, pointers + 13 * g * sizeof(int));
    if (p == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for %lld groups", (long long)groups);
    void *const parts[] = {&l->sizes, &l->offsets, &l->trans_a, &l->trans_b, &l->m,
                           &l->n,     &l->k,       &l->pitch_a, &l->pitch_b, &l->pitch_c,
                           &l->ones,  &l->alpha,   &l->beta};
    l->pointers = (const void **)(void *)p;
    p += pointers;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++, p += g * sizeof(int))
        *(void **)parts[i] = p;
    return OM_OK;
}

static const void *element(const void *data, int64_t at, size_t bytes)
{
    return (const char *)data + (size_t)at * bytes;
}

/* Product number i, of group g; see the forms in the header. */
static void add(lists *l, om_groups_form form, const om_ragged_gemm_args *a, int64_t g,
                size_t bytes, const void **first, const void **second, const void **result)
{
    const int64_t row = l->offsets[g], weight = g * a->n * a->k;
    const bool is_rows = form == OM_GROUPS_NT || form == OM_GROUPS_NN;
    const int i = l->count++, size = l->sizes[g];
    l->trans_a[i] = form == OM_GROUPS_NT || form == OM_GROUPS_TT ? CUBLAS_OP_T : CUBLAS_OP_N;
    l->trans_b[i] = is_rows ? CUBLAS_OP_N : CUBLAS_OP_T;
    l->m[i] = (int)(is_rows ? a->n : a->k);
    l->n[i] = is_rows ? size : (int)a->n;
    l->k[i] = is_rows ? (int)a->k : size;
    l->pitch_a[i] = (int)(form == OM_GROUPS_NN ? a->n : form == OM_GROUPS_TT ? a->s : a->k);
    l->pitch_b[i] = (int)(is_rows ? a->k : a->n);
    l->pitch_c[i] = l->m[i];
    l->ones[i] = 1;
    l->alpha[i] = 1;
    first[i] = element(a->b, is_rows ? weight : form == OM_GROUPS_TT ? row : row * a->k, bytes);
    second[i] = element(a->a, row * (is_rows ? a->k : a->n), bytes);
    result[i] = element(a->d, is_rows ? row * a->n : weight, bytes);
}

static om_status fill_lists(om_cublas_groups *c, lists *l, om_groups_form form,
                            const om_ragged_gemm_args *a, size_t bytes, om_error *err)
{
    const bool is_rows = form == OM_GROUPS_NT || form == OM_GROUPS_NN;
    const size_t list = (size_t)a->g * sizeof(int32_t), weight = (size_t)(a->n * a->k) * bytes;
    OM_TRY_CUDA(cudaMemcpyAsync(l->sizes, a->sizes, list, cudaMemcpyDeviceToHost, c->stream), err);
    OM_TRY_CUDA(cudaMemcpyAsync(l->offsets, a->offsets, list, cudaMemcpyDeviceToHost, c->stream),
                err);
    OM_TRY_CUDA(cudaStreamSynchronize(c->stream), err);
    for (int64_t g = 0; g < a->g; g++) {
        if (l->sizes[g] > 0)
            add(l, form, a, g, bytes, l->pointers, l->pointers + a->g, l->pointers + 2 * a->g);
        else if (!is_rows)
            OM_TRY_CUDA(cudaMemsetAsync((char *)a->d + (size_t)g * weight, 0, weight, c->stream),
                        err);
    }
    return OM_OK;
}

om_status om__cublas_groups_run(om_cublas_groups *c, om_groups_form form,
                                const om_ragged_gemm_args *a, void *workspace, om_error *err)
{
    const om_dtype dtype = a->dtype == OM_DTYPE_DEFAULT ? OM_BF16 : a->dtype;
    const cudaDataType_t type = dtype == OM_F32   ? CUDA_R_32F
                                : dtype == OM_F16 ? CUDA_R_16F
                                                  : CUDA_R_16BF;
    void **pointers = workspace;
    lists l = {0};
    om_status status;
    OM_TRY_OUT(lists_make(&l, a->g, err));
    OM_TRY_OUT(fill_lists(c, &l, form, a, (size_t)om_dtype_bits(dtype) / 8, err));
    if (l.count == 0)
        goto out;
    cudaError_t code = cudaMemcpyAsync(pointers, l.pointers, 3 * (size_t)a->g * sizeof(void *),
                                       cudaMemcpyHostToDevice, c->stream);
    if (code != cudaSuccess) {
        status = om__error_set(err, OM_DEVICE, "list of pointers: %s", cudaGetErrorString(code));
        goto out;
    }
    status = check(c,
                   c->multiply(c->handle, l.trans_a, l.trans_b, l.m, l.n, l.k, l.alpha,
                               (const void *const *)pointers, type, l.pitch_a,
                               (const void *const *)(pointers + a->g), type, l.pitch_b, l.beta,
                               pointers + 2 * a->g, type, l.pitch_c, l.count, l.ones,
                               CUBLAS_COMPUTE_32F),
                   "grouped product", err);
out:
    free(l.block);
    return status;
}
