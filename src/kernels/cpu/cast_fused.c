/* SPDX-License-Identifier: Apache-2.0 */
/* cast_fused.c: casts between bf16 and fp8, one kernel a level.
 *
 * Shapes    any. Layout: packed. Types: bf16 to e4m3 or e5m2 and back.
 * Schedule  equal runs for the threads; the largest magnitude is an integer maximum, in any order.
 * Numerics  one f32 product, one rounding. Refuses: nothing. Cost: one pass, two with a scale to
 * find.
 */
#include <math.h>
#include <string.h>

#include "kernels/cpu/cast_run.h"
#include "kernels/cpu/parallel.h"
#include "opmark/cast.h"

#define STREAM_BYTES (1 << 20) /* an output this large is not read from the cache again */
#define GRAIN        50e3      /* elements worth a thread */
#define PART_STEP    64        /* parts begin on whole lines of the narrow type */

static om_status query(const om_kernel_env *env, const void *arguments, size_t *workspace_bytes,
                       om_error *err)
{
    (void)env;
    (void)arguments;
    (void)err;
    *workspace_bytes = 0;
    return OM_OK;
}

static float magnitude_of(uint32_t bits)
{
    float value;
    bits = bits > 0x7f80 ? 0x7fc00000u : bits << 16;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static int64_t part_begin(int64_t count, int part, int threads)
{
    return part == threads ? count : count * part / threads / PART_STEP * PART_STEP;
}

void om__cast_all(const om__cast_level *level, const om_kernel_env *env, const om__cast_call *args)
{
    const int64_t count = args->count;
    const int from_bytes = om_dtype_bits(args->from) / 8, to_bytes = om_dtype_bits(args->to) / 8;
    const int quantises = args->from == OM_BF16;
    const om__cast_run_fn cast = quantises ? level->quantise[args->to] : level->widen[args->from];
    const int stream = count * to_bytes >= STREAM_BYTES;
    const int threads = om__threads_for(env, (double)count, GRAIN);
    uint32_t most = 0;
    if (args->finds_scale) {
#pragma omp parallel for schedule(static) num_threads(threads) reduction(max                       \
                                                                         : most) if (threads > 1)
        for (int part = 0; part < threads; part++) {
            int64_t first = part_begin(count, part, threads);
            uint32_t bits = level->amax((const char *)args->x + first * from_bytes,
                                        part_begin(count, part + 1, threads) - first);
            most = bits > most ? bits : most;
        }
        float amax = magnitude_of(most);
        args->scale[0] = amax == 0 ? 1.0f : (args->to == OM_E4M3 ? 448.0f : 57344.0f) / amax;
    }
    const float scale = args->scale[0];
#pragma omp parallel for schedule(static) num_threads(threads) reduction(max                       \
                                                                         : most) if (threads > 1)
    for (int part = 0; part < threads; part++) {
        int64_t first = part_begin(count, part, threads);
        uint32_t bits =
            cast((const char *)args->x + first * from_bytes, (char *)args->y + first * to_bytes,
                 part_begin(count, part + 1, threads) - first, scale, stream);
        most = bits > most ? bits : most;
    }
    if (quantises)
        args->amax[0] = magnitude_of(most);
}

static om_status run(const om__cast_level *level, const om_kernel_env *env, const void *arguments)
{
    const om_cast_args *args = arguments;
    om__cast_call call = {.x = args->x,
                          .y = args->y,
                          .count = args->m * args->h,
                          .from = args->from,
                          .to = args->to,
                          .finds_scale = args->scaling == OM_CAST_CURRENT,
                          .scale = args->scale,
                          .amax = args->amax};
    om__cast_all(level, env, &call);
    return OM_OK;
}

#define KERNEL(LEVEL, ISA)                                                                         \
    static om_status run_##LEVEL(const om_kernel_env *env, const void *args, void *workspace,      \
                                 om_error *err)                                                    \
    {                                                                                              \
        (void)workspace;                                                                           \
        (void)err;                                                                                 \
        return run(&om__cast_##LEVEL, env, args);                                                  \
    }                                                                                              \
    const om_kernel om_cast_##LEVEL##__fused = {                                                   \
        .name = "om_cast_" #LEVEL "__fused",                                                       \
        .op = "cast",                                                                              \
        .pass = "forward",                                                                         \
        .isa = ISA,                                                                                \
        .query = query,                                                                            \
        .run = run_##LEVEL,                                                                        \
    };

KERNEL(scalar, OM_ISA_SCALAR)
KERNEL(avx2, OM_ISA_AVX2)
KERNEL(avx512, OM_ISA_AVX512)
