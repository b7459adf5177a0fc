/* SPDX-License-Identifier: Apache-2.0 */
/* compare_data.h: the rows of comparisons for programs, and as checks. */
#ifndef OM_REPORT_COMPARE_DATA_H
#define OM_REPORT_COMPARE_DATA_H

#include "compare/comparison.h"
#include "report/document.h"

/* One line a cell of every comparison: the columns that scripts rely on; one check a cell. */
void om__comparison_data(const om_comparison *comparisons, size_t count, om_document *document);

#endif
