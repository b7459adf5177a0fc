/* SPDX-License-Identifier: Apache-2.0 */
/* option.c: reading an argument vector by a command's option table. */
#include "cli/option.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* Every command has it, none lists it. */
static const om_option help_option = {"help", 'h',  OM_OPTION_FLAG, 0,
                                      NULL,   NULL, NULL,           "print this page"};

static om_status words_add(om_words *words, const char *word, om_error *err)
{
    const char **items = realloc(words->items, (words->count + 1) * sizeof *items);
    if (items == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for the arguments");
    words->items = items;
    words->items[words->count++] = word;
    return OM_OK;
}

static om_status own(om_arguments *arguments, char *text, om_error *err)
{
    char **owned = realloc(arguments->owned, (arguments->owned_count + 1) * sizeof *owned);
    if (text == NULL || owned == NULL) {
        free(text);
        if (owned != NULL)
            arguments->owned = owned;
        return om__error_set(err, OM_NO_MEMORY, "no memory for the arguments");
    }
    arguments->owned = owned;
    arguments->owned[arguments->owned_count++] = text;
    return OM_OK;
}

static om_status check_word(const om_option *option, const char *value, om_error *err)
{
    if (option->words == NULL)
        return OM_OK;
    size_t count = 0;
    om_text all = {0};
    for (; option->words[count] != NULL; count++) {
        if (strcmp(option->words[count], value) == 0) {
            om__text_release(&all);
            return OM_OK;
        }
        om__text_addf(&all, "%s%s", count > 0 ? ", " : "", option->words[count]);
    }
    const char *near = om__closest_word(value, option->words, count);
    om_status status = om__error_set(
        err, OM_INVALID, "--%s: '%s' is none of %s%s%s%s", option->name, value,
        all.data != NULL ? all.data : "its values", near != NULL ? "; did you mean " : "",
        near != NULL ? near : "", near != NULL ? "?" : "");
    om__text_release(&all);
    return status;
}

/* "a,b" becomes two words; an empty one between commas is an error. */
static om_status add_list(const om_option *option, const char *value, om_words *words,
                          om_arguments *arguments, om_error *err)
{
    char *copy = om__strdup(value);
    OM_TRY(own(arguments, copy, err));
    for (char *at = copy; at != NULL;) {
        char *comma = strchr(at, ',');
        if (comma != NULL)
            *comma = '\0';
        if (*at == '\0')
            return om__error_set(err, OM_INVALID, "--%s: '%s' has an empty part", option->name,
                                 value);
        OM_TRY(check_word(option, at, err));
        OM_TRY(words_add(words, at, err));
        at = comma != NULL ? comma + 1 : NULL;
    }
    return OM_OK;
}

static om_status set_value(const om_option *option, const char *value, om_arguments *arguments,
                           om_error *err)
{
    void *field = (char *)arguments->config + option->offset;
    switch (option->kind) {
    case OM_OPTION_FLAG:
        *(bool *)field = strcmp(value, "true") == 0;
        break;
    case OM_OPTION_TEXT:
        OM_TRY(check_word(option, value, err));
        *(const char **)field = value;
        break;
    case OM_OPTION_INT:
        if (!om__parse_int64(value, field))
            return om__error_set(err, OM_INVALID, "--%s: '%s' is not a whole number", option->name,
                                 value);
        break;
    case OM_OPTION_LIST:
        return add_list(option, value, field, arguments, err);
    case OM_OPTION_TEXTS:
        OM_TRY(check_word(option, value, err));
        return words_add(field, value, err);
    }
    return OM_OK;
}

static om_status set_standards(const om_command *command, const bool *given,
                               om_arguments *arguments, om_error *err)
{
    for (size_t i = 0; i < command->option_count; i++)
        if (!given[i] && command->options[i].standard != NULL)
            OM_TRY(set_value(&command->options[i], command->options[i].standard, arguments, err));
    return OM_OK;
}

static const om_option *find_letter(const om_command *command, char letter)
{
    if (letter == help_option.letter)
        return &help_option;
    for (size_t i = 0; i < command->option_count; i++)
        if (command->options[i].letter == letter)
            return &command->options[i];
    return NULL;
}

static const om_option *find_name(const om_command *command, const char *name, size_t size)
{
    if (size == strlen(help_option.name) && memcmp(help_option.name, name, size) == 0)
        return &help_option;
    for (size_t i = 0; i < command->option_count; i++)
        if (strlen(command->options[i].name) == size &&
            memcmp(command->options[i].name, name, size) == 0)
            return &command->options[i];
    return NULL;
}

static om_status unknown_name(const om_command *command, const char *name, size_t size,
                              om_error *err)
{
    char word[64];
    const char *near = NULL;
    const char **names = malloc((command->option_count + 1) * sizeof *names);
    if (size < sizeof word && names != NULL) {
        memcpy(word, name, size);
        word[size] = '\0';
        names[0] = help_option.name;
        for (size_t i = 0; i < command->option_count; i++)
            names[i + 1] = command->options[i].name;
        near = om__closest_word(word, names, command->option_count + 1);
    }
    om_status status = om__error_set(err, OM_INVALID, "unknown option --%.*s%s%s%s", (int)size,
                                     name, near != NULL ? "; did you mean --" : "",
                                     near != NULL ? near : "", near != NULL ? "?" : "");
    free(names);
    return status;
}

typedef struct cursor {
    const om_command *command;
    int argc, at;
    char *const *argv;
    bool *given;
    om_arguments *arguments;
} cursor;

/* attached is the text after '=' or after the letter; NULL: the value is the next argument. */
static om_status take(cursor *c, const om_option *option, const char *attached, om_error *err)
{
    if (option == &help_option) {
        c->arguments->help = true;
        return OM_OK;
    }
    size_t index = (size_t)(option - c->command->options);
    if (option->kind == OM_OPTION_FLAG) {
        if (attached != NULL)
            return om__error_set(err, OM_INVALID, "--%s takes no value", option->name);
        attached = "true";
    } else if (attached == NULL) {
        if (c->at >= c->argc)
            return om__error_set(err, OM_INVALID, "--%s needs a value: --%s %s", option->name,
                                 option->name, option->value_name);
        attached = c->argv[c->at++];
    }
    c->given[index] = true;
    return set_value(option, attached, c->arguments, err);
}

static om_status take_long(cursor *c, const char *text, om_error *err)
{
    const char *equals = strchr(text, '=');
    size_t size = equals != NULL ? (size_t)(equals - text) : strlen(text);
    const om_option *option = find_name(c->command, text, size);
    if (option == NULL)
        return unknown_name(c->command, text, size, err);
    if (option == &help_option && equals != NULL)
        return om__error_set(err, OM_INVALID, "--help takes no value");
    return take(c, option, equals != NULL ? equals + 1 : NULL, err);
}

/* "-qn3": letters of flags may stand together; the first that wants a value takes the rest. */
static om_status take_letters(cursor *c, const char *text, om_error *err)
{
    for (; *text != '\0' && !c->arguments->help; text++) {
        const om_option *option = find_letter(c->command, *text);
        if (option == NULL)
            return om__error_set(err, OM_INVALID, "unknown option -%c", *text);
        if (option->kind == OM_OPTION_FLAG) {
            OM_TRY(take(c, option, NULL, err));
            continue;
        }
        return take(c, option, text[1] != '\0' ? text + 1 : NULL, err);
    }
    return OM_OK;
}

static om_status parse(cursor *c, om_error *err)
{
    bool only_operands = false;
    while (c->at < c->argc && !c->arguments->help) {
        const char *text = c->argv[c->at++];
        if (only_operands || text[0] != '-' || text[1] == '\0')
            OM_TRY(words_add(&c->arguments->operands, text, err));
        else if (strcmp(text, "--") == 0)
            only_operands = true;
        else if (text[1] == '-')
            OM_TRY(take_long(c, text + 2, err));
        else
            OM_TRY(take_letters(c, text + 1, err));
    }
    if (c->arguments->help)
        return OM_OK;
    return set_standards(c->command, c->given, c->arguments, err);
}

om_status om__arguments_parse(const om_command *command, int argc, char *const *argv,
                              om_arguments *arguments, om_error *err)
{
    *arguments = (om_arguments){0};
    bool *given = calloc(command->option_count + 1, sizeof *given);
    arguments->config = calloc(1, command->config_size + 1);
    om_status status;
    if (given == NULL || arguments->config == NULL) {
        status = om__error_set(err, OM_NO_MEMORY, "no memory for the arguments");
    } else {
        cursor c = {command, argc, 0, argv, given, arguments};
        status = parse(&c, err);
    }
    free(given);
    return status;
}

void om__arguments_release(const om_command *command, om_arguments *arguments)
{
    for (size_t i = 0; arguments->config != NULL && i < command->option_count; i++) {
        const om_option *option = &command->options[i];
        if (option->kind == OM_OPTION_LIST || option->kind == OM_OPTION_TEXTS)
            free(((om_words *)(void *)((char *)arguments->config + option->offset))->items);
    }
    for (size_t i = 0; i < arguments->owned_count; i++)
        free(arguments->owned[i]);
    free(arguments->owned);
    free(arguments->operands.items);
    free(arguments->config);
    *arguments = (om_arguments){0};
}

/* ---- printing ---- */

void om__option_format(const om_option *option, om_text *out)
{
    if (option->letter != 0)
        om__text_addf(out, "-%c, ", option->letter);
    om__text_addf(out, "--%s", option->name);
    if (option->kind != OM_OPTION_FLAG)
        om__text_addf(out, " %s", option->value_name);
}

/* Bytes that begin a character: enough for our own texts, which hold no wide characters. */
static int columns_of(const char *text, size_t size)
{
    int columns = 0;
    for (size_t i = 0; i < size; i++)
        columns += ((unsigned char)text[i] & 0xc0) != 0x80;
    return columns;
}

void om__text_add_wrapped(om_text *out, const char *words, int indent, int width)
{
    int column = indent;
    bool first = true;
    while (*words != '\0') {
        if (*words == '\n') {
            om__text_addf(out, "\n%*s", words[1] != '\n' && words[1] != '\0' ? indent : 0, "");
            column = indent;
            first = true;
            words++;
            continue;
        }
        size_t size = strcspn(words, " \n");
        int columns = columns_of(words, size);
        if (!first && column + 1 + columns > width) {
            om__text_addf(out, "\n%*s", indent, "");
            column = indent;
            first = true;
        }
        if (!first) {
            om__text_add_char(out, ' ');
            column++;
        }
        om__text_add_bytes(out, words, size);
        column += columns;
        first = false;
        words += size;
        if (*words == ' ')
            words++;
    }
}

enum { HELP_INDENT = 28 };

static void add_option(const om_option *option, int width, om_text *out)
{
    om_text line = {0};
    om__text_add(&line, option->letter != 0 ? "  " : "      ");
    om__option_format(option, &line);
    int used = columns_of(line.data != NULL ? line.data : "", line.size);
    om__text_add_bytes(out, line.data != NULL ? line.data : "", line.size);
    if (used + 2 > HELP_INDENT)
        om__text_addf(out, "\n%*s", HELP_INDENT, "");
    else
        om__text_addf(out, "%*s", HELP_INDENT - used, "");
    om__text_clear(&line);
    om__text_add(&line, option->help);
    for (size_t i = 0; option->words != NULL && option->words[i] != NULL; i++)
        om__text_addf(&line, "%s%s", i == 0 ? ": " : ", ", option->words[i]);
    if (option->standard != NULL && option->kind != OM_OPTION_FLAG)
        om__text_addf(&line, " [%s]", option->standard);
    om__text_add_wrapped(out, line.data != NULL ? line.data : "", HELP_INDENT, width);
    om__text_add_char(out, '\n');
    om__text_release(&line);
}

void om__command_help(const om_command *command, int width, om_text *out)
{
    om__text_addf(out, "Usage: opmark %s%s%s%s\n\n", command->name,
                  command->option_count > 0 ? " [OPTION…]" : "",
                  command->operands[0] != '\0' ? " " : "", command->operands);
    om__text_add_wrapped(out, command->summary, 0, width);
    om__text_add(out, ".\n");
    if (command->details != NULL) {
        om__text_add_char(out, '\n');
        om__text_add_wrapped(out, command->details, 0, width);
        om__text_add_char(out, '\n');
    }
    om__text_add(out, "\nOptions:\n");
    for (size_t i = 0; i < command->option_count; i++)
        add_option(&command->options[i], width, out);
    add_option(&help_option, width, out);
}
