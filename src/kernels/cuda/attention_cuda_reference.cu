/* SPDX-License-Identifier: Apache-2.0 */
/* attention_cuda_reference.cu: the plain device forms of attention, forward and backward, that
 * faster ones are judged by.
 *
 * Shapes     as the contracts
 * Layout     nothing kept
 * Schedule   a warp a row of o or grad_q, and a warp a row of grad_k and grad_v; each walks over
 *            its keys or queries one after the other, with D spread over the lanes
 * Numerics   as the host references: f64 throughout, exponentials too, one rounding at the end;
 *            keys in order, sums scaled down when a score exceeds all before it
 * Refuses    D above 512
 * Cost       every score three times for a backward pass; no workspace
 */
#include <math_constants.h>

#include "kernels/cuda/kernel_util.cuh"

extern "C" {
#include "opmark/attention.h"
}

#define WARPS 4

typedef struct attend {
    int64_t b, s, hq, hkv, d, heads; /* heads: query heads of a key head */
    int causal;
    double scale;
    const void *q, *k, *v, *o, *grad_o;
    void *to_o, *grad_q, *grad_k, *grad_v;
    const float *lse;
    float *to_lse;
} attend;

/* A row of D values over the lanes of a warp: lane l has l, l + 32, and so on. */
template <typename TYPE, int N>
static __device__ __forceinline__ void load_row(const void *x, int64_t row, int64_t d, double *to)
{
#pragma unroll
    for (int i = 0; i < N; i++) {
        int64_t at = (threadIdx.x & 31) + 32 * i;
        to[i] = at < d ? (double)om__to_f32(((const TYPE *)x)[row * d + at]) : 0.0;
    }
}

template <typename TYPE, int N>
static __device__ __forceinline__ void store_row(void *x, int64_t row, int64_t d, const double *v,
                                                 double factor)
{
#pragma unroll
    for (int i = 0; i < N; i++) {
        int64_t at = (threadIdx.x & 31) + 32 * i;
        if (at < d)
            om__from_f32((TYPE *)x + row * d + at, (float)(v[i] * factor));
    }
}

static __device__ __forceinline__ double warp_sum(double x)
{
#pragma unroll
    for (int i = 16; i > 0; i >>= 1)
        x += __shfl_xor_sync(OM_FULL_WARP, x, i);
    return x;
}

/* The dot product of a row in registers with one in memory. */
template <typename TYPE, int N>
static __device__ __forceinline__ double dot_row(const double *a, const void *x, int64_t row,
                                                 int64_t d)
{
    double b[N], sum = 0;
    load_row<TYPE, N>(x, row, d, b);
#pragma unroll
    for (int i = 0; i < N; i++)
        sum += a[i] * b[i];
    return warp_sum(sum);
}

template <int N> static __device__ __forceinline__ void clear(double *x)
{
#pragma unroll
    for (int i = 0; i < N; i++)
        x[i] = 0;
}

static __device__ __forceinline__ int64_t warp_number(void)
{
    return (int64_t)blockIdx.x * WARPS + (threadIdx.x >> 5);
}

template <typename TYPE, int N>
static __global__ void __launch_bounds__(WARPS * 32) forward_rows(attend a)
{
    int64_t row = warp_number(); /* ((b · S) + s) · Hq + h */
    if (row >= a.b * a.s * a.hq)
        return;
    int64_t h = row % a.hq, s = row / a.hq % a.s, b = row / a.hq / a.s;
    int64_t visible = a.causal ? s + 1 : a.s;
    double q[N], sums[N], top = -CUDART_INF, total = 0;
    load_row<TYPE, N>(a.q, row, a.d, q);
    clear<N>(sums);
    for (int64_t n = 0; n < visible; n++) {
        int64_t key = (b * a.s + n) * a.hkv + h / a.heads;
        double score = a.scale * dot_row<TYPE, N>(q, a.k, key, a.d), value[N];
        if (score > top) {
            double shrink = exp(top - score);
            total *= shrink;
#pragma unroll
            for (int i = 0; i < N; i++)
                sums[i] *= shrink;
            top = score;
        }
        double p = exp(score - top);
        total += p;
        load_row<TYPE, N>(a.v, key, a.d, value);
#pragma unroll
        for (int i = 0; i < N; i++)
            sums[i] += p * value[i];
    }
#pragma unroll
    for (int i = 0; i < N; i++)
        sums[i] /= total;
    store_row<TYPE, N>(a.to_o, row, a.d, sums, 1.0);
    if ((threadIdx.x & 31) == 0)
        a.to_lse[(b * a.hq + h) * a.s + s] = (float)(top + log(total));
}

/* The probability of a key for a query row, and the gradient of its score. */
template <typename TYPE, int N>
static __device__ __forceinline__ double probability(const attend &a, const double *q,
                                                     const double *grad, double delta, double lse,
                                                     int64_t key, double *gradient)
{
    double p = exp(a.scale * dot_row<TYPE, N>(q, a.k, key, a.d) - lse);
    *gradient = p * (dot_row<TYPE, N>(grad, a.v, key, a.d) - delta);
    return p;
}

template <typename TYPE, int N>
static __global__ void __launch_bounds__(WARPS * 32) query_gradients(attend a)
{
    int64_t row = warp_number();
    if (row >= a.b * a.s * a.hq)
        return;
    int64_t h = row % a.hq, s = row / a.hq % a.s, b = row / a.hq / a.s;
    int64_t visible = a.causal ? s + 1 : a.s;
    double q[N], grad[N], sums[N], k[N], gradient;
    load_row<TYPE, N>(a.q, row, a.d, q);
    load_row<TYPE, N>(a.grad_o, row, a.d, grad);
    clear<N>(sums);
    double delta = dot_row<TYPE, N>(grad, a.o, row, a.d);
    double lse = (double)a.lse[(b * a.hq + h) * a.s + s];
    for (int64_t n = 0; n < visible; n++) {
        int64_t key = (b * a.s + n) * a.hkv + h / a.heads;
        probability<TYPE, N>(a, q, grad, delta, lse, key, &gradient);
        load_row<TYPE, N>(a.k, key, a.d, k);
#pragma unroll
        for (int i = 0; i < N; i++)
            sums[i] += gradient * k[i];
    }
    store_row<TYPE, N>(a.grad_q, row, a.d, sums, a.scale);
}

template <typename TYPE, int N>
static __global__ void __launch_bounds__(WARPS * 32) key_gradients(attend a)
{
    int64_t key = warp_number(); /* ((b · S) + n) · Hkv + kv */
    if (key >= a.b * a.s * a.hkv)
        return;
    int64_t kv = key % a.hkv, n = key / a.hkv % a.s, b = key / a.hkv / a.s;
    double k_sums[N], v_sums[N], q[N], grad[N], gradient;
    clear<N>(k_sums);
    clear<N>(v_sums);
    for (int64_t s = a.causal ? n : 0; s < a.s; s++) {
        for (int64_t h = kv * a.heads; h < (kv + 1) * a.heads; h++) {
            int64_t row = (b * a.s + s) * a.hq + h;
            load_row<TYPE, N>(a.q, row, a.d, q);
            load_row<TYPE, N>(a.grad_o, row, a.d, grad);
            double delta = dot_row<TYPE, N>(grad, a.o, row, a.d);
            double lse = (double)a.lse[(b * a.hq + h) * a.s + s];
            double p = probability<TYPE, N>(a, q, grad, delta, lse, key, &gradient);
#pragma unroll
            for (int i = 0; i < N; i++) {
                k_sums[i] += gradient * q[i];
                v_sums[i] += p * grad[i];
            }
        }
    }
    store_row<TYPE, N>(a.grad_k, key, a.d, k_sums, a.scale);
    store_row<TYPE, N>(a.grad_v, key, a.d, v_sums, 1.0);
}

/* ---- host side ---- */

template <typename TYPE, int N>
static void launch(const attend &a, bool is_backward, cudaStream_t stream)
{
    unsigned rows = (unsigned)om__ceil_div(a.b * a.s * a.hq, WARPS);
    unsigned keys = (unsigned)om__ceil_div(a.b * a.s * a.hkv, WARPS);
    if (is_backward) {
        query_gradients<TYPE, N><<<rows, WARPS * 32, 0, stream>>>(a);
        key_gradients<TYPE, N><<<keys, WARPS * 32, 0, stream>>>(a);
    } else {
        forward_rows<TYPE, N><<<rows, WARPS * 32, 0, stream>>>(a);
    }
}

template <typename TYPE>
static void launch_width(const attend &a, bool is_backward, cudaStream_t stream)
{
    if (a.d <= 128)
        launch<TYPE, 4>(a, is_backward, stream);
    else if (a.d <= 256)
        launch<TYPE, 8>(a, is_backward, stream);
    else
        launch<TYPE, 16>(a, is_backward, stream);
}

static om_status launch_type(attend a, om_dtype dtype, bool is_backward, const om_kernel_env *env,
                             om_error *err)
{
    a.b = a.b != 0 ? a.b : 1;
    a.hkv = a.hkv != 0 ? a.hkv : a.hq;
    a.heads = a.hq / a.hkv;
    a.scale = a.scale != 0 ? a.scale : 1 / sqrt((double)a.d);
    if (a.s == 0)
        return OM_OK;
    if (dtype == OM_F32)
        launch_width<float>(a, is_backward, om__stream(env));
    else if (dtype == OM_F16)
        launch_width<__half>(a, is_backward, om__stream(env));
    else
        launch_width<__nv_bfloat16>(a, is_backward, om__stream(env));
    return om__cuda_launched("the attention reference", err);
}

static om_status query_width(int64_t d, size_t *workspace_bytes, om_error *err)
{
    *workspace_bytes = 0;
    if (d > 512)
        return om__error_set(err, OM_UNSUPPORTED, "the attention reference takes D up to 512");
    return OM_OK;
}

static om_status query_forward(const om_kernel_env *env, const void *arguments,
                               size_t *workspace_bytes, om_error *err)
{
    (void)env;
    return query_width(((const om_attention_args *)arguments)->d, workspace_bytes, err);
}

static om_status query_backward(const om_kernel_env *env, const void *arguments,
                                size_t *workspace_bytes, om_error *err)
{
    (void)env;
    return query_width(((const om_attention_backward_args *)arguments)->d, workspace_bytes, err);
}

static om_status run_forward(const om_kernel_env *env, const void *arguments, void *workspace,
                             om_error *err)
{
    const om_attention_args *p = (const om_attention_args *)arguments;
    attend a = {};
    (void)workspace;
    a.b = p->b, a.s = p->s, a.hq = p->hq, a.hkv = p->hkv, a.d = p->d;
    a.causal = p->causal, a.scale = p->scale;
    a.q = p->q, a.k = p->k, a.v = p->v;
    a.to_o = p->o, a.to_lse = p->lse;
    return launch_type(a, p->dtype, false, env, err);
}

static om_status run_backward(const om_kernel_env *env, const void *arguments, void *workspace,
                              om_error *err)
{
    const om_attention_backward_args *p = (const om_attention_backward_args *)arguments;
    attend a = {};
    (void)workspace;
    a.b = p->b, a.s = p->s, a.hq = p->hq, a.hkv = p->hkv, a.d = p->d;
    a.causal = p->causal, a.scale = p->scale;
    a.q = p->q, a.k = p->k, a.v = p->v, a.o = p->o, a.grad_o = p->grad_o, a.lse = p->lse;
    a.grad_q = p->grad_q, a.grad_k = p->grad_k, a.grad_v = p->grad_v;
    return launch_type(a, p->dtype, true, env, err);
}

extern "C" {
extern const om_kernel om_attention_cuda_any__reference;
const om_kernel om_attention_cuda_any__reference = {
    "om_attention_cuda_any__reference",
    "attention",
    "forward",
    OM_ISA_DEFAULT,
    1,
    query_forward,
    run_forward,
};
extern const om_kernel om_attention_backward_cuda_any__reference;
const om_kernel om_attention_backward_cuda_any__reference = {
    "om_attention_backward_cuda_any__reference",
    "attention",
    "backward",
    OM_ISA_DEFAULT,
    1,
    query_backward,
    run_backward,
};
}
