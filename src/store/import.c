/* SPDX-License-Identifier: Apache-2.0 */
/* import.c: whose file it is, and the frame around every importer. */
#include "store/import.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/pool.h"
#include "store/import_state.h"

static const om_importer *const importers[] = {
#define OM_IMPORTER(name) &name,
#include "store/importers.def"
#undef OM_IMPORTER
};
#define IMPORTERS (sizeof importers / sizeof importers[0])

const om_importer *const *om__importers_get(size_t *count)
{
    *count = IMPORTERS;
    return importers;
}

const om_importer *om__importer_find(const char *name)
{
    for (size_t i = 0; i < IMPORTERS; i++)
        if (strcmp(importers[i]->name, name) == 0)
            return importers[i];
    return NULL;
}

/* The members of a JSON object that begin in the first part of the text. A fault ends the list: it
 * is the reader's business to tell of it. */
static om_status list_keys(om_import_probe *probe, om_error *err)
{
    enum { FAR = 1 << 20 };
    om_status status = OM_OK;
    const char *key;
    om_json json;
    /* No value is followed beyond that part: it may be most of a large file. */
    om__json_init(&json, probe->text, probe->size < FAR ? probe->size : FAR, probe->path, 1);
    json.lenient = true;
    if (probe->size >= 3 && memcmp(probe->text, "\xEF\xBB\xBF", 3) == 0)
        json.at += 3;
    if (om__json_peek(&json) == OM_JSON_OBJECT && om__json_enter(&json, '{', NULL) == OM_OK) {
        while (probe->keys.count < 64 && status == OM_OK &&
               om__json_next_key(&json, &key, NULL) == OM_OK && key != NULL) {
            status = om__pairs_set(&probe->keys, key, "", err);
            if (om__json_skip(&json, NULL, NULL, NULL) != OM_OK)
                break;
        }
    }
    om__json_release(&json);
    return status;
}

/* A folder of our own results need not be searched for others'. */
static bool has_records(const char *folder)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/records.jsonl", folder);
    if (access(path, F_OK) == 0)
        return true;
    snprintf(path, sizeof path, "%s/records.jsonl.zst", folder);
    return access(path, F_OK) == 0;
}

om_status om__import_detect(const char *path, const om_importer **importer, om_error *err)
{
    om_status status = OM_OK;
    om_import_text text = {0};
    om_import_probe probe = {.path = path, .folder = om__folder_is(path)};
    *importer = NULL;
    if (probe.folder && has_records(path))
        return OM_OK;
    if (!probe.folder) {
        OM_TRY_OUT(om__import_text_open(path, &text, err));
        probe.text = text.text;
        probe.size = text.size;
        OM_TRY_OUT(list_keys(&probe, err));
    }
    for (size_t i = 0; i < IMPORTERS && *importer == NULL; i++)
        if (importers[i]->claims(&probe))
            *importer = importers[i];
out:
    om__pairs_release(&probe.keys);
    om__import_text_close(&text);
    return status;
}

/* The same file imported twice is the same run. */
static om_status name_run(om_import *im, om_error *err)
{
    om_hash hash;
    char digits[33], name[48];
    om__hash_init(&hash);
    if (im->text != NULL)
        om__hash_add_block(&hash, im->text, im->size);
    else
        om__hash_add_text(&hash, im->path);
    om__hash_format(&hash, digits);
    snprintf(name, sizeof name, "import-%.12s", digits);
    return om__import_set_text(&im->common.when.run, name, err);
}

om_status om__import_read(const om_importer *importer, const char *path,
                          const om_import_options *options, om_record_set *set, om_error *err)
{
    static const om_import_options none = {0};
    om_status status = OM_OK;
    om_import_text text = {0};
    om_import im = {.importer = importer,
                    .options = options == NULL ? &none : options,
                    .path = path,
                    .set = set,
                    .first = set->count};
    om__record_init(&im.common);
    if (set->pool == NULL)
        set->pool = om__pool_create();
    if (set->pool == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory to import %s", path);
    if (!om__folder_is(path)) {
        OM_TRY_OUT(om__import_text_open(path, &text, err));
        im.text = text.text;
        im.size = text.size;
    }
    OM_TRY_OUT(name_run(&im, err));
    OM_TRY_OUT(importer->read(&im, err));
    if (set->count == im.first) {
        status =
            om__error_set_at(err, OM_PARSE, path, 0, "holds no benchmark of %s", importer->name);
        goto out;
    }
    status = om__import_finish(&im, err);
out:
    if (status != OM_OK && err != NULL && err->file[0] == '\0') {
        om_error why = *err;
        om__error_set_at(err, status, path, 0, "%s", why.text);
    }
    om__import_drop(&im, status != OM_OK);
    om__import_text_close(&text);
    return status;
}
