/* SPDX-License-Identifier: Apache-2.0 */
/* launch.c: the parent's side of a worker: starts it, asks, listens, and tells how it ended. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/child.h"
#include "base/error.h"
#include "base/text.h"
#include "base/wl.h"
#include "bench/worker.h"

enum {
    WORKER_IN = 3,
    WORKER_OUT = 4,
    MOST_LINE = 256 << 20, /* a line beyond this is no record of ours */
};

struct om_launch {
    om_launch_options options;
    pid_t pid;
    int to, from;
    char *buffer;
    size_t size, capacity, taken;
    double deadline_s, step_s, told_s; /* of the step: its end at the latest, its begin */
    char provider[128], step[64];
    om_contender_info *contenders;
    size_t contender_count;
    om_record template;
    /* Where the lines of the request in progress go. */
    om_record_set *records;
    om_case **cases;
    size_t *case_count;
};

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* ---- starting ---- */

/* The environment of the worker: ours, with the settings of a variant over it, and threads bound to
 * the processors when the user names them. Its texts lie in `texts` and in our own. */
static om_status make_environment(const om_launch_options *options, char **texts, const char ***out,
                                  om_error *err)
{
    const char *lines = options->environment != NULL ? options->environment : "";
    size_t most = 2, used = 0;
    for (const char *c = lines; *c != '\0'; c++)
        most += *c == '\n';
    const char **settings = calloc(most, sizeof *settings);
    char *rest = NULL;
    *texts = om__strdup(lines);
    if (settings != NULL && *texts != NULL) {
        for (char *line = strtok_r(*texts, "\n", &rest); line != NULL;
             line = strtok_r(NULL, "\n", &rest))
            settings[used++] = line;
        if (options->session.cpus != NULL && getenv("OMP_PROC_BIND") == NULL)
            settings[used++] = "OMP_PROC_BIND=true";
        *out = om__environment_make(settings, used);
    }
    free(settings);
    return *out != NULL ? OM_OK : om__error_set(err, OM_NO_MEMORY, "no memory for an environment");
}

/* Between fork and exec: only calls that are safe there. Signals of the terminal go to the parent,
 * which decides; the worker dies with the parent. Output of libraries goes to stderr, so that
 * stdout stays the table's. */
static void become_worker(const char *program, const char **envp, const cpu_set_t *cpus,
                          size_t cpus_size, int in, int out)
{
    char *const argv[] = {(char *)(uintptr_t)program, "worker", "--in", "3", "--out", "4", NULL};
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (cpus != NULL)
        sched_setaffinity(0, cpus_size, cpus);
    int safe_in = fcntl(in, F_DUPFD, 10), safe_out = fcntl(out, F_DUPFD, 10);
    dup2(safe_in, WORKER_IN);
    dup2(safe_out, WORKER_OUT);
    close(safe_in);
    close(safe_out);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    execve(program, argv, (char *const *)(uintptr_t)envp);
    _exit(127);
}

static om_status cpu_set_of(const char *text, cpu_set_t **set, size_t *size, om_error *err)
{
    om_cpu_list cpus = {0};
    *set = NULL;
    if (text == NULL)
        return OM_OK;
    OM_TRY(om__cpus_parse(text, &cpus, err));
    *set = CPU_ALLOC(4096);
    *size = CPU_ALLOC_SIZE(4096);
    if (*set == NULL) {
        om__cpus_release(&cpus);
        return om__error_set(err, OM_NO_MEMORY, "no memory for a list of processors");
    }
    CPU_ZERO_S(*size, *set);
    for (int i = 0; i < cpus.count; i++)
        CPU_SET_S(cpus.items[i], *size, *set);
    om__cpus_release(&cpus);
    return OM_OK;
}

static om_status start(om_launch *l, om_error *err)
{
    om_status status = OM_OK;
    int request[2] = {-1, -1}, answer[2] = {-1, -1};
    char *texts = NULL;
    const char **envp = NULL;
    cpu_set_t *cpus = NULL;
    size_t cpus_size = 0;
    OM_TRY_OUT(make_environment(&l->options, &texts, &envp, err));
    OM_TRY_OUT(cpu_set_of(l->options.session.cpus, &cpus, &cpus_size, err));
    if (pipe2(request, O_CLOEXEC) != 0 || pipe2(answer, O_CLOEXEC) != 0) {
        status = om__error_set(err, OM_IO, "cannot open a pipe: %s", strerror(errno));
        goto out;
    }
    l->pid = fork();
    if (l->pid == 0)
        become_worker(l->options.program, envp, cpus, cpus_size, request[0], answer[1]);
    if (l->pid < 0) {
        status = om__error_set(err, OM_IO, "cannot start a process: %s", strerror(errno));
        goto out;
    }
    l->to = request[1];
    l->from = answer[0];
    request[1] = answer[0] = -1;
    fcntl(l->from, F_SETFL, O_NONBLOCK);
out:
    for (int i = 0; i < 2; i++) {
        if (request[i] >= 0)
            close(request[i]);
        if (answer[i] >= 0)
            close(answer[i]);
    }
    if (cpus != NULL)
        CPU_FREE(cpus);
    free(envp);
    free(texts);
    return status;
}

/* ---- talking ---- */

/* A worker that is gone shows as EPIPE here and is dealt with by the reader. */
static void send_line(om_launch *l, const char *line)
{
    size_t size = strlen(line);
    struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
    sigaction(SIGPIPE, &ignore, &before);
    while (size > 0) {
        ssize_t written = write(l->to, line, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            break;
        line += written;
        size -= (size_t)written;
    }
    sigaction(SIGPIPE, &before, NULL);
}

static void set_deadline(om_launch *l)
{
    double own = l->options.own_limit_s > 0 ? l->options.own_limit_s : 900;
    double theirs = l->options.step_limit_s > 0 ? l->options.step_limit_s : 60;
    l->step_s = now_s();
    l->deadline_s = l->step_s + (l->provider[0] != '\0' ? theirs : own);
}

/* A step that takes long is told about, before its limit decides. */
static void tell_of_waiting(om_launch *l)
{
    double now = now_s();
    if (l->options.waiting == NULL || now - l->step_s < 2 || now - l->told_s < 1)
        return;
    l->told_s = now;
    l->options.waiting(l->options.self, l->provider, l->step, now - l->step_s);
}

/* "at <case> <provider or -> <step>"; only the three words are believed. */
static bool hear_at(om_launch *l, char *words)
{
    char *provider = strchr(words, '\t');
    char *step = provider != NULL ? strchr(provider + 1, '\t') : NULL;
    if (step == NULL)
        return false;
    *provider++ = '\0';
    *step++ = '\0';
    snprintf(l->provider, sizeof l->provider, "%s", strcmp(provider, "-") == 0 ? "" : provider);
    snprintf(l->step, sizeof l->step, "%s", step);
    set_deadline(l);
    if (l->options.progress != NULL)
        l->options.progress(l->options.self, l->provider, l->step);
    return true;
}

static om_status add_record(om_record_set *set, om_record *record, om_error *err)
{
    if (set->count == set->capacity) {
        size_t capacity = set->capacity > 0 ? 2 * set->capacity : 16;
        om_record *items = realloc(set->items, capacity * sizeof *items);
        if (items == NULL)
            return om__error_set(err, OM_NO_MEMORY, "no memory for records");
        set->items = items;
        set->capacity = capacity;
    }
    set->items[set->count++] = *record;
    return OM_OK;
}

static bool hear_record(om_launch *l, const char *line, om_status *status, om_error *err)
{
    om_record record;
    if (l->records == NULL)
        return false;
    om__record_init(&record);
    if (om__record_parse(line, strlen(line), "worker", 1, &record, NULL) != OM_OK) {
        om__record_release(&record);
        return false;
    }
    *status = add_record(l->records, &record, err);
    if (*status != OM_OK)
        om__record_release(&record);
    return true;
}

static bool hear_contender(om_launch *l, char *words)
{
    char *parts[6] = {words};
    for (int i = 1; i < 6; i++) {
        parts[i] = strchr(parts[i - 1], '\t');
        if (parts[i] == NULL)
            return false;
        *parts[i]++ = '\0';
    }
    om_role role;
    om_contender_info *more =
        realloc(l->contenders, (l->contender_count + 1) * sizeof *l->contenders);
    if (more == NULL || om__role_parse(parts[1], &role, NULL) != OM_OK) {
        l->contenders = more != NULL ? more : l->contenders;
        return false;
    }
    l->contenders = more;
    more[l->contender_count++] = (om_contender_info){.name = om__strdup(parts[0]),
                                                     .role = role,
                                                     .named = parts[2][0] == '1',
                                                     .open = parts[3][0] == '1',
                                                     .suite = om__strdup(parts[4]),
                                                     .reason = om__strdup(parts[5])};
    return true;
}

static bool hear_benchmark(om_launch *l, const char *words)
{
    om_wl wl = {0}, params = {0};
    bool fine = false;
    if (l->cases == NULL)
        return false;
    om_case *more = realloc(*l->cases, (*l->case_count + 1) * sizeof **l->cases);
    if (more == NULL)
        return false;
    *l->cases = more;
    if (om__wl_parse(words, strlen(words), "worker", &wl, NULL) != OM_OK || wl.count != 1)
        goto out;
    const om_pairs *pairs = &wl.lines[0].pairs;
    const char *text = om__pairs_find(pairs, "params");
    om_case from = {.suite = (char *)(uintptr_t)om__pairs_find(pairs, "suite"),
                    .name = (char *)(uintptr_t)om__pairs_find(pairs, "name")};
    if (om__case_copy(&more[*l->case_count], &from, NULL) != OM_OK)
        goto out;
    om_case *c = &more[(*l->case_count)++];
    fine = true;
    if (text != NULL && text[0] != '\0' &&
        om__wl_parse(text, strlen(text), "worker", &params, NULL) == OM_OK && params.count == 1)
        fine = om__pairs_copy(&c->params, &params.lines[0].pairs, NULL) == OM_OK;
out:
    om__wl_release(&wl);
    om__wl_release(&params);
    return fine;
}

typedef enum heard { HEARD_MORE, HEARD_DONE, HEARD_FAILED, HEARD_NONSENSE } heard;

static heard hear(om_launch *l, char *line, om_launch_death *death, om_status *status,
                  om_error *err)
{
    char *words = strchr(line, '\t');
    bool fine = true;
    if (words != NULL)
        *words++ = '\0';
    else
        words = line + strlen(line);
    if (strcmp(line, "at") == 0)
        fine = hear_at(l, words);
    else if (strcmp(line, "record") == 0)
        fine = hear_record(l, words, status, err);
    else if (strcmp(line, "contender") == 0)
        fine = hear_contender(l, words);
    else if (strcmp(line, "benchmark") == 0)
        fine = hear_benchmark(l, words);
    else if (strcmp(line, "template") == 0)
        fine = om__record_parse(words, strlen(words), "worker", 1, &l->template, NULL) == OM_OK;
    else if (strcmp(line, "ready") == 0 || strcmp(line, "done") == 0)
        return HEARD_DONE;
    else if (strcmp(line, "failed") == 0) {
        char *text = strchr(words, '\t');
        death->status = (om_status)atoi(words);
        snprintf(death->reason, sizeof death->reason, "%s", text != NULL ? text + 1 : words);
        return HEARD_FAILED;
    } else
        fine = false;
    return fine ? HEARD_MORE : HEARD_NONSENSE;
}

/* Reads what there is; false at the end of the pipe. */
static bool read_some(om_launch *l)
{
    if (l->taken > 0) {
        memmove(l->buffer, l->buffer + l->taken, l->size - l->taken);
        l->size -= l->taken;
        l->taken = 0;
    }
    for (;;) {
        if (l->capacity - l->size < 65536) {
            size_t capacity = l->capacity > 0 ? 2 * l->capacity : 1 << 17;
            char *more = capacity <= MOST_LINE ? realloc(l->buffer, capacity) : NULL;
            if (more == NULL)
                return false;
            l->buffer = more;
            l->capacity = capacity;
        }
        ssize_t got = read(l->from, l->buffer + l->size, l->capacity - l->size - 1);
        if (got > 0)
            l->size += (size_t)got;
        else if (got < 0 && errno == EINTR)
            continue;
        else
            return got < 0 && errno == EAGAIN;
    }
}

static char *next_line(om_launch *l)
{
    char *start = l->buffer + l->taken;
    char *end = l->size > l->taken ? memchr(start, '\n', l->size - l->taken) : NULL;
    if (end == NULL)
        return NULL;
    *end = '\0';
    l->taken = (size_t)(end - l->buffer) + 1;
    return start;
}

/* While a contender is timed the parent must not wake up at every announcement: it would take a
 * processor in the middle of a sample. It sleeps, and reads what has gathered. */
static void wait_for_more(const om_launch *l)
{
    if (strcmp(l->step, "time") == 0) {
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
        return;
    }
    struct pollfd fd = {.fd = l->from, .events = POLLIN};
    poll(&fd, 1, 100);
}

/* ---- ends ---- */

static void describe_exit(int code, om_launch_death *death, const char *step)
{
    if (WIFSIGNALED(code))
        snprintf(death->reason, sizeof death->reason, "killed by signal %d (%s) in %s%s",
                 WTERMSIG(code), strsignal(WTERMSIG(code)), step,
                 WTERMSIG(code) == SIGKILL ? "; out of memory, or killed by hand" : "");
    else if (WEXITSTATUS(code) == 127)
        snprintf(death->reason, sizeof death->reason, "the worker could not be started");
    else
        snprintf(death->reason, sizeof death->reason, "left the process with exit code %d in %s",
                 WEXITSTATUS(code), step);
}

/* Waits for the end of the process; kills it, and what it started, at once or after a while. */
static int reap(pid_t pid, double patience_s, bool *killed)
{
    int code = 0;
    double limit = now_s() + patience_s;
    *killed = false;
    for (;;) {
        pid_t got = waitpid(pid, &code, WNOHANG);
        if (got == pid || (got < 0 && errno != EINTR))
            return code;
        if (now_s() >= limit && !*killed) {
            kill(-pid, SIGKILL);
            kill(pid, SIGKILL);
            *killed = true;
        }
        nanosleep(&(struct timespec){.tv_nsec = 500000}, NULL);
    }
}

static void bury(om_launch **launch, bool kill_first, om_launch_death *death)
{
    om_launch *l = *launch;
    bool killed;
    int code = reap(l->pid, kill_first ? 0 : 2, &killed);
    l->pid = 0;
    snprintf(death->provider, sizeof death->provider, "%s", l->provider);
    snprintf(death->step, sizeof death->step, "%s", l->step);
    if (death->reason[0] == '\0' && killed) {
        death->outcome = OM_OUTCOME_ERROR;
        snprintf(death->reason, sizeof death->reason, "closed a pipe of the worker in %s", l->step);
    } else if (death->reason[0] == '\0') {
        death->outcome = OM_OUTCOME_CRASHED;
        describe_exit(code, death, l->step[0] != '\0' ? l->step : "its start");
    }
    om__launch_close(l);
    *launch = NULL;
}

/* Listens until the request is answered or the worker is gone. */
static om_status listen_to(om_launch **launch, om_launch_end *end, om_launch_death *death,
                           om_error *err)
{
    om_launch *l = *launch;
    *end = OM_LAUNCH_DONE;
    *death = (om_launch_death){.outcome = OM_OUTCOME_OK};
    set_deadline(l);
    for (;;) {
        char *line = next_line(l);
        om_status status = OM_OK;
        heard what = line != NULL ? hear(l, line, death, &status, err) : HEARD_MORE;
        if (status != OM_OK) {
            bury(launch, true, death);
            return status;
        }
        if (what == HEARD_DONE)
            return OM_OK;
        if (what == HEARD_FAILED) {
            *end = OM_LAUNCH_FAILED;
            death->outcome = OM_OUTCOME_ERROR;
            bury(launch, true, death);
            return OM_OK;
        }
        if (what == HEARD_NONSENSE) {
            *end = OM_LAUNCH_DIED;
            death->outcome = OM_OUTCOME_ERROR;
            snprintf(death->reason, sizeof death->reason, "wrote into a pipe of the worker in %s",
                     l->step);
            bury(launch, true, death);
            return OM_OK;
        }
        if (line != NULL)
            continue;
        if (l->options.interrupts != NULL && *l->options.interrupts >= 2) {
            *end = OM_LAUNCH_INTERRUPTED;
            snprintf(death->reason, sizeof death->reason, "interrupted");
            bury(launch, true, death);
            return OM_OK;
        }
        tell_of_waiting(l);
        if (now_s() > l->deadline_s) {
            *end = OM_LAUNCH_DIED;
            death->outcome = OM_OUTCOME_TIMEOUT;
            snprintf(death->reason, sizeof death->reason, "still in %s after %.0f s", l->step,
                     l->provider[0] != '\0'
                         ? (l->options.step_limit_s > 0 ? l->options.step_limit_s : 60)
                         : (l->options.own_limit_s > 0 ? l->options.own_limit_s : 900));
            bury(launch, true, death);
            return OM_OK;
        }
        if (!read_some(l)) {
            /* What was written before the end still counts. */
            if (l->size > l->taken && memchr(l->buffer + l->taken, '\n', l->size - l->taken))
                continue;
            *end = OM_LAUNCH_DIED;
            bury(launch, false, death);
            return OM_OK;
        }
        if (l->size == l->taken || memchr(l->buffer + l->taken, '\n', l->size - l->taken) == NULL)
            wait_for_more(l);
    }
}

/* ---- requests ---- */

static om_status send_session(om_launch *l, om_error *err)
{
    const om_session_options *o = &l->options.session;
    om_status status = OM_OK;
    om_pairs pairs = {0};
    om_text text = {0};
    const struct {
        const char *key, *value;
    } texts[] = {{"device", o->device},
                 {"clock", o->clock},
                 {"library_dir", o->library_dir},
                 {"cuda_libs", o->cuda_libs},
                 {"run", o->run},
                 {"variant", o->variant},
                 {"cpus", o->cpus}};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (texts[i].value != NULL)
            OM_TRY_OUT(om__pairs_set(&pairs, texts[i].key, texts[i].value, err));
    OM_TRY_OUT(om__pairs_setf(&pairs, "threads", err, "%d", o->threads));
    OM_TRY_OUT(om__pairs_setf(&pairs, "warm", err, "%d", o->warm));
    OM_TRY_OUT(om__pairs_setf(&pairs, "flush", err, "%d", o->flush));
    OM_TRY_OUT(om__pairs_setf(&pairs, "untimed", err, "%d", o->untimed));
    OM_TRY_OUT(om__pairs_setf(&pairs, "named", err, "%d", o->named));
    OM_TRY_OUT(om__pairs_setf(&pairs, "time", err, "%.6f", o->time_s));
    OM_TRY_OUT(om__pairs_setf(&pairs, "min_rounds", err, "%d", o->min_rounds));
    OM_TRY_OUT(om__pairs_setf(&pairs, "max_rounds", err, "%d", o->max_rounds));
    OM_TRY_OUT(om__pairs_setf(&pairs, "seed", err, "%llu", (unsigned long long)o->seed));
    OM_TRY_OUT(om__pairs_setf(&pairs, "launch", err, "%d", o->launch));
    char *words = om__pairs_format(&pairs);
    om__text_addf(&text, "session\t%s\n", words != NULL ? words : "");
    free(words);
    for (size_t i = 0; i < o->provider_count; i++)
        om__text_addf(&text, "provider\t%s\n", o->providers[i]);
    for (size_t i = 0; i < o->without_count; i++)
        om__text_addf(&text, "without\t%s\n", o->without[i]);
    for (size_t i = 0; i < o->plugin_count; i++)
        om__text_addf(&text, "plugin\t%s\n", o->plugins[i]);
    om__text_add(&text, "open\n");
    OM_TRY_OUT(om__text_check(&text, err));
    send_line(l, text.data);
out:
    om__text_release(&text);
    om__pairs_release(&pairs);
    return status;
}

om_status om__launch_open(const om_launch_options *options, om_launch **launch, om_launch_end *end,
                          om_launch_death *death, om_error *err)
{
    om_status status = OM_OK;
    om_launch *l = calloc(1, sizeof *l);
    *launch = NULL;
    if (l == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for a worker");
    l->options = *options;
    l->to = l->from = -1;
    om__record_init(&l->template);
    OM_TRY_OUT(start(l, err));
    OM_TRY_OUT(send_session(l, err));
    *launch = l;
    return listen_to(launch, end, death, err);
out:
    om__launch_close(l);
    return status;
}

static om_status format_case(long index, const om_case *c, const char *const *excluded,
                             size_t excluded_count, om_text *text, om_error *err)
{
    om_status status = OM_OK;
    om_pairs pairs = {0};
    om_text names = {0};
    char *words = NULL, *params = om__pairs_format(&c->params);
    const struct {
        const char *key, *value;
    } texts[] = {{"suite", c->suite}, {"table", c->table}, {"name", c->name},   {"op", c->op},
                 {"pass", c->pass},   {"dtype", c->dtype}, {"cache", c->cache}, {"params", params}};
    OM_TRY_OUT(om__pairs_setf(&pairs, "index", err, "%ld", index));
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (texts[i].value != NULL)
            OM_TRY_OUT(om__pairs_set(&pairs, texts[i].key, texts[i].value, err));
    for (size_t i = 0; i < excluded_count; i++)
        om__text_addf(&names, "%s%s", i > 0 ? "," : "", excluded[i]);
    if (names.data != NULL)
        OM_TRY_OUT(om__pairs_set(&pairs, "excluded", names.data, err));
    words = om__pairs_format(&pairs);
    om__text_addf(text, "case\t%s\n", words != NULL ? words : "");
    OM_TRY_OUT(om__text_check(text, err));
out:
    free(params);
    free(words);
    om__text_release(&names);
    om__pairs_release(&pairs);
    return status;
}

om_status om__launch_case(om_launch **launch, long index, const om_case *c,
                          const char *const *excluded, size_t excluded_count,
                          om_record_set *records, om_launch_end *end, om_launch_death *death,
                          om_error *err)
{
    om_launch *l = *launch;
    om_text text = {0};
    size_t before = records->count;
    om_status status = format_case(index, c, excluded, excluded_count, &text, err);
    if (status == OM_OK) {
        send_line(l, text.data);
        l->records = records;
        status = listen_to(launch, end, death, err);
    }
    om__text_release(&text);
    if (*launch != NULL)
        l->records = NULL;
    if (status == OM_OK && *end == OM_LAUNCH_DONE)
        return OM_OK;
    while (records->count > before)
        om__record_release(&records->items[--records->count]);
    return status;
}

om_status om__launch_benchmarks(om_launch **launch, om_case **cases, size_t *count,
                                om_launch_end *end, om_launch_death *death, om_error *err)
{
    om_launch *l = *launch;
    *cases = NULL;
    *count = 0;
    l->cases = cases;
    l->case_count = count;
    send_line(l, "benchmarks\n");
    om_status status = listen_to(launch, end, death, err);
    if (*launch != NULL)
        l->cases = NULL;
    return status;
}

void om__launch_close(om_launch *l)
{
    if (l == NULL)
        return;
    if (l->to >= 0)
        close(l->to); /* the worker reads the end and leaves */
    if (l->pid > 0) {
        /* Whatever it still says must not block it. */
        bool killed;
        int code;
        for (int i = 0; i < 2000 && waitpid(l->pid, &code, WNOHANG) == 0; i++) {
            l->taken = l->size = 0;
            read_some(l);
            nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        }
        reap(l->pid, 0, &killed);
    }
    if (l->from >= 0)
        close(l->from);
    for (size_t i = 0; i < l->contender_count; i++) {
        free(l->contenders[i].name);
        free(l->contenders[i].suite);
        free(l->contenders[i].reason);
    }
    free(l->contenders);
    om__record_release(&l->template);
    free(l->buffer);
    free(l);
}

pid_t om__launch_pid(const om_launch *launch)
{
    return launch->pid;
}

const om_contender_info *om__launch_contenders(const om_launch *launch, size_t *count)
{
    *count = launch->contender_count;
    return launch->contenders;
}

const om_record *om__launch_template(const om_launch *launch)
{
    return &launch->template;
}
