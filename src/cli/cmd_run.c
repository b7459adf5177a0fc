/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_run.c: `opmark run`: measures cases and leaves their records. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/measure.h"
#include "cli/plan.h"

typedef struct run_config {
    om_measure_words words;
    om_words suites, variants;
    const char *out, *store, *time, *budget;
    int64_t launches;
    bool dry_run, strict, resume, quiet;
} run_config;

#define AT(field) offsetof(run_config, field)
static const om_option options[] = {
    {"suite", 's', OM_OPTION_LIST, AT(suites), "NAME", NULL, NULL,
     "measure the workloads of a suite, or of a .wl file; operands then filter them"},
    {"provider", 'p', OM_OPTION_LIST, AT(words.providers), "NAME", NULL, NULL,
     "who takes part (standard: own and every competitor found)"},
    {"out", 'o', OM_OPTION_TEXT, AT(out), "DIR", "opmark-results", NULL,
     "folder of records.jsonl; a new run is appended"},
    {"store", 0, OM_OPTION_TEXT, AT(store), "FILE", NULL, NULL,
     "add the records to this store too (opmark help store)"},
    {"launches", 'n', OM_OPTION_INT, AT(launches), "N", "3", NULL,
     "processes that measure every row, one after the other"},
    {"time", 0, OM_OPTION_TEXT, AT(time), "TIME", "1s", NULL,
     "time for the samples of a row in one launch"},
    OM_MEASURE_OPTIONS,
    {"budget", 0, OM_OPTION_TEXT, AT(budget), "TIME", NULL, NULL,
     "time for the whole run: the time of a row is chosen to fit"},
    {"variant", 0, OM_OPTION_TEXTS, AT(variants), "NAME:VAR=VALUE", NULL, NULL,
     "measure every row under this environment setting as a subject of its own; several variables "
     "of "
     "one NAME are one setting"},
    {"resume", 0, OM_OPTION_FLAG, AT(resume), NULL, NULL, NULL,
     "leave out rows that DIR already holds, measured the same way"},
    {"dry-run", 0, OM_OPTION_FLAG, AT(dry_run), NULL, NULL, NULL,
     "only say what would be run, in what time and memory"},
    {"strict", 0, OM_OPTION_FLAG, AT(strict), NULL, NULL, NULL,
     "fail when a row of any provider fails, not only of own"},
    {"quiet", 'q', OM_OPTION_FLAG, AT(quiet), NULL, NULL, NULL, "no progress, no table"},
};
#undef AT

static om_status fill_measure(const run_config *c, om_measure_config *m, om_error *err)
{
    *m = (om_measure_config){.out = c->out,
                             .store = c->store,
                             .dry_run = c->dry_run,
                             .strict = c->strict,
                             .resume = c->resume,
                             .quiet = c->quiet};
    if (c->launches < 1 || c->launches > 1000)
        return om__error_set(err, OM_INVALID, "--launches: 1 to 1000, not %lld",
                             (long long)c->launches);
    m->run.launches = (int)c->launches;
    OM_TRY(om__measure_words_read(&c->words, c->time, m, err));
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
    if (c->suites.count == 0 && operands->count == 0 && c->words.plugins.count == 0)
        return om__cli_usage(&om__cmd_run, "name an operator (gemm m=64 n=64 k=64), a --suite, or "
                                           "a --plugin");
    status = fill_measure(c, &m, &err);
    if (status == OM_OK)
        status = om__variants_parse(&c->variants, &variants, &variant_count, &err);
    if (status == OM_OK && (c->suites.count > 0 || operands->count > 0))
        status = om__plan_make(&c->suites, operands, NULL, &plan, &err);
    if (status == OM_OK)
        status = override_cache(&plan, c->words.cache, &err);
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
