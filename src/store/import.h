/* SPDX-License-Identifier: Apache-2.0 */
/* import.h: result files of other tools as records.
 *
 * The kind of a file is told from its content, never from its name. Each benchmark and metric
 * becomes one record with op NULL; values that are no numbers become invalid samples with their
 * reason. A version that is not known is refused by name.
 */
#ifndef OM_STORE_IMPORT_H
#define OM_STORE_IMPORT_H

#include "base/json.h"
#include "record/record.h"

/* Larger files are refused. */
#define OM_IMPORT_LARGEST ((size_t)2 << 30)

typedef struct om_import_options {
    const char *machine; /* machine class of all rows; NULL: what the file says, if anything */
    bool strict; /* JSON that is none (NaN, Infinity) or a number beyond double, or something
                    else where a number belongs, is OM_PARSE with line and column, not a
                    value with a reason */
} om_import_options;

/* What a file looks like, for telling its kind. */
typedef struct om_import_probe {
    const char *path;
    bool folder;
    const char *text; /* NULL for folders */
    size_t size;
    om_pairs keys; /* the first members of a JSON object, by name */
} om_import_probe;

typedef struct om_import om_import; /* an import in progress; see import_rows.h */

typedef struct om_importer {
    const char *name;    /* "google-benchmark"; the suite of its rows */
    const char *summary; /* one line */
    bool (*claims)(const om_import_probe *probe);
    om_status (*read)(om_import *im, om_error *err);
} om_importer;

const om_importer *const *om__importers_get(size_t *count);
const om_importer *om__importer_find(const char *name); /* NULL: none of that name */

/* Whose file this is; *importer is NULL where none of the tools claims it. */
om_status om__import_detect(const char *path, const om_importer **importer, om_error *err);
/* Appends the records of a file or folder. On an error the set is as before. */
om_status om__import_read(const om_importer *importer, const char *path,
                          const om_import_options *options, om_record_set *set, om_error *err);

#endif
