/* SPDX-License-Identifier: Apache-2.0 */
/* gemm_core_sm90.cuh: the tensor-core product of Hopper and the choice of its tile, for one element
 * type of 2 bytes; a source file a type makes the kernels of gemm and bmm of it.
 *
 * Shapes     d = a · b, one or a batch of them, with a [M,K] or [K,M] and b [N,K] or [K,N]
 * Layout     tiles of 64 of k arrive by the copy engine in a ring under the 128-byte swizzle, one
 *            or two of them a stage; the engine fills what lies beyond a matrix with zeros
 * Schedule   one thread loads, warpgroups multiply. Large problems: persistent blocks, and two
 *            warpgroups that take tiles in turns, so that one stores while the other multiplies
 *            (128x176, 128x128), or share one (128x256). Small ones: one tile a block, of as few
 *            columns as give every multiprocessor one; K is halved by two blocks of a cluster or by
 *            two warpgroups that take stages in turns. A batch is finished before the next begins
 * Numerics   sums in f32 in the order of the tensor core, the halves of K added in one order, one
 *            rounding at the end; the same bits on every run
 * Refuses    rows of a or b not on 16 bytes
 * Cost       2 M N K flop; a tile reads (rows + columns) · K elements, mostly from L2; no workspace
 */
#ifndef OM_KERNELS_CUDA_GEMM_CORE_SM90_CUH
#define OM_KERNELS_CUDA_GEMM_CORE_SM90_CUH

#include <stdlib.h>
#include <type_traits>

#include "kernels/cuda/hopper.cuh"
#include "kernels/cuda/kernel_util.cuh"

extern "C" {
#include "core/cuda/device_cuda.h"
#include "opmark/bmm.h"
#include "opmark/gemm.h"
}

#define SLAB        64   /* of k: 128 bytes */
#define PIECE       16   /* columns of d that are staged as one */
#define PIECE_BYTES 2048 /* 64 rows of it */
#define WARPGROUP   128  /* threads */
#define MOST_SHARED 232448

enum { /* and the warpgroup's number */
       BARRIER_STAGING = 1,
       BARRIER_START = 3,
       BARRIER_HALVES = 4,
       BARRIER_TURN = 5
};

typedef struct product_call {
    int64_t batch, m, n, k;
    om_dtype dtype;
    int trans_a, trans_b; /* a is stored [K,M], b [N,K] */
    const void *a, *b;
    void *d;
} product_call;

typedef struct product_problem {
    void *d;
    int64_t m, n;
    int tiles_m, tiles_n;
    int tiles;     /* of a matrix */
    int units;     /* of the batch */
    int walk;      /* tiles of m side by side in the order of units */
    int stages;    /* of K, of a block */
    int is_a_once; /* one column of tiles: a is read by one block alone */
    int is_b_once; /* one row of tiles */
    uint32_t stage_bytes;
} product_problem;

enum how {
    TILES_SHARED, /* the warpgroups divide a tile's rows */
    TILES_TURNS,  /* take tiles in turns */
    STAGES_TURNS  /* take stages of one tile in turns, and add */
};

/* One form of the kernel. BLOCKS: of 64 rows, a warpgroup. */
template <int BLOCKS_, int COLUMNS_, int GROUPS_, int HOW_, int DEEP_, int RING_, int SPLIT_,
          int A_TURNED_, int B_TURNED_>
struct form {
    static constexpr int BLOCKS = BLOCKS_, COLUMNS = COLUMNS_, GROUPS = GROUPS_, DEEP = DEEP_;
    static constexpr int RING = RING_, SPLIT = SPLIT_;
    static constexpr int A_TURNED = A_TURNED_, B_TURNED = B_TURNED_; /* stored [K,M], [K,N] */
    static constexpr bool IN_TURNS = HOW_ == TILES_TURNS, HALVES = HOW_ == STAGES_TURNS;
    /* persistent, d stored by the copy engine */
    static constexpr bool IS_LARGE = IN_TURNS || COLUMNS >= 256;
    static constexpr int ROWS = HOW_ == TILES_SHARED ? 64 * BLOCKS * GROUPS : 64 * BLOCKS;
    static constexpr int THREADS = (GROUPS + 1) * WARPGROUP;
    static constexpr int STAGE = (ROWS + COLUMNS) * SLAB * 2 * DEEP;
    static constexpr int PIECES = COLUMNS == 176 ? 6 : 8; /* staged at a time, a warpgroup */
    static constexpr int BOX = COLUMNS % 64 ? PIECE : 64; /* columns of a box of d */
    static constexpr int STAGING = IS_LARGE ? GROUPS * PIECES * PIECE_BYTES : 0;
    static constexpr int PARTIAL = SPLIT > 1 || HALVES ? ROWS *COLUMNS * 4 : 0;
    static constexpr int SHARED = 1024 + RING * STAGE + STAGING + PARTIAL + RING * 16;
    static_assert(SHARED <= MOST_SHARED, "too much shared memory");
    static_assert(SPLIT == 1 || !IS_LARGE, "a persistent block meets its partner once only");
    static_assert(!B_TURNED || COLUMNS % 64 == 0, "a stored [K,N] comes in slabs of 64 columns");
    static_assert(!HALVES || (GROUPS == 2 && BLOCKS == 1 && RING % 2 == 0 && SPLIT == 1),
                  "two warpgroups halve K");
};

/* Matrix by matrix, in it tiles in groups of `walk` rows of tiles, forth and back along n. */
static __device__ __forceinline__ void place_of(const product_problem &p, int unit, int *batch,
                                                int *m, int *n)
{
    *batch = unit / p.tiles;
    unit -= *batch * p.tiles;
    const int whole = p.walk * p.tiles_n, group = unit / whole, in_group = unit - group * whole;
    const int rows = min(p.walk, p.tiles_m - group * p.walk);
    const int column = in_group / rows;
    *m = group * p.walk + in_group - column * rows;
    *n = group & 1 ? p.tiles_n - 1 - column : column;
}

static __device__ __forceinline__ uint32_t packed(float low, float high, __nv_bfloat16)
{
    uint32_t pair;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
    return pair;
}

static __device__ __forceinline__ uint32_t packed(float low, float high, __half)
{
    uint32_t pair;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
    return pair;
}

/* ---- the loading thread ---- */

/* A tile of SLAB of k: rows of k as they lie, or (TURNED) slabs of 64 columns of rows of k. */
template <int TURNED, int SIZE>
static __device__ __forceinline__ void load_slab(uint32_t to, const CUtensorMap *map, int k, int at,
                                                 int batch, uint32_t full, int is_once,
                                                 uint64_t once)
{
#pragma unroll
    for (int j = 0; j < (TURNED ? SIZE / 64 : 1); j++) {
        const int inner = TURNED ? at + j * 64 : k, outer = TURNED ? k : at;
        if (is_once)
            om__box_load_by(to + j * 8192, map, inner, outer, batch, full, once);
        else
            om__box_load(to + j * 8192, map, inner, outer, batch, full);
    }
}

template <class F>
static __device__ __forceinline__ void load_all(const CUtensorMap *map_a, const CUtensorMap *map_b,
                                                const product_problem &p, uint32_t ring,
                                                uint32_t barriers, int rank)
{
    const uint64_t once = om__policy_once();
    int slot = 0;
    uint32_t parity = 1;
    for (int unit = blockIdx.x / F::SPLIT; unit < p.units; unit += gridDim.x / F::SPLIT) {
        int batch, m, n;
        place_of(p, unit, &batch, &m, &n);
        int k = rank * p.stages * SLAB * F::DEEP;
        for (int i = 0; i < p.stages; i++) {
            const uint32_t a = ring + slot * F::STAGE, b = a + F::ROWS * SLAB * 2 * F::DEEP;
            const uint32_t full = barriers + slot * 16;
            om__barrier_wait(full + 8, parity);
            om__barrier_expect(full, p.stage_bytes);
#pragma unroll
            for (int deep = 0; deep < F::DEEP; deep++) {
                load_slab<F::A_TURNED, F::ROWS>(a + deep * F::ROWS * SLAB * 2, map_a, k,
                                                m * F::ROWS, batch, full, p.is_a_once, once);
                load_slab<F::B_TURNED, F::COLUMNS>(b + deep * F::COLUMNS * SLAB * 2, map_b, k,
                                                   n * F::COLUMNS, batch, full, p.is_b_once, once);
                k += SLAB;
            }
            if (++slot == F::RING) {
                slot = 0;
                parity ^= 1;
            }
        }
    }
}

/* ---- the end of a tile ---- */

/* Through shared memory, in boxes of 16 columns under the 32-byte swizzle, or of 64 under that of
 * 128 bytes. */
template <typename T, class F>
static __device__ __forceinline__ void store_boxes(const float (&sum)[F::BLOCKS][F::COLUMNS / 2],
                                                   const CUtensorMap *map_d, uint32_t staging,
                                                   int group, int batch, int row, int column)
{
    const int thread = threadIdx.x % WARPGROUP, lane = thread % 32;
    const int at_row = thread / 32 * 16 + lane % 16;
    const int turn = F::BOX == 64 ? at_row & 7 : at_row >> 2 & 1;
    const uint32_t to_row = staging + at_row * F::BOX * 2;
    constexpr int ALL = F::COLUMNS / PIECE, IN_BOX = F::BOX / PIECE;
#pragma unroll
    for (int block = 0; block < F::BLOCKS; block++)
#pragma unroll
        for (int first = 0; first < ALL; first += F::PIECES) {
            if (thread == 0)
                om__stores_read();
            om__named_sync(BARRIER_STAGING + group, WARPGROUP);
#pragma unroll
            for (int i = 0; i < F::PIECES; i++)
                if (first + i < ALL) {
                    const float *x = &sum[block][8 * (first + i)];
                    const uint32_t at = to_row + i / IN_BOX * (IN_BOX * PIECE_BYTES);
                    om__matrices_store(at + (((i % IN_BOX * 2 + lane / 16) ^ turn) << 4),
                                       packed(x[0], x[1], T()), packed(x[2], x[3], T()),
                                       packed(x[4], x[5], T()), packed(x[6], x[7], T()));
                }
            om__fence_proxy();
            om__named_sync(BARRIER_STAGING + group, WARPGROUP);
            if (thread == 0) {
#pragma unroll
                for (int i = 0; i < F::PIECES; i += IN_BOX)
                    if (first + i < ALL)
                        om__box_store(map_d, staging + i * PIECE_BYTES,
                                      column + (first + i) * PIECE, row + block * 64, batch);
                om__stores_commit();
            }
        }
}

/* Lane t of four has pair t of four blocks of 8 columns; afterwards all pairs of block t. */
static __device__ __forceinline__ void turn_pairs(uint32_t (&x)[4])
{
    const bool odd = threadIdx.x & 1, high = threadIdx.x & 2;
#pragma unroll
    for (int i = 0; i < 4; i += 2) {
        const uint32_t other = __shfl_xor_sync(~0u, odd ? x[i] : x[i + 1], 1);
        if (odd)
            x[i] = other;
        else
            x[i + 1] = other;
    }
#pragma unroll
    for (int i = 0; i < 2; i++) {
        const uint32_t other = __shfl_xor_sync(~0u, high ? x[i] : x[i + 2], 2);
        if (high)
            x[i] = other;
        else
            x[i + 2] = other;
    }
}

/* From registers; any number of columns. sum: of COUNT columns from `column` on. */
template <typename T, int COUNT>
static __device__ __forceinline__ void store_plain(const float *sum, const product_problem &p,
                                                   int batch, int row, int column)
{
    const int thread = threadIdx.x % WARPGROUP, lane = thread % 32;
    const int first_row = row + thread / 32 * 16 + lane / 4;
    constexpr int WHOLE = COUNT / 32 * 4; /* blocks of 8 columns that go in fours */
    const bool in_pairs = p.n % 2 == 0, in_fours = p.n % 8 == 0;
#pragma unroll
    for (int half = 0; half < 2; half++) {
        const int64_t i = first_row + half * 8;
        T *to = (T *)p.d + ((int64_t)batch * p.m + i) * p.n;
        if (in_fours) {
#pragma unroll
            for (int j = 0; j < WHOLE; j += 4) {
                uint32_t x[4];
                const int64_t at = column + 8 * (j + lane % 4);
#pragma unroll
                for (int l = 0; l < 4; l++)
                    x[l] =
                        packed(sum[4 * (j + l) + 2 * half], sum[4 * (j + l) + 2 * half + 1], T());
                turn_pairs(x);
                if (i < p.m && at < p.n)
                    *(uint4 *)(to + at) = make_uint4(x[0], x[1], x[2], x[3]);
            }
        }
        if (i >= p.m)
            continue;
#pragma unroll
        for (int j = 0; j < COUNT / 8; j++) {
            const int64_t at = column + 8 * j + lane % 4 * 2;
            const float x = sum[4 * j + 2 * half], y = sum[4 * j + 2 * half + 1];
            if (j < WHOLE && in_fours)
                continue;
            if (in_pairs && at < p.n) {
                *(uint32_t *)(to + at) = packed(x, y, T());
            } else if (!in_pairs) {
                if (at < p.n)
                    om__from_f32(to + at, x);
                if (at + 1 < p.n)
                    om__from_f32(to + at + 1, y);
            }
        }
    }
}

/* Adds the sums of the two warpgroups; each keeps the half of the columns that has its number. */
template <class F>
static __device__ __forceinline__ void add_halves(float (&sum)[F::COLUMNS / 2], uint32_t partial,
                                                  int group)
{
    constexpr int HALF = F::COLUMNS / 4; /* sums of a thread */
    const uint32_t at = partial + threadIdx.x % WARPGROUP * 4, step = HALF * WARPGROUP * 4;
#pragma unroll
    for (int j = 0; j < HALF; j++)
        asm volatile("st.shared.f32 [%0], %1;" ::"r"(at + group * step + j * WARPGROUP * 4),
                     "f"(group ? sum[j] : sum[HALF + j])
                     : "memory");
    om__named_sync(BARRIER_HALVES, 2 * WARPGROUP);
#pragma unroll
    for (int j = 0; j < HALF; j++) {
        float other;
        asm volatile("ld.shared.f32 %0, [%1];"
                     : "=f"(other)
                     : "r"(at + (group ^ 1) * step + j * WARPGROUP * 4)
                     : "memory");
        sum[j] = (group ? sum[HALF + j] : sum[j]) + other;
    }
}

/* ---- the multiplying warpgroups ---- */

template <typename T, class F>
static __device__ __forceinline__ void
multiply_all(const CUtensorMap *map_d, const product_problem &p, uint32_t ring, uint32_t staging,
             uint32_t partial, uint32_t barriers, int group, int rank)
{
    float sum[F::BLOCKS][F::COLUMNS / 2];
    const int lane = threadIdx.x % 32, step = gridDim.x / F::SPLIT;
    const int own_rows = F::IN_TURNS || F::HALVES ? 0 : group * F::BLOCKS * 64;
    const uint32_t a_address = ring + own_rows * 128;
    const uint64_t a_first =
        F::A_TURNED ? om__matrix_mn_major(a_address) : om__matrix_k_major(a_address);
    const uint32_t b_address = ring + F::ROWS * SLAB * 2 * F::DEEP;
    const uint64_t b_first =
        F::B_TURNED ? om__matrix_mn_major(b_address) : om__matrix_k_major(b_address);
    /* 16 of k, in units of 16 bytes */
    constexpr int A_STEP = F::A_TURNED ? 128 : 2, B_STEP = F::B_TURNED ? 128 : 2;
    const int first = F::HALVES ? group : 0;
    constexpr int STRIDE = F::HALVES ? 2 : 1;
    const int skipped = F::IN_TURNS ? p.stages : 0;
    int slot = first;
    uint32_t parity = 0;
#pragma unroll
    for (int i = 0; i < F::BLOCKS; i++)
#pragma unroll
        for (int j = 0; j < F::COLUMNS / 2; j++)
            sum[i][j] = 0.0f;
    if (F::IN_TURNS && group == 1) {
        slot = skipped % F::RING;
        parity = skipped / F::RING & 1;
        om__named_arrive(BARRIER_TURN, 2 * WARPGROUP);
    }
    for (int unit = blockIdx.x / F::SPLIT + (F::IN_TURNS ? group * step : 0); unit < p.units;
         unit += F::IN_TURNS ? 2 * step : step) {
        int batch, m, n, previous = 0;
        place_of(p, unit, &batch, &m, &n);
        /* A wait far ahead in the ring would pass on the wrong parity: the turns are kept. */
        if (F::IN_TURNS)
            om__named_sync(BARRIER_TURN + group, 2 * WARPGROUP);
        for (int i = first; i < p.stages; i += STRIDE) {
            const uint64_t a = a_first + (uint64_t)(slot * (F::STAGE >> 4));
            const uint64_t b = b_first + (uint64_t)(slot * (F::STAGE >> 4));
            om__barrier_wait(barriers + slot * 16, parity);
            om__products_fence();
#pragma unroll
            for (int deep = 0; deep < F::DEEP; deep++)
#pragma unroll
                for (int k = 0; k < SLAB / 16; k++)
#pragma unroll
                    for (int block = 0; block < F::BLOCKS; block++)
                        om_product<T, F::COLUMNS, F::A_TURNED, F::B_TURNED>::run(
                            sum[block], a + deep * F::ROWS * 8 + block * 512 + k * A_STEP,
                            b + deep * F::COLUMNS * 8 + k * B_STEP, ((i - first) | deep | k) != 0);
            om__products_commit();
            om__products_wait<1>();
            if (i > first && lane == 0)
                om__barrier_arrive(barriers + previous * 16 + 8);
            previous = slot;
            slot += STRIDE;
            if (slot >= F::RING) {
                slot -= F::RING;
                parity ^= 1;
            }
        }
        if (F::IN_TURNS && unit + step < p.units)
            om__named_arrive(BARRIER_TURN + (group ^ 1), 2 * WARPGROUP);
        om__products_wait<0>();
        if (F::IS_LARGE && lane == 0)
            om__barrier_arrive(barriers + previous * 16 + 8);
        if (F::IN_TURNS) {
            slot += skipped;
            parity ^= slot / F::RING & 1;
            slot %= F::RING;
        }
        if constexpr (F::SPLIT > 1) {
            const uint32_t at = partial + threadIdx.x * 4;
            constexpr int STRIDE = F::GROUPS * WARPGROUP * 4;
            if (rank == 1) {
                const uint32_t there = om__cluster_address(at, 0);
#pragma unroll
                for (int j = 0; j < F::COLUMNS / 2; j++)
                    om__cluster_store(there + j * STRIDE, sum[0][j]);
            }
            om__cluster_sync();
            if (rank == 1)
                return;
#pragma unroll
            for (int j = 0; j < F::COLUMNS / 2; j++) {
                float other;
                asm volatile("ld.shared.f32 %0, [%1];"
                             : "=f"(other)
                             : "r"(at + j * STRIDE)
                             : "memory");
                sum[0][j] += other;
            }
        }
        const int row = m * F::ROWS + own_rows, column = n * F::COLUMNS;
        if constexpr (F::IS_LARGE)
            store_boxes<T, F>(sum, map_d, staging + group * F::PIECES * PIECE_BYTES, group, batch,
                              row, column);
        else if constexpr (F::HALVES) {
            add_halves<F>(sum[0], partial, group);
            store_plain<T, F::COLUMNS / 2>(sum[0], p, batch, row, column + group * F::COLUMNS / 2);
        } else {
            static_assert(F::BLOCKS == 1, "plain stores are of 64 rows a warpgroup");
            store_plain<T, F::COLUMNS>(sum[0], p, batch, row, column);
        }
    }
    if (F::IS_LARGE && threadIdx.x % WARPGROUP == 0)
        om__stores_done();
}

template <typename T, class F>
static __global__ void __launch_bounds__(F::THREADS, 1)
    product(const __grid_constant__ CUtensorMap map_a, const __grid_constant__ CUtensorMap map_b,
            const __grid_constant__ CUtensorMap map_d, const __grid_constant__ product_problem p)
{
    extern __shared__ __align__(1024) uint8_t memory[];
    const uint32_t ring = (om__shared_address(memory) + 1023) & ~1023u;
    const uint32_t staging = ring + F::RING * F::STAGE, partial = staging + F::STAGING;
    const uint32_t barriers = partial + F::PARTIAL; /* slot i: full at 16 i, empty at 16 i + 8 */
    const int group = threadIdx.x / WARPGROUP, rank = blockIdx.x % F::SPLIT;
    if (threadIdx.x == F::GROUPS * WARPGROUP) {
        om__map_prefetch(&map_a);
        om__map_prefetch(&map_b);
        for (int i = 0; i < F::RING; i++) {
            om__barrier_init(barriers + i * 16, 1);
            om__barrier_init(barriers + i * 16 + 8, 4 * (F::IN_TURNS || F::HALVES ? 1 : F::GROUPS));
        }
        om__barriers_publish();
    }
    if constexpr (F::SPLIT > 1)
        om__cluster_sync();
    else if (group == F::GROUPS)
        om__named_arrive(BARRIER_START, F::THREADS); /* the loading thread goes ahead */
    else
        om__named_sync(BARRIER_START, F::THREADS);
    if (group == F::GROUPS) {
        if constexpr (F::IS_LARGE)
            om__registers_lower<24>();
        if (threadIdx.x == F::GROUPS * WARPGROUP)
            load_all<F>(&map_a, &map_b, p, ring, barriers, rank);
        if constexpr (F::SPLIT > 1) {
            __syncwarp();
            om__cluster_sync();
        }
    } else {
        if constexpr (F::IS_LARGE)
            om__registers_raise<240>();
        multiply_all<T, F>(&map_d, p, ring, staging, partial, barriers, group, rank);
    }
}

/* ---- host side ---- */

typedef CUresult (*encode_function)(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *,
                                    const cuuint64_t *, const cuuint64_t *, const cuuint32_t *,
                                    const cuuint32_t *, CUtensorMapInterleave, CUtensorMapSwizzle,
                                    CUtensorMapL2promotion, CUtensorMapFloatOOBfill);

/* A batch of packed matrices [outer][inner] in boxes. */
template <typename T>
static om_status encode(const om_kernel_env *env, CUtensorMap *map, const void *base, int64_t batch,
                        int64_t outer, int64_t inner, int box_outer, int box_inner, om_error *err)
{
    const om_cuda_state *state = (const om_cuda_state *)env->device_state;
    const cuuint64_t sizes[3] = {(cuuint64_t)inner, (cuuint64_t)outer, (cuuint64_t)batch};
    const cuuint64_t pitch[2] = {(cuuint64_t)inner * 2, (cuuint64_t)(inner * outer) * 2};
    const cuuint32_t box[3] = {(cuuint32_t)box_inner, (cuuint32_t)box_outer, 1};
    const cuuint32_t steps[3] = {1, 1, 1};
    CUresult result = ((encode_function)state->encode_tiled)(
        map,
        std::is_same<T, __half>::value ? CU_TENSOR_MAP_DATA_TYPE_FLOAT16
                                       : CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
        3, (void *)base, sizes, pitch, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
        box_inner == SLAB ? CU_TENSOR_MAP_SWIZZLE_128B : CU_TENSOR_MAP_SWIZZLE_32B,
        CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    if (result != CUDA_SUCCESS)
        return om__error_set(err, OM_DEVICE, "cuTensorMapEncodeTiled: error %d", (int)result);
    return OM_OK;
}

template <class F> static product_problem problem_of(const product_call *call, int box_rows)
{
    product_problem p = {};
    const int64_t slabs = om__ceil_div(call->k, SLAB * F::DEEP);
    p.d = call->d;
    p.m = call->m;
    p.n = call->n;
    p.tiles_m = (int)om__ceil_div(call->m, F::ROWS);
    p.tiles_n = (int)om__ceil_div(call->n, F::COLUMNS);
    p.tiles = p.tiles_m * p.tiles_n;
    p.units = (int)(p.tiles * call->batch);
    p.walk = F::IS_LARGE ? 16 : 8;
    p.stages = (int)om__ceil_div(slabs, F::SPLIT);
    p.is_a_once = p.tiles_n == 1;
    p.is_b_once = p.tiles_m == 1;
    p.stage_bytes = (uint32_t)((box_rows + F::COLUMNS) * SLAB * 2 * F::DEEP);
    return p;
}

template <typename T, class F>
static om_status launch(const om_kernel_env *env, const product_call *call, om_error *err)
{
    CUtensorMap map_a, map_b, map_d = {};
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute cluster = {};
    /* Rows below the last need not arrive: what lies there in shared memory ends in rows of d that
     * are not stored. */
    const int box_rows =
        F::A_TURNED ? F::ROWS : (int)om__min_i64(F::ROWS, om__ceil_div(call->m, 8) * 8);
    const product_problem p = problem_of<F>(call, box_rows);
    if (F::A_TURNED)
        OM_TRY(encode<T>(env, &map_a, call->a, call->batch, call->k, call->m, SLAB, SLAB, err));
    else
        OM_TRY(encode<T>(env, &map_a, call->a, call->batch, call->m, call->k, box_rows, SLAB, err));
    if (F::B_TURNED)
        OM_TRY(encode<T>(env, &map_b, call->b, call->batch, call->k, call->n, SLAB, SLAB, err));
    else
        OM_TRY(
            encode<T>(env, &map_b, call->b, call->batch, call->n, call->k, F::COLUMNS, SLAB, err));
    if (F::IS_LARGE)
        OM_TRY(encode<T>(env, &map_d, call->d, call->batch, call->m, call->n, 64, F::BOX, err));
    OM_TRY_CUDA(
        cudaFuncSetAttribute(product<T, F>, cudaFuncAttributeMaxDynamicSharedMemorySize, F::SHARED),
        err);
    config.gridDim = dim3((unsigned)(F::IS_LARGE ? om__min_i64(p.units, env->sm_count)
                                                 : (int64_t)p.units * F::SPLIT));
    config.blockDim = dim3(F::THREADS);
    config.dynamicSmemBytes = F::SHARED;
    config.stream = om__stream(env);
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim.x = F::SPLIT;
    cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
    config.attrs = &cluster;
    config.numAttrs = F::SPLIT > 1 ? 1 : 0;
    OM_TRY_CUDA(cudaLaunchKernelEx(&config, product<T, F>, map_a, map_b, map_d, p), err);
    return om__cuda_launched("product", err);
}

/* ---- which form ---- */

typedef struct candidate {
    int rows, columns, split, deep, blocks;
    bool is_large, in_turns, halves, a_turned, b_turned;
    om_status (*launch)(const om_kernel_env *env, const product_call *call, om_error *err);
} candidate;

template <typename T, class F> static candidate candidate_of(void)
{
    return {F::ROWS,     F::COLUMNS, F::SPLIT,         F::DEEP,          F::ROWS / 64, F::IS_LARGE,
            F::IN_TURNS, F::HALVES,  F::A_TURNED != 0, F::B_TURNED != 0, launch<T, F>};
}

/* Predicted µs: clocks of a multiprocessor and bytes, with constants measured on an H200. */
static double predicted(const candidate *c, const product_call *call, int sm_count)
{
    const int64_t units =
        call->batch * om__ceil_div(call->m, c->rows) * om__ceil_div(call->n, c->columns);
    const double waves = (double)om__ceil_div(units * c->split, sm_count);
    const double busy = (double)om__min_i64(units * c->split, sm_count);
    const double steps = (double)om__ceil_div(om__ceil_div(call->k, 16), c->split);
    double step = c->columns / 2.0, handshake = c->deep > 1 ? 50 : 65;
    if (step < 16 + c->columns / 4.0)
        step = 16 + c->columns / 4.0;
    step *= c->blocks;
    if (c->halves)
        handshake /= 2;
    if (step < handshake)
        step = handshake;
    const double end = 300 + 2100.0 * c->rows * c->columns / 32768 / (c->halves ? 2 : 1);
    /* Blocks that follow others fill their ring anew. */
    const double again = c->is_large ? 0 : (waves - 1) * 1200;
    const double clocks =
        c->in_turns ? waves * steps * step + end : waves * (steps * step + end) + again;
    const double compute = (clocks + 1400) / 1600;
    const double l2 = ((double)units * call->k * 2 * (c->rows + c->columns)) / 16e6;
    const double bytes =
        2.0 * (double)call->batch *
        ((double)call->m * call->k + (double)call->n * call->k + (double)call->m * call->n);
    /* Few blocks do not draw all that memory gives; a persistent one keeps more under way. */
    const double enough = c->in_turns ? 64 : 100;
    double memory = bytes / 3.95e6 * (busy < enough ? enough / busy : 1);
    if (!c->is_large && call->m > c->rows)
        memory *= 1.06; /* b is read by several blocks, not all at one time */
    const double moved = l2 > memory ? l2 : memory;
    const double most = compute > moved ? compute : moved,
                 least = compute > moved ? moved : compute;
    return 1.9 + most + (most < 60 ? 0.15 : 0.03) * least + (c->split > 1 ? 1.9 : 0);
}

static bool serves(const candidate *c, const product_call *call)
{
    return c->a_turned == (call->trans_a != 0) && c->b_turned == (call->trans_b == 0) &&
           (!c->is_large || call->n % 8 == 0);
}

/* Built with OM_GEMM_FORCE, OPMARK_GEMM_FORM in the environment names the form by its number where
 * it serves: each is to be tested on every problem, not on those alone that it is best for. */
static const candidate *choose(const om_kernel_env *env, const product_call *call,
                               const candidate *all, int count)
{
    const candidate *best = NULL;
    double best_time = 0;
#ifdef OM_GEMM_FORCE
    const char *number = getenv("OPMARK_GEMM_FORM");
    if (number != NULL && atoi(number) < count && serves(&all[atoi(number)], call))
        return &all[atoi(number)];
#endif
    for (int i = 0; i < count; i++) {
        if (!serves(&all[i], call))
            continue;
        double time = predicted(&all[i], call, env->sm_count);
        if (best == NULL || time < best_time) {
            best = &all[i];
            best_time = time;
        }
    }
    return best;
}

/*           blocks columns groups how deep ring split [K,M] [K,N] */
typedef form<2, 176, 2, TILES_TURNS, 1, 5, 1, 0, 0> form_turns_176;
typedef form<1, 256, 2, TILES_SHARED, 1, 4, 1, 0, 0> form_shared_256;
typedef form<1, 32, 1, TILES_SHARED, 2, 8, 1, 0, 0> form_64x32;
typedef form<1, 56, 1, TILES_SHARED, 2, 6, 1, 0, 0> form_64x56;
typedef form<1, 32, 2, TILES_SHARED, 2, 5, 2, 0, 0> form_128x32_halves;
typedef form<1, 56, 2, TILES_SHARED, 1, 8, 1, 0, 0> form_128x56;
typedef form<1, 128, 2, STAGES_TURNS, 1, 8, 1, 0, 1> form_64x128_kn;
typedef form<1, 256, 2, TILES_SHARED, 1, 4, 1, 0, 1> form_shared_256_kn;
typedef form<2, 128, 2, TILES_TURNS, 1, 6, 1, 0, 1> form_turns_128_kn;
typedef form<1, 64, 1, TILES_SHARED, 1, 6, 1, 0, 1> form_64x64_kn;
typedef form<1, 128, 2, STAGES_TURNS, 1, 8, 1, 1, 1> form_64x128_km_kn;
typedef form<1, 256, 2, TILES_SHARED, 1, 4, 1, 1, 1> form_shared_256_km_kn;
typedef form<1, 128, 2, STAGES_TURNS, 1, 8, 1, 1, 0> form_64x128_km;
typedef form<1, 256, 2, TILES_SHARED, 1, 4, 1, 1, 0> form_shared_256_km;

template <typename T>
static om_status product_run(const om_kernel_env *env, const product_call *call, om_error *err)
{
    const candidate all[] = {
        candidate_of<T, form_turns_176>(),
        candidate_of<T, form_shared_256>(),
        candidate_of<T, form_64x32>(),
        candidate_of<T, form_64x56>(),
        candidate_of<T, form_128x32_halves>(),
        candidate_of<T, form_128x56>(),
        candidate_of<T, form_64x128_kn>(),
        candidate_of<T, form_shared_256_kn>(),
        candidate_of<T, form_turns_128_kn>(),
        candidate_of<T, form_64x128_km_kn>(),
        candidate_of<T, form_shared_256_km_kn>(),
        candidate_of<T, form_64x128_km>(),
        candidate_of<T, form_shared_256_km>(),

        candidate_of<T, form_64x64_kn>(),
    };
    if (call->batch == 0 || call->m == 0 || call->n == 0)
        return OM_OK;
    if (call->k == 0) {
        OM_TRY_CUDA(cudaMemsetAsync(call->d, 0, (size_t)(call->batch * call->m * call->n) * 2,
                                    om__stream(env)),
                    err);
        return OM_OK;
    }
    return choose(env, call, all, (int)(sizeof all / sizeof *all))->launch(env, call, err);
}

static om_status product_query(const om_kernel_env *env, const product_call *call, om_dtype type,
                               om_error *err)
{
    const om_cuda_state *state = (const om_cuda_state *)env->device_state;
    const om_dtype own = call->dtype == OM_DTYPE_DEFAULT ? OM_BF16 : call->dtype;
    if (own != type)
        return om__error_set(err, OM_UNSUPPORTED, "tensor-core products of bf16 and fp16 alone");
    const bool is_k_inner = !call->trans_a || call->trans_b;
    if ((is_k_inner && call->k % 8 != 0) || (call->trans_a && call->m % 8 != 0) ||
        (!call->trans_b && call->n % 8 != 0))
        return om__error_set(err, OM_UNSUPPORTED,
                             "rows of a or b are no multiple of 16 bytes (M %lld, N %lld, K %lld)",
                             (long long)call->m, (long long)call->n, (long long)call->k);
    /* The bounds multiply up stepwise, so that no product overflows. */
    const int64_t tiles_m = om__ceil_div(call->m, 64), tiles_n = om__ceil_div(call->n, 32);
    if (call->m > INT32_MAX / 2 || call->n > INT32_MAX / 2 || call->k > INT32_MAX / 2 ||
        tiles_m * tiles_n > INT32_MAX / 4 || call->batch > INT32_MAX / 4 ||
        tiles_m * tiles_n * call->batch > INT32_MAX / 4)
        return om__error_set(err, OM_UNSUPPORTED, "more than 2^29 tiles of d");
    if (!om__is_aligned(call->a, 16) || !om__is_aligned(call->b, 16) ||
        !om__is_aligned(call->d, 16))
        return om__error_set(err, OM_UNSUPPORTED, "a tensor does not lie on 16 bytes");
    if (state == NULL || state->encode_tiled == NULL)
        return om__error_set(err, OM_UNSUPPORTED, "the driver has no cuTensorMapEncodeTiled");
    return OM_OK;
}

static product_call call_of_gemm(const void *arguments)
{
    const om_gemm_args *args = (const om_gemm_args *)arguments;
    return {1,       args->m, args->n, args->k, args->dtype, args->trans_a, args->trans_b,
            args->a, args->b, args->d};
}

static product_call call_of_bmm(const void *arguments)
{
    const om_bmm_args *args = (const om_bmm_args *)arguments;
    return {args->batch, args->m, args->n, args->k, args->dtype, 0, 0, args->a, args->b, args->d};
}

/* The kernels of one element type. */
template <om_dtype TYPE, product_call (*CALL)(const void *)>
static om_status query(const om_kernel_env *env, const void *arguments, size_t *workspace_bytes,
                       om_error *err)
{
    const product_call call = CALL(arguments);
    *workspace_bytes = 0;
    return product_query(env, &call, TYPE, err);
}

template <typename T, product_call (*CALL)(const void *)>
static om_status run(const om_kernel_env *env, const void *arguments, void *workspace,
                     om_error *err)
{
    const product_call call = CALL(arguments);
    (void)workspace;
    return product_run<T>(env, &call, err);
}

#endif
