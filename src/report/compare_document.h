/* SPDX-License-Identifier: Apache-2.0 */
/* compare_document.h: the document of comparisons: one base against one or more new sides. */
#ifndef OM_REPORT_COMPARE_DOCUMENT_H
#define OM_REPORT_COMPARE_DOCUMENT_H

#include "compare/comparison.h"
#include "report/document.h"

typedef struct om_compare_view {
    size_t rows;  /* most rows of a table for people; 0: all. What is left out is said. */
    bool all;     /* the rows that are the same as well; else only those that want attention */
    bool no_data; /* without the table for programs and the checks: the format shows neither */
} om_compare_view;

/* The comparisons must outlive the document. view NULL: everything. */
om_status om__comparison_document(const om_comparison *comparisons, size_t count,
                                  const om_compare_view *view, om_document *document,
                                  om_error *err);

/* "752 rows compared: 3 slower, …" with the count of every word; a new text to free(), NULL when
 * memory is short. "nothing was compared" where there was no pair. */
char *om__comparison_headline(const om_comparison *comparison);

#endif
