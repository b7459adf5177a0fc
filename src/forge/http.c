/* SPDX-License-Identifier: Apache-2.0 */
/* http.c: HTTP requests over libcurl. */
#include "forge/http.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "base/error.h"

int64_t om__http_now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void om__http_answer_release(om_http_answer *answer)
{
    om__text_release(&answer->body);
    *answer = (om_http_answer){0};
}

#ifdef OM_HAVE_CURL
#include <curl/curl.h>

#define LONGEST_ANSWER   ((size_t)16 << 20)
#define LONGEST_PAUSE_MS 60000

struct om_http {
    CURL *curl;
    struct curl_slist *headers;
    int64_t deadline_ms;
    long first_pause_ms;
};

om_status om__http_open(const char *const *headers, size_t count, int64_t deadline_ms,
                        long first_pause_ms, om_http **out, om_error *err)
{
    om_http *http = calloc(1, sizeof *http);
    if (http == NULL || curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
        free(http);
        return om__error_set(err, OM_NO_MEMORY, "cannot start the HTTP client");
    }
    http->deadline_ms = deadline_ms;
    http->first_pause_ms = first_pause_ms;
    http->curl = curl_easy_init();
    bool failed = http->curl == NULL;
    for (size_t i = 0; i < count && !failed; i++) {
        struct curl_slist *longer = curl_slist_append(http->headers, headers[i]);
        failed = longer == NULL;
        http->headers = failed ? http->headers : longer;
    }
    if (failed) {
        om__http_close(http);
        return om__error_set(err, OM_NO_MEMORY, "no memory for the HTTP client");
    }
    *out = http;
    return OM_OK;
}

void om__http_close(om_http *http)
{
    if (http == NULL)
        return;
    curl_slist_free_all(http->headers);
    curl_easy_cleanup(http->curl);
    curl_global_cleanup();
    free(http);
}

static size_t take_body(char *data, size_t size, size_t count, void *user)
{
    om_http_answer *answer = user;
    if (answer->body.size + size * count > LONGEST_ANSWER)
        return 0;
    om__text_add_bytes(&answer->body, data, size * count);
    return answer->body.failed ? 0 : size * count;
}

static int64_t header_number(const char *line, const char *name)
{
    int64_t value = 0;
    char digits[24] = "";
    size_t size = strlen(name);
    if (strncasecmp(line, name, size) != 0)
        return -1;
    line += size + strspn(line + size, " ");
    size_t count = strspn(line, "0123456789");
    if (count == 0 || count >= sizeof digits)
        return -1;
    memcpy(digits, line, count);
    return om__parse_int64(digits, &value) ? value : -1;
}

typedef struct header_facts {
    om_http_answer *answer;
    bool is_exhausted;  /* no request of the rate limit is left */
    int64_t reset_time; /* seconds since 1970 when it is renewed */
} header_facts;

static size_t take_header(char *data, size_t size, size_t count, void *user)
{
    header_facts *facts = user;
    char line[1024];
    size_t length = size * count < sizeof line ? size * count : sizeof line - 1;
    memcpy(line, data, length);
    line[length] = '\0';
    if (strncasecmp(line, "link:", 5) == 0 && strstr(line, "rel=\"next\"") != NULL)
        facts->answer->has_next = true;
    if (header_number(line, "x-next-page:") > 0)
        facts->answer->has_next = true;
    if (header_number(line, "retry-after:") >= 0)
        facts->answer->wait_s = header_number(line, "retry-after:") + 1;
    if (header_number(line, "x-ratelimit-remaining:") == 0)
        facts->is_exhausted = true;
    if (header_number(line, "x-ratelimit-reset:") > 0)
        facts->reset_time = header_number(line, "x-ratelimit-reset:");
    return size * count;
}

static CURLcode send_once(om_http *http, const char *method, const char *address, const char *body,
                          om_http_answer *answer, int64_t left_ms)
{
    header_facts facts = {.answer = answer};
    CURL *curl = http->curl;
    om__http_answer_release(answer);
    curl_easy_reset(curl);
    curl_easy_setopt(curl, CURLOPT_URL, address);
    curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, method);
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, http->headers);
    curl_easy_setopt(curl, CURLOPT_USERAGENT, "opmark");
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, (long)(left_ms < 30000 ? left_ms : 30000));
    /* A redirect would carry the token to another host. */
    curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_body);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, answer);
    curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, take_header);
    curl_easy_setopt(curl, CURLOPT_HEADERDATA, &facts);
    if (body != NULL)
        curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body);
    /* On a kept connection that dies libcurl sends the request again by itself, creating twice. */
    curl_easy_setopt(curl, CURLOPT_FRESH_CONNECT, (long)(strcmp(method, "POST") == 0));
    CURLcode code = curl_easy_perform(curl);
    if (code == CURLE_OK)
        curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &answer->code);
    else
        answer->code = 0;
    if (facts.is_exhausted && facts.reset_time > 0) {
        int64_t wait = facts.reset_time - (int64_t)time(NULL) + 1;
        answer->wait_s = wait > 1 ? wait : 1;
    }
    return code;
}

static bool may_pass(const om_http_answer *answer)
{
    return answer->code == 0 || answer->code == 429 || answer->code >= 500 ||
           (answer->code == 403 && answer->wait_s > 0);
}

om_status om__http_pause(om_http *http, int64_t pause_ms, om_error *err)
{
    if (om__http_now_ms() + pause_ms > http->deadline_ms)
        return om__error_set(err, OM_TIMEOUT, "the time for posting is up");
    struct timespec pause = {pause_ms / 1000, pause_ms % 1000 * 1000000};
    nanosleep(&pause, NULL);
    return OM_OK;
}

om_status om__http_send(om_http *http, const char *method, const char *address, const char *body,
                        om_http_answer *answer, om_error *err)
{
    int64_t pause_ms = http->first_pause_ms;
    for (;;) {
        int64_t left_ms = http->deadline_ms - om__http_now_ms();
        if (left_ms <= 0)
            return om__error_set(err, OM_TIMEOUT, "the time for posting is up");
        CURLcode code = send_once(http, method, address, body, answer, left_ms);
        if (code == CURLE_WRITE_ERROR)
            return om__error_set(err, OM_IO, "the answer of the forge is over 16 MiB");
        if (!may_pass(answer))
            return OM_OK;
        if (answer->code == 0) {
            om__error_set(err, OM_IO, "no answer from the forge: %s", curl_easy_strerror(code));
            if (strcmp(method, "POST") == 0)
                return OM_IO;
        } else {
            om__error_set(err, OM_IO, "the forge answers %ld", answer->code);
        }
        int64_t wait_ms = answer->wait_s * 1000 > pause_ms ? answer->wait_s * 1000 : pause_ms;
        char why[200];
        if (err != NULL)
            memcpy(why, err->text, sizeof why - 1), why[sizeof why - 1] = '\0';
        if (om__http_pause(http, wait_ms, err) != OM_OK)
            return om__error_set(err, answer->code == 0 ? OM_IO : OM_TIMEOUT,
                                 "%s, and the time for posting is up", err != NULL ? why : "");
        pause_ms = pause_ms * 2 < LONGEST_PAUSE_MS ? pause_ms * 2 : LONGEST_PAUSE_MS;
    }
}

#else

om_status om__http_open(const char *const *headers, size_t count, int64_t deadline_ms,
                        long first_pause_ms, om_http **http, om_error *err)
{
    (void)headers, (void)count, (void)deadline_ms, (void)first_pause_ms, (void)http;
    return om__error_set(err, OM_UNSUPPORTED,
                         "this build has no libcurl: install libcurl4-openssl-dev "
                         "and build again");
}

void om__http_close(om_http *http)
{
    (void)http;
}

om_status om__http_send(om_http *http, const char *method, const char *address, const char *body,
                        om_http_answer *answer, om_error *err)
{
    (void)http, (void)method, (void)address, (void)body, (void)answer;
    return om__error_set(err, OM_UNSUPPORTED, "this build has no libcurl");
}

om_status om__http_pause(om_http *http, int64_t pause_ms, om_error *err)
{
    (void)http, (void)pause_ms;
    return om__error_set(err, OM_UNSUPPORTED, "this build has no libcurl");
}
#endif
