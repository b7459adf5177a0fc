/* SPDX-License-Identifier: Apache-2.0 */
/* child.c: see child.h. */
#include "base/child.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"

extern char **environ;

static bool is_same_variable(const char *a, const char *b)
{
    size_t size = strcspn(a, "=");
    return strncmp(a, b, size + 1) == 0;
}

/* The settings, then what they leave of our own environment: an array to free, texts borrowed. */
static const char **make_environment(const om_child *child)
{
    size_t count = 0, used = 0;
    while (environ[count] != NULL)
        count++;
    const char **made = calloc(count + child->setting_count + 1, sizeof *made);
    for (size_t i = 0; made != NULL && i < child->setting_count; i++)
        made[used++] = child->settings[i];
    for (size_t i = 0; made != NULL && i < count; i++) {
        bool replaced = false;
        for (size_t j = 0; j < child->setting_count && !replaced; j++)
            replaced = is_same_variable(child->settings[j], environ[i]);
        if (!replaced)
            made[used++] = environ[i];
    }
    return made;
}

/* Between fork and exec: only calls that are safe there. */
static void become(const om_child *child, const char **environment, pid_t parent)
{
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(127);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    execve(child->argv[0], (char *const *)(uintptr_t)child->argv,
           (char *const *)(uintptr_t)environment);
    _exit(127);
}

om_status om__child_run(const om_child *child, int *code, om_error *err)
{
    int state, passed_on = child->interrupts != NULL ? *child->interrupts : 0;
    const char **environment = make_environment(child);
    if (environment == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory to start %s", child->argv[0]);
    pid_t parent = getpid();
    pid_t pid = fork();
    if (pid == 0)
        become(child, environment, parent);
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
