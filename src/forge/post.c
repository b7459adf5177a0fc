/* SPDX-License-Identifier: Apache-2.0 */
/* post.c: getting a section into the one comment of a pull request, also beside other writers.
 *
 * Forges have no compare-and-swap for comments. So a writer reads, merges, writes and reads back,
 * and looks once more after a pause longer than another writer needs between its read and its
 * write; a section that got lost is merged again. Two writers that both created a comment agree on
 * the older one; the younger is deleted by who made it.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/json.h"
#include "forge/forge.h"
#include "forge/http.h"

#define MOST_ATTEMPTS 12
#define MOST_PAGES    100
#define MOST_HEADERS  3

typedef struct remote_comment {
    char *id, *body, *address;
} remote_comment;

typedef struct poster {
    const om_post_target *target;
    const om_comment_section *section;
    om_http *http;
    om_http_answer answer;
    remote_comment ours;   /* the oldest comment of ours with its markers in order; id NULL: none */
    char *damaged_address; /* of an older one without */
    char *created_id;      /* the comment this writer made */
} poster;

static void comment_release(remote_comment *comment)
{
    free(comment->id);
    free(comment->body);
    free(comment->address);
    *comment = (remote_comment){0};
}

/* ---- reading answers ---- */

static om_status read_string(om_json *json, char **to, om_error *err)
{
    const char *text;
    size_t size;
    OM_TRY(om__json_read_any(json, &text, &size, err));
    free(*to);
    *to = om__strdup(text);
    return *to != NULL ? OM_OK : om__error_set(err, OM_NO_MEMORY, "no memory for a comment");
}

static om_status read_comment(om_json *json, remote_comment *comment, om_error *err)
{
    const char *key;
    OM_TRY(om__json_enter(json, '{', err));
    for (;;) {
        OM_TRY(om__json_next_key(json, &key, err));
        if (key == NULL)
            break;
        if (strcmp(key, "id") == 0)
            OM_TRY(read_string(json, &comment->id, err));
        else if (strcmp(key, "body") == 0)
            OM_TRY(read_string(json, &comment->body, err));
        else if (strcmp(key, "html_url") == 0)
            OM_TRY(read_string(json, &comment->address, err));
        else
            OM_TRY(om__json_skip(json, NULL, NULL, err));
    }
    bool is_number = comment->id != NULL && comment->id[0] != '\0' &&
                     strspn(comment->id, "0123456789") == strlen(comment->id);
    if (!is_number || comment->body == NULL)
        return om__json_fail(json, err, "a comment without id or body");
    return OM_OK;
}

static bool is_older(const remote_comment *a, const remote_comment *b)
{
    size_t a_size = strlen(a->id), b_size = strlen(b->id);
    return a_size != b_size ? a_size < b_size : strcmp(a->id, b->id) < 0;
}

static void consider(poster *p, remote_comment *comment)
{
    if (!om__sections_is_ours(comment->body))
        return;
    if (!om__sections_are_whole(comment->body)) {
        free(p->damaged_address);
        p->damaged_address = om__strdup(comment->address != NULL ? comment->address : comment->id);
        return;
    }
    if (p->ours.id == NULL || is_older(comment, &p->ours)) {
        comment_release(&p->ours);
        p->ours = *comment;
        *comment = (remote_comment){0};
    }
}

static om_status read_page(poster *p, om_error *err)
{
    om_status status = OM_OK;
    om_json json;
    remote_comment comment = {0};
    const om_text *body = &p->answer.body;
    om__json_init(&json, body->data != NULL ? body->data : "", body->size, "the forge's answer", 1);
    OM_TRY_OUT(om__json_enter(&json, '[', err));
    for (;;) {
        bool more;
        OM_TRY_OUT(om__json_next_item(&json, &more, err));
        if (!more)
            break;
        OM_TRY_OUT(read_comment(&json, &comment, err));
        consider(p, &comment);
        comment_release(&comment);
    }
out:
    comment_release(&comment);
    om__json_release(&json);
    return status;
}

/* ---- requests ---- */

static const char *api_of(const poster *p)
{
    return p->target->api != NULL ? p->target->api : p->target->forge->standard_api;
}

static om_status judge_code(const poster *p, const char *doing, om_error *err)
{
    long code = p->answer.code;
    if (code >= 200 && code < 300)
        return OM_OK;
    if (code == 401 || code == 403 || code == 404)
        return om__error_set(err, OM_IO, "%s: no permission, or no such pull request (HTTP %ld)",
                             doing, code);
    if (code >= 300 && code < 400)
        return om__error_set(err, OM_IO, "%s: the forge points elsewhere (HTTP %ld); check --api",
                             doing, code);
    return om__error_set(err, OM_INVALID, "%s: refused (HTTP %ld)", doing, code);
}

static om_status find_ours(poster *p, om_error *err)
{
    om_status status = OM_OK;
    om_text address = {0};
    comment_release(&p->ours);
    for (int page = 1; page <= MOST_PAGES; page++) {
        om__text_clear(&address);
        om__text_add(&address, api_of(p));
        OM_TRY_OUT(
            p->target->forge->list_path(p->target->repository, p->target->number, &address, err));
        om__text_addf(&address, "?per_page=100&page=%d", page);
        OM_TRY_OUT(om__text_check(&address, err));
        OM_TRY_OUT(om__http_send(p->http, "GET", address.data, NULL, &p->answer, err));
        OM_TRY_OUT(judge_code(p, "reading the comments", err));
        OM_TRY_OUT(read_page(p, err));
        if (!p->answer.has_next)
            break;
    }
out:
    om__text_release(&address);
    return status;
}

static om_status send_comment(poster *p, const char *method, const char *id, const char *body,
                              om_error *err)
{
    om_status status = OM_OK;
    om_text address = {0};
    om_json_out json = {0};
    const om_post_target *target = p->target;
    om__text_add(&address, api_of(p));
    if (id == NULL)
        OM_TRY_OUT(target->forge->list_path(target->repository, target->number, &address, err));
    else
        OM_TRY_OUT(
            target->forge->comment_path(target->repository, target->number, id, &address, err));
    if (body != NULL) {
        om__json_put_open(&json, NULL, '{');
        om__json_put_text(&json, "body", body);
        om__json_put_close(&json, '}');
        OM_TRY_OUT(om__text_check(&json.text, err));
    }
    OM_TRY_OUT(om__text_check(&address, err));
    OM_TRY_OUT(om__http_send(p->http, method, address.data, body != NULL ? json.text.data : NULL,
                             &p->answer, err));
out:
    om__text_release(&address);
    om__text_release(&json.text);
    return status;
}

/* Remembers which comment a POST made. */
static om_status take_created(poster *p, om_error *err)
{
    om_json json;
    remote_comment created = {0};
    om__json_init(&json, p->answer.body.data, p->answer.body.size, "the forge's answer", 1);
    om_status status = read_comment(&json, &created, err);
    if (status == OM_OK) {
        free(p->created_id);
        p->created_id = created.id;
        created.id = NULL;
    }
    comment_release(&created);
    om__json_release(&json);
    return status;
}

/* ---- one attempt ---- */

static size_t budget_of(const poster *p)
{
    size_t longest = (size_t)p->target->forge->longest_body;
    return p->target->budget_bytes < longest ? p->target->budget_bytes : longest;
}

static om_status merge_body(poster *p, om_text *merged, om_error *err)
{
    if (p->ours.id != NULL)
        return om__sections_merge(p->ours.body, p->section, budget_of(p), merged, err);
    om_status status = OM_OK;
    om_text fresh = {0};
    if (p->damaged_address != NULL)
        om__text_addf(&fresh,
                      "<!-- opmark:report -->\nThe markers of an earlier report were damaged: %s\n",
                      p->damaged_address);
    OM_TRY_OUT(om__text_check(&fresh, err));
    OM_TRY_OUT(om__sections_merge(fresh.data, p->section, budget_of(p), merged, err));
out:
    om__text_release(&fresh);
    return status;
}

/* *again: nothing is wrong, but it must be looked at anew. */
static om_status write_body(poster *p, const char *body, bool *again, om_error *err)
{
    bool creates = p->ours.id == NULL;
    *again = false;
    om_status status =
        send_comment(p, creates ? "POST" : p->target->forge->update_method, p->ours.id, body, err);
    if (creates && status == OM_IO) {
        *again = true; /* the cut connection may hide that it was created */
        return OM_OK;
    }
    OM_TRY(status);
    if (p->answer.code == 409) {
        *again = true;
        return OM_OK;
    }
    OM_TRY(judge_code(p, creates ? "creating the comment" : "updating the comment", err));
    return creates ? take_created(p, err) : OM_OK;
}

/* Another writer's older comment won: the one made here goes away. */
static om_status drop_duplicate(poster *p, om_error *err)
{
    if (p->created_id == NULL || p->ours.id == NULL || strcmp(p->created_id, p->ours.id) == 0)
        return OM_OK;
    OM_TRY(send_comment(p, "DELETE", p->created_id, NULL, err));
    free(p->created_id);
    p->created_id = NULL;
    return OM_OK;
}

/* Does our comment already hold all that merging would put there? An older result that does not
 * replace a newer one counts. Forges trim the end of a body. */
static om_status is_settled(poster *p, om_text *merged, bool *settled, om_error *err)
{
    om__text_clear(merged);
    *settled = false;
    OM_TRY(merge_body(p, merged, err));
    size_t size = merged->size;
    while (size > 0 && isspace((unsigned char)merged->data[size - 1]))
        size--;
    *settled = p->ours.id != NULL && strncmp(p->ours.body, merged->data, size) == 0 &&
               strspn(p->ours.body + size, " \n\r\t") == strlen(p->ours.body + size);
    return OM_OK;
}

static om_status attempt(poster *p, bool *done, om_error *err)
{
    om_status status = OM_OK;
    om_text merged = {0};
    bool again = false;
    OM_TRY_OUT(find_ours(p, err));
    OM_TRY_OUT(drop_duplicate(p, err));
    OM_TRY_OUT(is_settled(p, &merged, done, err));
    if (*done)
        goto out;
    OM_TRY_OUT(write_body(p, merged.data, &again, err));
    if (again)
        goto out;
    for (int look = 0; look < 2; look++) {
        if (look > 0)
            OM_TRY_OUT(om__http_pause(p->http, 2 * p->target->first_pause_ms, err));
        OM_TRY_OUT(find_ours(p, err));
        OM_TRY_OUT(drop_duplicate(p, err));
        OM_TRY_OUT(is_settled(p, &merged, done, err));
        if (!*done)
            break;
    }
out:
    om__text_release(&merged);
    return status;
}

static om_status open_http(poster *p, om_error *err)
{
    om_status status = OM_OK;
    om_text token = {0};
    const om_forge *forge = p->target->forge;
    const char *headers[MOST_HEADERS];
    size_t count = 0;
    om__text_addf(&token, forge->token_header, p->target->token);
    OM_TRY_OUT(om__text_check(&token, err));
    headers[count++] = token.data;
    headers[count++] = "Content-Type: application/json";
    if (forge->accept_header != NULL)
        headers[count++] = forge->accept_header;
    int64_t deadline_ms = om__http_now_ms() + p->target->timeout_s * 1000;
    OM_TRY_OUT(
        om__http_open(headers, count, deadline_ms, p->target->first_pause_ms, &p->http, err));
out:
    if (token.data != NULL)
        explicit_bzero(token.data, token.capacity);
    om__text_release(&token);
    return status;
}

/* Writers that collide once would collide again in step: each waits a while of its own. */
static int64_t jitter_ms(const poster *p, int round)
{
    unsigned mixed = (unsigned)getpid() * 2654435761u + (unsigned)round * 40503u;
    return p->target->first_pause_ms + (int64_t)(mixed >> 16) % (1 + 4 * p->target->first_pause_ms);
}

om_status om__forge_post(const om_post_target *target, const om_comment_section *section,
                         char **where, om_error *err)
{
    om_status status = OM_OK;
    poster p = {.target = target, .section = section};
    bool done = false;
    if (strpbrk(target->token, "\r\n") != NULL)
        return om__error_set(err, OM_INVALID, "the token holds a line break");
    OM_TRY_OUT(open_http(&p, err));
    for (int i = 0; i < MOST_ATTEMPTS && !done; i++) {
        if (i > 0)
            OM_TRY_OUT(om__http_pause(p.http, jitter_ms(&p, i), err));
        OM_TRY_OUT(attempt(&p, &done, err));
    }
    if (!done) {
        status =
            om__error_set(err, OM_PROVIDER,
                          "the comment was written %d times and never held the section of %s when "
                          "read back",
                          MOST_ATTEMPTS, section->key);
        goto out;
    }
    *where = om__strdup(p.ours.address != NULL ? p.ours.address : "");
out:
    om__http_close(p.http);
    om__http_answer_release(&p.answer);
    comment_release(&p.ours);
    free(p.damaged_address);
    free(p.created_id);
    return status;
}
