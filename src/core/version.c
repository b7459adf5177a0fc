/* SPDX-License-Identifier: Apache-2.0 */
/* version.c: the version of the library that is loaded. */
#include "opmark/opmark.h"

#define TEXT_OF(x) #x
#define TEXT(x)    TEXT_OF(x)

const char *om_version(void)
{
    return TEXT(OM_VERSION_MAJOR) "." TEXT(OM_VERSION_MINOR) "." TEXT(OM_VERSION_PATCH);
}
