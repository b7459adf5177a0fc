/* SPDX-License-Identifier: Apache-2.0 */
/* composition_fp8.c: linear layers in fp8 as casts and products. */
#include "base/error.h"
#include "providers/composition.h"

/* ---- fp8_linear: casts, then a product of fp8 operands ---- */

static om_status run_fp8_linear(void *opaque, const om_problem *problem, void *workspace,
                                om_error *err)
{
    (void)workspace;
    const om__composition *self = opaque;
    const om_fp8_linear_args *a = problem->args;
    int scaling = a->scaling == OM_FP8_CURRENT ? OM_CAST_CURRENT : OM_CAST_GIVEN;
    const om_cast_args cast_x = {.m = a->m,
                                 .h = a->k,
                                 .scaling = scaling,
                                 .x = a->x,
                                 .y = a->x_fp8,
                                 .scale = a->scale_x,
                                 .amax = a->amax_x};
    const om_cast_args cast_w = {.m = a->n,
                                 .h = a->k,
                                 .scaling = scaling,
                                 .x = a->w,
                                 .y = a->w_fp8,
                                 .scale = a->scale_w,
                                 .amax = a->amax_w};
    OM_TRY(om_cast(self->context, &cast_x, err));
    OM_TRY(om_cast(self->context, &cast_w, err));
    float inverse_x = 1 / a->scale_x[0], inverse_w = 1 / a->scale_w[0];
    const om_gemm_fp8_args product = {.m = a->m,
                                      .n = a->n,
                                      .k = a->k,
                                      .a = a->x_fp8,
                                      .b = a->w_fp8,
                                      .scale_a = &inverse_x,
                                      .scale_b = &inverse_w,
                                      .d = a->d};
    return om_gemm_fp8(self->context, &product, err);
}

/* ---- backward: what is quantised is widened again, because no part multiplies e5m2 ---- */

static size_t backward_workspace(const om_problem *problem)
{
    const om_fp8_linear_backward_args *a = problem->args;
    return om__block_bytes(a->m * a->n, 1) + om__block_bytes(a->m * a->n, 2) +
           om__block_bytes(a->m * a->k, 2) + om__block_bytes(a->n * a->k, 2);
}

static om_status widen(const om__composition *self, int64_t rows, int64_t columns, om_dtype from,
                       const void *x, float scale, void *y, om_error *err)
{
    float inverse = 1 / scale;
    const om_cast_args cast = {
        .m = rows, .h = columns, .from = from, .to = OM_BF16, .x = x, .y = y, .scale = &inverse};
    return om_cast(self->context, &cast, err);
}

static om_status run_backward(void *opaque, const om_problem *problem, void *workspace,
                              om_error *err)
{
    const om__composition *self = opaque;
    const om_fp8_linear_backward_args *a = problem->args;
    char *at = workspace;
    void *codes = om__block_take(&at, a->m * a->n, 1);
    void *g = om__block_take(&at, a->m * a->n, 2);
    void *x = om__block_take(&at, a->m * a->k, 2);
    void *w = om__block_take(&at, a->n * a->k, 2);
    const om_cast_args cast = {.m = a->m,
                               .h = a->n,
                               .to = OM_E5M2,
                               .scaling =
                                   a->scaling == OM_FP8_CURRENT ? OM_CAST_CURRENT : OM_CAST_GIVEN,
                               .x = a->grad_out,
                               .y = codes,
                               .scale = a->scale_g,
                               .amax = a->amax_g};
    const om_gemm_backward_args products = {.m = a->m,
                                            .n = a->n,
                                            .k = a->k,
                                            .grad_out = g,
                                            .a = x,
                                            .b = w,
                                            .grad_a = a->grad_x,
                                            .grad_b = a->grad_w};
    OM_TRY(om_cast(self->context, &cast, err));
    OM_TRY(widen(self, a->m, a->n, OM_E5M2, codes, a->scale_g[0], g, err));
    OM_TRY(widen(self, a->m, a->k, OM_E4M3, a->x_fp8, a->scale_x[0], x, err));
    OM_TRY(widen(self, a->n, a->k, OM_E4M3, a->w_fp8, a->scale_w[0], w, err));
    return om_gemm_backward(self->context, &products, err);
}

const om_serve om__composition_fp8[] = {
    {"fp8_linear", NULL, NULL, NULL, run_fp8_linear},
    {"fp8_linear", "backward", NULL, backward_workspace, run_backward},
    {0},
};
