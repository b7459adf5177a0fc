/* SPDX-License-Identifier: Apache-2.0 */
/* status.h: how every opmark call says what went wrong.
 *
 * A function that can fail returns an om_status and takes an om_error as its last argument; NULL is
 * allowed and drops the text. It is written where a call fails and left alone where the call
 * returns OM_OK. OM_UNSUPPORTED is an answer, not a fault: it is decided before any work and says
 * why in words.
 */
#ifndef OPMARK_STATUS_H
#define OPMARK_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__) || defined(__clang__)
#define OM_MUST_USE                   __attribute__((warn_unused_result))
#define OM_PRINTF(format_at, args_at) __attribute__((format(printf, format_at, args_at)))
#else
#define OM_MUST_USE
#define OM_PRINTF(format_at, args_at)
#endif

#if defined(__GNUC__) || defined(__clang__)
#define OM_API __attribute__((visibility("default")))
#else
#define OM_API
#endif

typedef enum om_status {
    OM_OK = 0,
    OM_UNSUPPORTED, /* a valid request that this build, device or provider does not serve */
    OM_INVALID,     /* the caller's argument breaks the contract */
    OM_NO_MEMORY,
    OM_DEVICE, /* a device or its driver failed */
    OM_IO,     /* the operating system refused a file, pipe or process */
    OM_PARSE,  /* input text is malformed; file and line are set where known */
    OM_DATABASE,
    OM_PROVIDER, /* a provider broke its own contract */
    OM_TIMEOUT,
    OM_INTERNAL, /* a fault of opmark itself */
    OM_STATUS_COUNT
} om_status;

/* What went wrong, in words a user can act on. `file` and `line` name the place in the user's input
 * (a workload or record file); file is empty and line 0 where there is none. Texts are cut, never
 * overrun. */
typedef struct om_error {
    om_status code;
    char text[512];
    char file[256];
    long line;
} om_error;

/* The lower-case word of a status ("no_memory"); "unknown" for a value outside the enumeration.
 * Never NULL. */
OM_API const char *om_status_name(om_status status);

#ifdef __cplusplus
}
#endif

#endif
