/* SPDX-License-Identifier: Apache-2.0 */
/* session.c: opens a launch: device, clock, contenders; see session.h. */
#include "bench/session.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include "base/error.h"
#include "base/text.h"
#include "base/wl.h"
#include "bench/contender.h"
#include "core/cpu.h"

/* ---- cases ---- */

static om_status copy_text(char **to, const char *from, om_error *err)
{
    if (from == NULL)
        return OM_OK;
    *to = om__strdup(from);
    return *to != NULL ? OM_OK : om__error_set(err, OM_NO_MEMORY, "no memory for a case");
}

om_status om__case_copy(om_case *to, const om_case *from, om_error *err)
{
    om_status status = OM_OK;
    *to = (om_case){0};
    OM_TRY_OUT(copy_text(&to->suite, from->suite, err));
    OM_TRY_OUT(copy_text(&to->table, from->table, err));
    OM_TRY_OUT(copy_text(&to->name, from->name, err));
    OM_TRY_OUT(copy_text(&to->op, from->op, err));
    OM_TRY_OUT(copy_text(&to->pass, from->pass, err));
    OM_TRY_OUT(copy_text(&to->dtype, from->dtype, err));
    OM_TRY_OUT(copy_text(&to->cache, from->cache, err));
    OM_TRY_OUT(om__pairs_copy(&to->params, &from->params, err));
out:
    if (status != OM_OK)
        om__case_release(to);
    return status;
}

void om__case_release(om_case *c)
{
    free(c->suite);
    free(c->table);
    free(c->name);
    free(c->op);
    free(c->pass);
    free(c->dtype);
    free(c->cache);
    om__pairs_release(&c->params);
    *c = (om_case){0};
}

/* ---- helpers of a session ---- */

void om__session_announce(const om_session *session, long index, const char *provider,
                          const char *step)
{
    /* What was announced last stays: whose step it was that lost the device. */
    if (session->options.announce != NULL && !session->lost)
        session->options.announce(session->options.self, index, provider, step);
}

void om__entry_fail(om_entry *entry, om_outcome outcome, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    entry->outcome = outcome;
    vsnprintf(entry->reason, sizeof entry->reason, format, args);
    va_end(args);
}

/* ---- contenders ---- */

static void open_contender(om_session *s, om_contender *c)
{
    om_status status;
    om__session_announce(s, -1, c->name, "open");
    const char *kind = c->provider != NULL ? c->provider->device_kind : c->benchmark->device_kind;
    if (c->benchmark != NULL && kind == NULL)
        kind = "cpu";
    if (kind != NULL && strcmp(kind, s->kind) != 0) {
        om__error_set(&c->refusal, OM_UNSUPPORTED, "%s serves %s devices, not %s", c->name, kind,
                      s->options.device);
        return;
    }
    if (c->provider != NULL)
        status = c->provider->open(&s->host, &c->self, &c->refusal);
    else
        status = c->benchmark->open(&s->host, &c->self, &c->cases, &c->case_count, &c->refusal);
    if (status != OM_OK && c->refusal.text[0] == '\0')
        om__error_set(&c->refusal, status, "no reason given");
    c->refusal.code = status;
    c->open = status == OM_OK;
    if (!c->open)
        return;
    if (c->provider != NULL && c->provider->describe != NULL) {
        om__session_announce(s, -1, c->name, "describe");
        c->provider->describe(c->self, c->version, sizeof c->version, c->details,
                              sizeof c->details);
    } else if (c->benchmark != NULL && c->benchmark->version != NULL) {
        snprintf(c->version, sizeof c->version, "%s", c->benchmark->version);
    }
    om__session_announce(s, -1, NULL, "opening");
}

static const om_provider *find_provider(const om_session *s, const char *name)
{
    for (size_t i = 0; i < s->plugin_count; i++)
        if (s->plugins[i].provider != NULL && strcmp(s->plugins[i].provider->name, name) == 0)
            return s->plugins[i].provider;
    for (size_t i = 0; s->measure.api != NULL && i < s->measure.api->provider_count; i++)
        if (strcmp(s->measure.api->providers[i]->name, name) == 0)
            return s->measure.api->providers[i];
    return om__provider_find(name);
}

static bool is_without(const om_session *s, const char *name)
{
    for (size_t i = 0; i < s->options.without_count; i++)
        if (strcmp(s->options.without[i], name) == 0)
            return true;
    return false;
}

static void add_provider(om_session *s, const om_provider *provider, bool named)
{
    if (is_without(s, provider->name))
        return;
    for (size_t i = 0; i < s->contender_count; i++)
        if (strcmp(s->contenders[i].name, provider->name) == 0)
            return;
    s->contenders[s->contender_count++] = (om_contender){
        .name = provider->name, .role = provider->role, .provider = provider, .named = named};
}

/* Without names: ours, and every competitor for this kind of device that need not be named. */
static void add_standard(om_session *s, const om_provider *p)
{
    bool fits = p->device_kind == NULL || strcmp(p->device_kind, s->kind) == 0;
    if (fits && !p->by_name_only && (p->role == OM_ROLE_OWN || p->role == OM_ROLE_COMPETITOR))
        add_provider(s, p, p->role == OM_ROLE_OWN);
}

static om_status unknown_provider(const om_session *s, const char *name, om_error *err)
{
    size_t built_in, count = 0;
    const om_provider *const *all = om__providers_get(&built_in);
    size_t vendor = s->measure.api != NULL ? s->measure.api->provider_count : 0;
    const char **names = calloc(built_in + vendor + s->plugin_count + 1, sizeof *names);
    if (names == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for names");
    for (size_t i = 0; i < built_in; i++)
        names[count++] = all[i]->name;
    for (size_t i = 0; i < vendor; i++)
        names[count++] = s->measure.api->providers[i]->name;
    for (size_t i = 0; i < s->plugin_count; i++)
        if (s->plugins[i].provider != NULL)
            names[count++] = s->plugins[i].provider->name;
    const char *near = om__closest_word(name, names, count);
    om_status status =
        om__error_set(err, OM_INVALID, "there is no provider %s%s%s%s", name,
                      near != NULL ? "; did you mean " : " ('opmark list providers' lists them)",
                      near != NULL ? near : "", near != NULL ? "?" : "");
    free(names);
    return status;
}

static om_status choose_contenders(om_session *s, om_error *err)
{
    size_t built_in;
    const om_provider *const *all = om__providers_get(&built_in);
    size_t vendor = s->measure.api != NULL ? s->measure.api->provider_count : 0;
    size_t most = built_in + vendor + s->options.provider_count + 2 * s->plugin_count;
    s->contenders = calloc(most + 1, sizeof *s->contenders);
    if (s->contenders == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for contenders");
    for (size_t i = 0; i < s->options.provider_count; i++) {
        const om_provider *p = find_provider(s, s->options.providers[i]);
        if (p == NULL)
            return unknown_provider(s, s->options.providers[i], err);
        add_provider(s, p, s->options.named);
    }
    if (s->options.provider_count == 0) {
        for (size_t i = 0; i < built_in; i++)
            add_standard(s, all[i]);
        for (size_t i = 0; i < vendor; i++)
            add_standard(s, s->measure.api->providers[i]);
        for (size_t i = 0; i < s->plugin_count; i++)
            if (s->plugins[i].provider != NULL)
                add_provider(s, s->plugins[i].provider, true);
    }
    for (size_t i = 0; i < s->plugin_count; i++)
        if (s->plugins[i].benchmark != NULL && !is_without(s, s->plugins[i].benchmark->provider))
            s->contenders[s->contender_count++] =
                (om_contender){.name = s->plugins[i].benchmark->provider,
                               .role = OM_ROLE_OWN,
                               .benchmark = s->plugins[i].benchmark,
                               .named = true};
    for (size_t i = 0; i < s->contender_count; i++)
        open_contender(s, &s->contenders[i]);
    return OM_OK;
}

/* ---- opening ---- */

static om_status open_clock(om_session *s, void *stream, const om_error *refusal, om_error *err)
{
    om_status status = om__clock_find(s->kind, s->options.clock, &s->measure, &s->clock_api, err);
    if (status != OM_OK && refusal->code != OM_OK)
        return om__error_set(err, OM_UNSUPPORTED, "nothing measures time on %s: %s",
                             s->options.device, refusal->text);
    OM_TRY(status);
    om_clock_options options = {
        .device = s->options.device, .stream = stream, .seed = s->options.seed};
    OM_TRY(s->clock_api->open(&options, &s->clock, err));
    s->clock_api->info(s->clock, &s->clock_info);
    return OM_OK;
}

static om_status open_device(om_session *s, om_error *err)
{
    int index;
    om_error refusal = {0};
    void *stream = NULL;
    OM_TRY(om__device_name_parse(s->options.device, s->kind, &index, err));
    if (strcmp(s->kind, "fake") == 0)
        stream = &s->fake_time;
    else if (strcmp(s->kind, "cpu") != 0 &&
             om__measure_open(s->kind, s->options.library_dir, &s->measure, &refusal) == OM_OK &&
             s->measure.api->stream_open != NULL)
        OM_TRY(s->measure.api->stream_open(s->options.device, &stream, err));
    const char *isa = getenv("OPMARK_ISA");
    om_isa level = OM_ISA_DEFAULT;
    if (isa != NULL && isa[0] != '\0')
        OM_TRY(om__isa_parse(isa, &level, err));
    om_context_options options = {.device = s->options.device,
                                  .threads = s->options.threads,
                                  .isa = level,
                                  .library_dir = s->options.library_dir,
                                  .stream = stream};
    OM_TRY(om_context_create(&options, &s->context, err));
    OM_TRY(s->context->api->info(s->context->device, &s->device, err));
    s->options.threads = s->context->threads;
#ifdef _OPENMP
    omp_set_dynamic(0);
    omp_set_num_threads(s->context->threads);
#endif
    s->host = (om_provider_host){.abi = OM_PROVIDER_ABI,
                                 .device = s->options.device,
                                 .threads = s->context->threads,
                                 .stream = stream,
                                 .context = s->context,
                                 .cuda_libs = s->options.cuda_libs};
    return open_clock(s, stream, &refusal, err);
}

static om_status describe_place(om_session *s, om_error *err)
{
    OM_TRY(om__env_settings(&s->settings, err));
    OM_TRY(om__pairs_set(&s->settings, "device", s->options.device, err));
    if (s->device.driver[0] != '\0' && strcmp(s->kind, "cpu") != 0)
        OM_TRY(om__pairs_set(&s->settings, "driver", s->device.driver, err));
    if (s->measure.api != NULL && s->measure.api->settings != NULL)
        OM_TRY(s->measure.api->settings(s->options.device, &s->settings, err));
    OM_TRY(om__env_variables(&s->environment, err));
    OM_TRY(om__cpus_allowed(&s->cpus, err));
    om__cpus_format(&s->cpus, s->cpus_text, sizeof s->cpus_text);
    return OM_OK;
}

om_status om__session_open(const om_session_options *options, om_session **out, om_error *err)
{
    om_status status = OM_OK;
    om_session *s = calloc(1, sizeof *s);
    *out = NULL;
    if (s == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for a session");
    s->options = *options;
    if (s->options.device == NULL)
        s->options.device = "cpu";
    if (s->options.time_s <= 0)
        s->options.time_s = 1;
    om__session_announce(s, -1, NULL, "opening");
    OM_TRY_OUT(open_device(s, err));
    OM_TRY_OUT(describe_place(s, err));
    s->plugins = calloc(options->plugin_count + 1, sizeof *s->plugins);
    if (s->plugins == NULL) {
        status = om__error_set(err, OM_NO_MEMORY, "no memory for plug-ins");
        goto out;
    }
    for (size_t i = 0; i < options->plugin_count; i++) {
        om__session_announce(s, -1, options->plugins[i], "load");
        OM_TRY_OUT(om__plugin_load(options->plugins[i], &s->plugins[i], err));
        const om_provider *brought = s->plugins[i].provider;
        const bool taken = brought != NULL && find_provider(s, brought->name) != NULL;
        s->plugin_count++;
        if (taken) {
            status = om__error_set(err, OM_INVALID, "%s: there is a provider '%s' already",
                                   options->plugins[i], brought->name);
            goto out;
        }
    }
    OM_TRY_OUT(choose_contenders(s, err));
    *out = s;
out:
    if (status != OM_OK)
        om__session_close(s);
    return status;
}

void om__session_close(om_session *s)
{
    if (s == NULL)
        return;
    for (size_t i = 0; i < s->contender_count; i++) {
        om_contender *c = &s->contenders[i];
        if (!c->open)
            continue;
        om__session_announce(s, -1, c->name, "close");
        if (c->provider != NULL && c->provider->close != NULL)
            c->provider->close(c->self);
        if (c->benchmark != NULL && c->benchmark->close != NULL)
            c->benchmark->close(c->self);
    }
    free(s->contenders);
    for (size_t i = 0; i < s->plugin_count; i++)
        om__plugin_release(&s->plugins[i]);
    free(s->plugins);
    if (s->clock != NULL)
        s->clock_api->close(s->clock);
    om__anchor_destroy(s->anchor);
    om__measure_close(&s->measure);
    om_context_destroy(s->context);
    om__pairs_release(&s->settings);
    om__pairs_release(&s->environment);
    om__cpus_release(&s->cpus);
    free(s);
}

om_status om__session_benchmarks(om_session *s, om_case **cases, size_t *count, om_error *err)
{
    size_t total = 0;
    for (size_t i = 0; i < s->contender_count; i++)
        total += s->contenders[i].case_count;
    *count = 0;
    *cases = calloc(total + 1, sizeof **cases);
    if (*cases == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for cases");
    for (size_t i = 0; i < s->contender_count; i++) {
        const om_contender *c = &s->contenders[i];
        for (size_t j = 0; j < c->case_count; j++) {
            om_case *to = &(*cases)[(*count)++];
            const char *params = c->cases[j].params;
            om_case from = {.suite = (char *)(uintptr_t)c->benchmark->suite,
                            .name = (char *)(uintptr_t)c->cases[j].name};
            OM_TRY(om__case_copy(to, &from, err));
            if (params == NULL || params[0] == '\0')
                continue;
            om_wl wl = {0};
            OM_TRY(om__wl_parse(params, strlen(params), c->cases[j].name, &wl, err));
            om_status status =
                wl.count == 1 ? om__pairs_copy(&to->params, &wl.lines[0].pairs, err) : OM_OK;
            om__wl_release(&wl);
            OM_TRY(status);
        }
    }
    return OM_OK;
}

void om__session_describe_contenders(const om_session *s, om_text *text)
{
    for (size_t i = 0; i < s->contender_count; i++) {
        const om_contender *c = &s->contenders[i];
        om__text_addf(text, "contender\t%s\t%s\t%d\t%d\t%s\t", c->name, om__role_name(c->role),
                      c->named, c->open, c->benchmark != NULL ? c->benchmark->suite : "");
        for (const char *reason = c->refusal.text; !c->open && *reason != '\0'; reason++)
            om__text_add_char(text, (unsigned char)*reason < ' ' ? ' ' : *reason);
        om__text_add_char(text, '\n');
    }
}
