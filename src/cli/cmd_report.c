/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_report.c: `opmark report FILE…`. */
#include <stdio.h>

#include "base/error.h"
#include "cli/command.h"
#include "cli/output.h"

typedef struct report_config {
    const char *format, *out, *targets;
    bool rerun, all_runs, defuse, lenient;
} report_config;

static const om_option options[] = {
    {"format", 'f', OM_OPTION_TEXT, offsetof(report_config, format), "FORMAT", "terminal",
     om__format_words, "form of the report"},
    {"out", 'o', OM_OPTION_TEXT, offsetof(report_config, out), "FILE", NULL, NULL,
     "write to FILE instead of standard output"},
    {"targets", 0, OM_OPTION_TEXT, offsetof(report_config, targets), "FILE.csv", NULL, NULL,
     "print beside the ratios a ticket: times of FILE.csv (op, workload, reach_us, rival_us, "
     "yardstick_us), taken elsewhere, divided by ours"},
    {"rerun", 0, OM_OPTION_FLAG, offsetof(report_config, rerun), NULL, NULL, NULL,
     "on the terminal: the line that reruns it under each row, not only under those that want "
     "attention"},
    {"all-runs", 0, OM_OPTION_FLAG, offsetof(report_config, all_runs), NULL, NULL, NULL,
     "show the rows of older runs too, not the newest of each row only"},
    {"defuse", 0, OM_OPTION_FLAG, offsetof(report_config, defuse), NULL, NULL, NULL,
     "in CSV: put a ' before cells that a spreadsheet would take for a formula"},
    {"lenient", 0, OM_OPTION_FLAG, offsetof(report_config, lenient), NULL, NULL, NULL,
     "skip and count lines that are no records"},
};

static om_status read_records(const om_words *files, bool lenient, om_record_set *records,
                              om_error *err)
{
    for (size_t i = 0; i < files->count; i++)
        OM_TRY(om__records_read(files->items[i], lenient, records, err));
    return OM_OK;
}

static om_status write_report(const report_config *config, const om_record_set *records,
                              const om_targets *targets, om_error *err)
{
    om_contest_options contest_options = {.all_runs = config->all_runs};
    om_format_options format_options = om__output_options(config->out);
    format_options.rerun = config->rerun;
    format_options.defuse = config->defuse;
    om_contest contest = {0};
    om_document document = {0};
    om_text text = {0};
    om_status status = om__contest_init(records, &contest_options, &contest, err);
    if (status == OM_OK)
        status = om__contest_document(records, &contest, targets, &document, err);
    if (status == OM_OK)
        status = om__document_write(&document, om__format_find(config->format), &format_options,
                                    &text, err);
    if (status == OM_OK)
        status = om__output_write(config->out, &text, err);
    om__text_release(&text);
    om__document_release(&document);
    om__contest_release(&contest);
    return status;
}

static int run_report(void *config_pointer, const om_words *operands)
{
    const report_config *config = config_pointer;
    if (operands->count == 0)
        return om__cli_usage(&om__cmd_report, "no record file; try opmark-results/records.jsonl");
    om_record_set records = {0};
    om_targets targets = {0};
    om_error err = {0};
    int code = OM_EXIT_OK;
    if (read_records(operands, config->lenient, &records, &err) != OM_OK ||
        (config->targets != NULL && om__targets_read(config->targets, &targets, &err) != OM_OK)) {
        code = om__cli_fail_input(&err);
    } else if (records.count == 0) {
        for (size_t i = 0; i < records.warnings.count; i++)
            om__cli_say(stderr, "opmark: %s: %s", records.warnings.items[i].key,
                        records.warnings.items[i].value);
        om__cli_say(stderr, "opmark: no record in %s", operands->items[0]);
        code = OM_EXIT_ENVIRONMENT;
    } else if (write_report(config, &records, config->targets != NULL ? &targets : NULL, &err) !=
               OM_OK) {
        code = om__cli_fail(&err);
    }
    om__targets_release(&targets);
    om__record_set_release(&records);
    return code;
}

const om_command om__cmd_report = {
    .name = "report",
    .summary = "show what record files hold: ours against theirs",
    .operands = "FILE…",
    .details =
        "Reads record files (.jsonl, .jsonl.zst, or a folder's records.jsonl) and prints, for "
        "each case, our time, the ratio to the fastest competitor with its interval and "
        "verdict, and the others. Above 1 ours is faster. docs/measuring.md explains every "
        "column.",
    OM_OPTIONS(options),
    .config_size = sizeof(report_config),
    .run = run_report,
};
