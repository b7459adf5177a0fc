/* SPDX-License-Identifier: Apache-2.0 */
/* trust.c: numbers that cannot be true, or that the machine spoilt: what makes a row `mistrusted`.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "bench/contender.h"
#include "stats/quantile.h"

/* Fewer valid samples than this are no measurement. */
#define OM_LEAST_VALID 3
/* Cold rates above this multiple of what the memory gives cannot have been cold. */
#define OM_RATE_LIMIT 1.25
/* Bytes a second that any memory gives one thread; slower measurements are not believed. */
#define OM_LEAST_BANDWIDTH 10e9
/* Samples that fall by more than this to the end were never steady. */
#define OM_TREND_LIMIT 0.2

/* The median of the valid samples, 0 without any, and how many there are. */
static om_status valid_median(const om_entry *e, double *median_ns, size_t *valid, om_error *err)
{
    double *scratch = malloc((e->timed.count + 1) * sizeof *scratch);
    if (scratch == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for samples");
    *valid = om__stats_sort_valid(e->timed.samples, e->timed.count, scratch);
    *median_ns = *valid > 0 ? om__stats_median_sorted(scratch, *valid) : 0;
    free(scratch);
    return OM_OK;
}

/* What memory gives, in bytes a second. On the host it is measured when a row claims more than any
 * memory gives, and measured again before anyone is accused: on a shared machine a measurement may
 * come out far too low. */
static om_status memory_limit(om_case_run *run, double rate, double *limit, om_error *err)
{
    om_session *s = run->session;
    *limit = s->device.peak_gbps * 1e9;
    if (strcmp(s->kind, "cpu") != 0)
        return OM_OK;
    for (int tries = 0;; tries++) {
        *limit = fmax(s->bandwidth, OM_LEAST_BANDWIDTH * s->options.threads);
        if (rate <= OM_RATE_LIMIT * *limit || tries == 3)
            return OM_OK;
        double again;
        om__session_announce(s, run->index, NULL, "bandwidth");
        OM_TRY(om__env_bandwidth(s->options.threads, &again, err));
        s->bandwidth = fmax(s->bandwidth, again);
    }
}

static om_status distrust_rates(om_case_run *run, om_entry *e, double median_ns, om_error *err)
{
    const om_device_info *device = &run->session->device;
    double rate = run->work.bytes / median_ns * 1e9, limit;
    if (run->cache != OM_CACHE_WARM) {
        OM_TRY(memory_limit(run, rate, &limit, err));
        if (limit > 0 && rate > OM_RATE_LIMIT * limit)
            om__entry_fail(e, OM_OUTCOME_MISTRUSTED,
                           "above peak: %.1f GB/s where the memory gives %.1f: the cache was not "
                           "cold or work is missing",
                           rate / 1e9, limit / 1e9);
    }
    double peak = fmax(device->peak_tflops_8, device->peak_tflops_16);
    double tflops = run->work.flops / median_ns / 1e3;
    if (peak > 0 && tflops > 1.05 * peak)
        om__entry_fail(e, OM_OUTCOME_MISTRUSTED,
                       "above peak: %.1f TFLOP/s on a device of %.1f: work is missing", tflops,
                       peak);
    return OM_OK;
}

/* An empty problem: right without any work, so a device has nothing to time. */
static bool is_empty(const om_entry *e)
{
    if (e->stage == NULL)
        return false;
    for (size_t i = 0; i < e->stage->op->port_count; i++)
        if (e->stage->op->ports[i].role == OM_PORT_OUT &&
            om_tensor_count(&e->stage->tensors[i]) > 0)
            return false;
    return true;
}

om_status om__case_run_distrust(om_case_run *run, om_entry *e, om_error *err)
{
    double median_ns = 0;
    size_t valid = 0;
    OM_TRY(valid_median(e, &median_ns, &valid, err));
    if (valid == 0 && is_empty(e)) {
        om__entry_fail(e, OM_OUTCOME_SKIPPED,
                       "every output is empty: nothing runs that has a time");
        return OM_OK;
    }
    const bool untimed = run->session->options.untimed;
    if (valid < (untimed ? 1 : OM_LEAST_VALID)) {
        const char *why = "too few rounds";
        for (size_t i = 0; e->timed.reasons != NULL && i < e->timed.count; i++)
            if (e->timed.reasons[i] != NULL)
                why = e->timed.reasons[i];
        om__entry_fail(e, OM_OUTCOME_MISTRUSTED, "%zu of %zu samples accepted: %s", valid,
                       e->timed.count, why);
        return OM_OK;
    }
    if (untimed)
        return OM_OK;
    if (e->timed.trend < -OM_TREND_LIMIT)
        om__entry_fail(e, OM_OUTCOME_MISTRUSTED,
                       "still warming up: the samples fell by %.0f %% to the end",
                       -100 * e->timed.trend);
    return median_ns > 0 ? distrust_rates(run, e, median_ns, err) : OM_OK;
}
