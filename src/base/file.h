/* SPDX-License-Identifier: Apache-2.0 */
/* file.h: whole files in and out of memory. */
#ifndef OM_BASE_FILE_H
#define OM_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "opmark/status.h"

/* Reads a whole file; *data gets a NUL after its last byte and is to be freed. A file larger than
 * limit bytes is OM_INVALID, a folder or an unreadable one OM_IO; both name the file. */
om_status om__file_read(const char *path, size_t limit, char **data, size_t *size, om_error *err);

/* Writes beside the path under a temporary name and renames: readers see the old file or the whole
 * new one. */
om_status om__file_write(const char *path, const char *data, size_t size, om_error *err);

/* Makes a folder and its parents; one that exists already is fine. */
om_status om__folder_make(const char *path, om_error *err);

bool om__folder_is(const char *path);

#endif
