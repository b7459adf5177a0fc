/* SPDX-License-Identifier: Apache-2.0 */
/* quantile.c: medians, quantiles and the interval of a median by order statistics. */
#include "stats/quantile.h"

#include <math.h>

/* Most arrays here are a handful of launches. */
#define OM_SORT_SHORT 32

static void sort_short(double *values, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        double value = values[i];
        size_t j = i;
        for (; j > 0 && values[j - 1] > value; j--)
            values[j] = values[j - 1];
        values[j] = value;
    }
}

static void swap(double *a, double *b)
{
    double held = *a;
    *a = *b;
    *b = held;
}

static void sift_down(double *values, size_t at, size_t n)
{
    for (size_t child; (child = 2 * at + 1) < n; at = child) {
        child += child + 1 < n && values[child + 1] > values[child];
        if (values[at] >= values[child])
            break;
        swap(&values[at], &values[child]);
    }
}

static void sort_heap(double *values, size_t n)
{
    for (size_t i = n / 2; i-- > 0;)
        sift_down(values, i, n);
    for (size_t end = n; end-- > 1;) {
        swap(&values[0], &values[end]);
        sift_down(values, 0, end);
    }
}

/* Splits into values[0 .. *left) <= pivot and values[*right .. n) >= pivot, n > 3; what lies
 * between, if anything, equals the pivot. The pivot is the median of the ends and the middle. */
static void split(double *values, size_t n, size_t *left, size_t *right)
{
    size_t middle = n / 2, low = 0, high = n - 1;
    if (values[middle] < values[0])
        swap(&values[middle], &values[0]);
    if (values[n - 1] < values[0])
        swap(&values[n - 1], &values[0]);
    if (values[n - 1] < values[middle])
        swap(&values[n - 1], &values[middle]);
    double pivot = values[middle];
    for (;;) {
        while (values[low] < pivot)
            low++;
        while (values[high] > pivot)
            high--;
        if (low >= high)
            break;
        swap(&values[low++], &values[high--]);
    }
    *left = low == high ? low : high + 1;
    *right = low == high ? low + 1 : low;
}

static size_t deepest(size_t n)
{
    size_t depth = 8;
    for (; n > 1; n /= 2)
        depth += 2;
    return depth;
}

static void sort_quick(double *values, size_t n, size_t depth)
{
    while (n > OM_SORT_SHORT) {
        size_t left, right;
        if (depth-- == 0) {
            sort_heap(values, n);
            return;
        }
        split(values, n, &left, &right);
        if (left < n - right) { /* the shorter part by recursion */
            sort_quick(values, left, depth);
            values += right;
            n -= right;
        } else {
            sort_quick(values + right, n - right, depth);
            n = left;
        }
    }
    sort_short(values, n);
}

void om__stats_sort(double *values, size_t n)
{
    sort_quick(values, n, deepest(n));
}

static double median_of_three(const double *values, size_t n)
{
    double a = values[0], b = values[n / 2], c = values[n - 1];
    double low = a < b ? a : b, high = a < b ? b : a;
    return c < low ? low : c > high ? high : c;
}

/* Moves what is below the pivot (or equal to it) to the front; how many those are. Without a branch
 * on the values: where they fall is what no predictor knows. */
static size_t move_below(double *values, size_t n, double pivot)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        double value = values[i];
        values[i] = values[count];
        values[count] = value;
        count += value < pivot;
    }
    return count;
}

static size_t move_equal(double *values, size_t n, double pivot)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        double value = values[i];
        values[i] = values[count];
        values[count] = value;
        count += value <= pivot;
    }
    return count;
}

double om__stats_select(double *values, size_t n, size_t k)
{
    for (size_t depth = deepest(n); n > OM_SORT_SHORT && depth > 0; depth--) {
        double pivot = median_of_three(values, n);
        size_t below = move_below(values, n, pivot);
        if (k < below) {
            n = below;
            continue;
        }
        values += below;
        n -= below;
        k -= below;
        if (below > 0)
            continue; /* the pivot is still among them, so the next part is smaller */
        size_t equal = move_equal(values, n, pivot);
        if (k < equal)
            return pivot;
        values += equal;
        n -= equal;
        k -= equal;
    }
    om__stats_sort(values, n);
    return values[k];
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
