/* SPDX-License-Identifier: Apache-2.0 */
/* reference.h: the pieces that host references and host fills are made of. */
#ifndef OM_OPS_REFERENCE_H
#define OM_OPS_REFERENCE_H

#include "core/convert.h"
#include "opmark/moe_routing.h"
#include "ops/contract.h"

/* Spreads the loop that follows over the threads where the work (in elementary steps) is worth it.
 */
#ifdef _OPENMP
#define OM_PRAGMA(text) _Pragma(#text)
#define OM_PARALLEL_FOR(steps) OM_PRAGMA(omp parallel for schedule(dynamic) if((steps) > 1000000))
#else
#define OM_PARALLEL_FOR(steps)
#endif

/* How many rows of output `port` are asked for, of `total`; and the i-th of them. */
int64_t om__rows_count(const om_rows *rows, size_t port, int64_t total);
int64_t om__rows_get(const om_rows *rows, size_t port, int64_t i);

/* Those of the rows asked for that lie within the `count` rows from `first` on, counted from there,
 * into index (room for `count`); returns how many. */
int64_t om__rows_within(const om_rows *rows, size_t port, int64_t first, int64_t count,
                        int64_t *index);

/* Memory for `count` elements (at least one), or NULL and OM_NO_MEMORY in err. */
void *om__scratch(int64_t count, size_t element_bytes, om_error *err);

/* ---- products ---- */

/* A matrix stored with two strides, in elements: element (i, j) lies at origin + i·row + j·column.
 * data NULL: an empty matrix that is never read. */
typedef struct om_matrix {
    const void *data;
    om_dtype dtype;
    int64_t origin, row, column;
} om_matrix;

/* d(i, j) = sum over k of a(i, k) · b(j, k), in f64, for i out of m rows (i = index[..] where index
 * is not NULL) and j in 0..n-1: a gives its row i and b its row j as f32. emit gets every result;
 * calls for different (i, j) come from several threads. */
typedef struct om_product {
    int64_t m, n, k;
    const int64_t *index;
    void (*load_a)(const void *user, int64_t i, float *row);
    void (*load_b)(const void *user, int64_t j, float *row);
    void (*emit)(const void *user, int64_t i, int64_t j, double value);
    const void *user;
} om_product;

om_status om__reference_product(const om_product *product, om_error *err);

/* Sum of a[i] · b[i] in f64, in a fixed order. */
double om__dot(const float *a, const float *b, int64_t count);

/* Loads row i of a matrix, k elements. */
void om__matrix_load(const om_matrix *matrix, int64_t i, int64_t k, float *row);

/* The plain case: d = a · bᵀ, scaled, rounded to d's dtype. */
typedef struct om_matmul {
    int64_t m, n, k;
    const int64_t *index; /* rows of a and d to compute, m of them; NULL: 0..m-1 */
    om_matrix a, b;
    void *d;
    om_dtype d_dtype;
    int64_t d_origin, d_row, d_column;
    double scale; /* 0: 1 */
} om_matmul;

om_status om__reference_matmul(const om_matmul *matmul, om_error *err);

/* `count` products of one shape, each so many elements on in a, b and d; the rows of output `port`
 * are the rows of all of them, one after another. matmul's index is not used. */
typedef struct om_batch {
    int64_t count, a_step, b_step, d_step;
} om_batch;

om_status om__reference_batch(const om_matmul *matmul, const om_batch *batch, const om_rows *rows,
                              size_t port, om_error *err);

/* ---- drawing ---- */

/* A deterministic stream of integers below `bound` (1..2^32). */
typedef struct om_draw {
    uint64_t seed;
    uint32_t tensor;
    uint64_t index;
} om_draw;

int64_t om__draw_below(om_draw *draw, int64_t bound);
double om__draw_uniform(om_draw *draw); /* in [0, 1) */
/* Shuffles `count` integers in place. */
void om__draw_shuffle(om_draw *draw, int32_t *values, int64_t count);

extern const char *const om__routing_words[]; /* of om_moe_routing */

/* Rows of k distinct ids out of 0..e-1, spread by an om_moe_routing. */
om_status om__draw_ids(int routing, uint64_t seed, uint32_t tensor, int64_t t, int64_t k, int64_t e,
                       int32_t *ids, om_error *err);
/* Group sizes that add up to `rows`. */
void om__draw_sizes(int routing, uint64_t seed, uint32_t tensor, int64_t rows, int64_t groups,
                    int32_t *sizes);

/* The same with the offsets they lead to; either may be NULL. */
void om__draw_groups(int routing, uint64_t seed, uint32_t tensor, int64_t rows, int64_t groups,
                     int32_t *sizes, int32_t *offsets);

#endif
