/* SPDX-License-Identifier: Apache-2.0 */
/* import_rows.h: what importers share: the file in memory, and gathering values into records. */
#ifndef OM_STORE_IMPORT_ROWS_H
#define OM_STORE_IMPORT_ROWS_H

#include "store/import.h"

#define OM_IMPORTER(name) extern const om_importer name;
#include "store/importers.def"
#undef OM_IMPORTER

/* A place in a file whose line was counted. */
typedef struct om_import_place {
    const char *text, *at, *line_start;
    long line;
} om_import_place;

struct om_import {
    const om_importer *importer;
    const om_import_options *options;
    const char *path; /* the file at hand; of a folder, the one om__import_text_open opened */
    const char *text;
    size_t size;
    om_import_place place; /* of the last part; forget it when `text` changes */
    om_record_set *set;
    size_t first;     /* index of the first record of this import */
    om_record common; /* what all records share: place, when, commit, version; owned */
    struct om_import_slot *slots;
    size_t slot_count;                 /* a power of two */
    struct om_import_samples *samples; /* of each record from `first` on */
};

/* One value. Texts are borrowed. Values of one table, name, parameters, provider, variant, metric
 * and launch become the samples of one record, in the order they come. */
typedef struct om_import_row {
    const char *table, *name, *provider, *variant;
    const om_pairs *params;
    const char *metric, *unit;
    om_better better;
    const char *derivation; /* NULL: a measured sample; else how it was made of several */
    const om_pairs
        *evidence; /* what else is known of it, and no part of what it is; NULL: nothing */
    int launch;
    int64_t inner;
    double value;
    const char *reason; /* NULL: there is a value; else why not */
    om_outcome outcome; /* of a row whose values are all missing; 0: error */
} om_import_row;

om_status om__import_add(om_import *im, const om_import_row *row, om_error *err);
/* Whether a value of the same record came before. */
bool om__import_has(const om_import *im, const om_import_row *row);

/* A reader at the start of the file; it takes NaN and its kin unless the import is strict. */
void om__import_json(const om_import *im, om_json *json);
/* A reader of a part of the file that was stepped over before, so that NaN and its kin were refused
 * there where the import is strict. */
void om__import_part(om_import *im, om_json *json, const char *text, size_t size);
/* Enters the object of the file and steps to the member `key`; *found is false at the end. */
om_status om__import_json_at(om_import *im, om_json *json, const char *key, bool *found,
                             om_error *err);
/* Reads the members of an object into texts, nested ones as "outer.inner"; arrays are left out. */
om_status om__import_flatten(om_json *json, const char *prefix, om_pairs *into, om_error *err);

/* As om__pairs_set, for maps that a foreign file fills: OM_PARSE beyond a thousand entries. */
om_status om__import_set(om_pairs *pairs, const char *key, const char *value, om_error *err);

/* Makes another file of a folder the one at hand; closing brings the first one back. */
typedef struct om_import_text {
    const char *path, *text;
    size_t size;
    void *map;
    size_t map_size;
} om_import_text;
om_status om__import_text_open(const char *path, om_import_text *text, om_error *err);
void om__import_text_close(om_import_text *text);

/* The files below a folder, at most `depth` folders down, whose path ends in `suffix`: as keys, in
 * order. Links are not followed. */
om_status om__import_list(const char *folder, const char *suffix, int depth, om_pairs *files,
                          om_error *err);

/* Cuts "fill/size=64/reps=3" into "fill" and its settings; parts without '=' stay in the name. */
om_status om__import_split(const char *text, om_text *name, om_pairs *params, om_error *err);

/* Seconds since 1970 as UTC. */
void om__import_time(double seconds, char text[40]);

om_status om__import_set_text(char **field, const char *value, om_error *err);

#endif
