/* SPDX-License-Identifier: Apache-2.0 */
/* ranks.c: exact rank tests over launches: midranks, the block test, the shift interval, Holm. */
#include "stats/ranks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "stats/quantile.h"

#define OM_RANKS_SIGN     1e-12 /* ends of an interval nearer to zero than this have no sign */
#define OM_RANKS_EXACT    200   /* values of both sides up to which the orders are exact */
#define OM_RANK_SUM_EXACT 10

typedef struct keyed {
    int64_t key;
    size_t index;
} keyed;

static int compare_keys(const void *left, const void *right)
{
    int64_t a = ((const keyed *)left)->key, b = ((const keyed *)right)->key;
    return (a > b) - (a < b);
}

static void sort_keys(keyed *items, size_t n)
{
    if (n > 64) {
        qsort(items, n, sizeof *items, compare_keys);
        return;
    }
    for (size_t i = 1; i < n; i++) {
        keyed held = items[i];
        size_t j = i;
        for (; j > 0 && items[j - 1].key > held.key; j--)
            items[j] = items[j - 1];
        items[j] = held;
    }
}

om_status om__midranks2(const double *values, size_t n, int64_t *ranks, om_error *err)
{
    if (n == 0)
        return OM_OK;
    keyed *items = malloc(n * sizeof *items);
    if (items == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for the ranks of %zu values", n);
    for (size_t i = 0; i < n; i++)
        items[i] = (keyed){llround(values[i] * 1e12), i};
    sort_keys(items, n);
    for (size_t i = 0; i < n;) {
        size_t end = i + 1;
        while (end < n && items[end].key == items[i].key)
            end++;
        for (size_t j = i; j < end; j++)
            ranks[items[j].index] = (int64_t)(i + end + 1);
        i = end;
    }
    free(items);
    return OM_OK;
}

/* ---- the block test ---- */

/* counts[s]: subsets of `heads` of the n ranks whose sum is s, for s up to `top`. The table has
 * heads + 1 rows of top + 1. */
static void count_subsets(const int64_t *ranks, size_t n, size_t heads, size_t top, double *table)
{
    size_t width = top + 1;
    memset(table, 0, (heads + 1) * width * sizeof *table);
    table[0] = 1.0;
    for (size_t i = 0; i < n; i++) {
        size_t rank = (size_t)ranks[i], most = i + 1 < heads ? i + 1 : heads;
        for (size_t j = most; j > 0; j--) {
            double *to = table + j * width, *from = table + (j - 1) * width;
            for (size_t s = rank; s <= top; s++)
                to[s] += from[s - rank];
        }
    }
}

static int compare_ranks(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

static int64_t common_divisor(int64_t a, int64_t b)
{
    while (b != 0) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* The distribution of the rank sum so far: probabilities of `low` + s, s = 0 .. size - 1. */
typedef struct distribution {
    double *p;
    size_t size;
    int64_t low;
} distribution;

/* Convolves the distribution with that of one block of n ranks of which `heads` are drawn. */
static om_status add_block(distribution *all, int64_t *ranks, size_t n, size_t heads, om_error *err)
{
    om_status status = OM_OK;
    int64_t least = ranks[0], step = 0, top = 0;
    double *table = NULL, *next = NULL;

    for (size_t i = 1; i < n; i++)
        least = ranks[i] < least ? ranks[i] : least;
    for (size_t i = 0; i < n; i++) {
        ranks[i] -= least;
        step = common_divisor(step, ranks[i]);
    }
    if (step == 0)
        step = 1; /* all tied */
    qsort(ranks, n, sizeof *ranks, compare_ranks);
    for (size_t i = 0; i < n; i++)
        ranks[i] /= step;
    for (size_t i = n - heads; i < n; i++)
        top += ranks[i];

    size_t width = (size_t)top + 1, size = all->size + (size_t)(top * step);
    table = malloc((heads + 1) * width * sizeof *table);
    next = calloc(size, sizeof *next);
    if (table == NULL || next == NULL) {
        status = om__error_set(err, OM_NO_MEMORY, "no memory for a rank test of %zu values", n);
        goto out;
    }
    count_subsets(ranks, n, heads, (size_t)top, table);
    const double *counts = table + heads * width;
    double ways = 0.0;
    for (size_t s = 0; s < width; s++)
        ways += counts[s];
    for (size_t s = 0; s < width; s++) {
        if (counts[s] == 0.0)
            continue;
        double share = counts[s] / ways;
        double *to = next + s * (size_t)step;
        for (size_t i = 0; i < all->size; i++)
            to[i] += all->p[i] * share;
    }
    free(all->p);
    all->p = next;
    all->size = size;
    all->low += (int64_t)heads * least;
    next = NULL;
out:
    free(next);
    free(table);
    return status;
}

/* Keeps the present values of blocks that have both a head and a base value. */
static size_t keep_blocks(const double *values, const bool *head, const size_t *block, size_t n,
                          size_t *kept)
{
    size_t count = 0;
    for (size_t i = 0; i < n;) {
        size_t end = i, start = count;
        bool heads = false, bases = false;
        while (end < n && (block == NULL || block[end] == block[i])) {
            if (!isnan(values[end])) {
                heads = heads || head[end];
                bases = bases || !head[end];
                kept[count++] = end;
            }
            end++;
        }
        if (!heads || !bases)
            count = start;
        i = end;
    }
    return count;
}

static double count_ways(size_t n, size_t heads)
{
    return exp(lgamma((double)n + 1) - lgamma((double)heads + 1) - lgamma((double)(n - heads) + 1));
}

static void read_tails(const distribution *all, om_block_test *test)
{
    int64_t at = test->rank_sum - all->low;
    double low = 0.0, high = 0.0;
    for (size_t s = 0; s < all->size; s++) {
        if ((int64_t)s <= at)
            low += all->p[s];
        if ((int64_t)s >= at)
            high += all->p[s];
    }
    test->p_low = fmin(1.0, low);
    test->p_high = fmin(1.0, high);
    test->p_two = fmin(1.0, 2 * fmin(low, high));
}

om_status om__block_test(const double *values, const bool *head, const size_t *block, size_t n,
                         om_block_test *test, om_error *err)
{
    om_status status = OM_OK;
    distribution all = {NULL, 1, 0};
    *test = (om_block_test){1, 1, 1, 0, 1};
    if (n == 0)
        return OM_OK;
    size_t *kept = malloc(n * sizeof *kept);
    double *present = malloc(n * sizeof *present);
    int64_t *ranks = malloc(2 * n * sizeof *ranks);
    all.p = malloc(sizeof *all.p);
    if (kept == NULL || present == NULL || ranks == NULL || all.p == NULL) {
        status = om__error_set(err, OM_NO_MEMORY, "no memory for a rank test of %zu values", n);
        goto out;
    }
    int64_t *own = ranks + n;
    all.p[0] = 1.0;
    size_t count = keep_blocks(values, head, block, n, kept);
    for (size_t i = 0; i < count; i++)
        present[i] = values[kept[i]];
    OM_TRY_OUT(om__midranks2(present, count, ranks, err));
    for (size_t i = 0; i < count;) {
        size_t end = i, heads = 0;
        for (; end < count && (block == NULL || block[kept[end]] == block[kept[i]]); end++) {
            own[end - i] = ranks[end];
            if (head[kept[end]]) {
                heads++;
                test->rank_sum += ranks[end];
            }
        }
        test->p_min /= count_ways(end - i, heads);
        OM_TRY_OUT(add_block(&all, own, end - i, heads, err));
        i = end;
    }
    if (count > 0)
        read_tails(&all, test);
out:
    free(all.p);
    free(ranks);
    free(present);
    free(kept);
    return status;
}

/* ---- the interval of a shift ---- */

void om__u_counts(size_t n, size_t m, double *counts)
{
    size_t top = n * m;
    memset(counts, 0, (top + 1) * sizeof *counts);
    counts[0] = 1.0;
    for (size_t i = 1; i <= n; i++) {
        for (size_t k = top; k >= m + i; k--)
            counts[k] -= counts[k - m - i];
        for (size_t k = i; k <= top; k++)
            counts[k] += counts[k - i];
    }
}

om_status om__u_order(size_t n, size_t m, double alpha, size_t *order, om_error *err)
{
    *order = 0;
    if (n == 0 || m == 0)
        return OM_OK;
    if (n + m > OM_RANKS_EXACT) {
        double a = (double)n, b = (double)m, z = 0.0, low = 0.0, high = 40.0;
        for (int i = 0; i < 100; i++) {
            z = 0.5 * (low + high);
            if (0.5 * erfc(z / sqrt(2.0)) > alpha / 2)
                low = z;
            else
                high = z;
        }
        double at = a * b / 2 - z * sqrt(a * b * (a + b + 1) / 12) - 0.5;
        *order = at >= 0 ? (size_t)at + 1 : 0;
        return OM_OK;
    }
    double *counts = malloc((n * m + 1) * sizeof *counts), all = 0.0, sum = 0.0;
    if (counts == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for an interval of %zu values", n + m);
    om__u_counts(n, m, counts);
    for (size_t u = 0; u <= n * m; u++)
        all += counts[u];
    for (size_t u = 0; u <= n * m; u++) {
        sum += counts[u];
        if (2 * sum > alpha * all)
            break;
        *order = u + 1;
    }
    free(counts);
    return OM_OK;
}

static om_status recall_order(size_t n, size_t m, double alpha, om_u_memory *memory, size_t *order,
                              om_error *err)
{
    if (memory == NULL)
        return om__u_order(n, m, alpha, order, err);
    for (size_t i = 0; i < memory->used; i++)
        if (memory->items[i].n == n && memory->items[i].m == m && memory->items[i].alpha == alpha) {
            *order = memory->items[i].order;
            return OM_OK;
        }
    OM_TRY(om__u_order(n, m, alpha, order, err));
    size_t places = sizeof memory->items / sizeof *memory->items, at = memory->next;
    memory->items[at].n = n;
    memory->items[at].m = m;
    memory->items[at].order = *order;
    memory->items[at].alpha = alpha;
    memory->next = (at + 1) % places;
    memory->used = memory->used < places ? memory->used + 1 : places;
    return OM_OK;
}

om_status om__shift_interval(const double *base, size_t n, const double *head, size_t m,
                             double alpha, om_u_memory *memory, om_shift *shift, om_error *err)
{
    *shift = (om_shift){0.0, -INFINITY, INFINITY, 0};
    if (n == 0 || m == 0)
        return OM_OK;
    double *differences = malloc(n * m * sizeof *differences);
    if (differences == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for %zu times %zu differences", n, m);
    size_t count = 0, bases = 0, heads = 0;
    for (size_t i = 0; i < n; i++)
        bases += !isnan(base[i]);
    for (size_t j = 0; j < m; j++) {
        if (isnan(head[j]))
            continue;
        heads++;
        for (size_t i = 0; i < n; i++)
            if (!isnan(base[i]))
                differences[count++] = head[j] - base[i];
    }
    om_status status = recall_order(bases, heads, alpha, memory, &shift->order, err);
    if (status == OM_OK && count > 0) {
        /* each selection leaves what is smaller before it, so the next one looks at a part only */
        size_t middle = count / 2;
        double upper = om__stats_select(differences, count, middle), lower = upper;
        if (count % 2 == 0)
            lower = om__stats_select(differences, middle, middle - 1);
        shift->estimate = count % 2 == 0 ? 0.5 * (lower + upper) : upper;
        if (shift->order > 0) {
            size_t low = shift->order - 1, high = count - shift->order;
            shift->low = low < middle ? om__stats_select(differences, middle, low) : upper;
            shift->high = high > middle ? om__stats_select(differences + middle, count - middle,
                                                           high - middle)
                                        : upper;
        }
    }
    free(differences);
    return status;
}

bool om__shift_has_sign(double low, double high)
{
    return low > OM_RANKS_SIGN || high < -OM_RANKS_SIGN;
}

/* ---- families of tests ---- */

typedef struct ranked_p {
    double p;
    size_t index;
} ranked_p;

static int compare_p(const void *left, const void *right)
{
    const ranked_p *a = left, *b = right;
    if (a->p != b->p)
        return a->p < b->p ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

om_status om__holm(const double *p, size_t n, double alpha, bool *rejected, om_error *err)
{
    if (n == 0)
        return OM_OK;
    ranked_p *order = malloc(n * sizeof *order);
    if (order == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for a family of %zu tests", n);
    for (size_t i = 0; i < n; i++) {
        order[i] = (ranked_p){p[i], i};
        rejected[i] = false;
    }
    qsort(order, n, sizeof *order, compare_p);
    for (size_t j = 0; j < n && order[j].p <= alpha / (double)(n - j); j++)
        rejected[order[j].index] = true;
    free(order);
    return OM_OK;
}

/* Normal approximation on doubled ranks: mean and continuity are doubled, the variance fourfold. */
static double approximate_rank_sum(const int64_t *ranks, size_t n, size_t m)
{
    double count = (double)(n + m), sum = 0.0, squares = 0.0, mean = count + 1;
    for (size_t i = 0; i < n + m; i++) {
        double off = (double)ranks[i] - mean;
        squares += off * off;
        if (i < n)
            sum += (double)ranks[i];
    }
    double variance = (double)n * (double)m * squares / (count * (count - 1));
    double distance = fabs(sum - (double)n * mean) - 1.0;
    if (variance <= 0 || distance <= 0)
        return 1.0;
    return erfc(distance / sqrt(variance) / sqrt(2.0));
}

om_status om__rank_sum(const double *a, size_t n, const double *b, size_t m, double *p,
                       om_error *err)
{
    om_status status = OM_OK;
    size_t all = n + m;
    *p = 1.0;
    if (n == 0 || m == 0)
        return OM_OK;
    double *values = malloc(all * sizeof *values);
    bool *first = calloc(all, sizeof *first);
    int64_t *ranks = malloc(all * sizeof *ranks);
    if (values == NULL || first == NULL || ranks == NULL) {
        status = om__error_set(err, OM_NO_MEMORY, "no memory for a rank sum of %zu values", all);
        goto out;
    }
    memcpy(values, a, n * sizeof *a);
    memcpy(values + n, b, m * sizeof *b);
    bool a_smaller = n <= m; /* the exact count grows with the number of marked values */
    for (size_t i = 0; i < all; i++)
        first[i] = (i < n) == a_smaller;
    if ((a_smaller ? n : m) <= OM_RANK_SUM_EXACT) {
        om_block_test test;
        OM_TRY_OUT(om__block_test(values, first, NULL, all, &test, err));
        *p = test.p_two;
    } else {
        OM_TRY_OUT(om__midranks2(values, all, ranks, err));
        *p = approximate_rank_sum(ranks, n, m);
    }
out:
    free(ranks);
    free(first);
    free(values);
    return status;
}
