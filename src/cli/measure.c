/* SPDX-License-Identifier: Apache-2.0 */
/* measure.c: a run as a command does it; see measure.h. */
#include "cli/measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/text.h"
#include "cli/live.h"
#include "cli/resume.h"
#include "core/context.h"
#include "core/cpu.h"
#include "store/store.h"

/* A row that is estimated to take longer than this in one launch is skipped unless forced. */
#define OM_LONGEST_CASE_S 300.0
/* The least time for samples that a budget may leave a row. */
#define OM_SHORTEST_TIME_S 0.05

typedef struct measuring {
    om_measure_config *config;
    om_plan *plan;
    om_record_writer *writer;
    om_store *store;
    om_record_set records; /* of the case in progress */
    om_live live;
    char **skips;
    unsigned char *finished;
    double *seconds; /* estimate of each case, all launches */
    om_estimate total;
} measuring;

/* ---- before ---- */

/* The device as far as it can be asked without a worker: the host. Others tell in the worker. */
static om_device_info ask_device(const char *name)
{
    om_device_info info = {0};
    char kind[16];
    int index;
    const om_device_api *api;
    om_device *device;
    if (om__device_name_parse(name, kind, &index, NULL) != OM_OK || strcmp(kind, "cuda") == 0 ||
        om__device_api_find(kind, NULL, &api, NULL) != OM_OK ||
        api->open(index, NULL, &device, NULL) != OM_OK)
        return info;
    if (api->info(device, &info, NULL) != OM_OK)
        info = (om_device_info){0};
    api->close(device);
    return info;
}

static size_t contender_guess(const om_session_options *s)
{
    return s->provider_count > 0 ? s->provider_count : 3;
}

static size_t unit_count(const om_run_options *run)
{
    size_t variants = run->variant_count > 0 ? run->variant_count : 1;
    return variants * (size_t)(run->launches > 0 ? run->launches : 3);
}

static om_status estimate_all(measuring *m, om_error *err)
{
    om_session_options session = m->config->run.launch.session;
    om_device_info device = ask_device(session.device);
    double units = (double)unit_count(&m->config->run);
    if (session.threads == 0)
        session.threads = om__cpu_info_get()->processors;
    m->total = (om_estimate){0};
    for (size_t i = 0; i < m->plan->count; i++) {
        om_estimate e;
        char skip[400] = "";
        if (m->finished[i])
            continue;
        OM_TRY(om__run_estimate(&session, &device, &m->plan->cases[i], contender_guess(&session),
                                &e, err));
        if (e.impossible[0] != '\0')
            snprintf(skip, sizeof skip, "%s", e.impossible);
        else if (e.seconds > OM_LONGEST_CASE_S && !m->config->force_skipped)
            snprintf(skip, sizeof skip,
                     "would take about %.0f min a launch (--force-skipped runs it)",
                     e.seconds / 60);
        m->seconds[i] = skip[0] != '\0' ? 0 : e.seconds * units;
        free(m->skips[i]);
        m->skips[i] = NULL;
        if (skip[0] != '\0' && (m->skips[i] = om__strdup(skip)) == NULL)
            return om__error_set(err, OM_NO_MEMORY, "no memory for estimates");
        if (skip[0] != '\0')
            continue;
        m->total.seconds += m->seconds[i];
        if (e.device_bytes > m->total.device_bytes)
            m->total.device_bytes = e.device_bytes;
        if (e.host_bytes > m->total.host_bytes)
            m->total.host_bytes = e.host_bytes;
    }
    return OM_OK;
}

/* Shortens the time for samples until the whole fits, and says what can then be seen. */
static om_status fit_budget(measuring *m, om_error *err)
{
    double *time_s = &m->config->run.launch.session.time_s;
    if (m->config->budget_s <= 0)
        return OM_OK;
    *time_s = 10;
    OM_TRY(estimate_all(m, err));
    for (int i = 0;
         i < 60 && m->total.seconds > m->config->budget_s && *time_s > OM_SHORTEST_TIME_S; i++) {
        *time_s = fmax(*time_s * 0.85, OM_SHORTEST_TIME_S);
        OM_TRY(estimate_all(m, err));
    }
    if (m->config->quiet)
        return OM_OK;
    /* The interval of a ratio over L launches has a half-width of t(L-1) s / sqrt(L), where s joins
     * the spread between launches and that inside one; s is not known before, so two usual ones
     * are shown. */
    int launches = m->config->run.launches;
    double t = launches <= 1   ? 2.26
               : launches == 2 ? 12.7
               : launches == 3 ? 4.3
               : launches == 4 ? 3.18
                               : 2.4;
    double width = t / sqrt((double)launches);
    fprintf(stderr,
            "budget %.0f s: %.2f s of samples a row and launch, about %.0f s in all; visible: "
            "changes above %.1f %% where launches differ by 0.3 %%, %.1f %% where by 1 %%\n",
            m->config->budget_s, *time_s, m->total.seconds, 2 + 0.3 * width, 2 + width);
    if (m->total.seconds > m->config->budget_s)
        fprintf(stderr, "opmark: the budget is too small for %zu rows; the run will take longer\n",
                m->plan->count);
    return OM_OK;
}

static int print_plan(const measuring *m)
{
    size_t skipped = 0, finished = 0;
    printf("%-60s %10s\n", "case", "estimate");
    for (size_t i = 0; i < m->plan->count; i++) {
        char *label = om__case_label(&m->plan->cases[i]);
        if (m->finished[i])
            finished++;
        else if (m->skips[i] != NULL)
            printf("%-60s skipped: %s\n", label != NULL ? label : "?", m->skips[i]);
        else
            printf("%-60s %8.1f s\n", label != NULL ? label : "?", m->seconds[i]);
        skipped += m->skips[i] != NULL;
        free(label);
    }
    printf("%zu cases x %zu launches: about %.0f min %02.0f s, up to %.2f GiB of tensors and %.2f "
           "GiB beside them",
           m->plan->count, unit_count(&m->config->run), floor(m->total.seconds / 60),
           fmod(m->total.seconds, 60), (double)m->total.device_bytes / 0x1p30,
           (double)m->total.host_bytes / 0x1p30);
    if (skipped > 0)
        printf("; %zu skipped", skipped);
    if (finished > 0)
        printf("; %zu measured before", finished);
    printf("\n");
    return OM_EXIT_OK;
}

/* ---- while it runs ---- */

static om_status take_record(void *self, const om_record *record, om_error *err)
{
    measuring *m = self;
    if (m->writer != NULL)
        OM_TRY(om__record_writer_add(m->writer, record, err));
    if (m->store != NULL)
        OM_TRY(om__store_add(m->store, record, NULL, err));
    return om__live_record(&m->live, record, err);
}

static void begin_case(void *self, size_t index, size_t unit, size_t units)
{
    measuring *m = self;
    om__live_begin(&m->live, &m->plan->cases[index], index, unit, units);
}

static void finish_case(void *self, size_t index)
{
    measuring *m = self;
    om__live_done(&m->live, &m->plan->cases[index], index);
}

static void show_step(void *self, const char *provider, const char *step)
{
    measuring *m = self;
    om__live_step(&m->live, provider, step);
}

static void show_waiting(void *self, const char *provider, const char *step, double seconds)
{
    measuring *m = self;
    om__live_waiting(&m->live, provider, step, seconds);
}

/* ---- the whole ---- */

static om_status add_benchmarks(measuring *m, om_error *err)
{
    om_status status = OM_OK;
    om_case *cases = NULL;
    size_t count = 0;
    if (m->config->run.launch.session.plugin_count == 0)
        return OM_OK;
    OM_TRY_OUT(om__run_benchmarks(&m->config->run, &cases, &count, err));
    for (size_t i = 0; i < count; i++)
        OM_TRY_OUT(om__plan_add(m->plan, &cases[i], err));
out:
    for (size_t i = 0; i < count; i++)
        om__case_release(&cases[i]);
    free(cases);
    return status;
}

static om_status prepare(measuring *m, om_error *err)
{
    size_t count = m->plan->count + 1;
    m->skips = calloc(count, sizeof *m->skips);
    m->finished = calloc(count, 1);
    m->seconds = calloc(count, sizeof *m->seconds);
    if (m->skips == NULL || m->finished == NULL || m->seconds == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for the run");
    if (m->config->resume && m->config->out != NULL) {
        const om_device_info device = ask_device(m->config->run.launch.session.device);
        OM_TRY(om__resume_find(m->config->out, &m->config->run, device.machine_class, m->plan,
                               m->finished, err));
    }
    OM_TRY(fit_budget(m, err));
    return estimate_all(m, err);
}

static int exit_code(const measuring *m, const om_run_result *result)
{
    static const om_outcome failing[] = {OM_OUTCOME_WRONG, OM_OUTCOME_CRASHED, OM_OUTCOME_TIMEOUT,
                                         OM_OUTCOME_ERROR};
    if (result->interrupted)
        return OM_EXIT_INTERRUPTED;
    for (size_t i = 0; i < sizeof failing / sizeof failing[0]; i++)
        if (result->own[failing[i]] > 0 || (m->config->strict && result->others[failing[i]] > 0))
            return OM_EXIT_FOUND;
    return OM_EXIT_OK;
}

/* Before anything is measured, so that hours are not spent on records nobody can write. */
static om_status open_outputs(measuring *m, om_error *err)
{
    om_status status = OM_OK;
    /* The folder first: the store may lie in it. */
    if (m->config->out != NULL)
        status = om__record_writer_open(m->config->out, &m->writer, err);
    if (status == OM_OK && m->config->store != NULL)
        status = om__store_open(m->config->store, OM_STORE_WRITE, &m->store, err);
    if (status != OM_OK) {
        (void)om__record_writer_close(m->writer, NULL);
        m->writer = NULL;
    }
    return status;
}

static int run_plan(measuring *m)
{
    om_error err = {0}, close_err = {0};
    om_run_result result = {0};
    om_run_options *run = &m->config->run;
    if (open_outputs(m, &err) != OM_OK) {
        om__cli_fail(&err);
        return OM_EXIT_ENVIRONMENT;
    }
    run->skips = (const char *const *)m->skips;
    run->finished = m->finished;
    run->record = take_record;
    run->begin = begin_case;
    run->done = finish_case;
    run->self = m;
    run->launch.interrupts = &om__interrupts;
    run->launch.progress = show_step;
    run->launch.waiting = show_waiting;
    run->launch.self = m;
    om__interrupts_catch();
    om__live_start(&m->live, m->plan, m->seconds, m->finished, unit_count(run), m->config->quiet,
                   m->config->verify);
    om_status status = om__run(run, m->plan->cases, m->plan->count, &result, &err);
    om__live_end(&m->live, &result, m->config->out);
    om_status closed = om__record_writer_close(m->writer, &close_err);
    m->writer = NULL;
    om__store_close(m->store);
    m->store = NULL;
    if (status != OM_OK && !result.interrupted) {
        om__cli_fail(&err);
        return status == OM_INVALID || status == OM_PARSE ? OM_EXIT_USAGE : OM_EXIT_ENVIRONMENT;
    }
    if (closed != OM_OK) {
        om__cli_fail(&close_err);
        return OM_EXIT_ENVIRONMENT;
    }
    return exit_code(m, &result);
}

int om__measure(om_measure_config *config, om_plan *plan)
{
    measuring m = {.config = config, .plan = plan};
    om_error err = {0};
    char program[4096];
    int code;
    ssize_t size = readlink("/proc/self/exe", program, sizeof program - 1);
    program[size > 0 ? size : 0] = '\0';
    config->run.launch.program = program;
    om_status status = add_benchmarks(&m, &err);
    if (status == OM_OK)
        status = prepare(&m, &err);
    if (status != OM_OK)
        code = om__cli_fail_input(&err);
    else if (config->dry_run)
        code = print_plan(&m);
    else
        code = run_plan(&m);
    for (size_t i = 0; m.skips != NULL && i < plan->count; i++)
        free(m.skips[i]);
    free(m.skips);
    free(m.finished);
    free(m.seconds);
    om__live_release(&m.live);
    return code;
}
