/* SPDX-License-Identifier: Apache-2.0 */
/* gemm_blocked.c: dense GEMM and its backward pass through the blocked core, one kernel a level.
 *
 * Shapes    any. Layout: all four. Types: bf16, fp16, f32; the pairs kernels bf16 alone.
 * Schedule  gemm_core.h. Numerics: products exact, f32 sums per K block, one rounding at the end.
 * Refuses   other types. Cost: packs B once for each task of rows.
 */
#include "kernels/cpu/gemm_product.h"
#include "opmark/gemm.h"

static om__product product_of(const om_gemm_args *args)
{
    return (om__product){
        .a = args->dtype,
        .b = args->dtype,
        .d = args->dtype,
        .a_lines = !!args->trans_a,
        .b_lines = !args->trans_b,
        .items = 1,
        .rows = args->m,
        .most_k = args->k,
        .odd_k = args->k % 2 != 0,
    };
}

static om_status query(const om__gemm_level *level, const om_kernel_env *env, const void *arguments,
                       size_t *workspace_bytes, om_error *err)
{
    om__product product = product_of(arguments);
    return om__product_query(level, env, &product, workspace_bytes, err);
}

static void multiply(const om__gemm_level *level, const om_kernel_env *env,
                     const om_gemm_args *args, void *workspace)
{
    om__product product = product_of(args);
    om__gemm_item item = {
        .m = args->m,
        .n = args->n,
        .k = args->k,
        .a = {.data = args->a, .stride = args->trans_a ? args->m : args->k},
        .b = {.data = args->b, .stride = args->trans_b ? args->k : args->n},
        .d = args->d,
        .d_stride = args->n,
    };
    om__product_run(level, env, &product, &item, workspace);
}

static om_status run(const om__gemm_level *level, const om_kernel_env *env, const void *arguments,
                     void *workspace, om_error *err)
{
    (void)err;
    multiply(level, env, arguments, workspace);
    return OM_OK;
}

/* grad_a = grad_out · b and grad_b = grad_outᵀ · a, as two dense products. */
static void backward_parts(const om_gemm_backward_args *args, om_gemm_args *parts)
{
    parts[0] = (om_gemm_args){.m = args->m,
                              .n = args->k,
                              .k = args->n,
                              .dtype = args->dtype,
                              .a = args->grad_out,
                              .b = args->b,
                              .d = args->grad_a};
    parts[1] = (om_gemm_args){.m = args->n,
                              .n = args->k,
                              .k = args->m,
                              .dtype = args->dtype,
                              .trans_a = 1,
                              .a = args->grad_out,
                              .b = args->a,
                              .d = args->grad_b};
}

static om_status query_backward(const om__gemm_level *level, const om_kernel_env *env,
                                const void *arguments, size_t *workspace_bytes, om_error *err)
{
    om_gemm_args parts[2];
    size_t first = 0, second = 0;
    backward_parts(arguments, parts);
    OM_TRY(query(level, env, &parts[0], &first, err));
    OM_TRY(query(level, env, &parts[1], &second, err));
    *workspace_bytes = first > second ? first : second;
    return OM_OK;
}

static om_status run_backward(const om__gemm_level *level, const om_kernel_env *env,
                              const void *arguments, void *workspace, om_error *err)
{
    om_gemm_args parts[2];
    (void)err;
    backward_parts(arguments, parts);
    multiply(level, env, &parts[0], workspace);
    multiply(level, env, &parts[1], workspace);
    return OM_OK;
}

OM_PRODUCT_KERNELS(gemm, "gemm", "forward", query, run)
OM_PRODUCT_KERNELS(gemm_backward, "gemm", "backward", query_backward, run_backward)
