/* SPDX-License-Identifier: Apache-2.0 */
/* doctor_machine.c: the processor, its caches, memory and the settings that change timings. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "bench/env.h"
#include "cli/doctor.h"
#include "core/cpu.h"

#ifdef OM_HAVE_HWLOC
#include <hwloc.h>
#endif

static void format_bytes(int64_t bytes, char text[32])
{
    if (bytes >= 10 * INT64_C(1073741824))
        snprintf(text, 32, "%.0f GiB", (double)bytes / 1073741824.0);
    else if (bytes >= 1048576)
        snprintf(text, 32, "%.4g MiB", (double)bytes / 1048576.0);
    else
        snprintf(text, 32, "%.4g KiB", (double)bytes / 1024.0);
}

void om__doctor_processor(om_findings *findings)
{
    const om_cpu_info *cpu = om__cpu_info_get();
    om__finding_add(findings, OM_FINDING_FACT, "processor", NULL, "%s, %s%s%s",
                    cpu->model[0] != '\0' ? cpu->model : "unknown", om__isa_name(cpu->isa),
                    cpu->has_avx512_bf16 ? ", bf16 products" : "",
                    cpu->has_avx512_vnni ? ", vnni" : "");
    om_cpu_list allowed = {0};
    om_error err;
    char text[256] = "";
    if (om__cpus_allowed(&allowed, &err) != OM_OK) {
        om__finding_add(findings, OM_FINDING_CAUTION, "processors", NULL, "%s", err.text);
        return;
    }
    om__cpus_format(&allowed, text, sizeof text);
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    om__finding_add(findings, OM_FINDING_FACT, "processors", NULL, "%d of %ld may be used (%s)%s",
                    cpu->processors, online, text,
                    cpu->processors < allowed.count ? ", cut by the control group's quota" : "");
    if (cpu->processors < allowed.count)
        om__finding_add(findings, OM_FINDING_CAUTION, "processors",
                        "give the group whole processors (a cpuset) instead of a quota",
                        "a quota stops all threads for the rest of each period once it is spent");
    om__cpus_release(&allowed);
}

#ifdef OM_HAVE_HWLOC
static void add_cache(om_text *text, hwloc_topology_t topology, hwloc_obj_type_t type,
                      const char *name)
{
    int count = hwloc_get_nbobjs_by_type(topology, type);
    if (count <= 0)
        return;
    hwloc_obj_t first = hwloc_get_obj_by_type(topology, type, 0);
    char size[32];
    format_bytes((int64_t)first->attr->cache.size, size);
    om__text_addf(text, ", %s %d x %s", name, count, size);
}

void om__doctor_topology(om_findings *findings)
{
    hwloc_topology_t topology;
    if (hwloc_topology_init(&topology) != 0)
        return;
    if (hwloc_topology_load(topology) == 0) {
        om_text text = {0};
        om__text_addf(&text, "%d package(s), %d NUMA node(s), %d core(s), %d thread(s)",
                      hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PACKAGE),
                      hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_NUMANODE),
                      hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE),
                      hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PU));
        add_cache(&text, topology, HWLOC_OBJ_L1CACHE, "L1d");
        add_cache(&text, topology, HWLOC_OBJ_L2CACHE, "L2");
        add_cache(&text, topology, HWLOC_OBJ_L3CACHE, "L3");
        om__finding_add(findings, OM_FINDING_FACT, "topology", NULL, "%s",
                        text.data != NULL ? text.data : "");
        om__text_release(&text);
        if (hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_NUMANODE) > 1)
            om__finding_add(findings, OM_FINDING_CAUTION, "topology",
                            "pin to one node: opmark run --cpus LIST",
                            "memory of another node is slower; which one a tensor gets changes "
                            "from launch to launch");
    }
    hwloc_topology_destroy(topology);
}
#else
void om__doctor_topology(om_findings *findings)
{
    const om_cpu_info *cpu = om__cpu_info_get();
    char l1[32], l2[32], l3[32];
    format_bytes(cpu->l1d_bytes, l1);
    format_bytes(cpu->l2_bytes, l2);
    format_bytes(cpu->l3_bytes, l3);
    om__finding_add(findings, OM_FINDING_FACT, "caches", NULL, "L1d %s, L2 %s, L3 %s", l1, l2, l3);
}
#endif

static bool is_word(const om_pairs *settings, const char *key, const char *word)
{
    const char *value = om__pairs_find(settings, key);
    return value != NULL && strcmp(value, word) == 0;
}

static void judge_settings(om_findings *findings, const om_pairs *settings)
{
    const char *governor = om__pairs_find(settings, "governor");
    if (governor != NULL && strcmp(governor, "performance") != 0)
        om__finding_add(findings, OM_FINDING_SPOILS, "governor",
                        "cpupower frequency-set -g performance",
                        "'%s' lets the clock ramp up during a measurement", governor);
    if (is_word(settings, "no_turbo", "0") || is_word(settings, "boost", "1"))
        om__finding_add(findings, OM_FINDING_CAUTION, "turbo",
                        "contenders take turns, so ratios hold; for steadier times switch it off",
                        "on: the clock depends on temperature and on the other cores");
    if (is_word(settings, "virtual_machine", "yes"))
        om__finding_add(findings, OM_FINDING_CAUTION, "virtual",
                        "trust ratios of one run rather than times; use more launches",
                        "a virtual machine: neighbours and the host's scheduler are not seen from "
                        "here");
    if (is_word(settings, "numa_balancing", "1"))
        om__finding_add(findings, OM_FINDING_CAUTION, "numa", "sysctl kernel.numa_balancing=0",
                        "the system moves pages between nodes while it measures");
}

void om__doctor_settings(om_findings *findings)
{
    om_pairs settings = {0};
    om_error err;
    if (om__env_settings(&settings, &err) == OM_OK) {
        char *text = om__pairs_format(&settings);
        om__finding_add(findings, OM_FINDING_FACT, "settings", NULL, "%s",
                        text != NULL ? text : "");
        free(text);
        judge_settings(findings, &settings);
    } else {
        om__finding_add(findings, OM_FINDING_CAUTION, "settings", NULL, "%s", err.text);
    }
    om__pairs_release(&settings);
}

void om__doctor_variables(om_findings *findings)
{
    om_pairs variables = {0};
    om_error err;
    if (om__env_variables(&variables, &err) == OM_OK && variables.count > 0) {
        char *text = om__pairs_format(&variables);
        om__finding_add(findings, OM_FINDING_CAUTION, "variables",
                        "unset what is not meant; all of these go into the record",
                        "set, and may change what libraries do: %s", text != NULL ? text : "");
        free(text);
    }
    om__pairs_release(&variables);
}

static int64_t meminfo(const char *key)
{
    char line[256];
    int64_t kib = -1;
    FILE *file = fopen("/proc/meminfo", "r");
    while (file != NULL && kib < 0 && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, key, strlen(key)) == 0)
            kib = strtoll(line + strlen(key), NULL, 10);
    if (file != NULL)
        fclose(file);
    return kib < 0 ? -1 : kib * 1024;
}

void om__doctor_memory(om_findings *findings)
{
    int64_t total = meminfo("MemTotal:"), free_bytes = meminfo("MemAvailable:");
    if (total < 0 || free_bytes < 0)
        return;
    char a[32], b[32];
    format_bytes(free_bytes, a);
    format_bytes(total, b);
    bool tight = free_bytes < INT64_C(2) << 30;
    om__finding_add(findings, tight ? OM_FINDING_CAUTION : OM_FINDING_FACT, "memory",
                    tight ? "large rows will be left out" : NULL, "%s of %s available", a, b);
}
