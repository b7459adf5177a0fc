/* SPDX-License-Identifier: Apache-2.0 */
/* generate.h: man pages and shell completion, made from the commands' option tables. */
#ifndef OM_CLI_GENERATE_H
#define OM_CLI_GENERATE_H

#include "base/text.h"
#include "cli/command.h"

/* The page opmark(1), or opmark-COMMAND(1). */
void om__man_overview(om_text *out);
void om__man_command(const om_command *command, om_text *out);

void om__completion_bash(om_text *out);
void om__completion_zsh(om_text *out);
void om__completion_fish(om_text *out);

#endif
