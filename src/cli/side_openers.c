/* SPDX-License-Identifier: Apache-2.0 */
/* side_openers.c: records from stores and from other tools' files. */
#include "cli/side_openers.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "store/store.h"

static const char prefix[] = "store:";
#define STANDARD_STORE "opmark-results/opmark.db"

static bool is_store(const char *text)
{
    return strncmp(text, prefix, sizeof prefix - 1) == 0;
}

/* Takes file=PATH out of the query. */
static om_status split_query(const char *text, om_text *file, om_text *query, om_error *err)
{
    om__text_add(file, "");
    om__text_add(query, "");
    for (const char *at = text;;) {
        size_t size = strcspn(at, ",");
        if (size > 5 && strncmp(at, "file=", 5) == 0) {
            om__text_clear(file);
            om__text_add_bytes(file, at + 5, size - 5);
        } else if (size > 0) {
            om__text_add(query, query->size == 0 ? "" : ",");
            om__text_add_bytes(query, at, size);
        }
        if (at[size] == '\0')
            break;
        at += size + 1;
    }
    OM_TRY(om__text_check(file, err));
    return om__text_check(query, err);
}

static om_status open_store(const char *text, const om_side_options *options, om_side *side,
                            om_error *err)
{
    om_status status = OM_OK;
    om_text file = {0}, query = {0};
    om_store *store = NULL;
    (void)options;
    OM_TRY_OUT(split_query(text + sizeof prefix - 1, &file, &query, err));
    OM_TRY_OUT(
        om__store_open(file.size > 0 ? file.data : STANDARD_STORE, OM_STORE_READ, &store, err));
    status = om__store_query(store, query.data, &side->set, err);
out:
    om__store_close(store);
    om__text_release(&file);
    om__text_release(&query);
    return status;
}

static bool is_foreign(const char *text)
{
    const om_importer *importer = NULL;
    return om__import_detect(text, &importer, NULL) == OM_OK && importer != NULL;
}

om_status om__side_import(const om_importer *importer, const char *path,
                          const om_side_options *options, om_side *side, om_error *err)
{
    om_import_options import = {.machine = options->machine, .strict = options->strict};
    OM_TRY(om__import_read(importer, path, &import, &side->set, err));
    side->foreign = true;
    side->machine_guessed = side->set.count > 0 && side->set.items[0].place.machine_class == NULL;
    return OM_OK;
}

static om_status open_foreign(const char *text, const om_side_options *options, om_side *side,
                              om_error *err)
{
    const om_importer *importer = NULL;
    OM_TRY(om__import_detect(text, &importer, err));
    if (importer == NULL)
        return om__error_set_at(err, OM_PARSE, text, 0, "no importer knows it");
    return om__side_import(importer, text, options, side, err);
}

const om_side_opener *om__side_openers_get(size_t *count)
{
    static const om_side_opener openers[] = {{is_store, open_store}, {is_foreign, open_foreign}};
    *count = sizeof openers / sizeof openers[0];
    return openers;
}
