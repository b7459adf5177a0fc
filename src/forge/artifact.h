/* SPDX-License-Identifier: Apache-2.0 */
/* artifact.h: the one file that joins measuring and posting: a section of a report as JSON.
 *
 * Measuring needs no token and runs code of the pull request; posting has the token and runs none
 * of it. Whoever reads an artifact therefore trusts nothing in it: sizes are bounded, names
 * checked, its markdown defused.
 */
#ifndef OM_FORGE_ARTIFACT_H
#define OM_FORGE_ARTIFACT_H

#include "forge/sections.h"

#define OM_ARTIFACT_SCHEMA     1
#define OM_ARTIFACT_MOST_BYTES ((size_t)4 << 20)

/* Writes the file under a temporary name and renames it. */
om_status om__artifact_write(const char *path, const om_comment_section *section, om_error *err);

/* Reads and defuses. OM_IO where the file cannot be read, OM_PARSE where it is malformed, of
 * another schema or too large; unknown fields are ignored. */
om_status om__artifact_read(const char *path, om_comment_section *section, om_error *err);

#endif
