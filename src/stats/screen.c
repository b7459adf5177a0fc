/* SPDX-License-Identifier: Apache-2.0 */
/* screen.c: the moderated t statistic of every row. */
#include "stats/screen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "stats/quantile.h"
#include "stats/special.h"

#define OM_CLIP_AT   3.0 /* clip at three spreads, the spread read off the 80 % quantile */
#define OM_NORMAL_90 1.2815515655446004

void om__row_stats(const double *base, size_t n, const double *head, size_t m, double least,
                   double *scratch, om_row_stats *stats)
{
    *stats = (om_row_stats){0, fmax(least, OM_MIN_VARIANCE), 1, 0, n, m};
    if (n == 0 || m == 0)
        return;
    size_t count = n + m;
    double centre[2], mean[2] = {0, 0};
    centre[0] = om__stats_median(base, n, scratch);
    centre[1] = om__stats_median(head, m, scratch);
    for (size_t i = 0; i < count; i++)
        scratch[i] = i < n ? fabs(base[i] - centre[0]) : fabs(head[i - n] - centre[1]);
    om__stats_sort(scratch, count);
    /* ceil(0.8 count) in integers, so that no rounding can move it */
    double limit = OM_CLIP_AT * scratch[(4 * count + 4) / 5 - 1] / OM_NORMAL_90;
    for (size_t i = 0; i < count; i++) {
        int side = i < n ? 0 : 1;
        double residual = (i < n ? base[i] : head[i - n]) - centre[side];
        stats->clipped += fabs(residual) > limit + 1e-12;
        residual = fmin(fmax(residual, -limit), limit);
        scratch[i] = residual + centre[side];
        mean[side] += scratch[i];
    }
    mean[0] /= (double)n;
    mean[1] /= (double)m;
    double squares = 0.0;
    for (size_t i = 0; i < count; i++) {
        double off = scratch[i] - mean[i < n ? 0 : 1];
        squares += off * off;
    }
    stats->estimate = mean[1] - mean[0];
    stats->freedom = fmax(1.0, (double)count - 2 - (double)stats->clipped);
    stats->variance = fmax(stats->variance, squares / stats->freedom);
}

void om__prior_read(const double *variance, const double *freedom, size_t n, om_prior *prior)
{
    *prior = (om_prior){false, 0, 0};
    if (n < OM_MIN_ROWS)
        return;
    double squares = 0.0, expected = 0.0;
    for (size_t i = 0; i < n; i++) {
        double half = freedom[i] / 2;
        prior->mean += log(variance[i]) - om__digamma(half) + log(half);
        expected += om__trigamma(half);
    }
    prior->mean /= (double)n;
    for (size_t i = 0; i < n; i++) {
        double half = freedom[i] / 2;
        double off = log(variance[i]) - om__digamma(half) + log(half) - prior->mean;
        squares += off * off;
    }
    prior->excess = squares / (double)(n - 1) - expected / (double)n;
    prior->shared = true;
}

void om__prior_get(const om_prior *prior, double cap, double *d0, double *s02)
{
    *d0 = 0.0;
    *s02 = 1.0;
    if (!prior->shared)
        return;
    *d0 = prior->excess > 1e-8 ? fmin(2 * om__trigamma_inverse(prior->excess), cap) : cap;
    *s02 = exp(prior->mean + om__digamma(*d0 / 2) - log(*d0 / 2));
}

static double moderated_spread(const om_row_stats *stats, double d0, double s02)
{
    double pooled = d0 * s02 + stats->freedom * stats->variance;
    return sqrt(pooled / (d0 + stats->freedom));
}

static void fill_row(const om_row_stats *stats, double spread, double freedom, double quantile,
                     om_screen_row *row)
{
    row->spread = spread;
    row->freedom = freedom;
    row->quantile = quantile;
    row->base_count = stats->base_count;
    row->head_count = stats->head_count;
    row->se = spread * sqrt(1.0 / (double)stats->base_count + 1.0 / (double)stats->head_count);
    row->estimate = stats->estimate;
    row->p = om__student_tail(row->estimate / row->se, freedom);
    row->low = row->estimate - quantile * row->se;
    row->high = row->estimate + quantile * row->se;
}

void om__moderate(const om_row_stats *stats, double d0, double s02, om_screen_row *row)
{
    double freedom = d0 + stats->freedom;
    fill_row(stats, moderated_spread(stats, d0, s02), freedom, om__student_quantile(0.05, freedom),
             row);
}

/* The last quantiles of Student's t: rows differ in a few numbers of clipped values only. */
typedef struct quantiles {
    double freedom[16], value[16];
    size_t used, next;
} quantiles;

static double recall_quantile(quantiles *known, double freedom)
{
    for (size_t i = 0; i < known->used; i++)
        if (known->freedom[i] == freedom)
            return known->value[i];
    size_t at = known->next;
    known->freedom[at] = freedom;
    known->value[at] = om__student_quantile(0.05, freedom);
    known->next = (at + 1) % 16;
    known->used = known->used < 16 ? known->used + 1 : 16;
    return known->value[at];
}

/* Splits one row's values by side, skipping NaN. */
static void split_row(const double *y, size_t launches, const unsigned char *side, double *base,
                      size_t *n, double *head, size_t *m)
{
    *n = *m = 0;
    for (size_t t = 0; t < launches; t++) {
        if (isnan(y[t]))
            continue;
        if (side[t] == 0)
            base[(*n)++] = y[t];
        else if (side[t] == 1)
            head[(*m)++] = y[t];
    }
}

om_status om__screen(const double *y, size_t rows, size_t launches, const unsigned char *side,
                     const bool *use, const double *w, om_screen *screen, om_error *err)
{
    om_status status = OM_OK;
    om_row_stats *stats = calloc(rows + 1, sizeof *stats);
    double *scratch = calloc(3 * launches + 2 * rows + 1, sizeof *scratch);
    double *base, *head, *variance, *freedom;
    size_t count = 0;
    double cap = 0.0, own_cap = -1.0, d0 = 0.0, s02 = 1.0;
    quantiles known = {.used = 0};
    om_prior prior;

    if (stats == NULL || scratch == NULL) {
        status = om__error_set(err, OM_NO_MEMORY, "no memory to screen %zu rows", rows);
        goto out;
    }
    base = scratch + launches;
    head = base + launches;
    variance = head + launches;
    freedom = variance + rows;
    for (size_t i = 0; i < rows; i++) {
        size_t n, m;
        screen->rows[i] = (om_screen_row){.low = -INFINITY, .high = INFINITY, .p = 1};
        if (use != NULL && !use[i])
            continue;
        split_row(y + i * launches, launches, side, base, &n, head, &m);
        double tick = w != NULL ? w[i] : 0.0;
        om__row_stats(base, n, head, m, tick * tick / 12, scratch, &stats[i]);
        if (n == 0 || m == 0 || n + m < 3)
            continue;
        variance[count] = stats[i].variance;
        freedom[count] = (double)(n + m) - 2;
        cap = fmax(cap, freedom[count]);
        count++;
    }
    om__prior_read(variance, freedom, count, &prior);
    om__prior_get(&prior, cap, &screen->d0, &screen->s02);
    for (size_t i = 0; i < rows; i++) {
        const om_row_stats *own = &stats[i];
        if (own->base_count == 0 || own->head_count == 0 || own->base_count + own->head_count < 3)
            continue;
        double d = (double)(own->base_count + own->head_count) - 2;
        if (d != own_cap) { /* the rows differ only where launches are missing */
            own_cap = d;
            om__prior_get(&prior, d, &d0, &s02);
        }
        double total = d0 + own->freedom;
        fill_row(own, moderated_spread(own, d0, s02), total, recall_quantile(&known, total),
                 &screen->rows[i]);
    }
out:
    free(scratch);
    free(stats);
    return status;
}
