/* SPDX-License-Identifier: Apache-2.0 */
/* samples.h: verdicts with the samples of one process as the unit, as other tools have it.
 *
 * Samples inside one process share memory placement, clocks and code layout, so these verdicts say
 * less than those over launches; reports that use them say so.
 */
#ifndef OM_STATS_SAMPLES_H
#define OM_STATS_SAMPLES_H

#include "opmark/status.h"
#include "stats/judged.h"
#include "stats/ranks.h"

/* Fills p, estimate and interval of one row from logarithms; no NaN. */
om_status om__samples_test(const double *base, size_t n, const double *head, size_t m,
                           om_u_memory *memory, om_judged_row *row, om_error *err);
/* The verdicts of all rows, with Holm control over them at 5 %. Fewer than 2 samples on a side
 * leave a row unclear. */
om_status om__samples_judge(om_judged_row *rows, const om_judged_setup *setup, size_t n,
                            om_error *err);

#endif
