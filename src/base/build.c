/* SPDX-License-Identifier: Apache-2.0 */
/* build.c: what this build was made of; the values come from the generated build_info.h. */
#include "base/build.h"

#include "build_info.h"
#include "opmark/opmark.h"

#define TEXT_OF(x) #x
#define TEXT(x)    TEXT_OF(x)

const char *om_version(void)
{
    return TEXT(OM_VERSION_MAJOR) "." TEXT(OM_VERSION_MINOR) "." TEXT(OM_VERSION_PATCH);
}

const char *om__build_commit(void)
{
    return OM_BUILD_COMMIT;
}

const char *om__build_compiler(void)
{
    return OM_BUILD_COMPILER;
}

const char *om__build_type(void)
{
    return OM_BUILD_TYPE;
}

const char *om__build_parts(void)
{
    return OM_BUILD_PARTS;
}

const char *om__build_missing(void)
{
    return OM_BUILD_MISSING;
}

const char *om__build_libdir(void)
{
    return OM_BUILD_LIBDIR;
}
