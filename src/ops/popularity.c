/* SPDX-License-Identifier: Apache-2.0 */
/* popularity.c: expected numbers of experts, by the chance of one expert to be chosen. */
#include "ops/popularity.h"

#include <math.h>

/* The probability that sigmoid of a standard normal logit exceeds x. */
static double sigmoid_exceeds(double x)
{
    if (x <= 0)
        return 1;
    if (x >= 1)
        return 0;
    return 0.5 * erfc(log(x / (1 - x)) * 0.70710678118654752440);
}

/* The mean of f(p) over normal biases, p the chance that an expert is chosen at this threshold. */
static double over_bias(double threshold, double deviation, double (*f)(double p, double t),
                        double t)
{
    enum { STEPS = 400 };
    double sum = 0, weights = 0;
    for (int i = 0; i <= STEPS; i++) {
        double z = -5 + 10.0 * i / STEPS, weight = exp(-0.5 * z * z);
        sum += weight * f(sigmoid_exceeds(threshold - z * deviation), t);
        weights += weight;
    }
    return sum / weights;
}

static double chance(double p, double t)
{
    (void)t;
    return p;
}

static double chance_of_any(double p, double t)
{
    return 1 - pow(1 - p, t);
}

double om__experts_hit(int64_t t, int64_t k, int64_t e)
{
    if (e < 1)
        return 0;
    return (double)e * (1 - pow(1 - (double)k / (double)e, (double)t));
}

double om__experts_hit_biased(int64_t t, int64_t k, int64_t e, double deviation)
{
    double low = -1, high = 2;
    /* The threshold at which k experts of a token are chosen on average. */
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        if ((double)e * over_bias(middle, deviation, chance, 0) > (double)k)
            low = middle;
        else
            high = middle;
    }
    double hit = (double)e * over_bias(low, deviation, chance_of_any, (double)t);
    return hit > (double)k || t < 1 ? hit : (double)k; /* one token hits k */
}
