/* SPDX-License-Identifier: Apache-2.0 */
/* norm.c: statistics of rows and the gradients of normalisations. */
#include "ops/norm.h"

#include <math.h>

double om__norm_statistics(const void *x, om_dtype dtype, int64_t first, int64_t count, double eps,
                           double *mean)
{
    double sum = 0, squares = 0, centre = 0;
    for (int64_t i = 0; mean && i < count; i++)
        sum += om__load_f64(x, dtype, first + i);
    if (mean)
        *mean = centre = count > 0 ? sum / (double)count : 0;
    for (int64_t i = 0; i < count; i++) {
        double distance = om__load_f64(x, dtype, first + i) - centre;
        squares += distance * distance;
    }
    return 1 / sqrt((count > 0 ? squares / (double)count : 0) + eps);
}

static double normalised(const om_norm_backward *p, int64_t row, int64_t column)
{
    double x = om__load_f64(p->x, p->dtype, row * p->h + column);
    return (x - (p->mean ? (double)p->mean[row] : 0)) * (double)p->rstd[row];
}

void om__norm_backward_row(const om_norm_backward *p, int64_t row)
{
    double sum = 0, dot = 0, h = (double)p->h;
    for (int64_t j = 0; j < p->h; j++) {
        double c =
            om__load_f64(p->grad_y, p->dtype, row * p->h + j) * om__load_f64(p->gamma, p->dtype, j);
        sum += c;
        dot += c * normalised(p, row, j);
    }
    if (!p->mean)
        sum = 0; /* nothing was centred */
    for (int64_t j = 0; j < p->h; j++) {
        double c =
            om__load_f64(p->grad_y, p->dtype, row * p->h + j) * om__load_f64(p->gamma, p->dtype, j);
        double value = (double)p->rstd[row] * (c - sum / h - normalised(p, row, j) * dot / h);
        om__store_f64(p->grad_x, p->dtype, row * p->h + j, value);
    }
}

void om__norm_backward_column(const om_norm_backward *p, void *to, int64_t column)
{
    double sum = 0;
    for (int64_t row = 0; row < p->m; row++) {
        double grad = om__load_f64(p->grad_y, p->dtype, row * p->h + column);
        sum += to == p->grad_gamma ? grad * normalised(p, row, column) : grad;
    }
    om__store_f64(to, p->dtype, column, sum);
}

void om__norm_fill(const void *x, om_dtype dtype, int64_t m, int64_t h, double eps, bool centred,
                   float *mean, float *rstd)
{
    OM_PARALLEL_FOR(m * h)
    for (int64_t row = 0; row < m; row++) {
        double centre = 0;
        double scale = om__norm_statistics(x, dtype, row * h, h, eps, centred ? &centre : NULL);
        if (mean)
            mean[row] = (float)centre;
        if (rstd)
            rstd[row] = (float)scale;
    }
}
