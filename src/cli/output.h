/* SPDX-License-Identifier: Apache-2.0 */
/* output.h: where a command's text goes, and how a report looks there. */
#ifndef OM_CLI_OUTPUT_H
#define OM_CLI_OUTPUT_H

#include "base/text.h"
#include "report/report.h"

/* Writes the text to a file, through a temporary one beside it that is renamed at the end, or to
 * standard output (path NULL or "-"). OM_IO naming the file. */
om_status om__output_write(const char *path, const om_text *text, om_error *err);

/* Width and colour of standard output for the terminal format (path NULL or "-"), or none for a
 * file. */
om_format_options om__output_options(const char *path);

/* The words of --format: the names of all formats, NULL-ended. */
extern const char *const om__format_words[];

/* Prints the table of a contest of these records on standard output, as `opmark report` does. */
om_status om__output_contest(const om_record_set *records, om_error *err);

#endif
