/* SPDX-License-Identifier: Apache-2.0 */
/* file.c: reading and replacing whole files, making folders. */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/text.h"

om_status om__file_read(const char *path, size_t limit, char **data, size_t *size, om_error *err)
{
    om_status status = OM_OK;
    om_text text = {0};
    char *chunk = NULL;
    enum { CHUNK = 1 << 16 };
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return om__error_set_at(err, OM_IO, path, 0, "cannot read: %s", strerror(errno));
    chunk = malloc(CHUNK);
    if (chunk == NULL) {
        status = om__error_set_at(err, OM_NO_MEMORY, path, 0, "no memory to read it");
        goto out;
    }
    for (;;) {
        ssize_t got = read(fd, chunk, CHUNK);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            status = om__error_set_at(err, OM_IO, path, 0, "cannot read: %s", strerror(errno));
            goto out;
        }
        if (got == 0)
            break;
        if (text.size + (size_t)got > limit) {
            status = om__error_set_at(err, OM_INVALID, path, 0,
                                      "larger than the limit of %zu bytes", limit);
            goto out;
        }
        om__text_add_bytes(&text, chunk, (size_t)got);
    }
    om__text_add(&text, "");
    if (om__text_check(&text, err) != OM_OK) {
        status = om__error_set_at(err, OM_NO_MEMORY, path, 0, "no memory to read it");
        goto out;
    }
    *data = text.data;
    *size = text.size;
    text = (om_text){0};
out:
    om__text_release(&text);
    free(chunk);
    close(fd);
    return status;
}

static om_status write_all(int fd, const char *data, size_t size, const char *path, om_error *err)
{
    while (size > 0) {
        ssize_t done = write(fd, data, size);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return om__error_set_at(err, OM_IO, path, 0, "cannot write: %s", strerror(errno));
        data += done;
        size -= (size_t)done;
    }
    return OM_OK;
}

om_status om__file_write(const char *path, const char *data, size_t size, om_error *err)
{
    om_status status = OM_OK;
    om_text name = {0};
    int fd = -1;
    /* A device, pipe or link (/dev/stdout is all three) is not to be renamed over: it is written as
     * it stands. */
    struct stat info;
    bool in_place = lstat(path, &info) == 0 && !S_ISREG(info.st_mode);
    if (in_place)
        om__text_add(&name, path);
    else
        om__text_addf(&name, "%s.%ld.tmp", path, (long)getpid());
    OM_TRY_OUT(om__text_check(&name, err));
    fd = open(name.data, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0) {
        status = om__error_set_at(err, OM_IO, path, 0, "cannot write: %s", strerror(errno));
        goto out;
    }
    OM_TRY_OUT(write_all(fd, data, size, path, err));
    int closed = close(fd);
    fd = -1;
    if (closed != 0 || (!in_place && rename(name.data, path) != 0))
        status = om__error_set_at(err, OM_IO, path, 0, "cannot write: %s", strerror(errno));
out:
    if (fd >= 0)
        close(fd);
    if (status != OM_OK && name.data != NULL && !in_place)
        unlink(name.data);
    om__text_release(&name);
    return status;
}

bool om__folder_is(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

om_status om__folder_make(const char *path, om_error *err)
{
    char *copy = om__strdup(path);
    if (copy == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for a path");
    om_status status = OM_OK;
    size_t size = strlen(copy);
    for (size_t i = 1; i <= size && status == OM_OK; i++) {
        if (i < size && copy[i] != '/')
            continue;
        char kept = copy[i];
        copy[i] = '\0';
        if (mkdir(copy, 0777) != 0 && !om__folder_is(copy))
            status = om__error_set_at(err, OM_IO, path, 0, "cannot make the folder: %s",
                                      strerror(errno == EEXIST ? ENOTDIR : errno));
        copy[i] = kept;
    }
    free(copy);
    return status;
}
