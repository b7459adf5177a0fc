/* SPDX-License-Identifier: Apache-2.0 */
/* gemm_blocked.c: dense GEMM through the blocked core, one kernel a level.
 *
 * Shapes    any. Layout: all four. Types: bf16, fp16, f32; the pairs kernel bf16 alone.
 * Schedule  gemm_core.h. Numerics: products exact, f32 sums per K block, one rounding at the end.
 * Refuses   other types. Cost: packs B once for each task of rows.
 */
#include "base/error.h"
#include "core/cpu.h"
#include "core/kernel.h"
#include "kernels/cpu/gemm_core.h"
#include "opmark/gemm.h"

/* Whether the tiles can walk the rows of A as they are stored. */
static int reads_in_place(const om__gemm_level *level, const om_gemm_args *args)
{
    return args->dtype == level->direct && !args->trans_a &&
           (!level->tiles->pairs || args->k % 2 == 0);
}

static om__gemm_bounds bounds_of(const om__gemm_level *level, const om_gemm_args *args)
{
    return (om__gemm_bounds){
        .items = 1, .rows = args->m, .most_k = args->k, .packed_a = !reads_in_place(level, args)};
}

static om_status query(const om__gemm_level *level, const om_kernel_env *env, const void *arguments,
                       size_t *workspace_bytes, om_error *err)
{
    const om_gemm_args *args = arguments;
    if (env->isa < level->isa)
        return om__error_set(err, OM_UNSUPPORTED, "needs %s", om__isa_name(level->isa));
    if (level->tiles->pairs && !om__cpu_info_get()->has_avx512_bf16)
        return om__error_set(err, OM_UNSUPPORTED, "needs AVX512-BF16");
    if (level->pack_b[args->dtype][0] == NULL || level->store[args->dtype] == NULL)
        return om__error_set(err, OM_UNSUPPORTED, "this kernel does not multiply %s",
                             om_dtype_name(args->dtype));
    om__gemm_bounds bounds = bounds_of(level, args);
    *workspace_bytes = om__gemm_workspace_bytes(env, level->tiles, &bounds);
    return OM_OK;
}

static om_status run(const om__gemm_level *level, const om_kernel_env *env, const void *arguments,
                     void *workspace)
{
    const om_gemm_args *args = arguments;
    om__gemm_item item = {
        .m = args->m,
        .n = args->n,
        .k = args->k,
        .a = {.data = args->a, .stride = args->trans_a ? args->m : args->k},
        .b = {.data = args->b, .stride = args->trans_b ? args->k : args->n},
        .d = args->d,
        .d_stride = args->n,
    };
    om__gemm gemm = {
        .tiles = level->tiles,
        .item_count = 1,
        .items = &item,
        .pack_a = reads_in_place(level, args) ? NULL : level->pack_a[args->dtype][!!args->trans_a],
        .a_bytes = om_dtype_bits(args->dtype) / 8,
        .pack_b = level->pack_b[args->dtype][!args->trans_b],
        .wide_store = level->wide_store[args->dtype],
        .wide = level->wide[!args->trans_b],
        .store = level->store[args->dtype],
        .store_is_copy = args->dtype == OM_F32,
    };
    om__gemm_bounds bounds = bounds_of(level, args);
    om__gemm_run(env, &gemm, &bounds, workspace);
    return OM_OK;
}

#define KERNEL(LEVEL, NAME, ISA)                                                                   \
    static om_status query_##LEVEL(const om_kernel_env *env, const void *args,                     \
                                   size_t *workspace_bytes, om_error *err)                         \
    {                                                                                              \
        return query(&om__gemm_##LEVEL, env, args, workspace_bytes, err);                          \
    }                                                                                              \
    static om_status run_##LEVEL(const om_kernel_env *env, const void *args, void *workspace,      \
                                 om_error *err)                                                    \
    {                                                                                              \
        (void)err;                                                                                 \
        return run(&om__gemm_##LEVEL, env, args, workspace);                                       \
    }                                                                                              \
    const om_kernel NAME = {                                                                       \
        .name = #NAME,                                                                             \
        .op = "gemm",                                                                              \
        .pass = "forward",                                                                         \
        .isa = ISA,                                                                                \
        .query = query_##LEVEL,                                                                    \
        .run = run_##LEVEL,                                                                        \
    };

KERNEL(scalar, om_gemm_scalar__blocked, OM_ISA_SCALAR)
KERNEL(avx2, om_gemm_avx2__blocked, OM_ISA_AVX2)
KERNEL(avx512, om_gemm_avx512__blocked, OM_ISA_AVX512)
KERNEL(avx512bf16, om_gemm_avx512bf16_bf16__blocked, OM_ISA_AVX512)
