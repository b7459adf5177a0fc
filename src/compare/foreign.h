/* SPDX-License-Identifier: Apache-2.0 */
/* foreign.h: rows of other tools' tables as records: op NULL unless the table says what it is. */
#ifndef OM_COMPARE_FOREIGN_H
#define OM_COMPARE_FOREIGN_H

#include "base/csv.h"
#include "compare/side.h"

/* What a foreign table says of one value. Texts are borrowed while it is added. */
typedef struct om_foreign_row {
    const char *suite, *table, *name, *op, *pass, *dtype, *provider;
    const om_pair *params; /* in the order of the table */
    size_t param_count;
    const char *metric, *unit;
    om_better better;
    double value;       /* NaN: no value */
    const char *reason; /* why there is none; NULL: there is one */
    const char *sample; /* its number within the case as written; NULL: by order */
    int launch;
    long line; /* where it stands in the file */
} om_foreign_row;

/* Gathers rows into records: the samples of one case, provider, metric and launch become one. */
typedef struct om_foreign om_foreign;

om_status om__foreign_open(const char *file, const om_side_options *options, om_record_set *set,
                           om_foreign **foreign, om_error *err);
/* OM_PARSE with both lines where a sample comes twice with two values (unless lenient). */
om_status om__foreign_add(om_foreign *foreign, const om_foreign_row *row, om_error *err);
/* Appends the records to the set and frees the gatherer. */
om_status om__foreign_close(om_foreign *foreign, om_error *err);
void om__foreign_drop(om_foreign *foreign); /* without appending; NULL is accepted */

/* A number, or NaN with the reason in words ("nan", "infinite", "null", "missing", "overflow",
 * "not a number"). */
double om__foreign_number(const char *text, const char **reason);
/* Cuts "attn/causal=1,b=2" into a name and parameters: texts are allocated into the pairs. *name
 * is the text before the last '/', or the whole text where what follows is no list of settings. */
om_status om__foreign_split_name(const char *text, om_text *name, om_pairs *params, om_error *err);

/* A table with the columns of a known tool, of `case,impl,sample,ms`, or of options->map. */
om_status om__foreign_read_csv(const char *path, const om_side_options *options, om_record_set *set,
                               om_error *err);
/* The same from JSON Lines, or from a document that holds one list of objects. */
om_status om__foreign_read_json(const char *path, const om_side_options *options,
                                om_record_set *set, om_error *err);

#endif
