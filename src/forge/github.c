/* SPDX-License-Identifier: Apache-2.0 */
/* github.c: comments of pull requests on GitHub and GitHub Enterprise (REST, issues/comments). */
#include <string.h>

#include "base/error.h"
#include "forge/forge.h"

/* owner/name, each of the characters the forge allows: nothing that could leave the path. */
static om_status check(const char *repository, const char *number, om_error *err)
{
    const char *slash = strchr(repository, '/');
    size_t allowed = strspn(repository, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                        "0123456789._-/");
    if (slash == NULL || slash == repository || slash[1] == '\0' ||
        strchr(slash + 1, '/') != NULL || repository[allowed] != '\0' ||
        strstr(repository, "..") != NULL)
        return om__error_set(err, OM_INVALID, "'%s' is no repository: write owner/name",
                             repository);
    if (*number == '\0' || strspn(number, "0123456789") != strlen(number) || strlen(number) > 18)
        return om__error_set(err, OM_INVALID, "'%s' is no number of a pull request", number);
    return OM_OK;
}

static om_status list_path(const char *repository, const char *number, om_text *path, om_error *err)
{
    OM_TRY(check(repository, number, err));
    om__text_addf(path, "/repos/%s/issues/%s/comments", repository, number);
    return om__text_check(path, err);
}

static om_status comment_path(const char *repository, const char *number, const char *id,
                              om_text *path, om_error *err)
{
    OM_TRY(check(repository, number, err));
    om__text_addf(path, "/repos/%s/issues/comments/%s", repository, id);
    return om__text_check(path, err);
}

const om_forge om_forge_github = {
    .name = "github",
    .standard_api = "https://api.github.com",
    .token_header = "Authorization: Bearer %s",
    .accept_header = "Accept: application/vnd.github+json",
    .update_method = "PATCH",
    .longest_body = 65536,
    .list_path = list_path,
    .comment_path = comment_path,
};
