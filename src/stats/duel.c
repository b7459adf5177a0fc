/* SPDX-License-Identifier: Apache-2.0 */
/* duel.c: ours against theirs: verdicts from paired rounds within launches. */
#include "stats/duel.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "stats/quantile.h"
#include "stats/screen.h"
#include "stats/special.h"

#define OM_DUEL_BLOCKS 10
#define OM_DUEL_CAP    8.0 /* most degrees of freedom the prior may have */

bool om__duel_launch(const double *d, size_t n, double *scratch, om_duel_launch *launch)
{
    double blocks[OM_DUEL_BLOCKS];
    double *valid = scratch;
    size_t count = 0;

    *launch = (om_duel_launch){NAN, NAN, 0};
    for (size_t i = 0; i < n; i++)
        if (!isnan(d[i]))
            valid[count++] = d[i];
    if (count == 0)
        return false;
    size_t block_count = count < OM_DUEL_BLOCKS ? count : OM_DUEL_BLOCKS;
    for (size_t j = 0; j < block_count; j++) {
        size_t begin = j * count / block_count, end = (j + 1) * count / block_count;
        /* sorting a block in place keeps the blocks apart, and the median of all needs no order */
        om__stats_sort(valid + begin, end - begin);
        blocks[j] = om__stats_median_sorted(valid + begin, end - begin);
    }
    om__stats_sort(valid, count);
    launch->value = om__stats_median_sorted(valid, count);
    if (block_count > 1) {
        launch->within = sqrt(om__stats_variance(blocks, block_count) / (double)block_count);
        launch->freedom = (double)block_count - 1;
    }
    return true;
}

typedef struct spread {
    double variance; /* between launches */
    double within;   /* mean square of the launches' own errors */
} spread;

static void read_row(om_duel_row *row, spread *found)
{
    double sum = 0.0, squares = 0.0, within = 0.0;
    size_t known = 0;
    for (size_t l = 0; l < row->launch_count; l++) {
        sum += row->launches[l].value;
        if (!isnan(row->launches[l].within)) {
            within += row->launches[l].within * row->launches[l].within;
            known++;
        }
    }
    row->mean = row->launch_count > 0 ? sum / (double)row->launch_count : NAN;
    for (size_t l = 0; l < row->launch_count; l++) {
        double off = row->launches[l].value - row->mean;
        squares += off * off;
    }
    found->variance = row->launch_count > 1
                          ? fmax(squares / (double)(row->launch_count - 1), OM_MIN_VARIANCE)
                          : NAN;
    found->within = known > 0 ? within / (double)known : 0.0;
}

static void set_verdict(om_duel_row *row)
{
    double tolerance = row->tolerance > 0 ? row->tolerance : OM_DUEL_TOLERANCE;
    double band = fmax(tolerance, 2 * row->tick);
    if (row->launch_count == 0)
        row->verdict = OM_VERDICT_NONE;
    else if (row->low > band)
        row->verdict = OM_VERDICT_SLOWER;
    else if (row->high < -band)
        row->verdict = OM_VERDICT_FASTER;
    else if (row->low >= -band && row->high <= band)
        row->verdict = OM_VERDICT_SAME;
    else
        row->verdict = OM_VERDICT_UNCLEAR;
}

static void set_interval(om_duel_row *row, const spread *found, double d0, double s02)
{
    row->low = -INFINITY;
    row->high = INFINITY;
    row->one_launch = row->launch_count == 1;
    if (row->launch_count == 0) {
        row->low = row->high = NAN;
    } else if (row->launch_count == 1) {
        const om_duel_launch *only = &row->launches[0];
        if (only->freedom > 0) {
            double half = om__student_quantile(0.05, only->freedom) * only->within;
            row->low = row->mean - half;
            row->high = row->mean + half;
        }
    } else {
        double d = (double)row->launch_count - 1;
        double shared = (d0 * s02 + d * found->variance) / (d0 + d);
        double se = sqrt(fmax(shared, found->within) / (double)row->launch_count);
        double half = om__student_quantile(0.05, d0 + d) * se;
        row->low = row->mean - half;
        row->high = row->mean + half;
    }
    set_verdict(row);
}

om_status om__duel_judge(om_duel_row *rows, size_t n, double *d0, double *s02, om_error *err)
{
    double prior_freedom = 0.0, prior_variance = 1.0;
    size_t count = 0;
    om_prior prior;
    if (n == 0)
        goto out;
    spread *found = malloc(n * sizeof *found);
    double *variance = malloc(2 * n * sizeof *variance);
    if (found == NULL || variance == NULL) {
        free(found);
        free(variance);
        return om__error_set(err, OM_NO_MEMORY, "no memory to judge %zu rows", n);
    }
    double *freedom = variance + n;
    for (size_t i = 0; i < n; i++) {
        read_row(&rows[i], &found[i]);
        if (rows[i].launch_count < 2)
            continue;
        variance[count] = found[i].variance;
        freedom[count++] = (double)rows[i].launch_count - 1;
    }
    om__prior_read(variance, freedom, count, &prior);
    om__prior_get(&prior, OM_DUEL_CAP, &prior_freedom, &prior_variance);
    for (size_t i = 0; i < n; i++)
        set_interval(&rows[i], &found[i], prior_freedom, prior_variance);
    free(found);
    free(variance);
out:
    if (d0 != NULL)
        *d0 = prior_freedom;
    if (s02 != NULL)
        *s02 = prior_variance;
    return OM_OK;
}
