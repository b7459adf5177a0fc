/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_export.c: `opmark export`: records in the formats of other tools. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/side_openers.h"
#include "store/export.h"

typedef struct config {
    const char *format, *out;
    bool lenient;
} config;

static const om_option options[] = {
    {"format", 'f', OM_OPTION_TEXT, offsetof(config, format), "FORMAT", "csv", NULL,
     "csv, google-benchmark, prometheus or asv"},
    {"out", 'o', OM_OPTION_TEXT, offsetof(config, out), "PATH", NULL, NULL,
     "write to this file (asv: into this folder) instead of standard output"},
    {"lenient", 0, OM_OPTION_FLAG, offsetof(config, lenient), NULL, NULL, NULL,
     "skip lines that are no records"},
};

static om_status export_records(const config *c, const om_exporter *exporter,
                                const om_record_set *set, om_error *err)
{
    size_t left_out = 0;
    om_status status;
    if (exporter->write_folder != NULL) {
        status = exporter->write_folder(set, c->out, &left_out, err);
    } else {
        om_text out = {0};
        status = exporter->write(set, &out, &left_out, err);
        if (status == OM_OK)
            status = om__output_write(c->out, &out, err);
        om__text_release(&out);
    }
    if (status == OM_OK && left_out > 0)
        fprintf(stderr, "opmark: %zu of %zu records left out: %s cannot hold them\n", left_out,
                set->count, exporter->name);
    return status;
}

static int unknown_format(const char *format)
{
    size_t count;
    const om_exporter *const *exporters = om__exporters_get(&count);
    om_text list = {0};
    for (size_t i = 0; i < count; i++)
        om__text_addf(&list, "%s%s", i == 0 ? "" : ", ", exporters[i]->name);
    int code = om__cli_usage(&om__cmd_export, "--format %s: not one of %s", format,
                             list.data != NULL ? list.data : "");
    om__text_release(&list);
    return code;
}

static int run_export(void *config_pointer, const om_words *operands)
{
    const config *c = config_pointer;
    const om_exporter *exporter = om__exporter_find(c->format);
    om_side side = {0};
    om_error err;
    size_t count;
    int code = OM_EXIT_OK;
    if (operands->count != 1)
        return om__cli_usage(&om__cmd_export, "one record file, folder or store query");
    if (exporter == NULL)
        return unknown_format(c->format);
    if (exporter->write_folder != NULL && c->out == NULL)
        return om__cli_usage(&om__cmd_export, "%s is a folder: name it with --out", exporter->name);
    const om_side_opener *openers = om__side_openers_get(&count);
    om_side_options side_options = {.lenient = c->lenient};
    if (om__side_open(operands->items[0], &side_options, openers, count, &side, &err) != OM_OK)
        return om__cli_fail_input(&err);
    if (export_records(c, exporter, &side.set, &err) != OM_OK)
        code = om__cli_fail(&err);
    om__side_release(&side);
    return code;
}

const om_command om__cmd_export = {
    .name = "export",
    .summary = "write records in the formats of other tools",
    .operands = "FILE|DIR|store:QUERY",
    .details = "csv has one line a sample and is read back by `opmark compare`; google-benchmark "
               "makes every sample a repetition; prometheus gives medians to a collector; asv "
               "writes a folder of results. What a format cannot hold is left out and counted.",
    OM_OPTIONS(options),
    .config_size = sizeof(config),
    .run = run_export,
};
