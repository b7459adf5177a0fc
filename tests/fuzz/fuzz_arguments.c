/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_arguments.c: argument vectors, one argument a line, against the table of every command. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cli/option.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *argv[64];
    int argc = 0;
    char *text = malloc(size + 1);
    if (text == NULL)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    for (char *at = text; at != NULL && argc < 64;) {
        argv[argc++] = at;
        at = strchr(at, '\n');
        if (at != NULL)
            *at++ = '\0';
    }
    size_t count;
    const om_command *const *commands = om__commands_get(&count);
    for (size_t i = 0; i < count; i++) {
        om_arguments arguments;
        om_error err;
        if (om__arguments_parse(commands[i], argc, argv, &arguments, &err) != OM_OK &&
            err.text[0] == '\0')
            abort();
        om__arguments_release(commands[i], &arguments);
    }
    free(text);
    return 0;
}
