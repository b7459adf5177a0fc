/* SPDX-License-Identifier: Apache-2.0 */
/* hopper.cuh: Hopper's own instructions as functions: barriers in shared memory, the copy engine,
 * warpgroup products and what orders them.
 *
 * A wait is one piece of assembly with its loop inside: a loop in C between warpgroup products
 * makes the assembler run them one by one. With OM_HOPPER_WATCHDOG a wait that never ends traps.
 */
#ifndef OM_KERNELS_CUDA_HOPPER_CUH
#define OM_KERNELS_CUDA_HOPPER_CUH

#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <stdint.h>

/* ---- barriers in shared memory ---- */

static __device__ __forceinline__ void om__barrier_init(uint32_t barrier, uint32_t count)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(count) : "memory");
}

/* Makes the barriers that this thread set up visible to the copy engine and the cluster. */
static __device__ __forceinline__ void om__barriers_publish(void)
{
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

static __device__ __forceinline__ void om__barrier_arrive(uint32_t barrier)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
}

static __device__ __forceinline__ void om__barrier_expect(uint32_t barrier, uint32_t bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes)
                 : "memory");
}

static __device__ __forceinline__ void om__barrier_wait(uint32_t barrier, uint32_t parity)
{
#ifdef OM_HOPPER_WATCHDOG
    asm volatile("{\n\t.reg .pred p;\n\t.reg .u32 tries;\n\tmov.u32 tries, 0;\n"
                 "WAIT_%=:\n\t"
                 "mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n\t"
                 "@p bra DONE_%=;\n\t"
                 "add.u32 tries, tries, 1;\n\tsetp.gt.u32 p, tries, 1000000;\n\t@p trap;\n\t"
                 "bra WAIT_%=;\n"
                 "DONE_%=:\n\t}" ::"r"(barrier),
                 "r"(parity)
                 : "memory");
#else
    asm volatile("{\n\t.reg .pred p;\n"
                 "WAIT_%=:\n\t"
                 "mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n\t"
                 "@!p bra WAIT_%=;\n\t}" ::"r"(barrier),
                 "r"(parity)
                 : "memory");
#endif
}

/* Barriers of the block by number: sync waits for `threads`, arrive is counted and goes on. */
static __device__ __forceinline__ void om__named_sync(int number, int threads)
{
    asm volatile("bar.sync %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

static __device__ __forceinline__ void om__named_arrive(int number, int threads)
{
    asm volatile("bar.arrive %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

static __device__ __forceinline__ void om__cluster_sync(void)
{
    asm volatile("barrier.cluster.arrive.release;\n\tbarrier.cluster.wait.acquire;" ::: "memory");
}

/* Where shared address `address` lies in block `rank` of the cluster. */
static __device__ __forceinline__ uint32_t om__cluster_address(uint32_t address, uint32_t rank)
{
    uint32_t there;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(address), "r"(rank));
    return there;
}

static __device__ __forceinline__ void om__cluster_store(uint32_t address, float x)
{
    asm volatile("st.shared::cluster.f32 [%0], %1;" ::"r"(address), "f"(x) : "memory");
}

/* ---- the copy engine ---- */

/* What is read once is to leave the cache first. Not for what several multiprocessors read at a
 * time: with a policy such loads ran at the
 * rate of unshared ones, 15 to 30 % slower in large products.
 */
static __device__ __forceinline__ uint64_t om__policy_once(void)
{
    uint64_t policy;
    asm volatile("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
    return policy;
}

static __device__ __forceinline__ void om__box_load(uint32_t to, const CUtensorMap *map, int inner,
                                                    int outer, int batch, uint32_t barrier)
{
    asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
                 " [%0], [%1, {%2, %3, %4}], [%5];" ::"r"(to),
                 "l"(map), "r"(inner), "r"(outer), "r"(batch), "r"(barrier)
                 : "memory");
}

static __device__ __forceinline__ void om__box_load_by(uint32_t to, const CUtensorMap *map,
                                                       int inner, int outer, int batch,
                                                       uint32_t barrier, uint64_t policy)
{
    asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
                 ".L2::cache_hint [%0], [%1, {%2, %3, %4}], [%5], %6;" ::"r"(to),
                 "l"(map), "r"(inner), "r"(outer), "r"(batch), "r"(barrier), "l"(policy)
                 : "memory");
}

static __device__ __forceinline__ void om__box_store(const CUtensorMap *map, uint32_t from,
                                                     int inner, int outer, int batch)
{
    asm volatile(
        "cp.async.bulk.tensor.3d.global.shared::cta.tile.bulk_group [%0, {%1, %2, %3}], [%4];" ::
            "l"(map),
        "r"(inner), "r"(outer), "r"(batch), "r"(from)
        : "memory");
}

static __device__ __forceinline__ void om__stores_commit(void)
{
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

/* Until the sources of all stores of this thread may be overwritten. */
static __device__ __forceinline__ void om__stores_read(void)
{
    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
}

static __device__ __forceinline__ void om__stores_done(void)
{
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

static __device__ __forceinline__ void om__map_prefetch(const CUtensorMap *map)
{
    asm volatile("prefetch.tensormap [%0];" ::"l"(map) : "memory");
}

/* In each thread that wrote to shared memory, before the barrier after which the copy engine or
 * the tensor cores read it. */
static __device__ __forceinline__ void om__fence_proxy(void)
{
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

/* ---- warpgroup products ---- */

template <int REGISTERS> static __device__ __forceinline__ void om__registers_raise(void)
{
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(REGISTERS));
}

template <int REGISTERS> static __device__ __forceinline__ void om__registers_lower(void)
{
    asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(REGISTERS));
}

static __device__ __forceinline__ void om__products_fence(void)
{
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

static __device__ __forceinline__ void om__products_commit(void)
{
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

template <int LEFT> static __device__ __forceinline__ void om__products_wait(void)
{
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(LEFT) : "memory");
}

/* Rows of 128 bytes of k under the 128-byte swizzle; a step of 32 bytes of k adds 2. */
static __device__ __forceinline__ uint64_t om__matrix_k_major(uint32_t address)
{
    return (uint64_t)((address & 0x3ffff) >> 4) | (uint64_t)1 << 16 | (uint64_t)(1024 >> 4) << 32 |
           (uint64_t)1 << 62;
}

/* Slabs of 64 columns, each 64 rows of k of 128 bytes under the 128-byte swizzle; a step of 16 of k
 * adds 128. */
static __device__ __forceinline__ uint64_t om__matrix_mn_major(uint32_t address)
{
    return (uint64_t)((address & 0x3ffff) >> 4) | (uint64_t)(8192 >> 4) << 16 |
           (uint64_t)(1024 >> 4) << 32 | (uint64_t)1 << 62;
}

/* Four matrices of 8x8 elements of 2 bytes, lane l gives the address of row l % 8 of matrix l / 8.
 */
static __device__ __forceinline__ void om__matrices_store(uint32_t address, uint32_t a, uint32_t b,
                                                          uint32_t c, uint32_t d)
{
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(address),
                 "r"(a), "r"(b), "r"(c), "r"(d)
                 : "memory");
}

/* The accumulators' names in the assembly, and the accumulators, of 16, 28, 32, 64, 88 and 128. */
#define OM_NAMES_16 "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15"
#define OM_NAMES_28 OM_NAMES_16 ", %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27"
#define OM_NAMES_32 OM_NAMES_28 ", %28, %29, %30, %31"
#define OM_NAMES_64                                                                                \
    OM_NAMES_32 ", %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, "                        \
                "%43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, " \
                "%59, %60, %61, %62, %63"
#define OM_NAMES_88                                                                                \
    OM_NAMES_64 ", %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, "    \
                "%79, %80, %81, %82, %83, %84, %85, %86, %87"
#define OM_NAMES_128                                                                               \
    OM_NAMES_88 ", %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, " \
                "%103, %104, %105, %106, %107, %108, %109, %110, %111, %112, %113, %114, %115, "   \
                "%116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127"
#define OM_SUMS_16                                                                                 \
    "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]),            \
        "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]),    \
        "+f"(d[14]), "+f"(d[15])
#define OM_SUMS_28                                                                                 \
    OM_SUMS_16, "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]),      \
        "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27])
#define OM_SUMS_32 OM_SUMS_28, "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31])
#define OM_SUMS_64                                                                                 \
    OM_SUMS_32, "+f"(d[32]), "+f"(d[33]), "+f"(d[34]), "+f"(d[35]), "+f"(d[36]), "+f"(d[37]),      \
        "+f"(d[38]), "+f"(d[39]), "+f"(d[40]), "+f"(d[41]), "+f"(d[42]), "+f"(d[43]), "+f"(d[44]), \
        "+f"(d[45]), "+f"(d[46]), "+f"(d[47]), "+f"(d[48]), "+f"(d[49]), "+f"(d[50]), "+f"(d[51]), \
        "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]), "+f"(d[56]), "+f"(d[57]), "+f"(d[58]), \
        "+f"(d[59]), "+f"(d[60]), "+f"(d[61]), "+f"(d[62]), "+f"(d[63])
#define OM_SUMS_88                                                                                 \
    OM_SUMS_64, "+f"(d[64]), "+f"(d[65]), "+f"(d[66]), "+f"(d[67]), "+f"(d[68]), "+f"(d[69]),      \
        "+f"(d[70]), "+f"(d[71]), "+f"(d[72]), "+f"(d[73]), "+f"(d[74]), "+f"(d[75]), "+f"(d[76]), \
        "+f"(d[77]), "+f"(d[78]), "+f"(d[79]), "+f"(d[80]), "+f"(d[81]), "+f"(d[82]), "+f"(d[83]), \
        "+f"(d[84]), "+f"(d[85]), "+f"(d[86]), "+f"(d[87])
#define OM_SUMS_128                                                                                \
    OM_SUMS_88, "+f"(d[88]), "+f"(d[89]), "+f"(d[90]), "+f"(d[91]), "+f"(d[92]), "+f"(d[93]),      \
        "+f"(d[94]), "+f"(d[95]), "+f"(d[96]), "+f"(d[97]), "+f"(d[98]), "+f"(d[99]),              \
        "+f"(d[100]), "+f"(d[101]), "+f"(d[102]), "+f"(d[103]), "+f"(d[104]), "+f"(d[105]),        \
        "+f"(d[106]), "+f"(d[107]), "+f"(d[108]), "+f"(d[109]), "+f"(d[110]), "+f"(d[111]),        \
        "+f"(d[112]), "+f"(d[113]), "+f"(d[114]), "+f"(d[115]), "+f"(d[116]), "+f"(d[117]),        \
        "+f"(d[118]), "+f"(d[119]), "+f"(d[120]), "+f"(d[121]), "+f"(d[122]), "+f"(d[123]),        \
        "+f"(d[124]), "+f"(d[125]), "+f"(d[126]), "+f"(d[127])

/* d[64][N] = a · b + (with `add`) d for 16 of k, sums in f32; A_TURNED, B_TURNED: a, b lie
 * as om__matrix_mn_major says. */
template <typename TYPE, int N, int A_TURNED, int B_TURNED> struct om_product;

#define OM_PRODUCT(type, name, n, sums, a_at, b_at, add_at, a_order, b_order)                      \
    template <int A_TURNED, int B_TURNED> struct om_product<type, n, A_TURNED, B_TURNED> {         \
        static __device__ __forceinline__ void run(float (&d)[sums], uint64_t a, uint64_t b,       \
                                                   int add)                                        \
        {                                                                                          \
            asm volatile("{\n\t.reg .pred p;\n\tsetp.ne.b32 p, %" #add_at ", 0;\n\t"               \
                         "wgmma.mma_async.sync.aligned.m64n" #n "k16.f32." name "." name           \
                         " {" OM_NAMES_##sums "}, %" #a_at ", %" #b_at ", p, 1, 1, %" #a_order     \
                                              ", %" #b_order ";\n\t}"                              \
                         : OM_SUMS_##sums                                                          \
                         : "l"(a), "l"(b), "r"(add), "n"(A_TURNED), "n"(B_TURNED));                \
        }                                                                                          \
    };
#define OM_PRODUCTS(type, name)                                                                    \
    OM_PRODUCT(type, name, 32, 16, 16, 17, 18, 19, 20)                                             \
    OM_PRODUCT(type, name, 56, 28, 28, 29, 30, 31, 32)                                             \
    OM_PRODUCT(type, name, 64, 32, 32, 33, 34, 35, 36)                                             \
    OM_PRODUCT(type, name, 128, 64, 64, 65, 66, 67, 68)                                            \
    OM_PRODUCT(type, name, 176, 88, 88, 89, 90, 91, 92)                                            \
    OM_PRODUCT(type, name, 256, 128, 128, 129, 130, 131, 132)
OM_PRODUCTS(__nv_bfloat16, "bf16")
OM_PRODUCTS(__half, "f16")

#endif
