/* SPDX-License-Identifier: Apache-2.0 */
/* norms_cuda_reference.cu: the plain device forms of rmsnorm and layernorm, forward and backward,
 * that faster ones are judged by.
 *
 * Shapes     as the contracts
 * Layout     nothing kept
 * Schedule   a warp a row; for the gradients of gamma and beta a thread a column
 * Numerics   as the host references: f64 throughout, the mean first and then the distances from
 *            it, one rounding at the end
 * Refuses    nothing
 * Cost       three passes over x by single elements; no workspace
 */
#include "kernels/cuda/kernel_util.cuh"

extern "C" {
#include "opmark/layernorm.h"
#include "opmark/rmsnorm.h"
}

#define WARPS   4
#define THREADS (WARPS * 32)

/* Either norm, either way; what a norm does not have is NULL. */
typedef struct norm_problem {
    int64_t m, h;
    double epsilon;
    bool is_centred, is_backward;
    const void *x, *gamma, *beta, *grad_y;
    void *y, *grad_x, *grad_gamma, *grad_beta;
    const float *mean, *rstd;
    float *to_mean, *to_rstd;
} norm_problem;

static __device__ __forceinline__ double warp_sum(double x)
{
#pragma unroll
    for (int i = 16; i > 0; i >>= 1)
        x += __shfl_xor_sync(OM_FULL_WARP, x, i);
    return x;
}

template <typename TYPE> static __device__ __forceinline__ double load(const void *x, int64_t at)
{
    return (double)om__to_f32(((const TYPE *)x)[at]);
}

template <typename TYPE>
static __global__ void __launch_bounds__(THREADS) forward_rows(norm_problem n)
{
    int64_t row = (int64_t)blockIdx.x * WARPS + (threadIdx.x >> 5);
    int lane = threadIdx.x & 31;
    double mean = 0, squares = 0;
    if (row >= n.m)
        return;
    if (n.is_centred && n.h > 0) {
        for (int64_t j = lane; j < n.h; j += 32)
            mean += load<TYPE>(n.x, row * n.h + j);
        mean = warp_sum(mean) / (double)n.h;
    }
    for (int64_t j = lane; j < n.h; j += 32) {
        double distance = load<TYPE>(n.x, row * n.h + j) - mean;
        squares += distance * distance;
    }
    squares = warp_sum(squares);
    double rstd = 1 / sqrt((n.h > 0 ? squares / (double)n.h : 0) + n.epsilon);
    for (int64_t j = lane; j < n.h; j += 32) {
        double y = (load<TYPE>(n.x, row * n.h + j) - mean) * rstd * load<TYPE>(n.gamma, j);
        if (n.beta != NULL)
            y += load<TYPE>(n.beta, j);
        om__from_f32((TYPE *)n.y + row * n.h + j, (float)y);
    }
    if (lane != 0)
        return;
    n.to_rstd[row] = (float)rstd;
    if (n.to_mean != NULL)
        n.to_mean[row] = (float)mean;
}

template <typename TYPE>
static __device__ __forceinline__ double normalised(const norm_problem &n, int64_t row, int64_t j)
{
    double mean = n.mean != NULL ? (double)n.mean[row] : 0;
    return (load<TYPE>(n.x, row * n.h + j) - mean) * (double)n.rstd[row];
}

template <typename TYPE>
static __global__ void __launch_bounds__(THREADS) backward_rows(norm_problem n)
{
    int64_t row = (int64_t)blockIdx.x * WARPS + (threadIdx.x >> 5);
    int lane = threadIdx.x & 31;
    double sum = 0, dot = 0, h = (double)n.h;
    if (row >= n.m)
        return;
    for (int64_t j = lane; j < n.h; j += 32) {
        double c = load<TYPE>(n.grad_y, row * n.h + j) * load<TYPE>(n.gamma, j);
        sum += c;
        dot += c * normalised<TYPE>(n, row, j);
    }
    sum = n.is_centred ? warp_sum(sum) : 0;
    dot = warp_sum(dot);
    for (int64_t j = lane; j < n.h; j += 32) {
        double c = load<TYPE>(n.grad_y, row * n.h + j) * load<TYPE>(n.gamma, j);
        double value = (double)n.rstd[row] * (c - sum / h - normalised<TYPE>(n, row, j) * dot / h);
        om__from_f32((TYPE *)n.grad_x + row * n.h + j, (float)value);
    }
}

template <typename TYPE>
static __global__ void __launch_bounds__(THREADS) backward_columns(norm_problem n)
{
    int64_t j = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    double gamma = 0, beta = 0;
    if (j >= n.h)
        return;
    for (int64_t row = 0; row < n.m; row++) {
        double grad = load<TYPE>(n.grad_y, row * n.h + j);
        gamma += grad * normalised<TYPE>(n, row, j);
        beta += grad;
    }
    om__from_f32((TYPE *)n.grad_gamma + j, (float)gamma);
    if (n.grad_beta != NULL)
        om__from_f32((TYPE *)n.grad_beta + j, (float)beta);
}

/* ---- host side ---- */

template <typename TYPE> static void launch(const norm_problem &n, cudaStream_t stream)
{
    unsigned rows = (unsigned)om__ceil_div(n.m, WARPS);
    unsigned columns = (unsigned)om__ceil_div(n.h, THREADS);
    if (rows > 0 && n.is_backward)
        backward_rows<TYPE><<<rows, THREADS, 0, stream>>>(n);
    else if (rows > 0)
        forward_rows<TYPE><<<rows, THREADS, 0, stream>>>(n);
    if (columns > 0 && n.is_backward)
        backward_columns<TYPE><<<columns, THREADS, 0, stream>>>(n);
}

static om_status launch_type(const norm_problem &n, om_dtype dtype, const om_kernel_env *env,
                             om_error *err)
{
    if (dtype == OM_F32)
        launch<float>(n, om__stream(env));
    else if (dtype == OM_F16)
        launch<__half>(n, om__stream(env));
    else
        launch<__nv_bfloat16>(n, om__stream(env));
    return om__cuda_launched("the norm reference", err);
}

static double epsilon_of(double epsilon)
{
    return epsilon == 0 ? 1e-5 : epsilon;
}

static om_status query(const om_kernel_env *env, const void *arguments, size_t *workspace_bytes,
                       om_error *err)
{
    (void)env, (void)arguments, (void)err;
    *workspace_bytes = 0;
    return OM_OK;
}

static om_status run_rmsnorm(const om_kernel_env *env, const void *arguments, void *workspace,
                             om_error *err)
{
    const om_rmsnorm_args *p = (const om_rmsnorm_args *)arguments;
    norm_problem n = {};
    (void)workspace;
    n.m = p->m, n.h = p->h, n.epsilon = epsilon_of(p->eps);
    n.x = p->x, n.gamma = p->gamma, n.y = p->y, n.to_rstd = p->rstd;
    return launch_type(n, p->dtype, env, err);
}

static om_status run_layernorm(const om_kernel_env *env, const void *arguments, void *workspace,
                               om_error *err)
{
    const om_layernorm_args *p = (const om_layernorm_args *)arguments;
    norm_problem n = {};
    (void)workspace;
    n.m = p->m, n.h = p->h, n.epsilon = epsilon_of(p->eps), n.is_centred = true;
    n.x = p->x, n.gamma = p->gamma, n.beta = p->beta, n.y = p->y;
    n.to_mean = p->mean, n.to_rstd = p->rstd;
    return launch_type(n, p->dtype, env, err);
}

static om_status run_rmsnorm_backward(const om_kernel_env *env, const void *arguments,
                                      void *workspace, om_error *err)
{
    const om_rmsnorm_backward_args *p = (const om_rmsnorm_backward_args *)arguments;
    norm_problem n = {};
    (void)workspace;
    n.m = p->m, n.h = p->h, n.is_backward = true;
    n.grad_y = p->grad_y, n.x = p->x, n.gamma = p->gamma, n.rstd = p->rstd;
    n.grad_x = p->grad_x, n.grad_gamma = p->grad_gamma;
    return launch_type(n, p->dtype, env, err);
}

static om_status run_layernorm_backward(const om_kernel_env *env, const void *arguments,
                                        void *workspace, om_error *err)
{
    const om_layernorm_backward_args *p = (const om_layernorm_backward_args *)arguments;
    norm_problem n = {};
    (void)workspace;
    n.m = p->m, n.h = p->h, n.is_centred = n.is_backward = true;
    n.grad_y = p->grad_y, n.x = p->x, n.gamma = p->gamma, n.mean = p->mean, n.rstd = p->rstd;
    n.grad_x = p->grad_x, n.grad_gamma = p->grad_gamma, n.grad_beta = p->grad_beta;
    return launch_type(n, p->dtype, env, err);
}

#define NORM_REFERENCE(kernel, op, pass, run)                                                      \
    extern const om_kernel kernel;                                                                 \
    const om_kernel kernel = {#kernel, op, pass, OM_ISA_DEFAULT, 1, query, run}

extern "C" {
NORM_REFERENCE(om_rmsnorm_cuda_any__reference, "rmsnorm", "forward", run_rmsnorm);
NORM_REFERENCE(om_rmsnorm_backward_cuda_any__reference, "rmsnorm", "backward",
               run_rmsnorm_backward);
NORM_REFERENCE(om_layernorm_cuda_any__reference, "layernorm", "forward", run_layernorm);
NORM_REFERENCE(om_layernorm_backward_cuda_any__reference, "layernorm", "backward",
               run_layernorm_backward);
}
