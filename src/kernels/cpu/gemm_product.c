/* SPDX-License-Identifier: Apache-2.0 */
/* gemm_product.c: choosing packers, stores and the way A is read for a call of the GEMM core. */
#include "kernels/cpu/gemm_product.h"

/* Whether the tiles can walk the rows of A as they are stored. */
static int reads_in_place(const om__gemm_level *level, const om__product *product)
{
    return product->a == level->direct && !product->a_lines && product->pack_a == NULL &&
           !(level->tiles->pairs && product->odd_k);
}

/* Rows of both operands where they lie. */
static const om__streams *streams_of(const om__gemm_level *level, const om__product *product)
{
    return reads_in_place(level, product) && product->b == product->a && !product->b_lines &&
                   product->pack_b == NULL && product->dot == NULL
               ? level->streams
               : NULL;
}

static om__gemm_bounds bounds_of(const om__gemm_level *level, const om__product *product)
{
    return (om__gemm_bounds){
        .items = product->items,
        .rows = product->rows,
        .most_k = product->most_k,
        .packed_a = !reads_in_place(level, product),
        .streams = streams_of(level, product) != NULL,
    };
}

om_status om__product_query(const om__gemm_level *level, const om_kernel_env *env,
                            const om__product *product, size_t *workspace_bytes, om_error *err)
{
    if (env->isa < level->isa)
        return om__error_set(err, OM_UNSUPPORTED, "needs %s", om__isa_name(level->isa));
    if (level->tiles->pairs && !om__cpu_info_get()->has_avx512_bf16)
        return om__error_set(err, OM_UNSUPPORTED, "needs AVX512-BF16");
    if ((product->pack_a == NULL && level->pack_a[product->a][product->a_lines] == NULL) ||
        (product->pack_b == NULL && product->dot == NULL &&
         level->pack_b[product->b][product->b_lines] == NULL) ||
        (product->store == NULL && level->store[product->d] == NULL))
        return om__error_set(err, OM_UNSUPPORTED, "this kernel does not multiply %s by %s",
                             om_dtype_name(product->a), om_dtype_name(product->b));
    om__gemm_bounds bounds = bounds_of(level, product);
    *workspace_bytes = om__gemm_workspace_bytes(env, level->tiles, &bounds);
    return OM_OK;
}

void om__product_run(const om__gemm_level *level, const om_kernel_env *env,
                     const om__product *product, const om__gemm_item *items, void *workspace)
{
    om__gemm_pack_fn pack_a =
        product->pack_a ? product->pack_a : level->pack_a[product->a][product->a_lines];
    int exact = product->a != OM_BF16 && product->b != OM_BF16;
    om__gemm gemm = {
        .tiles = level->tiles,
        .item_count = product->items,
        .items = items,
        .pack_a = reads_in_place(level, product) ? NULL : pack_a,
        .a_bytes = om_dtype_bits(product->a) / 8,
        .pack_b = product->pack_b ? product->pack_b : level->pack_b[product->b][product->b_lines],
        .b_bytes = product->b == OM_U4X2 ? 0 : om_dtype_bits(product->b) / 8,
        .b_lines = product->b_lines,
        .dot = product->dot                          ? product->dot
               : product->b_lines || product->pack_b ? NULL
                                                     : level->dot[product->b],
        .dot_wide = level->dot_wide,
        .dot_rows = level->dot_rows,
        .streams = streams_of(level, product),
        .stream_pack = level->pack_b[product->a][0],
        .stream_turn = level->turn,
        .pair_rows = product->pair_rows,
        .wide = exact ? NULL : level->wide[product->b_lines],
        .store = product->store ? product->store : level->store[product->d],
        .wide_store = product->store ? NULL : level->wide_store[product->d],
        .store_is_copy = product->store == NULL && product->d == OM_F32,
        .context = product->context,
    };
    om__gemm_bounds bounds = bounds_of(level, product);
    om__gemm_run(env, &gemm, &bounds, workspace);
}
