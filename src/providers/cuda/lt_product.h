/* SPDX-License-Identifier: Apache-2.0 */
/* lt_product.h: a matrix product by cuBLASLt: described, tuned by trial, run. */
#ifndef OM_PROVIDERS_CUDA_LT_PRODUCT_H
#define OM_PROVIDERS_CUDA_LT_PRODUCT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "opmark/dtype.h"

typedef struct om_lt om_lt;           /* the library and a handle of it */
typedef struct om_lt_plan om_lt_plan; /* a product with its algorithm */

typedef enum om_lt_scaling {
    OM_LT_UNSCALED = 0,
    OM_LT_PER_TENSOR,  /* one f32 factor for a, one for b */
    OM_LT_VECTORS_128, /* f32 for each 128 of k in every row of a and of b */
    OM_LT_BLOCKS_128,  /* as before for a; for each 128x128 block of b */
} om_lt_scaling;

/* d[batch][m][n] = a[batch][m][k] · b[batch][k][n], row-major and packed; with trans_a or trans_b
 * the operand is stored with its two last axes exchanged. */
typedef struct om_lt_product {
    int64_t batch, m, n, k;
    om_dtype type_a, type_b, type_d;
    bool trans_a, trans_b;
    om_lt_scaling scaling;
    bool fast_accumulation; /* fp8: keep sums in the tensor core's short format */
    bool has_bias;          /* bf16 [n], added to every row */
} om_lt_product;

typedef struct om_lt_operands {
    const void *a, *b;
    void *d;
    const float *scale_a, *scale_b; /* VECTORS_128: [m][k/128] and [n][k/128] */
    const void *bias;
} om_lt_operands;

om_status om__lt_open(const char *folder, om_lt **lt, om_error *err);
void om__lt_close(om_lt *lt);
/* "cuBLASLt 13.1.0", and where it lies. */
const char *om__lt_version_get(const om_lt *lt);
const char *om__lt_path_get(const om_lt *lt);

/* May it serve? OM_UNSUPPORTED with the reason; asks nothing of the device. */
om_status om__lt_product_check(const om_lt_product *product, om_error *err);

/* Asks for up to 16 algorithms, tries each on random data with a cold cache, and keeps the fastest;
 * the order and number of trials are in the plan's words. Scratch memory as large as the operands
 * is taken and given back; where there is not enough, the first suggestion is kept untried. */
om_status om__lt_plan_create(om_lt *lt, void *stream, const om_lt_product *product,
                             om_lt_plan **plan, size_t *workspace_bytes, om_error *err);
void om__lt_plan_destroy(om_lt_plan *plan);
om_status om__lt_plan_run(om_lt_plan *plan, void *stream, const om_lt_operands *operands,
                          void *workspace, om_error *err);
/* "algorithm 66 tile 22 stages 36 split-k 1 cluster 3; fastest of 8 tried (1.41 ms first, 1.36
 * best)" */
const char *om__lt_plan_words_get(const om_lt_plan *plan);

#endif
