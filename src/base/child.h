/* SPDX-License-Identifier: Apache-2.0 */
/* child.h: running another program to its end. */
#ifndef OM_BASE_CHILD_H
#define OM_BASE_CHILD_H

#include <stddef.h>

#include "opmark/status.h"

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

#endif
