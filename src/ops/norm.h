/* SPDX-License-Identifier: Apache-2.0 */
/* norm.h: the arithmetic that rmsnorm and layernorm and their backward passes share.
 *
 * rmsnorm is layernorm without a mean and a beta: the pointers are then NULL.
 */
#ifndef OM_OPS_NORM_H
#define OM_OPS_NORM_H

#include "ops/reference.h"

/* Statistics of `count` values: their mean (NULL: taken as 0) and 1 / sqrt(mean((x-mean)²) + eps).
 */
double om__norm_statistics(const void *x, om_dtype dtype, int64_t first, int64_t count, double eps,
                           double *mean);

typedef struct om_norm_backward {
    int64_t m, h;
    om_dtype dtype;
    const void *grad_y, *x, *gamma;
    const float *mean, *rstd;
    void *grad_x, *grad_gamma, *grad_beta;
} om_norm_backward;

/* grad_x of one row. */
void om__norm_backward_row(const om_norm_backward *norm, int64_t row);
/* grad_gamma or grad_beta, whichever `to` is, of one column. */
void om__norm_backward_column(const om_norm_backward *norm, void *to, int64_t column);

/* Fills mean and rstd (either may be NULL) of all rows of x; centred: about the mean. */
void om__norm_fill(const void *x, om_dtype dtype, int64_t m, int64_t h, double eps, bool centred,
                   float *mean, float *rstd);

#endif
