/* SPDX-License-Identifier: Apache-2.0 */
/* gemm.c: the contract of gemm: d[M,N] = a · b. */
#include "opmark/gemm.h"

#include <stdlib.h>

#include "base/error.h"
#include "core/convert.h"
#include "ops/op.h"
#include "ops/tolerance.h"

enum { A, B, D, PORTS };

static const om_field fields[] = {
    {"m", OM_FIELD_INT, offsetof(om_gemm_args, m), NULL, NULL, 0, 0, "rows of d"},
    {"n", OM_FIELD_INT, offsetof(om_gemm_args, n), NULL, NULL, 0, 0, "columns of d"},
    {"k", OM_FIELD_INT, offsetof(om_gemm_args, k), NULL, NULL, 0, 0, "contraction length"},
    {"dtype", OM_FIELD_DTYPE, offsetof(om_gemm_args, dtype), "bf16", NULL, 0, 0,
     "type of a, b and d: bf16, fp16 or f32"},
    {"trans_a", OM_FIELD_FLAG, offsetof(om_gemm_args, trans_a), "0", NULL, 0, 0,
     "1: a is stored [K,M]"},
    {"trans_b", OM_FIELD_FLAG, offsetof(om_gemm_args, trans_b), "0", NULL, 0, 0,
     "1: b is stored [N,K]"},
};

static const om_port ports[PORTS] = {
    [A] = {.name = "a", .offset = offsetof(om_gemm_args, a), .role = OM_PORT_IN},
    [B] = {.name = "b",
           .offset = offsetof(om_gemm_args, b),
           .role = OM_PORT_IN,
           .timed_as_weight = true},
    [D] = {.name = "d", .offset = offsetof(om_gemm_args, d), .role = OM_PORT_OUT},
};

static om_status check(const void *opaque, om_error *err)
{
    const om_gemm_args *args = opaque;
    if (args->dtype != OM_BF16 && args->dtype != OM_F16 && args->dtype != OM_F32)
        return om__error_set(err, OM_INVALID, "dtype=%s: one of bf16, fp16, f32",
                             om_dtype_name(args->dtype));
    return OM_OK;
}

static om_status describe(const void *opaque, om_tensor *tensors, om_error *err)
{
    const om_gemm_args *args = opaque;
    int64_t a[2] = {args->trans_a ? args->k : args->m, args->trans_a ? args->m : args->k};
    int64_t b[2] = {args->trans_b ? args->n : args->k, args->trans_b ? args->k : args->n};
    int64_t d[2] = {args->m, args->n};
    OM_TRY(om_tensor_init(&tensors[A], args->dtype, 2, a, err));
    OM_TRY(om_tensor_init(&tensors[B], args->dtype, 2, b, err));
    return om_tensor_init(&tensors[D], args->dtype, 2, d, err);
}

static void fill(const void *opaque, size_t port, om_fill *out)
{
    (void)opaque;
    (void)port;
    *out = (om_fill){.kind = OM_FILL_NORMAL, .scale = 1};
}

static om_work work(const void *opaque, const om_tensor *tensors)
{
    const om_gemm_args *args = opaque;
    (void)tensors;
    double m = (double)args->m, n = (double)args->n, k = (double)args->k;
    double element = om_dtype_bits(args->dtype) / 8.0;
    return (om_work){.flops = 2 * m * n * k, .bytes = (m * k + n * k + m * n) * element};
}

static om_tolerance tolerance(const void *opaque, size_t port)
{
    const om_gemm_args *args = opaque;
    (void)port;
    return om__tolerance_rounded(args->dtype);
}

/* b as f32 [K,N], so that a row of d is a sum of rows of b. */
static float *widen_b(const om_gemm_args *args)
{
    int64_t k = args->k, n = args->n;
    float *wide = malloc((size_t)(k * n + 1) * sizeof *wide);
    if (wide == NULL)
        return NULL;
#pragma omp parallel for schedule(static)
    for (int64_t row = 0; row < k; row++)
        for (int64_t column = 0; column < n; column++) {
            int64_t at = args->trans_b ? column * k + row : row * n + column;
            wide[row * n + column] = (float)om__load_f64(args->b, args->dtype, at);
        }
    return wide;
}

static void reference_row(const om_gemm_args *args, const float *b, int64_t row, double *sums)
{
    for (int64_t j = 0; j < args->n; j++)
        sums[j] = 0;
    for (int64_t i = 0; i < args->k; i++) {
        int64_t at = args->trans_a ? i * args->m + row : row * args->k + i;
        double a = om__load_f64(args->a, args->dtype, at);
        const float *b_row = b + i * args->n;
        for (int64_t j = 0; j < args->n; j++)
            sums[j] += a * (double)b_row[j];
    }
    for (int64_t j = 0; j < args->n; j++)
        om__store_f64(args->d, args->dtype, row * args->n + j, sums[j]);
}

static om_status reference(const void *opaque, const om_rows *rows, om_error *err)
{
    const om_gemm_args *args = opaque;
    const om_rows *picked = rows != NULL && rows[D].index != NULL ? &rows[D] : NULL;
    int64_t count = picked != NULL ? picked->count : args->m;
    bool no_memory = false;
    float *b = widen_b(args);
    if (b == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for the reference of gemm");
#pragma omp parallel
    {
        double *sums = malloc((size_t)(args->n + 1) * sizeof *sums);
        if (sums == NULL) {
#pragma omp atomic write
            no_memory = true;
        }
#pragma omp for schedule(dynamic)
        for (int64_t i = 0; i < count; i++)
            if (sums != NULL)
                reference_row(args, b, picked != NULL ? picked->index[i] : i, sums);
        free(sums);
    }
    free(b);
    if (no_memory)
        return om__error_set(err, OM_NO_MEMORY, "no memory for the reference of gemm");
    return OM_OK;
}

const om_op om_op_gemm = {
    .name = "gemm",
    .pass = "forward",
    .summary = "dense matrix product, bf16, fp16 or f32, four storage layouts",
    .args_size = sizeof(om_gemm_args),
    .fields = fields,
    .field_count = sizeof fields / sizeof *fields,
    .ports = ports,
    .port_count = PORTS,
    .dtype_field = "dtype",
    .check = check,
    .describe = describe,
    .fill = fill,
    .work = work,
    .tolerance = tolerance,
    .reference = reference,
};
