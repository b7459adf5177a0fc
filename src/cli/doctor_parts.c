/* SPDX-License-Identifier: Apache-2.0 */
/* doctor_parts.c: the build, its files, rivals, devices, and what is missing with the package that
 * brings it. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/build.h"
#include "base/error.h"
#include "base/text.h"
#include "bench/gpu_facts.h"
#include "cli/command.h"
#include "cli/doctor.h"
#include "core/context.h"
#include "opmark/opmark.h"
#include "providers/providers.h"

/* Names are Debian's; scripts/bootstrap has the same ones. */
static const struct {
    const char *part, *package, *use;
} packages[] = {
    {"openblas", "libopenblas0-openmp", "a rival for matrix products"},
    {"onednn", "libdnnl2", "a rival for products and norms"},
    {"blis", "libblis4-openmp", "a rival for matrix products"},
    {"openmp", "libgomp1", "threads of the CPU kernels"},
    {"sqlite3", "libsqlite3-dev", "a history of runs in one file"},
    {"postgresql", "libpq-dev", "one history of many machines"},
    {"hwloc", "libhwloc-dev", "caches and cores as they are wired"},
    {"curl", "libcurl4-openssl-dev", "posting a report to a pull request"},
    {"microhttpd", "libmicrohttpd-dev", "serving pages"},
    {"cuda", "cuda-toolkit-13-0 of NVIDIA (13.0 or later)", "kernels and clocks of NVIDIA GPUs"},
};

static size_t find_package(const char *part)
{
    size_t i = 0;
    while (i < sizeof packages / sizeof packages[0] && strcmp(packages[i].part, part) != 0)
        i++;
    return i;
}

static void advise(const char *part, char advice[200])
{
    size_t at = find_package(part);
    advice[0] = '\0';
    if (at < sizeof packages / sizeof packages[0])
        snprintf(advice, 200, "package %s brings %s", packages[at].package, packages[at].use);
}

void om__doctor_build(om_findings *findings)
{
    om__finding_add(findings, OM_FINDING_FACT, "opmark", NULL, "%s, commit %s, %s, %s",
                    om_version(), om__build_commit(), om__build_compiler(), om__build_type());
    if (strstr(om__build_type(), "address") != NULL || strstr(om__build_type(), "thread") != NULL ||
        strstr(om__build_type(), "Debug") != NULL)
        om__finding_add(findings, OM_FINDING_SPOILS, "opmark", "make; then use build/opmark",
                        "this build is for tests: it is slow");
}

void om__doctor_parts(om_findings *findings)
{
    char missing[256];
    snprintf(missing, sizeof missing, "%s", om__build_missing());
    om__finding_add(findings, OM_FINDING_FACT, "parts", NULL, "%s", om__build_parts());
    for (char *part = strtok(missing, " "); part != NULL; part = strtok(NULL, " ")) {
        char advice[200];
        advise(part, advice);
        om__finding_add(findings, OM_FINDING_ABSENT, "parts", advice, "%s is not built in", part);
    }
}

void om__doctor_files(om_findings *findings)
{
    char *path = NULL;
    om_error err;
    if (om__cli_find("workloads", &path, &err) == OM_OK)
        om__finding_add(findings, OM_FINDING_FACT, "workloads", NULL, "%s", path);
    else
        om__finding_add(findings, OM_FINDING_MISSING, "workloads",
                        "install the whole tree: make install", "%s", err.text);
    free(path);
}

/* ---- rivals ---- */

/* In the child: opens a provider and prints a line of what it is, or of why it cannot serve. */
static void describe_provider(const om_provider *provider, int out)
{
    char version[256] = "", details[1024] = "";
    om_context *context = NULL;
    om_error err = {0};
    void *self = NULL;
    om_status status = om_context_create(NULL, &context, &err);
    om_provider_host host = {.abi = OM_PROVIDER_ABI, .device = "cpu", .context = context};
    host.threads = context != NULL ? context->threads : 1;
    if (status == OM_OK)
        status = provider->open(&host, &self, &err);
    if (status == OM_OK)
        provider->describe(self, version, sizeof version, details, sizeof details);
    om_text line = {0};
    om__text_addf(&line, "%c%s", status == OM_OK ? '+' : '-', status == OM_OK ? version : err.text);
    for (char *rest = details, *fact = strsep(&rest, "\n"); fact != NULL;
         fact = strsep(&rest, "\n"))
        if (fact[0] != '\0')
            om__text_addf(&line, "; %s", fact);
    bool written = !line.failed && write(out, line.data, line.size) == (ssize_t)line.size;
    _exit(written ? 0 : 1);
}

/* A library that crashes or hangs while it is loaded must not take the doctor with it: each is
 * looked at in a process of its own. Nothing here has touched OpenMP, so a fork is safe. */
static int ask_provider(const om_provider *provider, char *text, size_t size)
{
    int ends[2], status = 0;
    if (pipe(ends) != 0)
        return -1;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        signal(SIGALRM, SIG_DFL);
        alarm(10);
        describe_provider(provider, ends[1]);
    }
    close(ends[1]);
    size_t used = 0;
    for (ssize_t got; child > 0 && used + 1 < size; used += (size_t)got) {
        got = read(ends[0], text + used, size - 1 - used);
        if (got <= 0)
            break;
    }
    text[used] = '\0';
    close(ends[0]);
    if (child < 0 || waitpid(child, &status, 0) < 0)
        return -1;
    return status;
}

void om__doctor_providers(om_findings *findings)
{
    size_t count, rivals = 0;
    const om_provider *const *providers = om__providers_get(&count);
    for (size_t i = 0; i < count; i++) {
        const om_provider *provider = providers[i];
        char text[2048], advice[200];
        if (provider->by_name_only || provider->role != OM_ROLE_COMPETITOR)
            continue;
        if (provider->device_kind != NULL && strcmp(provider->device_kind, "cpu") != 0)
            continue;
        int status = ask_provider(provider, text, sizeof text);
        advise(provider->name, advice);
        if (status != 0 || text[0] == '\0') {
            om__finding_add(findings, OM_FINDING_SPOILS, "rival", advice,
                            "%s dies while it is loaded", provider->name);
        } else if (text[0] == '+') {
            om__finding_add(findings, OM_FINDING_FACT, "rival", NULL, "%s: %s", provider->name,
                            text + 1);
            rivals++;
        } else {
            om__finding_add(findings, OM_FINDING_ABSENT, "rival", advice, "%s: %s", provider->name,
                            text + 1);
        }
    }
    if (rivals == 0)
        om__finding_add(findings, OM_FINDING_CAUTION, "rival", "scripts/bootstrap brings them",
                        "none found: rows will have no ratio");
}

/* ---- devices ---- */

static void add_machine(om_findings *findings)
{
    om_device *device = NULL;
    om_device_info info = {0};
    om_error err;
    if (om_device_api_cpu.open(0, NULL, &device, &err) == OM_OK &&
        om_device_api_cpu.info(device, &info, &err) == OM_OK)
        om__finding_add(findings, OM_FINDING_FACT, "machine", NULL, "class '%s', instance '%s'",
                        info.machine_class, info.instance);
    if (device != NULL)
        om_device_api_cpu.close(device);
}

void om__doctor_devices(om_findings *findings)
{
    static const om_finding_kind kinds[] = {[OM_FACT_FINE] = OM_FINDING_FACT,
                                            [OM_FACT_MISSING] = OM_FINDING_ABSENT,
                                            [OM_FACT_SPOILS] = OM_FINDING_SPOILS};
    om_fact facts[OM_GPU_FACTS_MOST];
    size_t count = 0;
    add_machine(findings);
    if (om__gpu_facts(NULL, NULL, facts, &count, NULL) != OM_OK)
        return;
    for (size_t i = 0; i < count; i++)
        om__finding_add(findings, kinds[facts[i].state], "gpu", NULL, "%s: %s", facts[i].name,
                        facts[i].text);
}
