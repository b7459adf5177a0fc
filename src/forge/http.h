/* SPDX-License-Identifier: Apache-2.0 */
/* http.h: one HTTP request at a time over libcurl, with bounded answers and retries. */
#ifndef OM_FORGE_HTTP_H
#define OM_FORGE_HTTP_H

#include <stdint.h>

#include "base/text.h"

typedef struct om_http om_http;

typedef struct om_http_answer {
    long code;      /* HTTP status; 0: no answer */
    om_text body;   /* at most 16 MiB */
    bool has_next;  /* the answer is a page, and there is another (Link: rel="next", or X-Next-Page)
                     */
    int64_t wait_s; /* the server asks to wait (Retry-After, or a rate limit that resets); 0: no */
} om_http_answer;

/* headers: `count` complete header lines, copied. deadline_ms: CLOCK_MONOTONIC milliseconds after
 * which nothing is tried again. OM_UNSUPPORTED in a build without libcurl. */
om_status om__http_open(const char *const *headers, size_t count, int64_t deadline_ms,
                        long first_pause_ms, om_http **http, om_error *err);
void om__http_close(om_http *http);

/* Sends, and retries cut connections, 429, 5xx, and 403 that ask to wait, with doubled pauses and
 * what the server asks for, until the deadline. body NULL: none. An answer of any code is OM_OK.
 * OM_IO when no answer ever came, OM_TIMEOUT when the deadline passed. Creating (POST) is retried
 * only when the server said that it did nothing, because a cut connection may hide a success: then
 * OM_IO comes back at once and the caller looks again. */
om_status om__http_send(om_http *http, const char *method, const char *address, const char *body,
                        om_http_answer *answer, om_error *err);
void om__http_answer_release(om_http_answer *answer);

int64_t om__http_now_ms(void); /* the clock of deadline_ms */

/* Sleeps, but not beyond the deadline: OM_TIMEOUT when it would. */
om_status om__http_pause(om_http *http, int64_t pause_ms, om_error *err);

#endif
