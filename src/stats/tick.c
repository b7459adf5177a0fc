/* SPDX-License-Identifier: Apache-2.0 */
/* tick.c: the step of the clock behind timed values, estimated from the values themselves.
 *
 * Values on a grid differ by whole multiples of its step. The largest candidate step that explains
 * nearly all gaps between neighbouring distinct values, and occurs itself among them, is the tick.
 */
#include "stats/tick.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "stats/quantile.h"

#define OM_TICK_SAME       1e-9 /* values closer than this share of them are one value */
#define OM_TICK_CANDIDATES 400
#define OM_TICK_POOL_BELOW 20 /* fewer gaps within rows: pool the values of all rows */
#define OM_TICK_FEWEST     5

/* Appends the gaps between neighbouring distinct values of `sorted`. */
static size_t add_gaps(const double *sorted, size_t n, double inner, double *gaps, size_t count)
{
    for (size_t i = 1; i < n; i++) {
        double gap = sorted[i] - sorted[i - 1];
        if (gap > OM_TICK_SAME * fabs(sorted[i]))
            gaps[count++] = gap * inner;
    }
    return count;
}

/* Distinct values > 0 of the gaps rounded to a thousandth, ascending and thinned. */
static size_t list_candidates(const double *gaps, size_t n, double *candidates)
{
    for (size_t i = 0; i < n; i++)
        candidates[i] = floor(1000.0 * gaps[i] + 0.5) / 1000.0;
    om__stats_sort(candidates, n);
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        if (candidates[i] > 0 && (count == 0 || candidates[i] != candidates[count - 1]))
            candidates[count++] = candidates[i];
    if (count > OM_TICK_CANDIDATES) {
        for (size_t j = 0; j < OM_TICK_CANDIDATES; j++)
            candidates[j] = candidates[j * (count - 1) / (OM_TICK_CANDIDATES - 1)];
        count = OM_TICK_CANDIDATES;
    }
    return count;
}

static double refine(double tick, const double *gaps, size_t n)
{
    for (int step = 0; step < 3; step++) {
        double products = 0.0, squares = 0.0;
        for (size_t i = 0; i < n; i++) {
            double k = floor(gaps[i] / tick + 0.5);
            if (k < 1 || k > 5 || fabs(gaps[i] / tick - k) > 0.2)
                continue;
            products += gaps[i] * k;
            squares += k * k;
        }
        if (squares == 0.0)
            return 0.0;
        tick = products / squares;
    }
    return tick;
}

static int accepts(double tick, const double *gaps, size_t n)
{
    size_t low = 0, low_near = 0, few = 0, few_near = 0, ones = 0;
    for (size_t i = 0; i < n; i++) {
        double k = floor(gaps[i] / tick + 0.5);
        if (k > 20)
            continue;
        int near = fabs(gaps[i] - k * tick) <= 0.1 * tick;
        low++;
        low_near += (size_t)near;
        if (k < 1)
            continue;
        few++;
        few_near += (size_t)near;
        ones += k <= 2;
    }
    size_t need = n < 20 ? n : 20;
    size_t fewest = need / 2 > 3 ? need / 2 : 3;
    return few >= fewest && (double)low_near >= 0.95 * (double)low &&
           (double)few_near >= 0.95 * (double)few && (double)ones >= 0.15 * (double)few;
}

static double find_tick(const double *gaps, size_t n, double *candidates)
{
    size_t count = list_candidates(gaps, n, candidates);
    for (size_t i = count; i-- > 0;) {
        double tick = refine(candidates[i], gaps, n);
        if (tick > 0 && accepts(tick, gaps, n))
            return tick;
    }
    return 0.0;
}

om_status om__stats_tick(const om_tick_row *rows, size_t row_count, double *tick, om_error *err)
{
    size_t total = 0, count = 0;

    *tick = 0.0;
    for (size_t r = 0; r < row_count; r++)
        total += rows[r].count;
    if (total < 2)
        return OM_OK;
    double *gaps = malloc(3 * total * sizeof *gaps);
    if (gaps == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for the gaps of %zu samples", total);
    double *scratch = gaps + total, *pooled = gaps + 2 * total;

    for (size_t r = 0; r < row_count; r++) {
        size_t valid = om__stats_sort_valid(rows[r].values, rows[r].count, scratch);
        count = add_gaps(scratch, valid, fmax(1.0, rows[r].inner), gaps, count);
    }
    if (count < OM_TICK_POOL_BELOW) {
        size_t all = 0;
        for (size_t r = 0; r < row_count; r++)
            for (size_t i = 0; i < rows[r].count; i++)
                if (!isnan(rows[r].values[i]))
                    pooled[all++] = rows[r].values[i] * fmax(1.0, rows[r].inner);
        om__stats_sort(pooled, all);
        count = add_gaps(pooled, all, 1.0, gaps, 0);
    }
    if (count >= OM_TICK_FEWEST)
        *tick = find_tick(gaps, count, scratch);
    free(gaps);
    return OM_OK;
}
