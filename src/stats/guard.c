/* SPDX-License-Identifier: Apache-2.0 */
/* guard.c: whether launches measured apart depend on the launch before.
 *
 * The statistic of an order sums, over rows and sides, the products of neighbouring ranks. All rows
 * are shuffled alike, so the products of every pair of launches are summed over the rows once, and
 * an order costs no more than its launches.
 */
#include "stats/guard.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "stats/quantile.h"
#include "stats/ranks.h"
#include "stats/splitmix.h"

#define OM_GUARD_SHUFFLES 999

/* Products of centred ranks between all launches of one side, over all rows. */
typedef struct side {
    size_t launches;
    double *products; /* launches × launches */
    size_t *order;
    size_t rows; /* that vary */
} side;

static om_status add_row(side *s, const double *y, double *present, int64_t *ranks, double *centred,
                         om_error *err)
{
    size_t count = 0;
    double squares = 0.0;
    for (size_t t = 0; t < s->launches; t++)
        if (!isnan(y[t]))
            present[count++] = y[t];
    OM_TRY(om__midranks2(present, count, ranks, err));
    for (size_t t = 0, at = 0; t < s->launches; t++) {
        centred[t] = isnan(y[t]) ? 0.0 : (double)ranks[at++] - (double)(count + 1);
        squares += centred[t] * centred[t];
    }
    if (squares <= 0)
        return OM_OK;
    s->rows++;
    for (size_t t = 0; t < s->launches; t++) {
        double scaled = centred[t] / squares;
        for (size_t u = 0; scaled != 0.0 && u < s->launches; u++)
            s->products[t * s->launches + u] += scaled * centred[u];
    }
    return OM_OK;
}

static double sum_neighbours(const side *s)
{
    double sum = 0.0;
    for (size_t t = 1; t < s->launches; t++)
        sum += s->products[s->order[t] * s->launches + s->order[t - 1]];
    return sum;
}

static void set_order(side *s, om_splitmix *generator)
{
    for (size_t t = 0; t < s->launches; t++)
        s->order[t] = t;
    if (generator != NULL)
        om__splitmix_shuffle(generator, s->order, s->launches);
}

static void judge(side *sides, double *shuffled, double level, om_guard *guard)
{
    om_splitmix generator = {1};
    double rows = (double)(sides[0].rows + sides[1].rows), lift = 0.0;
    size_t reached = 0;

    for (int k = 0; k < 2; k++)
        if (sides[k].rows > 0)
            lift += (double)sides[k].rows / (double)sides[k].launches;
    set_order(&sides[0], NULL);
    set_order(&sides[1], NULL);
    double as_run = sum_neighbours(&sides[0]) + sum_neighbours(&sides[1]);
    for (size_t i = 0; i < OM_GUARD_SHUFFLES; i++) {
        set_order(&sides[0], &generator);
        set_order(&sides[1], &generator);
        shuffled[i] = sum_neighbours(&sides[0]) + sum_neighbours(&sides[1]);
        reached += shuffled[i] >= as_run - 1e-9;
    }
    om__stats_sort(shuffled, OM_GUARD_SHUFFLES);
    size_t rank = (size_t)llround((OM_GUARD_SHUFFLES + 1) * level);
    guard->p = (1 + (double)reached) / (OM_GUARD_SHUFFLES + 1);
    guard->correlation = (as_run + lift) / rows;
    guard->seen = (shuffled[OM_GUARD_SHUFFLES - rank] + lift) / rows;
}

om_status om__guard(const double *y, size_t rows, size_t launches, size_t base, const bool *use,
                    double level, om_guard *guard, om_error *err)
{
    om_status status = OM_OK;
    size_t head = launches - base;
    side sides[2] = {{.launches = base}, {.launches = head}};
    double *numbers =
        calloc(base * base + head * head + 2 * launches + OM_GUARD_SHUFFLES + 1, sizeof *numbers);
    size_t *orders = calloc(launches + 1, sizeof *orders);
    int64_t *ranks = calloc(launches + 1, sizeof *ranks);

    *guard = (om_guard){1, 0, 1};
    if (numbers == NULL || orders == NULL || ranks == NULL) {
        status = om__error_set(err, OM_NO_MEMORY, "no memory to check %zu launches", launches);
        goto out;
    }
    double *present = numbers + base * base + head * head, *centred = present + launches;
    sides[0].products = numbers;
    sides[1].products = numbers + base * base;
    sides[0].order = orders;
    sides[1].order = orders + base;
    for (size_t i = 0; i < rows; i++) {
        if (use != NULL && !use[i])
            continue;
        const double *row = y + i * launches;
        OM_TRY_OUT(add_row(&sides[0], row, present, ranks, centred, err));
        OM_TRY_OUT(add_row(&sides[1], row + base, present, ranks, centred, err));
    }
    if (sides[0].rows + sides[1].rows > 0)
        judge(sides, centred + launches, level, guard);
out:
    free(ranks);
    free(orders);
    free(numbers);
    return status;
}
