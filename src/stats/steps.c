/* SPDX-License-Identifier: Apache-2.0 */
/* steps.c: steps in a row's history, by an optimal partition whose borders are then confirmed. */
#include "stats/steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "stats/quantile.h"
#include "stats/ranks.h"

#define OM_STEPS_SHORTEST 3
#define OM_STEPS_FLOOR    0.02
#define OM_STEPS_SCALE    0.0025 /* smallest scale ever assumed */

typedef struct history {
    const double *y;
    size_t n;
    double w, scale, wander;
    double *scratch; /* n + 1 entries */
} history;

static double difference_scale(const history *h, size_t lag)
{
    size_t count = h->n > lag ? h->n - lag : 0;
    if (count < 3)
        return 0.0;
    for (size_t i = 0; i < count; i++)
        h->scratch[i] = fabs(h->y[i + lag] - h->y[i]);
    om__stats_sort(h->scratch, count);
    return om__stats_median_sorted(h->scratch, count) * 1.4826 / sqrt(2.0);
}

static void set_scale(history *h)
{
    size_t lags = h->n / 4 < 5 ? h->n / 4 : 5;
    double first = difference_scale(h, 1), r = 0.0;
    h->scale = fmax(fmax(first, OM_STEPS_SCALE), h->w);
    for (size_t lag = 2; lag <= lags; lag++)
        h->scale = fmax(h->scale, difference_scale(h, lag));
    if (h->n >= 24 && first >= OM_STEPS_SCALE / 2)
        r = 1 - first * first / (h->scale * h->scale);
    r = r < 0.25 ? 0.0 : fmin(r, 0.8);
    h->wander = (1 + r) / (1 - r);
}

static double median_of(const history *h, size_t begin, size_t end)
{
    memcpy(h->scratch, h->y + begin, (end - begin) * sizeof *h->y);
    om__stats_sort(h->scratch, end - begin);
    return om__stats_median_sorted(h->scratch, end - begin);
}

/* Bounded squares about the median; sorted is y[begin..end) in ascending order. */
static double segment_cost(const history *h, const double *sorted, size_t begin, size_t end)
{
    double centre = om__stats_median_sorted(sorted, end - begin), sum = 0.0;
    for (size_t i = begin; i < end; i++) {
        double z = (h->y[i] - centre) / h->scale;
        sum += fmin(z * z, 16.0);
    }
    return sum;
}

/* Fills borders[0 .. count] with the cheapest partition: 0, …, n. */
static om_status partition(const history *h, size_t *borders, size_t *count, om_error *err)
{
    size_t n = h->n;
    double *best = malloc((n + 1) * sizeof *best), penalty = 3 * log((double)n) * h->wander;
    size_t *from = calloc(n + 1, sizeof *from);
    if (best == NULL || from == NULL) {
        free(best);
        free(from);
        return om__error_set(err, OM_NO_MEMORY, "no memory for a history of %zu points", n);
    }
    best[0] = -penalty;
    for (size_t j = 1; j <= n; j++) {
        best[j] = INFINITY;
        size_t length = 0;
        /* from the shortest segment to the longest, so that one insertion keeps it sorted */
        for (size_t i = j; i-- > 0;) {
            size_t at = length++;
            for (; at > 0 && h->scratch[at - 1] > h->y[i]; at--)
                h->scratch[at] = h->scratch[at - 1];
            h->scratch[at] = h->y[i];
            if (length < OM_STEPS_SHORTEST || isinf(best[i]))
                continue;
            double total = best[i] + segment_cost(h, h->scratch, i, j) + penalty;
            if (total <= best[j]) { /* the smallest i on ties: it comes last */
                best[j] = total;
                from[j] = i;
            }
        }
    }
    *count = 0;
    for (size_t j = n; j > 0; j = from[j])
        (*count)++;
    size_t at = *count;
    borders[at] = n;
    for (size_t j = n; j > 0; j = from[j])
        borders[--at] = from[j];
    free(from);
    free(best);
    return OM_OK;
}

/* 0 for a border that stands; the larger, the less it does. */
static om_status border_badness(const history *h, size_t a, size_t b, size_t e, double *badness,
                                om_error *err)
{
    double left = (double)(b - a), right = (double)(e - b), p;
    double distance = fabs(median_of(h, b, e) - median_of(h, a, b));
    double z = distance / (1.2533 * h->scale * sqrt(h->wander * (1 / left + 1 / right)));
    OM_TRY(om__rank_sum(h->y + a, b - a, h->y + b, e - b, &p, err));
    double ways = exp(lgamma(left + right + 1) - lgamma(left + 1) - lgamma(right + 1));
    double most = fmax(0.001, 2.0002 / ways), least = fmax(OM_STEPS_FLOOR, 2 * h->w);
    *badness = 0.0;
    if (distance < least)
        *badness = fmax(*badness, 1000 + (least - distance));
    if (z < 4)
        *badness = fmax(*badness, 1000 * (5 - z));
    if (p > most)
        *badness = fmax(*badness, 1000 * (1 + p));
    return OM_OK;
}

/* Removes the worst border until all that are left stand. */
static om_status confirm(const history *h, size_t *borders, size_t *count, om_error *err)
{
    while (*count > 1) {
        double worst = 0.0;
        size_t at = 0;
        for (size_t k = 1; k < *count; k++) {
            double badness;
            OM_TRY(border_badness(h, borders[k - 1], borders[k], borders[k + 1], &badness, err));
            if (badness > worst) {
                worst = badness;
                at = k;
            }
        }
        if (at == 0)
            break;
        memmove(borders + at, borders + at + 1, (*count - at) * sizeof *borders);
        (*count)--;
    }
    return OM_OK;
}

static size_t count_pending(const history *h, size_t begin)
{
    double far = fmax(fmax(OM_STEPS_FLOOR, 2 * h->w), 4 * h->scale);
    for (size_t q = 2; q > 0; q--) {
        if (h->n - begin < q + 3)
            continue;
        double centre = median_of(h, begin, h->n - q);
        size_t above = 0, below = 0;
        for (size_t i = h->n - q; i < h->n; i++) {
            above += h->y[i] - centre >= far;
            below += centre - h->y[i] >= far;
        }
        if (above == q || below == q)
            return q;
    }
    return 0;
}

om_status om__steps_find(const double *y, size_t n, double w, om_steps *steps, om_error *err)
{
    om_status status = OM_OK;
    *steps = (om_steps){.scale = NAN, .wander = 1, .level = NAN};
    if (n == 0)
        return OM_OK;
    history h = {y, n, w, 0, 1, malloc((n + 1) * sizeof(double))};
    size_t *borders = malloc((n + 2) * sizeof *borders), count = 1;
    if (h.scratch == NULL || borders == NULL) {
        status = om__error_set(err, OM_NO_MEMORY, "no memory for a history of %zu points", n);
        goto out;
    }
    borders[0] = 0;
    borders[1] = n;
    set_scale(&h);
    if (n >= OM_STEPS_SHORTEST) {
        OM_TRY_OUT(partition(&h, borders, &count, err));
        OM_TRY_OUT(confirm(&h, borders, &count, err));
    }
    if (count > 1) {
        steps->steps = calloc(count - 1, sizeof *steps->steps);
        if (steps->steps == NULL) {
            status = om__error_set(err, OM_NO_MEMORY, "no memory for %zu steps", count - 1);
            goto out;
        }
    }
    for (size_t k = 1; k < count; k++)
        steps->steps[steps->count++] =
            (om_step){borders[k], median_of(&h, borders[k - 1], borders[k]),
                      median_of(&h, borders[k], borders[k + 1])};
    steps->scale = h.scale;
    steps->wander = h.wander;
    steps->level = median_of(&h, borders[count - 1], n);
    steps->pending = count_pending(&h, borders[count - 1]);
out:
    free(borders);
    free(h.scratch);
    return status;
}

void om__steps_release(om_steps *steps)
{
    if (steps == NULL)
        return;
    free(steps->steps);
    *steps = (om_steps){0};
}
