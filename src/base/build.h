/* SPDX-License-Identifier: Apache-2.0 */
/* build.h: what this build was made of. */
#ifndef OM_BASE_BUILD_H
#define OM_BASE_BUILD_H

/* The commit, 12 digits, with "-dirty" where the tree had changes; "unknown" outside a clone. */
const char *om__build_commit(void);
const char *om__build_compiler(void); /* "GNU 12.2.0" */
const char *om__build_type(void);     /* "Release", "Debug, address+undefined" */
const char *om__build_parts(void);    /* "openmp sqlite3 hwloc": optional parts built in */
const char *om__build_missing(void);  /* those that were not found; "": none */
const char *om__build_libdir(void);   /* where an installation keeps libraries, below its prefix */

#endif
