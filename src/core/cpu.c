/* SPDX-License-Identifier: Apache-2.0 */
/* cpu.c: reading the processor's abilities, its caches and how much of the machine this process may
 * use. */
#define _GNU_SOURCE
#include "core/cpu.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

#if defined(__x86_64__)
#include <cpuid.h>

static uint64_t enabled_states(void)
{
    uint32_t low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (uint64_t)high << 32 | low;
}

static void read_isa(om_cpu_info *info)
{
    uint32_t a, b, c, d;
    info->isa = OM_ISA_SCALAR;
    if (!__get_cpuid(1, &a, &b, &c, &d))
        return;
    int has_xsave = c >> 27 & 1, has_avx = c >> 28 & 1, has_f16c = c >> 29 & 1,
        has_fma = c >> 12 & 1;
    if (!has_xsave || !has_avx || !has_f16c || !has_fma)
        return;
    uint64_t states = enabled_states();
    if ((states & 0x6) != 0x6 || !__get_cpuid_count(7, 0, &a, &b, &c, &d))
        return;
    if (b >> 5 & 1)
        info->isa = OM_ISA_AVX2;
    int has_f = b >> 16 & 1, has_dq = b >> 17 & 1, has_bw = b >> 30 & 1, has_vl = b >> 31 & 1;
    int has_vbmi = c >> 1 & 1;
    if (info->isa == OM_ISA_AVX2 && (states & 0xE0) == 0xE0 && has_f && has_dq && has_bw &&
        has_vl && has_vbmi) {
        info->isa = OM_ISA_AVX512;
        info->has_avx512_vnni = c >> 11 & 1;
        if (__get_cpuid_count(7, 1, &a, &b, &c, &d))
            info->has_avx512_bf16 = a >> 5 & 1;
    }
}
#else
static void read_isa(om_cpu_info *info)
{
    info->isa = OM_ISA_SCALAR;
}
#endif

static int read_line(const char *path, char *line, size_t size)
{
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return 0;
    int found = fgets(line, (int)size, file) != NULL;
    fclose(file);
    if (found)
        line[strcspn(line, "\n")] = '\0';
    return found;
}

static void read_model(om_cpu_info *info)
{
    char line[256];
    snprintf(info->model, sizeof info->model, "unknown processor");
    FILE *file = fopen("/proc/cpuinfo", "r");
    if (file == NULL)
        return;
    while (fgets(line, sizeof line, file) != NULL) {
        char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || colon == NULL)
            continue;
        colon[strcspn(colon, "\n")] = '\0';
        snprintf(info->model, sizeof info->model, "%.127s",
                 colon[1] == ' ' ? colon + 2 : colon + 1);
        break;
    }
    fclose(file);
}

static void read_caches(om_cpu_info *info)
{
    for (int i = 0; i < 8; i++) {
        char path[96], level[16], type[32], size[32];
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/level", i);
        if (!read_line(path, level, sizeof level))
            break;
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/type", i);
        if (!read_line(path, type, sizeof type) || strcmp(type, "Instruction") == 0)
            continue;
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/size", i);
        if (!read_line(path, size, sizeof size))
            continue;
        char *unit;
        int64_t bytes = strtoll(size, &unit, 10);
        bytes *= *unit == 'M' ? 1 << 20 : *unit == 'K' ? 1 << 10 : 1;
        if (level[0] == '1')
            info->l1d_bytes = bytes;
        else if (level[0] == '2')
            info->l2_bytes = bytes;
        else if (level[0] == '3')
            info->l3_bytes = bytes;
    }
}

/* The quota of this process's own control group and of all above it, as whole processors rounded
 * up; 0: none. The path is that of the unified hierarchy; inside a container it is usually the
 * root. */
static int quota_of_path(const char *group)
{
    char path[512], line[64];
    int best = 0;
    size_t used = (size_t)snprintf(path, sizeof path, "/sys/fs/cgroup%s", group);
    if (used >= sizeof path - 16)
        return 0;
    for (;;) {
        snprintf(path + used, sizeof path - used, "/cpu.max");
        long long quota, period;
        if (read_line(path, line, sizeof line) && sscanf(line, "%lld %lld", &quota, &period) == 2 &&
            quota > 0 && period > 0) {
            int processors = (int)((quota + period - 1) / period);
            if (best == 0 || processors < best)
                best = processors;
        }
        path[used] = '\0';
        if (used <= strlen("/sys/fs/cgroup"))
            return best;
        used = (size_t)(strrchr(path, '/') - path);
    }
}

static int read_quota(void)
{
    char line[400];
    const char *group = "";
    if (read_line("/proc/self/cgroup", line, sizeof line) && strncmp(line, "0::", 3) == 0)
        group = strcmp(line + 3, "/") == 0 ? "" : line + 3;
    return quota_of_path(group);
}

static void read_processors(om_cpu_info *info)
{
    cpu_set_t set;
    info->processors = 1;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        info->processors = CPU_COUNT(&set);
    int quota = read_quota();
    if (quota > 0 && quota < info->processors)
        info->processors = quota;
}

static om_cpu_info shared_info;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void read_all(void)
{
    read_isa(&shared_info);
    read_model(&shared_info);
    read_caches(&shared_info);
    read_processors(&shared_info);
}

const om_cpu_info *om__cpu_info_get(void)
{
    pthread_once(&once, read_all);
    return &shared_info;
}

static const char *const isa_names[OM_ISA_COUNT] = {"default", "scalar", "avx2", "avx512"};

const char *om__isa_name(om_isa isa)
{
    return (unsigned)isa < OM_ISA_COUNT ? isa_names[isa] : "unknown";
}

om_status om__isa_parse(const char *text, om_isa *isa, om_error *err)
{
    for (int i = OM_ISA_SCALAR; i < OM_ISA_COUNT; i++)
        if (strcmp(text, isa_names[i]) == 0) {
            *isa = (om_isa)i;
            return OM_OK;
        }
    return om__error_set(err, OM_INVALID,
                         "unknown instruction set '%s': one of scalar, avx2, avx512", text);
}
