/* SPDX-License-Identifier: Apache-2.0 */
/* ab.h: an A/B comparison: a first look at all rows, fresh launches for the suspicious ones.
 *
 * Arms: 0 base, 1 head, 2 base-again (the same binary as base, the run's own control). Launches
 * come in blocks whose order was drawn at random: rounds of one launch of each arm, or, without a
 * control, blocks of four with two launches a side. The first look only chooses rows and
 * directions; fresh launches decide, so a row's p is valid whatever was chosen.
 *
 * Use: om__ab_create; om__ab_first with the first look; while om__ab_next names rows, launch them
 * and give the values to om__ab_second; om__ab_finish. Nothing here runs or times anything.
 */
#ifndef OM_STATS_AB_H
#define OM_STATS_AB_H

#include <stdbool.h>
#include <stddef.h>

#include "opmark/status.h"
#include "stats/judged.h"
#include "stats/splitmix.h"

typedef struct om_ab om_ab;

/* Fewer blocks in the first look cannot tell a shift of all rows from one of the machine. */
#define OM_AB_LEAST_BLOCKS 4

/* A design: how many launches make a block, and how many blocks a look has. */
typedef struct om_ab_design {
    size_t block_size;   /* 3: base, head and base-again; 4: two of base, two of head */
    size_t first_blocks; /* of the first look: 5 rounds, or 4 blocks of four; at least 4 */
    size_t part_blocks;  /* of each part of the second look: 10 rounds, or 6 blocks of four */
    size_t cap; /* most rows the second look may select; 0: as many as cost one first look */
} om_ab_design;

/* The standard designs with and without a control. */
om_ab_design om__ab_design(bool control);
/* Appends the arms of one block to `arms` (block_size entries), drawn from the generator. One
 * generator, seeded with the seed of the record, serves all blocks of a run in turn. */
void om__ab_draw(const om_ab_design *design, om_splitmix *generator, unsigned char *arms);

om_status om__ab_create(const om_judged_setup *setup, size_t rows, const om_ab_design *design,
                        om_ab **ab, om_error *err);
void om__ab_destroy(om_ab *ab);

/* y: rows × launches of natural logarithms in order of time, NaN missing; arms: launches. */
om_status om__ab_first(om_ab *ab, const unsigned char *arms, size_t launches, const double *y,
                       om_error *err);
/* Which rows the next part of the second look must run (rows entries; NULL: only the count).
 * 0: nothing is open. */
size_t om__ab_next(const om_ab *ab, bool *rows);
/* The values of that part: rows × launches, NaN in rows that did not have to run. */
om_status om__ab_second(om_ab *ab, const unsigned char *arms, size_t launches, const double *y,
                        om_error *err);

/* How a row was chosen and tested. */
typedef struct om_ab_row {
    bool gone, selected, dropped, control, gauge;
    int direction; /* of the first look's estimate: what the second look tests */
    double first_estimate, first_low, first_high, first_p;
    size_t blocks; /* of the second look that tested it; 0: none */
    double estimate, low, high, p;
    bool passed, alarm, inside;
    /* the control test: base against base-again */
    int control_direction;
    double control_estimate, control_low, control_high, control_p;
    bool control_alarm;
    double final_low, final_high; /* of the final screen */
} om_ab_row;

typedef struct om_ab_report {
    om_judged_row *rows;
    const om_ab_row *details; /* belongs to the om_ab */
    size_t row_count, parts_run, control_alarms;
    bool first_corrected;         /* the first look was freed of offsets */
    const double *offsets;        /* of the first look's launches; belongs to the om_ab */
    double d0, s02;               /* prior of the first look's screen */
    double shift, shift_p;        /* G, pG: common shift of the first look */
    double shift2, shift2_p;      /* of the second; 0 and 1 where no part ran */
    double shift_low, shift_high; /* interval of the common shift, of the last part run */
    bool all_moved, one_sided;
    double visible_median, visible_90; /* over rows, in y */
} om_ab_report;

om_status om__ab_finish(om_ab *ab, om_ab_report *report, om_error *err);
void om__ab_report_release(om_ab_report *report);

#endif
