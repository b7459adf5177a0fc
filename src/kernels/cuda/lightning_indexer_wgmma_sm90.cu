/* SPDX-License-Identifier: Apache-2.0 */
/* lightning_indexer_wgmma_sm90.cu: scores of many queries against many keys on the fp8 tensor
 * cores.
 *
 * Shapes     as the contract; for D of 64 or 128 (or filled up to it), up to 64 heads a group
 * Layout     a first launch quantises the keys once, into tiles of 64 keys that lie as wgmma reads
 *            them (8 rows of 16 bytes side by side), each followed by its 64 scales. A block of
 *            the second holds 256 rows of q in the same layout: 8 queries of 32 heads or 4 of 64
 * Schedule   persistent blocks, one a multiprocessor. Keys on M, (query, head) on N: a warpgroup
 *            takes every third tile of the union of its queries' windows, m64n256k32 a step of 32,
 *            then sums relu times weight over a query's columns in registers, while the others'
 *            products run; an exchange between the lanes of a quad leaves each lane one query of
 *            four. Tiles arrive by bulk copies, 3 ahead. What no window touches is filled by bulk
 *            stores of a constant
 * Numerics   q cast, keys quantised as fp8_quant does; products summed by the tensor core (no more
 *            than 128), heads in f32 in one order; the same bits on every run
 * Refuses    few queries or keys, more than 64 heads a group, D no multiple of 16 or above 128,
 *            misaligned tensors
 * Cost       2 D H flop a visible pair, and 2 instructions a head; S·N·G logits written; the
 *            workspace holds the keys as codes
 */
#include <cuda_fp8.h>

#include "kernels/cuda/hopper.cuh"
#include "kernels/cuda/kernel_util.cuh"

extern "C" {
#include "opmark/lightning_indexer.h"
}

#define GROUPS       3 /* warpgroups of a block */
#define THREADS      (GROUPS * 128)
#define TILE_KEYS    64
#define COLUMNS      256 /* rows of q in a block */
#define STAGES       4   /* tiles under way, a warpgroup */
#define FILL_BYTES   16384
#define KEY_THREADS  256
#define MOST_QUERIES 8

typedef struct indexer_problem {
    const uint8_t *q, *k;
    const float *k_scale; /* NULL: 1 for e4m3, computed for bf16 */
    const float *weights;
    const int32_t *from, *until; /* ks, ke */
    float *logits;
    uint8_t *tiles; /* [B·G][tiles of 64 keys] */
    int64_t s, n;
    int64_t tile_count; /* of a batch and group */
    int64_t query_blocks, planes, splits, items;
    int32_t g, h, d, heads;
    int32_t keys; /* of a block: the split of N, a multiple of 64 */
    int32_t keep_masked;
    int32_t bulk_fill; /* rows of logits lie on 16 bytes */
    int32_t is_e4m3;
} indexer_problem;

static __host__ __device__ constexpr int tile_bytes(int depth)
{
    return TILE_KEYS * depth + TILE_KEYS * (int)sizeof(float);
}

/* Where byte `at` (a multiple of 16) of row `row` lies among rows of `depth` bytes. */
static __device__ __forceinline__ int place(int row, int at, int depth)
{
    return (row >> 3) * depth * 8 + (at >> 4) * 128 + (row & 7) * 16;
}

/* ---- the keys, once ---- */

/* 16 elements of a row as f32; zeros at and beyond d. */
static __device__ __forceinline__ void load_bf16(const uint8_t *from, int64_t element, bool there,
                                                 float *x)
{
    uint32_t pairs[8] = {0, 0, 0, 0, 0, 0, 0, 0};
    if (there) {
        *(uint4 *)pairs = __ldg((const uint4 *)(from + element * 2));
        *(uint4 *)(pairs + 4) = __ldg((const uint4 *)(from + element * 2 + 16));
    }
#pragma unroll
    for (int i = 0; i < 8; i++) {
        x[2 * i] = __uint_as_float(pairs[i] << 16);
        x[2 * i + 1] = __uint_as_float(pairs[i] & 0xffff0000u);
    }
}

static __device__ __forceinline__ uint4 codes_of(const float *x)
{
    uint32_t word[4];
#pragma unroll
    for (int i = 0; i < 4; i++) {
        uint32_t low = __nv_cvt_float2_to_fp8x2(make_float2(x[4 * i], x[4 * i + 1]), __NV_SATFINITE,
                                                __NV_E4M3);
        uint32_t high = __nv_cvt_float2_to_fp8x2(make_float2(x[4 * i + 2], x[4 * i + 3]),
                                                 __NV_SATFINITE, __NV_E4M3);
        word[i] = low | high << 16;
    }
    return make_uint4(word[0], word[1], word[2], word[3]);
}

/* DEPTH / 16 lanes a key. */
template <int DEPTH>
static __global__ void __launch_bounds__(KEY_THREADS) quantise_keys(indexer_problem p)
{
    constexpr int LANES = DEPTH / 16;
    const int64_t unit = (int64_t)blockIdx.x * KEY_THREADS + threadIdx.x;
    const int64_t key = unit / LANES; /* of all tiles of this batch and group */
    const int at = (int)(unit % LANES) * 16, row = (int)(key % TILE_KEYS);
    const int64_t batch = blockIdx.y / p.g, group = blockIdx.y % p.g;
    if (key >= p.tile_count * TILE_KEYS)
        return; /* a tile is a multiple of a block, so whole blocks leave */
    uint8_t *tile =
        p.tiles + ((int64_t)blockIdx.y * p.tile_count + key / TILE_KEYS) * tile_bytes(DEPTH);
    const int64_t from = (batch * p.n + key) * p.g + group;
    const bool there = key < p.n && at < p.d;
    uint4 codes = make_uint4(0, 0, 0, 0);
    float factor = 1.0f;
    if (p.is_e4m3) {
        if (there)
            codes = __ldg((const uint4 *)(p.k + from * p.d + at));
        if (p.k_scale != NULL && key < p.n)
            factor = __ldg(p.k_scale + from);
    } else {
        float x[16];
        uint32_t amax = 0; /* as bits, so that a NaN stays */
        load_bf16(p.k, from * p.d + at, there, x);
#pragma unroll
        for (int i = 0; i < 16; i++)
            amax = max(amax, __float_as_uint(x[i]) & 0x7fffffffu);
#pragma unroll
        for (int i = LANES / 2; i > 0; i >>= 1)
            amax = max(amax, __shfl_xor_sync(OM_FULL_WARP, amax, i));
        factor = __uint_as_float(amax);
        factor = __fdiv_rn(factor < 1e-4f ? 1e-4f : factor, 448.0f);
#pragma unroll
        for (int i = 0; i < 16; i++)
            x[i] = __fdiv_rn(x[i], factor);
        codes = codes_of(x);
    }
    *(uint4 *)(tile + place(row, at, DEPTH)) = codes;
    if (at == 0)
        ((float *)(tile + TILE_KEYS * DEPTH))[row] = factor;
}

/* ---- pieces ---- */

/* Twice what is left of x after relu, by two additions' worth of the pipe that multiplies, too;
 * weights are halved for it. Products of fp8 are finite or NaN, which stays. */
static __device__ __forceinline__ float twice_relu(float x)
{
    return x + fabsf(x);
}

static __device__ __forceinline__ void load_tile(uint32_t to, const uint8_t *from, uint32_t bytes,
                                                 uint32_t barrier)
{
    om__barrier_expect(barrier, bytes);
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], "
                 "%2, [%3];" ::"r"(to),
                 "l"(from), "r"(bytes), "r"(barrier)
                 : "memory");
}

/* Rows of `depth` bytes in shared memory, as a matrix descriptor without swizzle: 128 bytes to the
 * next 16 of a row, 8 · depth to the next 8 rows. */
static __device__ __forceinline__ uint64_t matrix_at(uint32_t address, int depth)
{
    return (uint64_t)((address & 0x3ffff) >> 4) | (uint64_t)(128 >> 4) << 16 |
           (uint64_t)(depth * 8 >> 4) << 32;
}

/* d[64][256] = a · bᵀ + (with `add`) d */
static __device__ __forceinline__ void multiply(float (&d)[128], uint64_t a, uint64_t b, int add)
{
    asm volatile(
        "{\n\t.reg .pred p;\n\tsetp.ne.b32 p, %130, 0;\n\t"
        "wgmma.mma_async.sync.aligned.m64n256k32.f32.e4m3.e4m3 {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, "
        "%18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, "
        "%34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, "
        "%50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, %65, "
        "%66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, "
        "%82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, "
        "%98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, "
        "%111, %112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, "
        "%124, %125, %126, %127"
        "}, %128, %129, p, 1, 1;\n\t}"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]),
          "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]),
          "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]),
          "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]),
          "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31]), "+f"(d[32]), "+f"(d[33]), "+f"(d[34]),
          "+f"(d[35]), "+f"(d[36]), "+f"(d[37]), "+f"(d[38]), "+f"(d[39]), "+f"(d[40]), "+f"(d[41]),
          "+f"(d[42]), "+f"(d[43]), "+f"(d[44]), "+f"(d[45]), "+f"(d[46]), "+f"(d[47]), "+f"(d[48]),
          "+f"(d[49]), "+f"(d[50]), "+f"(d[51]), "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]),
          "+f"(d[56]), "+f"(d[57]), "+f"(d[58]), "+f"(d[59]), "+f"(d[60]), "+f"(d[61]), "+f"(d[62]),
          "+f"(d[63]), "+f"(d[64]), "+f"(d[65]), "+f"(d[66]), "+f"(d[67]), "+f"(d[68]), "+f"(d[69]),
          "+f"(d[70]), "+f"(d[71]), "+f"(d[72]), "+f"(d[73]), "+f"(d[74]), "+f"(d[75]), "+f"(d[76]),
          "+f"(d[77]), "+f"(d[78]), "+f"(d[79]), "+f"(d[80]), "+f"(d[81]), "+f"(d[82]), "+f"(d[83]),
          "+f"(d[84]), "+f"(d[85]), "+f"(d[86]), "+f"(d[87]), "+f"(d[88]), "+f"(d[89]), "+f"(d[90]),
          "+f"(d[91]), "+f"(d[92]), "+f"(d[93]), "+f"(d[94]), "+f"(d[95]), "+f"(d[96]), "+f"(d[97]),
          "+f"(d[98]), "+f"(d[99]), "+f"(d[100]), "+f"(d[101]), "+f"(d[102]), "+f"(d[103]),
          "+f"(d[104]), "+f"(d[105]), "+f"(d[106]), "+f"(d[107]), "+f"(d[108]), "+f"(d[109]),
          "+f"(d[110]), "+f"(d[111]), "+f"(d[112]), "+f"(d[113]), "+f"(d[114]), "+f"(d[115]),
          "+f"(d[116]), "+f"(d[117]), "+f"(d[118]), "+f"(d[119]), "+f"(d[120]), "+f"(d[121]),
          "+f"(d[122]), "+f"(d[123]), "+f"(d[124]), "+f"(d[125]), "+f"(d[126]), "+f"(d[127])
        : "l"(a), "l"(b), "r"(add));
}

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

/* ---- one tile's scores ---- */

/* Sums of relu(d) · weight over the columns of four queries, for the lane's two keys: after the
 * exchange lane t of a quad holds those of query t. weights: half of each column's, those of a
 * lane's four columns of 16 side by side. */
template <int HEADS>
static __device__ __forceinline__ void sum_four(const float (&d)[128], const float4 *weights,
                                                int first, int quad, float *sum)
{
    float all[4][2] = {};
#pragma unroll
    for (int j = 0; j < HEADS / 16; j++)
#pragma unroll
        for (int i = 0; i < 4; i++) {
            const int sixteen = (first + i) * (HEADS / 16) + j;
            const float4 w = weights[sixteen * 4 + quad];
#pragma unroll
            for (int r = 0; r < 2; r++) {
                const float *x = d + 8 * sixteen + 2 * r;
                all[i][r] = fmaf(w.x, twice_relu(x[0]), all[i][r]);
                all[i][r] = fmaf(w.y, twice_relu(x[1]), all[i][r]);
                all[i][r] = fmaf(w.z, twice_relu(x[4]), all[i][r]);
                all[i][r] = fmaf(w.w, twice_relu(x[5]), all[i][r]);
            }
        }
    float half[2][2];
#pragma unroll
    for (int i = 0; i < 2; i++)
#pragma unroll
        for (int r = 0; r < 2; r++) {
            const float kept = quad & 2 ? all[i + 2][r] : all[i][r];
            const float sent = quad & 2 ? all[i][r] : all[i + 2][r];
            half[i][r] = kept + __shfl_xor_sync(OM_FULL_WARP, sent, 2);
        }
#pragma unroll
    for (int r = 0; r < 2; r++) {
        const float kept = quad & 1 ? half[1][r] : half[0][r];
        const float sent = quad & 1 ? half[0][r] : half[1][r];
        sum[r] = kept + __shfl_xor_sync(OM_FULL_WARP, sent, 1);
    }
}

/* ---- the kernel ---- */

typedef struct shared_part {
    float constant[FILL_BYTES / 4];
    float4 weights[COLUMNS / 4]; /* see sum_four */
    uint64_t full[GROUPS][STAGES], empty[GROUPS][STAGES];
    float *row[MOST_QUERIES]; /* of logits */
    int from[MOST_QUERIES], until[MOST_QUERIES];
} shared_part;

/* What a block does at a time: some queries of a batch and group against some keys. */
typedef struct item {
    int64_t plane, batch, first_query, key_from, key_until;
    int group, queries;
    int64_t low, high; /* what is scored, whole tiles of it; low == high: nothing */
} item;

/* Later queries see more keys where windows are causal, so they come first. */
template <int HEADS>
static __device__ __forceinline__ item item_of(const indexer_problem &p, int64_t number)
{
    constexpr int QUERIES = COLUMNS / HEADS;
    item t;
    const int64_t split = number % p.splits, rest = number / p.splits;
    t.plane = rest % p.planes;
    t.batch = t.plane / p.g;
    t.group = (int)(t.plane % p.g);
    t.first_query = (p.query_blocks - 1 - rest / p.planes) * QUERIES;
    t.queries = (int)min((int64_t)QUERIES, p.s - t.first_query);
    t.key_from = split * p.keys;
    t.key_until = min(t.key_from + p.keys, p.n);
    return t;
}

/* Windows clipped to the item's keys into shared memory, and their union; an empty window becomes
 * [key_until, key_from). */
static __device__ __forceinline__ void find_windows(const indexer_problem &p, shared_part *shared,
                                                    item *t)
{
    __syncthreads(); /* the last item is done with them */
    if (threadIdx.x < MOST_QUERIES) {
        const bool there = (int)threadIdx.x < t->queries;
        const int64_t query = t->first_query + threadIdx.x;
        int64_t from = there ? max((int64_t)p.from[query], t->key_from) : t->key_until;
        int64_t until = there ? min((int64_t)p.until[query], t->key_until) : t->key_from;
        shared->from[threadIdx.x] = (int)(from < until ? from : t->key_until);
        shared->until[threadIdx.x] = (int)(from < until ? until : t->key_from);
        shared->row[threadIdx.x] = p.logits + ((t->batch * p.s + query) * p.n) * p.g + t->group;
    }
    __syncthreads();
    t->low = t->key_until;
    t->high = t->key_from;
    for (int i = 0; i < t->queries; i++) {
        t->low = min(t->low, (int64_t)shared->from[i]);
        t->high = max(t->high, (int64_t)shared->until[i]);
    }
    if (t->low < t->high) {
        t->low = t->low / TILE_KEYS * TILE_KEYS;
        t->high = min((t->high + TILE_KEYS - 1) / TILE_KEYS * TILE_KEYS, t->key_until);
    } else {
        t->low = t->high = t->key_until;
    }
}

/* The item's rows of q as codes into shared memory. */
template <int HEADS, int DEPTH>
static __device__ __forceinline__ void stage_queries(const indexer_problem &p, const item &t,
                                                     uint8_t *staged)
{
    for (int i = threadIdx.x; i < COLUMNS * (DEPTH / 16); i += THREADS) {
        const int row = i / (DEPTH / 16), at = i % (DEPTH / 16) * 16;
        const int query = row / HEADS, head = row % HEADS;
        const bool there = query < t.queries && head < p.heads && at < p.d;
        const int64_t element =
            ((t.batch * p.s + t.first_query + query) * p.h + t.group * p.heads + head) * p.d + at;
        uint4 codes = make_uint4(0, 0, 0, 0);
        if (p.is_e4m3) {
            if (there)
                codes = __ldg((const uint4 *)(p.q + element));
        } else {
            float x[16];
            load_bf16(p.q, element, there, x);
            codes = codes_of(x);
        }
        *(uint4 *)(staged + place(row, at, DEPTH)) = codes;
    }
}

/* Half of the weights of all columns, in the order of sum_four. */
template <int HEADS>
static __device__ __forceinline__ void stage_weights(const indexer_problem &p, const item &t,
                                                     float4 *weights)
{
    for (int column = threadIdx.x; column < COLUMNS; column += THREADS) {
        const int query = column / HEADS, head = column % HEADS;
        const int place = column / 16 * 16 + column % 8 / 2 * 4 + column / 8 % 2 * 2 + column % 2;
        ((float *)weights)[place] =
            query < t.queries && head < p.heads
                ? 0.5f * __ldg(p.weights + (t.first_query + query) * p.h + t.group * p.heads + head)
                : 0.0f;
    }
}

template <int HEADS, int DEPTH>
static __global__ void __launch_bounds__(THREADS, 1) indexer(indexer_problem p)
{
    constexpr int QUERIES = COLUMNS / HEADS, TILE = tile_bytes(DEPTH);
    extern __shared__ __align__(1024) uint8_t memory[];
    uint8_t *const staged = memory; /* q: [256][DEPTH] */
    shared_part *const shared = (shared_part *)(memory + COLUMNS * DEPTH + GROUPS * STAGES * TILE);
    const int lane = threadIdx.x & 31, thread = threadIdx.x & 127, warpgroup = threadIdx.x >> 7;
    const int row = (thread >> 5) * 16 + (lane >> 2), quad = lane & 3;
    uint8_t *const ring = memory + COLUMNS * DEPTH + warpgroup * STAGES * TILE;
    const uint64_t b = matrix_at(om__shared_address(staged), DEPTH);
    uint32_t taken = 0; /* tiles that this warpgroup has used so far, of all items */

    for (int i = threadIdx.x; i < FILL_BYTES / 16; i += THREADS)
        ((float4 *)shared->constant)[i] = make_float4(-INFINITY, -INFINITY, -INFINITY, -INFINITY);
    if (threadIdx.x < GROUPS * STAGES) {
        om__barrier_init(om__shared_address(&shared->full[0][0] + threadIdx.x), 1);
        om__barrier_init(om__shared_address(&shared->empty[0][0] + threadIdx.x), 4);
    }
    om__barriers_publish();
    om__fence_proxy();

    for (int64_t number = blockIdx.x; number < p.items; number += gridDim.x) {
        item t = item_of<HEADS>(p, number);
        find_windows(p, shared, &t);
        if (!p.keep_masked && t.group == 0) {
            const uint32_t address = om__shared_address(shared->constant);
            for (int i = 0; i < t.queries; i++) {
                const int64_t query = t.batch * p.s + t.first_query + i;
                fill_keys(p, query, t.key_from, t.low, address);
                fill_keys(p, query, t.high, t.key_until, address);
            }
            om__stores_commit();
        }
        if (t.low >= t.high)
            continue;
        const int high = (int)t.high, tiles = (high - (int)t.low + TILE_KEYS - 1) / TILE_KEYS;
        const uint8_t *const from =
            p.tiles + (t.plane * p.tile_count + t.low / TILE_KEYS) * (int64_t)TILE;
        if (thread == 0)
            for (uint32_t i = 0; i < STAGES; i++) {
                const int tile = warpgroup + GROUPS * (int)i;
                const uint32_t stage = (taken + i) % STAGES;
                if (tile < tiles)
                    load_tile(om__shared_address(ring + stage * TILE), from + (int64_t)tile * TILE,
                              TILE, om__shared_address(&shared->full[warpgroup][stage]));
            }
        float d[128];
        stage_weights<HEADS>(p, t, shared->weights);
        stage_queries<HEADS, DEPTH>(p, t, staged);
        om__fence_proxy();
        __syncthreads();

        for (int tile = warpgroup; tile < tiles; tile += GROUPS, taken++) {
            const uint32_t stage = taken % STAGES;
            const uint32_t full = om__shared_address(&shared->full[warpgroup][stage]);
            uint8_t *const keys = ring + stage * TILE;
            const uint64_t a = matrix_at(om__shared_address(keys), DEPTH);
            om__barrier_wait(full, taken / STAGES & 1);
            om__products_fence();
#pragma unroll
            for (int step = 0; step < DEPTH / 32; step++) /* 32 of k are two times 128 bytes on */
                multiply(d, a + step * (256 >> 4), b + step * (256 >> 4), step > 0);
            om__products_commit();
            const float *const scales = (const float *)(keys + TILE_KEYS * DEPTH);
            const float scale[2] = {scales[row], scales[row + 8]};
            om__products_wait<0>();
#pragma unroll
            for (int i = 0; i < 128; i++)
                asm volatile("" : "+f"(d[i])::"memory");
            __syncwarp();
            if (lane == 0)
                om__barrier_arrive(om__shared_address(&shared->empty[warpgroup][stage]));
            /* The tile before this one is done with by all four warps, or soon will be. */
            const int later = tile + GROUPS * (STAGES - 1);
            if (thread == 0 && tile >= GROUPS && later < tiles) {
                const uint32_t last = (taken - 1) % STAGES;
                om__barrier_wait(om__shared_address(&shared->empty[warpgroup][last]),
                                 (taken - 1) / STAGES & 1);
                load_tile(om__shared_address(ring + last * TILE), from + (int64_t)later * TILE,
                          TILE, om__shared_address(&shared->full[warpgroup][last]));
            }
            const int key = (int)(t.low + tile * TILE_KEYS) + row;
#pragma unroll
            for (int first = 0; first < QUERIES; first += 4) {
                float sum[2];
                sum_four<HEADS>(d, shared->weights, first, quad, sum);
                const int query = first + quad;
                const int window_from = shared->from[query], window_until = shared->until[query];
                float *const to = shared->row[query] + (int64_t)key * p.g;
#pragma unroll
                for (int r = 0; r < 2; r++) {
                    const int at = key + 8 * r;
                    const bool visible = at >= window_from && at < window_until;
                    if (query < t.queries && at < high && (visible || !p.keep_masked))
                        to[8 * r * p.g] = visible ? sum[r] * scale[r] : -INFINITY;
                }
            }
        }
    }
    /* Shared memory must outlive the stores that read it. */
    om__stores_read();
}

/* ---- host side ---- */

static int depth_of(const om_lightning_indexer_args *args)
{
    return args->d <= 64 ? 64 : 128;
}

static int64_t groups_of(const om_lightning_indexer_args *args)
{
    return args->g ? args->g : 1;
}

static int64_t tiles_of(const om_lightning_indexer_args *args)
{
    return om__ceil_div(args->n, TILE_KEYS);
}

static om_status query(const om_kernel_env *env, const void *arguments, size_t *workspace_bytes,
                       om_error *err)
{
    const om_lightning_indexer_args *args = (const om_lightning_indexer_args *)arguments;
    const int64_t batches = (args->b ? args->b : 1) * groups_of(args);
    (void)env;
    *workspace_bytes = 0;
    if (args->d % 16 != 0 || args->d > 128)
        return om__error_set(err, OM_UNSUPPORTED, "D is no multiple of 16, or above 128");
    if (args->dtype != OM_BF16 && args->dtype != OM_E4M3)
        return om__error_set(err, OM_UNSUPPORTED, "q and k are neither bf16 nor e4m3");
    if (args->h / groups_of(args) > 64)
        return om__error_set(err, OM_UNSUPPORTED, "more than 64 heads a group");
    if (args->s < 256 || args->n < 512)
        return om__error_set(err, OM_UNSUPPORTED, "fewer than 256 queries or 512 keys");
    if (!om__is_aligned(args->q, 16) || !om__is_aligned(args->k, 16))
        return om__error_set(err, OM_UNSUPPORTED, "q or k does not lie on 16 bytes");
    if (args->n > INT32_MAX - TILE_KEYS || args->s > INT32_MAX || batches > 65535)
        return om__error_set(err, OM_UNSUPPORTED, "more than 2^31 keys or 65,535 batches");
    *workspace_bytes = (size_t)(batches * tiles_of(args) * tile_bytes(depth_of(args)));
    return OM_OK;
}

template <int HEADS, int DEPTH>
static om_status launch(indexer_problem p, int64_t batches, const om_kernel_env *env, om_error *err)
{
    const int shared =
        COLUMNS * DEPTH + GROUPS * STAGES * tile_bytes(DEPTH) + (int)sizeof(shared_part);
    p.planes = batches;
    p.query_blocks = om__ceil_div(p.s, COLUMNS / HEADS);
    p.splits = om__min_i64(om__ceil_div(env->sm_count, p.query_blocks * batches), p.tile_count);
    p.keys = (int32_t)(om__ceil_div(p.tile_count, p.splits) * TILE_KEYS);
    p.splits = om__ceil_div(p.n, p.keys);
    p.items = p.query_blocks * batches * p.splits;
    unsigned blocks = (unsigned)om__min_i64(p.items, env->sm_count);
    dim3 key_grid((unsigned)om__ceil_div(p.tile_count * TILE_KEYS * (DEPTH / 16), KEY_THREADS),
                  (unsigned)batches);
    OM_TRY_CUDA(cudaFuncSetAttribute(indexer<HEADS, DEPTH>,
                                     cudaFuncAttributeMaxDynamicSharedMemorySize, shared),
                err);
    quantise_keys<DEPTH><<<key_grid, KEY_THREADS, 0, om__stream(env)>>>(p);
    OM_TRY(om__cuda_launched("the keys of lightning_indexer", err));
    indexer<HEADS, DEPTH><<<blocks, THREADS, shared, om__stream(env)>>>(p);
    return om__cuda_launched("lightning_indexer", err);
}

static om_status run(const om_kernel_env *env, const void *arguments, void *workspace,
                     om_error *err)
{
    const om_lightning_indexer_args *args = (const om_lightning_indexer_args *)arguments;
    const int64_t g = groups_of(args), batches = (args->b ? args->b : 1) * g;
    indexer_problem p = {};
    p.q = (const uint8_t *)args->q;
    p.k = (const uint8_t *)args->k;
    p.k_scale = args->has_k_scale ? args->k_scale : NULL;
    p.weights = args->weights;
    p.from = args->ks;
    p.until = args->ke;
    p.logits = args->logits;
    p.tiles = (uint8_t *)workspace;
    p.s = args->s;
    p.n = args->n;
    p.tile_count = tiles_of(args);
    p.g = (int32_t)g;
    p.h = (int32_t)args->h;
    p.d = (int32_t)args->d;
    p.heads = (int32_t)(args->h / g);
    p.keep_masked = args->keep_masked;
    p.bulk_fill = args->n * g % 4 == 0 && om__is_aligned(args->logits, 16);
    p.is_e4m3 = args->dtype == OM_E4M3;
    if (depth_of(args) == 64)
        return p.heads <= 32 ? launch<32, 64>(p, batches, env, err)
                             : launch<64, 64>(p, batches, env, err);
    return p.heads <= 32 ? launch<32, 128>(p, batches, env, err)
                         : launch<64, 128>(p, batches, env, err);
}

extern "C" {
extern const om_kernel om_lightning_indexer_sm90_any__wgmma_64_keys;
const om_kernel om_lightning_indexer_sm90_any__wgmma_64_keys = {
    "om_lightning_indexer_sm90_any__wgmma_64_keys",
    "lightning_indexer",
    "forward",
    OM_ISA_DEFAULT,
    0,
    query,
    run,
};
}
