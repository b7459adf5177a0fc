/* SPDX-License-Identifier: Apache-2.0 */
/* alias.h: declared renames: what counts as the same name, parameter, value or provider.
 *
 *     name     OLD NEW           rows of the case OLD are rows of NEW
 *     param    OLD NEW           the parameter OLD is called NEW
 *     value    PARAM OLD NEW     the value OLD of PARAM is NEW
 *     provider OLD NEW
 *     suite    OLD NEW
 */
#ifndef OM_COMPARE_ALIAS_H
#define OM_COMPARE_ALIAS_H

#include "base/wl.h"

typedef struct om_aliases {
    om_wl wl; /* its lines, checked */
} om_aliases;

om_status om__aliases_read(const char *path, om_aliases *aliases, om_error *err);
om_status om__aliases_parse(const char *text, size_t size, const char *file, om_aliases *aliases,
                            om_error *err);
void om__aliases_release(om_aliases *aliases);

/* The declared name, or `text` itself. kind is the first word of a line; param only with "value".
 * aliases NULL: no renames. */
const char *om__alias_find(const om_aliases *aliases, const char *kind, const char *param,
                           const char *text);

#endif
