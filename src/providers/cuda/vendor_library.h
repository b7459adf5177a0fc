/* SPDX-License-Identifier: Apache-2.0 */
/* vendor_library.h: finding the vendor's libraries: a folder asked for, the system, a toolkit, a
 * Python environment. */
#ifndef OM_PROVIDERS_CUDA_VENDOR_LIBRARY_H
#define OM_PROVIDERS_CUDA_VENDOR_LIBRARY_H

#include <stddef.h>

#include "opmark/status.h"

/* Loads the first library that is found, RTLD_LOCAL. names: NULL-ended sonames, best first. folder
 * (may be NULL) is searched first, with its lib, lib64 and nvidia/<any>/lib below it; when it is
 * given, nothing else is. Then: beside this object, what the dynamic linker finds, CUDA_HOME and
 * /usr/local/cuda, the nvidia packages of VIRTUAL_ENV and CONDA_PREFIX. *path gets where it lies.
 * OM_UNSUPPORTED says what was tried. */
om_status om__vendor_library_open(const char *const *names, const char *folder, void **handle,
                                  char *path, size_t path_size, om_error *err);

/* Resolves a symbol into the pointer at `function`; OM_UNSUPPORTED naming symbol and library. */
om_status om__vendor_symbol(void *handle, const char *library, const char *name, void *function,
                            om_error *err);

#endif
