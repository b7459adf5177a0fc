/* SPDX-License-Identifier: Apache-2.0 */
/* dynlib.h: libraries loaded at run time, with reasons in words when they are not there. */
#ifndef OM_BASE_DYNLIB_H
#define OM_BASE_DYNLIB_H

#include <stddef.h>

#include "opmark/status.h"

/* Loads a library with local symbols. name is a path or a bare name for the system's search.
 * OM_UNSUPPORTED with the loader's words otherwise. A library is never unloaded: thread runtimes do
 * not survive it. */
om_status om__dynlib_open(const char *name, void **library, om_error *err);

/* The first of `count` names that loads; the error names them all. */
om_status om__dynlib_open_any(const char *const *names, size_t count, void **library,
                              om_error *err);

/* A function or object of the library; NULL where it is missing. */
void *om__dynlib_find(void *library, const char *symbol);

/* The file that holds the given address ("" when not known): the real path of a loaded library. */
void om__dynlib_path(const void *address, char *path, size_t size);

#endif
