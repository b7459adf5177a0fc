/* SPDX-License-Identifier: Apache-2.0 */
/* quantile.c: medians, quantiles and the interval of a median by order statistics. */
#include "stats/quantile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int compare_doubles(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

void om__stats_sort(double *values, size_t n)
{
    /* Most arrays here are a handful of launches, where qsort's calls cost more than the work. */
    if (n > 48) {
        qsort(values, n, sizeof *values, compare_doubles);
        return;
    }
    for (size_t i = 1; i < n; i++) {
        double value = values[i];
        size_t j = i;
        for (; j > 0 && values[j - 1] > value; j--)
            values[j] = values[j - 1];
        values[j] = value;
    }
}

size_t om__stats_sort_valid(const double *values, size_t n, double *scratch)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        if (!isnan(values[i]))
            scratch[count++] = values[i];
    om__stats_sort(scratch, count);
    return count;
}

double om__stats_median_sorted(const double *sorted, size_t n)
{
    if (n == 0)
        return NAN;
    size_t middle = n / 2;
    return n % 2 != 0 ? sorted[middle] : 0.5 * (sorted[middle - 1] + sorted[middle]);
}

double om__stats_median(const double *values, size_t n, double *scratch)
{
    size_t count = om__stats_sort_valid(values, n, scratch);
    return om__stats_median_sorted(scratch, count);
}

double om__stats_quantile_sorted(const double *sorted, size_t n, double q)
{
    if (n == 0 || isnan(q))
        return NAN;
    double at = fmin(fmax(q, 0.0), 1.0) * (double)(n - 1);
    size_t below = (size_t)at;
    if (below + 1 >= n)
        return sorted[n - 1];
    double share = at - (double)below;
    if (share == 0.0)
        return sorted[below];
    return sorted[below] + share * (sorted[below + 1] - sorted[below]);
}

double om__stats_quantile(const double *values, size_t n, double q, double *scratch)
{
    size_t count = om__stats_sort_valid(values, n, scratch);
    return om__stats_quantile_sorted(scratch, count, q);
}

bool om__stats_median_interval_sorted(const double *sorted, size_t n, double level, double *low,
                                      double *high)
{
    double limit = (1.0 - level) / 2.0;
    double log_half_n = -(double)n * log(2.0);
    double cumulative = 0.0;
    size_t k = 0;

    *low = *high = NAN;
    /* P(Binomial <= k) in logarithms, because 2^-n underflows for long sample lists. */
    for (size_t i = 0; i < (n + 1) / 2; i++) {
        double log_term = lgamma((double)n + 1) - lgamma((double)i + 1) -
                          lgamma((double)(n - i) + 1) + log_half_n;
        cumulative += exp(log_term);
        if (cumulative > limit * (1 + 1e-12))
            break;
        k = i + 1;
    }
    if (k == 0)
        return false;
    *low = sorted[k - 1];
    *high = sorted[n - k];
    return true;
}

bool om__stats_median_interval(const double *values, size_t n, double level, double *scratch,
                               double *low, double *high)
{
    size_t count = om__stats_sort_valid(values, n, scratch);
    return om__stats_median_interval_sorted(scratch, count, level, low, high);
}

double om__stats_mean(const double *values, size_t n)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += values[i];
    return n > 0 ? sum / (double)n : NAN;
}

double om__stats_variance(const double *values, size_t n)
{
    if (n < 2)
        return NAN;
    double mean = om__stats_mean(values, n), squares = 0.0;
    for (size_t i = 0; i < n; i++)
        squares += (values[i] - mean) * (values[i] - mean);
    return squares / (double)(n - 1);
}
