/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_help.c: `opmark help [COMMAND]`. */
#include <stdio.h>

#include "cli/command.h"
#include "cli/option.h"
#include "cli/terminal.h"

static void print_overview(void)
{
    size_t count;
    const om_command *const *commands = om__commands_get(&count);
    int width = om__terminal_text_width();
    om_text page = {0};
    om__text_add_wrapped(&page,
                         "opmark: measures the operators of large language models, and tells "
                         "whether they got slower.",
                         0, width);
    om__text_add(&page, "\n\nUsage: opmark COMMAND [OPTION…]\n\nCommands:\n");
    for (size_t i = 0; i < count; i++) {
        if (commands[i]->hidden)
            continue;
        om__text_addf(&page, "  %-12s", commands[i]->name);
        om__text_add_wrapped(&page, commands[i]->summary, 14, width);
        om__text_add_char(&page, '\n');
    }
    om__text_add(&page,
                 "\n'opmark help COMMAND' explains one of them; 'opmark --version' tells what "
                 "was built.\n");
    fputs(page.data != NULL ? page.data : "", stdout);
    om__text_release(&page);
}

static int run_help(void *config, const om_words *operands)
{
    (void)config;
    if (operands->count == 0) {
        print_overview();
        return OM_EXIT_OK;
    }
    if (operands->count > 1)
        return om__cli_usage(&om__cmd_help, "one command at a time");
    const om_command *command = om__command_find(operands->items[0]);
    if (command == NULL)
        return om__cli_usage(&om__cmd_help, "there is no command '%s'", operands->items[0]);
    om_text page = {0};
    om__command_help(command, om__terminal_text_width(), &page);
    fputs(page.data != NULL ? page.data : "", stdout);
    om__text_release(&page);
    return OM_EXIT_OK;
}

const om_command om__cmd_help = {
    .name = "help",
    .summary = "list the commands, or explain one",
    .operands = "[COMMAND]",
    .run = run_help,
};
