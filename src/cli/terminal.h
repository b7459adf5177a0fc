/* SPDX-License-Identifier: Apache-2.0 */
/* terminal.h: what stands behind standard output: its width, and whether colour is wanted. */
#ifndef OM_CLI_TERMINAL_H
#define OM_CLI_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

/* Columns of the terminal behind the stream; COLUMNS when it is set; 0 for a file or pipe. */
int om__terminal_width(FILE *stream);
/* A good width for running text on standard output: 60 to 100 columns, 80 where unknown. */
int om__terminal_text_width(void);
/* A terminal that is not dumb, with NO_COLOR unset or empty. */
bool om__terminal_has_colour(FILE *stream);

#endif
