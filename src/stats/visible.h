/* SPDX-License-Identifier: Apache-2.0 */
/* visible.h: the smallest change that a comparison would have been likely to find. */
#ifndef OM_STATS_VISIBLE_H
#define OM_STATS_VISIBLE_H

#include <stddef.h>

typedef struct om_visible_input {
    double spread, quantile;       /* of the row's launches, and of Student's t, from its screen */
    double floor;                  /* smallest effect that may alarm, in y */
    double w;                      /* the row's tick relative to its value */
    size_t base_first, head_first; /* launches of the first look */
    size_t base_second, head_second; /* launches of both parts of the second look, as planned */
    size_t selected;                 /* rows of the family; below 10 counts as 10 */
} om_visible_input;

/* In y; print expm1 of it. */
double om__visible_change(const om_visible_input *input);

#endif
