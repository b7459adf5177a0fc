/* SPDX-License-Identifier: Apache-2.0 */
/* offsets.c: what a launch adds to all its rows, and rows freed of it. */
#include "stats/offsets.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "stats/quantile.h"

#define OM_OFFSETS_QUIETER 1e-12

om_status om__offsets(const double *y, size_t rows, size_t launches, const bool *use,
                      double *offsets, om_error *err)
{
    size_t longest = rows > launches ? rows : launches;
    double *medians = malloc((rows + 2 * longest + 1) * sizeof *medians);
    if (medians == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for the offsets of %zu rows", rows);
    double *column = medians + rows, *scratch = column + longest;

    for (size_t i = 0; i < rows; i++)
        if (use == NULL || use[i])
            medians[i] = om__stats_median(y + i * launches, launches, scratch);
    for (size_t t = 0; t < launches; t++) {
        size_t count = 0;
        for (size_t i = 0; i < rows; i++)
            if ((use == NULL || use[i]) && !isnan(y[i * launches + t]))
                column[count++] = y[i * launches + t] - medians[i];
        om__stats_sort(column, count);
        offsets[t] = om__stats_median_sorted(column, count);
    }
    double centre = om__stats_median(offsets, launches, scratch);
    for (size_t t = 0; t < launches; t++)
        offsets[t] -= centre;
    free(medians);
    return OM_OK;
}

/* Median absolute deviation from the median. */
static double deviation(const double *values, size_t n, double *scratch)
{
    double centre = om__stats_median(values, n, scratch);
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        if (!isnan(values[i]))
            scratch[count++] = fabs(values[i] - centre);
    om__stats_sort(scratch, count);
    return om__stats_median_sorted(scratch, count);
}

bool om__offsets_pick(const double *y, const double *offsets, size_t launches, double *picked,
                      double *scratch)
{
    double *freed = scratch + launches;
    for (size_t t = 0; t < launches; t++)
        freed[t] = isnan(offsets[t]) ? y[t] : y[t] - offsets[t];
    bool quieter =
        deviation(freed, launches, scratch) < deviation(y, launches, scratch) - OM_OFFSETS_QUIETER;
    for (size_t t = 0; t < launches; t++)
        picked[t] = quieter ? freed[t] : y[t];
    return quieter;
}

double om__offsets_difference(const double *offsets, const bool *head, size_t launches,
                              double *scratch)
{
    double side[2];
    for (int h = 0; h < 2; h++) {
        size_t count = 0;
        for (size_t t = 0; t < launches; t++)
            if (head[t] == (h == 1) && !isnan(offsets[t]))
                scratch[count++] = offsets[t];
        om__stats_sort(scratch, count);
        side[h] = om__stats_median_sorted(scratch, count);
    }
    double difference = side[1] - side[0];
    return isnan(difference) ? 0.0 : difference;
}
