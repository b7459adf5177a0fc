/* SPDX-License-Identifier: Apache-2.0 */
/* output.c: where a command's text goes, and how a report looks there. */
#include "cli/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "cli/terminal.h"

const char *const om__format_words[] = {
#define OM_FORMAT(name) #name,
#include "report/report.def"
#undef OM_FORMAT
    NULL,
};

static bool is_stdout(const char *path)
{
    return path == NULL || strcmp(path, "-") == 0;
}

static om_status write_error(const char *path, om_error *err)
{
    return om__error_set_at(err, OM_IO, path, 0, "cannot write: %s", strerror(errno));
}

static om_status write_all(int file, const om_text *text, const char *path, om_error *err)
{
    size_t done = 0;
    while (done < text->size) {
        ssize_t got = write(file, text->data + done, text->size - done);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return write_error(path, err);
        done += (size_t)got;
    }
    return OM_OK;
}

/* A device or pipe cannot be renamed over: it is written as it stands. */
static bool is_special(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && !S_ISREG(info.st_mode);
}

om_status om__output_write(const char *path, const om_text *text, om_error *err)
{
    OM_TRY(om__text_check(text, err));
    if (is_stdout(path)) {
        fwrite(text->data != NULL ? text->data : "", 1, text->size, stdout);
        return OM_OK; /* the program checks the stream at its end */
    }
    bool special = is_special(path);
    om_text name = {0};
    om__text_addf(&name, special ? "%s" : "%s.XXXXXX", path);
    if (name.failed) {
        om__text_release(&name);
        return om__error_set(err, OM_NO_MEMORY, "no memory for a file name");
    }
    int file = special ? open(name.data, O_WRONLY | O_CLOEXEC) : mkostemp(name.data, O_CLOEXEC);
    om_status status = file < 0 ? write_error(path, err) : write_all(file, text, path, err);
    if (file >= 0) {
        mode_t mask = umask(0); /* the one way to read it is to set it */
        umask(mask);
        if (!special && fchmod(file, 0666 & ~mask) != 0 && status == OM_OK)
            status = write_error(path, err);
        if (close(file) != 0 && status == OM_OK)
            status = write_error(path, err);
        if (!special && status == OM_OK && rename(name.data, path) != 0)
            status = write_error(path, err);
        if (!special && status != OM_OK)
            unlink(name.data);
    }
    om__text_release(&name);
    return status;
}

om_format_options om__output_options(const char *path)
{
    om_format_options options = {0};
    if (is_stdout(path)) {
        options.width = om__terminal_width(stdout);
        options.colour = om__terminal_has_colour(stdout);
    }
    return options;
}

om_status om__output_contest(const om_record_set *records, om_error *err)
{
    om_contest contest = {0};
    om_document document = {0};
    om_text text = {0};
    om_format_options options = om__output_options(NULL);
    om_status status = om__contest_init(records, NULL, &contest, err);
    if (status == OM_OK)
        status = om__contest_document(records, &contest, NULL, &document, err);
    if (status == OM_OK)
        status = om__document_write(&document, om__format_find("terminal"), &options, &text, err);
    if (status == OM_OK)
        status = om__output_write(NULL, &text, err);
    om__text_release(&text);
    om__document_release(&document);
    om__contest_release(&contest);
    return status;
}
