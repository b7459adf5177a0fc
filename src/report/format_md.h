/* SPDX-License-Identifier: Apache-2.0 */
/* format_md.h: the pieces of the markdown format, for texts that are put together otherwise. */
#ifndef OM_REPORT_FORMAT_MD_H
#define OM_REPORT_FORMAT_MD_H

#include "report/document.h"

/* Headline, warnings and facts, without the title. */
void om__md_head(const om_document *document, om_text *out);

/* One table with its heading, after the marks of its level ("##"); folded: behind a line that a
 * click opens. */
void om__md_table(const om_table *table, bool folded, const char *level, om_text *out);

#endif
