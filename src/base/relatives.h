/* SPDX-License-Identifier: Apache-2.0 */
/* relatives.h: which processes belong to one run of the program. */
#ifndef OM_BASE_RELATIVES_H
#define OM_BASE_RELATIVES_H

#include <stdbool.h>
#include <sys/types.h>

/* This process, its parent, or another child of its parent: a run and its workers. Children that
 * were left behind and adopted by process 1 are no relatives of each other. */
bool om__process_is_relative(pid_t pid);

#endif
