/* SPDX-License-Identifier: Apache-2.0 */
/* moe_gate_up_blocked.c: the first half of the experts' MLP through the blocked core.
 *
 * Shapes    any. Layout: weights [E,2F,K]. Types: bf16, fp16, f32.
 * Schedule  a panel of B is half gate and half up columns of the same F, so that act(gate) · up is
 *           formed from sums in the first-level cache and written once.
 * Numerics  f32 sums and activation, one rounding. Refuses: nothing. Cost: as grouped_gemm_nt.
 */
#include "kernels/cpu/gemm_product.h"
#include "kernels/cpu/moe_items.h"
#include "opmark/moe_gate_up.h"

static om_status query(const om__gemm_level *level, const om_kernel_env *env, const void *arguments,
                       size_t *workspace_bytes, om_error *err)
{
    const om_moe_gate_up_args *args = arguments;
    om__product product = om__gate_up_product(level, args->dtype, args->dtype, args->activation,
                                              args->e, args->s, args->f, args->k);
    OM_TRY(om__product_query(level, env, &product, workspace_bytes, err));
    *workspace_bytes += om__carved(args->e * (int64_t)sizeof(om__gemm_item));
    return OM_OK;
}

static om_status run(const om__gemm_level *level, const om_kernel_env *env, const void *arguments,
                     void *workspace, om_error *err)
{
    const om_moe_gate_up_args *args = arguments;
    const int bytes = om_dtype_bits(args->dtype) / 8;
    char *memory = workspace;
    om__gemm_item *items = om__carve(&memory, args->e * (int64_t)sizeof *items);
    om__product product = om__gate_up_product(level, args->dtype, args->dtype, args->activation,
                                              args->e, args->s, args->f, args->k);
    (void)err;
    for (int64_t e = 0; e < args->e; e++)
        items[e] = om__gate_up_item(level, args->f, args->k, args->sizes[e],
                                    (const char *)args->a + args->offsets[e] * args->k * bytes,
                                    NULL, (const char *)args->b + e * 2 * args->f * args->k * bytes,
                                    (char *)args->c + args->offsets[e] * args->f * bytes);
    om__product_run(level, env, &product, items, memory);
    return OM_OK;
}

OM_PRODUCT_KERNELS(moe_gate_up, "moe_gate_up", "forward", query, run)
