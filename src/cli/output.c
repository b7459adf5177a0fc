/* SPDX-License-Identifier: Apache-2.0 */
/* output.c: where a command's text goes, and how a report looks there. */
#include "cli/output.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
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

om_status om__output_write(const char *path, const om_text *text, om_error *err)
{
    OM_TRY(om__text_check(text, err));
    const char *data = text->data != NULL ? text->data : "";
    if (!is_stdout(path))
        return om__file_write(path, data, text->size, err);
    fwrite(data, 1, text->size, stdout); /* the program checks the stream at its end */
    return OM_OK;
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
