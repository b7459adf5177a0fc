/* SPDX-License-Identifier: Apache-2.0 */
/* relatives.c: which processes belong to one run of the program. */
#include "base/relatives.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* 0: there is no such process, or it cannot be seen. */
static pid_t parent_of(pid_t pid)
{
    char path[64], line[512];
    int parent = 0;
    snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return 0;
    /* "12 (name, which may hold anything) S 34 ..." */
    const char *end = fgets(line, sizeof line, file) != NULL ? strrchr(line, ')') : NULL;
    (void)fclose(file);
    if (end == NULL || sscanf(end, ") %*c %d", &parent) != 1)
        return 0;
    return parent;
}

bool om__process_is_relative(pid_t pid)
{
    pid_t parent = getppid();
    if (pid == getpid())
        return true;
    return parent > 1 && (pid == parent || parent_of(pid) == parent);
}
