/* SPDX-License-Identifier: Apache-2.0 */
/* turns.h: an A/B run judged again from its records: launches that took turns in a drawn order.
 *
 * `opmark ab` marks each record in its evidence: `ab` is the run, `arm` is base, head or
 * base-again, `look` is first, or the part of the second look (1, 2), `ab_side` what the user
 * named, `ab_seed` the seed of the order; launches are numbered through in order of time. So a
 * comparison of the two sides reaches the verdicts of the run, and while it runs it says which rows
 * the next part has to measure.
 */
#ifndef OM_COMPARE_TURNS_H
#define OM_COMPARE_TURNS_H

#include "record/record.h"
#include "stats/ab.h"

#define OM_TURNS_RUN  "ab"
#define OM_TURNS_ARM  "arm"
#define OM_TURNS_LOOK "look"
#define OM_TURNS_SIDE "ab_side"
#define OM_TURNS_SEED "ab_seed"

/* The arm's number as stats/ab.h has it, and its word. */
const char *om__turns_arm_name(unsigned arm);
/* "first", "1", "2": look number 0, 1, 2. */
const char *om__turns_look_name(unsigned look);

/* Whether both are records of one A/B run, on their own sides. */
bool om__turns_are(const om_record *base, const om_record *head);

typedef struct om_turns {
    om_ab *ab; /* what the report points into */
    om_ab_report report;
    bool *due;        /* by row: the next part has to measure it */
    bool control;     /* base-again took part */
    bool unfinished;  /* the first look has too few whole blocks: nothing was judged */
    size_t due_count; /* rows that are due */
    size_t next_look; /* the part they are due in */
} om_turns;

/* firsts: a record of each launch, the columns of y (rows × launches, ln of times, NaN missing).
 * Blocks and parts that were cut off are left out. */
om_status om__turns_judge(const om_record *const *firsts, size_t launches, const double *y,
                          size_t rows, const om_judged_setup *setup, om_turns *turns,
                          om_error *err);
void om__turns_release(om_turns *turns);

#endif
