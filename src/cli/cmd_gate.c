/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_gate.c: `opmark gate BASE NEW`: compare, and say by the exit code whether it may pass. */
#include <stdio.h>
#include <time.h>

#include "base/error.h"
#include "cli/compare_sides.h"

typedef struct gate_config {
    om_compare_config common;
    const char *today;
    om_words fail;
    bool quiet;
} gate_config;

static const om_option options[] = {
    {"fail", 0, OM_OPTION_LIST, offsetof(gate_config, fail), "WORDS", NULL, NULL,
     "what trips the gate, in place of the policy's words: slower, missing, suspect"},
    {"today", 0, OM_OPTION_TEXT, offsetof(gate_config, today), "DATE", NULL, NULL,
     "the date that allowances are measured against, such as 2026-12-31 (today in UTC)"},
    {"quiet", 'q', OM_OPTION_FLAG, offsetof(gate_config, quiet), NULL, NULL, NULL,
     "only the one line of reason, not the rows"},
    OM_COMPARE_OPTIONS,
};

static void print_rows(const om_comparison *comparison)
{
    for (size_t i = 0; i < comparison->cell_count; i++) {
        const om_cell *cell = &comparison->cells[i];
        bool counts = cell->verdict == OM_VERDICT_SLOWER || cell->verdict == OM_VERDICT_MISSING ||
                      cell->new_failed;
        if (!counts || cell->rival)
            continue;
        char ratio[32] = "";
        if (cell->ratio == cell->ratio)
            snprintf(ratio, sizeof ratio, "  %.2fx slower", 1 / cell->ratio);
        om__cli_say(stdout, "%-8s %s%s%s %s %s%s%s%s", om__verdict_name(cell->verdict), cell->name,
                    cell->params[0] != '\0' ? " " : "", cell->params, cell->metric, cell->provider,
                    ratio, cell->reason[0] != '\0' ? "  " : "", cell->reason);
    }
}

static int judge(const gate_config *config, const om_compare_job *job)
{
    char today[16];
    time_t now = time(NULL);
    struct tm utc;
    om_error err = {0};
    int code = OM_EXIT_OK;
    gmtime_r(&now, &utc);
    strftime(today, sizeof today, "%Y-%m-%d", &utc);
    for (size_t i = 1; i < job->side_count; i++) {
        const om_comparison *comparison = &job->comparisons[i - 1];
        om_gate gate;
        if (comparison->compared == 0) {
            om__cli_say(stdout, "gate %s: nothing was compared", comparison->new_label);
            code = OM_EXIT_ENVIRONMENT;
            continue;
        }
        if (om__gate_judge(comparison, &job->policy,
                           config->fail.count > 0 ? config->fail.items : NULL, config->fail.count,
                           config->today != NULL ? config->today : today, &gate, &err) != OM_OK)
            return om__cli_fail_input(&err);
        for (size_t n = 0; !config->quiet && n < comparison->note_count; n++)
            om__cli_say(stdout, "note     %s", comparison->notes[n]);
        if (!config->quiet)
            print_rows(comparison);
        om__cli_say(stdout, "gate %s %s", comparison->new_label, gate.reason.data);
        if (gate.trips && code == OM_EXIT_OK)
            code = OM_EXIT_FOUND;
        om__gate_release(&gate);
    }
    return code;
}

static int run_gate(void *config_pointer, const om_words *operands)
{
    const gate_config *config = config_pointer;
    om_compare_job job;
    int code = om__compare_job_run(&om__cmd_gate, &config->common, operands, &job);
    if (code == OM_EXIT_OK)
        code = judge(config, &job);
    om__compare_job_release(&job);
    return code;
}

const om_command om__cmd_gate = {
    .name = "gate",
    .summary = "compare, and exit 1 when the new side may not pass",
    .operands = "BASE NEW…",
    .details =
        "Compares as `opmark compare` does and exits 0 (passes), 1 (trips) or 3 (nothing could be "
        "compared), with one line of reason. Slower rows, missing rows and suspect sections trip "
        "it; improvements never do, nor do the rows of competitors. A policy file (--policy) says "
        "what is allowed:\n\n"
        "    floor gemm/* effect=5%\n"
        "    allow gemm/llama* m=4096 max=5% until=2027-01-31 reason=\"known\"\n"
        "    fail slower missing",
    OM_OPTIONS(options),
    .config_size = sizeof(gate_config),
    .run = run_gate,
};
