/* SPDX-License-Identifier: Apache-2.0 */
/* special.h: the distribution functions that verdicts need: Student, normal, polygamma, Wilson. */
#ifndef OM_STATS_SPECIAL_H
#define OM_STATS_SPECIAL_H

/* Two-sided tail of Student's t: P(|T| >= |x|) with df degrees of freedom, whole or not. */
double om__student_tail(double x, double df);
/* The x >= 0 with om__student_tail(x, df) = p; 0 < p < 1. */
double om__student_quantile(double p, double df);

/* Upper quantile of the standard normal, p <= 1/2: normal(0.025) = 1.959963984540054. */
double om__normal_quantile(double p);

/* x > 0 */
double om__digamma(double x);
double om__trigamma(double x);
double om__tetragamma(double x);
double om__trigamma_inverse(double value);

/* The 95 % interval of a share of which k of n were seen (Wilson); n > 0. */
void om__wilson_interval(double k, double n, double *low, double *high);

#endif
