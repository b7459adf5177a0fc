/* SPDX-License-Identifier: Apache-2.0 */
/* error.c: filling an om_error, and the words of the statuses. */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *const status_names[OM_STATUS_COUNT] = {
    [OM_OK] = "ok",
    [OM_UNSUPPORTED] = "unsupported",
    [OM_INVALID] = "invalid",
    [OM_NO_MEMORY] = "no_memory",
    [OM_DEVICE] = "device",
    [OM_IO] = "io",
    [OM_PARSE] = "parse",
    [OM_DATABASE] = "database",
    [OM_PROVIDER] = "provider",
    [OM_TIMEOUT] = "timeout",
    [OM_INTERNAL] = "internal",
};

const char *om_status_name(om_status status)
{
    if ((unsigned)status >= OM_STATUS_COUNT)
        return "unknown";
    return status_names[status];
}

static void set_text(om_error *err, om_status code, const char *format, va_list args)
{
    err->code = code;
    vsnprintf(err->text, sizeof err->text, format, args);
}

om_status om__error_set(om_error *err, om_status code, const char *format, ...)
{
    if (err != NULL) {
        va_list args;
        va_start(args, format);
        set_text(err, code, format, args);
        va_end(args);
        err->file[0] = '\0';
        err->line = 0;
    }
    return code;
}

om_status om__error_set_at(om_error *err, om_status code, const char *file, long line,
                           const char *format, ...)
{
    if (err != NULL) {
        va_list args;
        va_start(args, format);
        set_text(err, code, format, args);
        va_end(args);
        snprintf(err->file, sizeof err->file, "%s", file != NULL ? file : "");
        err->line = line;
    }
    return code;
}

om_status om__error_prefix(om_error *err, om_status code, const char *format, ...)
{
    if (err != NULL) {
        char prefix[sizeof err->text];
        char old[sizeof err->text];
        va_list args;
        va_start(args, format);
        vsnprintf(prefix, sizeof prefix, format, args);
        va_end(args);
        memcpy(old, err->text, sizeof old);
        size_t used = strlen(prefix);
        memcpy(err->text, prefix, used + 1);
        snprintf(err->text + used, sizeof err->text - used, "%s", old);
    }
    return code;
}

char *om__error_format(const om_error *err, char *buffer, unsigned long size)
{
    if (err->file[0] == '\0')
        snprintf(buffer, size, "%s", err->text);
    else if (err->line <= 0)
        snprintf(buffer, size, "%s: %s", err->file, err->text);
    else
        snprintf(buffer, size, "%s:%ld: %s", err->file, err->line, err->text);
    return buffer;
}
