/* SPDX-License-Identifier: Apache-2.0 */
/* git.h: what a git repository says of how two commits are related. */
#ifndef OM_CLI_GIT_H
#define OM_CLI_GIT_H

#include "compare/comparison.h"

/* Asks the repository that holds `folder` (NULL: the one we are in). Names are what records state:
 * a "-dirty" at the end is no part of them; NULL: not stated. What git cannot say is a reason in
 * history->skipped, not an error; base and head are borrowed. */
om_status om__git_history(const char *folder, const char *base, const char *head,
                          om_history *history, om_error *err);

#endif
