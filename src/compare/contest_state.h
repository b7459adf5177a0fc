/* SPDX-License-Identifier: Apache-2.0 */
/* contest_state.h: what a contest owns behind its rows; for the files contest*.c alone. */
#ifndef OM_COMPARE_CONTEST_STATE_H
#define OM_COMPARE_CONTEST_STATE_H

#include "compare/contest.h"

typedef struct om_contest_store {
    const om_record **launches; /* of all rows, one after the other */
    size_t *order;              /* row indices of all cases, one after the other */
    char **texts;               /* params and printed names of all rows */
    size_t text_count;
} om_contest_store;

/* Fills the values, intervals, ratios and verdicts of rows that know their launches, then orders
 * the rows of every case and counts. */
om_status om__contest_judge(const om_contest_options *options, om_contest *contest, om_error *err);

#endif
