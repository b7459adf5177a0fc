/* SPDX-License-Identifier: Apache-2.0 */
/* lightning_indexer_sm90.cu: scores of queries against the keys of their windows: tensor cores
 * inside the windows and a plain fill outside, in one launch.
 *
 * Shapes     q[B,S,H,D], k[B,N,G,D] bf16 or e4m3, weights[S,H], ks[S], ke[S] -> logits[B,S,N,G]
 *            f32
 * Layout     a block holds up to 16 queries of one group as bf16 in shared memory (e4m3 values
 *            are exact in bf16), heads padded to 8, D to 32, 64 or 128. A warp holds 32 keys in
 *            registers as A fragments; lane t of a quad owns a contiguous quarter of a row, and q
 *            is stored in the order of dimensions that follows
 * Schedule   the union of the block's windows, 32 keys a warp and step, goes through
 *            mma.m16n8k16; keys lie on M, so a lane sums heads in registers and two shuffles
 *            finish. What no window touches is filled by bulk stores of a constant. Few queries
 *            split the keys
 * Numerics   q cast, keys quantised as fp8_quant does; f32 sums in one order; the same bits on
 *            every run
 * Refuses    D not a multiple of 8 or above 128, heads that do not fit in shared memory,
 *            misaligned tensors
 * Cost       2 D H flop a visible pair; S·N·G logits written; keys read once per 16 queries
 */
#include <cuda_fp8.h>

#include "kernels/cuda/kernel_util.cuh"

extern "C" {
#include "opmark/lightning_indexer.h"
}

#define WARPS        8
#define THREADS      (WARPS * 32)
#define WARP_KEYS    32
#define MAX_QUERIES  16
#define FILL_BYTES   16384
#define SHARED_LIMIT (200 * 1024)

typedef struct indexer_problem {
    const uint8_t *q;
    const uint8_t *k;
    const float *k_scale; /* NULL: 1 for e4m3, computed for bf16 */
    const float *weights;
    const int32_t *from, *until; /* ks, ke */
    float *logits;
    int64_t s, n;
    int32_t g, h, d;
    int32_t heads;   /* of a group */
    int32_t padded;  /* the same, a multiple of 8 */
    int32_t queries; /* of a block */
    int32_t keys;    /* of a block: the split of N, a multiple of 32 */
    int32_t keep_masked;
    int32_t bulk_fill; /* rows of logits lie on 16 bytes */
} indexer_problem;

/* ---- values ---- */

static __device__ __forceinline__ uint32_t pack_bf16(float low, float high)
{
    uint32_t r;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(high), "f"(low));
    return r;
}

/* Two e4m3 codes as a pair of bf16; exact. */
static __device__ __forceinline__ uint32_t codes_to_bf16(uint32_t codes)
{
    __half2_raw h = __nv_cvt_fp8x2_to_halfraw2((__nv_fp8x2_storage_t)codes, __NV_E4M3);
    float2 f = __half22float2(*(__half2 *)&h);
    return pack_bf16(f.x, f.y);
}

/* Two f32 values rounded to e4m3 (saturating), as a pair of bf16. */
static __device__ __forceinline__ uint32_t round_to_codes(float a, float b)
{
    return codes_to_bf16(__nv_cvt_float2_to_fp8x2(make_float2(a, b), __NV_SATFINITE, __NV_E4M3));
}

static __device__ __forceinline__ float relu(float x)
{
    float y;
    asm("max.NaN.f32 %0, %1, 0f00000000;" : "=f"(y) : "f"(x));
    return y;
}

/* 8 elements from memory as 4 pairs of bf16; CAST rounds bf16 input to e4m3 on the way. */
template <bool E4M3, bool CAST>
static __device__ __forceinline__ void load8(const uint8_t *from, int64_t element, uint32_t *pairs)
{
    if (E4M3) {
        uint2 v = __ldg((const uint2 *)(from + element));
        pairs[0] = codes_to_bf16(v.x & 0xffffu);
        pairs[1] = codes_to_bf16(v.x >> 16);
        pairs[2] = codes_to_bf16(v.y & 0xffffu);
        pairs[3] = codes_to_bf16(v.y >> 16);
        return;
    }
    *(uint4 *)pairs = __ldg((const uint4 *)(from + element * 2));
    if (CAST)
#pragma unroll
        for (int i = 0; i < 4; i++)
            pairs[i] = round_to_codes(__uint_as_float(pairs[i] << 16),
                                      __uint_as_float(pairs[i] & 0xffff0000u));
}

/* ---- tensor core pieces ---- */

static __device__ __forceinline__ void load_matrices(uint32_t address, uint32_t *r)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(address));
}

static __device__ __forceinline__ void multiply(float *c, const uint32_t *a, uint32_t b0,
                                                uint32_t b1)
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, "
                 "{%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

/* ---- the keys of a warp ---- */

/* Rows first + g, + 8, + 16, + 24 of group `group` as A fragments a[m][step][4]; scale[i] is that
 * of row first + g + 8i. Rows at or beyond n are zero. */
template <int STEPS, bool E4M3>
static __device__ __forceinline__ void load_keys(const indexer_problem &p, int64_t batch, int group,
                                                 int64_t first, int lane, uint32_t (*a)[STEPS][4],
                                                 float *scale)
{
    const int quad = lane & 3;
#pragma unroll
    for (int i = 0; i < 4; i++) {
        const int64_t key = first + (lane >> 2) + 8 * i;
        const bool there = key < p.n;
        const int64_t row = (batch * p.n + (there ? key : 0)) * p.g + group;
        uint32_t pairs[2 * STEPS];
#pragma unroll
        for (int j = 0; j < 2 * STEPS; j++)
            pairs[j] = 0;
#pragma unroll
        for (int j = 0; j < STEPS / 2; j++) {
            int at = quad * 4 * STEPS + j * 8;
            if (there && at < p.d)
                load8<E4M3, false>(p.k, row * p.d + at, pairs + 4 * j);
        }
        float factor = 1.0f;
        if (E4M3) {
            if (p.k_scale && there)
                factor = __ldg(p.k_scale + row);
        } else {
            uint32_t amax = 0; /* as bits, so that a NaN stays */
#pragma unroll
            for (int j = 0; j < 2 * STEPS; j++)
                amax = max(amax, max(pairs[j] << 16 & 0x7fffffffu, pairs[j] & 0x7fff0000u));
            amax = max(amax, __shfl_xor_sync(OM_FULL_WARP, amax, 1));
            amax = max(amax, __shfl_xor_sync(OM_FULL_WARP, amax, 2));
            factor = __uint_as_float(amax);
            factor = __fdiv_rn(factor < 1e-4f ? 1e-4f : factor, 448.0f);
            const float inverse = __frcp_rn(factor);
#pragma unroll
            for (int j = 0; j < 2 * STEPS; j++) {
                float x = __uint_as_float(pairs[j] << 16);
                float y = __uint_as_float(pairs[j] & 0xffff0000u);
                float u = x * inverse, v = y * inverse;
                u = fmaf(fmaf(-u, factor, x), inverse, u);
                v = fmaf(fmaf(-v, factor, y), inverse, v);
                pairs[j] = round_to_codes(u, v);
            }
        }
        scale[i] = factor;
        /* Pair 2s goes to the lower, pair 2s + 1 to the upper half of step s. */
#pragma unroll
        for (int step = 0; step < STEPS; step++) {
            a[i >> 1][step][i & 1] = pairs[2 * step];
            a[i >> 1][step][2 + (i & 1)] = pairs[2 * step + 1];
        }
    }
}

/* Scores of the warp's 32 keys for one query: lane 4g + t gets key g + 8t. */
template <int STEPS>
static __device__ __forceinline__ float score(const uint32_t (*a)[STEPS][4], const float *scale,
                                              uint32_t query, int pitch, const float *weights,
                                              int tiles, int lane)
{
    float sum[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    const uint32_t matrices = query + (lane & 7) * pitch + (lane >> 3) * 16;
#pragma unroll 2
    for (int tile = 0; tile < tiles; tile++) {
        float c[2][4] = {};
#pragma unroll
        for (int pair = 0; pair < STEPS / 2; pair++) {
            uint32_t b[4];
            load_matrices(matrices + tile * 8 * pitch + pair * 64, b);
#pragma unroll
            for (int m = 0; m < 2; m++) {
                multiply(c[m], a[m][2 * pair], b[0], b[1]);
                multiply(c[m], a[m][2 * pair + 1], b[2], b[3]);
            }
        }
        float2 w = *(const float2 *)(weights + tile * 8 + (lane & 3) * 2);
#pragma unroll
        for (int i = 0; i < 4; i++) {
            sum[i] = fmaf(w.x, relu(c[i >> 1][(i & 1) * 2]), sum[i]);
            sum[i] = fmaf(w.y, relu(c[i >> 1][(i & 1) * 2 + 1]), sum[i]);
        }
    }
    float mine = 0.0f;
#pragma unroll
    for (int i = 0; i < 4; i++) {
        sum[i] += __shfl_xor_sync(OM_FULL_WARP, sum[i], 1);
        sum[i] += __shfl_xor_sync(OM_FULL_WARP, sum[i], 2);
        if ((lane & 3) == i)
            mine = sum[i] * scale[i];
    }
    return mine;
}

/* ---- filling ---- */

/* -infinity to the logits of keys [from, until) of one query, all groups. */
static __device__ __forceinline__ void fill_keys(const indexer_problem &p, int64_t query,
                                                 int64_t from, int64_t until, uint32_t constant)
{
    float *to = p.logits + (query * p.n + from) * p.g;
    const int64_t count = (until - from) * p.g;
    if (!p.bulk_fill) {
        for (int64_t i = threadIdx.x; i < count; i += THREADS)
            to[i] = -INFINITY;
        return;
    }
    const int64_t chunk = FILL_BYTES / 4;
    for (int64_t i = (int64_t)threadIdx.x * chunk; i < count; i += THREADS * chunk) {
        int bytes = (int)min(count - i, chunk) * 4;
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to + i),
                     "r"(constant), "r"(bytes)
                     : "memory");
    }
}

/* ---- the kernel ---- */

template <int STEPS, bool E4M3>
static __global__ void __launch_bounds__(THREADS) indexer(indexer_problem p)
{
    extern __shared__ __align__(128) uint8_t memory[];
    __shared__ __align__(16) float constant[FILL_BYTES / 4];
    __shared__ int window_from[MAX_QUERIES], window_until[MAX_QUERIES];
    const int tid = threadIdx.x, warp = tid >> 5, lane = tid & 31;
    const int64_t batch = blockIdx.z / p.g, first_query = (int64_t)blockIdx.x * p.queries;
    const int group = blockIdx.z % p.g;
    const int queries = (int)min((int64_t)p.queries, p.s - first_query);
    const int64_t key_from = (int64_t)blockIdx.y * p.keys, key_until = min(key_from + p.keys, p.n);
    const int pitch = STEPS * 32 + 16; /* bytes; the 16 keep ldmatrix free of conflicts */

    if (tid < queries) {
        /* Clipped to this block's keys; an empty window becomes [key_until, key_from). */
        int64_t from = max((int64_t)p.from[first_query + tid], key_from);
        int64_t until = min((int64_t)p.until[first_query + tid], key_until);
        window_from[tid] = (int)(from < until ? from : key_until);
        window_until[tid] = (int)(from < until ? until : key_from);
    }
    for (int i = tid; i < FILL_BYTES / 16; i += THREADS)
        ((float4 *)constant)[i] = make_float4(-INFINITY, -INFINITY, -INFINITY, -INFINITY);
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    int64_t low = key_until, high = key_from;
    for (int i = 0; i < queries; i++) {
        low = min(low, (int64_t)window_from[i]);
        high = max(high, (int64_t)window_until[i]);
    }
    /* Scored are whole steps of 32 keys, counted from key_from. */
    if (low < high) {
        low = key_from + (low - key_from) / WARP_KEYS * WARP_KEYS;
        high = min(key_from + (high - key_from + WARP_KEYS - 1) / WARP_KEYS * WARP_KEYS, key_until);
    } else {
        low = high = key_until;
    }
    if (!p.keep_masked && group == 0) {
        uint32_t address = om__shared_address(constant);
        for (int i = 0; i < queries; i++) {
            int64_t query = batch * p.s + first_query + i;
            fill_keys(p, query, key_from, low, address);
            fill_keys(p, query, high, key_until, address);
        }
        asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    }

    if (low < high) {
        float *weights = (float *)(memory + p.queries * p.padded * pitch);
        for (int i = tid; i < queries * p.padded; i += THREADS) {
            int head = i % p.padded;
            weights[i] =
                head < p.heads
                    ? p.weights[(first_query + i / p.padded) * p.h + group * p.heads + head]
                    : 0.0f;
        }
        /* Eight dimensions at a time: lane t of a quad owns 4·STEPS of them, four a step, two in
         * each half of the step. */
        const int chunks = STEPS * 2;
        for (int i = tid; i < queries * p.padded * chunks; i += THREADS) {
            int row = i / chunks, at = i % chunks * 8, head = row % p.padded;
            uint32_t pairs[4] = {0, 0, 0, 0};
            if (head < p.heads && at < p.d)
                load8<E4M3, true>(
                    p.q,
                    ((batch * p.s + first_query + row / p.padded) * p.h + group * p.heads + head) *
                            p.d +
                        at,
                    pairs);
            int quad = at / (4 * STEPS), step = at % (4 * STEPS) / 4;
            uint32_t *to = (uint32_t *)(memory + row * pitch);
#pragma unroll
            for (int j = 0; j < 4; j++)
                to[(step + (j >> 1)) * 8 + (j & 1) * 4 + quad] = pairs[j];
        }
        __syncthreads();

        const uint32_t staged = om__shared_address(memory);
        for (int64_t first = low + warp * WARP_KEYS; first < high; first += WARPS * WARP_KEYS) {
            uint32_t a[2][STEPS][4];
            float scale[4];
            load_keys<STEPS, E4M3>(p, batch, group, first, lane, a, scale);
            const int64_t key = first + (lane >> 2) + 8 * (lane & 3);
            for (int i = 0; i < queries; i++) {
                float value = -INFINITY;
                const int from = window_from[i], until = window_until[i];
                const bool visible = key >= from && key < until;
                if (from < first + WARP_KEYS && until > first) {
                    value = score<STEPS>(a, scale, staged + i * p.padded * pitch, pitch,
                                         weights + i * p.padded, p.padded / 8, lane);
                    value = visible ? value : -INFINITY;
                }
                if (key < high && (visible || !p.keep_masked))
                    p.logits[((batch * p.s + first_query + i) * p.n + key) * p.g + group] = value;
            }
        }
    }
    /* Shared memory must outlive the stores that read it. */
    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
}

/* ---- host side ---- */

static int steps_of(const om_lightning_indexer_args *args)
{
    return args->d <= 32 ? 2 : args->d <= 64 ? 4 : 8;
}

static int64_t query_bytes(const om_lightning_indexer_args *args)
{
    int64_t padded = om__ceil_div(args->h / (args->g ? args->g : 1), 8) * 8;
    return padded * (steps_of(args) * 32 + 16 + 4);
}

static om_status query(const om_kernel_env *env, const void *arguments, size_t *workspace_bytes,
                       om_error *err)
{
    const om_lightning_indexer_args *args = (const om_lightning_indexer_args *)arguments;
    (void)env;
    *workspace_bytes = 0;
    if (args->d % 8 != 0 || args->d > 128)
        return om__error_set(err, OM_UNSUPPORTED, "D is no multiple of 8, or above 128");
    if (args->dtype != OM_BF16 && args->dtype != OM_E4M3)
        return om__error_set(err, OM_UNSUPPORTED, "q and k are neither bf16 nor e4m3");
    if (query_bytes(args) > SHARED_LIMIT)
        return om__error_set(err, OM_UNSUPPORTED, "too many heads for shared memory");
    if (!om__is_aligned(args->q, 16) || !om__is_aligned(args->k, 16))
        return om__error_set(err, OM_UNSUPPORTED, "q or k does not lie on 16 bytes");
    if (args->n > INT32_MAX || om__ceil_div(args->s, 1) > INT32_MAX ||
        args->b * (args->g ? args->g : 1) > 65535)
        return om__error_set(err, OM_UNSUPPORTED, "more than 2^31 keys or 65,535 batches");
    return OM_OK;
}

template <int STEPS, bool E4M3>
static om_status launch(const indexer_problem &p, dim3 grid, int shared, cudaStream_t stream,
                        om_error *err)
{
    OM_TRY_CUDA(cudaFuncSetAttribute(indexer<STEPS, E4M3>,
                                     cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED_LIMIT),
                err);
    indexer<STEPS, E4M3><<<grid, THREADS, shared, stream>>>(p);
    return om__cuda_launched("lightning_indexer", err);
}

static om_status run(const om_kernel_env *env, const void *arguments, void *workspace,
                     om_error *err)
{
    const om_lightning_indexer_args *args = (const om_lightning_indexer_args *)arguments;
    const int64_t b = args->b ? args->b : 1, g = args->g ? args->g : 1;
    indexer_problem p;
    (void)workspace;
    if (args->s == 0 || args->n == 0)
        return OM_OK;
    p.q = (const uint8_t *)args->q;
    p.k = (const uint8_t *)args->k;
    p.k_scale = args->has_k_scale ? args->k_scale : NULL;
    p.weights = args->weights;
    p.from = args->ks;
    p.until = args->ke;
    p.logits = args->logits;
    p.s = args->s;
    p.n = args->n;
    p.g = (int32_t)g;
    p.h = (int32_t)args->h;
    p.d = (int32_t)args->d;
    p.heads = (int32_t)(args->h / g);
    p.padded = (int32_t)(om__ceil_div(p.heads, 8) * 8);
    p.queries =
        (int32_t)om__min_i64(MAX_QUERIES, om__max_i64(1, SHARED_LIMIT / 2 / query_bytes(args)));
    p.keep_masked = args->keep_masked;
    p.bulk_fill = args->n * g % 4 == 0 && om__is_aligned(args->logits, 16);
    /* Enough blocks for two a multiprocessor, where there are keys enough. */
    int64_t blocks = om__ceil_div(args->s, p.queries) * b * g;
    int64_t split = om__min_i64(om__ceil_div(2 * env->sm_count, blocks),
                                om__ceil_div(args->n, WARPS * WARP_KEYS));
    split = om__min_i64(split, 65535);
    p.keys = (int32_t)(om__ceil_div(om__ceil_div(args->n, split), WARP_KEYS) * WARP_KEYS);
    dim3 grid((unsigned)om__ceil_div(args->s, p.queries), (unsigned)om__ceil_div(args->n, p.keys),
              (unsigned)(b * g));
    int shared = (int)(p.queries * query_bytes(args));
    cudaStream_t stream = om__stream(env);
    bool codes = args->dtype == OM_E4M3;
    switch (steps_of(args)) {
    case 2:
        return codes ? launch<2, true>(p, grid, shared, stream, err)
                     : launch<2, false>(p, grid, shared, stream, err);
    case 4:
        return codes ? launch<4, true>(p, grid, shared, stream, err)
                     : launch<4, false>(p, grid, shared, stream, err);
    default:
        return codes ? launch<8, true>(p, grid, shared, stream, err)
                     : launch<8, false>(p, grid, shared, stream, err);
    }
}

extern "C" {
extern const om_kernel om_lightning_indexer_sm90_any__mma_32_keys;
const om_kernel om_lightning_indexer_sm90_any__mma_32_keys = {
    "om_lightning_indexer_sm90_any__mma_32_keys",
    "lightning_indexer",
    "forward",
    OM_ISA_DEFAULT,
    0,
    query,
    run,
};
}
