/* SPDX-License-Identifier: Apache-2.0 */
/* special.c: the distribution functions that verdicts need: Student, normal, polygamma, Wilson. */
#include "stats/special.h"

#include <math.h>

/* Continued fraction of the incomplete beta function by Lentz's method; quick for
 * x < (a + 1) / (a + b + 2). */
static double beta_fraction(double a, double b, double x)
{
    const double tiny = 1e-300;
    double c = 1.0, d = 1.0 - (a + b) * x / (a + 1.0);
    d = 1.0 / (fabs(d) < tiny ? tiny : d);
    double value = d;
    for (int m = 1; m <= 500; m++) {
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        d = 1.0 + even * d;
        c = 1.0 + even / c;
        d = 1.0 / (fabs(d) < tiny ? tiny : d);
        c = fabs(c) < tiny ? tiny : c;
        value *= d * c;
        d = 1.0 + odd * d;
        c = 1.0 + odd / c;
        d = 1.0 / (fabs(d) < tiny ? tiny : d);
        c = fabs(c) < tiny ? tiny : c;
        value *= d * c;
        if (fabs(d * c - 1.0) < 1e-15)
            break;
    }
    return value;
}

double om__student_tail(double x, double df)
{
    if (isnan(x))
        return 1.0;
    if (isinf(x))
        return 0.0;
    if (x == 0.0)
        return 1.0;
    double a = df / 2, b = 0.5, z = df / (df + x * x), rest = x * x / (df + x * x);
    double front = exp(a * log(z) + b * log(rest) + lgamma(a + b) - lgamma(a) - lgamma(b));
    if (z < (a + 1) / (a + b + 2))
        return front * beta_fraction(a, b, z) / a;
    return 1.0 - front * beta_fraction(b, a, rest) / b;
}

/* Density of Student's t at x. */
static double student_density(double x, double df)
{
    double scale = exp(lgamma((df + 1) / 2) - lgamma(df / 2)) / sqrt(df * 3.14159265358979323846);
    return scale * pow(1 + x * x / df, -(df + 1) / 2);
}

double om__student_quantile(double p, double df)
{
    double low = 0.0, high = 1.0;
    while (om__student_tail(high, df) > p && high < 1e300) {
        low = high;
        high *= 2;
    }
    /* Newton's steps, and a halving of the bracket where one would leave it */
    double x = 0.5 * (low + high);
    for (int i = 0; i < 200 && high - low > 1e-15 * high; i++) {
        double over = om__student_tail(x, df) - p;
        if (over > 0)
            low = x;
        else
            high = x;
        double next = x + over / (2 * student_density(x, df));
        if (!(next > low && next < high))
            next = 0.5 * (low + high);
        if (fabs(next - x) <= 1e-15 * x)
            break;
        x = next;
    }
    return x;
}

double om__normal_quantile(double p)
{
    double low = 0.0, high = 40.0;
    for (int i = 0; i < 100; i++) {
        double middle = 0.5 * (low + high);
        if (0.5 * erfc(middle / sqrt(2.0)) > p)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

double om__digamma(double x)
{
    double shift = 0.0;
    for (; x < 10; x += 1)
        shift -= 1 / x;
    double r = 1 / (x * x);
    double series =
        r * (1.0 / 12 -
             r * (1.0 / 120 -
                  r * (1.0 / 252 - r * (1.0 / 240 - r * (1.0 / 132 - r * (691.0 / 32760))))));
    return shift + log(x) - 0.5 / x - series;
}

double om__trigamma(double x)
{
    double shift = 0.0;
    for (; x < 10; x += 1)
        shift += 1 / (x * x);
    double r = 1 / (x * x);
    double series =
        r * (1.0 / 6 - r * (1.0 / 30 -
                            r * (1.0 / 42 - r * (1.0 / 30 - r * (5.0 / 66 - r * (691.0 / 2730))))));
    return shift + 1 / x + r / 2 + series / x;
}

double om__tetragamma(double x)
{
    double shift = 0.0;
    for (; x < 10; x += 1)
        shift -= 2 / (x * x * x);
    double r = 1 / (x * x);
    double series =
        r *
        (0.5 - r * (1.0 / 6 - r * (1.0 / 6 - r * (3.0 / 10 - r * (5.0 / 6 - r * 691.0 / 210)))));
    return shift - r - r / x - r * series;
}

double om__trigamma_inverse(double value)
{
    if (value > 1e7)
        return 1 / sqrt(value);
    if (value < 1e-6)
        return 1 / value;
    double y = 0.5 + 1 / value;
    for (int i = 0; i < 100; i++) {
        double at = om__trigamma(y);
        double step = at * (1 - at / value) / om__tetragamma(y);
        y += step;
        if (fabs(step) <= 1e-12 * y)
            break;
    }
    return y;
}

void om__wilson_interval(double k, double n, double *low, double *high)
{
    double z = om__normal_quantile(0.025), f = k / n, z2 = z * z;
    double middle = f + z2 / (2 * n);
    double half = z * sqrt(f * (1 - f) / n + z2 / (4 * n * n));
    *low = fmax(0.0, (middle - half) / (1 + z2 / n));
    *high = fmin(1.0, (middle + half) / (1 + z2 / n));
}
