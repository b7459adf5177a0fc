/* SPDX-License-Identifier: Apache-2.0 */
/* judged.h: what a comparison says of one row, and the rules that lower what it says of many. */
#ifndef OM_STATS_JUDGED_H
#define OM_STATS_JUDGED_H

#include <stdbool.h>
#include <stddef.h>

#include "stats/modes.h"
#include "stats/words.h"

/* Why a row is unclear. */
typedef enum om_doubt {
    OM_DOUBT_NONE = 0,
    OM_DOUBT_WIDE,          /* the interval is not inside the tolerance */
    OM_DOUBT_RESOLUTION,    /* the clock's tick is as large as the tolerance */
    OM_DOUBT_FEW_LAUNCHES,  /* one launch a side decides nothing */
    OM_DOUBT_LOST_LAUNCHES, /* over one launch in five was lost */
    OM_DOUBT_DROPPED,       /* more suspicious rows than the second look may run */
    OM_DOUBT_SHIFT,         /* the common shift of all rows is not known inside the tolerance */
    OM_DOUBT_ALL_MOVED,     /* suspect: all rows moved together */
    OM_DOUBT_ONE_SIDED,     /* suspect: alarms fall on one side, over many operators */
    OM_DOUBT_CONTROL,       /* suspect: base against base-again alarmed as well */
    OM_DOUBT_DEPENDENT,     /* suspect: launches depend on each other */
    OM_DOUBT_UNFINISHED,    /* an A/B run that was cut off in its first look */
} om_doubt;

/* What is known of a row of a comparison beforehand. */
typedef struct om_judged_setup {
    double floor;     /* smallest effect that may alarm, in y; 0: 0.02 */
    double tolerance; /* of `same`, in y; 0: 0.02 */
    double tick;      /* of the clock per call, in the unit whose logarithm y is; 0: none */
    size_t op;        /* number of its operator */
} om_judged_setup;

#define OM_JUDGED_FLOOR     0.02
#define OM_JUDGED_TOLERANCE 0.02

typedef struct om_judged_row {
    double estimate, low, high, p; /* in y; no interval: -inf and inf */
    om_verdict verdict;            /* by the row alone */
    om_verdict shown;              /* after what all rows say together lowered it */
    om_doubt doubt;                /* why shown is unclear */
    double visible;                /* smallest change likely to be seen, in y; NaN: no value */
    om_modes modes;
} om_judged_row;

/* Inside ±tolerance also when both ends are moved by one tick. */
bool om__judged_inside(double low, double high, double w, double tolerance);
/* The words of an alarm: an effect above the floor, ends and estimate on one side, and more than
 * two ticks. */
bool om__judged_alarm(double estimate, double low, double high, double w, double floor);

/* True where alarms fall almost all on one side and over many operators, which no single change
 * does: the section is suspect. */
bool om__judged_one_sided(const om_verdict *verdicts, const om_judged_setup *setup, size_t n);

#endif
