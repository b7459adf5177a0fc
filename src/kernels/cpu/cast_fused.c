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

typedef struct cast_work {
    const om__cast_call *args;
    om__amax_run_fn amax; /* NULL: cast */
    om__cast_run_fn cast;
    float scale;
    int stream;
    uint32_t *most; /* of all parts */
} cast_work;

static void cast_part(const void *opaque, int part, int parts)
{
    const cast_work *work = opaque;
    const om__cast_call *args = work->args;
    const int64_t first = part_begin(args->count, part, parts);
    const int64_t count = part_begin(args->count, part + 1, parts) - first;
    const char *x = (const char *)args->x + first * om_dtype_bits(args->from) / 8;
    char *y = (char *)args->y + first * om_dtype_bits(args->to) / 8;
    const uint32_t bits = work->amax != NULL ? work->amax(x, count)
                                             : work->cast(x, y, count, work->scale, work->stream);
    uint32_t seen = __atomic_load_n(work->most, __ATOMIC_RELAXED);
    while (bits > seen && !__atomic_compare_exchange_n(work->most, &seen, bits, 1, __ATOMIC_RELAXED,
                                                       __ATOMIC_RELAXED))
        continue;
}

void om__cast_all(const om__cast_level *level, const om_kernel_env *env, const om__cast_call *args)
{
    const int quantises = args->from == OM_BF16;
    const int threads = om__threads_for(env, (double)args->count, GRAIN);
    uint32_t most = 0;
    cast_work work = {
        .args = args,
        .cast = quantises ? level->quantise[args->to] : level->widen[args->from],
        .stream = args->count * om_dtype_bits(args->to) / 8 >= STREAM_BYTES,
        .most = &most,
    };
    if (args->finds_scale) {
        work.amax = level->amax;
        om__run_parts(threads, cast_part, &work);
        work.amax = NULL;
        float amax = magnitude_of(most);
        args->scale[0] = amax == 0 ? 1.0f : (args->to == OM_E4M3 ? 448.0f : 57344.0f) / amax;
    }
    work.scale = args->scale[0];
    om__run_parts(threads, cast_part, &work);
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
