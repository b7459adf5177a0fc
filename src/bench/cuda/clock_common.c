/* SPDX-License-Identifier: Apache-2.0 */
/* clock_common.c: what the CUDA clocks share: lists of values. */
#include <stdlib.h>

#include "bench/cuda/clock_cuda.h"

void om__values_add(om_values *values, double value)
{
    if (values->count == values->capacity) {
        size_t wanted = values->capacity == 0 ? 64 : values->capacity * 2;
        double *grown = realloc(values->items, wanted * sizeof *grown);
        if (grown == NULL)
            return;
        values->items = grown;
        values->capacity = wanted;
    }
    values->items[values->count++] = value;
}

static int compare(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

double om__values_median(om_values *values)
{
    size_t n = values->count;
    if (n == 0)
        return 0;
    qsort(values->items, n, sizeof *values->items, compare);
    return (values->items[(n - 1) / 2] + values->items[n / 2]) / 2;
}

om_status om__values_evidence(om_values *values, const char *key, int decimals, om_pairs *evidence,
                              om_error *err)
{
    if (values->count == 0)
        return OM_OK;
    double median = om__values_median(values);
    return om__pairs_setf(evidence, key, err, "%.*f/%.*f/%.*f", decimals, values->items[0],
                          decimals, median, decimals, values->items[values->count - 1]);
}
