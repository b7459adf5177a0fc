/* SPDX-License-Identifier: Apache-2.0 */
/* identity.h: what makes two records rows of the same thing: keys built from their structure. */
#ifndef OM_COMPARE_IDENTITY_H
#define OM_COMPARE_IDENTITY_H

#include "base/text.h"
#include "record/record.h"

/* Adds `text` and a separator that no text of a record holds; NULL counts as "". */
void om__identity_add(om_text *key, const char *text);
/* Parameters as a set: sorted by name, so that their order does not matter. */
om_status om__identity_add_params(om_text *key, const om_pairs *params, om_error *err);
/* suite, table, name, op, pass, dtype, params. */
om_status om__identity_add_benchmark(om_text *key, const om_record *record, om_error *err);
/* provider and variant. */
void om__identity_add_subject(om_text *key, const om_record *record);

#endif
