/* SPDX-License-Identifier: Apache-2.0 */
/* contest_rows.h: the parts of a contest's document other than its tables for people. */
#ifndef OM_REPORT_CONTEST_ROWS_H
#define OM_REPORT_CONTEST_ROWS_H

#include "report/report.h"

/* Machine, device, providers, method, runs. */
void om__contest_facts(const om_record_set *records, const om_contest *contest,
                       om_document *document);
/* Counts of verdicts and outcomes, the geometric mean, what is left out. */
void om__contest_headline(const om_record_set *records, const om_contest *contest,
                          const om_targets *targets, om_document *document);
/* One line a row of every provider: the columns that scripts rely on. */
void om__contest_data(const om_contest *contest, const om_targets *targets, om_document *document);
/* One check a row: an outcome that is no result is a failure, an error or skipped. */
void om__contest_checks(const om_contest *contest, om_document *document);

#endif
