/* SPDX-License-Identifier: Apache-2.0 */
/* child.h: running another program to its end. */
#ifndef OM_BASE_CHILD_H
#define OM_BASE_CHILD_H

#include <stddef.h>

#include "base/text.h"

typedef struct om_child {
    const char *const *argv;     /* NULL-ended; argv[0] is the path of the program */
    const char *const *settings; /* "VAR=VALUE", over the environment of this process */
    size_t setting_count;
    const volatile int *interrupts; /* counts up when the user interrupts; each is passed on as a
                                       SIGINT; NULL: none */
} om_child;

/* Starts it without a shell, its standard output going to standard error, in a process group of its
 * own, and waits. It is killed when this process dies. *code gets its exit code, 128 + signal where
 * one ended it, 127 where it could not be started. */
om_status om__child_run(const om_child *child, int *code, om_error *err);

/* The same with its standard output kept as text: OM_INVALID when that is more than `limit` bytes,
 * OM_TIMEOUT when it takes more than `seconds`; it is ended then. It reads nothing, and what it
 * says on standard error is dropped. `interrupts` is not looked at. */
om_status om__child_read(const om_child *child, size_t limit, double seconds, om_text *output,
                         int *code, om_error *err);

/* The settings, then what they leave of our own environment: an array to free, its texts borrowed.
 * NULL where there is no memory. */
const char **om__environment_make(const char *const *settings, size_t setting_count);

/* The path of a program that PATH finds; OM_IO when it finds none. */
om_status om__child_find(const char *name, om_text *path, om_error *err);

#endif
