/* SPDX-License-Identifier: Apache-2.0 */
/* moe_permute_sm90.cu: copies the rows of tokens into expert order and says where they went, in one
 * launch.
 *
 * Shapes     hidden[T,H], ids[T,K] i32, optional expert_map[E] i32 -> perm_h[T·K,H], offsets and
 *            sizes[E_local] i32, first_token_offset[E_local+1] i64, fwd_idx[T·K] i32; rows are
 * bytes, so dtype only sets their length Layout     pieces: a block holds one 2-KB piece of a token
 * in registers. ring: a block per SM keeps a ring of whole rows in shared memory Schedule   pieces:
 * a block compares its token's K experts with all ids (no histogram, no scan) and writes its piece
 * to the K slots; further blocks count for 31 experts each. ring: bulk loads of the first rows fly
 * while the block counts all ids by shared atomics and ranks its own tokens by ballots; then one
 * warp sends every row to its slots by bulk stores Numerics   copies bits; a stable sort, the same
 * bits on every run Refuses    ring: rows not a multiple of 16 B or above 36 KB, E_local > 512,
 * misaligned tensors, fewer than 1,024 ids Cost       reads T·H once, writes it up to K times; no
 * workspace; ring up to 220 KB of shared memory
 */
#include "kernels/cuda/kernel_util.cuh"

extern "C" {
#include "opmark/moe_permute.h"
}

#define NOT_LOCAL      0x7fffffff
#define PIECE_THREADS  128
#define PIECE_IDS      (PIECE_THREADS * 4) /* ids a block looks at in one go */
#define EXPERTS_BLOCK  31                  /* lane 31 counts the neighbour's first expert */
#define RING_MIN_IDS   1024
#define RING_WARPS     16
#define RING_THREADS   (RING_WARPS * 32)
#define RING_EXPERTS   512
#define RING_ROWS      12
#define RING_LAG       4 /* bulk stores a lane leaves in flight before a row's place is refilled */
#define RING_BYTES     (180 * 1024)
#define RING_ROW_LIMIT (RING_BYTES / (RING_LAG + 1))

typedef struct permute_problem {
    const uint8_t *hidden;
    const int32_t *ids;
    const int32_t *map; /* NULL: local experts are the ids */
    uint8_t *rows;
    int32_t *offsets;
    int32_t *sizes;
    int64_t *first;
    int32_t *slots; /* fwd_idx */
    int64_t row_bytes;
    int32_t tokens;
    int32_t count; /* T·K */
    int32_t k;
    int32_t experts;   /* E */
    int32_t local;     /* E_local */
    int32_t bits;      /* of a local expert number */
    om_divisor pieces; /* of a row; pieces only */
    int32_t expert_blocks;
    int32_t ring; /* rows of the ring; ring only */
} permute_problem;

/* The local expert of an id, NOT_LOCAL where another rank owns it. */
static __device__ __forceinline__ int local_expert(const permute_problem &p, int id)
{
    if ((unsigned)id >= (unsigned)p.experts)
        return NOT_LOCAL;
    int local = p.map ? __ldg(p.map + id) : id;
    return (unsigned)local < (unsigned)p.local ? local : NOT_LOCAL;
}

/* ---- pieces ---- */

/* A block beyond those of the tokens: offsets and sizes of 31 experts, lane l of every warp for
 * expert 31b + l; each warp looks at a quarter of the ids. */
static __device__ __forceinline__ void count_experts(const permute_problem &p, int number,
                                                     int *staged)
{
    __shared__ int parts[PIECE_THREADS / 32][32];
    const int tid = threadIdx.x, warp = tid >> 5, lane = tid & 31;
    const int expert = number * EXPERTS_BLOCK + lane;
    int below = 0;
#pragma unroll 1
    for (int at = 0; at < p.count; at += PIECE_IDS) {
        if (at > 0)
            __syncthreads();
#pragma unroll
        for (int i = 0; i < PIECE_IDS / PIECE_THREADS; i++) {
            int f = at + i * PIECE_THREADS + tid;
            staged[i * PIECE_THREADS + tid] =
                f < p.count ? local_expert(p, __ldg(p.ids + f)) : NOT_LOCAL;
        }
        __syncthreads();
        /* Four ids a read, the same for the whole warp. */
        const int here = min(p.count - at, PIECE_IDS), quads = (here + 3) >> 2;
#pragma unroll 4
        for (int i = warp; i < quads; i += PIECE_THREADS / 32) {
            int4 v = ((const int4 *)staged)[i];
            below += (v.x < expert) + (v.y < expert) + (v.z < expert) + (v.w < expert);
        }
    }
    parts[warp][lane] = below;
    __syncthreads();
    if (warp > 0)
        return;
    below = 0;
#pragma unroll
    for (int w = 0; w < PIECE_THREADS / 32; w++)
        below += parts[w][lane];
    int next = __shfl_down_sync(OM_FULL_WARP, below, 1);
    if (lane < EXPERTS_BLOCK && expert < p.local) {
        p.offsets[expert] = below;
        p.sizes[expert] = next - below;
        p.first[expert] = below;
    }
    if (lane < EXPERTS_BLOCK && expert == p.local)
        p.first[expert] = below;
}

/* Slots of choices k0 … k0+7 of a token: how many ids go before each. Every thread of the block
 * gets them in slot[]; -1: not local, or beyond K. */
static __device__ __forceinline__ void find_slots(const permute_problem &p, int token, int k0,
                                                  int *slot)
{
    __shared__ __align__(16) int parts[8][PIECE_THREADS / 32];
    const int tid = threadIdx.x, warp = tid >> 5, lane = tid & 31;
    const int own = token * p.k; /* flat index of the token's first choice */
    int mine = NOT_LOCAL;
    if (lane < 8 && k0 + lane < p.k)
        mine = __ldg(p.ids + own + k0 + lane);
    int v[PIECE_IDS / PIECE_THREADS];
#pragma unroll
    for (int i = 0; i < PIECE_IDS / PIECE_THREADS; i++) {
        int f = i * PIECE_THREADS + tid;
        v[i] = f < p.count ? __ldg(p.ids + f) : -1;
    }
    if (lane < 8 && k0 + lane < p.k)
        mine = local_expert(p, mine);
    int want[8], before[8];
#pragma unroll
    for (int k = 0; k < 8; k++) {
        want[k] = __shfl_sync(OM_FULL_WARP, mine, k);
        before[k] = 0;
    }
#pragma unroll 1
    for (int at = 0; at < p.count; at += PIECE_IDS) {
#pragma unroll
        for (int i = 0; i < PIECE_IDS / PIECE_THREADS; i++) {
            int f = at + i * PIECE_THREADS + tid;
            if (at > 0)
                v[i] = f < p.count ? __ldg(p.ids + f) : -1;
            if (f - tid >= p.count)
                break;
            int expert = local_expert(p, v[i]);
            /* An equal expert goes first where its flat index is lower. Those of other tokens are
             * all lower or all higher; a lower one counts as half a step less. */
            if (expert != NOT_LOCAL) {
                int bound = expert - (f < own ? 1 : 0);
#pragma unroll
                for (int k = 0; k < 8; k++) {
                    bool sooner = bound < want[k];
                    if (f >= own && f < own + k0 + k)
                        sooner = expert <= want[k];
                    before[k] += sooner;
                }
            }
        }
    }
#pragma unroll
    for (int k = 0; k < 8; k++) {
        int sum = __reduce_add_sync(OM_FULL_WARP, before[k]);
        if (lane == k)
            parts[k][warp] = sum;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 8; k++) {
        int4 q = *(const int4 *)parts[k];
        slot[k] = want[k] == NOT_LOCAL ? -1 : q.x + q.y + q.z + q.w;
    }
}

/* UNIT: the widest access that rows and pointers allow. */
template <typename UNIT>
static __global__ void __launch_bounds__(PIECE_THREADS) permute_pieces(permute_problem p)
{
    __shared__ __align__(16) int staged[PIECE_IDS];
    const int tid = threadIdx.x;
    /* The expert blocks come first: they look longest. */
    if (blockIdx.x < (unsigned)p.expert_blocks) {
        count_experts(p, blockIdx.x, staged);
        return;
    }
    const uint32_t number = blockIdx.x - p.expert_blocks;
    const int token = om__fast_div(number, p.pieces), piece = number - token * p.pieces.value;
    const int64_t unit = (int64_t)piece * PIECE_THREADS + tid;
    const bool inside = unit * (int64_t)sizeof(UNIT) < p.row_bytes;
    UNIT value = {};
    if (inside)
        value = om__load_once((const UNIT *)(p.hidden + token * p.row_bytes) + unit);
    for (int k0 = 0; k0 < p.k; k0 += 8) {
        int slot[8];
        if (k0 > 0)
            __syncthreads();
        find_slots(p, token, k0, slot);
#pragma unroll
        for (int k = 0; k < 8; k++) {
            if (inside && slot[k] >= 0)
                ((UNIT *)(p.rows + slot[k] * p.row_bytes))[unit] = value;
            if (piece == 0 && tid == k && k0 + k < p.k)
                p.slots[(int64_t)token * p.k + k0 + k] = slot[k];
        }
    }
}

/* ---- ring ---- */

static __device__ __forceinline__ void barrier_init(uint32_t barrier)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(barrier) : "memory");
}

/* Loads a row into shared memory; the barrier's phase ends when it is there. */
static __device__ __forceinline__ void row_load(uint32_t to, const uint8_t *from, uint32_t bytes,
                                                uint32_t barrier)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes)
                 : "memory");
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, "
        "[%3];" ::"r"(to),
        "l"(from), "r"(bytes), "r"(barrier)
        : "memory");
}

static __device__ __forceinline__ void barrier_wait(uint32_t barrier, uint32_t parity)
{
    asm volatile("{\n.reg .pred done;\n"
                 "again:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
                 "@!done bra again;\n}" ::"r"(barrier),
                 "r"(parity)
                 : "memory");
}

static __device__ __forceinline__ void row_store(uint8_t *to, uint32_t from, uint32_t bytes)
{
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(from),
                 "r"(bytes)
                 : "memory");
}

template <int LEFT> static __device__ __forceinline__ void stores_wait_read(void)
{
    asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(LEFT) : "memory");
}

typedef struct ring_shared {
    int before[RING_EXPERTS], rest[RING_EXPERTS]; /* ids ahead of the block's own, and the others */
    int next[RING_EXPERTS];                       /* slot of the block's next id of an expert */
    int warp_counts[RING_WARPS][RING_EXPERTS];
    int slots[RING_THREADS]; /* of the tokens of this round */
    int warp_sums[RING_WARPS];
    int map[RING_EXPERTS]; /* expert_map, where E allows */
    uint64_t barriers[RING_ROWS];
} ring_shared;

static __device__ __forceinline__ int ring_local(const permute_problem &p, const ring_shared *s,
                                                 int id)
{
    if ((unsigned)id >= (unsigned)p.experts)
        return NOT_LOCAL;
    int local = p.map ? (p.experts <= RING_EXPERTS ? s->map[id] : __ldg(p.map + id)) : id;
    return (unsigned)local < (unsigned)p.local ? local : NOT_LOCAL;
}

/* Counts all ids; `own` is the flat index of the block's first. */
static __device__ __forceinline__ void ring_count(const permute_problem &p, ring_shared *s, int own)
{
    const int quads = (p.count + 3) >> 2;
#pragma unroll 1
    for (int at = threadIdx.x; at < quads; at += 4 * RING_THREADS) {
        int4 v[4];
#pragma unroll
        for (int i = 0; i < 4; i++) {
            int q = at + i * RING_THREADS;
            v[i] = make_int4(-1, -1, -1, -1);
            if (q * 4 + 3 < p.count)
                v[i] = __ldg((const int4 *)p.ids + q);
            else if (q < quads) {
                v[i].x = __ldg(p.ids + q * 4);
                v[i].y = q * 4 + 1 < p.count ? __ldg(p.ids + q * 4 + 1) : -1;
                v[i].z = q * 4 + 2 < p.count ? __ldg(p.ids + q * 4 + 2) : -1;
            }
        }
#pragma unroll
        for (int i = 0; i < 4; i++) {
            int f = (at + i * RING_THREADS) * 4;
            int id[4] = {v[i].x, v[i].y, v[i].z, v[i].w};
#pragma unroll
            for (int j = 0; j < 4; j++) {
                int local = ring_local(p, s, id[j]);
                if (local != NOT_LOCAL)
                    atomicAdd((f + j < own ? s->before : s->rest) + local, 1);
            }
        }
    }
}

/* Slots of the ids [from, until) into s->slots, one a thread; moves s->next on where more follow.
 */
static __device__ __forceinline__ void ring_rank(const permute_problem &p, ring_shared *s, int from,
                                                 int until, bool more)
{
    const int tid = threadIdx.x, warp = tid >> 5, lane = tid & 31, f = from + tid;
    int local = f < until ? ring_local(p, s, __ldg(p.ids + f)) : NOT_LOCAL;
    const bool valid = local != NOT_LOCAL;
    uint32_t equal = om__lanes_equal(local, valid, p.bits);
    int place = __popc(equal & ((1u << lane) - 1));
    if (valid && place == 0)
        s->warp_counts[warp][local] = __popc(equal);
    __syncthreads();
    if (f < until) {
        int slot = -1;
        if (valid) {
            slot = s->next[local] + place;
            for (int w = 0; w < warp; w++)
                slot += s->warp_counts[w][local];
        }
        s->slots[tid] = slot;
        p.slots[f] = slot;
    }
    if (more) {
        __syncthreads();
        for (int e = tid; e < p.local; e += RING_THREADS) {
            int sum = 0;
            for (int w = 0; w < RING_WARPS; w++) {
                sum += s->warp_counts[w][e];
                s->warp_counts[w][e] = 0;
            }
            s->next[e] += sum;
        }
    }
    __syncthreads();
}

static __global__ void __launch_bounds__(RING_THREADS, 1) permute_ring(permute_problem p)
{
    extern __shared__ __align__(128) uint8_t ring_memory[];
    __shared__ ring_shared s;
    const int tid = threadIdx.x, warp = tid >> 5, lane = tid & 31;
    const uint32_t bytes = (uint32_t)p.row_bytes;
    const uint32_t ring = om__shared_address(ring_memory),
                   barriers = om__shared_address(s.barriers);
    const int first_token = (int)((int64_t)p.tokens * blockIdx.x / gridDim.x);
    const int last_token = (int)((int64_t)p.tokens * (blockIdx.x + 1) / gridDim.x);

    if (tid == 0) {
        for (int i = 0; i < p.ring; i++)
            barrier_init(barriers + 8 * i);
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        for (int i = 0; i < p.ring && first_token + i < last_token; i++)
            row_load(ring + i * bytes, p.hidden + (first_token + i) * p.row_bytes, bytes,
                     barriers + 8 * i);
    }
    for (int e = tid; e < p.local; e += RING_THREADS) {
        s.before[e] = 0;
        s.rest[e] = 0;
#pragma unroll
        for (int w = 0; w < RING_WARPS; w++)
            s.warp_counts[w][e] = 0;
    }
    if (p.map && p.experts <= RING_EXPERTS && tid < p.experts)
        s.map[tid] = __ldg(p.map + tid);
    __syncthreads();
    ring_count(p, &s, first_token * p.k);
    __syncthreads();

    const int ahead = tid < p.local ? s.before[tid] : 0;
    const int total = tid < p.local ? ahead + s.rest[tid] : 0;
    const int until = om__warp_scan(total, lane);
    if (lane == 31)
        s.warp_sums[warp] = until;
    __syncthreads();
    int base = 0;
#pragma unroll
    for (int w = 0; w < RING_WARPS; w++)
        base += w < warp ? s.warp_sums[w] : 0;
    const int first = base + until - total;
    if (tid < p.local)
        s.next[tid] = first + ahead;
    if (blockIdx.x == 0 && tid < p.local) {
        p.offsets[tid] = first;
        p.sizes[tid] = total;
        p.first[tid] = first;
        if (tid == p.local - 1)
            p.first[p.local] = first + total;
    }
    __syncthreads();

    /* Rounds of as many tokens as have one id a thread; usually one. */
    const int step = RING_THREADS / p.k;
    int place = 0;
    uint32_t parity = 0;
    for (int from = first_token; from < last_token; from += step) {
        const int end = min(from + step, last_token);
        ring_rank(p, &s, from * p.k, end * p.k, end < last_token);
        if (warp > 0)
            continue;
        for (int token = from; token < end; token++) {
            barrier_wait(barriers + 8 * place, parity);
            for (int k = lane; k < p.k; k += 32) {
                int slot = s.slots[(token - from) * p.k + k];
                if (slot >= 0)
                    row_store(p.rows + slot * p.row_bytes, ring + place * bytes, bytes);
            }
            asm volatile("cp.async.bulk.commit_group;" ::: "memory");
            stores_wait_read<RING_LAG>();
            __syncwarp();
            /* The place of the token RING_LAG back is free; its successor moves in. */
            int freed = token - RING_LAG, moving = freed + p.ring;
            if (lane == 0 && freed >= first_token && moving < last_token) {
                int there = place >= RING_LAG ? place - RING_LAG : place - RING_LAG + p.ring;
                row_load(ring + there * bytes, p.hidden + moving * p.row_bytes, bytes,
                         barriers + 8 * there);
            }
            if (++place == p.ring) {
                place = 0;
                parity ^= 1;
            }
        }
    }
    if (warp == 0)
        stores_wait_read<0>();
}

/* ---- host side ---- */

static permute_problem problem_of(const om_moe_permute_args *args)
{
    permute_problem p;
    p.hidden = (const uint8_t *)args->hidden;
    p.ids = args->ids;
    p.map = args->has_map ? args->expert_map : NULL;
    p.rows = (uint8_t *)args->perm_h;
    p.offsets = args->offsets;
    p.sizes = args->sizes;
    p.first = args->first_token_offset;
    p.slots = args->fwd_idx;
    p.row_bytes = args->h * (om_dtype_bits(args->dtype) / 8);
    p.tokens = (int32_t)args->t;
    p.k = (int32_t)args->k;
    p.count = p.tokens * p.k;
    p.experts = (int32_t)args->e;
    p.local = (int32_t)(args->e_local ? args->e_local : args->e);
    p.bits = 0;
    while ((1 << p.bits) < p.local)
        p.bits++;
    p.pieces = om__divisor(1);
    p.expert_blocks = 0;
    p.ring = 0;
    return p;
}

static bool rows_aligned(const permute_problem &p, size_t alignment)
{
    return p.row_bytes % (int64_t)alignment == 0 && om__is_aligned(p.hidden, alignment) &&
           om__is_aligned(p.rows, alignment);
}

static om_status query_pieces(const om_kernel_env *env, const void *arguments,
                              size_t *workspace_bytes, om_error *err)
{
    const om_moe_permute_args *args = (const om_moe_permute_args *)arguments;
    (void)env;
    *workspace_bytes = 0;
    int64_t pieces = om__ceil_div(args->h * 4, PIECE_THREADS * 2) + 1;
    if (args->t > 0 && pieces > ((int64_t)1 << 30) / args->t)
        return om__error_set(err, OM_UNSUPPORTED, "too many pieces for one launch");
    return OM_OK;
}

template <typename UNIT> static void launch_pieces(permute_problem p, cudaStream_t stream)
{
    int64_t units = p.row_bytes / (int64_t)sizeof(UNIT);
    p.pieces = om__divisor((uint32_t)om__max_i64(1, om__ceil_div(units, PIECE_THREADS)));
    p.expert_blocks = p.local / EXPERTS_BLOCK + 1;
    unsigned blocks = (unsigned)p.tokens * p.pieces.value + (unsigned)p.expert_blocks;
    permute_pieces<UNIT><<<blocks, PIECE_THREADS, 0, stream>>>(p);
}

static om_status run_pieces(const om_kernel_env *env, const void *arguments, void *workspace,
                            om_error *err)
{
    permute_problem p = problem_of((const om_moe_permute_args *)arguments);
    (void)workspace;
    if (rows_aligned(p, 16))
        launch_pieces<uint4>(p, om__stream(env));
    else if (rows_aligned(p, 4))
        launch_pieces<uint32_t>(p, om__stream(env));
    else
        launch_pieces<uint16_t>(p, om__stream(env));
    return om__cuda_launched("moe_permute", err);
}

static om_status query_ring(const om_kernel_env *env, const void *arguments,
                            size_t *workspace_bytes, om_error *err)
{
    permute_problem p = problem_of((const om_moe_permute_args *)arguments);
    (void)env;
    *workspace_bytes = 0;
    if (p.count < RING_MIN_IDS)
        return om__error_set(err, OM_UNSUPPORTED, "fewer than %d ids", RING_MIN_IDS);
    if (p.k > RING_THREADS || p.local > RING_EXPERTS)
        return om__error_set(err, OM_UNSUPPORTED, "more than %d local experts, or choices a token",
                             RING_EXPERTS);
    if (p.row_bytes == 0 || p.row_bytes > RING_ROW_LIMIT)
        return om__error_set(err, OM_UNSUPPORTED, "rows of no or more than %d bytes",
                             RING_ROW_LIMIT);
    if (!rows_aligned(p, 16) || !om__is_aligned(p.ids, 16))
        return om__error_set(err, OM_UNSUPPORTED, "rows or ids do not lie on 16 bytes");
    return OM_OK;
}

static om_status run_ring(const om_kernel_env *env, const void *arguments, void *workspace,
                          om_error *err)
{
    permute_problem p = problem_of((const om_moe_permute_args *)arguments);
    (void)workspace;
    p.ring = (int32_t)om__min_i64(RING_ROWS, RING_BYTES / p.row_bytes);
    unsigned blocks = (unsigned)om__min_i64(p.tokens, env->sm_count);
    int shared = (int)(p.ring * p.row_bytes);
    OM_TRY_CUDA(
        cudaFuncSetAttribute(permute_ring, cudaFuncAttributeMaxDynamicSharedMemorySize, RING_BYTES),
        err);
    permute_ring<<<blocks, RING_THREADS, shared, om__stream(env)>>>(p);
    return om__cuda_launched("moe_permute", err);
}

extern "C" {
extern const om_kernel om_moe_permute_sm90_any__ring;
const om_kernel om_moe_permute_sm90_any__ring = {
    "om_moe_permute_sm90_any__ring",
    "moe_permute",
    "forward",
    OM_ISA_DEFAULT,
    0,
    query_ring,
    run_ring,
};
extern const om_kernel om_moe_permute_sm90_any__pieces;
const om_kernel om_moe_permute_sm90_any__pieces = {
    "om_moe_permute_sm90_any__pieces",
    "moe_permute",
    "forward",
    OM_ISA_DEFAULT,
    0,
    query_pieces,
    run_pieces,
};
}
