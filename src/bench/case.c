/* SPDX-License-Identifier: Apache-2.0 */
/* case.c: one case from beginning to end: draw, prepare, check, time, check again, hand out. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "bench/contender.h"
#include "stats/quantile.h"

/* What the host may spend on a reference; about a quarter of a second a core. */
#define OM_REFERENCE_FLOPS 4e8

static double host_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static bool is_alive(const om_entry *e)
{
    return e->outcome == OM_OUTCOME_OK;
}

/* A foreign function failed: what that makes of the row. */
static void blame(om_entry *e, const char *step, om_status status, const om_error *error)
{
    const char *text = error->text[0] != '\0' ? error->text : om_status_name(status);
    if (status == OM_NO_MEMORY)
        om__entry_fail(e, OM_OUTCOME_SKIPPED, "%s: %s", step, text);
    else if (status == OM_UNSUPPORTED && strcmp(step, "prepare") == 0)
        om__entry_fail(e, OM_OUTCOME_UNSUPPORTED, "%s", text);
    else if (status == OM_UNSUPPORTED)
        om__entry_fail(e, OM_OUTCOME_ERROR, "said that it serves this row, then in %s: %s", step,
                       text);
    else
        om__entry_fail(e, OM_OUTCOME_ERROR, "%s: %s", step, text);
}

/* ---- calls ---- */

static om_status call_provider(void *self, om_error *err)
{
    om_entry *e = self;
    om__stage_advance(e->stage);
    return e->contender->provider->run(e->contender->self, e->plan, &e->stage->problem,
                                       e->workspace, err);
}

static om_status call_benchmark(void *self, om_error *err)
{
    om_entry *e = self;
    return e->contender->benchmark->run(e->contender->self, e->plan, err);
}

/* A fault on a device stays with the process: whoever comes next in it fails, too. So nothing more
 * is announced or asked of anybody, and the worker ends with the culprit as its last word. */
static bool loses_device(om_case_run *run, om_status status)
{
    const char *kind = run->session->kind;
    if (status == OM_DEVICE && strcmp(kind, "cpu") != 0 && strcmp(kind, "fake") != 0)
        run->session->lost = true;
    return run->session->lost;
}

static void announce_timed(void *self, size_t index)
{
    om_case_run *run = self;
    size_t at = 0;
    for (size_t i = 0; i < run->count; i++)
        if (is_alive(&run->entries[i]) && at++ == index) {
            om__session_announce(run->session, run->index, run->entries[i].contender->name, "time");
            return;
        }
    om__session_announce(run->session, run->index, NULL, "memory anchor");
}

static om_status flush_cache(void *self, om_error *err)
{
    om_case_run *run = self;
    if (run->session->clock_api->flush != NULL)
        return run->session->clock_api->flush(run->session->clock, err);
    om__stage_flush(&run->stage);
    return OM_OK;
}

/* ---- steps of a provider ---- */

static void query(om_case_run *run, om_entry *e)
{
    om_error error = {0};
    if (!e->contender->open) {
        om__entry_fail(e, OM_OUTCOME_UNSUPPORTED, "%s", e->contender->refusal.text);
        return;
    }
    om__session_announce(run->session, run->index, e->contender->name, "query");
    om_status status =
        e->contender->provider->query(e->contender->self, &run->stage.problem, &error);
    if (status == OM_UNSUPPORTED)
        om__entry_fail(e, OM_OUTCOME_UNSUPPORTED, "%s",
                       error.text[0] != '\0' ? error.text : "no reason given");
    else if (status != OM_OK)
        blame(e, "query", status, &error);
}

static void prepare(om_case_run *run, om_entry *e)
{
    om_error error = {0};
    om__session_announce(run->session, run->index, e->contender->name, "prepare");
    double start = host_ns();
    om_status status = e->contender->provider->prepare(e->contender->self, &run->stage.problem,
                                                       &e->plan, &e->workspace_bytes, &error);
    e->prepare_ns = host_ns() - start;
    e->prepared = status == OM_OK;
    if (!e->prepared) {
        blame(e, "prepare", status, &error);
        (void)loses_device(run, status);
        return;
    }
    om_device_info info = {0};
    if (run->session->context->api->info(run->session->context->device, &info, NULL) == OM_OK &&
        info.memory_free_bytes > 0 && e->workspace_bytes > (size_t)info.memory_free_bytes)
        om__entry_fail(e, OM_OUTCOME_SKIPPED, "needs %.1f GiB of workspace, %.1f GiB are free",
                       (double)e->workspace_bytes / 0x1p30,
                       (double)info.memory_free_bytes / 0x1p30);
}

static om_status take_workspace(om_case_run *run, om_error *err)
{
    size_t most = 0;
    for (size_t i = 0; i < run->count; i++)
        if (is_alive(&run->entries[i]) && run->entries[i].workspace_bytes > most)
            most = run->entries[i].workspace_bytes;
    if (most == 0)
        return OM_OK;
    OM_TRY(om_memory_create(run->session->context, most, &run->workspace, err));
    /* Its pages are touched before anything is timed. */
    OM_TRY(run->session->context->api->set(run->session->context->device, run->workspace, 0xA5,
                                           most, err));
    for (size_t i = 0; i < run->count; i++)
        run->entries[i].workspace = run->workspace;
    return OM_OK;
}

static om_status judge(om_case_run *run, om_entry *e, size_t set, const char *when, om_error *err)
{
    om__session_announce(run->session, run->index, NULL, "judge");
    om_check check;
    OM_TRY(om__stage_judge(&run->stage, set, &check, err));
    if (!e->judged || !check.passed || check.error > e->check.error)
        e->check = check;
    e->judged = true;
    if (!check.passed)
        om__entry_fail(e, OM_OUTCOME_WRONG, "%s: %s", when, check.where);
    return OM_OK;
}

/* The first call: timed for itself, on poisoned outputs, judged. */
static om_status first_call(om_case_run *run, om_entry *e, om_error *err)
{
    om_error error = {0};
    om_context *context = run->session->context;
    om__stage_select(&run->stage, 0);
    OM_TRY(om__stage_poison(&run->stage, 0, err));
    OM_TRY(om_context_synchronize(context, err));
    om__session_announce(run->session, run->index, e->contender->name, "first call");
    int64_t base = strcmp(run->session->kind, "cpu") == 0 ? om__env_peak_reset() : -1;
    double start = host_ns(), virtual_start = run->session->fake_time.now_ns;
    om_status status = e->contender->provider->run(e->contender->self, e->plan, &run->stage.problem,
                                                   e->workspace, &error);
    if (status == OM_OK)
        status = om_context_synchronize(context, &error);
    e->first_ns = strcmp(run->session->kind, "fake") == 0
                      ? run->session->fake_time.now_ns - virtual_start
                      : e->prepare_ns + host_ns() - start;
    e->peak_bytes = om__env_peak_bytes(base);
    if (e->contender->provider->explain != NULL && status == OM_OK)
        e->contender->provider->explain(e->contender->self, e->plan, e->explanation,
                                        sizeof e->explanation);
    if (loses_device(run, status)) {
        if (err != NULL)
            *err = error;
        return om__error_prefix(err, status, "its first call: ");
    }
    if (status != OM_OK) {
        blame(e, "its first call", status, &error);
        return OM_OK;
    }
    return judge(run, e, 0, "first call", err);
}

/* One more sample the way the timed ones were taken, on a poisoned output: what was timed must
 * still compute. */
static om_status last_call(om_case_run *run, om_entry *e, om_error *err)
{
    om_session *s = run->session;
    om_error error = {0};
    om_clock_sample sample;
    om_status status = OM_OK;
    size_t last = (run->stage.current + (size_t)e->timed.inner) % run->stage.set_count;
    OM_TRY(om__stage_poison(&run->stage, last, err));
    OM_TRY(om_context_synchronize(s->context, err));
    om__session_announce(s, run->index, e->contender->name, "last call");
    if (run->cache == OM_CACHE_FLUSH)
        OM_TRY(flush_cache(run, err));
    OM_TRY(s->clock_api->begin(s->clock, e->timed.inner, err));
    for (int64_t i = 0; i < e->timed.inner && status == OM_OK; i++)
        status = call_provider(e, &error);
    OM_TRY(s->clock_api->end(s->clock, err));
    OM_TRY(s->clock_api->collect(s->clock, &sample, 1, err));
    if (status == OM_OK)
        status = om_context_synchronize(s->context, &error);
    if (loses_device(run, status)) {
        if (err != NULL)
            *err = error;
        return om__error_prefix(err, status, "its last call: ");
    }
    if (status != OM_OK) {
        blame(e, "its last call", status, &error);
        return OM_OK;
    }
    if (e->timed.kernels_high > 0 && sample.kernel_count == 0)
        om__entry_fail(e, OM_OUTCOME_WRONG, "after the timed calls: no device work");
    return judge(run, e, last, "after the timed calls", err);
}

/* ---- rounds ---- */

/* What moves fewer bytes is a matter of calls and latencies, not of rates. */
#define OM_ANCHOR_BYTES 256e3

/* The copy and the read take turns with the contenders of a cold row on the host, so that its rates
 * have something to be compared with that met the same machine. */
static om_status add_anchor(om_case_run *run, om_timed *timed, size_t *count, om_error *err)
{
    om_session *s = run->session;
    if (run->cache != OM_CACHE_ROTATE || strcmp(s->kind, "cpu") != 0 ||
        run->work.bytes < OM_ANCHOR_BYTES)
        return OM_OK;
    if (s->anchor == NULL) {
        om__session_announce(s, run->index, NULL, "memory anchor");
        OM_TRY(om__anchor_create(s->options.threads, &s->anchor, err));
    }
    timed[(*count)++] =
        (om_timed){.name = "copy", .call = om__anchor_copy, .self = s->anchor, .aside = true};
    timed[(*count)++] =
        (om_timed){.name = "read", .call = om__anchor_read, .self = s->anchor, .aside = true};
    return OM_OK;
}

static om_status anchor_rate(const om_timed *timed, double *gbps, om_error *err)
{
    double *scratch = malloc((timed->count + 1) * sizeof *scratch);
    if (scratch == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for samples");
    size_t valid = om__stats_sort_valid(timed->samples, timed->count, scratch);
    double median_ns = valid > 0 ? om__stats_median_sorted(scratch, valid) : 0;
    *gbps = median_ns > 0 ? om__anchor_bytes() / median_ns : 0;
    free(scratch);
    return OM_OK;
}

om_status om__case_run_rounds(om_case_run *run, om_error *err)
{
    om_session *s = run->session;
    om_status status = OM_OK;
    size_t alive = 0, count = 0;
    om_timed *timed = calloc(run->count + 2, sizeof *timed);
    om_entry **who = calloc(run->count + 1, sizeof(om_entry *));
    if (timed == NULL || who == NULL) {
        status = om__error_set(err, OM_NO_MEMORY, "no memory for the timed loop");
        goto out;
    }
    for (size_t i = 0; i < run->count; i++) {
        om_entry *e = &run->entries[i];
        if (!is_alive(e))
            continue;
        who[alive] = e;
        timed[alive++] =
            (om_timed){.name = e->contender->name,
                       .call = e->contender->provider != NULL ? call_provider : call_benchmark,
                       .self = e};
    }
    count = alive;
    OM_TRY_OUT(add_anchor(run, timed, &count, err));
    om_rounds_options options = {.budget_ns = s->options.time_s * 1e9,
                                 .min_rounds = s->options.min_rounds,
                                 .max_rounds = s->options.max_rounds,
                                 .order_seed = run->order_seed,
                                 .single = run->cache == OM_CACHE_FLUSH,
                                 .untimed = s->options.untimed,
                                 .self = run,
                                 .before_sample = run->cache == OM_CACHE_FLUSH ? flush_cache : NULL,
                                 .announce = announce_timed};
    if (s->measure.api != NULL && s->measure.api->state != NULL)
        OM_TRY_OUT(s->measure.api->state(s->options.device, &run->evidence, err));
    om__env_usage_take(&s->cpus, &run->before);
    OM_TRY_OUT(om__rounds_run(s->clock_api, s->clock, timed, count, &options, &run->rounds, err));
    om__env_usage_take(&s->cpus, &run->after);
    om__session_announce(s, run->index, NULL, "evaluate");
    if (s->clock_api->evidence != NULL)
        OM_TRY_OUT(s->clock_api->evidence(s->clock, &run->evidence, err));
    if (s->measure.api != NULL && s->measure.api->state != NULL)
        OM_TRY_OUT(s->measure.api->state(s->options.device, &run->evidence, err));
    if (count > alive) {
        OM_TRY_OUT(anchor_rate(&timed[alive], &run->copy_gbps, err));
        OM_TRY_OUT(anchor_rate(&timed[alive + 1], &run->read_gbps, err));
    }
    for (size_t i = 0; i < alive; i++) {
        who[i]->timed = timed[i];
        timed[i] = (om_timed){0};
        if (who[i]->timed.left)
            blame(who[i], "the timed calls", who[i]->timed.error.code, &who[i]->timed.error);
        else
            OM_TRY_OUT(om__case_run_distrust(run, who[i], err));
    }
out:
    for (size_t i = 0; timed != NULL && i < count; i++)
        om__timed_release(&timed[i]);
    free(timed);
    free(who);
    return status;
}

/* ---- a case of an operator ---- */

/* On a device its own plain kernels compute the reference where there is one: whole tensors in
 * little time. They are tested against the host's on small shapes. */
static om_status device_reference(om_case_run *run, bool *done, om_error *err)
{
    om_session *s = run->session;
    const om_provider *p = om__provider_find("device_reference");
    void *self = NULL, *plan = NULL, *workspace = NULL;
    size_t workspace_bytes = 0;
    om_status status = OM_OK;
    *done = false;
    if (p == NULL || strcmp(s->kind, "cpu") == 0 || strcmp(s->kind, "fake") == 0)
        return OM_OK;
    OM_TRY(p->open(&s->host, &self, err));
    if (p->query(self, &run->stage.problem, NULL) != OM_OK)
        goto out;
    OM_TRY_OUT(p->prepare(self, &run->stage.problem, &plan, &workspace_bytes, err));
    if (workspace_bytes > 0)
        OM_TRY_OUT(om_memory_create(s->context, workspace_bytes, &workspace, err));
    om__stage_select(&run->stage, 0);
    OM_TRY_OUT(om__stage_poison(&run->stage, 0, err));
    OM_TRY_OUT(p->run(self, plan, &run->stage.problem, workspace, err));
    OM_TRY_OUT(om_context_synchronize(s->context, err));
    OM_TRY_OUT(om__stage_reference_from_device(&run->stage, err));
    *done = true;
out:
    om_memory_destroy(s->context, workspace);
    if (plan != NULL)
        p->release(self, plan);
    p->close(self);
    return status;
}

static om_status reference(om_case_run *run, om_error *err)
{
    bool done;
    om__session_announce(run->session, run->index, NULL, "reference");
    OM_TRY(device_reference(run, &done, err));
    if (done)
        return OM_OK;
    return om__stage_reference(&run->stage, OM_REFERENCE_FLOPS * run->session->context->threads,
                               err);
}

static void fail_all(om_case_run *run, om_outcome outcome, const char *reason)
{
    for (size_t i = 0; i < run->count; i++)
        if (is_alive(&run->entries[i]))
            om__entry_fail(&run->entries[i], outcome, "%s", reason);
}

static size_t alive_count(const om_case_run *run)
{
    size_t alive = 0;
    for (size_t i = 0; i < run->count; i++)
        alive += is_alive(&run->entries[i]);
    return alive;
}

/* Questions are asked on a description of the problem, before anything is allocated. */
static void ask(om_case_run *run, const om_op *op, const void *args)
{
    om_stage *stage = &run->stage;
    om_error error = {0};
    memset(stage, 0, sizeof *stage);
    stage->op = op;
    memcpy(stage->args, args, op->args_size);
    if (op->describe(stage->args, stage->tensors, &error) != OM_OK) {
        fail_all(run, OM_OUTCOME_ERROR, error.text);
        return;
    }
    om__stage_name_ports(stage);
    for (size_t i = 0; i < run->count; i++)
        if (is_alive(&run->entries[i]))
            query(run, &run->entries[i]);
    memset(stage, 0, sizeof *stage);
}

static om_status check_and_time(om_case_run *run, om_error *err)
{
    OM_TRY(reference(run, err));
    for (size_t i = 0; i < run->count; i++)
        if (is_alive(&run->entries[i]) && !run->session->lost)
            prepare(run, &run->entries[i]);
    if (run->session->lost)
        return om__error_set(err, OM_DEVICE, "the device was lost while preparing");
    OM_TRY(take_workspace(run, err));
    for (size_t i = 0; i < run->count; i++)
        if (is_alive(&run->entries[i]))
            OM_TRY(first_call(run, &run->entries[i], err));
    if (alive_count(run) == 0)
        return OM_OK;
    OM_TRY(om__case_run_rounds(run, err));
    for (size_t i = 0; i < run->count; i++)
        if (is_alive(&run->entries[i]) || run->entries[i].outcome == OM_OUTCOME_MISTRUSTED)
            OM_TRY(last_call(run, &run->entries[i], err));
    return OM_OK;
}

static om_status run_op(om_case_run *run, om_error *err)
{
    om_session *s = run->session;
    const om_case *c = run->c;
    _Alignas(max_align_t) char args[OM_MAX_ARGS_SIZE];
    om_error error = {0};
    const om_op *op = om__op_find(c->op, c->pass);
    if (op == NULL) {
        snprintf(error.text, sizeof error.text, "opmark has no operator %s %s", c->op,
                 c->pass != NULL ? c->pass : "forward");
        fail_all(run, OM_OUTCOME_UNSUPPORTED, error.text);
        return OM_OK;
    }
    if (om__args_parse(op, &c->params, args, &error) != OM_OK) {
        fail_all(run, OM_OUTCOME_ERROR, error.text);
        return OM_OK;
    }
    ask(run, op, args);
    if (alive_count(run) == 0)
        return OM_OK;
    om__session_announce(s, run->index, NULL, "fill");
    om_status status =
        om__stage_init(&run->stage, s->context, op, args, run->cache, s->options.seed, &error);
    run->staged = status == OM_OK;
    if (status == OM_OK) {
        run->work = run->stage.work;
        for (size_t i = 0; i < run->count; i++)
            run->entries[i].stage = &run->stage;
        status = check_and_time(run, &error);
    }
    if (status == OM_OK)
        return OM_OK;
    if (loses_device(run, status)) {
        if (err != NULL)
            *err = error;
        return status;
    }
    /* What is left fails by our own hand; a device that is lost fails the launch. */
    fail_all(run, status == OM_NO_MEMORY ? OM_OUTCOME_SKIPPED : OM_OUTCOME_ERROR,
             error.text[0] != '\0' ? error.text : om_status_name(status));
    if (status != OM_DEVICE)
        return OM_OK;
    if (err != NULL)
        *err = error;
    return status;
}

/* ---- a case of a plug-in's benchmark ---- */

static om_status check_benchmark(om_case_run *run, om_entry *e, const char *when)
{
    const om_benchmark *b = e->contender->benchmark;
    om_error error = {0};
    if (b->check == NULL)
        return OM_OK;
    om__session_announce(run->session, run->index, e->contender->name, "check");
    om_status status = b->check(e->contender->self, e->plan, &error);
    e->judged = true;
    e->check.error = status == OM_OK ? 0 : NAN;
    if (status != OM_OK)
        om__entry_fail(e, OM_OUTCOME_WRONG, "%s: %s", when,
                       error.text[0] != '\0' ? error.text : "the check failed");
    return status;
}

om_status om__case_run_benchmark(om_case_run *run, om_error *err)
{
    om_entry *e = &run->entries[0];
    om_contender *c = e->contender;
    om_error error = {0};
    size_t index = 0;
    while (index < c->case_count && strcmp(c->cases[index].name, run->c->name) != 0)
        index++;
    if (index == c->case_count) {
        om__entry_fail(e, OM_OUTCOME_ERROR, "the plug-in has no case of this name any more");
        return OM_OK;
    }
    run->work = (om_work){.flops = c->cases[index].flops, .bytes = c->cases[index].bytes};
    om__session_announce(run->session, run->index, c->name, "prepare");
    double start = host_ns();
    om_status status = c->benchmark->prepare(c->self, index, &e->plan, &error);
    e->prepared = status == OM_OK;
    if (status != OM_OK) {
        blame(e, "prepare", status, &error);
        return OM_OK;
    }
    om__session_announce(run->session, run->index, c->name, "first call");
    status = c->benchmark->run(c->self, e->plan, &error);
    if (status == OM_OK)
        status = om_context_synchronize(run->session->context, &error);
    if (loses_device(run, status)) {
        if (err != NULL)
            *err = error;
        return status;
    }
    if (status != OM_OK) {
        blame(e, "its first call", status, &error);
        return OM_OK;
    }
    e->first_ns = host_ns() - start;
    if (check_benchmark(run, e, "first call") != OM_OK)
        return OM_OK;
    OM_TRY(om__case_run_rounds(run, err));
    if (is_alive(e))
        check_benchmark(run, e, "after the timed calls");
    return OM_OK;
}

/* ---- entries ---- */

static bool is_excluded(const char *name, const char *const *excluded, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(name, excluded[i]) == 0)
            return true;
    return false;
}

static void release_entries(om_case_run *run)
{
    for (size_t i = 0; i < run->count; i++) {
        om_entry *e = &run->entries[i];
        if (e->prepared && !run->session->lost) {
            om__session_announce(run->session, run->index, e->contender->name, "release");
            if (e->contender->provider != NULL && e->contender->provider->release != NULL)
                e->contender->provider->release(e->contender->self, e->plan);
            if (e->contender->benchmark != NULL && e->contender->benchmark->release != NULL)
                e->contender->benchmark->release(e->contender->self, e->plan);
        }
        om__timed_release(&e->timed);
    }
    free(run->entries);
    om__session_announce(run->session, run->index, NULL, "between");
}

/* Those who take part: all providers for an operator, the one that brought it for a benchmark. */
static void choose_entries(om_case_run *run, const char *const *excluded, size_t excluded_count)
{
    om_session *s = run->session;
    for (size_t i = 0; i < s->contender_count; i++) {
        om_contender *c = &s->contenders[i];
        bool fits = run->c->op != NULL ? c->provider != NULL
                                       : c->benchmark != NULL && run->c->suite != NULL &&
                                             strcmp(c->benchmark->suite, run->c->suite) == 0;
        if (!fits || is_excluded(c->name, excluded, excluded_count) || (!c->open && !c->named))
            continue;
        om_entry *e = &run->entries[run->count++];
        *e = (om_entry){.contender = c, .peak_bytes = -1, .prepare_ns = -1, .first_ns = -1};
        if (!c->open)
            om__entry_fail(e, OM_OUTCOME_UNSUPPORTED, "%s", c->refusal.text);
    }
}

om_cache_mode om__session_cache_mode(const om_session *s, const om_case *c)
{
    bool warm = c->cache != NULL ? strcmp(c->cache, "warm") == 0 : s->options.warm;
    if (warm || c->op == NULL)
        return OM_CACHE_WARM;
    if (s->clock_api->flush != NULL || s->options.flush)
        return OM_CACHE_FLUSH;
    return OM_CACHE_ROTATE;
}

om_status om__session_case(om_session *s, long index, const om_case *c, const char *const *excluded,
                           size_t excluded_count, om_error *err)
{
    om_status status = OM_OK, emitted;
    om_case_run run = {.session = s, .c = c, .index = index};
    run.cache = om__session_cache_mode(s, c);
    run.order_seed = om__fill_bits(s->options.seed, (uint32_t)s->options.launch, (uint64_t)index);
    run.entries = calloc(s->contender_count + 1, sizeof *run.entries);
    if (run.entries == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for a case");
    om__env_now(run.started);
    choose_entries(&run, excluded, excluded_count);
    if (run.count == 0)
        goto out;
    if (c->op != NULL)
        status = run_op(&run, err);
    else if (is_alive(&run.entries[0]))
        status = om__case_run_benchmark(&run, err);
    if (s->lost) /* the row is measured again without the culprit */
        goto out;
    emitted = om__case_run_emit(&run, status == OM_OK ? err : NULL);
    if (status == OM_OK)
        status = emitted;
out:
    release_entries(&run);
    om_memory_destroy(s->context, run.workspace);
    if (run.staged)
        om__stage_release(&run.stage);
    om__pairs_release(&run.evidence);
    return status;
}
