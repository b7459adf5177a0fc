/* SPDX-License-Identifier: Apache-2.0 */
/* bmm_blocked.c: batches of products of one shape: bmm, its fp8 forms, and grouped_gemm both ways.
 *
 * Shapes    any. Layout: packed items. Types: bf16, fp16, f32; e4m3 with a scale an operand.
 * Schedule  the items are one list for the core, so that small ones fill all threads together.
 * Numerics  products exact, f32 sums, scales on the sums, one rounding. Refuses: other types.
 * Cost      packs B of each item once.
 */
#include "kernels/cpu/gemm_product.h"
#include "kernels/cpu/gemm_scaled.h"
#include "opmark/bmm.h"
#include "opmark/bmm_fp8.h"
#include "opmark/grouped_gemm.h"

typedef struct batch {
    int64_t count, m, n, k;
    om__product product;
    const void *a, *b;
    void *d;
} batch;

static om_status query_batch(const om__gemm_level *level, const om_kernel_env *env,
                             const batch *all, size_t *workspace_bytes, om_error *err)
{
    OM_TRY(om__product_query(level, env, &all->product, workspace_bytes, err));
    *workspace_bytes += om__carved(all->count * (int64_t)sizeof(om__gemm_item));
    return OM_OK;
}

static void run_batch(const om__gemm_level *level, const om_kernel_env *env, const batch *all,
                      void *workspace)
{
    char *memory = workspace;
    om__gemm_item *items = om__carve(&memory, all->count * (int64_t)sizeof *items);
    const om__product *p = &all->product;
    const int a_bytes = om_dtype_bits(p->a) / 8, b_bytes = om_dtype_bits(p->b) / 8;
    const int d_bytes = om_dtype_bits(p->d) / 8;
    for (int64_t i = 0; i < all->count; i++)
        items[i] = (om__gemm_item){
            .m = all->m,
            .n = all->n,
            .k = all->k,
            .a = {.data = (const char *)all->a + i * all->m * all->k * a_bytes,
                  .stride = p->a_lines ? all->m : all->k},
            .b = {.data = (const char *)all->b + i * all->k * all->n * b_bytes,
                  .stride = p->b_lines ? all->n : all->k},
            .d = (char *)all->d + i * all->m * all->n * d_bytes,
            .d_stride = all->n,
            .number = i,
        };
    om__product_run(level, env, p, items, memory);
}

static batch batch_of(int64_t count, int64_t m, int64_t n, int64_t k, om_dtype type, om_dtype d,
                      int a_lines, int b_lines)
{
    return (batch){
        .count = count,
        .m = m,
        .n = n,
        .k = k,
        .product = {.a = type,
                    .b = type,
                    .d = d,
                    .a_lines = a_lines,
                    .b_lines = b_lines,
                    .items = count,
                    .rows = count * m,
                    .most_k = k,
                    .odd_k = k % 2 != 0},
    };
}

static batch bmm_batch(const om_bmm_args *args)
{
    batch all = batch_of(args->batch, args->m, args->n, args->k, args->dtype, args->dtype, 0, 1);
    all.a = args->a;
    all.b = args->b;
    all.d = args->d;
    return all;
}

static om_status query_bmm(const om__gemm_level *level, const om_kernel_env *env,
                           const void *arguments, size_t *workspace_bytes, om_error *err)
{
    batch all = bmm_batch(arguments);
    return query_batch(level, env, &all, workspace_bytes, err);
}

static om_status run_bmm(const om__gemm_level *level, const om_kernel_env *env,
                         const void *arguments, void *workspace, om_error *err)
{
    batch all = bmm_batch(arguments);
    (void)err;
    run_batch(level, env, &all, workspace);
    return OM_OK;
}

static batch bmm_fp8_batch(const om__gemm_level *level, const om_bmm_fp8_args *args, int b_lines,
                           om__gemm_scaling *scaling)
{
    batch all =
        batch_of(args->batch, args->m, args->n, args->k, OM_E4M3, args->out_dtype, 0, b_lines);
    *scaling = (om__gemm_scaling){.a = args->scale_a, .b = args->scale_b};
    all.product.store = level->store_scaled[args->out_dtype];
    all.product.context = scaling;
    all.a = args->a;
    all.b = args->b;
    all.d = args->d;
    return all;
}

#define BMM_FP8(NAME, B_LINES)                                                                     \
    static om_status query_##NAME(const om__gemm_level *level, const om_kernel_env *env,           \
                                  const void *arguments, size_t *workspace_bytes, om_error *err)   \
    {                                                                                              \
        om__gemm_scaling scaling;                                                                  \
        batch all = bmm_fp8_batch(level, arguments, B_LINES, &scaling);                            \
        return query_batch(level, env, &all, workspace_bytes, err);                                \
    }                                                                                              \
    static om_status run_##NAME(const om__gemm_level *level, const om_kernel_env *env,             \
                                const void *arguments, void *workspace, om_error *err)             \
    {                                                                                              \
        om__gemm_scaling scaling;                                                                  \
        batch all = bmm_fp8_batch(level, arguments, B_LINES, &scaling);                            \
        (void)err;                                                                                 \
        run_batch(level, env, &all, workspace);                                                    \
        return OM_OK;                                                                              \
    }
BMM_FP8(bmm_fp8_nk, 0)
BMM_FP8(bmm_fp8_kn, 1)

static batch grouped_batch(const om_grouped_gemm_args *args)
{
    batch all = batch_of(args->g, args->m, args->n, args->k, args->dtype, args->dtype, 0, 0);
    all.a = args->a;
    all.b = args->b;
    all.d = args->d;
    return all;
}

static om_status query_grouped(const om__gemm_level *level, const om_kernel_env *env,
                               const void *arguments, size_t *workspace_bytes, om_error *err)
{
    batch all = grouped_batch(arguments);
    return query_batch(level, env, &all, workspace_bytes, err);
}

static om_status run_grouped(const om__gemm_level *level, const om_kernel_env *env,
                             const void *arguments, void *workspace, om_error *err)
{
    batch all = grouped_batch(arguments);
    (void)err;
    run_batch(level, env, &all, workspace);
    return OM_OK;
}

/* grad_a = grad_out · b, and grad_b = grad_outᵀ · a. */
static void grouped_parts(const om_grouped_gemm_backward_args *args, batch parts[2])
{
    parts[0] = batch_of(args->g, args->m, args->k, args->n, args->dtype, args->dtype, 0, 1);
    parts[0].a = args->grad_out;
    parts[0].b = args->b;
    parts[0].d = args->grad_a;
    parts[1] = batch_of(args->g, args->n, args->k, args->m, args->dtype, args->dtype, 1, 1);
    parts[1].a = args->grad_out;
    parts[1].b = args->a;
    parts[1].d = args->grad_b;
}

static om_status query_grouped_backward(const om__gemm_level *level, const om_kernel_env *env,
                                        const void *arguments, size_t *workspace_bytes,
                                        om_error *err)
{
    batch parts[2];
    size_t first = 0, second = 0;
    grouped_parts(arguments, parts);
    OM_TRY(query_batch(level, env, &parts[0], &first, err));
    OM_TRY(query_batch(level, env, &parts[1], &second, err));
    *workspace_bytes = first > second ? first : second;
    return OM_OK;
}

static om_status run_grouped_backward(const om__gemm_level *level, const om_kernel_env *env,
                                      const void *arguments, void *workspace, om_error *err)
{
    batch parts[2];
    (void)err;
    grouped_parts(arguments, parts);
    run_batch(level, env, &parts[0], workspace);
    run_batch(level, env, &parts[1], workspace);
    return OM_OK;
}

OM_PRODUCT_KERNELS(bmm, "bmm", "forward", query_bmm, run_bmm)
OM_PRODUCT_KERNELS(bmm_fp8_nk, "bmm_fp8_nk", "forward", query_bmm_fp8_nk, run_bmm_fp8_nk)
OM_PRODUCT_KERNELS(bmm_fp8_kn, "bmm_fp8_kn", "forward", query_bmm_fp8_kn, run_bmm_fp8_kn)
OM_PRODUCT_KERNELS(grouped_gemm, "grouped_gemm", "forward", query_grouped, run_grouped)
OM_PRODUCT_KERNELS(grouped_gemm_backward, "grouped_gemm", "backward", query_grouped_backward,
                   run_grouped_backward)
