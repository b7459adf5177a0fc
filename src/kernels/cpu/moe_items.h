/* SPDX-License-Identifier: Apache-2.0 */
/* moe_items.h: the products of an expert's MLP as items of the GEMM core. */
#ifndef OM_KERNELS_CPU_MOE_ITEMS_H
#define OM_KERNELS_CPU_MOE_ITEMS_H

#include "kernels/cpu/gemm_product.h"

static inline om__product om__gate_up_product(const om__gemm_level *level, om_dtype dtype,
                                              om_dtype d, int activation, int64_t items,
                                              int64_t rows, int64_t f, int64_t k)
{
    return (om__product){
        .a = dtype,
        .b = dtype,
        .items = items,
        .rows = rows,
        .most_k = k,
        .odd_k = k % 2 != 0,
        .pair_rows = f,
        .store = level->store_glu[activation][d],
    };
}

/* index: the rows of a, or NULL. */
static inline om__gemm_item om__gate_up_item(const om__gemm_level *level, int64_t f, int64_t k,
                                             int64_t rows, const void *a, const int32_t *index,
                                             const void *b, void *c)
{
    const int64_t vector = level->tiles->vector;
    return (om__gemm_item){
        .m = rows,
        .n = 2 * ((f + vector - 1) / vector * vector),
        .k = k,
        .a = {.data = a, .stride = k, .index = index},
        .b = {.data = b, .stride = k},
        .d = c,
        .d_stride = f,
    };
}

#endif
