/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_run.c: `opmark run`: measures cases and leaves their records. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/measure.h"
#include "cli/plan.h"

typedef struct run_config {
    om_words suites, providers, plugins, variants;
    const char *out, *store, *device, *cpus, *cache, *clock, *time, *timeout, *library_dir,
        *cuda_libs;
    const char *budget;
    int64_t threads, launches, seed, rounds;
    bool dry_run, force_skipped, strict, resume, quiet;
} run_config;

static const char *const caches[] = {"cold", "warm", "flush", NULL};

#define AT(field) offsetof(run_config, field)
static const om_option options[] = {
    {"suite", 's', OM_OPTION_LIST, AT(suites), "NAME", NULL, NULL,
     "measure the workloads of a suite, or of a .wl file; operands then filter them"},
    {"provider", 'p', OM_OPTION_LIST, AT(providers), "NAME", NULL, NULL,
     "who takes part (standard: own and every competitor found)"},
    {"out", 'o', OM_OPTION_TEXT, AT(out), "DIR", "opmark-results", NULL,
     "folder of records.jsonl; a new run is appended"},
    {"store", 0, OM_OPTION_TEXT, AT(store), "FILE", NULL, NULL,
     "add the records to this store too (opmark help store)"},
    {"device", 'd', OM_OPTION_TEXT, AT(device), "NAME", "cpu", NULL, "cpu, cuda, cuda:1, …"},
    {"launches", 'n', OM_OPTION_INT, AT(launches), "N", "3", NULL,
     "processes that measure every row, one after the other"},
    {"threads", 't', OM_OPTION_INT, AT(threads), "N", NULL, NULL,
     "CPU threads of every contender (standard: one for each processor allowed)"},
    {"cpus", 0, OM_OPTION_TEXT, AT(cpus), "LIST", NULL, NULL,
     "processors to run on, as 0-3,8; threads are bound to them"},
    {"cache", 0, OM_OPTION_TEXT, AT(cache), "STATE", NULL, caches,
     "state of the cache before a call: cold, warm, or flush (cold by emptying it)"},
    {"clock", 0, OM_OPTION_TEXT, AT(clock), "NAME", NULL, NULL,
     "the clock of the device (standard: its best one)"},
    {"time", 0, OM_OPTION_TEXT, AT(time), "TIME", "1s", NULL,
     "time for the samples of a row in one launch"},
    {"rounds", 0, OM_OPTION_INT, AT(rounds), "N", NULL, NULL,
     "most rounds of a row in one launch (standard: 100)"},
    {"budget", 0, OM_OPTION_TEXT, AT(budget), "TIME", NULL, NULL,
     "time for the whole run: the time of a row is chosen to fit"},
    {"timeout", 0, OM_OPTION_TEXT, AT(timeout), "TIME", "60s", NULL,
     "a step of a provider that takes longer hangs"},
    {"variant", 0, OM_OPTION_TEXTS, AT(variants), "NAME:VAR=VALUE", NULL, NULL,
     "measure every row under this environment setting as a subject of its own"},
    {"plugin", 0, OM_OPTION_TEXTS, AT(plugins), "FILE.so", NULL, NULL,
     "load a provider or a benchmark"},
    {"seed", 0, OM_OPTION_INT, AT(seed), "N", "1", NULL, "of inputs and orders"},
    {"resume", 0, OM_OPTION_FLAG, AT(resume), NULL, NULL, NULL,
     "leave out rows that DIR already holds, measured the same way"},
    {"dry-run", 0, OM_OPTION_FLAG, AT(dry_run), NULL, NULL, NULL,
     "only say what would be run, in what time and memory"},
    {"force-skipped", 0, OM_OPTION_FLAG, AT(force_skipped), NULL, NULL, NULL,
     "run rows too that are estimated to take very long"},
    {"strict", 0, OM_OPTION_FLAG, AT(strict), NULL, NULL, NULL,
     "fail when a row of any provider fails, not only of own"},
    {"quiet", 'q', OM_OPTION_FLAG, AT(quiet), NULL, NULL, NULL, "no progress, no table"},
    {"library-dir", 0, OM_OPTION_TEXT, AT(library_dir), "DIR", NULL, NULL,
     "where the loadable parts for devices lie"},
    {"cuda-libs", 0, OM_OPTION_TEXT, AT(cuda_libs), "DIR", NULL, NULL,
     "where the vendor's libraries lie"},
};
#undef AT

/* Processors that exist and that this process may use. */
static om_status check_cpus(const char *text, om_error *err)
{
    om_status status = OM_OK;
    om_cpu_list wanted = {0}, allowed = {0};
    char shown[128];
    OM_TRY_OUT(om__cpus_parse(text, &wanted, err));
    OM_TRY_OUT(om__cpus_allowed(&allowed, err));
    om__cpus_format(&allowed, shown, sizeof shown);
    for (int i = 0; i < wanted.count; i++) {
        int j = 0;
        while (j < allowed.count && allowed.items[j] != wanted.items[i])
            j++;
        if (j == allowed.count) {
            status = om__error_set(err, OM_INVALID,
                                   "--cpus: processor %d is not among those allowed here (%s)",
                                   wanted.items[i], shown);
            goto out;
        }
    }
out:
    om__cpus_release(&wanted);
    om__cpus_release(&allowed);
    return status;
}

static om_status fill_measure(const run_config *c, om_measure_config *m, om_error *err)
{
    om_session_options *s = &m->run.launch.session;
    *m = (om_measure_config){.out = c->out,
                             .store = c->store,
                             .dry_run = c->dry_run,
                             .force_skipped = c->force_skipped,
                             .strict = c->strict,
                             .resume = c->resume,
                             .quiet = c->quiet};
    if (c->launches < 1 || c->launches > 1000)
        return om__error_set(err, OM_INVALID, "--launches: 1 to 1000, not %lld",
                             (long long)c->launches);
    if (c->threads < 0 || c->threads > 4096)
        return om__error_set(err, OM_INVALID, "--threads: 1 to 4096, not %lld",
                             (long long)c->threads);
    if (c->rounds < 0 || c->rounds > 1000000)
        return om__error_set(err, OM_INVALID, "--rounds: 3 to 1000000, not %lld",
                             (long long)c->rounds);
    m->run.launches = (int)c->launches;
    s->device = c->device;
    s->clock = c->clock;
    s->library_dir = c->library_dir;
    s->cuda_libs = c->cuda_libs;
    s->threads = (int)c->threads;
    s->cpus = c->cpus;
    s->seed = (uint64_t)c->seed;
    s->max_rounds = (int)c->rounds;
    s->min_rounds = c->rounds > 0 && c->rounds < 10 ? (int)c->rounds : 0;
    s->warm = c->cache != NULL && strcmp(c->cache, "warm") == 0;
    s->flush = c->cache != NULL && strcmp(c->cache, "flush") == 0;
    s->providers = c->providers.items;
    s->provider_count = c->providers.count;
    s->named = c->providers.count > 0;
    s->plugins = c->plugins.items;
    s->plugin_count = c->plugins.count;
    if (c->cpus != NULL)
        OM_TRY(check_cpus(c->cpus, err));
    OM_TRY(om__duration_parse(c->time, &s->time_s, err));
    OM_TRY(om__duration_parse(c->timeout, &m->run.launch.step_limit_s, err));
    return c->budget != NULL ? om__duration_parse(c->budget, &m->budget_s, err) : OM_OK;
}

/* Options that the user gave override what a suite says of its workloads. */
static om_status override_cache(om_plan *plan, const char *cache, om_error *err)
{
    for (size_t i = 0; cache != NULL && i < plan->count; i++) {
        free(plan->cases[i].cache);
        plan->cases[i].cache = om__strdup(strcmp(cache, "warm") == 0 ? "warm" : "cold");
        if (plan->cases[i].cache == NULL)
            return om__error_set(err, OM_NO_MEMORY, "no memory for the cases");
    }
    return OM_OK;
}

static int run_run(void *opaque, const om_words *operands)
{
    const run_config *c = opaque;
    om_measure_config m;
    om_plan plan = {0};
    om_variant *variants = NULL;
    size_t variant_count = 0;
    om_error err = {0};
    int code;
    om_status status = OM_OK;
    if (c->suites.count == 0 && operands->count == 0 && c->plugins.count == 0)
        return om__cli_usage(&om__cmd_run, "name an operator (gemm m=64 n=64 k=64), a --suite, or "
                                           "a --plugin");
    status = fill_measure(c, &m, &err);
    if (status == OM_OK)
        status = om__variants_parse(&c->variants, &variants, &variant_count, &err);
    if (status == OM_OK && (c->suites.count > 0 || operands->count > 0))
        status = om__plan_make(&c->suites, operands, NULL, &plan, &err);
    if (status == OM_OK)
        status = override_cache(&plan, c->cache, &err);
    if (status != OM_OK) {
        code = om__cli_fail_input(&err);
        goto out;
    }
    m.run.variants = variants;
    m.run.variant_count = variant_count;
    code = om__measure(&m, &plan);
out:
    om__variants_release(variants, variant_count);
    om__plan_release(&plan);
    return code;
}

const om_command om__cmd_run = {
    .name = "run",
    .summary = "measure operators and benchmarks, and keep the records",
    .operands = "[OP KEY=VALUE… | FILTER…]",
    .details =
        "Measures one operator (gemm m=64 n=64 k=64; lists are sweeps: m=16,64,4096), or the "
        "workloads of suites, in which case operands are filters (gemm dtype=bf16 m=4096). All "
        "contenders of a row run in one process, call by call in turn, and every result is "
        "checked. Each row is measured in several processes.\n\n"
        "Ctrl-C ends the current row and leaves the rest as not_run; a second one ends at once. "
        "Exit code 1 says that a row of own is wrong, crashed, timed out or failed.",
    OM_OPTIONS(options),
    .config_size = sizeof(run_config),
    .run = run_run,
};
