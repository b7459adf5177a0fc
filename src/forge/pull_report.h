/* SPDX-License-Identifier: Apache-2.0 */
/* pull_report.h: a comparison as the section of a pull request's comment, within a budget of bytes.
 */
#ifndef OM_FORGE_PULL_REPORT_H
#define OM_FORGE_PULL_REPORT_H

#include "compare/comparison.h"
#include "forge/sections.h"

typedef struct om_pull_options {
    const char *key;     /* NULL: the machine class of the comparison, where it has one only */
    const char *commit;  /* NULL: the one the new side's records name */
    int64_t sequence;    /* see om_comment_section */
    const char *full;    /* where the whole report lies, in words; NULL: nowhere */
    size_t budget_bytes; /* of the finished section */
} om_pull_options;

/* Fills the section: the headline has the counts, suspects and both sides; the details have the
 * suites and the rows, the worst first, folded but for what got slower. Rows are left out, and said
 * to be, until the section fits. OM_INVALID where no key or commit can be told, or where the
 * headline alone is over the budget. */
om_status om__pull_report(const om_comparison *comparison, const om_pull_options *options,
                          om_comment_section *section, om_error *err);

#endif
