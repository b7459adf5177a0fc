/* SPDX-License-Identifier: Apache-2.0 */
/* import_list.c: the files of a folder of results. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/text.h"
#include "store/import_rows.h"

/* A folder with more files than these is no folder of results. */
#define MOST_FILES 100000

static bool ends_with(const char *text, const char *suffix)
{
    size_t size = strlen(text), tail = strlen(suffix);
    return size >= tail && strcmp(text + size - tail, suffix) == 0;
}

/* Paths are unique, so they are appended without the search that om__pairs_set would do. */
static om_status add_file(om_pairs *files, const char *path, om_error *err)
{
    if (files->count == MOST_FILES)
        return om__error_set(err, OM_INVALID, "more than %d files of results", MOST_FILES);
    if (files->count == files->capacity) {
        size_t capacity = files->capacity == 0 ? 64 : files->capacity * 2;
        om_pair *items = realloc(files->items, capacity * sizeof *items);
        if (items == NULL)
            return om__error_set(err, OM_NO_MEMORY, "no memory for %zu files", capacity);
        files->items = items;
        files->capacity = capacity;
    }
    om_pair *pair = &files->items[files->count++];
    *pair = (om_pair){om__strdup(path), om__strdup("")};
    return pair->key == NULL || pair->value == NULL
               ? om__error_set(err, OM_NO_MEMORY, "no memory for a path")
               : OM_OK;
}

static om_status walk(const char *folder, const char *suffix, int depth, om_pairs *files,
                      om_error *err)
{
    om_status status = OM_OK;
    om_text path = {0};
    DIR *dir = opendir(folder);
    if (dir == NULL)
        return om__error_set_at(err, OM_IO, folder, 0, "cannot read: %s", strerror(errno));
    for (struct dirent *entry = readdir(dir); entry != NULL; entry = readdir(dir)) {
        struct stat info;
        if (entry->d_name[0] == '.')
            continue;
        om__text_clear(&path);
        om__text_addf(&path, "%s/%s", folder, entry->d_name);
        OM_TRY_OUT(om__text_check(&path, err));
        if (lstat(path.data, &info) != 0)
            continue;
        if (S_ISDIR(info.st_mode) && depth > 0)
            OM_TRY_OUT(walk(path.data, suffix, depth - 1, files, err));
        else if (S_ISREG(info.st_mode) && ends_with(path.data, suffix))
            OM_TRY_OUT(add_file(files, path.data, err));
    }
out:
    closedir(dir);
    om__text_release(&path);
    return status;
}

static int compare(const void *a, const void *b)
{
    return strcmp(((const om_pair *)a)->key, ((const om_pair *)b)->key);
}

om_status om__import_list(const char *folder, const char *suffix, int depth, om_pairs *files,
                          om_error *err)
{
    OM_TRY(walk(folder, suffix, depth, files, err));
    if (files->count > 1)
        qsort(files->items, files->count, sizeof *files->items, compare);
    return OM_OK;
}
