/* SPDX-License-Identifier: Apache-2.0 */
/* gemm_fp8_blocked.c: products of e4m3 operands with scales, and the linear layer that casts its
 * own operands.
 *
 * Shapes    any. Layout: nt, and nn and tn in the backward pass. Types: e4m3 and e5m2 in, bf16 or
 *           fp16 out.
 * Schedule  the core with decoding packers; scales of a whole tensor multiply the sums, scales of
 *           128 values multiply in the packers.
 * Numerics  e4m3 and e5m2 are exact in bf16 and f32; f32 sums; one rounding.
 * Refuses   the bf16-pairs level: scales of 128 values with many rows, whose products bf16 cannot
 *           hold; few rows are sums of 128 times both scales.
 * Cost      B is decoded once a task of rows, A once.
 */
#include "kernels/cpu/cast_run.h"
#include "kernels/cpu/gemm_product.h"
#include "kernels/cpu/gemm_scaled.h"
#include "opmark/fp8_linear.h"
#include "opmark/gemm_fp8.h"

static int64_t blocks_of(int64_t k)
{
    return (k + 127) / 128;
}

static om__product fp8_product(const om__gemm_level *level, const om_gemm_fp8_args *args,
                               om__gemm_scaling *scaling)
{
    const int by_block = args->scale_mode == OM_SCALE_BLOCK128;
    *scaling = (om__gemm_scaling){
        .a = by_block ? NULL : args->scale_a,
        .b = by_block ? NULL : args->scale_b,
        .bias = args->has_bias ? args->bias : NULL,
    };
    return (om__product){
        .a = OM_E4M3,
        .b = OM_E4M3,
        .d = args->out_dtype,
        .items = 1,
        .rows = args->m,
        .most_k = args->k,
        .odd_k = args->k % 2 != 0,
        .pack_a = by_block ? level->pack_a_block128 : NULL,
        .pack_b = by_block ? level->pack_b_block128 : NULL,
        .dot = by_block ? level->dot_block128 : NULL,
        .store = level->store_scaled[args->out_dtype],
        .context = scaling,
    };
}

static om_status query_fp8(const om__gemm_level *level, const om_kernel_env *env,
                           const void *arguments, size_t *workspace_bytes, om_error *err)
{
    const om_gemm_fp8_args *args = arguments;
    om__gemm_scaling scaling;
    om__product product = fp8_product(level, args, &scaling);
    if (args->scale_mode == OM_SCALE_BLOCK128 && level->pack_b_block128 == NULL &&
        (level->dot_block128 == NULL || args->m > level->dot_rows))
        return om__error_set(err, OM_UNSUPPORTED,
                             "this kernel takes scales of 128 values with few rows only");
    return om__product_query(level, env, &product, workspace_bytes, err);
}

static om_status run_fp8(const om__gemm_level *level, const om_kernel_env *env,
                         const void *arguments, void *workspace, om_error *err)
{
    const om_gemm_fp8_args *args = arguments;
    om__gemm_scaling scaling;
    om__product product = fp8_product(level, args, &scaling);
    const int64_t blocks = blocks_of(args->k);
    (void)err;
    om__gemm_item item = {
        .m = args->m,
        .n = args->n,
        .k = args->k,
        .a = {.data = args->a, .stride = args->k, .scale = args->scale_a, .scale_stride = blocks},
        .b = {.data = args->b, .stride = args->k, .scale = args->scale_b, .scale_stride = blocks},
        .d = args->d,
        .d_stride = args->n,
    };
    om__product_run(level, env, &product, &item, workspace);
    return OM_OK;
}

/* ---- fp8_linear ---- */

static const om__cast_level *casts_of(const om__gemm_level *level)
{
    return level->isa == OM_ISA_SCALAR ? &om__cast_scalar
           : level->isa == OM_ISA_AVX2 ? &om__cast_avx2
                                       : &om__cast_avx512;
}

static void cast(const om__gemm_level *level, const om_kernel_env *env, const void *x, void *y,
                 int64_t count, om_dtype to, int scaling, float *scale, float *amax)
{
    om__cast_call call = {.x = x,
                          .y = y,
                          .count = count,
                          .from = OM_BF16,
                          .to = to,
                          .finds_scale = scaling == OM_FP8_CURRENT,
                          .scale = scale,
                          .amax = amax};
    om__cast_all(casts_of(level), env, &call);
}

static om__product linear_product(const om__gemm_level *level, om_dtype a, int64_t m, int64_t k,
                                  int a_lines, int b_lines, const om__gemm_scaling *scaling)
{
    return (om__product){
        .a = a,
        .b = OM_E4M3,
        .d = OM_BF16,
        .a_lines = a_lines,
        .b_lines = b_lines,
        .items = 1,
        .rows = m,
        .most_k = k,
        .odd_k = k % 2 != 0,
        .store = level->store_scaled[OM_BF16],
        .context = scaling,
    };
}

static om_status query_linear(const om__gemm_level *level, const om_kernel_env *env,
                              const void *arguments, size_t *workspace_bytes, om_error *err)
{
    const om_fp8_linear_args *args = arguments;
    om__product product = linear_product(level, OM_E4M3, args->m, args->k, 0, 0, NULL);
    return om__product_query(level, env, &product, workspace_bytes, err);
}

static om_status run_linear(const om__gemm_level *level, const om_kernel_env *env,
                            const void *arguments, void *workspace, om_error *err)
{
    const om_fp8_linear_args *args = arguments;
    (void)err;
    cast(level, env, args->x, args->x_fp8, args->m * args->k, OM_E4M3, args->scaling, args->scale_x,
         args->amax_x);
    cast(level, env, args->w, args->w_fp8, args->n * args->k, OM_E4M3, args->scaling, args->scale_w,
         args->amax_w);
    om__gemm_scaling scaling = {.a = args->scale_x, .b = args->scale_w, .inverse = 1};
    om__product product = linear_product(level, OM_E4M3, args->m, args->k, 0, 0, &scaling);
    om__gemm_item item = {
        .m = args->m,
        .n = args->n,
        .k = args->k,
        .a = {.data = args->x_fp8, .stride = args->k},
        .b = {.data = args->w_fp8, .stride = args->k},
        .d = args->d,
        .d_stride = args->n,
    };
    om__product_run(level, env, &product, &item, workspace);
    return OM_OK;
}

static om_status query_linear_backward(const om__gemm_level *level, const om_kernel_env *env,
                                       const void *arguments, size_t *workspace_bytes,
                                       om_error *err)
{
    const om_fp8_linear_backward_args *args = arguments;
    size_t first = 0, second = 0;
    om__product dgrad = linear_product(level, OM_E5M2, args->m, args->n, 0, 1, NULL);
    om__product wgrad = linear_product(level, OM_E5M2, args->n, args->m, 1, 1, NULL);
    OM_TRY(om__product_query(level, env, &dgrad, &first, err));
    OM_TRY(om__product_query(level, env, &wgrad, &second, err));
    *workspace_bytes = om__carved(args->m * args->n) + (first > second ? first : second);
    return OM_OK;
}

static om_status run_linear_backward(const om__gemm_level *level, const om_kernel_env *env,
                                     const void *arguments, void *workspace, om_error *err)
{
    const om_fp8_linear_backward_args *args = arguments;
    char *memory = workspace;
    void *g = om__carve(&memory, args->m * args->n);
    (void)err;
    cast(level, env, args->grad_out, g, args->m * args->n, OM_E5M2, args->scaling, args->scale_g,
         args->amax_g);
    om__gemm_scaling scaling = {.a = args->scale_g, .b = args->scale_w, .inverse = 1};
    om__product dgrad = linear_product(level, OM_E5M2, args->m, args->n, 0, 1, &scaling);
    om__gemm_item item = {
        .m = args->m,
        .n = args->k,
        .k = args->n,
        .a = {.data = g, .stride = args->n},
        .b = {.data = args->w_fp8, .stride = args->k},
        .d = args->grad_x,
        .d_stride = args->k,
    };
    om__product_run(level, env, &dgrad, &item, memory);
    scaling.b = args->scale_x;
    om__product wgrad = linear_product(level, OM_E5M2, args->n, args->m, 1, 1, &scaling);
    item.m = args->n;
    item.k = args->m;
    item.b.data = args->x_fp8;
    item.d = args->grad_w;
    om__product_run(level, env, &wgrad, &item, memory);
    return OM_OK;
}

OM_PRODUCT_KERNELS(gemm_fp8, "gemm_fp8", "forward", query_fp8, run_fp8)
OM_PRODUCT_KERNELS(fp8_linear, "fp8_linear", "forward", query_linear, run_linear)
OM_PRODUCT_KERNELS(fp8_linear_backward, "fp8_linear", "backward", query_linear_backward,
                   run_linear_backward)
