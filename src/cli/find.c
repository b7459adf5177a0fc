/* SPDX-License-Identifier: Apache-2.0 */
/* find.c: where the program finds its own files, relative to itself.
 *
 * The build folder, an installation and a bundle have one layout: data lies in share/opmark/NAME,
 * libraries in lib (or the system's multiarch folder), beside the program or one folder up.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/build.h"
#include "base/error.h"
#include "base/text.h"
#include "cli/command.h"

static om_status own_folder(char *folder, size_t size, om_error *err)
{
    ssize_t used = readlink("/proc/self/exe", folder, size - 1);
    if (used < 0)
        return om__error_set(err, OM_IO, "cannot tell where the program lies: %s", strerror(errno));
    folder[used] = '\0';
    char *slash = strrchr(folder, '/');
    if (slash != NULL)
        *slash = '\0';
    return OM_OK;
}

om_status om__cli_find(const char *name, char **path, om_error *err)
{
    char folder[PATH_MAX];
    *path = NULL;
    OM_TRY(own_folder(folder, sizeof folder, err));
    om_text place = {0};
    const char *const ups[] = {"", "/.."};
    for (size_t i = 0; i < sizeof ups / sizeof ups[0]; i++) {
        om__text_clear(&place);
        if (strcmp(name, "lib") == 0)
            om__text_addf(&place, "%s%s/%s", folder, ups[i], i == 0 ? "lib" : om__build_libdir());
        else
            om__text_addf(&place, "%s%s/share/opmark/%s", folder, ups[i], name);
        if (place.failed)
            break;
        *path = realpath(place.data, NULL);
        if (*path != NULL)
            break;
    }
    om_status status = om__text_check(&place, err);
    om__text_release(&place);
    if (status == OM_OK && *path == NULL)
        status = om__error_set(err, OM_IO,
                               "no folder '%s' belongs to this program (looked beside %s and one "
                               "folder up); is the installation complete?",
                               name, folder);
    return status;
}
