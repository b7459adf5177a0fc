/* SPDX-License-Identifier: Apache-2.0 */
/* ragged_blocked.c: one product for each group of rows whose sizes are data.
 *
 * Shapes    any sizes, empty ones included. Layout: nt, nn, tn, tt. Types: bf16, fp16, f32.
 * Schedule  the groups are one list for the core; small ones fill all threads together.
 * Numerics  products exact, f32 sums, one rounding. Refuses: other types.
 * Cost      packs the weights of each group once for each task of rows.
 */
#include "kernels/cpu/gemm_product.h"
#include "opmark/ragged_gemm.h"

typedef enum layout { NT, NN, TN, TT } layout;

static om__product product_of(const om_ragged_gemm_args *args, layout form)
{
    int by_rows = form == NT || form == NN; /* else the rows of a group are its contraction */
    return (om__product){
        .a = args->dtype,
        .b = args->dtype,
        .d = args->dtype,
        .a_lines = !by_rows,
        .b_lines = form == NN || form == TN,
        .items = args->g,
        .rows = by_rows ? args->s : args->g * args->n,
        .most_k = by_rows ? args->k : args->s,
        .odd_k = by_rows ? args->k % 2 != 0 : 1,
    };
}

static om_status query_form(const om__gemm_level *level, const om_kernel_env *env,
                            const void *arguments, layout form, size_t *workspace_bytes,
                            om_error *err)
{
    const om_ragged_gemm_args *args = arguments;
    om__product product = product_of(args, form);
    OM_TRY(om__product_query(level, env, &product, workspace_bytes, err));
    *workspace_bytes += om__carved(args->g * (int64_t)sizeof(om__gemm_item));
    return OM_OK;
}

static om__gemm_item item_of(const om_ragged_gemm_args *args, layout form, int64_t g)
{
    const int bytes = om_dtype_bits(args->dtype) / 8;
    const int64_t row = args->offsets[g], rows = args->sizes[g];
    const char *a = args->a, *b = args->b;
    char *d = args->d;
    om__gemm_item item = {.number = g};
    if (form == NT || form == NN) {
        item.m = rows;
        item.n = args->n;
        item.k = args->k;
        item.a = (om__gemm_operand){.data = a + row * args->k * bytes, .stride = args->k};
        item.b = (om__gemm_operand){.data = b + g * args->n * args->k * bytes,
                                    .stride = form == NT ? args->k : args->n};
        item.d = d + row * args->n * bytes;
        item.d_stride = args->n;
    } else {
        item.m = args->n;
        item.n = args->k;
        item.k = rows;
        item.a = (om__gemm_operand){.data = a + row * args->n * bytes, .stride = args->n};
        item.b = form == TN
                     ? (om__gemm_operand){.data = b + row * args->k * bytes, .stride = args->k}
                     : (om__gemm_operand){.data = b + row * bytes, .stride = args->s};
        item.d = d + g * args->n * args->k * bytes;
        item.d_stride = args->k;
    }
    return item;
}

static om_status run_form(const om__gemm_level *level, const om_kernel_env *env,
                          const void *arguments, layout form, void *workspace)
{
    const om_ragged_gemm_args *args = arguments;
    char *memory = workspace;
    om__gemm_item *items = om__carve(&memory, args->g * (int64_t)sizeof *items);
    om__product product = product_of(args, form);
    for (int64_t g = 0; g < args->g; g++)
        items[g] = item_of(args, form, g);
    om__product_run(level, env, &product, items, memory);
    return OM_OK;
}

#define FORM(FORM)                                                                                 \
    static om_status query_##FORM(const om__gemm_level *level, const om_kernel_env *env,           \
                                  const void *args, size_t *workspace_bytes, om_error *err)        \
    {                                                                                              \
        return query_form(level, env, args, FORM, workspace_bytes, err);                           \
    }                                                                                              \
    static om_status run_##FORM(const om__gemm_level *level, const om_kernel_env *env,             \
                                const void *args, void *workspace, om_error *err)                  \
    {                                                                                              \
        (void)err;                                                                                 \
        return run_form(level, env, args, FORM, workspace);                                        \
    }
FORM(NT)
FORM(NN)
FORM(TN)
FORM(TT)

OM_PRODUCT_KERNELS(grouped_gemm_nt, "grouped_gemm_nt", "forward", query_NT, run_NT)
OM_PRODUCT_KERNELS(grouped_gemm_nn, "grouped_gemm_nn", "forward", query_NN, run_NN)
OM_PRODUCT_KERNELS(grouped_gemm_tn, "grouped_gemm_tn", "forward", query_TN, run_TN)
OM_PRODUCT_KERNELS(grouped_gemm_tt, "grouped_gemm_tt", "forward", query_TT, run_TT)
OM_PRODUCT_KERNELS(moe_grouped_gemm, "moe_grouped_gemm", "forward", query_NT, run_NT)
