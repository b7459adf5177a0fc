/* SPDX-License-Identifier: Apache-2.0 */
/* generate_completion.c: completion for bash, zsh and fish from the option tables. */
#include <string.h>

#include "cli/generate.h"

static bool takes_file(const om_option *option)
{
    return option->value_name != NULL && (strstr(option->value_name, "FILE") != NULL ||
                                          strstr(option->value_name, "DIR") != NULL);
}

/* Text within single quotes of a shell. In zsh's descriptions brackets and colons end a part. */
static void add_quoted(om_text *out, const char *text, const char *escape)
{
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '\'')
            om__text_add(out, "'\\''");
        else if (strchr(escape, *c) != NULL)
            om__text_addf(out, "\\%c", *c);
        else
            om__text_add_char(out, *c == '\n' ? ' ' : *c);
    }
}

static void add_words(om_text *out, const om_option *option)
{
    for (size_t i = 0; option->words[i] != NULL; i++)
        om__text_addf(out, "%s%s", i > 0 ? " " : "", option->words[i]);
}

static void bash_command(om_text *out, const om_command *command)
{
    om__text_addf(out, "    %s)\n        options='--help", command->name);
    for (size_t i = 0; i < command->option_count; i++)
        om__text_addf(out, " --%s", command->options[i].name);
    om__text_add(out, "'\n        case $previous in\n");
    for (size_t i = 0; i < command->option_count; i++) {
        const om_option *option = &command->options[i];
        if (option->kind == OM_OPTION_FLAG)
            continue;
        om__text_addf(out, "        --%s", option->name);
        if (option->letter != 0)
            om__text_addf(out, "|-%c", option->letter);
        om__text_add(out, ") ");
        if (option->words != NULL) {
            om__text_add(out, "COMPREPLY=($(compgen -W '");
            add_words(out, option);
            om__text_add(out, "' -- \"$word\")); return ;;\n");
        } else if (takes_file(option)) {
            om__text_add(out, "COMPREPLY=($(compgen -f -- \"$word\")); return ;;\n");
        } else {
            om__text_add(out, "return ;;\n");
        }
    }
    om__text_add(out, "        esac ;;\n");
}

void om__completion_bash(om_text *out)
{
    size_t count;
    const om_command *const *commands = om__commands_get(&count);
    om__text_add(out, "# bash completion for opmark, generated from its option tables\n"
                      "_opmark() {\n"
                      "    local word=${COMP_WORDS[COMP_CWORD]} previous options commands\n"
                      "    previous=${COMP_WORDS[COMP_CWORD-1]}\n"
                      "    COMPREPLY=()\n"
                      "    commands='");
    for (size_t i = 0, added = 0; i < count; i++)
        if (!commands[i]->hidden)
            om__text_addf(out, "%s%s", added++ > 0 ? " " : "", commands[i]->name);
    om__text_add(out, "'\n"
                      "    if ((COMP_CWORD == 1)) || [[ ${COMP_WORDS[1]} == help ]]; then\n"
                      "        COMPREPLY=($(compgen -W \"$commands --help --version\" -- "
                      "\"$word\"))\n"
                      "        return\n"
                      "    fi\n"
                      "    case ${COMP_WORDS[1]} in\n");
    for (size_t i = 0; i < count; i++)
        if (!commands[i]->hidden)
            bash_command(out, commands[i]);
    om__text_add(out, "    esac\n"
                      "    if [[ $word == -* ]]; then\n"
                      "        COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
                      "    else\n"
                      "        COMPREPLY=($(compgen -f -- \"$word\"))\n"
                      "    fi\n"
                      "}\n"
                      "complete -o filenames -F _opmark opmark\n");
}

static void zsh_option(om_text *out, const om_option *option)
{
    bool many = option->kind == OM_OPTION_LIST || option->kind == OM_OPTION_TEXTS;
    om__text_addf(out, " \\\n            '%s--%s%s[", many ? "*" : "", option->name,
                  option->kind != OM_OPTION_FLAG ? "=" : "");
    add_quoted(out, option->help, "[]:\\");
    om__text_add(out, "]");
    if (option->kind != OM_OPTION_FLAG) {
        om__text_add(out, ":");
        add_quoted(out, option->value_name, "[]:\\");
        om__text_add(out, ":");
        if (option->words != NULL) {
            om__text_add(out, "(");
            add_words(out, option);
            om__text_add(out, ")");
        } else if (takes_file(option)) {
            om__text_add(out, "_files");
        }
    }
    om__text_add(out, "'");
}

void om__completion_zsh(om_text *out)
{
    size_t count;
    const om_command *const *commands = om__commands_get(&count);
    om__text_add(out, "#compdef opmark\n"
                      "# zsh completion for opmark, generated from its option tables\n"
                      "_opmark() {\n"
                      "    local -a commands\n"
                      "    commands=(\n");
    for (size_t i = 0; i < count; i++) {
        if (commands[i]->hidden)
            continue;
        om__text_addf(out, "        '%s:", commands[i]->name);
        add_quoted(out, commands[i]->summary, ":\\");
        om__text_add(out, "'\n");
    }
    om__text_add(out, "    )\n"
                      "    if ((CURRENT == 2)); then\n"
                      "        _describe command commands\n"
                      "        return\n"
                      "    fi\n"
                      "    local command=$words[2]\n"
                      "    shift words\n"
                      "    ((CURRENT--))\n"
                      "    case $command in\n");
    for (size_t i = 0; i < count; i++) {
        if (commands[i]->hidden)
            continue;
        om__text_addf(out, "    %s)\n        _arguments '--help[print the help page]'",
                      commands[i]->name);
        for (size_t o = 0; o < commands[i]->option_count; o++)
            zsh_option(out, &commands[i]->options[o]);
        om__text_add(out, " \\\n            '*:operand:_files' ;;\n");
    }
    om__text_add(out, "    esac\n}\n_opmark \"$@\"\n");
}

void om__completion_fish(om_text *out)
{
    size_t count;
    const om_command *const *commands = om__commands_get(&count);
    om__text_add(out, "# fish completion for opmark, generated from its option tables\n"
                      "complete -c opmark -n __fish_use_subcommand -f -l version -d 'what was "
                      "built'\n");
    for (size_t i = 0; i < count; i++) {
        const om_command *command = commands[i];
        if (command->hidden)
            continue;
        om__text_addf(out, "complete -c opmark -n __fish_use_subcommand -f -a %s -d '",
                      command->name);
        add_quoted(out, command->summary, "\\");
        om__text_add(out, "'\n");
        for (size_t o = 0; o < command->option_count; o++) {
            const om_option *option = &command->options[o];
            om__text_addf(out, "complete -c opmark -n '__fish_seen_subcommand_from %s' -l %s",
                          command->name, option->name);
            if (option->letter != 0)
                om__text_addf(out, " -s %c", option->letter);
            if (option->kind != OM_OPTION_FLAG)
                om__text_add(out, takes_file(option) ? " -r" : " -x");
            if (option->words != NULL) {
                om__text_add(out, " -a '");
                add_words(out, option);
                om__text_add(out, "'");
            }
            om__text_add(out, " -d '");
            add_quoted(out, option->help, "\\");
            om__text_add(out, "'\n");
        }
    }
}
