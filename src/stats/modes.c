/* SPDX-License-Identifier: Apache-2.0 */
/* modes.c: a row whose launches fall into two groups. */
#include "stats/modes.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "stats/quantile.h"

#define OM_MODES_FEWEST   15
#define OM_MODES_GAP      4.0  /* pooled standard deviations between the groups */
#define OM_MODES_DISTANCE 0.01 /* between the medians */

static double squares(const double *values, size_t n)
{
    double mean = om__stats_mean(values, n), sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += (values[i] - mean) * (values[i] - mean);
    return sum;
}

om_status om__modes_find(const double *values, size_t n, om_modes *modes, om_error *err)
{
    *modes = (om_modes){0};
    if (n < OM_MODES_FEWEST)
        return OM_OK;
    double *sorted = malloc(n * sizeof *sorted);
    if (sorted == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for the modes of %zu launches", n);
    size_t count = om__stats_sort_valid(values, n, sorted);
    size_t least = (count + 4) / 5 > 2 ? (count + 4) / 5 : 2;
    double widest = 0.0;
    for (size_t k = least; count >= OM_MODES_FEWEST && k + least <= count; k++) {
        double gap = sorted[k] - sorted[k - 1];
        double pooled =
            sqrt((squares(sorted, k) + squares(sorted + k, count - k)) / (double)(count - 2));
        double low = om__stats_median_sorted(sorted, k);
        double high = om__stats_median_sorted(sorted + k, count - k);
        if (gap <= widest || gap < OM_MODES_GAP * pooled || high - low < OM_MODES_DISTANCE)
            continue;
        widest = gap;
        *modes = (om_modes){true, low, high, k, count - k};
    }
    free(sorted);
    return OM_OK;
}
