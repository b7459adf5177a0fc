/* SPDX-License-Identifier: Apache-2.0 */
/* moe_topk_sm90.cu: the K best experts of every token, one warp a token.
 *
 * Shapes     gating[T,E] bf16, fp16 or f32, optional bias[E] f32 -> weights[T,K] f32, ids[T,K]
 *            i32; E <= 512, any K and T
 * Layout     expert 128c + 4l + j lies in lane l's register 4c + j: 8-byte loads, whole lines a
 *            warp
 * Schedule   packed: a 16-bit logit as a monotone integer above the inverted expert number makes
 *            one 32-bit key, so a round is one warp maximum; for K = 8 each lane sorts its keys
 *            first and only shifts them afterwards. wide (f32 logits, or a bias): two reductions
 *            a round. 4 warps a block, 16 where tokens abound
 * Numerics   order exact on the logits (packed) or on score + bias in f32; softmax and sigmoid
 *            within 2^-20; one order of summation, the same bits on every run
 * Refuses    E > 512; packed: f32 logits, a bias
 * Cost       2TE(1+K) flop; 2TE + 8TK bytes; no shared memory, no workspace
 */
#include "kernels/cuda/kernel_util.cuh"

extern "C" {
#include "opmark/moe_topk.h"
}

#define TOPK_MAX_EXPERTS 512
#define LOG2_E           1.44269504088896341f

typedef struct topk_problem {
    const void *gating;
    const float *bias;
    float *weights;
    int32_t *ids;
    int64_t tokens;
    int experts;
    int k;
    int softmax;
    int renormalize;
    int vector; /* rows can be read 4 elements at a time */
    float factor;
} topk_problem;

/* ---- keys ---- */

/* The float of a 16-bit key as make_keys builds it. */
static __device__ __forceinline__ uint32_t bits16(uint32_t key)
{
    return key & 0x8000u ? key ^ 0x8000u : key ^ 0xffffu;
}

/* The same for f32; NaN is 1 and leaves 0 for "taken". */
static __device__ __forceinline__ uint32_t key32(float value)
{
    uint32_t bits = __float_as_uint(value + 0.0f);
    uint32_t key = bits ^ ((uint32_t)((int32_t)bits >> 31) | 0x80000000u);
    return value == value ? key : 1u;
}

template <bool F16> static __device__ __forceinline__ float value16(uint32_t bits)
{
    if (F16)
        return __half2float(__ushort_as_half((unsigned short)bits));
    return __uint_as_float(bits << 16);
}

static __device__ __forceinline__ float sigmoid_fast(float x)
{
    return __fdividef(1.0f, 1.0f + om__exp2_approx(-LOG2_E * x));
}

/* ---- sorting a lane's keys, largest first ---- */

static __device__ __forceinline__ void order(uint32_t *v, int a, int b)
{
    uint32_t high = max(v[a], v[b]);
    v[b] = min(v[a], v[b]);
    v[a] = high;
}

static __device__ __forceinline__ void sort4(uint32_t *v)
{
    order(v, 0, 1), order(v, 2, 3), order(v, 0, 2), order(v, 1, 3), order(v, 1, 2);
}

static __device__ __forceinline__ void sort8(uint32_t *v)
{
    sort4(v);
    sort4(v + 4);
    order(v, 0, 4), order(v, 1, 5), order(v, 2, 6), order(v, 3, 7);
    order(v, 2, 4), order(v, 3, 5);
    order(v, 1, 2), order(v, 3, 4), order(v, 5, 6);
}

/* v[0..7] holds a bitonic sequence. */
static __device__ __forceinline__ void merge8(uint32_t *v)
{
#pragma unroll
    for (int d = 4; d > 0; d >>= 1)
#pragma unroll
        for (int i = 0; i < 8; i++)
            if ((i & d) == 0)
                order(v, i, i + d);
}

/* Leaves the 8 largest of N keys (all, where N = 4) in order in v[0..7]. */
template <int N> static __device__ __forceinline__ void sort_best(uint32_t *v)
{
    if (N == 4) {
        sort4(v);
        return;
    }
    sort8(v);
    if (N == 12) {
        sort4(v + 8);
#pragma unroll
        for (int i = 4; i < 8; i++)
            v[i] = max(v[i], v[15 - i]);
        merge8(v);
    } else if (N == 16) {
        sort8(v + 8);
#pragma unroll
        for (int i = 0; i < 8; i++)
            v[i] = max(v[i], v[15 - i]);
        merge8(v);
    }
}

/* ---- loading a row ---- */

/* Two logits a word, as loaded; word i holds experts 128 (i/2) + 4 lane + 2 (i%2) and the next.
 * FULL: E is exactly 32 N and rows lie on 8 bytes. Absent experts give -infinity, which adds
 * nothing to a softmax. */
template <int N, bool FULL>
static __device__ __forceinline__ void load_row16(const topk_problem &p, int64_t token, int lane,
                                                  uint32_t infinity, uint32_t *pairs)
{
    const uint16_t *row = (const uint16_t *)p.gating + token * p.experts;
#pragma unroll
    for (int c = 0; c < N / 4; c++) {
        int expert = c * 128 + lane * 4;
        if constexpr (FULL) {
            *(uint2 *)(pairs + 2 * c) = om__load_once((const uint2 *)(row + expert));
        } else {
            uint32_t bits[4];
#pragma unroll
            for (int j = 0; j < 4; j++)
                bits[j] = expert + j < p.experts ? row[expert + j] : infinity | 0x8000u;
            pairs[2 * c] = bits[0] | bits[1] << 16;
            pairs[2 * c + 1] = bits[2] | bits[3] << 16;
        }
    }
}

/* ---- packed keys ---- */

/* One score as a weight before the renormalisation. */
static __device__ __forceinline__ float raw_weight(const topk_problem &p, float logit, float best,
                                                   float sum)
{
    if (!p.softmax)
        return sigmoid_fast(logit);
    return __fdividef(om__exp2_approx((logit - best) * LOG2_E), sum);
}

/* x · 1 + 0 in both halves: -0 becomes +0, every NaN 0x7fff. */
template <bool F16> static __device__ __forceinline__ uint32_t canonical(uint32_t pair)
{
    uint32_t r;
    if (F16)
        asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(r) : "r"(pair), "r"(0x3c003c00u), "r"(0u));
    else
        asm("fma.rn.bf16x2 %0, %1, %2, %3;" : "=r"(r) : "r"(pair), "r"(0x3f803f80u), "r"(0u));
    return r;
}

/* A key is the logit as a monotone 16-bit integer above 0xffff - expert, so equal logits go by
 * number. A NaN gets the largest integer here; see demote_nan. */
template <int N, bool F16, bool FULL>
static __device__ __forceinline__ void make_keys(const topk_problem &p, const uint32_t *pairs,
                                                 int lane, uint32_t *key)
{
    const uint32_t numbers = (0xffffu - lane * 4) | (0xfffeu - lane * 4) << 16;
#pragma unroll
    for (int i = 0; i < N / 2; i++) {
        int offset = (i >> 1) * 128 + (i & 1) * 2;
        uint32_t x = canonical<F16>(pairs[i]);
        uint32_t negative; /* the sign over all 16 bits; __byte_perm cannot say that */
        asm("prmt.b32 %0, %1, 0, 0xbb99;" : "=r"(negative) : "r"(x));
        x ^= negative | 0x80008000u;
        uint32_t number = numbers - offset * 0x10001u;
        key[2 * i] = __byte_perm(number, x, 0x5410);
        key[2 * i + 1] = __byte_perm(number, x, 0x7632);
        if (!FULL) {
            int expert = lane * 4 + offset;
            key[2 * i] = expert < p.experts ? key[2 * i] : 0u;
            key[2 * i + 1] = expert + 1 < p.experts ? key[2 * i + 1] : 0u;
        }
    }
}

#define NAN_KEY 0xffff0000u /* keys from here on are NaN */

/* NaN goes last: below -infinity, whose integer is not 0. */
template <int N> static __device__ __forceinline__ void demote_nan(uint32_t *key)
{
#pragma unroll
    for (int j = 0; j < N; j++)
        key[j] = key[j] >= NAN_KEY ? key[j] & 0xffffu : key[j];
}

template <int N, bool F16>
static __device__ __forceinline__ float softmax_sum(const uint32_t *pairs, float best)
{
    float sum = 0.0f;
#pragma unroll
    for (int j = 0; j < N; j++) {
        uint32_t bits = j & 1 ? pairs[j / 2] >> 16 : pairs[j / 2] & 0xffffu;
        sum += om__exp2_approx((value16<F16>(bits) - best) * LOG2_E);
    }
    return om__warp_sum(sum);
}

/* The logit of a key. Integer 0 stands for every NaN, so it gives one, whatever the pattern was. */
template <bool F16> static __device__ __forceinline__ float key_logit(uint32_t key)
{
    return key >> 16 ? value16<F16>(bits16(key >> 16)) : __uint_as_float(0x7fffffffu);
}

template <int N, bool F16, bool FULL>
static __global__ void __launch_bounds__(512) topk_packed_8(topk_problem p)
{
    const uint32_t infinity = F16 ? 0x7c00u : 0x7f80u;
    const int lane = threadIdx.x & 31;
    const int64_t token = (int64_t)blockIdx.x * (blockDim.x >> 5) + (threadIdx.x >> 5);
    if (token >= p.tokens)
        return;
    uint32_t pairs[N / 2], key[N], first, mine = 0;
    load_row16<N, FULL>(p, token, lane, infinity, pairs);
    make_keys<N, F16, FULL>(p, pairs, lane, key);
    sort_best<N>(key);
    first = __reduce_max_sync(OM_FULL_WARP, key[0]);
    if (first >= NAN_KEY) { /* rare: start again with the NaN last */
        make_keys<N, F16, FULL>(p, pairs, lane, key);
        demote_nan<N>(key);
        sort_best<N>(key);
        first = __reduce_max_sync(OM_FULL_WARP, key[0]);
    }
    uint32_t winner = first;
#pragma unroll
    for (int k = 0; k < 8; k++) {
        if (k > 0)
            winner = __reduce_max_sync(OM_FULL_WARP, key[0]);
        if (lane == k)
            mine = winner;
        bool own = key[0] == winner;
#pragma unroll
        for (int j = 0; j < 8 && j < N; j++)
            if (j < 7 - k)
                key[j] = own ? (j + 1 < N ? key[j + 1] : 0u) : key[j];
    }
    float best = key_logit<F16>(first);
    float sum = p.softmax ? softmax_sum<N, F16>(pairs, best) : 0.0f;
    float weight = raw_weight(p, key_logit<F16>(mine), best, sum);
    if (p.renormalize) {
        float total = weight;
#pragma unroll
        for (int d = 4; d > 0; d >>= 1)
            total += __shfl_xor_sync(OM_FULL_WARP, total, d);
        weight = total != 0.0f ? __fdividef(weight, total) : weight;
    }
    if (lane < 8) {
        p.ids[token * 8 + lane] = (int32_t)(0xffffu - (mine & 0xffffu));
        p.weights[token * 8 + lane] = weight * p.factor;
    }
}

template <int N> static __device__ __forceinline__ uint32_t warp_best(const uint32_t *key)
{
    uint32_t top = key[0];
#pragma unroll
    for (int j = 1; j < N; j++)
        top = max(top, key[j]);
    return __reduce_max_sync(OM_FULL_WARP, top);
}

/* Any K: the lanes look through their keys in every round. */
template <int N, bool F16>
static __global__ void __launch_bounds__(512) topk_packed_any(topk_problem p)
{
    const uint32_t infinity = F16 ? 0x7c00u : 0x7f80u;
    const int lane = threadIdx.x & 31;
    const int64_t token = (int64_t)blockIdx.x * (blockDim.x >> 5) + (threadIdx.x >> 5);
    if (token >= p.tokens)
        return;
    uint32_t pairs[N / 2], key[N];
    load_row16<N, false>(p, token, lane, infinity, pairs);
    make_keys<N, F16, false>(p, pairs, lane, key);
    demote_nan<N>(key);

    float best = key_logit<F16>(warp_best<N>(key));
    float sum = p.softmax ? softmax_sum<N, F16>(pairs, best) : 0.0f;
    float *weights = p.weights + token * p.k;
    int32_t *ids = p.ids + token * p.k;
    float total = 0.0f;
    for (int k = 0; k < p.k; k++) {
        uint32_t winner = warp_best<N>(key);
#pragma unroll
        for (int j = 0; j < N; j++)
            key[j] = key[j] == winner ? 0u : key[j];
        float weight = raw_weight(p, key_logit<F16>(winner), best, sum);
        total += weight;
        if (lane == 0) {
            ids[k] = (int32_t)(0xffffu - (winner & 0xffffu));
            weights[k] = weight;
        }
    }
    __syncwarp();
    for (int k = lane; k < p.k; k += 32) {
        float weight = weights[k];
        if (p.renormalize && total != 0.0f)
            weight = __fdividef(weight, total);
        weights[k] = weight * p.factor;
    }
}

/* ---- f32 keys ---- */

template <int N, typename TYPE>
static __global__ void __launch_bounds__(512) topk_wide(topk_problem p)
{
    const int lane = threadIdx.x & 31;
    const int64_t token = (int64_t)blockIdx.x * (blockDim.x >> 5) + (threadIdx.x >> 5);
    if (token >= p.tokens)
        return;
    const TYPE *row = (const TYPE *)p.gating + token * p.experts;
    float logit[N];
    uint32_t key[N];
#pragma unroll
    for (int j = 0; j < N; j++) {
        int expert = (j >> 2) * 128 + lane * 4 + (j & 3);
        logit[j] = expert < p.experts ? om__to_f32(row[expert]) : -INFINITY;
    }
#pragma unroll
    for (int j = 0; j < N; j++) {
        int expert = (j >> 2) * 128 + lane * 4 + (j & 3);
        float value = logit[j];
        if (p.bias && expert < p.experts)
            value = 1.0f / (1.0f + expf(-value)) + p.bias[expert];
        key[j] = expert < p.experts ? key32(value) : 0u;
    }

    float best = 0.0f, sum = 0.0f;
    if (p.softmax) {
        best = logit[0];
#pragma unroll
        for (int j = 1; j < N; j++)
            best = fmaxf(best, logit[j]); /* drops NaN; the sum brings it back */
#pragma unroll
        for (int d = 16; d > 0; d >>= 1)
            best = fmaxf(best, __shfl_xor_sync(OM_FULL_WARP, best, d));
#pragma unroll
        for (int j = 0; j < N; j++)
            sum += om__exp2_approx((logit[j] - best) * LOG2_E);
        sum = om__warp_sum(sum);
    }

    float *weights = p.weights + token * p.k;
    int32_t *ids = p.ids + token * p.k;
    float picked = 0.0f;
    for (int k = 0; k < p.k; k++) {
        uint32_t top = key[0];
#pragma unroll
        for (int j = 1; j < N; j++)
            top = max(top, key[j]);
        uint32_t winner = __reduce_max_sync(OM_FULL_WARP, top);
        int lowest = 0x7fffffff;
        float held = 0.0f;
#pragma unroll
        for (int j = N - 1; j >= 0; j--) {
            bool equal = key[j] == winner;
            lowest = equal ? (j >> 2) * 128 + lane * 4 + (j & 3) : lowest;
            held = equal ? logit[j] : held;
        }
        int expert = __reduce_min_sync(OM_FULL_WARP, lowest);
        held = __shfl_sync(OM_FULL_WARP, held, (expert & 127) >> 2);
#pragma unroll
        for (int j = 0; j < N; j++)
            if ((j >> 2) * 128 + lane * 4 + (j & 3) == expert)
                key[j] = 0;
        float weight = p.softmax ? __fdividef(om__exp2_approx((held - best) * LOG2_E), sum)
                                 : 1.0f / (1.0f + expf(-held));
        picked += weight;
        if (lane == 0) {
            ids[k] = expert;
            weights[k] = weight;
        }
    }
    __syncwarp();
    for (int k = lane; k < p.k; k += 32) {
        float weight = weights[k];
        if (p.renormalize && picked != 0.0f)
            weight = weight / picked;
        weights[k] = weight * p.factor;
    }
}

/* ---- host side ---- */

static topk_problem problem_of(const om_moe_topk_args *args)
{
    topk_problem p;
    p.gating = args->gating;
    p.bias = args->has_bias ? args->bias : NULL;
    p.weights = args->weights;
    p.ids = args->ids;
    p.tokens = args->t;
    p.experts = (int)args->e;
    p.k = (int)args->k;
    p.softmax = args->score == OM_MOE_SOFTMAX;
    p.renormalize = args->renormalize;
    p.vector = args->e % 4 == 0 && om__is_aligned(args->gating, 8);
    p.factor = args->routed_scaling_factor != 0.0 ? (float)args->routed_scaling_factor : 1.0f;
    return p;
}

static om_status check_experts(const om_moe_topk_args *args, om_error *err)
{
    if (args->e > TOPK_MAX_EXPERTS)
        return om__error_set(err, OM_UNSUPPORTED, "more than %d experts", TOPK_MAX_EXPERTS);
    if (args->t > (int64_t)1 << 31)
        return om__error_set(err, OM_UNSUPPORTED, "more than 2^31 tokens");
    return OM_OK;
}

/* Warps a block: few tokens start fastest in small blocks, many in large ones. */
static int warps_per_block(int64_t tokens)
{
    return tokens >= 2048 ? 16 : 4;
}

static om_status query_packed(const om_kernel_env *env, const void *arguments,
                              size_t *workspace_bytes, om_error *err)
{
    const om_moe_topk_args *args = (const om_moe_topk_args *)arguments;
    (void)env;
    *workspace_bytes = 0;
    if (args->dtype == OM_F32)
        return om__error_set(err, OM_UNSUPPORTED, "f32 logits do not fit in packed keys");
    if (args->has_bias)
        return om__error_set(err, OM_UNSUPPORTED, "a bias does not fit in packed keys");
    return check_experts(args, err);
}

template <int N, bool F16> static void launch_packed(const topk_problem &p, cudaStream_t stream)
{
    int warps = warps_per_block(p.tokens);
    unsigned blocks = (unsigned)om__ceil_div(p.tokens, warps);
    bool full = p.experts == 32 * N && p.vector;
    if (full && p.k == 8)
        topk_packed_8<N, F16, true><<<blocks, warps * 32, 0, stream>>>(p);
    else if (p.k == 8)
        topk_packed_8<N, F16, false><<<blocks, warps * 32, 0, stream>>>(p);
    else
        topk_packed_any<N, F16><<<blocks, warps * 32, 0, stream>>>(p);
}

static om_status run_packed(const om_kernel_env *env, const void *arguments, void *workspace,
                            om_error *err)
{
    topk_problem p = problem_of((const om_moe_topk_args *)arguments);
    bool f16 = ((const om_moe_topk_args *)arguments)->dtype == OM_F16;
    cudaStream_t stream = om__stream(env);
    (void)workspace;
    if (p.tokens == 0)
        return OM_OK;
    if (p.experts <= 128)
        f16 ? launch_packed<4, true>(p, stream) : launch_packed<4, false>(p, stream);
    else if (p.experts <= 256)
        f16 ? launch_packed<8, true>(p, stream) : launch_packed<8, false>(p, stream);
    else if (p.experts <= 384)
        f16 ? launch_packed<12, true>(p, stream) : launch_packed<12, false>(p, stream);
    else
        f16 ? launch_packed<16, true>(p, stream) : launch_packed<16, false>(p, stream);
    return om__cuda_launched("moe_topk", err);
}

static om_status query_wide(const om_kernel_env *env, const void *arguments,
                            size_t *workspace_bytes, om_error *err)
{
    (void)env;
    *workspace_bytes = 0;
    return check_experts((const om_moe_topk_args *)arguments, err);
}

template <typename TYPE> static void launch_wide(const topk_problem &p, cudaStream_t stream)
{
    int warps = warps_per_block(p.tokens);
    unsigned blocks = (unsigned)om__ceil_div(p.tokens, warps);
    if (p.experts <= 128)
        topk_wide<4, TYPE><<<blocks, warps * 32, 0, stream>>>(p);
    else if (p.experts <= 256)
        topk_wide<8, TYPE><<<blocks, warps * 32, 0, stream>>>(p);
    else
        topk_wide<16, TYPE><<<blocks, warps * 32, 0, stream>>>(p);
}

static om_status run_wide(const om_kernel_env *env, const void *arguments, void *workspace,
                          om_error *err)
{
    const om_moe_topk_args *args = (const om_moe_topk_args *)arguments;
    topk_problem p = problem_of(args);
    (void)workspace;
    if (p.tokens == 0)
        return OM_OK;
    if (args->dtype == OM_F32)
        launch_wide<float>(p, om__stream(env));
    else if (args->dtype == OM_F16)
        launch_wide<__half>(p, om__stream(env));
    else
        launch_wide<__nv_bfloat16>(p, om__stream(env));
    return om__cuda_launched("moe_topk", err);
}

extern "C" {
extern const om_kernel om_moe_topk_sm90_16bit__packed_keys;
const om_kernel om_moe_topk_sm90_16bit__packed_keys = {
    "om_moe_topk_sm90_16bit__packed_keys",
    "moe_topk",
    "forward",
    OM_ISA_DEFAULT,
    0,
    query_packed,
    run_packed,
};
extern const om_kernel om_moe_topk_sm90_any__two_reductions;
const om_kernel om_moe_topk_sm90_any__two_reductions = {
    "om_moe_topk_sm90_any__two_reductions",
    "moe_topk",
    "forward",
    OM_ISA_DEFAULT,
    0,
    query_wide,
    run_wide,
};
}
