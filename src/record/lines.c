/* SPDX-License-Identifier: Apache-2.0 */
/* lines.c: reading lines through an optional zstd decompressor. */
#include "record/lines.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "base/error.h"
#include "base/text.h"

#define INPUT_SIZE ((size_t)1 << 17)

struct om_lines {
    char *path;
    int fd;
    ZSTD_DStream *unpacker; /* NULL: plain */
    char *input;            /* compressed bytes */
    ZSTD_inBuffer packed;
    size_t frame_left; /* 0: at the end of a frame */
    char *data;        /* text not yet handed out: data[from..size) */
    size_t from, size, capacity;
    size_t scanned; /* data[from..scanned) holds no line break */
    bool ended;     /* no more bytes will come */
    bool torn, cut;
    long number;
};

static om_status read_bytes(om_lines *lines, char *into, size_t room, size_t *got, om_error *err)
{
    for (;;) {
        ssize_t n = read(lines->fd, into, room);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return om__error_set_at(err, OM_IO, lines->path, 0, "cannot read: %s", strerror(errno));
        *got = (size_t)n;
        return OM_OK;
    }
}

static om_status unpack(om_lines *lines, char *into, size_t room, size_t *got, om_error *err)
{
    ZSTD_outBuffer text = {into, room, 0};
    while (text.pos == 0) {
        if (lines->packed.pos == lines->packed.size) {
            size_t size = 0;
            OM_TRY(read_bytes(lines, lines->input, INPUT_SIZE, &size, err));
            if (size == 0) {
                lines->torn = lines->frame_left != 0;
                break;
            }
            lines->packed = (ZSTD_inBuffer){lines->input, size, 0};
        }
        lines->frame_left = ZSTD_decompressStream(lines->unpacker, &text, &lines->packed);
        if (ZSTD_isError(lines->frame_left))
            return om__error_set_at(err, OM_PARSE, lines->path, 0, "damaged zstd file: %s",
                                    ZSTD_getErrorName(lines->frame_left));
    }
    *got = text.pos;
    return OM_OK;
}

static om_status fill(om_lines *lines, om_error *err)
{
    if (lines->from > 0) {
        memmove(lines->data, lines->data + lines->from, lines->size - lines->from);
        lines->size -= lines->from;
        lines->scanned -= lines->from;
        lines->from = 0;
    }
    if (lines->size == lines->capacity) {
        if (lines->capacity >= OM_LONGEST_LINE)
            return om__error_set_at(err, OM_PARSE, lines->path, lines->number + 1,
                                    "a line of more than %zu bytes", OM_LONGEST_LINE);
        char *data = realloc(lines->data, lines->capacity * 2);
        if (data == NULL)
            return om__error_set_at(err, OM_NO_MEMORY, lines->path, lines->number + 1,
                                    "no memory for a line");
        lines->data = data;
        lines->capacity *= 2;
    }
    size_t got = 0;
    char *into = lines->data + lines->size;
    size_t room = lines->capacity - lines->size;
    OM_TRY(lines->unpacker != NULL ? unpack(lines, into, room, &got, err)
                                   : read_bytes(lines, into, room, &got, err));
    lines->size += got;
    lines->ended = got == 0;
    return OM_OK;
}

static om_status start_unpacking(om_lines *lines, om_error *err)
{
    lines->unpacker = ZSTD_createDStream();
    lines->input = malloc(INPUT_SIZE);
    if (lines->unpacker == NULL || lines->input == NULL)
        return om__error_set_at(err, OM_NO_MEMORY, lines->path, 0, "no memory to read it");
    /* A window of 128 MiB is what zstd --long makes; more could only be meant to eat memory. */
    ZSTD_DCtx_setParameter(lines->unpacker, ZSTD_d_windowLogMax, 27);
    return OM_OK;
}

om_status om__lines_open(const char *path, om_lines **result, om_error *err)
{
    static const unsigned char magic[4] = {0x28, 0xB5, 0x2F, 0xFD};
    om_status status = OM_OK;
    unsigned char head[4];
    struct stat info;
    om_lines *lines = calloc(1, sizeof *lines);
    *result = NULL;
    if (lines == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory to read %s", path);
    lines->fd = open(path, O_RDONLY | O_CLOEXEC);
    if (lines->fd < 0 || fstat(lines->fd, &info) != 0) {
        status = om__error_set_at(err, OM_IO, path, 0, "cannot read: %s", strerror(errno));
        goto out;
    }
    if (S_ISDIR(info.st_mode)) {
        status = om__error_set_at(err, OM_IO, path, 0, "is a folder");
        goto out;
    }
    lines->path = om__strdup(path);
    lines->capacity = INPUT_SIZE;
    lines->data = malloc(lines->capacity);
    if (lines->path == NULL || lines->data == NULL) {
        status = om__error_set(err, OM_NO_MEMORY, "no memory to read %s", path);
        goto out;
    }
    /* A pipe cannot be read twice, so the first bytes go through the buffer. */
    size_t had = 0, got = 1;
    while (had < sizeof head && got > 0) {
        OM_TRY_OUT(read_bytes(lines, (char *)head + had, sizeof head - had, &got, err));
        had += got;
    }
    if (had == sizeof head && memcmp(head, magic, sizeof magic) == 0) {
        OM_TRY_OUT(start_unpacking(lines, err));
        memcpy(lines->input, head, sizeof head);
        lines->packed = (ZSTD_inBuffer){lines->input, sizeof head, 0};
    } else {
        memcpy(lines->data, head, had);
        lines->size = had;
    }
    *result = lines;
    lines = NULL;
out:
    om__lines_close(lines);
    return status;
}

void om__lines_close(om_lines *lines)
{
    if (lines == NULL)
        return;
    if (lines->fd >= 0)
        close(lines->fd);
    ZSTD_freeDStream(lines->unpacker);
    free(lines->input);
    free(lines->data);
    free(lines->path);
    free(lines);
}

om_status om__lines_next(om_lines *lines, const char **line, size_t *size, om_error *err)
{
    *line = NULL;
    *size = 0;
    for (;;) {
        char *start = lines->data + lines->from;
        char *end = memchr(lines->data + lines->scanned, '\n', lines->size - lines->scanned);
        if (end == NULL && !lines->ended) {
            lines->scanned = lines->size;
            OM_TRY(fill(lines, err));
            continue;
        }
        if (end == NULL && lines->from == lines->size)
            return OM_OK;
        lines->cut = end == NULL;
        if (end == NULL)
            end = lines->data + lines->size;
        *line = start;
        *size = (size_t)(end - start);
        if (!lines->cut && *size > 0 && end[-1] == '\r')
            --*size;
        lines->from = (size_t)(end - lines->data) + !lines->cut;
        lines->scanned = lines->from;
        lines->number++;
        return OM_OK;
    }
}

long om__lines_number(const om_lines *lines)
{
    return lines->number;
}

bool om__lines_is_cut(const om_lines *lines)
{
    return lines->cut;
}

bool om__lines_is_torn(const om_lines *lines)
{
    return lines->torn;
}
