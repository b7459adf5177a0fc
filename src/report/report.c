/* SPDX-License-Identifier: Apache-2.0 */
/* report.c: the list of formats, and writing a document in one of them. */
#include "report/report.h"

#include <string.h>

#define OM_FORMAT(name) extern const om_format om__format_##name;
#include "report/report.def"
#undef OM_FORMAT

static const om_format *const formats[] = {
#define OM_FORMAT(name) &om__format_##name,
#include "report/report.def"
#undef OM_FORMAT
};

enum { FORMAT_COUNT = sizeof formats / sizeof formats[0] };

const om_format *const *om__formats_get(size_t *count)
{
    *count = FORMAT_COUNT;
    return formats;
}

const om_format *om__format_find(const char *name)
{
    for (size_t i = 0; i < FORMAT_COUNT; i++)
        if (strcmp(formats[i]->name, name) == 0)
            return formats[i];
    return NULL;
}

om_status om__document_write(const om_document *document, const om_format *format,
                             const om_format_options *options, om_text *out, om_error *err)
{
    om_status status = om__document_check(document, err);
    if (status != OM_OK)
        return status;
    format->write(document, options, out);
    return om__text_check(out, err);
}
