/* SPDX-License-Identifier: Apache-2.0 */
/* moe_permute_sm90.cu: copies the rows of tokens into expert order and says where they went, in
 * one launch.
 *
 * Shapes     hidden[T,H], ids[T,K] i32, optional expert_map[E] i32 -> perm_h[T·K,H], offsets and
 *            sizes[E_local] i32, first_token_offset[E_local+1] i64, fwd_idx[T·K] i32; rows are
 *            bytes, so dtype only sets their length
 * Layout     pieces: a block holds one 2-KB piece of a token in registers. ring: a block per
 *            multiprocessor keeps a ring of whole rows in shared memory
 * Schedule   pieces: a block compares its token's K experts with all ids (no histogram, no scan)
 *            and writes its piece to the K slots; further blocks count for 31 experts a warp or
 *            block. ring: bulk loads of the first rows fly while the block counts all ids by
 *            shared atomics and ranks its own tokens by ballots; then one warp sends every row to
 *            its slots by bulk stores
 * Numerics   copies bits; a stable sort, the same bits on every run
 * Refuses    ring: rows not a multiple of 16 bytes or above 36 KB, more than 512 experts,
 *            misaligned tensors, fewer than 1,024 ids
 * Cost       reads T·H once, writes it up to K times; no workspace; ring up to 220 KB of shared
 *            memory
 */
#include "kernels/cuda/kernel_util.cuh"

extern "C" {
#include "opmark/moe_permute.h"
}

#define NOT_LOCAL      0x7fffffff
#define PIECE_THREADS  128
#define PIECE_WARPS    (PIECE_THREADS / 32)
#define PIECE_IDS      (PIECE_THREADS * 2) /* ids a block looks at in one go */
#define EXPERTS_WARP   31 /* lane 31 counts for the first expert of the next warp */
#define FEW_IDS        32
#define RING_MIN_IDS   1024
#define RING_WARPS     16
#define RING_COUNTERS  (RING_WARPS * 32)
#define RING_THREADS   (RING_COUNTERS + 32) /* and the warp that copies */
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
    int32_t row_bytes;
    int32_t tokens;
    int32_t count; /* T·K */
    int32_t k;
    int32_t experts;   /* E */
    int32_t local;     /* E_local */
    int32_t bits;      /* of a local expert number */
    om_divisor pieces; /* of a row; pieces only */
    int32_t expert_blocks;
    int32_t ring;      /* rows of the ring; ring only */
    int32_t ring_step; /* tokens of a round; ring only */
} permute_problem;

/* The local expert of an id, NOT_LOCAL where another rank owns it. map may lie in shared memory. */
template <bool MAP>
static __device__ __forceinline__ int local_expert(const permute_problem &p, const int32_t *map,
                                                   int id)
{
    if ((unsigned)id >= (unsigned)p.experts)
        return NOT_LOCAL;
    if (MAP)
        id = map[id];
    return (unsigned)id < (unsigned)p.local ? id : NOT_LOCAL;
}

/* ---- pieces ---- */

/* Lane l of a warp has counted the ids below expert `expert`, and lane l + 1 those below the next.
 */
static __device__ __forceinline__ void write_expert(const permute_problem &p, int expert, int below,
                                                    int lane)
{
    int next = __shfl_down_sync(OM_FULL_WARP, below, 1);
    if (lane < EXPERTS_WARP && expert < p.local) {
        p.offsets[expert] = below;
        p.sizes[expert] = next - below;
    }
    if (lane < EXPERTS_WARP && expert <= p.local)
        p.first[expert] = below;
}

/* A block ahead of those of the tokens: offsets and sizes of 31 experts; each warp looks at a
 * quarter of the ids. */
template <bool MAP>
static __device__ __forceinline__ void count_experts(const permute_problem &p, int number)
{
    __shared__ __align__(16) int staged[PIECE_IDS];
    __shared__ int parts[PIECE_WARPS][32];
    const int tid = threadIdx.x, warp = tid >> 5, lane = tid & 31;
    const int expert = number * EXPERTS_WARP + lane;
    int below = 0;
#pragma unroll 1
    for (int at = 0; at < p.count; at += PIECE_IDS) {
        if (at > 0)
            __syncthreads();
#pragma unroll
        for (int i = tid; i < PIECE_IDS; i += PIECE_THREADS)
            staged[i] =
                at + i < p.count ? local_expert<MAP>(p, p.map, __ldg(p.ids + at + i)) : NOT_LOCAL;
        __syncthreads();
        /* Four ids a read, the same for the whole warp. */
        const int quads = (min(p.count - at, PIECE_IDS) + 3) >> 2;
#pragma unroll 2
        for (int i = warp; i < quads; i += PIECE_WARPS) {
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
    for (int w = 0; w < PIECE_WARPS; w++)
        below += parts[w][lane];
    write_expert(p, expert, below, lane);
}

/* The slot of choice k0 + lane of a token, in lanes 0 to 7 of each warp: how many ids go before it.
 * -1: not local, or beyond K. */
template <bool MAP>
static __device__ __forceinline__ int find_slot(const permute_problem &p, int token, int k0)
{
    __shared__ __align__(16) int parts[32][PIECE_WARPS];
    const int tid = threadIdx.x, warp = tid >> 5, lane = tid & 31;
    const int own = token * p.k + k0; /* flat index of the first of these choices */
    int v[PIECE_IDS / PIECE_THREADS], mine = -1;
    if (lane < 8 && k0 + lane < p.k)
        mine = __ldg(p.ids + own + lane);
#pragma unroll
    for (int i = 0; i < PIECE_IDS / PIECE_THREADS; i++)
        v[i] = i * PIECE_THREADS + tid < p.count ? __ldg(p.ids + i * PIECE_THREADS + tid) : -1;
    mine = local_expert<MAP>(p, p.map, mine);
    int want[8], before[8], twins = 0;
#pragma unroll
    for (int k = 0; k < 8; k++) {
        want[k] = __shfl_sync(OM_FULL_WARP, mine, k);
        before[k] = 0;
        twins += k < lane && want[k] == mine; /* equal experts among these choices go by number */
    }
#pragma unroll 1
    for (int at = 0; at < p.count; at += PIECE_IDS) {
#pragma unroll
        for (int i = 0; i < PIECE_IDS / PIECE_THREADS; i++) {
            int f = at + i * PIECE_THREADS + tid;
            if (at > 0)
                v[i] = f < p.count ? __ldg(p.ids + f) : -1;
            /* Of equal experts the lower flat index goes first, so it counts as half a step less.
             */
            int expert = local_expert<MAP>(p, p.map, v[i]);
            int bound = expert == NOT_LOCAL || f >= own ? expert : expert - 1;
#pragma unroll
            for (int k = 0; k < 8; k++)
                before[k] += bound < want[k];
        }
    }
#pragma unroll
    for (int k = 0; k < 8; k++) {
        int sum = __reduce_add_sync(OM_FULL_WARP, before[k]);
        if (lane == k)
            parts[k][warp] = sum;
    }
    __syncthreads();
    int4 q = *(const int4 *)parts[lane];
    return lane >= 8 || mine == NOT_LOCAL ? -1 : q.x + q.y + q.z + q.w + twins;
}

/* The same where ids are few: every warp looks at all of them, and nothing is shared. */
template <bool MAP>
static __device__ __forceinline__ int find_slot_alone(const permute_problem &p, int token, int k0)
{
    const int lane = threadIdx.x & 31, own = token * p.k + k0;
    int v[FEW_IDS / 32], mine = -1, slot = -1;
#pragma unroll
    for (int i = 0; i < FEW_IDS / 32; i++)
        v[i] = i * 32 + lane < p.count ? __ldg(p.ids + i * 32 + lane) : -1;
    if (lane < 8 && k0 + lane < p.k)
        mine = __ldg(p.ids + own + lane);
    mine = local_expert<MAP>(p, p.map, mine);
#pragma unroll
    for (int i = 0; i < FEW_IDS / 32; i++)
        v[i] = local_expert<MAP>(p, p.map, v[i]);
#pragma unroll
    for (int k = 0; k < 8; k++) {
        const int want = __shfl_sync(OM_FULL_WARP, mine, k);
        int before = 0;
#pragma unroll
        for (int i = 0; i < FEW_IDS / 32; i++)
            before += __popc(
                __ballot_sync(OM_FULL_WARP, v[i] - (i * 32 + lane < own + k ? 1 : 0) < want));
        if (lane == k && want != NOT_LOCAL)
            slot = before;
    }
    return slot;
}

template <bool MAP>
static __device__ __forceinline__ void count_experts_alone(const permute_problem &p, int number)
{
    const int lane = threadIdx.x & 31;
    const int expert = (number * PIECE_WARPS + (threadIdx.x >> 5)) * EXPERTS_WARP + lane;
    int below = 0;
#pragma unroll 1
    for (int i = 0; i < p.count; i += 32) {
        int v = i + lane < p.count ? __ldg(p.ids + i + lane) : -1;
        v = local_expert<MAP>(p, p.map, v);
#pragma unroll 4
        for (int j = 0; j < min(32, p.count - i); j++)
            below += __shfl_sync(OM_FULL_WARP, v, j) < expert;
    }
    write_expert(p, expert, below, lane);
}

/* UNIT: the widest access that rows and pointers allow. FEW: at most FEW_IDS ids. */
template <typename UNIT, bool MAP, bool FEW>
static __global__ void __launch_bounds__(PIECE_THREADS) permute_pieces(permute_problem p)
{
    const int tid = threadIdx.x;
    /* The expert blocks come first: they look longest. */
    if (blockIdx.x < (unsigned)p.expert_blocks) {
        if (FEW)
            count_experts_alone<MAP>(p, blockIdx.x);
        else
            count_experts<MAP>(p, blockIdx.x);
        return;
    }
    const uint32_t number = blockIdx.x - p.expert_blocks;
    const int token = om__fast_div(number, p.pieces), piece = number - token * p.pieces.value;
    const uint32_t offset = (piece * PIECE_THREADS + tid) * (uint32_t)sizeof(UNIT);
    const bool inside = offset < (uint32_t)p.row_bytes;
    UNIT value = {};
    if (inside)
        value = om__load_once((const UNIT *)(p.hidden + (int64_t)token * p.row_bytes + offset));
#pragma unroll 1
    for (int k0 = 0; k0 < p.k; k0 += 8) {
        if (!FEW && k0 > 0)
            __syncthreads();
        const int mine = FEW ? find_slot_alone<MAP>(p, token, k0) : find_slot<MAP>(p, token, k0);
        if (piece == 0 && tid < 8 && k0 + tid < p.k)
            p.slots[(int64_t)token * p.k + k0 + tid] = mine;
#pragma unroll
        for (int k = 0; k < 8; k++) {
            int slot = __shfl_sync(OM_FULL_WARP, mine, k);
            if (inside && slot >= 0)
                *(UNIT *)(p.rows + (int64_t)slot * p.row_bytes + offset) = value;
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
    int counts[2][RING_EXPERTS + 4]; /* ids ahead of the block's own, and the others; the place
                                        after the last expert takes those of other ranks */
    int next[RING_EXPERTS];          /* slot of the block's next id of an expert */
    int warp_counts[RING_WARPS][RING_EXPERTS];
    int slots[RING_COUNTERS]; /* of the tokens of this round */
    int warp_sums[RING_WARPS];
    int map[RING_EXPERTS + 4]; /* other ranks' as the number of local experts */
    uint64_t barriers[RING_ROWS];
} ring_shared;

/* V fours of ids a thread, from number `at` on; -1 beyond the last whole four. */
template <int V>
static __device__ __forceinline__ void ring_load_ids(const permute_problem &p, int at, int4 *v)
{
#pragma unroll
    for (int i = 0; i < V; i++) {
        int q = at + i * RING_COUNTERS + threadIdx.x;
        v[i] = make_int4(-1, -1, -1, -1);
        if (q * 4 + 3 < p.count)
            v[i] = __ldg((const int4 *)p.ids + q);
    }
}

template <bool MAP>
static __device__ __forceinline__ void ring_count(const permute_problem &p, ring_shared *s, int id,
                                                  bool is_before)
{
    int place = (int)min((unsigned)id, (unsigned)p.experts);
    if (MAP)
        place = s->map[place];
    atomicAdd(&s->counts[0][place] + (is_before ? 0 : RING_EXPERTS + 4), 1);
}

/* The counting warps put the slots of the ids [from, until), one a thread, into s->slots, and move
 * s->next on where more follow. All warps of the block come by; two barriers, or three with more.
 */
template <bool MAP>
static __device__ __forceinline__ void ring_rank(const permute_problem &p, ring_shared *s, int id,
                                                 int from, int until, bool more)
{
    const int tid = threadIdx.x, warp = tid >> 5, lane = tid & 31, f = from + tid;
    const bool counting = warp < RING_WARPS && from + warp * 32 < until;
    int local = NOT_LOCAL, place = 0;
    if (counting) {
        local = (int)min((unsigned)id, (unsigned)p.experts);
        if (MAP)
            local = s->map[local];
        local = f < until && local < p.local ? local : NOT_LOCAL;
        uint32_t equal = om__lanes_equal(local, local != NOT_LOCAL, p.bits);
        place = __popc(equal & ((1u << lane) - 1));
        if (local != NOT_LOCAL && place == 0)
            s->warp_counts[warp][local] = __popc(equal);
    }
    __syncthreads();
    if (counting && f < until) {
        int slot = -1;
        if (local != NOT_LOCAL) {
            slot = s->next[local] + place;
#pragma unroll 1
            for (int w = 0; w < warp; w++)
                slot += s->warp_counts[w][local];
        }
        s->slots[tid] = slot;
        p.slots[f] = slot;
    }
    if (more) {
        __syncthreads();
        if (tid < p.local) {
            int sum = 0;
#pragma unroll 1
            for (int w = 0; w < RING_WARPS; w++) {
                sum += s->warp_counts[w][tid];
                s->warp_counts[w][tid] = 0;
            }
            s->next[tid] += sum;
        }
    }
    __syncthreads();
}

/* Where the copying warp stands in the ring. */
typedef struct ring_place {
    int number;
    uint32_t parity;
} ring_place;

/* The copying warp sends the rows of tokens [from, end) to their slots. */
static __device__ __forceinline__ void ring_copy(const permute_problem &p, const ring_shared *s,
                                                 uint32_t ring, uint32_t barriers, int first_token,
                                                 int last_token, int from, int end,
                                                 ring_place *place)
{
    const int lane = threadIdx.x & 31;
    const uint32_t bytes = (uint32_t)p.row_bytes;
#pragma unroll 1
    for (int token = from; token < end; token++) {
        const uint32_t row = ring + place->number * bytes;
        barrier_wait(barriers + 8 * place->number, place->parity);
#pragma unroll 1
        for (int k = lane; k < p.k; k += 32) {
            int slot = s->slots[(token - from) * p.k + k];
            if (slot >= 0)
                row_store(p.rows + (int64_t)slot * p.row_bytes, row, bytes);
        }
        asm volatile("cp.async.bulk.commit_group;" ::: "memory");
        stores_wait_read<RING_LAG>();
        __syncwarp();
        /* The place of the token RING_LAG back is free; its successor moves in. */
        const int freed = token - RING_LAG, moving = freed + p.ring;
        if (lane == 0 && freed >= first_token && moving < last_token) {
            int there = place->number - RING_LAG;
            there += there < 0 ? p.ring : 0;
            row_load(ring + there * bytes, p.hidden + (int64_t)moving * p.row_bytes, bytes,
                     barriers + 8 * there);
        }
        if (++place->number == p.ring) {
            place->number = 0;
            place->parity ^= 1;
        }
    }
}

/* V: fours of ids a thread holds in one go. The last warp copies; the others count. */
template <bool MAP, int V>
static __global__ void __launch_bounds__(RING_THREADS, 1) permute_ring(permute_problem p)
{
    extern __shared__ __align__(128) uint8_t ring_memory[];
    __shared__ ring_shared s;
    const int tid = threadIdx.x, warp = tid >> 5, lane = tid & 31;
    const bool copying = warp == RING_WARPS;
    const uint32_t bytes = (uint32_t)p.row_bytes;
    const uint32_t ring = om__shared_address(ring_memory),
                   barriers = om__shared_address(s.barriers);
    const int first_token = (int)((int64_t)p.tokens * blockIdx.x / gridDim.x);
    const int last_token = (int)((int64_t)p.tokens * (blockIdx.x + 1) / gridDim.x);
    const int step = p.ring_step; /* tokens of a round: as many as have one id a thread */
    const int own = first_token * p.k, quads = p.count >> 2;
    int end = min(first_token + step, last_token);

    int4 v[V];
    int id = -1, tail = -1;
    if (!copying) {
        ring_load_ids<V>(p, 0, v);
        if (own + tid < end * p.k)
            id = __ldg(p.ids + own + tid);
        if (tid < 3 && quads * 4 + tid < p.count)
            tail = __ldg(p.ids + quads * 4 + tid);
        if (MAP)
#pragma unroll 1
            for (int e = tid; e <= p.experts; e += RING_COUNTERS) {
                unsigned local = e < p.experts ? (unsigned)__ldg(p.map + e) : (unsigned)p.local;
                s.map[e] = (int)min(local, (unsigned)p.local);
            }
        if (tid < p.local) {
            s.counts[0][tid] = 0;
            s.counts[1][tid] = 0;
            const int warps = end < last_token ? RING_WARPS : ((end - first_token) * p.k + 31) >> 5;
#pragma unroll 1
            for (int w = 0; w < warps; w++)
                s.warp_counts[w][tid] = 0;
        }
    } else if (lane == 0) {
#pragma unroll 1
        for (int i = 0; i < p.ring; i++)
            barrier_init(barriers + 8 * i);
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        /* The rows must not stand before the ids in the memory's queues: wait for one of them. */
        asm volatile("{\n.reg .b32 seen;\n.reg .pred never;\n"
                     "ld.volatile.global.u32 seen, [%0];\n"
                     "setp.eq.u32 never, seen, 0x80000000;\n"
                     "@never nanosleep.u32 1;\n}" ::"l"(p.ids + own)
                     : "memory");
#pragma unroll 1
        for (int i = 0; i < p.ring && first_token + i < last_token; i++)
            row_load(ring + i * bytes, p.hidden + (int64_t)(first_token + i) * p.row_bytes, bytes,
                     barriers + 8 * i);
    }
    __syncthreads();
    if (!copying) {
#pragma unroll 1
        for (int at = 0; at < quads; at += V * RING_COUNTERS) {
            if (at > 0)
                ring_load_ids<V>(p, at, v);
#pragma unroll
            for (int i = 0; i < V; i++) {
                const int ahead = own - (at + i * RING_COUNTERS + tid) * 4; /* of these four */
                ring_count<MAP>(p, &s, v[i].x, ahead > 0);
                ring_count<MAP>(p, &s, v[i].y, ahead > 1);
                ring_count<MAP>(p, &s, v[i].z, ahead > 2);
                ring_count<MAP>(p, &s, v[i].w, ahead > 3);
            }
        }
        if (tid < 3)
            ring_count<MAP>(p, &s, tail, quads * 4 + tid < own);
    }
    __syncthreads();

    int ahead = 0, total = 0;
    if (tid < p.local) {
        ahead = s.counts[0][tid];
        total = ahead + s.counts[1][tid];
    }
    const int until = om__warp_scan(total, lane);
    if (lane == 31 && !copying)
        s.warp_sums[warp] = until;
    __syncthreads();
    /* Lanes hold the sums of the warps; those of the warps ahead add up to the base. */
    int base = lane < min(warp, RING_WARPS) ? s.warp_sums[lane] : 0;
    base = __reduce_add_sync(OM_FULL_WARP, base);
    const int first = base + until - total;
    if (tid < p.local) {
        s.next[tid] = first + ahead;
        if (blockIdx.x == 0) {
            p.offsets[tid] = first;
            p.sizes[tid] = total;
            p.first[tid] = first;
            if (tid == p.local - 1)
                p.first[p.local] = first + total;
        }
    }

    ring_place place = {0, 0};
#pragma unroll 1
    for (int from = first_token; from < last_token; from = end) {
        end = min(from + step, last_token);
        if (from > first_token)
            id = !copying && from * p.k + tid < end * p.k ? __ldg(p.ids + from * p.k + tid) : -1;
        ring_rank<MAP>(p, &s, id, from * p.k, end * p.k, end < last_token);
        if (copying)
            ring_copy(p, &s, ring, barriers, first_token, last_token, from, end, &place);
    }
    if (copying)
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
    p.row_bytes = (int32_t)(args->h * (om_dtype_bits(args->dtype) / 8));
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
    p.ring_step = 0;
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
    if (args->h > ((int64_t)1 << 28))
        return om__error_set(err, OM_UNSUPPORTED, "rows of 1 GiB");
    int64_t pieces = om__ceil_div(args->h * 2, PIECE_THREADS) + 1;
    if (args->t > 0 && pieces > ((int64_t)1 << 30) / args->t)
        return om__error_set(err, OM_UNSUPPORTED, "too many pieces for one launch");
    return OM_OK;
}

template <typename UNIT, bool MAP> static void launch_pieces(permute_problem p, cudaStream_t stream)
{
    int64_t units = p.row_bytes / (int64_t)sizeof(UNIT);
    const bool few = p.count <= FEW_IDS;
    p.pieces = om__divisor((uint32_t)om__max_i64(1, om__ceil_div(units, PIECE_THREADS)));
    p.expert_blocks = p.local / (EXPERTS_WARP * (few ? PIECE_WARPS : 1)) + 1;
    unsigned blocks = (unsigned)p.tokens * p.pieces.value + (unsigned)p.expert_blocks;
    if (few)
        permute_pieces<UNIT, MAP, true><<<blocks, PIECE_THREADS, 0, stream>>>(p);
    else
        permute_pieces<UNIT, MAP, false><<<blocks, PIECE_THREADS, 0, stream>>>(p);
}

template <typename UNIT> static void launch_mapped(const permute_problem &p, cudaStream_t stream)
{
    if (p.map)
        launch_pieces<UNIT, true>(p, stream);
    else
        launch_pieces<UNIT, false>(p, stream);
}

static om_status run_pieces(const om_kernel_env *env, const void *arguments, void *workspace,
                            om_error *err)
{
    permute_problem p = problem_of((const om_moe_permute_args *)arguments);
    (void)workspace;
    if (rows_aligned(p, 16))
        launch_mapped<uint4>(p, om__stream(env));
    else if (rows_aligned(p, 4))
        launch_mapped<uint32_t>(p, om__stream(env));
    else
        launch_mapped<uint16_t>(p, om__stream(env));
    return om__cuda_launched("moe_permute", err);
}

static om_status query_ring(const om_kernel_env *env, const void *arguments,
                            size_t *workspace_bytes, om_error *err)
{
    const om_moe_permute_args *args = (const om_moe_permute_args *)arguments;
    permute_problem p = problem_of(args);
    (void)env;
    *workspace_bytes = 0;
    if (p.count < RING_MIN_IDS)
        return om__error_set(err, OM_UNSUPPORTED, "fewer than %d ids", RING_MIN_IDS);
    if (p.k > RING_COUNTERS || p.local > RING_EXPERTS || (p.map && p.experts > RING_EXPERTS))
        return om__error_set(err, OM_UNSUPPORTED, "more than %d experts, or choices a token",
                             RING_EXPERTS);
    if (args->h == 0 || args->h > RING_ROW_LIMIT || p.row_bytes > RING_ROW_LIMIT)
        return om__error_set(err, OM_UNSUPPORTED, "rows of no or more than %d bytes",
                             RING_ROW_LIMIT);
    if (!rows_aligned(p, 16) || !om__is_aligned(p.ids, 16))
        return om__error_set(err, OM_UNSUPPORTED, "rows or ids do not lie on 16 bytes");
    return OM_OK;
}

template <bool MAP, int V>
static om_status launch_ring(const permute_problem &p, unsigned blocks, cudaStream_t stream,
                             om_error *err)
{
    auto kernel = permute_ring<MAP, V>;
    OM_TRY_CUDA(
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, RING_BYTES), err);
    kernel<<<blocks, RING_THREADS, p.ring * p.row_bytes, stream>>>(p);
    return om__cuda_launched("moe_permute", err);
}

static om_status run_ring(const om_kernel_env *env, const void *arguments, void *workspace,
                          om_error *err)
{
    permute_problem p = problem_of((const om_moe_permute_args *)arguments);
    unsigned blocks = (unsigned)om__min_i64(p.tokens, env->sm_count);
    cudaStream_t stream = om__stream(env);
    (void)workspace;
    p.ring = (int32_t)om__min_i64(RING_ROWS, RING_BYTES / p.row_bytes);
    p.ring_step = RING_COUNTERS / p.k;
    if (p.count <= RING_COUNTERS * 4 * 2)
        return p.map ? launch_ring<true, 2>(p, blocks, stream, err)
                     : launch_ring<false, 2>(p, blocks, stream, err);
    return p.map ? launch_ring<true, 8>(p, blocks, stream, err)
                 : launch_ring<false, 8>(p, blocks, stream, err);
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
