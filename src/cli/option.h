/* SPDX-License-Identifier: Apache-2.0 */
/* option.h: reading an argument vector by a command's option table, and printing that table. */
#ifndef OM_CLI_OPTION_H
#define OM_CLI_OPTION_H

#include <stdbool.h>

#include "base/text.h"
#include "cli/command.h"

typedef struct om_arguments {
    void *config;      /* config_size bytes, filled as the table says */
    om_words operands; /* what is no option */
    bool help;         /* --help was given: nothing else was checked after it */
    char **owned;      /* copies that lists point into */
    size_t owned_count;
} om_arguments;

/* Reads argv[0..argc) (the command's name is not among them). Texts point into argv, which must
 * outlive the result. OM_INVALID with the option named; `arguments` is to be released in any case.
 */
om_status om__arguments_parse(const om_command *command, int argc, char *const *argv,
                              om_arguments *arguments, om_error *err);
void om__arguments_release(const om_command *command, om_arguments *arguments);

/* "-n, --launches N" */
void om__option_format(const om_option *option, om_text *out);
/* The help page of a command, wrapped at `width` columns. */
void om__command_help(const om_command *command, int width, om_text *out);
/* Adds `words`, folded at `width` columns, each line but the first indented by `indent` blanks.
 * Line breaks in `words` are kept. */
void om__text_add_wrapped(om_text *out, const char *words, int indent, int width);

#endif
