/* SPDX-License-Identifier: Apache-2.0 */
/* record_write.c: appending records to a file so that a killed process loses no finished row. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "record/record_parse.h"

struct om_record_writer {
    int fd;
    char *path;
};

static om_status fail(const om_record_writer *writer, const char *what, om_error *err)
{
    return om__error_set_at(err, OM_IO, writer->path, 0, "%s: %s", what, strerror(errno));
}

/* Offset behind the last line break before `end`, 0 where there is none. */
static om_status find_line_start(const om_record_writer *writer, off_t end, off_t *start,
                                 om_error *err)
{
    char block[1 << 14];
    while (end > 0) {
        off_t from = end > (off_t)sizeof block ? end - (off_t)sizeof block : 0;
        ssize_t got = pread(writer->fd, block, (size_t)(end - from), from);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return fail(writer, "cannot read", err);
        for (ssize_t i = got; i > 0; i--) {
            if (block[i - 1] == '\n') {
                *start = from + i;
                return OM_OK;
            }
        }
        end = from;
    }
    *start = 0;
    return OM_OK;
}

static om_status refuse_packed(const om_record_writer *writer, om_error *err)
{
    static const char magic[4] = {'\x28', '\xB5', '\x2F', '\xFD'};
    char head[4];
    if (pread(writer->fd, head, sizeof head, 0) == sizeof head &&
        memcmp(head, magic, sizeof head) == 0)
        return om__error_set_at(err, OM_INVALID, writer->path, 0,
                                "is compressed: unpack it before a run appends to it");
    return OM_OK;
}

static om_status end_line(const om_record_writer *writer, om_error *err)
{
    ssize_t done;
    do
        done = write(writer->fd, "\n", 1);
    while (done < 0 && errno == EINTR);
    return done == 1 ? OM_OK : fail(writer, "cannot write", err);
}

/* What stands behind the last line break is a whole record that lacks its line break, or the rest
 * of one that was never acknowledged. */
static om_status mend_end(const om_record_writer *writer, om_error *err)
{
    om_status status = OM_OK;
    struct stat info;
    off_t start;
    char *line = NULL;
    char last;
    if (fstat(writer->fd, &info) != 0)
        return fail(writer, "cannot read", err);
    if (info.st_size == 0 || (pread(writer->fd, &last, 1, info.st_size - 1) == 1 && last == '\n'))
        return OM_OK;
    OM_TRY(find_line_start(writer, info.st_size, &start, err));
    size_t size = (size_t)(info.st_size - start);
    if (size == 0)
        return OM_OK;
    line = malloc(size);
    if (line == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for a line of %s", writer->path);
    if (pread(writer->fd, line, size, start) != (ssize_t)size) {
        status = fail(writer, "cannot read", err);
        goto out;
    }
    om_record record;
    bool newer = false;
    om_status parsed =
        om__record_parse_into(line, size, writer->path, 0, NULL, NULL, &record, &newer, NULL);
    if (parsed == OM_OK)
        om__record_release(&record);
    if (parsed == OM_OK || newer)
        status = end_line(writer, err);
    else if (ftruncate(writer->fd, start) != 0)
        status = fail(writer, "cannot take away a cut line", err);
out:
    free(line);
    return status;
}

/* Every line is written under the lock, so what stands behind the last line break while we hold it
 * is what a killed or failed writer left. File systems without locks serve one process at a time.
 */
static void lock(const om_record_writer *writer)
{
    while (flock(writer->fd, LOCK_EX) != 0 && errno == EINTR)
        continue;
}

static void unlock(const om_record_writer *writer)
{
    flock(writer->fd, LOCK_UN);
}

om_status om__record_writer_open(const char *dir, om_record_writer **result, om_error *err)
{
    om_status status = OM_OK;
    om_text path = {0};
    om_record_writer *writer = calloc(1, sizeof *writer);
    *result = NULL;
    if (writer == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for a writer");
    writer->fd = -1;
    OM_TRY_OUT(om__folder_make(dir, err));
    om__text_addf(&path, "%s/records.jsonl", dir);
    OM_TRY_OUT(om__text_check(&path, err));
    writer->path = path.data;
    path = (om_text){0};
    writer->fd = open(writer->path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (writer->fd < 0) {
        status = fail(writer, "cannot write", err);
        goto out;
    }
    OM_TRY_OUT(refuse_packed(writer, err));
    lock(writer);
    status = mend_end(writer, err);
    unlock(writer);
    if (status != OM_OK)
        goto out;
    *result = writer;
    writer = NULL;
out:
    if (writer != NULL) {
        if (writer->fd >= 0)
            close(writer->fd);
        free(writer->path);
        free(writer);
    }
    om__text_release(&path);
    return status;
}

om_status om__record_writer_add(om_record_writer *writer, const om_record *record, om_error *err)
{
    char *line;
    OM_TRY(om__record_format(record, &line, err));
    size_t size = strlen(line), done = 0;
    line[size++] = '\n'; /* in place of the NUL */
    lock(writer);
    om_status status = mend_end(writer, err);
    while (status == OM_OK && done < size) {
        ssize_t n = write(writer->fd, line + done, size - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            status = fail(writer, "cannot write", err);
        else
            done += (size_t)n;
    }
    unlock(writer);
    free(line);
    return status;
}

om_status om__record_writer_close(om_record_writer *writer, om_error *err)
{
    om_status status = OM_OK;
    if (writer == NULL)
        return OM_OK;
    /* A pipe or a special file cannot be synced; that is no loss. */
    if (fsync(writer->fd) != 0 && errno != EINVAL && errno != EROFS)
        status = fail(writer, "cannot write", err);
    if (close(writer->fd) != 0 && status == OM_OK)
        status = fail(writer, "cannot write", err);
    free(writer->path);
    free(writer);
    return status;
}
