/* SPDX-License-Identifier: Apache-2.0 */
/* emit.c: makes records of what was measured. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/build.h"
#include "base/error.h"
#include "base/text.h"
#include "bench/contender.h"
#include "opmark/opmark.h"

/* Changes whenever a number measured before could come out differently by the harness alone. */
#define OM_HARNESS "1"

static om_status set_text(char **to, const char *from, om_error *err)
{
    free(*to);
    *to = om__strdup(from);
    return from == NULL || *to != NULL ? OM_OK
                                       : om__error_set(err, OM_NO_MEMORY, "no memory for a record");
}

/* The details of a provider, "key=value" a line. */
static om_status split_details(const char *details, om_pairs *pairs, om_error *err)
{
    char line[512];
    while (*details != '\0') {
        size_t size = strcspn(details, "\n");
        snprintf(line, sizeof line, "%.*s", (int)(size < 500 ? size : 500), details);
        details += size + (details[size] == '\n');
        char *equals = strchr(line, '=');
        if (equals == NULL || equals == line)
            continue;
        *equals = '\0';
        OM_TRY(om__pairs_set(pairs, line, equals + 1, err));
    }
    return OM_OK;
}

/* An operator's parameters are written in full and canonical form, so that equal problems have
 * equal keys however they were typed. */
static om_status fill_params(const om_case_run *run, om_record *r, om_error *err)
{
    const om_case *c = run->c;
    const om_op *op = c->op != NULL ? om__op_find(c->op, c->pass) : NULL;
    _Alignas(max_align_t) char args[OM_MAX_ARGS_SIZE];
    if (op == NULL || om__args_parse(op, &c->params, args, NULL) != OM_OK) {
        OM_TRY(set_text(&r->benchmark.dtype, c->dtype, err));
        return om__pairs_copy(&r->benchmark.params, &c->params, err);
    }
    OM_TRY(set_text(&r->benchmark.dtype, om_dtype_name(om__op_dtype(op, args)), err));
    return om__args_format(op, args, &r->benchmark.params, err);
}

static om_status fill_benchmark(const om_case_run *run, om_record *r, om_error *err)
{
    const om_case *c = run->c;
    OM_TRY(set_text(&r->benchmark.suite, c->suite, err));
    OM_TRY(set_text(&r->benchmark.table, c->table, err));
    OM_TRY(set_text(&r->benchmark.name, c->name, err));
    OM_TRY(set_text(&r->benchmark.op, c->op, err));
    OM_TRY(set_text(&r->benchmark.pass,
                    c->pass != NULL ? c->pass
                    : c->op != NULL ? "forward"
                                    : NULL,
                    err));
    return fill_params(run, r, err);
}

static om_status fill_subject(const om_case_run *run, const om_entry *e, om_record *r,
                              om_error *err)
{
    const om_contender *c = e->contender;
    OM_TRY(set_text(&r->subject.provider, c->name, err));
    r->subject.role = c->role;
    OM_TRY(set_text(&r->subject.variant, run->session->options.variant, err));
    if (c->version[0] != '\0')
        OM_TRY(set_text(&r->subject.version, c->version, err));
    if (c->role == OM_ROLE_OWN && c->provider == &om_provider_own) {
        char build[256];
        snprintf(build, sizeof build, "%s, %s", om__build_compiler(), om__build_type());
        OM_TRY(set_text(&r->subject.build, build, err));
        OM_TRY(set_text(&r->subject.commit, om__build_commit(), err));
    }
    OM_TRY(split_details(c->details, &r->subject.details, err));
    for (size_t i = 0; i < run->session->plugin_count; i++) {
        const om_plugin *plugin = &run->session->plugins[i];
        bool is_its = (c->provider != NULL && plugin->provider == c->provider) ||
                      (c->benchmark != NULL && plugin->benchmark == c->benchmark);
        if (is_its && plugin->path != NULL)
            OM_TRY(om__pairs_set(&r->subject.details, "plugin", plugin->path, err));
    }
    if (e->explanation[0] != '\0')
        OM_TRY(om__pairs_set(&r->subject.details, "algorithm", e->explanation, err));
    return OM_OK;
}

static om_status fill_place(const om_session *s, om_record *r, om_error *err)
{
    OM_TRY(set_text(&r->place.machine_class, s->device.machine_class, err));
    OM_TRY(set_text(&r->place.instance, s->device.instance, err));
    OM_TRY(set_text(&r->place.device, s->device.name, err));
    OM_TRY(om__pairs_copy(&r->place.settings, &s->settings, err));
    return om__pairs_copy(&r->place.environment, &s->environment, err);
}

static om_status fill_method(const om_case_run *run, const om_entry *e, om_record *r, om_error *err)
{
    const om_session *s = run->session;
    static const char *const ways[] = {"none", "rotate", "flush"};
    OM_TRY(set_text(&r->method.clock, s->clock_api->name, err));
    OM_TRY(set_text(&r->method.cache, run->cache == OM_CACHE_WARM ? "warm" : "cold", err));
    OM_TRY(set_text(&r->method.harness, OM_HARNESS, err));
    if (run->c->op != NULL) {
        char fill[64];
        snprintf(fill, sizeof fill, "counter seed=%llu", (unsigned long long)s->options.seed);
        OM_TRY(set_text(&r->method.fill, fill, err));
        OM_TRY(om__pairs_set(&r->method.more, "eviction", ways[run->cache], err));
    }
    r->method.inner = e->timed.count > 0 ? e->timed.inner : 0;
    r->method.warm_up = e->timed.warm_up;
    r->method.tick_ns = s->clock_info.tick_ns;
    if (strcmp(s->kind, "cpu") == 0) {
        OM_TRY(om__pairs_setf(&r->method.more, "threads", err, "%d", s->options.threads));
        OM_TRY(om__pairs_set(&r->method.more, "cpus", s->cpus_text, err));
        OM_TRY(
            om__pairs_set(&r->method.more, "pinned", s->options.cpus != NULL ? "yes" : "no", err));
    }
    return OM_OK;
}

static om_status fill_evidence(const om_case_run *run, const om_entry *e, om_record *r,
                               om_error *err)
{
    const om_session *s = run->session;
    om_pairs *evidence = &r->evidence;
    OM_TRY(om__pairs_copy(evidence, &run->evidence, err));
    if (e->timed.count == 0)
        return OM_OK;
    OM_TRY(om__pairs_setf(evidence, "rounds", err, "%lld%s", (long long)run->rounds.rounds,
                          run->rounds.precise ? "" : ", time was up"));
    if (run->rounds.dropped > 0)
        OM_TRY(om__pairs_setf(evidence, "rounds_dropped", err, "%lld, still warming up",
                              (long long)run->rounds.dropped));
    if (e->timed.trend != 0)
        OM_TRY(om__pairs_setf(evidence, "trend", err, "%s, %+.1f %% over the samples",
                              e->timed.trend < 0 ? "still warming up" : "getting slower",
                              100 * e->timed.trend));
    double others = om__env_others(&s->cpus, &run->before, &run->after);
    if (others >= 0)
        OM_TRY(om__pairs_setf(evidence, "others_share", err, "%.2f", others));
    double waited = om__env_waited(s->options.threads, &run->before, &run->after);
    if (waited >= 0)
        OM_TRY(om__pairs_setf(evidence, "waited_share", err, "%.2f", waited));
    if (run->after.load >= 0)
        OM_TRY(om__pairs_setf(evidence, "load", err, "%.2f", run->after.load));
    if (e->timed.cpu_ns > 0 && e->timed.time_ns > 0)
        OM_TRY(om__pairs_setf(evidence, "cpu_per_wall", err, "%.2f",
                              e->timed.cpu_ns / e->timed.time_ns));
    if (e->timed.kernels_low >= 0 && e->timed.kernels_low == e->timed.kernels_high)
        OM_TRY(om__pairs_setf(evidence, "kernels", err, "%d", e->timed.kernels_low));
    else if (e->timed.kernels_low >= 0)
        OM_TRY(om__pairs_setf(evidence, "kernels", err, "%d to %d", e->timed.kernels_low,
                              e->timed.kernels_high));
    if (e->timed.kernels != NULL)
        OM_TRY(om__pairs_set(evidence, "kernel_names", e->timed.kernels, err));
    if (e->timed.clock_high_mhz > 0)
        OM_TRY(om__pairs_setf(evidence, "clock_mhz", err, "%.0f to %.0f", e->timed.clock_low_mhz,
                              e->timed.clock_high_mhz));
    if (run->staged && run->cache == OM_CACHE_ROTATE)
        OM_TRY(om__pairs_setf(evidence, "buffer_sets", err, "%zu of %zu KiB", run->stage.set_count,
                              run->stage.set_bytes >> 10));
    if (s->bandwidth > 0 && run->cache != OM_CACHE_WARM)
        OM_TRY(om__pairs_setf(evidence, "memory_gbps", err, "%.1f", s->bandwidth / 1e9));
    if (run->copy_gbps > 0)
        OM_TRY(om__pairs_setf(evidence, "copy_gbps", err, "%.4g", run->copy_gbps));
    if (run->read_gbps > 0)
        OM_TRY(om__pairs_setf(evidence, "read_gbps", err, "%.4g", run->read_gbps));
    return OM_OK;
}

static void fill_check(const om_case_run *run, const om_entry *e, om_record *r)
{
    if (!e->judged)
        return;
    r->check.error = e->check.error;
    r->check.max_abs_error = e->check.max_abs_error;
    r->check.rows_checked = e->check.rows_checked;
    r->check.rows_total = e->check.rows_total;
    if (run->staged && r->check.rows_total == 0) {
        r->check.rows_checked = run->stage.rows_checked;
        r->check.rows_total = run->stage.rows_total;
    }
}

static om_status fill_samples(const om_entry *e, om_record *r, om_error *err)
{
    size_t count = e->timed.count;
    if (count == 0)
        return OM_OK;
    r->samples = calloc(count, sizeof *r->samples);
    if (r->samples == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for a record");
    r->sample_count = count;
    for (size_t i = 0; i < count; i++)
        r->samples[i] = (float)e->timed.samples[i];
    if (e->timed.reasons != NULL) {
        r->sample_reasons = calloc(count, sizeof *r->sample_reasons);
        if (r->sample_reasons == NULL)
            return om__error_set(err, OM_NO_MEMORY, "no memory for a record");
        for (size_t i = 0; i < count; i++)
            if (e->timed.reasons[i] != NULL)
                OM_TRY(set_text(&r->sample_reasons[i], e->timed.reasons[i], err));
    }
    return om__record_summarise(r, err);
}

static om_status fill_common(const om_case_run *run, const om_entry *e, const char *metric,
                             om_record *r, om_error *err)
{
    const om_session *s = run->session;
    OM_TRY(fill_benchmark(run, r, err));
    OM_TRY(fill_subject(run, e, r, err));
    OM_TRY(fill_place(s, r, err));
    OM_TRY(fill_method(run, e, r, err));
    OM_TRY(set_text(&r->metric.name, metric, err));
    OM_TRY(set_text(&r->metric.unit, "ns", err));
    r->metric.better = OM_BETTER_LOWER;
    OM_TRY(set_text(&r->when.started, run->started, err));
    OM_TRY(set_text(&r->when.run, s->options.run, err));
    r->when.launch = s->options.launch;
    r->when.order_seed = run->order_seed;
    r->outcome = e->outcome;
    if (e->outcome != OM_OUTCOME_OK)
        OM_TRY(set_text(&r->reason, e->reason, err));
    return OM_OK;
}

static om_status emit_time(const om_case_run *run, const om_entry *e, om_error *err)
{
    om_record r;
    om_status status = OM_OK;
    om__record_init(&r);
    OM_TRY_OUT(fill_common(run, e, "time", &r, err));
    OM_TRY_OUT(fill_samples(e, &r, err));
    r.work.flops = run->work.flops;
    r.work.bytes = run->work.bytes;
    fill_check(run, e, &r);
    OM_TRY_OUT(set_text(&r.check.mode,
                        !e->judged                         ? "none"
                        : run->staged && !run->stage.whole ? "sample"
                                                           : "whole",
                        err));
    OM_TRY_OUT(fill_evidence(run, e, &r, err));
    if (e->prepared)
        r.workspace_bytes = (int64_t)e->workspace_bytes;
    r.peak_bytes = e->peak_bytes;
    OM_TRY_OUT(run->session->options.record(run->session->options.self, &r, err));
out:
    om__record_release(&r);
    return status;
}

static om_status emit_first_call(const om_case_run *run, const om_entry *e, om_error *err)
{
    om_record r;
    om_status status = OM_OK;
    om__record_init(&r);
    OM_TRY_OUT(fill_common(run, e, "first_call", &r, err));
    r.samples = calloc(1, sizeof *r.samples);
    if (r.samples == NULL) {
        status = om__error_set(err, OM_NO_MEMORY, "no memory for a record");
        goto out;
    }
    r.sample_count = 1;
    r.samples[0] = (float)e->first_ns;
    r.method.inner = 1;
    r.method.warm_up = 0;
    OM_TRY_OUT(set_text(&r.method.clock,
                        strcmp(run->session->kind, "fake") == 0 ? "fake" : "monotonic", err));
    OM_TRY_OUT(om__record_summarise(&r, err));
    OM_TRY_OUT(run->session->options.record(run->session->options.self, &r, err));
out:
    om__record_release(&r);
    return status;
}

om_status om__session_template(const om_session *s, om_record *r, om_error *err)
{
    const om_case nothing = {.op = (char *)(uintptr_t) "any"};
    const om_entry nobody = {0};
    om_case_run run = {.session = (om_session *)(uintptr_t)s,
                       .c = &nothing,
                       .cache = om__session_cache_mode(s, &nothing)};
    OM_TRY(fill_place(s, r, err));
    OM_TRY(fill_method(&run, &nobody, r, err));
    OM_TRY(set_text(&r->subject.variant, s->options.variant, err));
    OM_TRY(set_text(&r->when.run, s->options.run, err));
    r->when.launch = s->options.launch;
    /* A record says what it is of; these stand in until someone fills them. */
    OM_TRY(set_text(&r->benchmark.name, "template", err));
    OM_TRY(set_text(&r->metric.name, "time", err));
    OM_TRY(set_text(&r->metric.unit, "ns", err));
    OM_TRY(set_text(&r->subject.provider, "nobody", err));
    OM_TRY(set_text(&r->when.started, "1970-01-01T00:00:00.000Z", err));
    return OM_OK;
}

om_status om__case_run_emit(om_case_run *run, om_error *err)
{
    for (size_t i = 0; i < run->count; i++) {
        const om_entry *e = &run->entries[i];
        /* A rival nobody asked for that does not serve the row is no news. */
        if (e->outcome == OM_OUTCOME_UNSUPPORTED && !e->contender->named)
            continue;
        OM_TRY(emit_time(run, e, err));
        if (e->first_ns >= 0)
            OM_TRY(emit_first_call(run, e, err));
    }
    return OM_OK;
}
