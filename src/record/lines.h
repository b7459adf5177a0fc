/* SPDX-License-Identifier: Apache-2.0 */
/* lines.h: the lines of a text file, plain or zstd-compressed, in bounded memory. */
#ifndef OM_RECORD_LINES_H
#define OM_RECORD_LINES_H

#include <stdbool.h>
#include <stddef.h>

#include "opmark/status.h"

#define OM_LONGEST_LINE ((size_t)256 << 20)

typedef struct om_lines om_lines;

/* Compression is told from the content. */
om_status om__lines_open(const char *path, om_lines **lines, om_error *err);
void om__lines_close(om_lines *lines); /* NULL is accepted */

/* The next line without its line break (and without a CR before it), or *line NULL at the end;
 * valid until the next call. A line longer than OM_LONGEST_LINE is OM_PARSE. */
om_status om__lines_next(om_lines *lines, const char **line, size_t *size, om_error *err);
long om__lines_number(const om_lines *lines); /* of the line last read, 1-based */
/* Of the line last read: no line break came after it. */
bool om__lines_is_cut(const om_lines *lines);
/* After the end: a compressed file that stopped inside a frame. */
bool om__lines_is_torn(const om_lines *lines);

#endif
