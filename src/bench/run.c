/* SPDX-License-Identifier: Apache-2.0 */
/* run.c: a run: see run.h.
 *
 * Launches and variants are workers that live side by side and take turns on each case, in an order
 * drawn for it, so that a case is finished early and no launch owns one stretch of the day. A
 * worker that dies is replaced; whoever killed it has its outcome, and the case goes on without.
 */
#include "bench/run.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/text.h"
#include "bench/rounds.h"

enum {
    MOST_DEATHS_OF_OURS = 2, /* in one case and launch, in steps of our own */
    MOST_HANGS = 3,          /* of one provider, before it is left out of the rest */
};

/* Someone who does not take part (any more), in one case or in all. */
typedef struct outcast {
    char *name;
    om_outcome outcome;
    char *reason;
    om_role role;
    size_t launch; /* where it happened */
} outcast;

typedef struct outcasts {
    outcast *items;
    size_t count;
} outcasts;

typedef struct unit {
    om_launch *launch;
    int number;
    const om_variant *variant;
} unit;

typedef struct run {
    const om_run_options *options;
    const om_case *cases;
    size_t count;
    unit *units;
    size_t unit_count;
    size_t *order;
    om_run_result *result;
    outcasts banned;               /* in all cases */
    om_contender_info *contenders; /* as the first worker found them */
    size_t contender_count;
    struct {
        char *name;
        int hangs;
    } * hangs;
    size_t hang_count;
    om_record template;
    bool has_template;
    unsigned char *covered; /* case × contender: has a record */
} run;

static bool is_interrupted(const run *r)
{
    return r->options->launch.interrupts != NULL && *r->options->launch.interrupts > 0;
}

/* ---- outcasts ---- */

static om_status cast_out(outcasts *list, const char *name, om_role role, om_outcome outcome,
                          size_t launch, const char *reason, om_error *err)
{
    outcast *more = realloc(list->items, (list->count + 1) * sizeof *more);
    if (more == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for an outcome");
    list->items = more;
    more[list->count++] = (outcast){.name = om__strdup(name),
                                    .outcome = outcome,
                                    .reason = om__strdup(reason),
                                    .role = role,
                                    .launch = launch};
    return more[list->count - 1].name != NULL && more[list->count - 1].reason != NULL
               ? OM_OK
               : om__error_set(err, OM_NO_MEMORY, "no memory for an outcome");
}

static const outcast *find_outcast(const outcasts *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].name != NULL && strcmp(list->items[i].name, name) == 0)
            return &list->items[i];
    return NULL;
}

static void release_outcasts(outcasts *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free(list->items[i].name);
        free(list->items[i].reason);
    }
    free(list->items);
    *list = (outcasts){0};
}

static om_role role_of(const run *r, const char *name)
{
    for (size_t i = 0; i < r->contender_count; i++)
        if (strcmp(r->contenders[i].name, name) == 0)
            return r->contenders[i].role;
    const om_provider *p = om__provider_find(name);
    return p != NULL ? p->role : OM_ROLE_COMPETITOR;
}

/* ---- records made here ---- */

static om_status set_text(char **to, const char *from, om_error *err)
{
    *to = om__strdup(from);
    return from == NULL || *to != NULL ? OM_OK
                                       : om__error_set(err, OM_NO_MEMORY, "no memory for a record");
}

static om_status copy_benchmark(const om_case *c, om_record *to, om_error *err)
{
    _Alignas(max_align_t) char args[OM_MAX_ARGS_SIZE];
    const om_op *op = c->op != NULL ? om__op_find(c->op, c->pass) : NULL;
    OM_TRY(set_text(&to->benchmark.suite, c->suite, err));
    OM_TRY(set_text(&to->benchmark.table, c->table, err));
    OM_TRY(set_text(&to->benchmark.name, c->name, err));
    OM_TRY(set_text(&to->benchmark.op, c->op, err));
    OM_TRY(set_text(&to->benchmark.pass,
                    c->pass != NULL ? c->pass
                    : c->op != NULL ? "forward"
                                    : NULL,
                    err));
    if (op != NULL && om__args_parse(op, &c->params, args, NULL) == OM_OK) {
        OM_TRY(set_text(&to->benchmark.dtype, om_dtype_name(om__op_dtype(op, args)), err));
        return om__args_format(op, args, &to->benchmark.params, err);
    }
    OM_TRY(set_text(&to->benchmark.dtype, c->dtype, err));
    return om__pairs_copy(&to->benchmark.params, &c->params, err);
}

static om_status copy_template(const run *r, const om_case *c, om_record *to, om_error *err)
{
    const om_record *from = &r->template;
    if (!r->has_template)
        return OM_OK;
    OM_TRY(set_text(&to->place.machine_class, from->place.machine_class, err));
    OM_TRY(set_text(&to->place.instance, from->place.instance, err));
    OM_TRY(set_text(&to->place.device, from->place.device, err));
    OM_TRY(om__pairs_copy(&to->place.settings, &from->place.settings, err));
    OM_TRY(om__pairs_copy(&to->place.environment, &from->place.environment, err));
    OM_TRY(set_text(&to->method.clock, from->method.clock, err));
    OM_TRY(set_text(&to->method.cache, c->cache != NULL ? c->cache : from->method.cache, err));
    OM_TRY(set_text(&to->method.fill, from->method.fill, err));
    OM_TRY(set_text(&to->method.harness, from->method.harness, err));
    to->method.tick_ns = from->method.tick_ns;
    return om__pairs_copy(&to->method.more, &from->method.more, err);
}

static om_status count_and_hand_out(run *r, size_t index, const om_record *record, om_error *err)
{
    for (size_t i = 0; i < r->contender_count; i++)
        if (strcmp(r->contenders[i].name, record->subject.provider) == 0)
            r->covered[index * r->contender_count + i] = 1;
    r->result->records++;
    if (record->metric.name != NULL && strcmp(record->metric.name, "time") == 0) {
        size_t *counts = record->subject.role == OM_ROLE_OWN ? r->result->own : r->result->others;
        counts[record->outcome]++;
    }
    return r->options->record(r->options->self, record, err);
}

/* A record without samples: what became of a case and contender that no worker could tell. */
static om_status hand_out_outcome(run *r, size_t index, const unit *u, const char *provider,
                                  om_role role, om_outcome outcome, const char *reason,
                                  om_error *err)
{
    om_record record;
    om_status status = OM_OK;
    char started[32];
    om__record_init(&record);
    om__env_now(started);
    OM_TRY_OUT(copy_template(r, &r->cases[index], &record, err));
    OM_TRY_OUT(copy_benchmark(&r->cases[index], &record, err));
    OM_TRY_OUT(set_text(&record.metric.name, "time", err));
    OM_TRY_OUT(set_text(&record.metric.unit, "ns", err));
    record.metric.better = OM_BETTER_LOWER;
    OM_TRY_OUT(set_text(&record.subject.provider, provider, err));
    record.subject.role = role;
    OM_TRY_OUT(set_text(&record.subject.variant, u->variant->name, err));
    OM_TRY_OUT(set_text(&record.when.started, started, err));
    OM_TRY_OUT(set_text(&record.when.run, r->result->run, err));
    record.when.launch = u->number;
    OM_TRY_OUT(set_text(&record.check.mode, "none", err));
    record.outcome = outcome;
    OM_TRY_OUT(set_text(&record.reason, reason, err));
    OM_TRY_OUT(count_and_hand_out(r, index, &record, err));
out:
    om__record_release(&record);
    return status;
}

/* Providers answer for operators, a benchmark for its own cases. */
static bool is_for(const om_contender_info *contender, const om_case *c)
{
    if (c->op != NULL)
        return contender->suite[0] == '\0';
    return c->suite != NULL && strcmp(contender->suite, c->suite) == 0;
}

/* For a case that no worker is asked about: one record for each contender that was planned: ours,
 * and those named. Rivals that merely were found may not even serve it. */
static om_status hand_out_all(run *r, size_t index, om_outcome outcome, const char *reason,
                              om_error *err)
{
    for (size_t i = 0; i < r->contender_count; i++) {
        const om_contender_info *c = &r->contenders[i];
        if (r->covered[index * r->contender_count + i] || !c->named || !is_for(c, &r->cases[index]))
            continue;
        OM_TRY(hand_out_outcome(r, index, &r->units[0], c->name, c->role, outcome, reason, err));
    }
    return OM_OK;
}

/* ---- workers ---- */

static om_status learn(run *r, const om_launch *launch, om_error *err)
{
    size_t count;
    const om_contender_info *found = om__launch_contenders(launch, &count);
    const om_record *t = om__launch_template(launch);
    if (r->has_template)
        return OM_OK;
    r->contenders = calloc(count + r->banned.count + 1, sizeof *r->contenders);
    r->covered = calloc((count + r->banned.count) * r->count + 1, 1);
    if (r->contenders == NULL || r->covered == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for contenders");
    for (size_t i = 0; i < count; i++) {
        r->contenders[i] = found[i];
        r->contenders[i].name = om__strdup(found[i].name);
        r->contenders[i].suite = om__strdup(found[i].suite);
        r->contenders[i].reason = om__strdup(found[i].reason);
        if (r->contenders[i].name == NULL || r->contenders[i].suite == NULL)
            return om__error_set(err, OM_NO_MEMORY, "no memory for contenders");
        r->contender_count++;
    }
    for (size_t i = 0; i < r->banned.count; i++) {
        om_contender_info *c = &r->contenders[r->contender_count];
        *c = (om_contender_info){.name = om__strdup(r->banned.items[i].name),
                                 .role = r->banned.items[i].role,
                                 .suite = om__strdup(""),
                                 .named = true};
        if (c->name == NULL || c->suite == NULL)
            return om__error_set(err, OM_NO_MEMORY, "no memory for contenders");
        r->contender_count++;
    }
    char *line = NULL;
    OM_TRY(om__record_format(t, &line, err));
    om_status status = om__record_parse(line, strlen(line), "template", 1, &r->template, err);
    free(line);
    r->has_template = status == OM_OK;
    return status;
}

static om_status start_unit(run *r, unit *u, om_error *err)
{
    for (size_t tries = 0;; tries++) {
        om_launch_options options = r->options->launch;
        const char *without[64];
        om_launch_end end;
        om_launch_death death;
        options.session.launch = u->number;
        options.session.run = r->result->run;
        options.session.variant = u->variant->name;
        options.environment = u->variant->environment;
        options.session.without = without;
        for (size_t i = 0; i < r->banned.count && i < 64; i++)
            without[options.session.without_count++] = r->banned.items[i].name;
        OM_TRY(om__launch_open(&options, &u->launch, &end, &death, err));
        if (end == OM_LAUNCH_DONE)
            return learn(r, u->launch, err);
        if (end == OM_LAUNCH_FAILED)
            return om__error_set(err, death.status != OM_OK ? death.status : OM_INTERNAL, "%s",
                                 death.reason);
        if (end == OM_LAUNCH_INTERRUPTED)
            return om__error_set(err, OM_TIMEOUT, "interrupted");
        bool is_plugin = strcmp(death.step, "load") == 0;
        if (death.provider[0] == '\0' || is_plugin || tries > 60)
            return om__error_set(err, OM_PROVIDER, "%s%s%s",
                                 is_plugin ? death.provider : "a worker",
                                 is_plugin ? ": " : " did not start: ", death.reason);
        OM_TRY(cast_out(&r->banned, death.provider, role_of(r, death.provider), death.outcome, 0,
                        death.reason, err));
    }
}

/* ---- one case in one unit ---- */

static om_status note_hang(run *r, const char *name, om_error *err)
{
    size_t i = 0;
    while (i < r->hang_count && strcmp(r->hangs[i].name, name) != 0)
        i++;
    if (i == r->hang_count) {
        void *more = realloc(r->hangs, (i + 1) * sizeof *r->hangs);
        if (more == NULL)
            return om__error_set(err, OM_NO_MEMORY, "no memory for an outcome");
        r->hangs = more;
        r->hangs[i].name = om__strdup(name);
        r->hangs[i].hangs = 0;
        if (r->hangs[i].name == NULL)
            return om__error_set(err, OM_NO_MEMORY, "no memory for an outcome");
        r->hang_count++;
    }
    if (++r->hangs[i].hangs < MOST_HANGS || find_outcast(&r->banned, name) != NULL)
        return OM_OK;
    return cast_out(&r->banned, name, role_of(r, name), OM_OUTCOME_NOT_RUN, 0,
                    "not tried: it hung on three rows before", err);
}

/* The records of those that do not take part in this case. */
static om_status hand_out_outcasts(run *r, size_t index, const unit *u, const outcasts *gone,
                                   om_error *err)
{
    for (size_t i = 0; i < r->banned.count; i++) {
        const outcast *o = &r->banned.items[i];
        if (find_outcast(gone, o->name) == NULL)
            OM_TRY(hand_out_outcome(r, index, u, o->name, o->role, o->outcome, o->reason, err));
    }
    for (size_t i = 0; i < gone->count; i++) {
        const outcast *o = &gone->items[i];
        char reason[512];
        if (o->launch == (size_t)u->number)
            snprintf(reason, sizeof reason, "%s", o->reason);
        else
            snprintf(reason, sizeof reason, "not tried again: in launch %zu %s", o->launch,
                     o->reason);
        OM_TRY(hand_out_outcome(r, index, u, o->name, o->role, o->outcome, reason, err));
    }
    return OM_OK;
}

/* Asks the worker, without those who are out, until it answers; records are appended to the set.
 * *answered is false when the case must be given up in this launch. */
static om_status ask(run *r, size_t index, unit *u, outcasts *gone, om_record_set *records,
                     char *why, size_t why_size, bool *answered, om_error *err)
{
    int deaths = 0;
    *answered = false;
    for (;;) {
        om_launch_end end;
        om_launch_death death;
        const char *excluded[64];
        size_t excluded_count = 0;
        if (u->launch == NULL)
            OM_TRY(start_unit(r, u, err));
        for (size_t i = 0; i < gone->count && excluded_count < 64; i++)
            excluded[excluded_count++] = gone->items[i].name;
        for (size_t i = 0; i < r->banned.count && excluded_count < 64; i++)
            excluded[excluded_count++] = r->banned.items[i].name;
        OM_TRY(om__launch_case(&u->launch, (long)index, &r->cases[index], excluded, excluded_count,
                               records, &end, &death, err));
        if (end == OM_LAUNCH_DONE) {
            *answered = true;
            return OM_OK;
        }
        snprintf(why, why_size, "%s", death.reason);
        if (end == OM_LAUNCH_INTERRUPTED)
            return OM_OK;
        /* Dead, or gone with its device: either way it was this provider's step. */
        if (death.provider[0] != '\0' && find_outcast(gone, death.provider) == NULL) {
            OM_TRY(cast_out(gone, death.provider, role_of(r, death.provider), death.outcome,
                            (size_t)u->number, death.reason, err));
            if (death.outcome == OM_OUTCOME_TIMEOUT)
                OM_TRY(note_hang(r, death.provider, err));
        } else if (++deaths >= MOST_DEATHS_OF_OURS) {
            return OM_OK;
        }
    }
}

static om_status run_unit(run *r, size_t index, unit *u, outcasts *gone, bool *all_refused,
                          om_error *err)
{
    om_record_set records = {0};
    om_status status = OM_OK;
    char why[512] = "";
    bool answered = false;
    *all_refused = false;
    OM_TRY_OUT(ask(r, index, u, gone, &records, why, sizeof why, &answered, err));
    if (!answered && is_interrupted(r))
        goto out; /* what is not done is not_run, at the end */
    for (size_t i = 0; i < records.count; i++)
        OM_TRY_OUT(count_and_hand_out(r, index, &records.items[i], err));
    OM_TRY_OUT(hand_out_outcasts(r, index, u, gone, err));
    if (!answered) {
        for (size_t i = 0; i < r->contender_count; i++) {
            const om_contender_info *c = &r->contenders[i];
            if (c->open && is_for(c, &r->cases[index]) && find_outcast(gone, c->name) == NULL &&
                find_outcast(&r->banned, c->name) == NULL)
                OM_TRY_OUT(
                    hand_out_outcome(r, index, u, c->name, c->role, OM_OUTCOME_ERROR, why, err));
        }
    }
    *all_refused = answered && gone->count == 0;
    for (size_t i = 0; i < records.count; i++)
        if (records.items[i].outcome != OM_OUTCOME_UNSUPPORTED &&
            records.items[i].outcome != OM_OUTCOME_SKIPPED)
            *all_refused = false;
out:
    om__record_set_release(&records);
    return status;
}

static om_status run_case(run *r, size_t index, om_error *err)
{
    om_status status = OM_OK;
    outcasts gone = {0};
    const om_case *c = &r->cases[index];
    if (r->options->skips != NULL && r->options->skips[index] != NULL)
        return hand_out_all(r, index, OM_OUTCOME_SKIPPED, r->options->skips[index], err);
    if (c->op != NULL && om__op_find(c->op, c->pass) == NULL) {
        char reason[200];
        snprintf(reason, sizeof reason, "opmark has no operator %s %s", c->op,
                 c->pass != NULL ? c->pass : "forward");
        return hand_out_all(r, index, OM_OUTCOME_UNSUPPORTED, reason, err);
    }
    om__order_draw(r->options->launch.session.seed, (int64_t)index, r->unit_count, r->order);
    for (size_t i = 0; i < r->unit_count && !is_interrupted(r); i++) {
        bool all_refused;
        if (r->options->begin != NULL)
            r->options->begin(r->options->self, index, i, r->unit_count);
        OM_TRY_OUT(run_unit(r, index, &r->units[r->order[i]], &gone, &all_refused, err));
        if (all_refused) /* it would be in every launch */
            break;
    }
out:
    release_outcasts(&gone);
    return status;
}

/* ---- the whole ---- */

void om__run_name(char text[64])
{
    struct timespec now;
    struct tm parts;
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &parts);
    size_t used = strftime(text, 64, "%Y%m%dT%H%M%S", &parts);
    snprintf(text + used, 64 - used, ".%03ldZ-%ld", now.tv_nsec / 1000000, (long)getpid());
}

static om_status make_units(run *r, om_error *err)
{
    static const om_variant plain = {0};
    size_t variants = r->options->variant_count > 0 ? r->options->variant_count : 1;
    size_t launches = r->options->launches > 0 ? (size_t)r->options->launches : 3;
    r->unit_count = variants * launches;
    r->units = calloc(r->unit_count, sizeof *r->units);
    r->order = calloc(r->unit_count, sizeof *r->order);
    if (r->units == NULL || r->order == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for launches");
    for (size_t i = 0; i < r->unit_count; i++)
        r->units[i] =
            (unit){.number = (int)(i / variants),
                   .variant = r->options->variant_count > 0 ? &r->options->variants[i % variants]
                                                            : &plain};
    return OM_OK;
}

static void release_run(run *r)
{
    for (size_t i = 0; r->units != NULL && i < r->unit_count; i++)
        om__launch_close(r->units[i].launch);
    for (size_t i = 0; i < r->contender_count; i++) {
        free(r->contenders[i].name);
        free(r->contenders[i].suite);
        free(r->contenders[i].reason);
    }
    for (size_t i = 0; i < r->hang_count; i++)
        free(r->hangs[i].name);
    free(r->hangs);
    free(r->contenders);
    free(r->covered);
    free(r->units);
    free(r->order);
    release_outcasts(&r->banned);
    om__record_release(&r->template);
}

om_status om__run(const om_run_options *options, const om_case *cases, size_t count,
                  om_run_result *result, om_error *err)
{
    om_status status = OM_OK;
    run r = {.options = options, .cases = cases, .count = count, .result = result};
    om_error error = {0};
    *result = (om_run_result){0};
    om__record_init(&r.template);
    om__run_name(result->run);
    OM_TRY_OUT(make_units(&r, err));
    if (count == 0)
        goto out;
    /* One worker first: it tells who takes part. */
    OM_TRY_OUT(start_unit(&r, &r.units[0], err));
    for (size_t i = 0; i < count && status == OM_OK && !is_interrupted(&r); i++) {
        if (options->finished != NULL && options->finished[i])
            continue;
        status = run_case(&r, i, &error);
        if (status == OM_OK && options->done != NULL)
            options->done(options->self, i);
    }
    result->interrupted = is_interrupted(&r);
    if (status == OM_OK && !result->interrupted)
        goto out;
    if (status != OM_OK && err != NULL)
        *err = error;
    char reason[600];
    snprintf(reason, sizeof reason, "%s",
             result->interrupted ? "the run was interrupted" : error.text);
    for (size_t i = 0; i < count; i++)
        if ((options->finished == NULL || !options->finished[i]) &&
            hand_out_all(&r, i, OM_OUTCOME_NOT_RUN, reason, NULL) != OM_OK)
            break;
out:
    release_run(&r);
    return status;
}

om_status om__run_benchmarks(const om_run_options *options, om_case **cases, size_t *count,
                             om_error *err)
{
    om_status status = OM_OK;
    om_run_result result = {0};
    om_launch_end end;
    om_launch_death death;
    om_case nothing = {0};
    run r = {.options = options, .cases = &nothing, .count = 1, .result = &result};
    om__record_init(&r.template);
    *cases = NULL;
    *count = 0;
    OM_TRY_OUT(make_units(&r, err));
    OM_TRY_OUT(start_unit(&r, &r.units[0], err));
    OM_TRY_OUT(om__launch_benchmarks(&r.units[0].launch, cases, count, &end, &death, err));
    if (end != OM_LAUNCH_DONE)
        status = om__error_set(err, OM_PROVIDER, "%s %s", death.provider, death.reason);
out:
    release_run(&r);
    return status;
}
