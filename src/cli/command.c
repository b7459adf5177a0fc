/* SPDX-License-Identifier: Apache-2.0 */
/* command.c: the list of commands, the way from an argument vector to one of them, and how a
 * command says that it failed. */
#include "cli/command.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/build.h"
#include "base/error.h"
#include "base/text.h"
#include "base/width.h"
#include "cli/option.h"
#include "cli/terminal.h"
#include "opmark/opmark.h"

static const om_command *const commands[] = {
#define OM_COMMAND(name) &om__cmd_##name,
#include "cli/commands.def"
#undef OM_COMMAND
};

enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

const om_command *const *om__commands_get(size_t *count)
{
    *count = COMMAND_COUNT;
    return commands;
}

const om_command *om__command_find(const char *name)
{
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

static int exit_code_of(om_status status)
{
    switch (status) {
    case OM_OK:
        return OM_EXIT_OK;
    case OM_INVALID:
    case OM_PARSE:
        return OM_EXIT_USAGE;
    default:
        return OM_EXIT_ENVIRONMENT;
    }
}

int om__cli_fail(const om_error *err)
{
    char line[sizeof err->text + sizeof err->file + 32];
    om_text shown = {0}; /* names from files stand in it */
    om__text_add_visible(&shown, om__error_format(err, line, sizeof line));
    fflush(stdout);
    fprintf(stderr, "opmark: %s\n", shown.failed ? line : shown.data);
    om__text_release(&shown);
    return exit_code_of(err->code);
}

void om__cli_say(FILE *to, const char *format, ...)
{
    om_text shown = {0};
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int size = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *text = size < 0 ? NULL : malloc((size_t)size + 1);
    if (text != NULL) {
        vsnprintf(text, (size_t)size + 1, format, again);
        om__text_add_visible(&shown, text);
        fprintf(to, "%s\n", shown.data != NULL ? shown.data : "");
    }
    va_end(again);
    free(text);
    om__text_release(&shown);
}

int om__cli_fail_input(const om_error *err)
{
    int code = om__cli_fail(err);
    return err->code == OM_IO ? OM_EXIT_USAGE : code;
}

int om__cli_usage(const om_command *command, const char *format, ...)
{
    fflush(stdout);
    fprintf(stderr, "opmark %s: ", command->name);
    va_list args;
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fprintf(stderr, "\nTry 'opmark %s --help'.\n", command->name);
    return OM_EXIT_USAGE;
}

static int print_version(void)
{
    printf("opmark %s\n", om_version());
    printf("commit    %s\n", om__build_commit());
    printf("compiler  %s, %s\n", om__build_compiler(), om__build_type());
    printf("parts     %s\n", om__build_parts());
    printf("missing   %s\n", om__build_missing()[0] != '\0' ? om__build_missing() : "nothing");
    return OM_EXIT_OK;
}

static int unknown_command(const char *name)
{
    const char *names[COMMAND_COUNT];
    size_t count = 0;
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (!commands[i]->hidden)
            names[count++] = commands[i]->name;
    const char *near = om__closest_word(name, names, count);
    fprintf(stderr, "opmark: unknown %s '%s'", name[0] == '-' ? "option" : "command", name);
    if (near != NULL)
        fprintf(stderr, "; did you mean %s?", near);
    fprintf(stderr, "\nTry 'opmark help'.\n");
    return OM_EXIT_USAGE;
}

static int run_command(const om_command *command, int argc, char **argv)
{
    om_arguments arguments;
    om_error err = {0};
    int code;
    if (om__arguments_parse(command, argc, argv, &arguments, &err) != OM_OK) {
        code = om__cli_usage(command, "%s", err.text);
    } else if (arguments.help) {
        om_text page = {0};
        om__command_help(command, om__terminal_text_width(), &page);
        fputs(page.data != NULL ? page.data : "", stdout);
        om__text_release(&page);
        code = OM_EXIT_OK;
    } else {
        code = command->run(arguments.config, &arguments.operands);
    }
    om__arguments_release(command, &arguments);
    return code;
}

/* What stdio could not write (a full disk behind a redirection) must not read as success. */
static int check_output(int code)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    fprintf(stderr, "opmark: cannot write the output: %s\n", strerror(errno));
    return code == OM_EXIT_OK ? OM_EXIT_ENVIRONMENT : code;
}

int om__cli_main(int argc, char **argv)
{
    signal(SIGCHLD, SIG_DFL); /* a parent that ignores it would hide how our children end */
    if (argc < 2) {
        om__cmd_help.run(NULL, &(om_words){0});
        return check_output(OM_EXIT_USAGE);
    }
    const char *name = argv[1];
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0)
        return check_output(print_version());
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        name = "help";
    const om_command *command = om__command_find(name);
    if (command == NULL)
        return unknown_command(name);
    return check_output(run_command(command, argc - 2, argv + 2));
}
