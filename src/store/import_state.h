/* SPDX-License-Identifier: Apache-2.0 */
/* import_state.h: the insides of an import in progress, between its two files. */
#ifndef OM_STORE_IMPORT_STATE_H
#define OM_STORE_IMPORT_STATE_H

#include "store/import_rows.h"

typedef struct om_import_slot {
    uint64_t key;
    size_t index;
} om_import_slot;

typedef struct om_import_samples {
    float *values;
    const char **reasons; /* in the pool of the set */
    size_t count, capacity, missing;
    om_outcome outcome; /* where all values are missing */
} om_import_samples;

om_status om__import_finish(om_import *im, om_error *err);
void om__import_drop(om_import *im, bool failed);

#endif
