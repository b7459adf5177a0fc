/* SPDX-License-Identifier: Apache-2.0 */
/* gemm_product.h: a call of the GEMM core as operators make it, and the kernels of an operator at
 * every level.
 */
#ifndef OM_KERNELS_CPU_GEMM_PRODUCT_H
#define OM_KERNELS_CPU_GEMM_PRODUCT_H

#include "base/error.h"
#include "core/cpu.h"
#include "kernels/cpu/gemm_core.h"

/* What can be said of a call before its tensors are seen. */
typedef struct om__product {
    om_dtype a, b;
    om_dtype d;           /* rounded to by the level's store; 0: with `store` */
    int a_lines, b_lines; /* A stored [K,M]; B stored [K,N] */
    int64_t items, rows;  /* rows: of all items together */
    int64_t most_k;       /* of one item */
    int odd_k;            /* the k of an item may be odd */
    /* Hooks; NULL: the level's own. */
    om__gemm_pack_fn pack_a, pack_b;
    om__gemm_dot_fn dot;
    int64_t pair_rows; /* as om__gemm */
    om__gemm_store_fn store;
    const void *context;
} om__product;

/* Whether the level can do it, and the workspace that it takes. */
om_status om__product_query(const om__gemm_level *level, const om_kernel_env *env,
                            const om__product *product, size_t *workspace_bytes, om_error *err);
void om__product_run(const om__gemm_level *level, const om_kernel_env *env,
                     const om__product *product, const om__gemm_item *items, void *workspace);

/* Defines the om_kernel NAME at a level, over
 *     static om_status query(level, env, args, workspace_bytes, err)
 *     static om_status run(level, env, args, workspace, err)
 * of the including file (QUERY and RUN), with `level` an om__gemm_level. */
#define OM_PRODUCT_KERNEL(LEVEL, NAME, OP, PASS, ISA, QUERY, RUN)                                  \
    static om_status query_##NAME(const om_kernel_env *env, const void *args,                      \
                                  size_t *workspace_bytes, om_error *err)                          \
    {                                                                                              \
        return QUERY(&om__gemm_##LEVEL, env, args, workspace_bytes, err);                          \
    }                                                                                              \
    static om_status run_##NAME(const om_kernel_env *env, const void *args, void *workspace,       \
                                om_error *err)                                                     \
    {                                                                                              \
        return RUN(&om__gemm_##LEVEL, env, args, workspace, err);                                  \
    }                                                                                              \
    const om_kernel NAME = {                                                                       \
        .name = #NAME,                                                                             \
        .op = OP,                                                                                  \
        .pass = PASS,                                                                              \
        .isa = ISA,                                                                                \
        .query = query_##NAME,                                                                     \
        .run = run_##NAME,                                                                         \
    };

/* The four levels of an operator: om_<NAME>_<level>__blocked. */
#define OM_PRODUCT_KERNELS(NAME, OP, PASS, QUERY, RUN)                                             \
    OM_PRODUCT_KERNEL(scalar, om_##NAME##_scalar__blocked, OP, PASS, OM_ISA_SCALAR, QUERY, RUN)    \
    OM_PRODUCT_KERNEL(avx2, om_##NAME##_avx2__blocked, OP, PASS, OM_ISA_AVX2, QUERY, RUN)          \
    OM_PRODUCT_KERNEL(avx512, om_##NAME##_avx512__blocked, OP, PASS, OM_ISA_AVX512, QUERY, RUN)    \
    OM_PRODUCT_KERNEL(avx512bf16, om_##NAME##_avx512bf16__blocked, OP, PASS, OM_ISA_AVX512, QUERY, \
                      RUN)

/* `bytes` from *memory, which moves on by whole lines. */
static inline void *om__carve(char **memory, int64_t bytes)
{
    void *piece = *memory;
    *memory += (bytes + 63) / 64 * 64;
    return piece;
}

/* What om__carve takes for `bytes`. */
static inline size_t om__carved(int64_t bytes)
{
    return (size_t)((bytes + 63) / 64 * 64);
}

#endif
