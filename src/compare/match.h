/* SPDX-License-Identifier: Apache-2.0 */
/* match.h: the rows of two sides brought together by what they are, not by how they are called. */
#ifndef OM_COMPARE_MATCH_H
#define OM_COMPARE_MATCH_H

#include "compare/comparison.h"

/* One row of a side: its launches in order of start, one record each. */
typedef struct om_side_row {
    const om_record *const *launches;
    size_t launch_count;
    /* numbers: identity; with the machine; without the cache state; structure without names */
    size_t key, machine_key, loose_key, work_key;
    bool matched;
} om_side_row;

typedef struct om_side_rows {
    om_side_row *rows;
    size_t count;
    const om_record **launches; /* of all rows */
} om_side_rows;

typedef struct om_match {
    size_t base, head; /* row numbers, or OM_MATCH_NONE */
    bool renamed;      /* found by its structure: the names differ */
    bool machines_differ;
} om_match;

#define OM_MATCH_NONE ((size_t)-1)

typedef struct om_matching {
    om_side_rows base, head;
    om_match *matches; /* every row of both sides is in exactly one */
    size_t count;
    bool machine_ignored; /* both machines were guessed from folder names, and differ */
} om_matching;

om_status om__matching_init(const om_side *base, const om_side *head,
                            const om_compare_options *options, om_matching *matching,
                            om_error *err);
void om__matching_release(om_matching *matching);

#endif
