/* SPDX-License-Identifier: Apache-2.0 */
/* gemm_w4a16_blocked.c: fp16 activations by int4 weights in groups of 128, through the blocked
 * core.
 *
 * Shapes    K a multiple of 128. Layout: weights [N,K]. Types: fp16 in and out.
 * Schedule  weights become f32 in the packer: (q − zero) · scale; few rows are dot products with
 *           weights as they lie. Numerics: exact operands, f32 sums, one rounding. Refuses: the
 *           bf16-pairs level takes few rows only. Cost: B is decoded once a task of rows.
 */
#include "kernels/cpu/gemm_product.h"
#include "opmark/gemm_w4a16.h"

static om__product product_of(const om__gemm_level *level, const om_gemm_w4a16_args *args)
{
    const int few = args->m <= level->dot_rows;
    return (om__product){
        .pack_a = few ? level->pack_a_int4 : NULL,
        .dot = few ? level->dot_int4 : NULL,
        .a = OM_F16,
        .b = OM_U4X2,
        .d = OM_F16,
        .items = 1,
        .rows = args->m,
        .most_k =
            level->tiles->pairs ? 2 * args->k : args->k, /* A takes 4 bytes a k at all levels */
        .pack_b = level->pack_b_int4,
    };
}

static om_status query(const om__gemm_level *level, const om_kernel_env *env, const void *args,
                       size_t *workspace_bytes, om_error *err)
{
    om__product product = product_of(level, args);
    return om__product_query(level, env, &product, workspace_bytes, err);
}

static om_status run(const om__gemm_level *level, const om_kernel_env *env, const void *arguments,
                     void *workspace, om_error *err)
{
    const om_gemm_w4a16_args *args = arguments;
    om__product product = product_of(level, args);
    (void)err;
    om__gemm_item item = {
        .m = args->m,
        .n = args->n,
        .k = args->k,
        .a = {.data = args->activation, .stride = args->k},
        .b = {.data = args->packed_weight,
              .stride = args->k,
              .scale = args->weight_scale,
              .zero = args->weight_zero,
              .scale_stride = args->k / 128},
        .d = args->out,
        .d_stride = args->n,
    };
    om__product_run(level, env, &product, &item, workspace);
    return OM_OK;
}

OM_PRODUCT_KERNELS(gemm_w4a16, "gemm_w4a16", "forward", query, run)
