/* SPDX-License-Identifier: Apache-2.0 */
/* ab_state.h: what an A/B comparison remembers between its looks; for the files ab*.c alone. */
#ifndef OM_STATS_AB_STATE_H
#define OM_STATS_AB_STATE_H

#include <stdint.h>

#include "stats/ab.h"
#include "stats/ranks.h"
#include "stats/screen.h"

#define OM_AB_ALPHA_SCREEN  0.05
#define OM_AB_ALPHA_PART    0.0125
#define OM_AB_ALPHA_CONTROL 0.025
#define OM_AB_ALPHA_SHIFT   0.05
#define OM_AB_GAUGES        24
#define OM_AB_MOVED         0.01
#define OM_AB_PARTS         2

/* The launches of a look so far, cleaned: a block that lost its head or all its base values is NaN
 * in that row. */
typedef struct om_ab_look {
    size_t launches;
    unsigned char *arms;
    bool *head;
    size_t *block;
    double *y; /* rows × launches */
} om_ab_look;

struct om_ab {
    om_judged_setup *setup; /* floors and tolerances filled in */
    size_t rows, left;      /* left: not gone */
    om_ab_design design;
    bool few;
    double *w;
    om_ab_row *details;
    om_ab_look first, second;
    double *offsets;  /* of the first look */
    double *offsets2; /* of the second, from the gauges */
    double *z2;       /* second-look values freed of offsets, rows × launches */
    double shift, shift_p, shift2, shift2_p, shift_low, shift_high;
    bool first_corrected;
    double d0, s02;
    bool *open, *use, *ran; /* use: not gone; ran: in the part that om__ab_next announced */
    size_t parts_run, selected_count, control_count;
    bool part_one_due; /* the first look leaves the common shift unknown */
    om_u_memory memory;
};

/* Tests the open rows, after part 1 also the control rows, on all launches of the second look. */
om_status om__ab_judge_part(om_ab *ab, om_error *err);
/* Interval of the common shift, from the offsets of arm 1 against those of the others. */
om_status om__ab_shift(om_ab *ab, const om_ab_look *look, const double *offsets, om_error *err);
/* Values of one row by arm; head_arm's go to head, base arms' to base (2 joins 0 unless it is
 * head_arm). Returns through n and m their numbers. */
void om__ab_split(const om_ab_look *look, const double *row, unsigned char head_arm, double *base,
                  size_t *n, double *head, size_t *m);

#endif
