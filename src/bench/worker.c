/* SPDX-License-Identifier: Apache-2.0 */
/* worker.c: the worker's end of the pipes; see worker.h for the words. */
#include "bench/worker.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/text.h"
#include "base/wl.h"

typedef struct worker {
    int out_fd;
    om_session *session;
    om_session_options options;
    om_pairs texts; /* what the session line said; options point into it */
    const char **providers, **without, **plugins;
    size_t provider_count, without_count, plugin_count;
} worker;

/* One line in one write; a pipe takes short ones whole. */
static om_status send_bytes(int fd, const char *bytes, size_t size, om_error *err)
{
    while (size > 0) {
        ssize_t written = write(fd, bytes, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return om__error_set(err, OM_IO, "cannot write to the parent: %s", strerror(errno));
        bytes += written;
        size -= (size_t)written;
    }
    return OM_OK;
}

static om_status send_text(int fd, om_text *text, om_error *err)
{
    om_status status = om__text_check(text, err);
    if (status == OM_OK)
        status = send_bytes(fd, text->data, text->size, err);
    om__text_release(text);
    return status;
}

/* Line breaks and tabs are the protocol's own. */
static void add_plain(om_text *text, const char *words)
{
    for (; *words != '\0'; words++)
        om__text_add_char(text, (unsigned char)*words < ' ' ? ' ' : *words);
}

static void announce(void *self, long index, const char *provider, const char *step)
{
    const worker *w = self;
    char line[512];
    int size = snprintf(line, sizeof line, "at\t%ld\t%.200s\t%.200s\n", index,
                        provider != NULL ? provider : "-", step);
    /* A parent that is gone is noticed by the read that follows. */
    (void)send_bytes(w->out_fd, line, (size_t)size, NULL);
}

static om_status hand_out(void *self, const om_record *record, om_error *err)
{
    worker *w = self;
    om_text text = {0};
    char *line = NULL;
    OM_TRY(om__record_format(record, &line, err));
    om__text_add(&text, "record\t");
    om__text_add(&text, line);
    om__text_add_char(&text, '\n');
    free(line);
    return send_text(w->out_fd, &text, err);
}

static om_status send_failure(const worker *w, const om_error *error)
{
    om_text text = {0};
    om__text_addf(&text, "failed\t%d\t", (int)error->code);
    add_plain(&text, error->text);
    om__text_add_char(&text, '\n');
    return send_text(w->out_fd, &text, NULL);
}

/* ---- the session line ---- */

static om_status parse_pairs(const char *words, om_pairs *pairs, om_error *err)
{
    om_wl wl = {0};
    OM_TRY(om__wl_parse(words, strlen(words), "request", &wl, err));
    om_status status = wl.count == 1 ? om__pairs_copy(pairs, &wl.lines[0].pairs, err) : OM_OK;
    om__wl_release(&wl);
    return status;
}

static int64_t number(const om_pairs *pairs, const char *key)
{
    const char *text = om__pairs_find(pairs, key);
    int64_t value = 0;
    return text != NULL && om__parse_int64(text, &value) ? value : 0;
}

static om_status read_session(worker *w, const char *words, om_error *err)
{
    OM_TRY(parse_pairs(words, &w->texts, err));
    const om_pairs *p = &w->texts;
    const char *seed = om__pairs_find(p, "seed");
    double time_s = 0;
    if (om__pairs_find(p, "time") != NULL)
        om__parse_double(om__pairs_find(p, "time"), &time_s);
    w->options = (om_session_options){.device = om__pairs_find(p, "device"),
                                      .clock = om__pairs_find(p, "clock"),
                                      .library_dir = om__pairs_find(p, "library_dir"),
                                      .cuda_libs = om__pairs_find(p, "cuda_libs"),
                                      .threads = (int)number(p, "threads"),
                                      .warm = number(p, "warm") != 0,
                                      .flush = number(p, "flush") != 0,
                                      .untimed = number(p, "untimed") != 0,
                                      .named = number(p, "named") != 0,
                                      .time_s = time_s,
                                      .min_rounds = (int)number(p, "min_rounds"),
                                      .max_rounds = (int)number(p, "max_rounds"),
                                      .seed = seed != NULL ? strtoull(seed, NULL, 10) : 0,
                                      .launch = (int)number(p, "launch"),
                                      .run = om__pairs_find(p, "run"),
                                      .variant = om__pairs_find(p, "variant"),
                                      .cpus = om__pairs_find(p, "cpus"),
                                      .self = w,
                                      .announce = announce,
                                      .record = hand_out};
    return OM_OK;
}

static om_status add_word(const char ***words, size_t *count, const char *word, om_error *err)
{
    const char **more = realloc(*words, (*count + 1) * sizeof **words);
    char *copy = om__strdup(word);
    if (more != NULL)
        *words = more;
    if (more == NULL || copy == NULL) {
        free(copy);
        return om__error_set(err, OM_NO_MEMORY, "no memory for a request");
    }
    more[(*count)++] = copy;
    return OM_OK;
}

static void free_words(const char **words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free((char *)(uintptr_t)words[i]);
    free(words);
}

static om_status send_contenders(const worker *w, om_error *err)
{
    om_text text = {0};
    om__session_describe_contenders(w->session, &text);
    return send_text(w->out_fd, &text, err);
}

static om_status send_template(worker *w, om_error *err)
{
    om_record record;
    om_text text = {0};
    char *line = NULL;
    om__record_init(&record);
    om_status status = om__session_template(w->session, &record, err);
    if (status == OM_OK)
        status = om__record_format(&record, &line, err);
    om__record_release(&record);
    OM_TRY(status);
    om__text_addf(&text, "template\t%s\nready\n", line);
    free(line);
    return send_text(w->out_fd, &text, err);
}

static om_status open_session(worker *w, om_error *err)
{
    w->options.providers = w->providers;
    w->options.provider_count = w->provider_count;
    w->options.without = w->without;
    w->options.without_count = w->without_count;
    w->options.plugins = w->plugins;
    w->options.plugin_count = w->plugin_count;
    OM_TRY(om__session_open(&w->options, &w->session, err));
    OM_TRY(send_contenders(w, err));
    return send_template(w, err);
}

/* ---- requests ---- */

/* Takes the text of a key out of the pairs' ownership by copying; absent stays NULL. */
static om_status take_text(const om_pairs *pairs, const char *key, char **to, om_error *err)
{
    const char *text = om__pairs_find(pairs, key);
    if (text == NULL)
        return OM_OK;
    *to = om__strdup(text);
    return *to != NULL ? OM_OK : om__error_set(err, OM_NO_MEMORY, "no memory for a request");
}

static om_status read_case(const om_pairs *pairs, om_case *c, om_error *err)
{
    const char *params = om__pairs_find(pairs, "params");
    OM_TRY(take_text(pairs, "suite", &c->suite, err));
    OM_TRY(take_text(pairs, "table", &c->table, err));
    OM_TRY(take_text(pairs, "name", &c->name, err));
    OM_TRY(take_text(pairs, "op", &c->op, err));
    OM_TRY(take_text(pairs, "pass", &c->pass, err));
    OM_TRY(take_text(pairs, "dtype", &c->dtype, err));
    OM_TRY(take_text(pairs, "cache", &c->cache, err));
    return params != NULL ? parse_pairs(params, &c->params, err) : OM_OK;
}

static om_status split_words(const char *list, const char ***words, size_t *count, om_error *err)
{
    char word[256];
    while (list != NULL && *list != '\0') {
        size_t size = strcspn(list, ",");
        snprintf(word, sizeof word, "%.*s", (int)(size < 255 ? size : 255), list);
        if (size > 0)
            OM_TRY(add_word(words, count, word, err));
        list += size + (list[size] == ',');
    }
    return OM_OK;
}

static om_status do_case(worker *w, const char *words, om_error *err)
{
    om_status status = OM_OK;
    om_pairs pairs = {0};
    om_case c = {0};
    const char **excluded = NULL;
    size_t excluded_count = 0;
    char done[64];
    OM_TRY_OUT(parse_pairs(words, &pairs, err));
    OM_TRY_OUT(read_case(&pairs, &c, err));
    OM_TRY_OUT(split_words(om__pairs_find(&pairs, "excluded"), &excluded, &excluded_count, err));
    long index = (long)number(&pairs, "index");
    OM_TRY_OUT(om__session_case(w->session, index, &c, excluded, excluded_count, err));
    snprintf(done, sizeof done, "done\t%ld\n", index);
    OM_TRY_OUT(send_bytes(w->out_fd, done, strlen(done), err));
out:
    free_words(excluded, excluded_count);
    om__case_release(&c);
    om__pairs_release(&pairs);
    return status;
}

static om_status do_benchmarks(worker *w, om_error *err)
{
    om_status status = OM_OK;
    om_case *cases = NULL;
    size_t count = 0;
    om_text text = {0};
    OM_TRY_OUT(om__session_benchmarks(w->session, &cases, &count, err));
    for (size_t i = 0; i < count; i++) {
        om_pairs pairs = {0};
        char *params = om__pairs_format(&cases[i].params);
        status = om__pairs_set(&pairs, "suite", cases[i].suite, err);
        if (status == OM_OK)
            status = om__pairs_set(&pairs, "name", cases[i].name, err);
        if (status == OM_OK)
            status = om__pairs_set(&pairs, "params", params != NULL ? params : "", err);
        char *line = om__pairs_format(&pairs);
        om__text_addf(&text, "benchmark\t%s\n", line != NULL ? line : "");
        free(line);
        free(params);
        om__pairs_release(&pairs);
        if (status != OM_OK)
            goto out;
    }
    om__text_add(&text, "done\t-1\n");
    OM_TRY_OUT(send_text(w->out_fd, &text, err));
out:
    om__text_release(&text);
    for (size_t i = 0; i < count; i++)
        om__case_release(&cases[i]);
    free(cases);
    return status;
}

static om_status serve(worker *w, char *line, om_error *err)
{
    char *words = strchr(line, '\t');
    if (words != NULL)
        *words++ = '\0';
    else
        words = line + strlen(line);
    if (strcmp(line, "session") == 0)
        return read_session(w, words, err);
    if (strcmp(line, "provider") == 0)
        return add_word(&w->providers, &w->provider_count, words, err);
    if (strcmp(line, "without") == 0)
        return add_word(&w->without, &w->without_count, words, err);
    if (strcmp(line, "plugin") == 0)
        return add_word(&w->plugins, &w->plugin_count, words, err);
    if (strcmp(line, "open") == 0 && w->session == NULL)
        return open_session(w, err);
    if (strcmp(line, "case") == 0 && w->session != NULL)
        return do_case(w, words, err);
    if (strcmp(line, "benchmarks") == 0 && w->session != NULL)
        return do_benchmarks(w, err);
    return om__error_set(err, OM_INTERNAL, "a worker was told '%.40s'", line);
}

om_status om__worker_main(int in_fd, int out_fd, om_error *err)
{
    om_status status = OM_OK;
    worker w = {.out_fd = out_fd};
    char *line = NULL;
    size_t capacity = 0;
    ssize_t size;
    om_error error = {0};
    FILE *in = fdopen(in_fd, "r");
    if (in == NULL)
        return om__error_set(err, OM_IO, "cannot read from the parent: %s", strerror(errno));
    while (status == OM_OK && (size = getline(&line, &capacity, in)) > 0) {
        if (line[size - 1] == '\n')
            line[size - 1] = '\0';
        status = serve(&w, line, &error);
    }
    if (status != OM_OK) {
        (void)send_failure(&w, &error);
        if (err != NULL)
            *err = error;
    }
    om__session_close(w.session);
    free(line);
    fclose(in);
    free_words(w.providers, w.provider_count);
    free_words(w.without, w.without_count);
    free_words(w.plugins, w.plugin_count);
    om__pairs_release(&w.texts);
    return status;
}
