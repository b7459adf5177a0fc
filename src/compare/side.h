/* SPDX-License-Identifier: Apache-2.0 */
/* side.h: one side of a comparison: the records behind a path, a query, or another tool's table.
 *
 * A side is opened by the first opener that claims its text. Stores bring an opener of their own;
 * the ones here know files and folders.
 */
#ifndef OM_COMPARE_SIDE_H
#define OM_COMPARE_SIDE_H

#include "record/record.h"

typedef struct om_side {
    char *label;          /* as the user wrote it */
    om_record_set set;    /* warnings of the reading are in set.warnings */
    bool foreign;         /* not written by opmark: no launches, no method */
    bool machine_guessed; /* its machine is the name of a folder, not something stated */
} om_side;

typedef struct om_side_options {
    const char *machine;  /* of foreign rows; NULL: the name of the folder above */
    const char *map;      /* which columns of a foreign table mean what; NULL: by its header */
    bool suite_from_file; /* several tables of one folder: each is a suite by its name */
    bool strict;  /* of foreign files: what is no JSON or no number is refused by its place */
    bool lenient; /* skip lines that cannot be read, and keep contradicting duplicates */
} om_side_options;

typedef struct om_side_opener {
    /* Whether this opener serves the text ("store:commit=…", a path). */
    bool (*claims)(const char *text);
    om_status (*open)(const char *text, const om_side_options *options, om_side *side,
                      om_error *err);
} om_side_opener;

/* openers: tried in order before files and folders; may be NULL with count 0. */
om_status om__side_open(const char *text, const om_side_options *options,
                        const om_side_opener *openers, size_t opener_count, om_side *side,
                        om_error *err);
void om__side_release(om_side *side);

/* The commit that the side's own rows state, else that any row does; NULL: none. */
const char *om__side_commit(const om_side *side);

#endif
