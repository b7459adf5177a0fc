/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_doctor.c: `opmark doctor`: is this machine fit to measure, and what is missing? */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/command.h"
#include "cli/doctor.h"
#include "cli/option.h"
#include "cli/terminal.h"
#include "report/escape.h"

typedef struct doctor_config {
    bool json;
} doctor_config;

static const om_option options[] = {
    {"json", 0, OM_OPTION_FLAG, offsetof(doctor_config, json), NULL, NULL, NULL,
     "print one JSON object"},
};

static void (*const checks[])(om_findings *findings) = {
    om__doctor_build,    om__doctor_files,      om__doctor_processor, om__doctor_topology,
    om__doctor_settings, om__doctor_variables,  om__doctor_memory,    om__doctor_load,
    om__doctor_clock,    om__doctor_steadiness, om__doctor_providers, om__doctor_devices,
    om__doctor_parts,
};

static const char *const kind_words[OM_FINDING_KINDS] = {"fact", "caution", "absent", "spoils",
                                                         "missing"};

void om__finding_add(om_findings *findings, om_finding_kind kind, const char *area,
                     const char *advice, const char *format, ...)
{
    if (findings->count == findings->capacity) {
        size_t capacity = findings->capacity == 0 ? 32 : findings->capacity * 2;
        om_finding *items = realloc(findings->items, capacity * sizeof *items);
        if (items == NULL) {
            findings->failed = true;
            return;
        }
        findings->items = items;
        findings->capacity = capacity;
    }
    om_finding *finding = &findings->items[findings->count++];
    *finding = (om_finding){.kind = kind};
    snprintf(finding->area, sizeof finding->area, "%s", area);
    snprintf(finding->advice, sizeof finding->advice, "%s", advice != NULL ? advice : "");
    va_list args;
    va_start(args, format);
    vsnprintf(finding->text, sizeof finding->text, format, args);
    va_end(args);
}

static size_t count_of(const om_findings *findings, om_finding_kind kind)
{
    size_t count = 0;
    for (size_t i = 0; i < findings->count; i++)
        count += findings->items[i].kind == kind;
    return count;
}

static int exit_code_of(const om_findings *findings)
{
    if (count_of(findings, OM_FINDING_MISSING) > 0)
        return OM_EXIT_ENVIRONMENT;
    return count_of(findings, OM_FINDING_SPOILS) > 0 ? OM_EXIT_FOUND : OM_EXIT_OK;
}

static void add_verdict(const om_findings *findings, om_text *out)
{
    size_t missing = count_of(findings, OM_FINDING_MISSING);
    size_t spoils = count_of(findings, OM_FINDING_SPOILS);
    if (missing > 0)
        om__text_addf(out, "Not fit: %zu needed %s missing.", missing,
                      missing == 1 ? "part is" : "parts are");
    else if (spoils > 0)
        om__text_addf(out, "Not fit to measure now: %zu %s measurements.", spoils,
                      spoils == 1 ? "thing spoils" : "things spoil");
    else
        om__text_add(out, "Fit to measure.");
}

static void print_text(const om_findings *findings, om_text *out)
{
    static const char *const colours[OM_FINDING_KINDS] = {"", "\x1b[33m", "\x1b[2m", "\x1b[31m",
                                                          "\x1b[31m"};
    bool colour = om__terminal_has_colour(stdout);
    int width = om__terminal_text_width();
    enum { INDENT = 23 };
    for (size_t i = 0; i < findings->count; i++) {
        const om_finding *finding = &findings->items[i];
        const char *word = finding->kind == OM_FINDING_FACT ? "" : kind_words[finding->kind];
        om__text_addf(out, "%-13s %s%-8s%s ", finding->area, colour ? colours[finding->kind] : "",
                      word, colour ? "\x1b[0m" : "");
        om__text_add_wrapped(out, finding->text, INDENT, width);
        om__text_add_char(out, '\n');
        if (finding->advice[0] != '\0') {
            om__text_addf(out, "%*s", INDENT, "");
            om__text_add_wrapped(out, finding->advice, INDENT, width);
            om__text_add_char(out, '\n');
        }
    }
    om__text_add_char(out, '\n');
    add_verdict(findings, out);
    om__text_add_char(out, '\n');
}

static void print_json(const om_findings *findings, om_text *out)
{
    om_text verdict = {0};
    add_verdict(findings, &verdict);
    om__text_addf(
        out, "{\n  \"schema\": 1,\n  \"exit_code\": %d,\n  \"verdict\": ", exit_code_of(findings));
    om__escape_json(out, verdict.data != NULL ? verdict.data : "");
    om__text_release(&verdict);
    om__text_add(out, ",\n  \"findings\": [");
    for (size_t i = 0; i < findings->count; i++) {
        const om_finding *finding = &findings->items[i];
        om__text_addf(out, "%s\n    {\"kind\": \"%s\", \"area\": ", i > 0 ? "," : "",
                      kind_words[finding->kind]);
        om__escape_json(out, finding->area);
        om__text_add(out, ", \"text\": ");
        om__escape_json(out, finding->text);
        om__text_add(out, ", \"advice\": ");
        om__escape_json(out, finding->advice);
        om__text_add(out, "}");
    }
    om__text_add(out, "\n  ]\n}\n");
}

static int run_doctor(void *config_pointer, const om_words *operands)
{
    const doctor_config *config = config_pointer;
    if (operands->count > 0)
        return om__cli_usage(&om__cmd_doctor, "takes no operands");
    om_findings findings = {0};
    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++)
        checks[i](&findings);
    om_text out = {0};
    if (config->json)
        print_json(&findings, &out);
    else
        print_text(&findings, &out);
    om_error err;
    int code = exit_code_of(&findings);
    if (findings.failed)
        out.failed = true;
    if (om__text_check(&out, &err) != OM_OK)
        code = om__cli_fail(&err);
    else
        fputs(out.data, stdout);
    om__text_release(&out);
    free(findings.items);
    return code;
}

const om_command om__cmd_doctor = {
    .name = "doctor",
    .summary = "tell whether this machine is fit to measure, and what is missing",
    .operands = "",
    .details =
        "Looks at the processor, its caches and settings, who else uses the cores, the clock, "
        "how evenly a fixed piece of work runs, the rivals found with their thread runtimes, "
        "devices, and the optional parts of this build with the packages that bring them. "
        "Takes about two seconds.\n\nExit code 0: fit; 1: something spoils measurements; 3: a "
        "needed part is missing.",
    OM_OPTIONS(options),
    .config_size = sizeof(doctor_config),
    .run = run_doctor,
};
