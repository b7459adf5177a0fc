/* SPDX-License-Identifier: Apache-2.0 */
/* trend.c: whether samples still fall or rise in the order they were taken. */
#include "stats/trend.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "stats/quantile.h"

#define OM_TREND_FEWEST 8
#define OM_TREND_BLOCKS 512
#define OM_TREND_LEVEL  0.01

/* Sum over tie groups of t (t - 1) (2 t + 5). */
static double tie_term(const double *sorted, size_t n)
{
    double sum = 0.0;
    for (size_t i = 0; i < n;) {
        size_t end = i + 1;
        while (end < n && sorted[end] == sorted[i])
            end++;
        double t = (double)(end - i);
        sum += t * (t - 1) * (2 * t + 5);
        i = end;
    }
    return sum;
}

static double kendall_z(const double *values, size_t n, double *scratch)
{
    long long concordant = 0;
    for (size_t i = 0; i + 1 < n; i++)
        for (size_t j = i + 1; j < n; j++)
            concordant += (values[j] > values[i]) - (values[j] < values[i]);
    om__stats_sort_valid(values, n, scratch);
    double count = (double)n;
    double variance = (count * (count - 1) * (2 * count + 5) - tie_term(scratch, n)) / 18.0;
    if (concordant == 0 || variance <= 0)
        return 0.0;
    return ((double)concordant - (concordant > 0 ? 1.0 : -1.0)) / sqrt(variance);
}

/* Replaces more than OM_TREND_BLOCKS values by the medians of as many neighbouring groups. */
static size_t fold(double *values, size_t n, double *scratch)
{
    if (n <= OM_TREND_BLOCKS)
        return n;
    for (size_t b = 0; b < OM_TREND_BLOCKS; b++) {
        size_t begin = b * n / OM_TREND_BLOCKS, end = (b + 1) * n / OM_TREND_BLOCKS;
        values[b] = om__stats_median(values + begin, end - begin, scratch);
    }
    return OM_TREND_BLOCKS;
}

om_status om__stats_trend(const double *values, size_t n, om_trend *trend, om_error *err)
{
    *trend = (om_trend){.p = 1.0, .change = NAN, .direction = 0};
    if (n < OM_TREND_FEWEST)
        return OM_OK;
    double *valid = malloc(2 * n * sizeof *valid);
    if (valid == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for a trend over %zu samples", n);
    double *scratch = valid + n;
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        if (!isnan(values[i]))
            valid[count++] = values[i];
    if (count >= OM_TREND_FEWEST) {
        size_t third = count / 3;
        double first = om__stats_median(valid, third, scratch);
        double last = om__stats_median(valid + count - third, third, scratch);
        trend->change = last / first - 1.0;
        count = fold(valid, count, scratch);
        double z = kendall_z(valid, count, scratch);
        trend->p = erfc(fabs(z) / sqrt(2.0));
        if (trend->p <= OM_TREND_LEVEL)
            trend->direction = z > 0 ? 1 : -1;
    }
    free(valid);
    return OM_OK;
}
