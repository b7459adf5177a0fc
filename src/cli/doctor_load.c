/* SPDX-License-Identifier: Apache-2.0 */
/* doctor_load.c: who else uses the processors, the clock, and how evenly a fixed piece of work
 * runs.
 */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bench/clock.h"
#include "bench/env.h"
#include "cli/doctor.h"
#include "stats/quantile.h"

enum { MOST_PROCESSES = 4096 };

typedef struct process_time {
    int id;
    char name[32];
    long long ticks;
} process_time;

/* "pid (name) state ppid … utime stime": the name may hold blanks and parentheses. */
static bool read_process(int id, process_time *out)
{
    char path[64], line[1024];
    snprintf(path, sizeof path, "/proc/%d/stat", id);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return false;
    bool got = fgets(line, sizeof line, file) != NULL;
    fclose(file);
    char *open = got ? strchr(line, '(') : NULL, *close = got ? strrchr(line, ')') : NULL;
    if (open == NULL || close == NULL || close < open)
        return false;
    out->id = id;
    snprintf(out->name, sizeof out->name, "%.*s", (int)(close - open - 1), open + 1);
    char *at = close + 1;
    long long user = 0, system = 0;
    for (int field = 3; *at != '\0' && field <= 15; field++) {
        at += strspn(at, " ");
        if (field == 14)
            user = strtoll(at, NULL, 10);
        if (field == 15)
            system = strtoll(at, NULL, 10);
        at += strcspn(at, " ");
    }
    out->ticks = user + system;
    return true;
}

static size_t read_processes(process_time *list)
{
    size_t count = 0;
    DIR *folder = opendir("/proc");
    if (folder == NULL)
        return 0;
    for (struct dirent *entry; count < MOST_PROCESSES && (entry = readdir(folder)) != NULL;) {
        int id = atoi(entry->d_name);
        if (id > 0 && id != getpid() && read_process(id, &list[count]))
            count++;
    }
    closedir(folder);
    return count;
}

static int by_ticks(const void *a, const void *b)
{
    long long x = ((const process_time *)a)->ticks, y = ((const process_time *)b)->ticks;
    return (y > x) - (y < x);
}

/* Leaves in `after` what each process used between the two readings, the busiest first. */
static void subtract(const process_time *before, size_t before_count, process_time *after,
                     size_t after_count)
{
    for (size_t i = 0; i < after_count; i++) {
        for (size_t j = 0; j < before_count; j++) {
            if (before[j].id == after[i].id) {
                after[i].ticks -= before[j].ticks;
                break;
            }
        }
    }
    qsort(after, after_count, sizeof *after, by_ticks);
}

static void name_others(om_findings *findings, double share, const process_time *list, size_t count,
                        double seconds)
{
    char text[300] = "";
    size_t used = 0;
    for (size_t i = 0; i < count && i < 3 && list[i].ticks > 0; i++) {
        double part = (double)list[i].ticks / (double)sysconf(_SC_CLK_TCK) / seconds;
        if (part < 0.03)
            break;
        int more = snprintf(text + used, sizeof text - used, "%s%s (%d) %.0f %%",
                            used > 0 ? ", " : ": ", list[i].name, list[i].id, part * 100);
        if (more < 0 || (size_t)more >= sizeof text - used)
            break;
        used += (size_t)more;
    }
    bool busy = share > 0.05;
    om__finding_add(findings, busy ? OM_FINDING_SPOILS : OM_FINDING_FACT, "others",
                    busy ? "wait until they are done, stop them, or leave those cores out (--cpus)"
                         : NULL,
                    "other processes had %.0f %% of these processors during half a second%s",
                    share * 100, text);
}

void om__doctor_load(om_findings *findings)
{
    om_cpu_list allowed = {0};
    om_error err;
    process_time *before = calloc(MOST_PROCESSES, sizeof *before);
    process_time *after = calloc(MOST_PROCESSES, sizeof *after);
    if (before != NULL && after != NULL && om__cpus_allowed(&allowed, &err) == OM_OK) {
        om_env_usage first, last;
        size_t before_count = read_processes(before);
        om__env_usage_take(&allowed, &first);
        nanosleep(&(struct timespec){.tv_nsec = 500000000}, NULL);
        om__env_usage_take(&allowed, &last);
        size_t after_count = read_processes(after);
        subtract(before, before_count, after, after_count);
        double share = om__env_others(&allowed, &first, &last);
        if (last.load >= 0)
            om__finding_add(findings, OM_FINDING_FACT, "load", NULL,
                            "%.2f over the last minute, on %d processor(s)", last.load,
                            allowed.count);
        if (share >= 0)
            name_others(findings, share, after, after_count, (last.wall_ns - first.wall_ns) * 1e-9);
    }
    om__cpus_release(&allowed);
    free(before);
    free(after);
}

void om__doctor_clock(om_findings *findings)
{
    om_clock_options options = {.device = "cpu"};
    om_clock *clock = NULL;
    om_clock_info info = {0};
    om_error err;
    if (om_clock_cpu.open(&options, &clock, &err) != OM_OK) {
        om__finding_add(findings, OM_FINDING_MISSING, "clock", NULL, "%s", err.text);
        return;
    }
    om_clock_cpu.info(clock, &info);
    om_clock_cpu.close(clock);
    bool coarse = info.tick_ns > 1000 || info.overhead_ns > 1000;
    om__finding_add(findings, coarse ? OM_FINDING_CAUTION : OM_FINDING_FACT, "clock",
                    coarse ? "short calls are measured many at a time; expect wider bands" : NULL,
                    "%s: tick %.0f ns, a sample with no call reads %.0f ns", om_clock_cpu.name,
                    info.tick_ns, info.overhead_ns);
}

/* A chain of dependent multiplications: no memory, no vector units, the same work each time. */
static double spin_ns(int steps)
{
    struct timespec a, b;
    volatile double sink;
    double x = 1.0;
    clock_gettime(CLOCK_MONOTONIC, &a);
    for (int i = 0; i < steps; i++)
        x = x * 1.0000001 + 1e-9;
    sink = x;
    (void)sink;
    clock_gettime(CLOCK_MONOTONIC, &b);
    return (double)(b.tv_sec - a.tv_sec) * 1e9 + (double)(b.tv_nsec - a.tv_nsec);
}

void om__doctor_steadiness(om_findings *findings)
{
    enum { PIECES = 200, STEPS = 200000 };
    double times[PIECES];
    spin_ns(STEPS);
    for (int i = 0; i < PIECES; i++)
        times[i] = spin_ns(STEPS);
    om__stats_sort(times, PIECES);
    double median = om__stats_quantile_sorted(times, PIECES, 0.5);
    double high = om__stats_quantile_sorted(times, PIECES, 0.95);
    double spread = high / median - 1;
    om__finding_add(findings, spread > 0.10 ? OM_FINDING_SPOILS : OM_FINDING_FACT, "steadiness",
                    spread > 0.10 ? "something takes the processor away or changes its clock: see "
                                    "others, governor, virtual"
                                  : NULL,
                    "a fixed piece of work of %.0f µs takes at most %.1f %% longer in 19 of 20 "
                    "tries",
                    median * 1e-3, spread * 100);
}
