/* SPDX-License-Identifier: Apache-2.0 */
/* foreign_layout.h: which columns of a foreign table mean what. */
#ifndef OM_COMPARE_FOREIGN_LAYOUT_H
#define OM_COMPARE_FOREIGN_LAYOUT_H

#include "compare/foreign.h"

#define OM_LAYOUT_NONE ((size_t)-1)

/* One measured column. */
typedef struct om_layout_value {
    size_t column;
    char *metric, *provider, *pass, *unit;
    om_better better;
} om_layout_value;

typedef struct om_layout {
    size_t name, provider, sample, launch, unit, suite; /* columns, or OM_LAYOUT_NONE */
    bool split_name;                                    /* "attn/causal=1,b=2" holds parameters */
    size_t *params;
    size_t param_count;
    om_layout_value *values;
    size_t value_count;
    char *suite_name; /* where no column says it */
    bool strict;      /* set by the reader: a cell that is no finite number is a fault */
    bool training;    /* the microbenchmark tables of Transformer Engine */
} om_layout;

/* By the map where there is one, else by the header. OM_PARSE where neither says what the table
 * holds; the error lists the columns. suite_from_file: the rows' suite is the file's name (the
 * known tables have it always). */
om_status om__layout_read(const char *file, const char *const *columns, size_t count,
                          const char *map, bool suite_from_file, om_layout *layout, om_error *err);
void om__layout_release(om_layout *layout);
/* Gives one row of the table, its cells by column, to the gatherer. */
om_status om__layout_add(const om_layout *layout, const char *const *columns,
                         const char *const *cells, long line, om_foreign *foreign, om_error *err);

#endif
