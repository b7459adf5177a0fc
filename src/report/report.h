/* SPDX-License-Identifier: Apache-2.0 */
/* report.h: from records to a document, and from a document to a format.
 *
 * A format is one file format_<name>.c that defines om__format_<name>, and one line in report.def.
 */
#ifndef OM_REPORT_REPORT_H
#define OM_REPORT_REPORT_H

#include "compare/contest.h"
#include "report/document.h"
#include "report/targets.h"

typedef struct om_format_options {
    int width;   /* terminal: columns to fit into; 0: as wide as it takes */
    bool colour; /* terminal */
    bool rerun;  /* terminal: the line that reruns each row, not only those that want attention */
    bool defuse; /* CSV: cells that a spreadsheet would take for formulas */
} om_format_options;

typedef struct om_format {
    const char *name;
    const char *summary;
    void (*write)(const om_document *document, const om_format_options *options, om_text *out);
    bool data; /* writes the table for programs, or the checks */
} om_format;

const om_format *const *om__formats_get(size_t *count);
const om_format *om__format_find(const char *name); /* NULL: none of that name */

/* Writes the document; OM_NO_MEMORY when it, or the text, could not be held. */
om_status om__document_write(const om_document *document, const om_format *format,
                             const om_format_options *options, om_text *out, om_error *err);

/* The document of a contest: ours against theirs. targets may be NULL. The contest and its records
 * must outlive the document. */
om_status om__contest_document(const om_record_set *records, const om_contest *contest,
                               const om_targets *targets, om_document *document, om_error *err);

/* The command line that measures a case again with these providers ("own,openblas"). */
void om__rerun_line(const om_record *record, const char *providers, om_text *out);
/* Adds the plug-in that a record's provider came from, where it is not on the line yet. */
void om__rerun_add_plugin(const om_record *record, om_text *line);

#endif
