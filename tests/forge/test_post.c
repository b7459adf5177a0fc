/* SPDX-License-Identifier: Apache-2.0 */
/* test_post.c: posting against a local server that behaves as the two forges do, faults and rivals
 * included. */
#include "helpers/helper.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "forge/forge.h"
#include "forge/http.h"

#if defined(OM_HAVE_MICROHTTPD) && defined(OM_HAVE_CURL)
#include <microhttpd.h>
#include <netinet/in.h>
#include <pthread.h>
#include <unistd.h>

enum { MOST_COMMENTS = 300 };

/* ---- the server ---- */

typedef struct server {
    struct MHD_Daemon *daemon;
    int port;
    pthread_mutex_t lock;
    char *bodies[MOST_COMMENTS]; /* by id − 1; NULL: deleted */
    int count;
    bool is_gitlab;
    int page_size;
    /* faults: the next `times` requests of `method` (NULL: any) get `code`; 0 cuts the connection
     * after doing the work (when `does_work`) or before it. */
    const char *fault_method;
    int fault_times, fault_code;
    bool fault_does_work;
    const char *fault_header, *fault_value;
    int requests, writes;
    int slow_ms;         /* each write takes this long between read and answer */
    bool drops_sections; /* accepts a write and forgets it */
    char authorization[200];
} server;

typedef struct upload {
    om_text text;
} upload;

static enum MHD_Result answer(struct MHD_Connection *c, int code, const char *text,
                              const char *header, const char *value)
{
    struct MHD_Response *response = MHD_create_response_from_buffer(
        strlen(text), (void *)(uintptr_t)text, MHD_RESPMEM_MUST_COPY);
    if (header != NULL)
        MHD_add_response_header(response, header, value);
    enum MHD_Result result = MHD_queue_response(c, (unsigned)code, response);
    MHD_destroy_response(response);
    return result;
}

static void put_comment(om_json_out *json, const server *s, int index)
{
    char address[64];
    om__json_put_open(json, NULL, '{');
    om__json_put_int(json, "id", index + 1);
    om__json_put_text(json, "body", s->bodies[index]);
    if (!s->is_gitlab) {
        snprintf(address, sizeof address, "http://forge/comment/%d", index + 1);
        om__json_put_text(json, "html_url", address);
    }
    om__json_put_close(json, '}');
}

static enum MHD_Result list_comments(server *s, struct MHD_Connection *c)
{
    const char *page_text = MHD_lookup_connection_value(c, MHD_GET_ARGUMENT_KIND, "page");
    int page = page_text != NULL ? atoi(page_text) : 1;
    om_json_out json = {0};
    om__json_put_open(&json, NULL, '[');
    int seen = 0, sent = 0;
    for (int i = 0; i < s->count; i++) {
        if (s->bodies[i] == NULL)
            continue;
        if (seen++ < (page - 1) * s->page_size || sent == s->page_size)
            continue;
        put_comment(&json, s, i);
        sent++;
    }
    om__json_put_close(&json, ']');
    bool more = seen > page * s->page_size;
    char next[16];
    snprintf(next, sizeof next, "%d", page + 1);
    enum MHD_Result result =
        answer(c, 200, json.text.data,
               !more          ? NULL
               : s->is_gitlab ? "X-Next-Page"
                              : "Link",
               s->is_gitlab ? next : "<http://forge/?page=2>; rel=\"next\", <x>; rel=\"last\"");
    om__text_release(&json.text);
    return result;
}

static char *body_of(const om_text *upload_text)
{
    om_json json;
    const char *key, *text;
    char *body = NULL;
    om__json_init(&json, upload_text->data, upload_text->size, "request", 1);
    if (om__json_enter(&json, '{', NULL) == OM_OK &&
        om__json_next_key(&json, &key, NULL) == OM_OK && key != NULL && strcmp(key, "body") == 0 &&
        om__json_read_text(&json, &text, NULL, NULL) == OM_OK)
        body = om__strdup(text);
    om__json_release(&json);
    return body;
}

static enum MHD_Result write_comment(server *s, struct MHD_Connection *c, int index,
                                     const om_text *text)
{
    char *body = body_of(text);
    if (body == NULL)
        return answer(c, 400, "{}", NULL, NULL);
    if (strlen(body) > 65536) {
        free(body);
        return answer(c, 422, "{\"message\":\"too long\"}", NULL, NULL);
    }
    s->writes++;
    if (s->drops_sections) {
        free(body);
        body = om__strdup("something else");
    }
    if (index == s->count)
        s->count++;
    free(s->bodies[index]);
    s->bodies[index] = body;
    om_json_out json = {0};
    put_comment(&json, s, index);
    enum MHD_Result result = answer(c, 201, json.text.data, NULL, NULL);
    om__text_release(&json.text);
    return result;
}

/* The id at the end of the path, or −1 for the list. */
static int index_of(const char *url)
{
    const char *last = strrchr(url, '/');
    return last[1] >= '0' && last[1] <= '9' ? atoi(last + 1) - 1 : -1;
}

static enum MHD_Result serve(server *s, struct MHD_Connection *c, const char *url,
                             const char *method, const om_text *text)
{
    int index = index_of(url);
    if (strcmp(method, "GET") == 0)
        return list_comments(s, c);
    if (strcmp(method, "POST") == 0)
        return write_comment(s, c, s->count, text);
    if (index < 0 || index >= s->count || s->bodies[index] == NULL)
        return answer(c, 404, "{}", NULL, NULL);
    if (strcmp(method, "DELETE") == 0) {
        free(s->bodies[index]);
        s->bodies[index] = NULL;
        return answer(c, 204, "", NULL, NULL);
    }
    if (strcmp(method, s->is_gitlab ? "PUT" : "PATCH") != 0)
        return answer(c, 405, "{}", NULL, NULL);
    return write_comment(s, c, index, text);
}

static bool takes_fault(server *s, const char *method)
{
    if (s->fault_times == 0 || (s->fault_method != NULL && strcmp(s->fault_method, method) != 0))
        return false;
    s->fault_times--;
    return true;
}

static enum MHD_Result handle(void *user, struct MHD_Connection *c, const char *url,
                              const char *method, const char *version, const char *data,
                              size_t *size, void **state)
{
    (void)version;
    server *s = user;
    upload *u = *state;
    if (u == NULL) {
        *state = calloc(1, sizeof(upload));
        return MHD_YES;
    }
    if (*size > 0) {
        om__text_add_bytes(&u->text, data, *size);
        *size = 0;
        return MHD_YES;
    }
    if (s->slow_ms > 0 && strcmp(method, "GET") != 0)
        usleep((useconds_t)s->slow_ms * 1000);
    pthread_mutex_lock(&s->lock);
    s->requests++;
    const char *token = MHD_lookup_connection_value(
        c, MHD_HEADER_KIND, s->is_gitlab ? "PRIVATE-TOKEN" : "Authorization");
    snprintf(s->authorization, sizeof s->authorization, "%s", token != NULL ? token : "");
    enum MHD_Result result;
    if (takes_fault(s, method)) {
        if (s->fault_does_work)
            serve(s, c, url, method, &u->text);
        result = s->fault_code == 0
                     ? MHD_NO
                     : answer(c, s->fault_code, "{}", s->fault_header, s->fault_value);
    } else {
        result = serve(s, c, url, method, &u->text);
    }
    pthread_mutex_unlock(&s->lock);
    return result;
}

static void done(void *user, struct MHD_Connection *c, void **state,
                 enum MHD_RequestTerminationCode code)
{
    (void)user, (void)c, (void)code;
    upload *u = *state;
    if (u != NULL)
        om__text_release(&u->text);
    free(u);
}

static void start(server *s, bool is_gitlab)
{
    *s = (server){.is_gitlab = is_gitlab, .page_size = 100};
    pthread_mutex_init(&s->lock, NULL);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    s->daemon = MHD_start_daemon(MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION, 0,
                                 NULL, NULL, handle, s, MHD_OPTION_SOCK_ADDR, &address,
                                 MHD_OPTION_NOTIFY_COMPLETED, done, NULL, MHD_OPTION_END);
    assert_non_null(s->daemon);
    s->port = MHD_get_daemon_info(s->daemon, MHD_DAEMON_INFO_BIND_PORT)->port;
}

static void stop(server *s)
{
    MHD_stop_daemon(s->daemon);
    for (int i = 0; i < s->count; i++)
        free(s->bodies[i]);
    pthread_mutex_destroy(&s->lock);
}

/* ---- posting ---- */

static om_status post_as(server *s, const char *key, const char *commit, int64_t sequence,
                         long timeout_s, om_error *err)
{
    char api[64], *where = NULL;
    snprintf(api, sizeof api, "http://127.0.0.1:%d", s->port);
    om_comment_section section = {(char *)key, (char *)commit, sequence, (char *)"**2 slower**",
                                  (char *)"| row | ratio |\n|---|---|\n| a | 0.9 |"};
    om_post_target target = {
        .forge = om__forge_find(s->is_gitlab ? "gitlab" : "github"),
        .api = api,
        .repository = "some/project",
        .number = "7",
        .token = "secret-token",
        .budget_bytes = OM_COMMENT_BUDGET_BYTES,
        .timeout_s = timeout_s,
        .first_pause_ms = 40,
    };
    om_status status = om__forge_post(&target, &section, &where, err);
    free(where);
    return status;
}

static om_status post(server *s, om_error *err)
{
    return post_as(s, "mi300", "c1", 1, 10, err);
}

static int count_ours(const server *s)
{
    int count = 0;
    for (int i = 0; i < s->count; i++)
        count += s->bodies[i] != NULL && om__sections_is_ours(s->bodies[i]);
    return count;
}

static void one_comment_is_made_then_updated(void **state)
{
    (void)state;
    for (int gitlab = 0; gitlab < 2; gitlab++) {
        server s;
        om_error err = {0};
        start(&s, gitlab);
        assert_int_equal(post(&s, &err), OM_OK);
        assert_int_equal(s.count, 1);
        assert_string_equal(s.authorization, gitlab ? "secret-token" : "Bearer secret-token");
        int writes = s.writes;
        assert_int_equal(post(&s, &err), OM_OK);
        assert_int_equal(s.writes, writes); /* the same again: nothing to write */
        assert_int_equal(post_as(&s, "mi355", "c1", 1, 10, &err), OM_OK);
        assert_int_equal(s.count, 1);
        assert_non_null(strstr(s.bodies[0], "key=\"mi300\""));
        assert_non_null(strstr(s.bodies[0], "key=\"mi355\""));
        stop(&s);
    }
}

static void an_older_result_leaves_the_newer(void **state)
{
    (void)state;
    server s;
    om_error err = {0};
    start(&s, false);
    assert_int_equal(post_as(&s, "m", "c2", 2, 10, &err), OM_OK);
    assert_int_equal(post_as(&s, "m", "c1", 1, 10, &err), OM_OK);
    assert_non_null(strstr(s.bodies[0], "commit=\"c2\""));
    assert_null(strstr(s.bodies[0], "commit=\"c1\""));
    stop(&s);
}

static void the_comment_is_found_on_a_later_page(void **state)
{
    (void)state;
    for (int gitlab = 0; gitlab < 2; gitlab++) {
        server s;
        om_error err = {0};
        start(&s, gitlab);
        for (int i = 0; i < 205; i++)
            s.bodies[s.count++] = om__strdup("chatter");
        assert_int_equal(post(&s, &err), OM_OK);
        assert_int_equal(s.count, 206);
        assert_int_equal(post_as(&s, "other", "c1", 1, 10, &err), OM_OK);
        assert_int_equal(s.count, 206);
        stop(&s);
    }
}

static void passing_faults_are_retried(void **state)
{
    (void)state;
    static const int codes[] = {500, 502, 503, 429, 0};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        server s;
        om_error err = {0};
        start(&s, false);
        s.fault_times = 2;
        s.fault_code = codes[i];
        om_status status = post(&s, &err);
        if (status != OM_OK)
            fail_msg("code %d: %s", codes[i], err.text);
        assert_int_equal(count_ours(&s), 1);
        stop(&s);
    }
}

static void conflicts_are_retried(void **state)
{
    (void)state;
    server s;
    om_error err = {0};
    start(&s, false);
    s.fault_method = "POST";
    s.fault_times = 2;
    s.fault_code = 409;
    assert_int_equal(post(&s, &err), OM_OK);
    assert_int_equal(count_ours(&s), 1);
    stop(&s);
}

/* The connection is cut after the comment was made: posting again must not make a second one. */
static void a_cut_answer_makes_no_second_comment(void **state)
{
    (void)state;
    server s;
    om_error err = {0};
    start(&s, false);
    s.fault_method = "POST";
    s.fault_times = 1;
    s.fault_code = 0;
    s.fault_does_work = true;
    assert_int_equal(post(&s, &err), OM_OK);
    assert_int_equal(s.count, 1);
    stop(&s);
}

static void rate_limits_are_waited_for(void **state)
{
    (void)state;
    server s;
    om_error err = {0};
    start(&s, false);
    s.fault_times = 1;
    s.fault_code = 403;
    s.fault_header = "Retry-After";
    s.fault_value = "0";
    int64_t before = om__http_now_ms();
    assert_int_equal(post(&s, &err), OM_OK);
    assert_true(om__http_now_ms() - before >= 900); /* 0 s asked for, and one for the rounding */
    s.fault_times = 1;
    s.fault_value = "3600"; /* longer than there is time: give up at once, in words */
    before = om__http_now_ms();
    assert_int_equal(post_as(&s, "b", "c1", 1, 5, &err), OM_TIMEOUT);
    assert_true(om__http_now_ms() - before < 2000);
    assert_non_null(strstr(err.text, "403"));
    stop(&s);
}

static void refusals_are_final_and_silent_about_the_token(void **state)
{
    (void)state;
    static const struct {
        int code;
        om_status status;
    } cases[] = {{401, OM_IO}, {403, OM_IO}, {404, OM_IO}, {422, OM_INVALID}, {301, OM_IO}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        server s;
        om_error err = {0};
        start(&s, false);
        s.fault_times = 1;
        s.fault_code = cases[i].code;
        assert_int_equal(post(&s, &err), cases[i].status);
        assert_int_equal(s.requests, 1);
        assert_null(strstr(err.text, "secret"));
        stop(&s);
    }
}

static void nobody_there_is_an_answer(void **state)
{
    (void)state;
    server s;
    om_error err = {0};
    start(&s, false);
    server gone = s;
    stop(&s);
    assert_int_equal(post_as(&gone, "m", "c1", 1, 1, &err), OM_IO);
    assert_non_null(strstr(err.text, "no answer from the forge"));
}

static void a_write_that_does_not_stick_is_reported(void **state)
{
    (void)state;
    server s;
    om_error err = {0};
    start(&s, false);
    s.drops_sections = true;
    om_status status = post_as(&s, "m", "c1", 1, 30, &err);
    assert_int_equal(status, OM_PROVIDER);
    assert_non_null(strstr(err.text, "never held"));
    stop(&s);
}

static void damaged_comments_are_left_and_linked(void **state)
{
    (void)state;
    server s;
    om_error err = {0};
    start(&s, false);
    s.bodies[s.count++] = om__strdup("<!-- opmark:report -->\n<!-- opmark:section key=\"m\" -->");
    assert_int_equal(post(&s, &err), OM_OK);
    assert_int_equal(s.count, 2);
    assert_non_null(strstr(s.bodies[1], "http://forge/comment/1"));
    assert_non_null(strstr(s.bodies[0], "key=\"m\" -->"));
    assert_int_equal(post_as(&s, "other", "c1", 1, 10, &err), OM_OK);
    assert_int_equal(s.count, 2);
    stop(&s);
}

static void garbage_from_the_forge_is_an_error(void **state)
{
    (void)state;
    server s;
    om_error err = {0};
    start(&s, false);
    s.fault_times = 1;
    s.fault_code = 200; /* an object where an array belongs */
    assert_int_equal(post(&s, &err), OM_PARSE);
    stop(&s);
}

/* ---- several writers at once ---- */

typedef struct writer {
    server *s;
    char key[16];
    om_status status;
    om_error err;
} writer;

static void *run_writer(void *user)
{
    writer *w = user;
    w->status = post_as(w->s, w->key, "c1", 1, 60, &w->err);
    return NULL;
}

static void concurrent_writers_lose_nothing(void **state)
{
    (void)state;
    enum { WRITERS = 4 };
    server s;
    pthread_t threads[WRITERS];
    writer writers[WRITERS] = {0};
    start(&s, false);
    s.slow_ms = 5;
    for (int i = 0; i < WRITERS; i++) {
        writers[i].s = &s;
        snprintf(writers[i].key, sizeof writers[i].key, "machine-%d", i);
        assert_int_equal(pthread_create(&threads[i], NULL, run_writer, &writers[i]), 0);
    }
    for (int i = 0; i < WRITERS; i++)
        pthread_join(threads[i], NULL);
    const char *body = NULL;
    for (int i = 0; i < s.count; i++)
        if (s.bodies[i] != NULL)
            body = s.bodies[i];
    assert_int_equal(count_ours(&s), 1);
    for (int i = 0; i < WRITERS; i++) {
        char mark[40];
        if (writers[i].status != OM_OK)
            fail_msg("%s: %s", writers[i].key, writers[i].err.text);
        snprintf(mark, sizeof mark, "section key=\"%s\"", writers[i].key);
        if (strstr(body, mark) == NULL)
            fail_msg("%s is missing in: %s", writers[i].key, body);
    }
    stop(&s);
}

/* ---- names that could leave the path ---- */

static void odd_names_are_refused_before_any_request(void **state)
{
    (void)state;
    static const char *const bad[] = {"", "x", "a/b/c", "a/../b", "a/b?x", "a /b", "/b", "a/"};
    om_text path = {0};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(om__forge_find("github")->list_path(bad[i], "1", &path, NULL), OM_INVALID);
    assert_int_equal(om__forge_find("github")->list_path("a/b", "1/../2", &path, NULL), OM_INVALID);
    assert_int_equal(om__forge_find("gitlab")->list_path("a/b c", "1", &path, NULL), OM_OK);
    assert_string_equal(path.data, "/projects/a%2Fb%20c/merge_requests/1/notes");
    assert_null(om__forge_find("gitea"));
    om__text_release(&path);
}

/* ---- the command ---- */

static void the_command_packs_merges_and_posts(void **state)
{
    (void)state;
    server s;
    start(&s, false);
    char *folder = helper_folder_create();
    helper_output o =
        helper_run(folder,
                   "printf '**1 slower** @all' > h.md; printf 'rows' > d.md; : > old.md;"
                   "printf 'secret-token\\n' > token;"
                   "opmark comment pack --machine mi300 --commit abc --sequence 3 --headline h.md "
                   "--details d.md --out r.json && opmark comment merge old.md r.json > new.md && "
                   "opmark comment merge new.md r.json > again.md && cmp new.md again.md && "
                   "opmark comment post r.json --api http://127.0.0.1:%d --repository a/b "
                   "--number 1 --token-file token --pause 20",
                   s.port);
    if (o.code != 0)
        fail_msg("exit %d: %s", o.code, o.err);
    pthread_mutex_lock(&s.lock); /* what the server's thread wrote is seen from here on */
    pthread_mutex_unlock(&s.lock);
    assert_non_null(strstr(o.out, "posted the section of mi300"));
    assert_non_null(strstr(s.bodies[0], "key=\"mi300\" commit=\"abc\" sequence=\"3\""));
    assert_null(strstr(s.bodies[0], "@all")); /* defused */
    helper_output_release(&o);
    s.fault_times = 1;
    s.fault_code = 403;
    o = helper_run(
        folder,
        "opmark comment post r.json --api http://127.0.0.1:%d --repository a/b --number 1 "
        "--token-file token --pause 20 --summary sum.md; echo code $?; cat sum.md",
        s.port);
    assert_non_null(strstr(o.out, "code 3"));
    assert_non_null(strstr(strstr(o.out, "code 3"), "**1 slower**")); /* in the summary as well */
    assert_non_null(strstr(o.err, "no permission"));
    assert_null(strstr(o.out, "secret-token"));
    assert_null(strstr(o.err, "secret-token"));
    helper_output_release(&o);
    o = helper_run(folder, "opmark comment post r.json --repository ../x --number 1 "
                           "--token-file token");
    assert_int_equal(o.code, 2); /* a slip of the user is no refusal by the forge */
    helper_output_release(&o);
    o = helper_run(folder,
                   "echo '{\"opmark_artifact\":9,\"key\":\"a\"}' > bad.json; opmark comment merge "
                   "old.md bad.json");
    assert_int_equal(o.code, 2);
    assert_non_null(strstr(o.err, "schema 9"));
    helper_output_release(&o);
    helper_folder_remove(folder);
    stop(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_comment_is_made_then_updated),
        cmocka_unit_test(an_older_result_leaves_the_newer),
        cmocka_unit_test(the_comment_is_found_on_a_later_page),
        cmocka_unit_test(passing_faults_are_retried),
        cmocka_unit_test(conflicts_are_retried),
        cmocka_unit_test(a_cut_answer_makes_no_second_comment),
        cmocka_unit_test(rate_limits_are_waited_for),
        cmocka_unit_test(refusals_are_final_and_silent_about_the_token),
        cmocka_unit_test(nobody_there_is_an_answer),
        cmocka_unit_test(a_write_that_does_not_stick_is_reported),
        cmocka_unit_test(damaged_comments_are_left_and_linked),
        cmocka_unit_test(garbage_from_the_forge_is_an_error),
        cmocka_unit_test(concurrent_writers_lose_nothing),
        cmocka_unit_test(odd_names_are_refused_before_any_request),
        cmocka_unit_test(the_command_packs_merges_and_posts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

static void posting(void **state)
{
    (void)state;
    skip_because("libcurl or libmicrohttpd is not in this build");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(posting)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
#endif
