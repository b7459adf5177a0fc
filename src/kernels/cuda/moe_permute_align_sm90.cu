/* SPDX-License-Identifier: Apache-2.0 */
/* moe_permute_align_sm90.cu: sorts the T·K choices by expert into padded blocks, in one launch.
 *
 * Shapes     ids[T,K] i32 -> sorted_token_ids[cap], expert_ids[cap/block],
 *            num_tokens_post_pad[1], all i32; E <= 512, any block size
 * Layout     few: one id a lane. flat, cluster: a block (flat) or a cluster of 8 blocks counts
 *            all ids by shared atomics, those ahead of its own slice apart; ranks inside a slice
 *            come from ballots
 * Schedule   few (up to 32 ids): every warp works everything out by ballots and shuffles. flat
 *            (up to 8,192 ids): slices of 32 or 64 ids, one warp scans the experts.
 *            64 blocks at least, so that filling the tail is spread. cluster (any number of ids):
 *            8 clusters of 8; a block counts an eighth of the ids, totals are pushed to its peers
 * Numerics   integers; the order is that of a stable sort, the same bits on every run
 * Refuses    E > 512; ids or sorted ids not on 16 bytes; few, flat: more than 32 or 8,192 ids, a
 *            block size of 1 or above 2,048
 * Cost       4TK bytes read once a block or cluster, cap + cap/block words written; up to 60 KB
 *            of shared memory, no workspace
 */
#include "kernels/cuda/kernel_util.cuh"

extern "C" {
#include "opmark/moe_permute_align.h"
}

#define ALIGN_MAX_EXPERTS 512
#define ALIGN_FEW_IDS     32
#define FEW_WARPS         4
#define FEW_THREADS       (FEW_WARPS * 32)
#define ALIGN_FLAT_IDS    8192
#define ALIGN_FLAT_BLOCK  2048 /* block numbers by one product: 512 blocks² stay below 2^32 */
#define MIN_BLOCKS        64   /* so that filling the tail is spread */
#define CLUSTER           8
#define CLUSTERS          8
#define CLUSTER_WARPS     16
#define CLUSTER_THREADS   (CLUSTER_WARPS * 32)

typedef struct align_problem {
    const int32_t *ids;
    int32_t *sorted;  /* [cap] */
    int32_t *experts; /* [blocks] */
    int32_t *padded;  /* [1] */
    int32_t count;    /* T·K, and the filler */
    int32_t expert_count;
    int32_t bits; /* of an expert number */
    int32_t cap;
    int32_t blocks;
    int32_t used_cap;    /* no slot at or beyond it is ever used, whatever the ids */
    int32_t used_blocks; /* nor a block at or beyond this */
    int32_t slice;       /* ids a block ranks (flat); a multiple of 32 */
    om_divisor block;
} align_problem;

/* Threads 0..n-1 (this is number i) write `value` to to[begin..end); `to` lies on 16 bytes. */
static __device__ __forceinline__ void fill_words(int32_t *to, int begin, int end, int value, int i,
                                                  int n)
{
    int body = min((begin + 3) & ~3, end), tail = max(end & ~3, body);
    if (i < body - begin)
        to[begin + i] = value;
#pragma unroll 1
    for (int j = body + i * 4; j < tail; j += n * 4)
        *(int4 *)(to + j) = make_int4(value, value, value, value);
    if (tail + i < end)
        to[tail + i] = value;
}

/* What lies beyond every possible use can be filled before anything is known. */
static __device__ __forceinline__ void fill_unused(const align_problem &p, int i, int n)
{
    fill_words(p.sorted, p.used_cap, p.cap, p.count, i, n);
#pragma unroll 1
    for (int j = p.used_blocks + i; j < p.blocks; j += n)
        p.experts[j] = -1;
}

static __device__ __forceinline__ void fill_rest(const align_problem &p, int used_blocks, int i,
                                                 int n)
{
    fill_words(p.sorted, used_blocks * (int)p.block.value, p.used_cap, p.count, i, n);
#pragma unroll 1
    for (int j = used_blocks + i; j < p.used_blocks; j += n)
        p.experts[j] = -1;
}

/* One warp closes expert e's run of `total` slots that begins with block `first`. */
static __device__ __forceinline__ void close_run(const align_problem &p, int e, int first,
                                                 int blocks, int total, int lane)
{
    int block = (int)p.block.value;
#pragma unroll 1
    for (int i = first * block + total + lane; i < (first + blocks) * block; i += 32)
        p.sorted[i] = p.count;
#pragma unroll 1
    for (int i = lane; i < blocks; i += 32)
        p.experts[first + i] = e;
}

/* Four ids at index `at` of the array, -1 beyond the last whole four. */
static __device__ __forceinline__ int4 load_ids(const align_problem &p, int at)
{
    int4 v = make_int4(-1, -1, -1, -1);
    if (at + 3 < p.count)
        v = __ldg((const int4 *)(p.ids + at));
    return v;
}

/* The ids of [begin, end) after the last whole four: one each for threads 0, 1 and 2. */
static __device__ __forceinline__ int load_tail_id(const align_problem &p, int thread, int begin,
                                                   int end)
{
    int at = begin + ((end - begin) & ~3) + thread;
    return thread < 3 && at < end ? __ldg(p.ids + at) : -1;
}

/* Blocks of `total` slots: exact where (total + block) · block stays below 2^32. */
static __device__ __forceinline__ int blocks_of(const align_problem &p, int total)
{
    return (int)__umulhi((uint32_t)total + p.block.value - 1, p.block.factor);
}

/* counts[0]: ids ahead of the block's own, counts[1]: the others; the fourth place from the end
 * takes the ids of no expert. */
template <int PLACES>
static __device__ __forceinline__ void count_id(int (*counts)[PLACES], int id, int experts,
                                                bool is_before)
{
    int place = (unsigned)id < (unsigned)experts ? id : PLACES - 4;
    atomicAdd(&counts[0][place] + (is_before ? 0 : PLACES), 1);
}

template <int PLACES>
static __device__ __forceinline__ void count_ids(int (*counts)[PLACES], int4 v, int experts,
                                                 int ahead)
{
    count_id(counts, v.x, experts, ahead > 0);
    count_id(counts, v.y, experts, ahead > 1);
    count_id(counts, v.z, experts, ahead > 2);
    count_id(counts, v.w, experts, ahead > 3);
}

/* ---- few: at most one id a lane; every warp works everything out in registers ---- */

static __global__ void __launch_bounds__(FEW_THREADS) align_few(align_problem p)
{
    const int tid = threadIdx.x, warp = tid >> 5, lane = tid & 31;
    const int thread = blockIdx.x * FEW_THREADS + tid, threads = gridDim.x * FEW_THREADS;
    const int id = lane < p.count ? __ldg(p.ids + lane) : -1;
    fill_unused(p, thread, threads);

    const bool valid = (unsigned)id < (unsigned)p.expert_count;
    const uint32_t equal = om__lanes_equal(id, valid, p.bits);
    const int total = __popc(equal), rank = __popc(equal & ((1u << lane) - 1));
    /* The first lane of an expert stands for its run. */
    const int blocks = valid && rank == 0 ? blocks_of(p, total) : 0;
    const int packed = id << 16 | blocks;
    int first = 0;
#pragma unroll 4
    for (int j = 0; j < p.count; j++) {
        int other = __shfl_sync(OM_FULL_WARP, packed, j);
        first += other >> 16 < id ? other & 0xffff : 0;
    }
    const int used = __reduce_add_sync(OM_FULL_WARP, blocks);
    if (blockIdx.x == 0 && warp == 0) {
        if (valid)
            p.sorted[first * (int)p.block.value + rank] = lane;
        if (lane == 0)
            p.padded[0] = used * (int)p.block.value;
    }
    const uint32_t runs = __ballot_sync(OM_FULL_WARP, blocks > 0);
#pragma unroll 1
    for (int j = warp * gridDim.x + blockIdx.x; j < p.count; j += FEW_WARPS * gridDim.x)
        if (runs >> j & 1)
            close_run(p, __shfl_sync(OM_FULL_WARP, id, j), __shfl_sync(OM_FULL_WARP, first, j),
                      __shfl_sync(OM_FULL_WARP, blocks, j), __shfl_sync(OM_FULL_WARP, total, j),
                      lane);
    fill_rest(p, used, thread, threads);
}

/* ---- flat: L experts a lane, W warps, of which OWN hold 32 ids of the slice each ---- */

template <int L, int W, int OWN, int V>
static __global__ void __launch_bounds__(W * 32, 1) align_flat(align_problem p)
{
    __shared__ __align__(16) int counts[2][32 * L + 4], slots[32 * L];
    __shared__ int used_blocks;
    __shared__ __align__(16) int warp_counts[OWN > 1 ? OWN : 1][OWN > 1 ? 32 * L : 4];
    const int tid = threadIdx.x, warp = tid >> 5, lane = tid & 31;
    const int own = min((int)blockIdx.x * p.slice, p.count);
    const int mine = own + warp * 32 + lane;
    const int thread = blockIdx.x * W * 32 + tid, threads = gridDim.x * W * 32;

    int4 v[V];
#pragma unroll
    for (int i = 0; i < V; i++)
        v[i] = load_ids(p, (tid + i * W * 32) * 4);
    const int tail = load_tail_id(p, tid, 0, p.count);
    int id = -1;
    if (warp < OWN && mine < min(own + p.slice, p.count))
        id = __ldg(p.ids + mine);
#pragma unroll 1
    for (int i = tid; i < 8 * L; i += W * 32) {
        ((int4 *)counts[0])[i] = make_int4(0, 0, 0, 0);
        ((int4 *)counts[1])[i] = make_int4(0, 0, 0, 0);
        if (OWN > 1)
#pragma unroll
            for (int w = 0; w < OWN; w++)
                ((int4 *)warp_counts[w])[i] = make_int4(0, 0, 0, 0);
    }
    fill_unused(p, thread, threads);
    __syncthreads();

#pragma unroll
    for (int i = 0; i < V; i++) {
        count_ids(counts, v[i], p.expert_count, own - (tid + i * W * 32) * 4);
    }
    if (tid < 3)
        count_id(counts, tail, p.expert_count, (p.count & ~3) + tid < own);
    const bool valid = (unsigned)id < (unsigned)p.expert_count;
    int rank = 0;
    if (warp < OWN && own + warp * 32 < p.count) {
        uint32_t equal = om__lanes_equal(id, valid, p.bits);
        rank = __popc(equal & ((1u << lane) - 1));
        if (OWN > 1 && valid && rank == 0)
            warp_counts[warp][id] = __popc(equal);
    }
    __syncthreads();

    /* One warp scans the experts; lane l has those from l·L on. slots: where an expert's ids of
     * this slice begin. */
    if (warp == 0) {
        int ahead[L], first[L], blocks = 0;
#pragma unroll
        for (int i = 0; i < L; i += 4) {
            int4 a = *(const int4 *)(counts[0] + lane * L + i);
            int4 r = *(const int4 *)(counts[1] + lane * L + i);
            int total[4] = {a.x + r.x, a.y + r.y, a.z + r.z, a.w + r.w};
            *(int4 *)(ahead + i) = a;
#pragma unroll
            for (int j = 0; j < 4; j++) {
                first[i + j] = blocks;
                blocks += blocks_of(p, total[j]);
            }
        }
        const int until = om__warp_scan(blocks, lane);
#pragma unroll
        for (int i = 0; i < L; i++)
            ahead[i] += (until - blocks + first[i]) * (int)p.block.value;
#pragma unroll
        for (int i = 0; i < L; i += 4)
            *(int4 *)(slots + lane * L + i) = *(const int4 *)(ahead + i);
        if (lane == 31) {
            used_blocks = until;
            if (blockIdx.x == 0)
                p.padded[0] = until * (int)p.block.value;
        }
    }
    __syncthreads();
    if (valid) {
        int slot = slots[id] + rank;
        if (OWN > 1)
#pragma unroll
            for (int w = 0; w < OWN - 1; w++)
                if (w < warp)
                    slot += warp_counts[w][id];
        p.sorted[slot] = mine;
    }
    /* Every warp of the grid closes the runs of its share of the experts. */
#pragma unroll 1
    for (int e = warp * gridDim.x + blockIdx.x; e < p.expert_count; e += W * gridDim.x) {
        int total = counts[0][e] + counts[1][e], start = slots[e] - counts[0][e];
        close_run(p, e, blocks_of(p, start), blocks_of(p, total), total, lane);
    }
    fill_rest(p, used_blocks, thread, threads);
}

/* ---- cluster: any number of ids ---- */

static __device__ __forceinline__ void cluster_arrive_relaxed(void)
{
    asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
}
static __device__ __forceinline__ void cluster_arrive(void)
{
    asm volatile("barrier.cluster.arrive.aligned;" ::: "memory");
}
static __device__ __forceinline__ void cluster_wait(void)
{
    asm volatile("barrier.cluster.wait.aligned;" ::: "memory");
}

static __device__ __forceinline__ void store_to_peer(int *here, int peer, int value)
{
    asm volatile("{\n.reg .b32 there;\n"
                 "mapa.shared::cluster.u32 there, %0, %1;\n"
                 "st.shared::cluster.u32 [there], %2;\n}" ::"r"(om__shared_address(here)),
                 "r"(peer), "r"(value)
                 : "memory");
}

static __global__ void __cluster_dims__(CLUSTER, 1, 1) __launch_bounds__(CLUSTER_THREADS, 1)
    align_cluster(align_problem p)
{
    extern __shared__ int warp_counts[]; /* [CLUSTER_WARPS][expert_count] */
    __shared__ int counts[2][ALIGN_MAX_EXPERTS + 4];
    __shared__ int totals[CLUSTER][ALIGN_MAX_EXPERTS];
    __shared__ int run_first[ALIGN_MAX_EXPERTS], run_total[ALIGN_MAX_EXPERTS];
    __shared__ int next[ALIGN_MAX_EXPERTS]; /* slot of the next id of this block's slice */
    __shared__ int warp_sums[CLUSTER_WARPS];
    const int tid = threadIdx.x, warp = tid >> 5, lane = tid & 31, experts = p.expert_count;
    const int rank = blockIdx.x % CLUSTER, cluster = blockIdx.x / CLUSTER;
    const int thread = blockIdx.x * CLUSTER_THREADS + tid, threads = gridDim.x * CLUSTER_THREADS;
    cluster_arrive_relaxed(); /* peers exist before anything is pushed to them */

    /* This block counts the ids [begin, end) and ranks those of [own, own_end). */
    const int eighth = ((p.count + CLUSTER - 1) / CLUSTER + 3) & ~3;
    const int begin = min(rank * eighth, p.count), end = min(begin + eighth, p.count);
    const int own = min(begin + cluster * p.slice, end), own_end = min(own + p.slice, end);
    const int vectors = (end - begin) >> 2; /* begin is a multiple of 4 */
    int4 v[2];
#pragma unroll
    for (int i = 0; i < 2; i++)
        v[i] = tid + i * CLUSTER_THREADS < vectors
                   ? load_ids(p, begin + (tid + i * CLUSTER_THREADS) * 4)
                   : make_int4(-1, -1, -1, -1);
    const int tail = load_tail_id(p, tid, begin, end);
    int id = own + tid < own_end ? __ldg(p.ids + own + tid) : -1;
    if (tid < experts) {
        counts[0][tid] = 0;
        counts[1][tid] = 0;
    }
#pragma unroll 1
    for (int i = tid; i < CLUSTER_WARPS * experts; i += CLUSTER_THREADS)
        warp_counts[i] = 0;
    fill_unused(p, thread, threads);
    __syncthreads();

#pragma unroll 1
    for (int at = 0; at < vectors; at += 2 * CLUSTER_THREADS) {
#pragma unroll
        for (int i = 0; i < 2; i++) {
            int j = at + tid + i * CLUSTER_THREADS, index = begin + j * 4;
            if (at > 0)
                v[i] = j < vectors ? load_ids(p, index) : make_int4(-1, -1, -1, -1);
            count_ids(counts, v[i], experts, own - index);
        }
    }
    if (tid < 3)
        count_id(counts, tail, experts, begin + ((end - begin) & ~3) + tid < own);
    __syncthreads();

    int ahead = 0, total = 0;
    if (tid < experts) {
        ahead = counts[0][tid];
        total = ahead + counts[1][tid];
    }
    cluster_wait();
    if (tid < experts)
#pragma unroll
        for (int peer = 0; peer < CLUSTER; peer++)
            store_to_peer(&totals[rank][tid], peer, total);
    cluster_arrive();
    cluster_wait();
    total = 0;
    if (tid < experts)
#pragma unroll
        for (int r = 0; r < CLUSTER; r++) {
            int n = totals[r][tid];
            ahead += r < rank ? n : 0;
            total += n;
        }
    int blocks =
        tid < experts ? (int)om__fast_div((uint32_t)total + p.block.value - 1, p.block) : 0;
    int until = om__warp_scan(blocks, lane);
    if (lane == 31)
        warp_sums[warp] = until;
    __syncthreads();
    int base = 0, used = 0;
#pragma unroll
    for (int w = 0; w < CLUSTER_WARPS; w++) {
        base += w < warp ? warp_sums[w] : 0;
        used += warp_sums[w];
    }
    const int first = base + until - blocks;
    if (tid < experts) {
        run_first[tid] = first;
        run_total[tid] = total;
        next[tid] = first * (int)p.block.value + ahead;
    }
    if (blockIdx.x == 0 && tid == 0)
        p.padded[0] = used * (int)p.block.value;

    /* Rounds of one id a thread. */
    for (int at = own; at < own_end; at += CLUSTER_THREADS) {
        if (at > own)
            id = at + tid < own_end ? __ldg(p.ids + at + tid) : -1;
        const bool valid = (unsigned)id < (unsigned)experts;
        uint32_t equal = om__lanes_equal(id, valid, p.bits);
        int place = __popc(equal & ((1u << lane) - 1));
        if (valid && place == 0)
            warp_counts[warp * experts + id] = __popc(equal);
        __syncthreads();
        if (valid) {
            int slot = next[id] + place;
#pragma unroll 1
            for (int w = 0; w < warp; w++)
                slot += warp_counts[w * experts + id];
            p.sorted[slot] = at + tid;
        }
        if (at + CLUSTER_THREADS >= own_end)
            break;
        __syncthreads();
        if (tid < experts) {
            int sum = 0;
#pragma unroll 1
            for (int w = 0; w < CLUSTER_WARPS; w++) {
                sum += warp_counts[w * experts + tid];
                warp_counts[w * experts + tid] = 0;
            }
            next[tid] += sum;
        }
        __syncthreads();
    }
    __syncthreads();
    for (int e = warp * gridDim.x + blockIdx.x; e < experts; e += CLUSTER_WARPS * gridDim.x) {
        int t = run_total[e];
        int n = (int)om__fast_div((uint32_t)t + p.block.value - 1, p.block);
        close_run(p, e, run_first[e], n, t, lane);
    }
    fill_rest(p, used, thread, threads);
}

/* ---- host side ---- */

static align_problem problem_of(const om_moe_permute_align_args *args)
{
    align_problem p;
    const int64_t block = args->block_size, count = args->t * args->k;
    p.ids = args->ids;
    p.sorted = args->sorted_token_ids;
    p.experts = args->expert_ids;
    p.padded = args->num_tokens_post_pad;
    p.count = (int32_t)count;
    p.expert_count = (int32_t)args->e;
    p.bits = 0;
    while (((int64_t)1 << p.bits) < args->e)
        p.bits++;
    int64_t cap = count + (args->e + 1) * (block - 1);
    int64_t used = om__min_i64(cap, count + om__min_i64(count, args->e) * (block - 1));
    p.cap = (int32_t)cap;
    p.blocks = (int32_t)om__ceil_div(cap, block);
    p.used_cap = (int32_t)used;
    p.used_blocks = (int32_t)(used / block);
    p.slice = 32;
    p.block = om__divisor((uint32_t)block);
    return p;
}

static om_status query_common(const om_moe_permute_align_args *args, om_error *err)
{
    if (args->e > ALIGN_MAX_EXPERTS)
        return om__error_set(err, OM_UNSUPPORTED, "more than %d experts", ALIGN_MAX_EXPERTS);
    if (!om__is_aligned(args->ids, 16) || !om__is_aligned(args->sorted_token_ids, 16))
        return om__error_set(err, OM_UNSUPPORTED, "ids or sorted ids do not lie on 16 bytes");
    return OM_OK;
}

static om_status query_flat(const om_kernel_env *env, const void *arguments,
                            size_t *workspace_bytes, om_error *err)
{
    const om_moe_permute_align_args *args = (const om_moe_permute_align_args *)arguments;
    (void)env;
    *workspace_bytes = 0;
    if (args->t * args->k > ALIGN_FLAT_IDS)
        return om__error_set(err, OM_UNSUPPORTED, "more than %d ids", ALIGN_FLAT_IDS);
    if (args->block_size < 2 || args->block_size > ALIGN_FLAT_BLOCK)
        return om__error_set(err, OM_UNSUPPORTED, "blocks of 1 or more than %d", ALIGN_FLAT_BLOCK);
    return query_common(args, err);
}

static om_status query_few(const om_kernel_env *env, const void *arguments, size_t *workspace_bytes,
                           om_error *err)
{
    const om_moe_permute_align_args *args = (const om_moe_permute_align_args *)arguments;
    OM_TRY(query_flat(env, arguments, workspace_bytes, err));
    if (args->t * args->k > ALIGN_FEW_IDS)
        return om__error_set(err, OM_UNSUPPORTED, "more than %d ids", ALIGN_FEW_IDS);
    return OM_OK;
}

static om_status run_few(const om_kernel_env *env, const void *arguments, void *workspace,
                         om_error *err)
{
    align_problem p = problem_of((const om_moe_permute_align_args *)arguments);
    (void)workspace;
    align_few<<<MIN_BLOCKS, FEW_THREADS, 0, om__stream(env)>>>(p);
    return om__cuda_launched("moe_permute_align", err);
}

template <int W, int OWN, int V> static void launch_flat(align_problem p, cudaStream_t stream)
{
    p.slice = 32 * OWN;
    unsigned blocks = (unsigned)om__max_i64(MIN_BLOCKS, om__ceil_div(p.count, p.slice));
    if (p.expert_count <= 128)
        align_flat<4, W, OWN, V><<<blocks, W * 32, 0, stream>>>(p);
    else if (p.expert_count <= 256)
        align_flat<8, W, OWN, V><<<blocks, W * 32, 0, stream>>>(p);
    else if (p.expert_count <= 384)
        align_flat<12, W, OWN, V><<<blocks, W * 32, 0, stream>>>(p);
    else
        align_flat<16, W, OWN, V><<<blocks, W * 32, 0, stream>>>(p);
}

static om_status run_flat(const om_kernel_env *env, const void *arguments, void *workspace,
                          om_error *err)
{
    align_problem p = problem_of((const om_moe_permute_align_args *)arguments);
    (void)workspace;
    if (p.count <= 512)
        launch_flat<4, 1, 1>(p, om__stream(env));
    else if (p.count <= 4096)
        launch_flat<16, 2, 2>(p, om__stream(env));
    else
        launch_flat<16, 2, 4>(p, om__stream(env));
    return om__cuda_launched("moe_permute_align", err);
}

static om_status query_cluster(const om_kernel_env *env, const void *arguments,
                               size_t *workspace_bytes, om_error *err)
{
    (void)env;
    *workspace_bytes = 0;
    return query_common((const om_moe_permute_align_args *)arguments, err);
}

static om_status run_cluster(const om_kernel_env *env, const void *arguments, void *workspace,
                             om_error *err)
{
    align_problem p = problem_of((const om_moe_permute_align_args *)arguments);
    int shared = CLUSTER_WARPS * p.expert_count * (int)sizeof(int);
    (void)workspace;
    p.slice = (int32_t)(om__ceil_div(om__ceil_div(p.count, CLUSTER) + 3, CLUSTERS * 32) * 32);
    OM_TRY_CUDA(cudaFuncSetAttribute(align_cluster, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                     CLUSTER_WARPS * ALIGN_MAX_EXPERTS * (int)sizeof(int)),
                err);
    align_cluster<<<CLUSTER * CLUSTERS, CLUSTER_THREADS, shared, om__stream(env)>>>(p);
    return om__cuda_launched("moe_permute_align", err);
}

extern "C" {
extern const om_kernel om_moe_permute_align_sm90_i32__few;
const om_kernel om_moe_permute_align_sm90_i32__few = {
    "om_moe_permute_align_sm90_i32__few",
    "moe_permute_align",
    "forward",
    OM_ISA_DEFAULT,
    0,
    query_few,
    run_few,
};
extern const om_kernel om_moe_permute_align_sm90_i32__flat;
const om_kernel om_moe_permute_align_sm90_i32__flat = {
    "om_moe_permute_align_sm90_i32__flat",
    "moe_permute_align",
    "forward",
    OM_ISA_DEFAULT,
    0,
    query_flat,
    run_flat,
};
extern const om_kernel om_moe_permute_align_sm90_i32__cluster_8;
const om_kernel om_moe_permute_align_sm90_i32__cluster_8 = {
    "om_moe_permute_align_sm90_i32__cluster_8",
    "moe_permute_align",
    "forward",
    OM_ISA_DEFAULT,
    0,
    query_cluster,
    run_cluster,
};
}
