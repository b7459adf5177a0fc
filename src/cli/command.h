/* SPDX-License-Identifier: Apache-2.0 */
/* command.h: the commands of the program and the one option table each has.
 *
 * The table serves parsing, --help, the man page and shell completion. A command is one file
 * cmd_<name>.c that defines an om_command, and one line in commands.def.
 */
#ifndef OM_CLI_COMMAND_H
#define OM_CLI_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "opmark/status.h"

/* Exit codes, the closed table of docs/using.md. */
enum {
    OM_EXIT_OK = 0,
    OM_EXIT_FOUND =
        1, /* run: an own row failed; gate: trips; doctor: something spoils measurements */
    OM_EXIT_USAGE = 2,       /* usage, unreadable or malformed input */
    OM_EXIT_ENVIRONMENT = 3, /* no device, no database, cannot write; nothing could be compared */
    OM_EXIT_INTERRUPTED = 130,
};

typedef enum om_option_kind {
    OM_OPTION_FLAG,  /* bool */
    OM_OPTION_TEXT,  /* const char * */
    OM_OPTION_INT,   /* int64_t */
    OM_OPTION_LIST,  /* om_words: may be given several times; "a,b" counts as two */
    OM_OPTION_TEXTS, /* om_words: may be given several times; commas are text */
} om_option_kind;

typedef struct om_words {
    const char **items;
    size_t count;
} om_words;

typedef struct om_option {
    const char *name; /* without the dashes */
    char letter;      /* 0: none */
    om_option_kind kind;
    size_t offset;          /* in the command's configuration struct */
    const char *value_name; /* "DIR", "N"; NULL for flags */
    const char *standard;   /* the value when not given, as text; NULL: zero */
    const char *const
        *words; /* allowed values, NULL-ended, for completion and checking; NULL: any */
    const char *help;
} om_option;

typedef struct om_command {
    const char *name;
    const char *summary;  /* one line */
    const char *operands; /* "FILE…", "[OP [KEY=VALUE…]]", or "" */
    const char *details;  /* paragraphs for --help and the man page; NULL: none */
    const om_option *options;
    size_t option_count;
    size_t config_size;
    bool hidden; /* internal: not in help or completion */
    /* config is the filled struct; operands are what is left. Returns an exit code. */
    int (*run)(void *config, const om_words *operands);
} om_command;

#define OM_OPTIONS(array) .options = (array), .option_count = sizeof(array) / sizeof(array)[0]

/* commands.def holds one OM_COMMAND(name) line a command; cmd_<name>.c defines om__cmd_<name>. */
#define OM_COMMAND(name) extern const om_command om__cmd_##name;
#include "cli/commands.def"
#undef OM_COMMAND

const om_command *const *om__commands_get(size_t *count);
const om_command *om__command_find(const char *name); /* NULL: none of that name */

/* The whole program: argv[0] is its name. Returns an exit code. */
int om__cli_main(int argc, char **argv);

/* Prints "opmark: file:line: text" to stderr and returns the exit code that fits the status.
 * om__cli_fail_input is for what the user gave to be read: there an OM_IO is exit code 2. */
int om__cli_fail(const om_error *err);
int om__cli_fail_input(const om_error *err);
/* Prints "opmark COMMAND: text" and a pointer to --help to stderr; returns OM_EXIT_USAGE. */
/* Prints one line that may hold names from files: what could steer a terminal is shown as text. The
 * format ends without a line break. */
void om__cli_say(FILE *to, const char *format, ...) OM_PRINTF(2, 3);
int om__cli_usage(const om_command *command, const char *format, ...) OM_PRINTF(2, 3);
/* Where the program finds its own files, relative to itself: the build folder, an installation or
 * a bundle. name is "workloads", "python" or "lib"; the result is to be freed. OM_IO: not there. */
om_status om__cli_find(const char *name, char **path, om_error *err);

#endif
