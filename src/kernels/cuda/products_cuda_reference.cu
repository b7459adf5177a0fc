/* SPDX-License-Identifier: Apache-2.0 */
/* products_cuda_reference.cu: the plain device form of every matrix product that faster ones are
 * judged by: dense, batched, grouped by equal or by drawn sizes, and fp8 with scales.
 *
 * Shapes     as the contracts; all of them are a list of products with operands of any two strides
 * Layout     tiles of 16x16 outputs, 16 of k at a time through shared memory as f32
 * Schedule   one thread an output
 * Numerics   fp8 operands times their scales rounded to f32, sums in f64, one rounding at the end
 * Refuses    nothing
 * Cost       2 loads and 1 f64 fma a product; no workspace
 */
#include <cuda_fp8.h>

#include "kernels/cuda/kernel_util.cuh"

extern "C" {
#include "opmark/bmm.h"
#include "opmark/bmm_fp8.h"
#include "opmark/gemm.h"
#include "opmark/gemm_fp8.h"
#include "opmark/grouped_gemm.h"
#include "opmark/ragged_gemm.h"
}

#define TILE 16

/* Element (i, j) of product number p is data[p · product + i · row + j · column]. */
typedef struct matrix {
    const void *data;
    int64_t product, row, column;
} matrix;

/* What of a product the sizes of its group decide. */
typedef enum ragged { EQUAL, ROWS, DEPTH } ragged;

typedef struct products {
    int64_t count, m, n, k;
    matrix a; /* [m][k] */
    matrix b; /* [k][n] */
    void *d;  /* packed [m][n] each, or rows of one tensor for ROWS */
    om_dtype type, out;
    ragged kind;
    const int32_t *sizes, *offsets; /* of the rows (ROWS) or of k (DEPTH) of each product */
    const float *scale_a, *scale_b; /* fp8: one, or one for each row and 128 of k */
    int64_t scale_blocks;           /* blocks of a row; 0: one scale for all */
    const __nv_bfloat16 *bias;      /* [n], or NULL */
} products;

static __device__ __forceinline__ float to_f32(float x)
{
    return x;
}
static __device__ __forceinline__ float to_f32(__nv_bfloat16 x)
{
    return __bfloat162float(x);
}
static __device__ __forceinline__ float to_f32(__half x)
{
    return __half2float(x);
}
static __device__ __forceinline__ float to_f32(__nv_fp8_e4m3 x)
{
    return (float)x;
}

template <typename TYPE>
static __device__ __forceinline__ float element(const products &p, const matrix &x,
                                                const float *scales, int64_t product, int64_t i,
                                                int64_t j, int64_t outer, int64_t depth)
{
    float value = to_f32(((const TYPE *)x.data)[product * x.product + i * x.row + j * x.column]);
    if (scales == NULL)
        return value;
    return value * (p.scale_blocks > 0 ? scales[outer * p.scale_blocks + depth / 128] : scales[0]);
}

template <typename TYPE, typename OUT>
static __global__ void __launch_bounds__(TILE *TILE)
    multiply(products p, int64_t tiles_n, int64_t tiles)
{
    __shared__ float a[TILE][TILE + 1], b[TILE][TILE + 1];
    const int x = threadIdx.x % TILE, y = threadIdx.x / TILE;
    for (int64_t tile = blockIdx.x; tile < tiles * p.count; tile += gridDim.x) {
        const int64_t product = tile / tiles, in_product = tile % tiles;
        const int64_t i0 = in_product / tiles_n * TILE, j0 = in_product % tiles_n * TILE;
        const int64_t first = p.kind == EQUAL ? 0 : p.offsets[product];
        const int64_t m = p.kind == ROWS ? p.sizes[product] : p.m;
        const int64_t k = p.kind == DEPTH ? p.sizes[product] : p.k;
        const int64_t row = p.kind == ROWS ? first : 0, depth = p.kind == DEPTH ? first : 0;
        double sum = 0;
        if (i0 >= m)
            continue; /* the same for all threads */
        for (int64_t k0 = 0; k0 < k; k0 += TILE) {
            const bool a_inside = i0 + y < m && k0 + x < k, b_inside = k0 + y < k && j0 + x < p.n;
            a[y][x] = a_inside ? element<TYPE>(p, p.a, p.scale_a, product, row + i0 + y,
                                               depth + k0 + x, i0 + y, k0 + x)
                               : 0.0f;
            b[y][x] = b_inside ? element<TYPE>(p, p.b, p.scale_b, product, depth + k0 + y, j0 + x,
                                               j0 + x, k0 + y)
                               : 0.0f;
            __syncthreads();
            const int count = (int)(k - k0 < TILE ? k - k0 : TILE);
            for (int q = 0; q < count; q++)
                sum += (double)a[y][q] * (double)b[q][x];
            __syncthreads();
        }
        if (i0 + y >= m || j0 + x >= p.n)
            continue;
        if (p.bias != NULL)
            sum += (double)__bfloat162float(p.bias[j0 + x]);
        const int64_t at = ((p.kind == ROWS ? row : product * p.m) + i0 + y) * p.n + j0 + x;
        om__from_f32((OUT *)p.d + at, (float)sum);
    }
}

/* ---- host side ---- */

template <typename TYPE, typename OUT> static void launch(const products &p, cudaStream_t stream)
{
    int64_t tiles_n = om__ceil_div(p.n, TILE), tiles = om__ceil_div(p.m, TILE) * tiles_n;
    int64_t blocks = om__min_i64(tiles * p.count, 1 << 16);
    if (blocks > 0)
        multiply<TYPE, OUT><<<(unsigned)blocks, TILE * TILE, 0, stream>>>(p, tiles_n, tiles);
}

static om_dtype type_or(om_dtype type, om_dtype standard)
{
    return type == OM_DTYPE_DEFAULT ? standard : type;
}

static om_status launch_type(products p, const om_kernel_env *env, om_error *err)
{
    p.type = type_or(p.type, OM_BF16);
    p.out = type_or(p.out, p.type == OM_E4M3 ? OM_BF16 : p.type);
    if (p.type == OM_E4M3 && p.out == OM_F16)
        launch<__nv_fp8_e4m3, __half>(p, om__stream(env));
    else if (p.type == OM_E4M3)
        launch<__nv_fp8_e4m3, __nv_bfloat16>(p, om__stream(env));
    else if (p.type == OM_F32)
        launch<float, float>(p, om__stream(env));
    else if (p.type == OM_F16)
        launch<__half, __half>(p, om__stream(env));
    else
        launch<__nv_bfloat16, __nv_bfloat16>(p, om__stream(env));
    return om__cuda_launched("the product reference", err);
}

/* `count` packed products; an operand that is stored with its axes exchanged is marked. */
static products plain(int64_t count, int64_t m, int64_t n, int64_t k, om_dtype type, const void *a,
                      bool trans_a, const void *b, bool trans_b, void *d)
{
    products p = {};
    p.count = count, p.m = m, p.n = n, p.k = k, p.type = type;
    p.a.data = a, p.a.product = m * k, p.a.row = trans_a ? 1 : k, p.a.column = trans_a ? m : 1;
    p.b.data = b, p.b.product = n * k, p.b.row = trans_b ? 1 : n, p.b.column = trans_b ? k : 1;
    p.d = d;
    return p;
}

static om_status query(const om_kernel_env *env, const void *arguments, size_t *workspace_bytes,
                       om_error *err)
{
    (void)env, (void)arguments, (void)err;
    *workspace_bytes = 0;
    return OM_OK;
}

#define RUN(name)                                                                                  \
    static om_status name(const om_kernel_env *env, const void *arguments, void *workspace,        \
                          om_error *err)

RUN(run_gemm)
{
    const om_gemm_args *g = (const om_gemm_args *)arguments;
    (void)workspace;
    return launch_type(
        plain(1, g->m, g->n, g->k, g->dtype, g->a, g->trans_a != 0, g->b, g->trans_b != 0, g->d),
        env, err);
}

/* grad_a = grad_out · b with b stored [N,K]; grad_b = grad_outᵀ · a. */
static om_status run_gradients(int64_t count, const om_gemm_backward_args *g,
                               const om_kernel_env *env, om_error *err)
{
    OM_TRY(launch_type(
        plain(count, g->m, g->k, g->n, g->dtype, g->grad_out, false, g->b, false, g->grad_a), env,
        err));
    return launch_type(
        plain(count, g->n, g->k, g->m, g->dtype, g->grad_out, true, g->a, false, g->grad_b), env,
        err);
}

RUN(run_gemm_backward)
{
    (void)workspace;
    return run_gradients(1, (const om_gemm_backward_args *)arguments, env, err);
}

RUN(run_bmm)
{
    const om_bmm_args *g = (const om_bmm_args *)arguments;
    (void)workspace;
    return launch_type(plain(g->batch, g->m, g->n, g->k, g->dtype, g->a, false, g->b, false, g->d),
                       env, err);
}

RUN(run_grouped_gemm)
{
    const om_grouped_gemm_args *g = (const om_grouped_gemm_args *)arguments;
    (void)workspace;
    return launch_type(plain(g->g, g->m, g->n, g->k, g->dtype, g->a, false, g->b, true, g->d), env,
                       err);
}

RUN(run_grouped_gemm_backward)
{
    const om_grouped_gemm_backward_args *g = (const om_grouped_gemm_backward_args *)arguments;
    om_gemm_backward_args one = {};
    (void)workspace;
    one.m = g->m, one.n = g->n, one.k = g->k, one.dtype = g->dtype;
    one.grad_out = g->grad_out, one.a = g->a, one.b = g->b;
    one.grad_a = g->grad_a, one.grad_b = g->grad_b;
    return run_gradients(g->g, &one, env, err);
}

RUN(run_gemm_fp8)
{
    const om_gemm_fp8_args *g = (const om_gemm_fp8_args *)arguments;
    products p = plain(1, g->m, g->n, g->k, OM_E4M3, g->a, false, g->b, true, g->d);
    (void)workspace;
    p.out = g->out_dtype;
    p.scale_a = g->scale_a, p.scale_b = g->scale_b;
    p.scale_blocks = g->scale_mode == OM_SCALE_BLOCK128 ? om__ceil_div(g->k, 128) : 0;
    p.bias = g->has_bias ? (const __nv_bfloat16 *)g->bias : NULL;
    return launch_type(p, env, err);
}

static om_status run_bmm_fp8(const om_bmm_fp8_args *g, bool trans_b, const om_kernel_env *env,
                             om_error *err)
{
    products p = plain(g->batch, g->m, g->n, g->k, OM_E4M3, g->a, false, g->b, trans_b, g->d);
    p.out = g->out_dtype;
    p.scale_a = g->scale_a, p.scale_b = g->scale_b;
    return launch_type(p, env, err);
}

RUN(run_bmm_fp8_nk)
{
    (void)workspace;
    return run_bmm_fp8((const om_bmm_fp8_args *)arguments, true, env, err);
}

RUN(run_bmm_fp8_kn)
{
    (void)workspace;
    return run_bmm_fp8((const om_bmm_fp8_args *)arguments, false, env, err);
}

/* Rows of a and d are shared by the groups; each has a weight of its own. */
static om_status run_rows(const om_ragged_gemm_args *g, bool trans_b, const om_kernel_env *env,
                          om_error *err)
{
    products p = plain(g->g, g->s, g->n, g->k, g->dtype, g->a, false, g->b, trans_b, g->d);
    p.kind = ROWS;
    p.sizes = g->sizes, p.offsets = g->offsets;
    p.a.product = 0;
    return launch_type(p, env, err);
}

/* d[g] is [N,K]: the transposed rows of a times the rows of b, which lie [S,K] or [K,S]. */
static om_status run_depth(const om_ragged_gemm_args *g, bool trans_b, const om_kernel_env *env,
                           om_error *err)
{
    products p = plain(g->g, g->n, g->k, g->s, g->dtype, g->a, true, g->b, trans_b, g->d);
    p.kind = DEPTH;
    p.sizes = g->sizes, p.offsets = g->offsets;
    p.a.product = p.b.product = 0;
    return launch_type(p, env, err);
}

RUN(run_rows_nt)
{
    (void)workspace;
    return run_rows((const om_ragged_gemm_args *)arguments, true, env, err);
}

RUN(run_rows_nn)
{
    (void)workspace;
    return run_rows((const om_ragged_gemm_args *)arguments, false, env, err);
}

RUN(run_depth_tn)
{
    (void)workspace;
    return run_depth((const om_ragged_gemm_args *)arguments, false, env, err);
}

RUN(run_depth_tt)
{
    (void)workspace;
    return run_depth((const om_ragged_gemm_args *)arguments, true, env, err);
}

#define PRODUCT_REFERENCE(kernel, op, pass, run)                                                   \
    extern const om_kernel kernel;                                                                 \
    const om_kernel kernel = {#kernel, op, pass, OM_ISA_DEFAULT, 1, query, run}

extern "C" {
PRODUCT_REFERENCE(om_gemm_cuda_any__reference, "gemm", "forward", run_gemm);
PRODUCT_REFERENCE(om_gemm_backward_cuda_any__reference, "gemm", "backward", run_gemm_backward);
PRODUCT_REFERENCE(om_bmm_cuda_any__reference, "bmm", "forward", run_bmm);
PRODUCT_REFERENCE(om_grouped_gemm_cuda_any__reference, "grouped_gemm", "forward", run_grouped_gemm);
PRODUCT_REFERENCE(om_grouped_gemm_backward_cuda_any__reference, "grouped_gemm", "backward",
                  run_grouped_gemm_backward);
PRODUCT_REFERENCE(om_gemm_fp8_cuda_e4m3__reference, "gemm_fp8", "forward", run_gemm_fp8);
PRODUCT_REFERENCE(om_bmm_fp8_nk_cuda_e4m3__reference, "bmm_fp8_nk", "forward", run_bmm_fp8_nk);
PRODUCT_REFERENCE(om_bmm_fp8_kn_cuda_e4m3__reference, "bmm_fp8_kn", "forward", run_bmm_fp8_kn);
PRODUCT_REFERENCE(om_grouped_gemm_nt_cuda_any__reference, "grouped_gemm_nt", "forward",
                  run_rows_nt);
PRODUCT_REFERENCE(om_grouped_gemm_nn_cuda_any__reference, "grouped_gemm_nn", "forward",
                  run_rows_nn);
PRODUCT_REFERENCE(om_grouped_gemm_tn_cuda_any__reference, "grouped_gemm_tn", "forward",
                  run_depth_tn);
PRODUCT_REFERENCE(om_grouped_gemm_tt_cuda_any__reference, "grouped_gemm_tt", "forward",
                  run_depth_tt);
PRODUCT_REFERENCE(om_moe_grouped_gemm_cuda_any__reference, "moe_grouped_gemm", "forward",
                  run_rows_nt);
}
