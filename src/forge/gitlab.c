/* SPDX-License-Identifier: Apache-2.0 */
/* gitlab.c: notes of merge requests on GitLab (REST v4). */
#include <ctype.h>
#include <string.h>

#include "base/error.h"
#include "forge/forge.h"

/* A project is named by its whole path with the slashes escaped, or by its number. */
static om_status add_project(const char *repository, const char *number, om_text *path,
                             om_error *err)
{
    if (*repository == '\0')
        return om__error_set(err, OM_INVALID,
                             "a project needs a name: group/project or its number");
    if (*number == '\0' || strspn(number, "0123456789") != strlen(number) || strlen(number) > 18)
        return om__error_set(err, OM_INVALID, "'%s' is no number of a merge request", number);
    om__text_add(path, "/projects/");
    for (const unsigned char *c = (const unsigned char *)repository; *c != '\0'; c++)
        if (isalnum(*c) || strchr("._-", *c) != NULL)
            om__text_add_char(path, (char)*c);
        else
            om__text_addf(path, "%%%02X", *c);
    om__text_addf(path, "/merge_requests/%s/notes", number);
    return om__text_check(path, err);
}

static om_status list_path(const char *repository, const char *number, om_text *path, om_error *err)
{
    return add_project(repository, number, path, err);
}

static om_status comment_path(const char *repository, const char *number, const char *id,
                              om_text *path, om_error *err)
{
    OM_TRY(add_project(repository, number, path, err));
    om__text_addf(path, "/%s", id);
    return om__text_check(path, err);
}

const om_forge om_forge_gitlab = {
    .name = "gitlab",
    .standard_api = "https://gitlab.com/api/v4",
    .token_header = "PRIVATE-TOKEN: %s",
    .update_method = "PUT",
    .longest_body = 1000000,
    .list_path = list_path,
    .comment_path = comment_path,
};
