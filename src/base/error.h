/* SPDX-License-Identifier: Apache-2.0 */
/* error.h: filling an om_error and passing statuses upwards. */
#ifndef OM_BASE_ERROR_H
#define OM_BASE_ERROR_H

#include "opmark/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Writes code and text (cut to fit) into err, clears file and line, and returns the code. err may
 * be NULL. */
om_status om__error_set(om_error *err, om_status code, const char *format, ...) OM_PRINTF(3, 4);

/* As om__error_set, for a fault at a line of the user's input. line 0: the whole file. */
om_status om__error_set_at(om_error *err, om_status code, const char *file, long line,
                           const char *format, ...) OM_PRINTF(5, 6);

/* Puts words before the text of an error that is passed upwards ("reading quick.wl: …"); returns
 * err's code. */
om_status om__error_prefix(om_error *err, om_status code, const char *format, ...) OM_PRINTF(3, 4);

/* Writes "file:line: text" (or less, where parts are missing) into buffer, cut to size; returns
 * buffer. */
char *om__error_format(const om_error *err, char *buffer, unsigned long size);

#define OM_TRY(call)                                                                               \
    do {                                                                                           \
        om_status om_try_status_ = (call);                                                         \
        if (om_try_status_ != OM_OK)                                                               \
            return om_try_status_;                                                                 \
    } while (0)

/* The same for functions with one exit: sets `status` and jumps to `out`. */
#define OM_TRY_OUT(call)                                                                           \
    do {                                                                                           \
        status = (call);                                                                           \
        if (status != OM_OK)                                                                       \
            goto out;                                                                              \
    } while (0)

#ifdef __cplusplus
}
#endif

#endif
