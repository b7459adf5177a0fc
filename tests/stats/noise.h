/* SPDX-License-Identifier: Apache-2.0 */
/* noise.h: synthetic launches of 752 rows under the noise that real machines make. */
#ifndef OM_TESTS_STATS_NOISE_H
#define OM_TESTS_STATS_NOISE_H

#include <math.h>
#include <string.h>

#include "stats/splitmix.h"

#define NOISE_ROWS   752
#define NOISE_GROUPS 11

typedef enum noise_kind {
    NOISE_NORMAL,
    NOISE_UNEQUAL,
    NOISE_HEAVY,
    NOISE_OUTLIER,
    NOISE_MODES,
    NOISE_STICKY,
    NOISE_PLACEMENT,
    NOISE_DRIFT,
    NOISE_THROTTLE,
    NOISE_SESSION,
    NOISE_OPMODE,
    NOISE_BURST,
    NOISE_CYCLE,
    NOISE_AR1,
    NOISE_TICK,
    NOISE_MIXED,
    NOISE_KINDS
} noise_kind;

typedef struct noise {
    noise_kind kind;
    double fixed; /* spread of every row; 0: drawn */
    om_splitmix generator;
    size_t rows, launch;
    double walk, slope, depth;
    int slow;
    size_t pattern, phase;
    double level[NOISE_ROWS], spread[NOISE_ROWS], gap[NOISE_ROWS], share[NOISE_ROWS],
        load[NOISE_ROWS], last[NOISE_ROWS];
    size_t group[NOISE_ROWS], op[NOISE_ROWS];
} noise;

static inline double uniform(noise *n, double low, double high)
{
    return low + (high - low) * om__splitmix_uniform(&n->generator);
}

static inline double gauss(noise *n)
{
    double u = 1 - om__splitmix_uniform(&n->generator), v = om__splitmix_uniform(&n->generator);
    return sqrt(-2 * log(u)) * cos(6.283185307179586 * v);
}

/* Student's t with 2.5 degrees of freedom, scaled to the quartiles of a standard normal. */
static inline double heavy(noise *n)
{
    /* Bailey's polar method */
    double u, v, w;
    do {
        u = uniform(n, -1, 1);
        v = uniform(n, -1, 1);
        w = u * u + v * v;
    } while (w > 1 || w == 0);
    double t = u * sqrt(2.5 * (pow(w, -2 / 2.5) - 1) / w);
    return t * 0.67449 / 0.78489;
}

static inline void noise_start(noise *n, noise_kind kind, size_t rows, double fixed, uint64_t seed)
{
    static const size_t sizes[NOISE_GROUPS] = {24, 24, 80, 96, 96, 96, 96, 80, 80, 40, 40};
    static const size_t ops[NOISE_GROUPS] = {0, 0, 1, 2, 2, 3, 3, 4, 4, 5, 5};
    static const double middle[NOISE_KINDS] = {0.01,  0.01,  0.01,  0.007, 0.005, 0.005,
                                               0.003, 0.007, 0.005, 0.007, 0.007, 0.007,
                                               0.005, 0.01,  0.004, 0.006};
    static const double scatter[NOISE_KINDS] = {0,   0.7, 0.5, 0.5, 0.3, 0.3, 0,   0.3,
                                                0.3, 0.3, 0.3, 0.3, 0.3, 0,   0.5, 0.6};
    memset(n, 0, sizeof *n);
    n->kind = kind;
    n->fixed = fixed;
    n->rows = rows;
    n->generator.state = seed * 1000003u + (uint64_t)kind;
    n->slope = uniform(n, -0.06, 0.06) * (kind == NOISE_MIXED ? 0.5 : 1);
    n->depth = uniform(n, 0.04, 0.12);
    n->slow = uniform(n, 0, 1) < 0.4;
    n->pattern = om__splitmix_below(&n->generator, 3);
    n->phase = om__splitmix_below(&n->generator, 4);
    for (size_t i = 0, g = 0, in = 0; i < rows; i++) {
        n->group[i] = g;
        n->op[i] = ops[g];
        if (++in == sizes[g] && g + 1 < NOISE_GROUPS) {
            g++;
            in = 0;
        }
        n->spread[i] = fixed > 0 ? fixed : middle[kind] * exp(scatter[kind] * gauss(n));
        n->level[i] = kind == NOISE_TICK ? uniform(n, log(1200), log(20000)) : uniform(n, 9, 14);
        bool moded = uniform(n, 0, 1) < (kind == NOISE_MIXED ? 0.15 : 0.4);
        n->gap[i] = moded ? uniform(n, 0.02, 0.12) : 0;
        n->share[i] = uniform(n, 0.1, 0.9);
        n->load[i] = kind == NOISE_DRIFT ? uniform(n, 0, 1.5) : uniform(n, 0.5, 1.5);
        n->last[i] = uniform(n, 0, 1) < n->share[i];
        if (kind == NOISE_PLACEMENT)
            n->gap[i] = uniform(n, 0.005, 0.05);
        if (kind == NOISE_THROTTLE)
            n->load[i] = uniform(n, 0, 1) < 0.5 ? 1 : 0.1;
        if (kind == NOISE_OPMODE)
            n->gap[i] = uniform(n, 0, 1) < 0.5 ? uniform(n, 0.1, 0.6) : 0;
        if (kind == NOISE_CYCLE)
            n->gap[i] = uniform(n, 0, 1) < 0.3 ? uniform(n, 0.02, 0.08) : 0;
        if (kind == NOISE_AR1)
            n->last[i] = gauss(n);
    }
}

static inline double row_noise(noise *n, size_t i, double shared, const double *of_group,
                               const bool *on)
{
    static const char *const patterns[] = {"10", "100", "1001"};
    const char *pattern = patterns[n->pattern];
    double s = n->spread[i], x = s * gauss(n);
    switch (n->kind) {
    case NOISE_HEAVY:
        return s * heavy(n);
    case NOISE_OUTLIER:
        return x + (uniform(n, 0, 1) < 0.04 ? log1p(uniform(n, 0.05, 1)) : 0);
    case NOISE_STICKY:
        if (uniform(n, 0, 1) < 0.25)
            n->last[i] = uniform(n, 0, 1) < n->share[i];
        return x + n->gap[i] * n->last[i];
    case NOISE_MODES:
        return x + (uniform(n, 0, 1) < n->share[i] ? n->gap[i] : 0);
    case NOISE_PLACEMENT:
        return x + n->gap[i] * (double)om__splitmix_below(&n->generator, 4) / 3;
    case NOISE_DRIFT:
        return x + n->load[i] * shared;
    case NOISE_SESSION:
        return x + n->load[i] * shared + of_group[n->group[i]];
    case NOISE_OPMODE:
        return x + (on[n->group[i]] ? n->gap[i] : 0);
    case NOISE_CYCLE:
        return x + (pattern[(n->launch + n->phase) % strlen(pattern)] == '1' ? n->gap[i] : 0);
    case NOISE_AR1:
        n->last[i] = 0.6 * n->last[i] + 0.8 * gauss(n);
        return s * n->last[i];
    case NOISE_MIXED:
        x += n->load[i] * shared + (uniform(n, 0, 1) < n->share[i] ? n->gap[i] : 0);
        return x + (uniform(n, 0, 1) < 0.02 ? log1p(uniform(n, 0.05, 1)) : 0);
    default:
        return x;
    }
}

/* One launch, number t of T in its look, of all rows; y[i * stride] gets ln of row i's time. */
static inline void noise_launch(noise *n, size_t t, size_t of, double *y, size_t stride)
{
    double of_group[NOISE_GROUPS], shared = 0;
    bool on[NOISE_GROUPS];
    size_t from = 0, length = 0;
    double height = 0;
    for (size_t g = 0; g < NOISE_GROUPS; g++) {
        of_group[g] = 0.007 * gauss(n);
        on[g] = uniform(n, 0, 1) < 0.15;
    }
    n->walk += 0.003 * gauss(n);
    double ramp = n->slope * (double)t / (double)(of > 1 ? of - 1 : 1);
    if (n->kind == NOISE_DRIFT)
        shared = ramp + n->walk;
    if (n->kind == NOISE_SESSION)
        shared = 0.015 * gauss(n);
    if (n->kind == NOISE_MIXED)
        shared = ramp + 0.007 * gauss(n);
    if ((n->kind == NOISE_BURST || n->kind == NOISE_MIXED) && uniform(n, 0, 1) < 0.4) {
        length = 20 + om__splitmix_below(&n->generator, 131);
        from = om__splitmix_below(&n->generator, n->rows);
        height = uniform(n, 0.03, 0.3) * (n->kind == NOISE_MIXED ? 0.5 : 1);
    }
    size_t slot = (size_t)-1;
    for (size_t i = 0; i < n->rows; i++) {
        if (n->kind == NOISE_THROTTLE && i * 8 / n->rows != slot) {
            slot = i * 8 / n->rows;
            n->slow = n->slow ? uniform(n, 0, 1) >= 1.0 / 32 : uniform(n, 0, 1) < 1.0 / 48;
        }
        double value = n->level[i] + row_noise(n, i, shared, of_group, on);
        if (n->kind == NOISE_THROTTLE && n->slow)
            value += n->load[i] * n->depth;
        if (i >= from && i < from + length)
            value += height;
        if (n->kind == NOISE_TICK)
            value = log(32 * floor(exp(value) / 32 + 0.5));
        y[i * stride] = value;
    }
    n->launch++;
}

#endif
