/* SPDX-License-Identifier: Apache-2.0 */
/* product.h: every matrix product of the catalogue by a library that multiplies f32 matrices.
 *
 * Operands of other types are widened, decoded or dequantised first and results rounded once, all
 * inside the clock, as a user of such a library has to do. A provider of this kind is a file that
 * opens its library and fills om_sgemm; the rest of its table comes from here.
 */
#ifndef OM_PROVIDERS_PRODUCT_H
#define OM_PROVIDERS_PRODUCT_H

#include <stdbool.h>

#include "providers/providers.h"

/* First member of the provider's own state. */
typedef struct om_sgemm {
    const char *provider; /* "openblas" */
    const char *call;     /* "cblas_sgemm": what explain prints */
    int threads;
    int64_t largest;  /* the largest dimension the library can take */
    bool native_bf16; /* multiply takes products whose matrices are all bf16 as well */
    /* d[m,n] = a · b with packed row-major matrices of one dtype, f32 or (native_bf16) bf16; a is
     * stored [k,m] with trans_a, b [n,k] with trans_b; m, n and k are at least 1. */
    om_status (*multiply)(void *self, om_dtype dtype, bool trans_a, bool trans_b, int64_t m,
                          int64_t n, int64_t k, const void *a, const void *b, void *d,
                          om_error *err);
} om_sgemm;

/* The functions of om_provider; self starts with an om_sgemm. */
om_status om__sgemm_query(void *self, const om_problem *problem, om_error *err);
om_status om__sgemm_prepare(void *self, const om_problem *problem, void **plan,
                            size_t *workspace_bytes, om_error *err);
om_status om__sgemm_run(void *self, void *plan, const om_problem *problem, void *workspace,
                        om_error *err);
void om__sgemm_release(void *self, void *plan);
void om__sgemm_explain(void *self, void *plan, char *text, size_t size);

#endif
