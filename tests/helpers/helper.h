/* SPDX-License-Identifier: Apache-2.0 */
/* helper.h: what tests share: cmocka with its prerequisites, skipping with a reason, temporary
 * folders, and running the program. */
#ifndef OM_TESTS_HELPER_H
#define OM_TESTS_HELPER_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/text.h"

/* Ends the test as skipped; the runner counts and prints the reason. */
#define skip_because(...)                                                                          \
    do {                                                                                           \
        helper_print_skip(__func__, __VA_ARGS__);                                                  \
        skip();                                                                                    \
    } while (0)
void helper_print_skip(const char *test, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A new empty folder; removed, with all it holds, by helper_folder_remove. Free the path. */
char *helper_folder_create(void);
void helper_folder_remove(char *path); /* frees it too */

/* The bytes of a file, NUL-terminated, to free(); fails the test when it cannot be read. */
char *helper_file_read(const char *path, size_t *size);
void helper_file_write(const char *path, const char *text);

typedef struct helper_output {
    int code; /* exit code; 128 + signal when killed */
    char *out, *err;
} helper_output;

/* Runs a shell command line in `folder` (NULL: here); "opmark" is the program that was built. */
helper_output helper_run(const char *folder, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void helper_output_release(helper_output *output);

#endif
