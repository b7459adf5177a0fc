/* SPDX-License-Identifier: Apache-2.0 */
/* forge.h: a place that hosts pull requests, and posting a section into its one comment of ours.
 *
 * A forge is one file that fills om_forge, and one line in forges.def.
 */
#ifndef OM_FORGE_FORGE_H
#define OM_FORGE_FORGE_H

#include <stdbool.h>

#include "forge/sections.h"

typedef struct om_forge {
    const char *name;          /* "github" */
    const char *standard_api;  /* base address of the public instance */
    const char *token_header;  /* printf format with one %s: the header that carries the token */
    const char *accept_header; /* NULL: none */
    const char *update_method; /* "PATCH", "PUT" */
    int longest_body;          /* bytes; the budget never exceeds it */
    /* Address of the comments of a pull request, and of one of them, below the API's base. */
    om_status (*list_path)(const char *repository, const char *number, om_text *path,
                           om_error *err);
    om_status (*comment_path)(const char *repository, const char *number, const char *id,
                              om_text *path, om_error *err);
} om_forge;

/* By name, or NULL; the list for messages. */
const om_forge *om__forge_find(const char *name);
const om_forge *const *om__forges_get(size_t *count);

typedef struct om_post_target {
    const om_forge *forge;
    const char *api; /* NULL: standard_api */
    const char *repository;
    const char *number; /* of the pull request */
    const char *token;  /* never printed, logged or put into an error */
    size_t budget_bytes;
    long timeout_s;      /* for everything together */
    long first_pause_ms; /* before the first retry; doubles with each */
} om_post_target;

/* Creates or updates the comment, reads it back and verifies it; retries what may pass (cut
 * connections, 409, 429, 5xx, a section lost to another writer). On success *where is the address
 * of the comment ("" when the forge gives none), to free.
 *
 * Errors: OM_DEVICE never; OM_UNSUPPORTED (built without libcurl), OM_IO (no network, no
 * permission: err says which), OM_TIMEOUT (still failing when the time was up), OM_INVALID (the
 * forge refused the text, or it does not fit), OM_PROVIDER (written, but not found when read back).
 */
om_status om__forge_post(const om_post_target *target, const om_comment_section *section,
                         char **where, om_error *err);

#endif
