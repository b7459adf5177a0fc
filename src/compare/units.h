/* SPDX-License-Identifier: Apache-2.0 */
/* units.h: units of measured values: which convert into which, and by what factor.
 *
 * Rates and sizes use powers of 1000 (GB/s), binary ones powers of 1024 with the letters of IEC
 * 60027 (GiB/s). A unit that is not in the table is opaque: it matches itself alone.
 */
#ifndef OM_COMPARE_UNITS_H
#define OM_COMPARE_UNITS_H

#include <stdbool.h>

#include "record/record.h"

/* The factor that turns a value in `from` into one in `to`; false where the two measure different
 * things. Equal texts have factor 1, known or not. NULL counts as "". */
bool om__unit_factor(const char *from, const char *to, double *factor);
/* The factor to milliseconds; false for what is no time. */
bool om__unit_is_time(const char *unit, double *to_ms);
/* Which direction a unit implies when nothing was declared: less time is better, a higher rate is
 * better; unknown for all else. Names of metrics never decide. */
om_better om__unit_better(const char *unit);

#endif
