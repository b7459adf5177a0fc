/* SPDX-License-Identifier: Apache-2.0 */
/* escape.h: texts made safe for the format they stand in. None of them loses a character. */
#ifndef OM_REPORT_ESCAPE_H
#define OM_REPORT_ESCAPE_H

#include "base/text.h"

/* HTML text and attribute values: & < > " ' and control characters. */
void om__escape_html(om_text *out, const char *text);
/* XML: as HTML; characters that XML 1.0 cannot hold become U+FFFD. */
void om__escape_xml(om_text *out, const char *text);
/* A JSON string with its quotes. Invalid UTF-8 becomes U+FFFD. */
void om__escape_json(om_text *out, const char *text);
/* Markdown, in or out of a table: whatever the language gives a meaning is a character reference,
 * so that a table keeps its columns and a text reads as it was. What a forge would turn into a
 * mention, issue link, address or emoji stands in <code>…</code>, where it makes none. */
void om__escape_markdown(om_text *out, const char *text);
/* One word of a POSIX shell command line, quoted where it has to be. */
void om__escape_shell(om_text *out, const char *text);

#endif
