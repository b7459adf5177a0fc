/* SPDX-License-Identifier: Apache-2.0 */
/* child.c: see child.h. */
#include "base/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"

extern char **environ;

static bool is_same_variable(const char *a, const char *b)
{
    size_t size = strcspn(a, "=");
    return strncmp(a, b, size + 1) == 0;
}

const char **om__environment_make(const char *const *settings, size_t setting_count)
{
    size_t count = 0, used = 0;
    while (environ != NULL && environ[count] != NULL)
        count++;
    const char **made = calloc(count + setting_count + 1, sizeof *made);
    for (size_t i = 0; made != NULL && i < setting_count; i++)
        made[used++] = settings[i];
    for (size_t i = 0; made != NULL && i < count; i++) {
        bool replaced = false;
        for (size_t j = 0; j < setting_count && !replaced; j++)
            replaced = is_same_variable(settings[j], environ[i]);
        if (!replaced)
            made[used++] = environ[i];
    }
    return made;
}

/* Between fork and exec: only calls that are safe there. output: where its standard output goes;
 * -1: to standard error, which is dropped otherwise. */
static void become(const om_child *child, const char **environment, pid_t parent, int output)
{
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(127);
    if (output >= 0) {
        int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
        if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 || dup2(output, STDOUT_FILENO) < 0 ||
            dup2(nothing, STDERR_FILENO) < 0)
            _exit(127);
    } else {
        dup2(STDERR_FILENO, STDOUT_FILENO);
    }
    execve(child->argv[0], (char *const *)(uintptr_t)child->argv,
           (char *const *)(uintptr_t)environment);
    _exit(127);
}

om_status om__child_run(const om_child *child, int *code, om_error *err)
{
    int state, passed_on = child->interrupts != NULL ? *child->interrupts : 0;
    const char **environment = om__environment_make(child->settings, child->setting_count);
    if (environment == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory to start %s", child->argv[0]);
    pid_t parent = getpid();
    pid_t pid = fork();
    if (pid == 0)
        become(child, environment, parent, -1);
    free(environment);
    if (pid < 0)
        return om__error_set(err, OM_IO, "cannot start %s: %s", child->argv[0], strerror(errno));
    while (waitpid(pid, &state, 0) < 0) {
        if (errno != EINTR)
            return om__error_set(err, OM_IO, "cannot wait for %s: %s", child->argv[0],
                                 strerror(errno));
        for (; child->interrupts != NULL && passed_on < *child->interrupts; passed_on++)
            kill(pid, SIGINT);
    }
    *code = WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
    return OM_OK;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Everything from fd until its end, or why not. */
static om_status read_output(const om_child *child, int fd, size_t limit, double seconds,
                             om_text *output, om_error *err)
{
    double end = now() + seconds;
    char bytes[4096];
    for (;;) {
        double left = end - now();
        struct pollfd wait = {.fd = fd, .events = POLLIN};
        int ready = left > 0 ? poll(&wait, 1, (int)(left * 1e3) + 1) : 0;
        if (ready < 0 && errno == EINTR)
            continue;
        if (ready == 0)
            return om__error_set(err, OM_TIMEOUT, "%s took more than %g s", child->argv[0],
                                 seconds);
        ssize_t got = ready < 0 ? -1 : read(fd, bytes, sizeof bytes);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return om__error_set(err, OM_IO, "cannot read what %s says: %s", child->argv[0],
                                 strerror(errno));
        if (got == 0)
            return om__text_check(output, err);
        if (output->size + (size_t)got > limit)
            return om__error_set(err, OM_INVALID, "%s says more than %zu bytes", child->argv[0],
                                 limit);
        om__text_add_bytes(output, bytes, (size_t)got);
    }
}

om_status om__child_read(const om_child *child, size_t limit, double seconds, om_text *output,
                         int *code, om_error *err)
{
    int ends[2], state;
    om__text_clear(output);
    om__text_add(output, "");
    const char **environment = om__environment_make(child->settings, child->setting_count);
    if (environment == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory to start %s", child->argv[0]);
    if (pipe2(ends, O_CLOEXEC) != 0) {
        free(environment);
        return om__error_set(err, OM_IO, "cannot make a pipe: %s", strerror(errno));
    }
    pid_t parent = getpid();
    pid_t pid = fork();
    if (pid == 0)
        become(child, environment, parent, ends[1]);
    free(environment);
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return om__error_set(err, OM_IO, "cannot start %s: %s", child->argv[0], strerror(errno));
    }
    om_status status = read_output(child, ends[0], limit, seconds, output, err);
    close(ends[0]);
    if (status != OM_OK) {
        kill(-pid, SIGKILL); /* the group, where it has made one already */
        kill(pid, SIGKILL);
    }
    while (waitpid(pid, &state, 0) < 0)
        if (errno != EINTR)
            return om__error_set(err, OM_IO, "cannot wait for %s: %s", child->argv[0],
                                 strerror(errno));
    *code = WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
    return status;
}

om_status om__child_find(const char *name, om_text *path, om_error *err)
{
    const char *places = getenv("PATH");
    for (const char *at = places != NULL ? places : "/usr/bin:/bin"; strchr(name, '/') == NULL;) {
        size_t size = strcspn(at, ":");
        om__text_clear(path);
        if (at[0] == '/') { /* a relative place would be whatever folder we are in */
            om__text_add_bytes(path, at, size);
            om__text_addf(path, "/%s", name);
            OM_TRY(om__text_check(path, err));
            if (access(path->data, X_OK) == 0)
                return OM_OK;
        }
        if (at[size] == '\0')
            break;
        at += size + 1;
    }
    return om__error_set(err, OM_IO, "there is no program %s", name);
}
