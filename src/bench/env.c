/* SPDX-License-Identifier: Apache-2.0 */
/* env.c: the host around a measurement; see env.h. */
#include "bench/env.h"

#include <ctype.h>
#include <dirent.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/text.h"
#include "core/cpu.h"

extern char **environ;

/* First line of a small file without the line break; false where it cannot be read. */
static bool read_line(const char *path, char *line, size_t size)
{
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return false;
    bool found = fgets(line, (int)size, file) != NULL;
    fclose(file);
    if (found)
        line[strcspn(line, "\n")] = '\0';
    return found && line[0] != '\0';
}

/* "always [madvise] never": the word in brackets. */
static void keep_chosen(char *line)
{
    char *open = strchr(line, '['), *close = open != NULL ? strchr(open, ']') : NULL;
    if (close == NULL)
        return;
    *close = '\0';
    memmove(line, open + 1, strlen(open + 1) + 1);
}

static bool is_virtual(void)
{
    char line[4096];
    bool found = false;
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file != NULL && !found && fgets(line, sizeof line, file) != NULL)
        found = strncmp(line, "flags", 5) == 0 && strstr(line, " hypervisor") != NULL;
    if (file != NULL)
        fclose(file);
    return found;
}

om_status om__env_settings(om_pairs *settings, om_error *err)
{
    static const struct {
        const char *key, *path;
    } files[] = {
        {"governor", "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"},
        {"no_turbo", "/sys/devices/system/cpu/intel_pstate/no_turbo"},
        {"boost", "/sys/devices/system/cpu/cpufreq/boost"},
        {"smt", "/sys/devices/system/cpu/smt/control"},
        {"huge_pages", "/sys/kernel/mm/transparent_hugepage/enabled"},
        {"numa_balancing", "/proc/sys/kernel/numa_balancing"},
        {"aslr", "/proc/sys/kernel/randomize_va_space"},
    };
    char line[256];
    struct utsname name;
    if (uname(&name) == 0)
        OM_TRY(om__pairs_setf(settings, "kernel", err, "%s %s", name.sysname, name.release));
    OM_TRY(om__pairs_set(settings, "virtual_machine", is_virtual() ? "yes" : "no", err));
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        if (!read_line(files[i].path, line, sizeof line))
            continue;
        keep_chosen(line);
        OM_TRY(om__pairs_set(settings, files[i].key, line, err));
    }
    return OM_OK;
}

om_status om__env_variables(om_pairs *environment, om_error *err)
{
    static const char *const prefixes[] = {
        "OMP_",        "GOMP_", "KMP_",  "OPENBLAS_",   "GOTO_",  "BLIS_",       "DNNL_",
        "ONEDNN_",     "MKL_",  "CUDA_", "NVIDIA_TF32", "CUBLAS", "CUDNN_",      "NCCL_",
        "TORCH_",      "HIP_",  "ROCR_", "MALLOC_",     "GLIBC_", "LD_PRELOAD=", "LD_LIBRARY_PATH=",
        "OPMARK_ISA=",
    };
    for (char **e = environ; e != NULL && *e != NULL; e++)
        for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
            if (strncmp(*e, prefixes[i], strlen(prefixes[i])) != 0)
                continue;
            const char *equals = strchr(*e, '=');
            char key[128];
            if (equals == NULL || (size_t)(equals - *e) >= sizeof key)
                break;
            memcpy(key, *e, (size_t)(equals - *e));
            key[equals - *e] = '\0';
            OM_TRY(om__pairs_set(environment, key, equals + 1, err));
            break;
        }
    return OM_OK;
}

/* ---- processors ---- */

enum { MAX_CPUS = 4096 };

static om_status list_from_flags(const unsigned char *flags, om_cpu_list *cpus, om_error *err)
{
    int count = 0;
    for (int i = 0; i < MAX_CPUS; i++)
        count += flags[i];
    cpus->items = calloc((size_t)count + 1, sizeof *cpus->items);
    if (cpus->items == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for a list of processors");
    cpus->count = 0;
    for (int i = 0; i < MAX_CPUS; i++)
        if (flags[i])
            cpus->items[cpus->count++] = i;
    return OM_OK;
}

static bool read_number(const char **at, int *value)
{
    if (!isdigit((unsigned char)**at))
        return false;
    long number = 0;
    while (isdigit((unsigned char)**at)) {
        number = number * 10 + (**at - '0');
        if (number >= MAX_CPUS)
            return false;
        (*at)++;
    }
    *value = (int)number;
    return true;
}

om_status om__cpus_parse(const char *text, om_cpu_list *cpus, om_error *err)
{
    unsigned char flags[MAX_CPUS] = {0};
    const char *at = text;
    *cpus = (om_cpu_list){0};
    for (;;) {
        int low, high;
        if (!read_number(&at, &low))
            break;
        high = low;
        if (*at == '-') {
            at++;
            if (!read_number(&at, &high) || high < low)
                break;
        }
        memset(flags + low, 1, (size_t)(high - low + 1));
        if (*at == '\0')
            return list_from_flags(flags, cpus, err);
        if (*at++ != ',')
            break;
    }
    return om__error_set(err, OM_INVALID,
                         "'%s' is no list of processors: write 0-3,8 (numbers below %d)", text,
                         MAX_CPUS);
}

om_status om__cpus_allowed(om_cpu_list *cpus, om_error *err)
{
    unsigned char flags[MAX_CPUS] = {0};
    *cpus = (om_cpu_list){0};
    cpu_set_t *set = CPU_ALLOC(MAX_CPUS);
    size_t size = CPU_ALLOC_SIZE(MAX_CPUS);
    if (set == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for a list of processors");
    if (sched_getaffinity(0, size, set) == 0)
        for (int i = 0; i < MAX_CPUS; i++)
            flags[i] = CPU_ISSET_S(i, size, set) != 0;
    CPU_FREE(set);
    return list_from_flags(flags, cpus, err);
}

void om__cpus_format(const om_cpu_list *cpus, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < cpus->count && used < size;) {
        int last = i;
        while (last + 1 < cpus->count && cpus->items[last + 1] == cpus->items[last] + 1)
            last++;
        int written =
            last > i ? snprintf(text + used, size - used, "%s%d-%d", i > 0 ? "," : "",
                                cpus->items[i], cpus->items[last])
                     : snprintf(text + used, size - used, "%s%d", i > 0 ? "," : "", cpus->items[i]);
        used += (size_t)written;
        i = last + 1;
    }
}

void om__cpus_release(om_cpu_list *cpus)
{
    free(cpus->items);
    *cpus = (om_cpu_list){0};
}

/* ---- who used them ---- */

static double clock_ns(clockid_t id)
{
    struct timespec t;
    clock_gettime(id, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static bool is_listed(const om_cpu_list *cpus, int cpu)
{
    for (int i = 0; i < cpus->count; i++)
        if (cpus->items[i] == cpu)
            return true;
    return false;
}

/* The kernel counts for every thread how long it stood in the run queue. */
static double waited_ns(void)
{
    double sum = -1;
    DIR *tasks = opendir("/proc/self/task");
    struct dirent *task;
    while (tasks != NULL && (task = readdir(tasks)) != NULL) {
        char path[300], line[128];
        double ran, waited;
        snprintf(path, sizeof path, "/proc/self/task/%.200s/schedstat", task->d_name);
        if (task->d_name[0] == '.' || !read_line(path, line, sizeof line) ||
            sscanf(line, "%lf %lf", &ran, &waited) != 2)
            continue;
        sum = (sum < 0 ? 0 : sum) + waited;
    }
    if (tasks != NULL)
        closedir(tasks);
    return sum;
}

void om__env_usage_take(const om_cpu_list *cpus, om_env_usage *usage)
{
    char line[512];
    double ticks = 0, tick_ns = 1e9 / (double)sysconf(_SC_CLK_TCK);
    usage->wall_ns = clock_ns(CLOCK_MONOTONIC);
    usage->own_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
    usage->waited_ns = waited_ns();
    usage->busy_ns = -1;
    usage->load = -1;
    FILE *file = fopen("/proc/stat", "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        int cpu;
        double user, nice, system, idle, wait, irq, soft, steal = 0;
        if (sscanf(line, "cpu%d %lf %lf %lf %lf %lf %lf %lf %lf", &cpu, &user, &nice, &system,
                   &idle, &wait, &irq, &soft, &steal) < 8 ||
            !is_listed(cpus, cpu))
            continue;
        ticks += user + nice + system + irq + soft + steal;
        usage->busy_ns = ticks * tick_ns;
    }
    if (file != NULL)
        fclose(file);
    if (read_line("/proc/loadavg", line, sizeof line))
        sscanf(line, "%lf", &usage->load);
}

double om__env_others(const om_cpu_list *cpus, const om_env_usage *before,
                      const om_env_usage *after)
{
    double wall_ns = after->wall_ns - before->wall_ns;
    if (before->busy_ns < 0 || after->busy_ns < 0 || wall_ns < 2e8 || cpus->count == 0)
        return -1;
    double others_ns = after->busy_ns - before->busy_ns - (after->own_ns - before->own_ns);
    double share = others_ns / (wall_ns * cpus->count);
    return share < 0 ? 0 : share > 1 ? 1 : share;
}

double om__env_waited(int threads, const om_env_usage *before, const om_env_usage *after)
{
    double wall_ns = after->wall_ns - before->wall_ns;
    if (before->waited_ns < 0 || after->waited_ns < before->waited_ns || wall_ns <= 0)
        return -1;
    return (after->waited_ns - before->waited_ns) / (wall_ns * (threads > 0 ? threads : 1));
}

/* ---- memory ---- */

/* One thread's share of the buffers: bytes a second of its own processor time, so that a machine
 * that is shared does not look as if its memory were slow. */
static double thread_bandwidth(char *to, char *from, int64_t size)
{
    double best = 0;
    uint64_t sum = 0;
    for (int repeat = 0; repeat < 3; repeat++) { /* the first one touches the pages */
        double start = clock_ns(CLOCK_THREAD_CPUTIME_ID);
        memset(from, repeat + 1, (size_t)size);
        double filled = clock_ns(CLOCK_THREAD_CPUTIME_ID);
        memcpy(to, from, (size_t)size);
        double copied = clock_ns(CLOCK_THREAD_CPUTIME_ID);
        const uint64_t *words = (const uint64_t *)(const void *)to;
        for (int64_t i = 0; i < size / 8; i++)
            sum += words[i];
        double read = clock_ns(CLOCK_THREAD_CPUTIME_ID);
        double rates[] = {1 / (filled - start), 2 / (copied - filled), 1 / (read - copied)};
        for (int i = 0; i < 3; i++)
            if (rates[i] * (double)size * 1e9 > best)
                best = rates[i] * (double)size * 1e9;
    }
    return sum == 1 ? best * 0.999 : best; /* the sum is used, so that reading is not left out */
}

om_status om__env_bandwidth(int threads, double *bytes_per_second, om_error *err)
{
    const om_cpu_info *cpu = om__cpu_info_get();
    int64_t llc = cpu->l3_bytes > 0 ? cpu->l3_bytes : cpu->l2_bytes;
    int64_t size = 4 * llc > (int64_t)256 << 20 ? (int64_t)256 << 20 : 4 * llc;
    int64_t part = (size < (int64_t)64 << 20 ? (int64_t)64 << 20 : size) / threads / 4096 * 4096;
    char *from = aligned_alloc(4096, (size_t)(part * threads));
    char *to = aligned_alloc(4096, (size_t)(part * threads));
    double sum = 0;
    if (from == NULL || to == NULL) {
        free(from);
        free(to);
        return om__error_set(err, OM_NO_MEMORY, "no memory to measure the bandwidth");
    }
#pragma omp parallel for num_threads(threads) schedule(static, 1) reduction(+ : sum)
    for (int t = 0; t < threads; t++)
        sum += thread_bandwidth(to + t * part, from + t * part, part);
    free(from);
    free(to);
    *bytes_per_second = sum;
    return OM_OK;
}

static int64_t status_bytes(const char *key)
{
    char line[256];
    long long kib = -1;
    size_t size = strlen(key);
    FILE *file = fopen("/proc/self/status", "r");
    while (file != NULL && kib < 0 && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, key, size) == 0 && line[size] == ':')
            sscanf(line + size + 1, "%lld", &kib);
    if (file != NULL)
        fclose(file);
    return kib < 0 ? -1 : kib * 1024;
}

int64_t om__env_peak_reset(void)
{
    FILE *file = fopen("/proc/self/clear_refs", "w");
    bool done = file != NULL && fputs("5", file) >= 0;
    if (file != NULL)
        done = fclose(file) == 0 && done;
    return done ? status_bytes("VmRSS") : -1;
}

int64_t om__env_peak_bytes(int64_t base)
{
    int64_t peak = base < 0 ? -1 : status_bytes("VmHWM");
    return peak < 0 ? -1 : peak > base ? peak - base : 0;
}

void om__env_now(char text[32])
{
    struct timespec now;
    struct tm parts;
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &parts);
    size_t used = strftime(text, 32, "%Y-%m-%dT%H:%M:%S", &parts);
    snprintf(text + used, 32 - used, ".%03ldZ", now.tv_nsec / 1000000);
}
