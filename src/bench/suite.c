/* SPDX-License-Identifier: Apache-2.0 */
/* suite.c: where suites lie and which there are. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/text.h"
#include "bench/workload.h"

static const char *const folders[] = {"", "/catalogue"};
#define FOLDERS (sizeof folders / sizeof folders[0])

static bool has_suffix(const char *name)
{
    size_t size = strlen(name);
    return size > 3 && strcmp(name + size - 3, ".wl") == 0;
}

static om_status list_folder(const char *folder, const char *below, om_pairs *suites, om_error *err)
{
    om_status status = OM_OK;
    om_text path = {0};
    DIR *dir = NULL;
    om__text_addf(&path, "%s%s", folder, below);
    OM_TRY_OUT(om__text_check(&path, err));
    dir = opendir(path.data);
    if (dir == NULL) {
        if (*below == '\0')
            status = om__error_set_at(err, OM_IO, folder, 0, "cannot read the folder: %s",
                                      strerror(errno));
        goto out;
    }
    for (struct dirent *entry = readdir(dir); entry != NULL; entry = readdir(dir)) {
        if (entry->d_name[0] == '.' || !has_suffix(entry->d_name))
            continue;
        om__text_clear(&path);
        om__text_addf(&path, "%s%s/%s", folder, below, entry->d_name);
        OM_TRY_OUT(om__text_check(&path, err));
        entry->d_name[strlen(entry->d_name) - 3] = '\0';
        OM_TRY_OUT(om__pairs_set(suites, entry->d_name, path.data, err));
    }
out:
    if (dir != NULL)
        closedir(dir);
    om__text_release(&path);
    return status;
}

static int compare(const void *a, const void *b)
{
    return strcmp(((const om_pair *)a)->key, ((const om_pair *)b)->key);
}

om_status om__suites_list(const char *folder, om_pairs *suites, om_error *err)
{
    for (size_t i = 0; i < FOLDERS; i++)
        OM_TRY(list_folder(folder, folders[i], suites, err));
    qsort(suites->items, suites->count, sizeof *suites->items, compare);
    return OM_OK;
}

static om_status fail_missing(const char *folder, const char *name, om_error *err)
{
    om_status status;
    om_pairs suites = {0};
    om_text list = {0};
    const char **names = NULL;
    const char *close = NULL;
    OM_TRY_OUT(om__suites_list(folder, &suites, err));
    names = malloc((suites.count + 1) * sizeof *names);
    for (size_t i = 0; i < suites.count; i++) {
        om__text_addf(&list, "%s%s", i == 0 ? "" : ", ", suites.items[i].key);
        if (names != NULL)
            names[i] = suites.items[i].key;
    }
    if (names != NULL)
        close = om__closest_word(name, names, suites.count);
    if (close != NULL)
        status =
            om__error_set(err, OM_INVALID, "there is no suite %s; did you mean %s?", name, close);
    else
        status = om__error_set(err, OM_INVALID, "there is no suite %s (there are %s)", name,
                               list.data != NULL ? list.data : "none");
out:
    free(names);
    om__text_release(&list);
    om__pairs_release(&suites);
    return status;
}

om_status om__suite_find(const char *folder, const char *name, char **path, om_error *err)
{
    om_text place = {0};
    *path = NULL;
    if (strchr(name, '/') != NULL || has_suffix(name)) {
        *path = om__strdup(name);
        return *path == NULL ? om__error_set(err, OM_NO_MEMORY, "no memory for a path") : OM_OK;
    }
    for (size_t i = 0; i < FOLDERS; i++) {
        om__text_clear(&place);
        om__text_addf(&place, "%s%s/%s.wl", folder, folders[i], name);
        if (!place.failed && access(place.data, F_OK) == 0) {
            *path = place.data;
            return OM_OK;
        }
    }
    om_status status = om__text_check(&place, err);
    om__text_release(&place);
    return status == OM_OK ? fail_missing(folder, name, err) : status;
}
