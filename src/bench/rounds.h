/* SPDX-License-Identifier: Apache-2.0 */
/* rounds.h: the timed loop: contenders called in rounds, one sample each a round, in an order drawn
 * anew for every round, until their medians are known well enough or time is up.
 *
 * The loop knows nothing of operators, devices or processes: it is given things to call and a
 * clock. Tests run it on virtual time.
 */
#ifndef OM_BENCH_ROUNDS_H
#define OM_BENCH_ROUNDS_H

#include <stdbool.h>

#include "bench/clock.h"

/* One thing to time, and what was found. Set name, call and self; zero the rest. */
typedef struct om_timed {
    const char *name;
    om_status (*call)(void *self, om_error *err); /* one call: done, or launched on the device */
    void *self;

    bool aside; /* measured along with the others, but not waited for: it neither decides when they
                 * stop nor what is dropped */

    int64_t inner;   /* calls a sample */
    int64_t warm_up; /* calls before the first sample that was kept */
    double *samples; /* ns a call, one a round; NaN: invalid, or it had left */
    char **reasons;  /* NULL, or one a round: why a sample is invalid; NULL: it is valid */
    size_t count, capacity;
    double time_ns, cpu_ns;        /* summed over valid samples; cpu_ns < 0: not known */
    int kernels_low, kernels_high; /* a call; -1: not known */
    const char *kernels;           /* their names, as the clock gives them; NULL: not known */
    double clock_low_mhz, clock_high_mhz;
    double trend; /* change over the samples where they still fall or rise; 0: they do neither */
    bool left;    /* a call failed: `error` says why; the others went on without it */
    om_error error;
} om_timed;

typedef struct om_rounds_options {
    double budget_ns;    /* of the timed loop; 0: 1 s */
    int min_rounds;      /* 0: 10 */
    int max_rounds;      /* 0: 100 */
    double precision;    /* half the interval of the median over the median; 0: 0.005 */
    uint64_t order_seed; /* om__order_draw(order_seed, round, …) is the order of a round */
    bool single;         /* one call a sample, however short (a flush before each) */
    bool untimed;        /* the calls matter, their times do not: one call a sample, no warm-up, no
                          * sample is invalid because a thread had to wait; max_rounds, or at least
                          * min_rounds until the budget is spent */
    void *self;          /* handed to the functions below; each may be NULL */
    /* Puts the cache into the state of the row, right before a sample. */
    om_status (*before_sample)(void *self, om_error *err);
    /* Says which contender is called next. */
    void (*announce)(void *self, size_t timed);
} om_rounds_options;

typedef struct om_rounds_result {
    int64_t rounds;  /* kept */
    int64_t dropped; /* taken while still warming up, and left out for all contenders */
    double elapsed_ns;
    bool precise; /* ended because every interval was narrow enough */
} om_rounds_result;

/* Times all contenders that have not left. Only a failing clock or lack of memory fails the whole;
 * a failing contender leaves. */
om_status om__rounds_run(const om_clock_api *api, om_clock *clock, om_timed *timed, size_t count,
                         const om_rounds_options *options, om_rounds_result *result, om_error *err);
void om__timed_release(om_timed *timed); /* frees what the loop allocated */

/* The order of `count` contenders in a round, a permutation of 0..count-1. */
void om__order_draw(uint64_t seed, int64_t round, size_t count, size_t *order);

/* Half the 95 % interval of the median over the median; infinity where there are too few values
 * for an interval. scratch holds n values. */
double om__stop_spread(const double *samples, size_t n, double *scratch);

#endif
