/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_verify.c: `opmark verify`: are the results right, on small and on awkward shapes? */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "bench/workload.h"
#include "cli/command.h"
#include "cli/measure.h"

typedef struct verify_config {
    om_words suites, providers, plugins;
    const char *device, *out, *library_dir, *cuda_libs, *timeout;
    int64_t threads, seed;
    bool all, strict, quiet;
} verify_config;

#define AT(field) offsetof(verify_config, field)
static const om_option options[] = {
    {"all", 'a', OM_OPTION_FLAG, AT(all), NULL, NULL, NULL,
     "every operator: the sections [smoke] and [edge] of its workloads"},
    {"suite", 's', OM_OPTION_LIST, AT(suites), "NAME", NULL, NULL,
     "the workloads of a suite instead, all sections"},
    {"provider", 'p', OM_OPTION_LIST, AT(providers), "NAME", NULL, NULL,
     "whose results (standard: own and every competitor found)"},
    {"device", 'd', OM_OPTION_TEXT, AT(device), "NAME", "cpu", NULL, "cpu, cuda, cuda:1, …"},
    {"threads", 't', OM_OPTION_INT, AT(threads), "N", NULL, NULL, "CPU threads"},
    {"out", 'o', OM_OPTION_TEXT, AT(out), "DIR", NULL, NULL, "keep the records in DIR too"},
    {"plugin", 0, OM_OPTION_TEXTS, AT(plugins), "FILE.so", NULL, NULL, "load a provider"},
    {"seed", 0, OM_OPTION_INT, AT(seed), "N", "1", NULL, "of the inputs"},
    {"timeout", 0, OM_OPTION_TEXT, AT(timeout), "TIME", "60s", NULL,
     "a step of a provider that takes longer hangs"},
    {"strict", 0, OM_OPTION_FLAG, AT(strict), NULL, NULL, NULL,
     "fail for any provider, not only for own"},
    {"quiet", 'q', OM_OPTION_FLAG, AT(quiet), NULL, NULL, NULL, "only the exit code"},
    {"library-dir", 0, OM_OPTION_TEXT, AT(library_dir), "DIR", NULL, NULL,
     "where the loadable parts for devices lie"},
    {"cuda-libs", 0, OM_OPTION_TEXT, AT(cuda_libs), "DIR", NULL, NULL,
     "where the vendor's libraries lie"},
};
#undef AT

/* The suites that are named after an operator: its own shapes. */
static om_status operator_suites(om_words *suites, om_pairs *found, om_error *err)
{
    char *folder = NULL;
    OM_TRY(om__cli_find("workloads", &folder, err));
    om_status status = om__suites_list(folder, found, err);
    free(folder);
    OM_TRY(status);
    suites->items = calloc(found->count + 1, sizeof *suites->items);
    if (suites->items == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for the suites");
    for (size_t i = 0; i < found->count; i++) {
        const char *name = found->items[i].key;
        if (om__op_find(name, "forward") != NULL || om__op_find(name, "backward") != NULL)
            suites->items[suites->count++] = name;
    }
    return suites->count > 0
               ? OM_OK
               : om__error_set(err, OM_IO, "no workload file of an operator is there");
}

static int run_verify(void *opaque, const om_words *operands)
{
    const verify_config *c = opaque;
    om_plan plan = {0};
    om_pairs found = {0};
    om_words suites = c->suites;
    om_error err = {0};
    om_status status = OM_OK;
    int code;
    bool own_suites = c->suites.count == 0;
    if (!c->all && own_suites && operands->count == 0)
        return om__cli_usage(&om__cmd_verify, "say --all, or which (gemm dtype=bf16)");
    /* One launch, a few calls more: enough that the check after them means something. What a time
     * would be distrusted for is of no interest here. */
    om_measure_config m = {.out = c->out, .strict = c->strict, .quiet = c->quiet, .verify = true};
    om_session_options *s = &m.run.launch.session;
    m.run.launches = 1;
    *s = (om_session_options){.device = c->device,
                              .library_dir = c->library_dir,
                              .cuda_libs = c->cuda_libs,
                              .threads = (int)c->threads,
                              .warm = true,
                              .untimed = true,
                              .named = c->providers.count > 0,
                              .time_s = 0.1,
                              .min_rounds = 3,
                              .max_rounds = 24,
                              .seed = (uint64_t)c->seed,
                              .providers = c->providers.items,
                              .provider_count = c->providers.count,
                              .plugins = c->plugins.items,
                              .plugin_count = c->plugins.count};
    status = om__duration_parse(c->timeout, &m.run.launch.step_limit_s, &err);
    if (status == OM_OK && own_suites)
        status = operator_suites(&suites, &found, &err);
    if (status == OM_OK)
        status = om__plan_make(&suites, operands, own_suites ? "smoke,edge" : NULL, &plan, &err);
    for (size_t i = 0; status == OM_OK && i < plan.count; i++) {
        free(plan.cases[i].cache);
        plan.cases[i].cache = om__strdup("warm");
    }
    code = status == OM_OK ? om__measure(&m, &plan) : om__cli_fail_input(&err);
    if (own_suites)
        free(suites.items);
    om__pairs_release(&found);
    om__plan_release(&plan);
    return code;
}

const om_command om__cmd_verify = {
    .name = "verify",
    .summary = "check results on small and awkward shapes",
    .operands = "[FILTER…]",
    .details = "Runs every operator by every provider on the sections [smoke] and [edge] of the "
               "workload files and judges all results against the host reference, before and "
               "after some timed calls. Operands narrow the list (gemm dtype=bf16).",
    OM_OPTIONS(options),
    .config_size = sizeof(verify_config),
    .run = run_verify,
};
