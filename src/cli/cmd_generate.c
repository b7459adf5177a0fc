/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_generate.c: `opmark generate man|bash|zsh|fish [COMMAND]`: what an installation lays down
 * beside the program; the build runs it. */
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/generate.h"

static int run_generate(void *config, const om_words *operands)
{
    (void)config;
    const char *what = operands->count > 0 ? operands->items[0] : "";
    om_text out = {0};
    if (strcmp(what, "bash") == 0) {
        om__completion_bash(&out);
    } else if (strcmp(what, "zsh") == 0) {
        om__completion_zsh(&out);
    } else if (strcmp(what, "fish") == 0) {
        om__completion_fish(&out);
    } else if (strcmp(what, "man") == 0 && operands->count == 1) {
        om__man_overview(&out);
    } else if (strcmp(what, "man") == 0) {
        const om_command *command = om__command_find(operands->items[1]);
        if (command == NULL)
            return om__cli_usage(&om__cmd_generate, "there is no command '%s'", operands->items[1]);
        om__man_command(command, &out);
    } else if (strcmp(what, "names") == 0) {
        size_t count;
        const om_command *const *commands = om__commands_get(&count);
        for (size_t i = 0; i < count; i++)
            if (!commands[i]->hidden)
                om__text_addf(&out, "%s\n", commands[i]->name);
    } else {
        return om__cli_usage(&om__cmd_generate, "man, bash, zsh, fish or names?");
    }
    om_error err;
    if (om__text_check(&out, &err) != OM_OK)
        return om__cli_fail(&err);
    fputs(out.data, stdout);
    om__text_release(&out);
    return OM_EXIT_OK;
}

const om_command om__cmd_generate = {
    .name = "generate",
    .summary = "print man pages and shell completion",
    .operands = "man|bash|zsh|fish|names [COMMAND]",
    .hidden = true,
    .run = run_generate,
};
