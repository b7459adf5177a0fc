/* SPDX-License-Identifier: Apache-2.0 */
/* rounds.c: the timed loop; see rounds.h. */
#include "bench/rounds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "base/text.h"
#include "core/fill.h"
#include "stats/quantile.h"
#include "stats/trend.h"

enum {
    MAX_INNER = 1 << 20,
    MIN_WARM_SAMPLES = 3,
    MOST_WARM_SAMPLES = 2000,
    MOST_EXTENSIONS = 8,
};

/* A pre-call settles clocks and caches after another contender; it is not paid for long calls. */
#define OM_SETTLE_BELOW_NS 5e6

typedef struct ticket {
    size_t timed;
    size_t round;
} ticket;

typedef struct loop {
    const om_clock_api *api;
    om_clock *clock;
    om_clock_info info;
    om_timed *timed;
    size_t count;
    om_rounds_options options;
    double started_ns;    /* of the host */
    double spent_ns;      /* in samples, as the clock says */
    size_t rounds, first; /* taken; first that is kept */
    size_t *order;
    double *scratch;
    size_t scratch_capacity;
    ticket *tickets;
    om_clock_sample *taken;
    size_t waiting, ticket_capacity;
} loop;

static double host_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* Real time passes between samples, too. Virtual time passes in them only; who does not advance it
 * at all must still come to an end. */
static double elapsed_ns(const loop *l)
{
    double host = host_ns() - l->started_ns;
    return fmax(l->info.is_virtual ? host / 50 : host, l->spent_ns);
}

void om__order_draw(uint64_t seed, int64_t round, size_t count, size_t *order)
{
    for (size_t i = 0; i < count; i++)
        order[i] = i;
    for (size_t i = count; i > 1; i--) {
        size_t j = (size_t)(om__fill_bits(seed, (uint32_t)i, (uint64_t)round) % i);
        size_t swap = order[i - 1];
        order[i - 1] = order[j];
        order[j] = swap;
    }
}

static void leave(om_timed *timed, const om_error *error)
{
    timed->left = true;
    timed->error = *error;
}

/* `calls` calls between begin and end; false when the contender left. */
static om_status take(loop *l, size_t index, int64_t calls, bool *taken, om_error *err)
{
    om_timed *t = &l->timed[index];
    om_error error = {0};
    om_status failed = OM_OK;
    *taken = false;
    if (l->options.before_sample != NULL)
        OM_TRY(l->options.before_sample(l->options.self, err));
    OM_TRY(l->api->begin(l->clock, calls, err));
    for (int64_t i = 0; i < calls && failed == OM_OK; i++)
        failed = t->call(t->self, &error);
    OM_TRY(l->api->end(l->clock, err));
    *taken = true;
    if (failed != OM_OK) {
        error.code = failed;
        leave(t, &error);
    }
    return OM_OK;
}

/* A sample that is read at once and not kept. */
static om_status probe(loop *l, size_t index, int64_t calls, double *time_ns, om_error *err)
{
    bool taken;
    om_clock_sample sample = {0};
    *time_ns = 0;
    OM_TRY(take(l, index, calls, &taken, err));
    OM_TRY(l->api->collect(l->clock, &sample, 1, err));
    l->timed[index].warm_up += calls;
    l->spent_ns += sample.time_ns;
    *time_ns = sample.time_ns;
    return OM_OK;
}

/* How many calls make a sample long enough for the clock. */
static om_status calibrate(loop *l, size_t index, om_error *err)
{
    om_timed *t = &l->timed[index];
    double shortest = l->options.single ? 0 : l->info.shortest_sample_ns, time_ns = 0;
    int64_t calls = 1;
    t->inner = 1;
    for (;;) {
        OM_TRY(probe(l, index, calls, &time_ns, err));
        if (t->left || shortest <= 0 || time_ns >= shortest / 2 || calls >= MAX_INNER)
            break;
        if (time_ns <= 0 && calls >= 4096) { /* nothing can be timed: no reason to repeat it */
            t->inner = 1;
            return OM_OK;
        }
        double factor = time_ns > 0 ? shortest / time_ns : 64;
        calls = (int64_t)fmin(ceil((double)calls * fmin(fmax(factor, 2), 64)), MAX_INNER);
    }
    if (shortest > 0 && time_ns < shortest)
        calls = time_ns > 0 ? (int64_t)ceil(shortest / (time_ns / (double)calls)) : MAX_INNER;
    else if (shortest > 0 && calls > 1)
        calls = (int64_t)fmax(1, ceil(shortest / (time_ns / (double)calls)));
    t->inner = calls < MAX_INNER ? calls : MAX_INNER;
    return OM_OK;
}

/* Does the second half of the warm-up still fall? */
static om_status still_falls(const loop *l, const double *times, size_t count, bool *falls,
                             om_error *err)
{
    om_trend trend;
    OM_TRY(om__stats_trend(times + count / 2, count - count / 2, &trend, err));
    *falls = trend.direction < 0 && -trend.change > l->options.precision;
    return OM_OK;
}

/* Calls for a tenth of the budget, shared; longer while they still get faster. */
static om_status warm_up_one(loop *l, size_t index, double budget, om_error *err)
{
    om_timed *t = &l->timed[index];
    double times[MOST_WARM_SAMPLES], begun = elapsed_ns(l);
    size_t count = 0;
    int extensions = 0;
    while (!t->left) {
        if (count == MOST_WARM_SAMPLES) { /* the older half is no longer asked about */
            count /= 2;
            memmove(times, times + count, count * sizeof *times);
        }
        OM_TRY(probe(l, index, t->inner, &times[count], err));
        if (times[count++] > budget) /* calls this long have warmed up in the probes */
            break;
        if (count < MIN_WARM_SAMPLES || elapsed_ns(l) - begun < budget * (1 + extensions))
            continue;
        bool falls;
        OM_TRY(still_falls(l, times, count, &falls, err));
        if (!falls || ++extensions > MOST_EXTENSIONS)
            break;
    }
    return OM_OK;
}

static om_status warm_up(loop *l, om_error *err)
{
    if (l->options.untimed)
        return OM_OK;
    double budget = fmin(l->options.budget_ns / 10, 1e8) / (double)l->count;
    for (size_t i = 0; i < l->count; i++) {
        if (l->timed[i].left)
            continue;
        if (l->options.announce != NULL)
            l->options.announce(l->options.self, i);
        OM_TRY(calibrate(l, i, err));
        OM_TRY(warm_up_one(l, i, budget, err));
    }
    return OM_OK;
}

static om_status grow(om_timed *t, size_t count, om_error *err)
{
    if (count <= t->capacity)
        return OM_OK;
    size_t capacity = count < 64 ? 64 : 2 * count;
    double *samples = realloc(t->samples, capacity * sizeof *samples);
    if (samples == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for samples");
    t->samples = samples;
    if (t->reasons != NULL) {
        char **reasons = realloc(t->reasons, capacity * sizeof *reasons);
        if (reasons == NULL)
            return om__error_set(err, OM_NO_MEMORY, "no memory for samples");
        t->reasons = reasons;
        memset(reasons + t->capacity, 0, (capacity - t->capacity) * sizeof *reasons);
    }
    t->capacity = capacity;
    return OM_OK;
}

static om_status note_reason(om_timed *t, size_t round, const char *reason, om_error *err)
{
    if (t->reasons == NULL) {
        t->reasons = calloc(t->capacity, sizeof *t->reasons);
        if (t->reasons == NULL)
            return om__error_set(err, OM_NO_MEMORY, "no memory for samples");
    }
    free(t->reasons[round]);
    t->reasons[round] = om__strdup(reason);
    return t->reasons[round] != NULL ? OM_OK
                                     : om__error_set(err, OM_NO_MEMORY, "no memory for samples");
}

static om_status keep(loop *l, const ticket *k, const om_clock_sample *sample, om_error *err)
{
    om_timed *t = &l->timed[k->timed];
    double time_ns = sample->time_ns / (double)t->inner;
    l->spent_ns += sample->time_ns;
    if (sample->invalid[0] != '\0' && !(l->options.untimed && sample->time_ns > 0))
        return note_reason(t, k->round, sample->invalid, err);
    if (t->left)
        return OM_OK;
    t->samples[k->round] = time_ns;
    t->time_ns += sample->time_ns;
    t->cpu_ns = sample->cpu_ns < 0 || t->cpu_ns < 0 ? -1 : t->cpu_ns + sample->cpu_ns;
    int kernels = sample->kernel_count < 0 ? -1 : (int)(sample->kernel_count / t->inner);
    if (t->kernels_low < 0 || kernels < t->kernels_low)
        t->kernels_low = kernels;
    if (kernels > t->kernels_high)
        t->kernels_high = kernels;
    if (sample->kernels != NULL)
        t->kernels = sample->kernels;
    if (sample->clock_mhz > 0) {
        if (t->clock_low_mhz <= 0 || sample->clock_mhz < t->clock_low_mhz)
            t->clock_low_mhz = sample->clock_mhz;
        t->clock_high_mhz = fmax(t->clock_high_mhz, sample->clock_mhz);
    }
    return OM_OK;
}

static om_status collect(loop *l, om_error *err)
{
    if (l->waiting == 0)
        return OM_OK;
    memset(l->taken, 0, l->waiting * sizeof *l->taken);
    OM_TRY(l->api->collect(l->clock, l->taken, l->waiting, err));
    for (size_t i = 0; i < l->waiting; i++)
        OM_TRY(keep(l, &l->tickets[i], &l->taken[i], err));
    l->waiting = 0;
    return OM_OK;
}

static om_status round_once(loop *l, om_error *err)
{
    size_t round = l->rounds++;
    for (size_t i = 0; i < l->count; i++) {
        om_timed *t = &l->timed[i];
        OM_TRY(grow(t, round + 1, err));
        t->samples[round] = NAN;
        t->count = round + 1;
    }
    om__order_draw(l->options.order_seed, (int64_t)round, l->count, l->order);
    for (size_t i = 0; i < l->count; i++) {
        size_t index = l->order[i];
        om_timed *t = &l->timed[index];
        om_error error = {0};
        bool taken = false;
        if (t->left)
            continue;
        if (l->options.announce != NULL)
            l->options.announce(l->options.self, index);
        double before = t->time_ns / (double)(t->inner * (int64_t)(round > 0 ? round : 1));
        if (l->count > 1 && !l->options.untimed && before < OM_SETTLE_BELOW_NS &&
            t->call(t->self, &error) != OM_OK) {
            leave(t, &error);
            continue;
        }
        OM_TRY(take(l, index, t->inner, &taken, err));
        if (taken)
            l->tickets[l->waiting++] = (ticket){.timed = index, .round = round};
    }
    if (l->rounds % (size_t)l->info.rounds_per_collect == 0)
        OM_TRY(collect(l, err));
    return OM_OK;
}

static size_t active_count(const loop *l)
{
    size_t active = 0;
    for (size_t i = 0; i < l->count; i++)
        active += !l->timed[i].left && !l->timed[i].aside;
    return active;
}

static om_status ensure_scratch(loop *l, om_error *err)
{
    if (l->rounds <= l->scratch_capacity)
        return OM_OK;
    double *more = realloc(l->scratch, 2 * l->rounds * sizeof *more);
    if (more == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for samples");
    l->scratch = more;
    l->scratch_capacity = 2 * l->rounds;
    return OM_OK;
}

static bool is_precise(loop *l)
{
    for (size_t i = 0; i < l->count; i++) {
        const om_timed *t = &l->timed[i];
        if (t->left || t->aside)
            continue;
        if (om__stop_spread(t->samples + l->first, l->rounds - l->first, l->scratch) >
            l->options.precision)
            return false;
    }
    return true;
}

/* Change over the kept samples of the contender that moves most, falling ones first. */
static om_status find_trend(loop *l, double *falling, om_error *err)
{
    *falling = 0;
    for (size_t i = 0; i < l->count; i++) {
        om_timed *t = &l->timed[i];
        om_trend trend = {0};
        t->trend = 0;
        if (t->left || t->aside)
            continue;
        OM_TRY(om__stats_trend(t->samples + l->first, l->rounds - l->first, &trend, err));
        if (trend.direction == 0 || fabs(trend.change) < 2 * l->options.precision)
            continue;
        t->trend = trend.change;
        *falling = fmin(*falling, trend.change);
    }
    return OM_OK;
}

/* Rounds that were taken while someone still warmed up, left out for all: rounds stay paired. */
static void drop_first(loop *l)
{
    size_t drop = l->first;
    for (size_t i = 0; i < l->count; i++) {
        om_timed *t = &l->timed[i];
        for (size_t r = 0; t->reasons != NULL && r < drop; r++)
            free(t->reasons[r]);
        memmove(t->samples, t->samples + drop, (t->count - drop) * sizeof *t->samples);
        if (t->reasons != NULL) {
            memmove(t->reasons, t->reasons + drop, (t->count - drop) * sizeof *t->reasons);
            memset(t->reasons + t->count - drop, 0, drop * sizeof *t->reasons);
        }
        t->count -= drop;
        t->warm_up += (int64_t)drop * t->inner;
    }
}

/* Rounds in which the contender that has fewest has a valid sample. */
static size_t valid_rounds(const loop *l)
{
    size_t least = l->rounds - l->first;
    for (size_t i = 0; i < l->count; i++) {
        size_t valid = 0;
        for (size_t r = l->first; r < l->rounds; r++)
            valid += !isnan(l->timed[i].samples[r]);
        if (!l->timed[i].left && !l->timed[i].aside && valid < least)
            least = valid;
    }
    return least;
}

/* At least three rounds, and the minimum as long as it does not cost four budgets. Invalid samples
 * do not count, until three budgets are spent in vain. */
static bool may_stop(const loop *l, double elapsed)
{
    size_t kept = l->rounds - l->first;
    if (l->options.untimed)
        return kept >= (size_t)l->options.min_rounds;
    if (kept < 3)
        return false;
    if (elapsed < 3 * l->options.budget_ns && l->waiting == 0)
        kept = valid_rounds(l);
    if (kept >= (size_t)l->options.min_rounds)
        return true;
    return elapsed + elapsed / (double)l->rounds > 4 * l->options.budget_ns;
}

static om_status run_rounds(loop *l, om_rounds_result *result, om_error *err)
{
    double budget = l->options.budget_ns;
    bool extended = false;
    for (;;) {
        OM_TRY(round_once(l, err));
        if (active_count(l) == 0)
            break;
        double elapsed = elapsed_ns(l);
        if (!may_stop(l, elapsed))
            continue;
        bool out = elapsed >= budget || valid_rounds(l) >= (size_t)l->options.max_rounds ||
                   l->rounds - l->first >= 4 * (size_t)l->options.max_rounds;
        if (l->options.untimed && out)
            break;
        if (!out && (l->options.untimed ||
                     l->rounds % 4 != 0)) /* intervals need not be computed after every round */
            continue;
        OM_TRY(collect(l, err));
        OM_TRY(ensure_scratch(l, err));
        result->precise = is_precise(l);
        if (!out && !result->precise)
            continue;
        double falling = 0;
        OM_TRY(find_trend(l, &falling, err));
        if (falling >= 0 || (extended && (elapsed >= budget || l->rounds - l->first < 20)))
            break;
        /* Still warming up: the first half goes, the time is doubled once. */
        l->first += (l->rounds - l->first) / 2;
        if (!extended)
            budget += l->options.budget_ns;
        extended = true;
    }
    OM_TRY(collect(l, err));
    result->rounds = (int64_t)(l->rounds - l->first);
    result->dropped = (int64_t)l->first;
    result->elapsed_ns = elapsed_ns(l);
    drop_first(l);
    return OM_OK;
}

om_status om__rounds_run(const om_clock_api *api, om_clock *clock, om_timed *timed, size_t count,
                         const om_rounds_options *options, om_rounds_result *result, om_error *err)
{
    om_status status = OM_OK;
    loop l = {.api = api, .clock = clock, .timed = timed, .count = count, .options = *options};
    *result = (om_rounds_result){0};
    if (l.options.budget_ns <= 0)
        l.options.budget_ns = 1e9;
    if (l.options.min_rounds <= 0)
        l.options.min_rounds = 10;
    if (l.options.max_rounds <= 0)
        l.options.max_rounds = 100;
    if (l.options.max_rounds < l.options.min_rounds)
        l.options.max_rounds = l.options.min_rounds;
    if (l.options.precision <= 0)
        l.options.precision = 0.005;
    api->info(clock, &l.info);
    if (l.info.rounds_per_collect < 1)
        l.info.rounds_per_collect = 1;
    l.ticket_capacity = count * (size_t)l.info.rounds_per_collect;
    l.order = calloc(count + 1, sizeof *l.order);
    l.tickets = calloc(l.ticket_capacity + 1, sizeof *l.tickets);
    l.taken = calloc(l.ticket_capacity + 1, sizeof *l.taken);
    if (l.order == NULL || l.tickets == NULL || l.taken == NULL) {
        status = om__error_set(err, OM_NO_MEMORY, "no memory for the timed loop");
        goto out;
    }
    for (size_t i = 0; i < count; i++) {
        timed[i].kernels_low = timed[i].kernels_high = -1;
        timed[i].inner = 1;
    }
    l.started_ns = host_ns();
    if (active_count(&l) == 0)
        goto out;
    OM_TRY_OUT(warm_up(&l, err));
    if (active_count(&l) == 0)
        goto out;
    l.started_ns = host_ns();
    l.spent_ns = 0;
    OM_TRY_OUT(run_rounds(&l, result, err));
out:
    free(l.order);
    free(l.tickets);
    free(l.taken);
    free(l.scratch);
    return status;
}

void om__timed_release(om_timed *timed)
{
    for (size_t i = 0; timed->reasons != NULL && i < timed->capacity; i++)
        free(timed->reasons[i]);
    free(timed->reasons);
    free(timed->samples);
    timed->reasons = NULL;
    timed->samples = NULL;
    timed->count = timed->capacity = 0;
}
