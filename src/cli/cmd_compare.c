/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_compare.c: `opmark compare BASE NEW…`. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "cli/compare_sides.h"
#include "cli/output.h"
#include "forge/artifact.h"
#include "forge/pull_report.h"

typedef struct compare_config {
    om_compare_config common;
    const char *format, *out, *comment, *section, *full;
    int64_t rows, sequence, budget;
    bool all, defuse;
} compare_config;

static const om_option options[] = {
    {"format", 'f', OM_OPTION_TEXT, offsetof(compare_config, format), "FORMAT", "terminal",
     om__format_words, "form of the report"},
    {"out", 'o', OM_OPTION_TEXT, offsetof(compare_config, out), "FILE", NULL, NULL,
     "write to FILE instead of standard output"},
    {"rows", 0, OM_OPTION_INT, offsetof(compare_config, rows), "N", "40", NULL,
     "most rows of each table for people, the worst first; 0: all. CSV and JSON have all"},
    {"all", 0, OM_OPTION_FLAG, offsetof(compare_config, all), NULL, NULL, NULL,
     "show the rows that are the same as well"},
    {"defuse", 0, OM_OPTION_FLAG, offsetof(compare_config, defuse), NULL, NULL, NULL,
     "in CSV: put a ' before cells that a spreadsheet would take for a formula"},
    {"comment", 0, OM_OPTION_TEXT, offsetof(compare_config, comment), "FILE", NULL, NULL,
     "write an artifact for `opmark comment` as well: this comparison as a section of a pull "
     "request's comment"},
    {"section", 0, OM_OPTION_TEXT, offsetof(compare_config, section), "KEY", NULL, NULL,
     "the section's key in the comment (standard: the machine class)"},
    {"sequence", 0, OM_OPTION_INT, offsetof(compare_config, sequence), "N", "0", NULL,
     "orders the commits of one pull request: the CI's run number, or the commit time"},
    {"full", 0, OM_OPTION_TEXT, offsetof(compare_config, full), "WHERE", NULL, NULL,
     "where the whole report lies, for the comment to say when rows are left out"},
    {"budget", 0, OM_OPTION_INT, offsetof(compare_config, budget), "BYTES", "65536", NULL,
     "the most bytes the section may take; several machines share a comment's 65536"},
    OM_COMPARE_OPTIONS,
};

static om_status write_comment(const compare_config *config, const om_compare_job *job,
                               om_error *err)
{
    om_comment_section section = {0};
    const om_pull_options pull = {.key = config->section,
                                  .commit = config->common.commit,
                                  .sequence = config->sequence,
                                  .full = config->full,
                                  .budget_bytes = (size_t)config->budget};
    if (job->side_count != 2)
        return om__error_set(err, OM_INVALID, "--comment takes one base and one new side");
    if (config->budget < 1024)
        return om__error_set(err, OM_INVALID, "--budget %lld: 1024 bytes or more",
                             (long long)config->budget);
    OM_TRY(om__pull_report(&job->comparisons[0], &pull, &section, err));
    om_status status = om__artifact_write(config->comment, &section, err);
    om__section_release(&section);
    return status;
}

static int run_compare(void *config_pointer, const om_words *operands)
{
    const compare_config *config = config_pointer;
    om_compare_job job;
    om_error err = {0};
    size_t compared = 0, seen = 0, valueless = 0;
    if (config->rows < 0)
        return om__cli_usage(&om__cmd_compare, "--rows %lld: 0 (all) or more",
                             (long long)config->rows);
    int code = om__compare_job_run(&om__cmd_compare, &config->common, operands, &job);
    const om_compare_view view = {.rows = config->rows > 0 ? (size_t)config->rows : 0,
                                  .all = config->all};
    if (code == OM_EXIT_OK && om__compare_job_write(&job, &view, config->format, config->out,
                                                    config->defuse, &err) != OM_OK)
        code = om__cli_fail(&err);
    if (code == OM_EXIT_OK && config->comment != NULL && write_comment(config, &job, &err) != OM_OK)
        code = om__cli_fail(&err);
    for (size_t i = 1; code == OM_EXIT_OK && i < job.side_count; i++) {
        compared += job.comparisons[i - 1].compared;
        seen += job.comparisons[i - 1].counts[OM_VERDICT_NOT_COMPARABLE];
        valueless += job.comparisons[i - 1].counts[OM_VERDICT_NO_VALUE];
    }
    if (code == OM_EXIT_OK && compared == 0) {
        fprintf(stderr, "opmark: nothing was compared%s\n",
                seen > 0        ? ": no row is comparable"
                : valueless > 0 ? ": no row has a value on both sides"
                                : ": the sides have no row in common");
        code = OM_EXIT_ENVIRONMENT;
    }
    om__compare_job_release(&job);
    return code;
}

const om_command om__cmd_compare = {
    .name = "compare",
    .summary = "compare two or more runs, row by row, with verdicts",
    .operands = "BASE NEW…",
    .details =
        "A side is a record file (.jsonl, .jsonl.zst), a folder (its records.jsonl, or all its "
        "tables), stored records (store:QUERY, as in store:file=lab.db,commit=abc), results that "
        "`opmark import` reads (Google Benchmark, nvbench, pytest-benchmark, hyperfine, asv, "
        "Criterion.rs, cargo-criterion, go test -bench), or another tool's table: the CSVs of "
        "Transformer Engine's microbenchmarks, case,impl,sample,ms as CSV or JSON Lines, or any "
        "table with --map.\n\n"
        "ratio is new speed / base speed: above 1 the new side is better. Rows are called slower "
        "or faster only when several launches of both sides say so, with control over all rows; "
        "one launch a side shows ratios and decides nothing. docs/measuring.md explains the "
        "verdicts.",
    OM_OPTIONS(options),
    .config_size = sizeof(compare_config),
    .run = run_compare,
};
