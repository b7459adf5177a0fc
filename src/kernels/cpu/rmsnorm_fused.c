/* SPDX-License-Identifier: Apache-2.0 */
/* rmsnorm_fused.c: RMS norm forward, one kernel a level.
 *
 * Shapes    any. Layout: rows packed. Types: bf16, fp16, f32.
 * Schedule  rows shared between the threads in equal runs; large outputs bypass the cache.
 * Numerics  f32 sums in lanes, the root in f64. Refuses: nothing. Cost: one read, one write.
 */
#include "base/error.h"
#include "core/cpu.h"
#include "kernels/cpu/norm_rows.h"
#include "kernels/cpu/parallel.h"
#include "opmark/rmsnorm.h"

#define STREAM_BYTES (4 << 20) /* an output this large is not read from the cache again */
#define GRAIN_BYTES  64e3

static om_status query(const om_kernel_env *env, const void *arguments, size_t *workspace_bytes,
                       om_error *err)
{
    (void)env;
    (void)arguments;
    (void)err;
    *workspace_bytes = 0;
    return OM_OK;
}

static om_status run(const om__norm_level *level, const om_kernel_env *env, const void *arguments)
{
    const om_rmsnorm_args *args = arguments;
    const om__rmsnorm_rows_fn rows_fn = level->rmsnorm[args->dtype];
    const int64_t row_bytes = args->h * om_dtype_bits(args->dtype) / 8;
    const int stream = args->m * row_bytes >= STREAM_BYTES;
    const int threads = om__threads_for(env, (double)args->m * (double)row_bytes, GRAIN_BYTES);
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1)
    for (int part = 0; part < threads; part++) {
        int64_t first = args->m * part / threads, last = args->m * (part + 1) / threads;
        rows_fn((const char *)args->x + first * row_bytes, args->gamma,
                (char *)args->y + first * row_bytes, args->rstd + first, last - first, args->h,
                args->eps, stream);
    }
    return OM_OK;
}

#define KERNEL(LEVEL, ISA)                                                                         \
    static om_status run_##LEVEL(const om_kernel_env *env, const void *args, void *workspace,      \
                                 om_error *err)                                                    \
    {                                                                                              \
        (void)workspace;                                                                           \
        (void)err;                                                                                 \
        return run(&om__norm_##LEVEL, env, args);                                                  \
    }                                                                                              \
    const om_kernel om_rmsnorm_##LEVEL##__fused = {                                                \
        .name = "om_rmsnorm_" #LEVEL "__fused",                                                    \
        .op = "rmsnorm",                                                                           \
        .pass = "forward",                                                                         \
        .isa = ISA,                                                                                \
        .query = query,                                                                            \
        .run = run_##LEVEL,                                                                        \
    };

KERNEL(scalar, OM_ISA_SCALAR)
KERNEL(avx2, OM_ISA_AVX2)
KERNEL(avx512, OM_ISA_AVX512)
