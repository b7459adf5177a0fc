/* SPDX-License-Identifier: Apache-2.0 */
/* quantile.h: medians, quantiles and the interval of a median by order statistics.
 *
 * The functions that end in _sorted want ascending values without NaN. The others take values in
 * any order, skip NaN (a missing value), and use `scratch` of the same length, which may be the
 * array itself where its order is no longer needed. No value at all gives NaN.
 */
#ifndef OM_STATS_QUANTILE_H
#define OM_STATS_QUANTILE_H

#include <stdbool.h>
#include <stddef.h>

/* Ascending; no NaN allowed. */
void om__stats_sort(double *values, size_t n);
/* The k-th smallest, k = 0 .. n - 1; reorders the values so that the smaller ones come before. */
double om__stats_select(double *values, size_t n, size_t k);
/* Copies the values that are no NaN into scratch, sorts them and returns how many there are. */
size_t om__stats_sort_valid(const double *values, size_t n, double *scratch);

/* The median of an even count is the mean of the middle two. */
double om__stats_median_sorted(const double *sorted, size_t n);
double om__stats_median(const double *values, size_t n, double *scratch);

/* Linear interpolation between order statistics at position q (n − 1); q in 0..1. */
double om__stats_quantile_sorted(const double *sorted, size_t n, double q);
double om__stats_quantile(const double *values, size_t n, double q, double *scratch);

/* The interval of the median that covers at least `level` whatever the distribution: the k-th
 * smallest and k-th largest value, k the largest with 2 P(Binomial(n, 1/2) < k) <= 1 - level.
 * False, and NaN in both ends, where n is too small for one (n < 6 at 0.95). */
bool om__stats_median_interval_sorted(const double *sorted, size_t n, double level, double *low,
                                      double *high);
bool om__stats_median_interval(const double *values, size_t n, double level, double *scratch,
                               double *low, double *high);

/* Mean and sample variance (n - 1); NaN where there are too few values. */
double om__stats_mean(const double *values, size_t n);
double om__stats_variance(const double *values, size_t n);

#endif
