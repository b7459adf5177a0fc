/* SPDX-License-Identifier: Apache-2.0 */
/* generate_man.c: man pages from the option tables. */
#include "cli/generate.h"
#include "opmark/opmark.h"

/* Text in roff: what its language gives a meaning is escaped; a line that would begin with a dot or
 * quote gets a zero-width start. */
static void add_roff(om_text *out, const char *text)
{
    for (const char *c = text; *c != '\0'; c++) {
        bool at_start = out->size == 0 || out->data[out->size - 1] == '\n';
        if (at_start && (*c == '.' || *c == '\''))
            om__text_add(out, "\\&");
        if (*c == '\\')
            om__text_add(out, "\\e");
        else if (*c == '-')
            om__text_add(out, "\\-");
        else if (*c == '\n')
            om__text_add(out, c[1] == '\n' ? "\n" : "\n.br\n");
        else
            om__text_add_char(out, *c);
    }
}

static void add_header(om_text *out, const char *page)
{
    om__text_addf(out, ".TH %s 1 \"\" \"opmark %s\" \"opmark manual\"\n", page, om_version());
}

static void add_exit_codes(om_text *out)
{
    om__text_add(out, ".SH EXIT STATUS\n.TP\n.B 0\ndone; doctor: fit to measure; gate: passes\n"
                      ".TP\n.B 1\nrun, verify: a row of our own is wrong, crashed, timed out or "
                      "ended in an error; gate: trips; doctor: something spoils measurements\n"
                      ".TP\n.B 2\nusage, or input that cannot be read or is malformed\n"
                      ".TP\n.B 3\nenvironment: no device, no database, cannot write; nothing could "
                      "be compared\n"
                      ".TP\n.B 130\ninterrupted: what was finished is written\n");
}

void om__man_overview(om_text *out)
{
    size_t count;
    const om_command *const *commands = om__commands_get(&count);
    add_header(out, "OPMARK");
    om__text_add(out, ".SH NAME\nopmark \\- measure the operators of large language models\n"
                      ".SH SYNOPSIS\n.B opmark\n.I COMMAND\n[\\fIOPTION\\fR]...\n.br\n"
                      ".B opmark \\-\\-version\n"
                      ".SH COMMANDS\n");
    for (size_t i = 0; i < count; i++) {
        if (commands[i]->hidden)
            continue;
        om__text_addf(out, ".TP\n.BR opmark\\-%s (1)\n", commands[i]->name);
        add_roff(out, commands[i]->summary);
        om__text_add(out, "\n");
    }
    add_exit_codes(out);
}

static void add_option(om_text *out, const char *name, char letter, const char *value)
{
    om__text_add(out, ".TP\n");
    if (letter != 0)
        om__text_addf(out, "\\fB\\-%c\\fR, ", letter);
    om__text_add(out, "\\fB\\-\\-");
    add_roff(out, name);
    om__text_add(out, "\\fR");
    if (value != NULL) {
        om__text_add(out, " \\fI");
        add_roff(out, value);
        om__text_add(out, "\\fR");
    }
    om__text_add(out, "\n");
}

void om__man_command(const om_command *command, om_text *out)
{
    om_text page = {0};
    om__text_addf(&page, "OPMARK-%s", command->name);
    for (size_t i = 0; i < page.size; i++)
        if (page.data[i] >= 'a' && page.data[i] <= 'z')
            page.data[i] = (char)(page.data[i] - 'a' + 'A');
    add_header(out, page.failed ? "OPMARK" : page.data);
    om__text_release(&page);
    om__text_addf(out, ".SH NAME\nopmark\\-%s \\- ", command->name);
    add_roff(out, command->summary);
    om__text_addf(out, "\n.SH SYNOPSIS\n.B opmark %s\n", command->name);
    if (command->option_count > 0)
        om__text_add(out, "[\\fIOPTION\\fR]...\n");
    add_roff(out, command->operands);
    om__text_add(out, "\n");
    if (command->details != NULL) {
        om__text_add(out, ".SH DESCRIPTION\n");
        add_roff(out, command->details);
        om__text_add(out, "\n");
    }
    om__text_add(out, ".SH OPTIONS\n");
    for (size_t i = 0; i < command->option_count; i++) {
        const om_option *option = &command->options[i];
        add_option(out, option->name, option->letter, option->value_name);
        add_roff(out, option->help);
        for (size_t w = 0; option->words != NULL && option->words[w] != NULL; w++) {
            om__text_add(out, w == 0 ? ": " : ", ");
            add_roff(out, option->words[w]);
        }
        if (option->standard != NULL && option->kind != OM_OPTION_FLAG) {
            om__text_add(out, " [");
            add_roff(out, option->standard);
            om__text_add(out, "]");
        }
        om__text_add(out, "\n");
    }
    add_option(out, "help", 'h', NULL);
    om__text_add(out, "print the help page\n");
    add_exit_codes(out);
    om__text_add(out, ".SH SEE ALSO\n.BR opmark (1)\n");
}
