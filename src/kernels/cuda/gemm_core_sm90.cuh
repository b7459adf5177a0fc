/* SPDX-License-Identifier: Apache-2.0 */
/* gemm_core_sm90.cuh: the tensor-core product of Hopper and the choice of its tile, for one element
 * type of 2 bytes; a source file a type makes a kernel of it.
 *
 * Shapes     d = a · b with a [M,K] and b [N,K] or [K,N]
 * Layout     tiles of 64 of k arrive by the copy engine in a ring under the 128-byte swizzle, one
 * or two of them a stage; the engine fills what lies beyond a tensor with zeros Schedule   one
 * thread loads, warpgroups multiply. Large problems: persistent blocks, and two warpgroups that
 * take tiles in turns, so that one stores while the other multiplies (128x176), or share one
 * (128x256). Few rows: one tile a block, of as few columns as give every multiprocessor one, and
 * two blocks of a cluster that halve K Numerics   sums in f32 in the order of the tensor core, the
 * halves of K added in one order, one rounding at the end; the same bits on every run Refuses    a
 * stored [K,M], rows of a or b not on 16 bytes Cost       2 M N K flop; a tile reads (rows +
 * columns) · K elements, mostly from L2; no workspace
 */
#ifndef OM_KERNELS_CUDA_GEMM_CORE_SM90_CUH
#define OM_KERNELS_CUDA_GEMM_CORE_SM90_CUH

#include <stdlib.h>
#include <type_traits>

#include "kernels/cuda/hopper.cuh"
#include "kernels/cuda/kernel_util.cuh"

extern "C" {
#include "core/cuda/device_cuda.h"
#include "opmark/gemm.h"
}

#define SLAB        64   /* of k: 128 bytes */
#define PIECE       16   /* columns of a box of d */
#define PIECE_BYTES 2048 /* 64 rows of it */
#define WARPGROUP   128  /* threads */
#define MOST_SHARED 232448

enum { BARRIER_STAGING = 1, BARRIER_TURN = 5 }; /* and the warpgroup's number */

typedef struct product_problem {
    void *d;
    int64_t m, n;
    int tiles_m, tiles_n;
    int units;     /* tiles of d */
    int walk;      /* tiles of m side by side in the order of units */
    int stages;    /* of K, of a block */
    int is_b_once; /* one row of tiles: b is read by one block alone */
    uint32_t stage_bytes;
} product_problem;

/* One form of the kernel. BLOCKS: of 64 rows, a warpgroup. */
template <int BLOCKS_, int COLUMNS_, int GROUPS_, bool IN_TURNS_, int DEEP_, int RING_, int SPLIT_,
          int TRANSPOSED_>
struct form {
    static constexpr int BLOCKS = BLOCKS_, COLUMNS = COLUMNS_, GROUPS = GROUPS_, DEEP = DEEP_;
    static constexpr int RING = RING_, SPLIT = SPLIT_;
    static constexpr int TRANSPOSED = TRANSPOSED_; /* b stored [K,N] */
    static constexpr bool IN_TURNS = IN_TURNS_;
    static constexpr bool IS_LARGE = COLUMNS >= 176; /* persistent, d stored by the copy engine */
    static constexpr int ROWS = IN_TURNS ? 64 * BLOCKS : 64 * BLOCKS * GROUPS;
    static constexpr int THREADS = (GROUPS + 1) * WARPGROUP;
    static constexpr int STAGE = (ROWS + COLUMNS) * SLAB * 2 * DEEP;
    static constexpr int PIECES = IN_TURNS ? 6 : 8; /* staged at a time, a warpgroup */
    static constexpr int STAGING = IS_LARGE ? GROUPS * PIECES * PIECE_BYTES : 0;
    static constexpr int PARTIAL = SPLIT > 1 ? ROWS *COLUMNS * 4 : 0;
    static constexpr int SHARED = 1024 + RING * STAGE + STAGING + PARTIAL + RING * 16;
    static_assert(SHARED <= MOST_SHARED, "too much shared memory");
    static_assert(SPLIT == 1 || !IS_LARGE, "a persistent block meets its partner once only");
    static_assert(!TRANSPOSED || COLUMNS % 64 == 0, "a stored [K,N] comes in slabs of 64 columns");
};

/* Tiles in groups of `walk` rows of tiles, forth and back along n. */
static __device__ __forceinline__ void place_of(const product_problem &p, int unit, int *m, int *n)
{
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

template <class F>
static __device__ __forceinline__ void load_all(const CUtensorMap *map_a, const CUtensorMap *map_b,
                                                const product_problem &p, uint32_t ring,
                                                uint32_t barriers, int rank)
{
    const uint64_t once = om__policy_once();
    int slot = 0;
    uint32_t parity = 1;
    for (int unit = blockIdx.x / F::SPLIT; unit < p.units; unit += gridDim.x / F::SPLIT) {
        int m, n;
        place_of(p, unit, &m, &n);
        int k = rank * p.stages * SLAB * F::DEEP;
        for (int i = 0; i < p.stages; i++) {
            const uint32_t a = ring + slot * F::STAGE, b = a + F::ROWS * SLAB * 2 * F::DEEP;
            const uint32_t full = barriers + slot * 16;
            om__barrier_wait(full + 8, parity);
            om__barrier_expect(full, p.stage_bytes);
#pragma unroll
            for (int deep = 0; deep < F::DEEP; deep++) {
                const uint32_t to = b + deep * F::COLUMNS * SLAB * 2;
                om__box_load(a + deep * F::ROWS * SLAB * 2, map_a, k, m * F::ROWS, full);
                if constexpr (F::TRANSPOSED) {
#pragma unroll
                    for (int j = 0; j < F::COLUMNS / 64; j++)
                        om__box_load(to + j * 8192, map_b, n * F::COLUMNS + j * 64, k, full);
                } else if (p.is_b_once) {
                    om__box_load_by(to, map_b, k, n * F::COLUMNS, full, once);
                } else {
                    om__box_load(to, map_b, k, n * F::COLUMNS, full);
                }
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

/* Through shared memory, in boxes of 16 columns under the 32-byte swizzle. */
template <typename T, class F>
static __device__ __forceinline__ void store_boxes(const float (&sum)[F::BLOCKS][F::COLUMNS / 2],
                                                   const CUtensorMap *map_d, uint32_t staging,
                                                   int group, int row, int column)
{
    const int thread = threadIdx.x % WARPGROUP, lane = thread % 32;
    const int at_row = thread / 32 * 16 + lane % 16;
    const uint32_t at = staging + at_row * 32 + ((lane / 16 ^ (at_row >> 2 & 1)) << 4);
    constexpr int ALL = F::COLUMNS / PIECE;
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
                    om__matrices_store(at + i * PIECE_BYTES, packed(x[0], x[1], T()),
                                       packed(x[2], x[3], T()), packed(x[4], x[5], T()),
                                       packed(x[6], x[7], T()));
                }
            om__fence_proxy();
            om__named_sync(BARRIER_STAGING + group, WARPGROUP);
            if (thread == 0) {
#pragma unroll
                for (int i = 0; i < F::PIECES; i++)
                    if (first + i < ALL)
                        om__box_store(map_d, staging + i * PIECE_BYTES,
                                      column + (first + i) * PIECE, row + block * 64);
                om__stores_commit();
            }
        }
}

/* From registers; any number of columns. */
template <typename T, class F>
static __device__ __forceinline__ void store_plain(const float (&sum)[F::BLOCKS][F::COLUMNS / 2],
                                                   const product_problem &p, int row, int column)
{
    const int thread = threadIdx.x % WARPGROUP, lane = thread % 32;
    const int first_row = row + thread / 32 * 16 + lane / 4, first_column = column + lane % 4 * 2;
    const bool in_pairs = p.n % 2 == 0;
#pragma unroll
    for (int block = 0; block < F::BLOCKS; block++)
#pragma unroll
        for (int half = 0; half < 2; half++) {
            const int64_t i = first_row + block * 64 + half * 8;
            if (i >= p.m)
                continue;
            T *to = (T *)p.d + i * p.n;
#pragma unroll
            for (int j = 0; j < F::COLUMNS / 8; j++) {
                const int64_t at = first_column + 8 * j;
                const float x = sum[block][4 * j + 2 * half], y = sum[block][4 * j + 2 * half + 1];
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

/* ---- the multiplying warpgroups ---- */

template <typename T, class F>
static __device__ __forceinline__ void
multiply_all(const CUtensorMap *map_d, const product_problem &p, uint32_t ring, uint32_t staging,
             uint32_t partial, uint32_t barriers, int group, int rank)
{
    float sum[F::BLOCKS][F::COLUMNS / 2];
    const int lane = threadIdx.x % 32, step = gridDim.x / F::SPLIT;
    const int own_rows = F::IN_TURNS ? 0 : group * F::BLOCKS * 64;
    const uint64_t a_first = om__matrix_k_major(ring + own_rows * 128);
    const uint32_t b_address = ring + F::ROWS * SLAB * 2 * F::DEEP;
    const uint64_t b_first =
        F::TRANSPOSED ? om__matrix_mn_major(b_address) : om__matrix_k_major(b_address);
    constexpr int B_STEP = F::TRANSPOSED ? 128 : 2; /* 16 of k, in units of 16 bytes */
    const int skipped = F::IN_TURNS ? p.stages : 0;
    int slot = 0;
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
        int m, n, previous = 0;
        place_of(p, unit, &m, &n);
        /* A wait far ahead in the ring would pass on the wrong parity: the turns are kept. */
        if (F::IN_TURNS)
            om__named_sync(BARRIER_TURN + group, 2 * WARPGROUP);
        for (int i = 0; i < p.stages; i++) {
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
                        om_product<T, F::COLUMNS, F::TRANSPOSED>::run(
                            sum[block], a + deep * F::ROWS * 8 + block * 512 + k * 2,
                            b + deep * F::COLUMNS * 8 + k * B_STEP, (i | deep | k) != 0);
            om__products_commit();
            om__products_wait<1>();
            if (i > 0 && lane == 0)
                om__barrier_arrive(barriers + previous * 16 + 8);
            previous = slot;
            if (++slot == F::RING) {
                slot = 0;
                parity ^= 1;
            }
        }
        if (F::IN_TURNS && unit + step < p.units)
            om__named_arrive(BARRIER_TURN + (group ^ 1), 2 * WARPGROUP);
        om__products_wait<0>();
        if (lane == 0)
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
            store_boxes<T, F>(sum, map_d, staging + group * F::PIECES * PIECE_BYTES, group, row,
                              column);
        else
            store_plain<T, F>(sum, p, row, column);
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
    if (threadIdx.x == 0) {
        for (int i = 0; i < F::RING; i++) {
            om__barrier_init(barriers + i * 16, 1);
            om__barrier_init(barriers + i * 16 + 8, 4 * (F::IN_TURNS ? 1 : F::GROUPS));
        }
        om__barriers_publish();
    }
    if constexpr (F::SPLIT > 1)
        om__cluster_sync();
    else
        __syncthreads();
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

/* A packed matrix [outer][inner] in boxes. */
template <typename T>
static om_status encode(const om_kernel_env *env, CUtensorMap *map, const void *base, int64_t outer,
                        int64_t inner, int box_outer, int box_inner, om_error *err)
{
    const om_cuda_state *state = (const om_cuda_state *)env->device_state;
    const cuuint64_t sizes[2] = {(cuuint64_t)inner, (cuuint64_t)outer};
    const cuuint64_t pitch[1] = {(cuuint64_t)inner * 2};
    const cuuint32_t box[2] = {(cuuint32_t)box_inner, (cuuint32_t)box_outer}, steps[2] = {1, 1};
    CUresult result = ((encode_function)state->encode_tiled)(
        map,
        std::is_same<T, __half>::value ? CU_TENSOR_MAP_DATA_TYPE_FLOAT16
                                       : CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
        2, (void *)base, sizes, pitch, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
        box_inner == SLAB ? CU_TENSOR_MAP_SWIZZLE_128B : CU_TENSOR_MAP_SWIZZLE_32B,
        CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    if (result != CUDA_SUCCESS)
        return om__error_set(err, OM_DEVICE, "cuTensorMapEncodeTiled: error %d", (int)result);
    return OM_OK;
}

template <typename T, class F>
static om_status launch(const om_kernel_env *env, const om_gemm_args *args, om_error *err)
{
    CUtensorMap map_a, map_b, map_d = {};
    product_problem p = {};
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute cluster = {};
    const int64_t slabs = om__ceil_div(args->k, SLAB * F::DEEP);
    p.d = args->d;
    p.m = args->m;
    p.n = args->n;
    p.tiles_m = (int)om__ceil_div(args->m, F::ROWS);
    p.tiles_n = (int)om__ceil_div(args->n, F::COLUMNS);
    p.units = p.tiles_m * p.tiles_n;
    p.walk = F::COLUMNS >= 176 ? 16 : 8;
    p.stages = (int)om__ceil_div(slabs, F::SPLIT);
    p.is_b_once = p.tiles_m == 1;
    /* Rows below the last need not arrive: what lies there in shared memory ends in rows of d that
     * are not stored. */
    const int box_rows = (int)om__min_i64(F::ROWS, om__ceil_div(args->m, 8) * 8);
    p.stage_bytes = (uint32_t)((box_rows + F::COLUMNS) * SLAB * 2 * F::DEEP);
    OM_TRY(encode<T>(env, &map_a, args->a, args->m, args->k, box_rows, SLAB, err));
    if (F::TRANSPOSED)
        OM_TRY(encode<T>(env, &map_b, args->b, args->k, args->n, SLAB, SLAB, err));
    else
        OM_TRY(encode<T>(env, &map_b, args->b, args->n, args->k, F::COLUMNS, SLAB, err));
    if (F::IS_LARGE)
        OM_TRY(encode<T>(env, &map_d, args->d, args->m, args->n, 64, PIECE, err));
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
    return om__cuda_launched("gemm", err);
}

/* ---- which form ---- */

typedef struct candidate {
    int rows, columns, split, deep, blocks;
    bool is_large, in_turns, transposed;
    om_status (*launch)(const om_kernel_env *env, const om_gemm_args *args, om_error *err);
} candidate;

template <typename T, class F> static candidate candidate_of(void)
{
    return {F::ROWS,     F::COLUMNS,  F::SPLIT,           F::DEEP,     F::ROWS / 64,
            F::IS_LARGE, F::IN_TURNS, F::TRANSPOSED != 0, launch<T, F>};
}

/* Predicted µs: clocks of a multiprocessor and bytes, with constants measured on an H200. */
static double predicted(const candidate *c, const om_gemm_args *args, int sm_count)
{
    const int64_t units = om__ceil_div(args->m, c->rows) * om__ceil_div(args->n, c->columns);
    const double waves = (double)om__ceil_div(units * c->split, sm_count);
    const double busy = (double)om__min_i64(units * c->split, sm_count);
    const double steps = (double)om__ceil_div(om__ceil_div(args->k, 16), c->split);
    double step = c->columns / 2.0, handshake = c->deep > 1 ? 50 : 65;
    if (step < 16 + c->columns / 4.0)
        step = 16 + c->columns / 4.0;
    step *= c->blocks;
    if (step < handshake)
        step = handshake;
    const double end = 300 + 2100.0 * c->rows * c->columns / 32768;
    const double clocks = c->in_turns ? waves * steps * step + end : waves * (steps * step + end);
    const double compute = (clocks + 1400) / 1600;
    const double l2 = ((double)units * args->k * 2 * (c->rows + c->columns)) / 16e6;
    const double bytes =
        2.0 * ((double)args->m * args->k + (double)args->n * args->k + (double)args->m * args->n);
    const double memory = bytes / 3.95e6 * (busy < 100 ? 100 / busy : 1);
    const double moved = l2 > memory ? l2 : memory;
    const double most = compute > moved ? compute : moved,
                 least = compute > moved ? moved : compute;
    return 1.9 + most + (most < 60 ? 0.15 : 0.03) * least + (c->split > 1 ? 1.9 : 0);
}

static bool serves(const candidate *c, const om_gemm_args *args)
{
    return c->transposed == (args->trans_b == 0) && (!c->is_large || args->n % 8 == 0);
}

/* Built with OM_GEMM_FORCE, OPMARK_GEMM_FORM in the environment names the form by its number where
 * it serves: each is to be tested on every problem, not on those alone that it is best for. */
static const candidate *choose(const om_kernel_env *env, const om_gemm_args *args,
                               const candidate *all, int count)
{
    const candidate *best = NULL;
    double best_time = 0;
#ifdef OM_GEMM_FORCE
    const char *number = getenv("OPMARK_GEMM_FORM");
    if (number != NULL && atoi(number) < count && serves(&all[atoi(number)], args))
        return &all[atoi(number)];
#endif
    for (int i = 0; i < count; i++) {
        if (!serves(&all[i], args))
            continue;
        double time = predicted(&all[i], args, env->sm_count);
        if (best == NULL || time < best_time) {
            best = &all[i];
            best_time = time;
        }
    }
    return best;
}

/*            blocks columns groups turns deep ring split [K,N] */
typedef form<2, 176, 2, true, 1, 5, 1, 0> form_turns_176;
typedef form<1, 256, 2, false, 1, 4, 1, 0> form_shared_256;
typedef form<1, 32, 1, false, 2, 8, 1, 0> form_64x32;
typedef form<1, 56, 1, false, 2, 6, 1, 0> form_64x56;
typedef form<1, 32, 2, false, 2, 5, 2, 0> form_128x32_halves;
typedef form<1, 56, 2, false, 1, 8, 1, 0> form_128x56;
typedef form<1, 128, 1, false, 1, 8, 1, 1> form_64x128_kn;
typedef form<1, 256, 2, false, 1, 4, 1, 1> form_shared_256_kn;

template <typename T>
static om_status product_run(const om_kernel_env *env, const om_gemm_args *args, om_error *err)
{
    const candidate all[] = {
        candidate_of<T, form_turns_176>(),     candidate_of<T, form_shared_256>(),
        candidate_of<T, form_64x32>(),         candidate_of<T, form_64x56>(),
        candidate_of<T, form_128x32_halves>(), candidate_of<T, form_128x56>(),
        candidate_of<T, form_64x128_kn>(),     candidate_of<T, form_shared_256_kn>(),

    };
    if (args->m == 0 || args->n == 0)
        return OM_OK;
    if (args->k == 0) {
        OM_TRY_CUDA(cudaMemsetAsync(args->d, 0, (size_t)(args->m * args->n) * 2, om__stream(env)),
                    err);
        return OM_OK;
    }
    return choose(env, args, all, (int)(sizeof all / sizeof *all))->launch(env, args, err);
}

static om_status product_query(const om_kernel_env *env, const om_gemm_args *args, om_dtype type,
                               om_error *err)
{
    const om_cuda_state *state = (const om_cuda_state *)env->device_state;
    const om_dtype own = args->dtype == OM_DTYPE_DEFAULT ? OM_BF16 : args->dtype;
    if (own != type)
        return om__error_set(err, OM_UNSUPPORTED, "tensor-core products of bf16 and fp16 alone");
    if (args->trans_a)
        return om__error_set(err, OM_UNSUPPORTED, "no tensor-core product with a stored [K,M]");
    if (args->k % 8 != 0 || (!args->trans_b && args->n % 8 != 0))
        return om__error_set(err, OM_UNSUPPORTED,
                             "rows of a or b are no multiple of 16 bytes (K %lld, N %lld)",
                             (long long)args->k, (long long)args->n);
    if (args->m > INT32_MAX / 2 || args->n > INT32_MAX / 2 || args->k > INT32_MAX / 2 ||
        om__ceil_div(args->m, 64) * om__ceil_div(args->n, 32) > INT32_MAX / 4)
        return om__error_set(err, OM_UNSUPPORTED, "more than 2^29 tiles of d");
    if (!om__is_aligned(args->a, 16) || !om__is_aligned(args->b, 16) ||
        !om__is_aligned(args->d, 16))
        return om__error_set(err, OM_UNSUPPORTED, "a tensor does not lie on 16 bytes");
    if (state == NULL || state->encode_tiled == NULL)
        return om__error_set(err, OM_UNSUPPORTED, "the driver has no cuTensorMapEncodeTiled");
    return OM_OK;
}

#endif
