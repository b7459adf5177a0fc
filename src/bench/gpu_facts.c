/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_facts.c: what can be said about measuring on the GPUs of this machine. */
#include "bench/gpu_facts.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "bench/clock.h"
#include "core/context.h"

typedef struct list {
    om_fact *facts;
    size_t count;
} list;

static void add(list *l, const char *name, om_fact_state state, const char *format, ...)
    OM_PRINTF(4, 5);
static void add(list *l, const char *name, om_fact_state state, const char *format, ...)
{
    va_list args;
    if (l->count == OM_GPU_FACTS_MOST)
        return;
    om_fact *fact = &l->facts[l->count++];
    snprintf(fact->name, sizeof fact->name, "%s", name);
    fact->state = state;
    va_start(args, format);
    vsnprintf(fact->text, sizeof fact->text, format, args);
    va_end(args);
}

/* The kernels and the driver below them; the number of GPUs. */
static const om_device_api *look_at_driver(list *l, const char *library_dir, int *gpus)
{
    const om_device_api *api = NULL;
    om_error error = {0};
    size_t kernels = 0;
    *gpus = 0;
    if (om__device_api_find("cuda", library_dir, &api, &error) != OM_OK) {
        add(l, "kernels", OM_FACT_MISSING,
            "%s; a build where nvcc (CUDA 13) is found makes it, and a bundle brings it",
            error.text);
        return NULL;
    }
    (void)api->kernels(&kernels);
    add(l, "kernels", OM_FACT_FINE, "libopmark-cuda.so with %zu kernels for sm_90a", kernels);
    if (api->count(gpus, &error) != OM_OK) {
        add(l, "driver", OM_FACT_MISSING, "%s", error.text);
        return NULL;
    }
    if (*gpus == 0) {
        add(l, "driver", OM_FACT_MISSING, "the NVIDIA driver sees no GPU (CUDA_VISIBLE_DEVICES?)");
        return NULL;
    }
    add(l, "driver", OM_FACT_FINE, "%d GPU%s", *gpus, *gpus == 1 ? "" : "s");
    return api;
}

static bool look_at_device(list *l, const om_device_api *api, int index)
{
    char name[32];
    om_error error = {0};
    om_device *device = NULL;
    om_device_info info;
    snprintf(name, sizeof name, "cuda:%d", index);
    om_status status = api->open(index, NULL, &device, &error);
    if (status == OM_OK)
        status = api->info(device, &info, &error);
    if (status == OM_OK)
        add(l, name, OM_FACT_FINE, "%s, %.0f of %.0f GiB free, %d SMs, driver %s", info.name,
            (double)info.memory_free_bytes / 1073741824.0, (double)info.memory_bytes / 1073741824.0,
            info.unit_count, info.driver);
    else
        add(l, name, status == OM_UNSUPPORTED ? OM_FACT_MISSING : OM_FACT_SPOILS, "%s", error.text);
    if (device != NULL)
        api->close(device);
    return status == OM_OK;
}

static void look_at_state(list *l, const om_measure_api *measure, int index)
{
    char device[32], name[48];
    om_error error = {0};
    om_pairs state = {0};
    snprintf(device, sizeof device, "cuda:%d", index);
    snprintf(name, sizeof name, "%s state", device);
    if (measure->state == NULL)
        return;
    if (measure->state(device, &state, &error) != OM_OK) {
        add(l, name, OM_FACT_MISSING, "%s", error.text);
        om__pairs_release(&state);
        return;
    }
    const char *others = om__pairs_find(&state, "other_processes");
    const char *throttle = om__pairs_find(&state, "throttle");
    const char *nvml = om__pairs_find(&state, "nvml");
    char *all = om__pairs_format(&state);
    bool is_shared = others != NULL && strcmp(others, "0") != 0;
    bool is_hot = throttle != NULL &&
                  (strstr(throttle, "thermal") != NULL || strstr(throttle, "slowdown") != NULL ||
                   strstr(throttle, "brake") != NULL);
    if (nvml != NULL)
        add(l, name, OM_FACT_MISSING, "%s: clocks, power and other processes stay unknown", nvml);
    else if (is_shared)
        add(l, name, OM_FACT_SPOILS, "%s other process%s compute on it: times will scatter", others,
            strcmp(others, "1") == 0 ? "" : "es");
    else if (is_hot)
        add(l, name, OM_FACT_SPOILS, "throttled (%s)", throttle);
    else
        add(l, name, OM_FACT_FINE, "%s", all != NULL ? all : "");
    free(all);
    om__pairs_release(&state);
}

static void look_at_clock(list *l, const om_measure_api *measure, const char *device, void *stream)
{
    om_clock_options options = {.device = device, .stream = stream};
    for (size_t i = 0; i < measure->clock_count; i++) {
        const om_clock_api *api = measure->clocks[i];
        om_clock *clock = NULL;
        om_error error = {0};
        om_clock_info info;
        char name[64];
        snprintf(name, sizeof name, "clock %.40s", api->name);
        if (api->open(&options, &clock, &error) != OM_OK) {
            add(l, name, OM_FACT_MISSING, "%s", error.text);
            continue;
        }
        api->info(clock, &info);
        add(l, name, OM_FACT_FINE, "tick %.0f ns; %s", info.tick_ns, api->summary);
        api->close(clock);
    }
}

static void look_at_rivals(list *l, const om_measure_api *measure, const char *device, void *stream,
                           const char *cuda_libs)
{
    om_provider_host host = {.abi = OM_PROVIDER_ABI,
                             .device = device,
                             .threads = 1,
                             .stream = stream,
                             .cuda_libs = cuda_libs};
    for (size_t i = 0; i < measure->provider_count; i++) {
        const om_provider *provider = measure->providers[i];
        char version[128] = "", details[1024] = "";
        void *self = NULL;
        om_error error = {0};
        if (provider->open(&host, &self, &error) != OM_OK) {
            add(l, provider->name, OM_FACT_MISSING, "%s", error.text);
            continue;
        }
        if (provider->describe != NULL)
            provider->describe(self, version, sizeof version, details, sizeof details);
        details[strcspn(details, "\n")] = '\0';
        add(l, provider->name, OM_FACT_FINE, "%s (%s)", version, details);
        provider->close(self);
    }
}

om_status om__gpu_facts(const char *library_dir, const char *cuda_libs, om_fact *facts,
                        size_t *count, om_error *err)
{
    list l = {.facts = facts};
    om_measure measure = {0};
    om_error error = {0};
    void *stream = NULL;
    int gpus, first_good = -1;
    char device[32];

    (void)err;
    const om_device_api *api = look_at_driver(&l, library_dir, &gpus);
    if (api == NULL)
        goto out;
    for (int i = 0; i < gpus; i++)
        if (look_at_device(&l, api, i) && first_good < 0)
            first_good = i;
    if (first_good < 0)
        goto out;
    if (om__measure_open("cuda", library_dir, &measure, &error) != OM_OK) {
        add(&l, "measuring", OM_FACT_MISSING, "%s", error.text);
        goto out;
    }
    snprintf(device, sizeof device, "cuda:%d", first_good);
    if (measure.api->stream_open != NULL &&
        measure.api->stream_open(device, &stream, &error) != OM_OK) {
        add(&l, "measuring", OM_FACT_SPOILS, "%s", error.text);
        goto out;
    }
    for (int i = 0; i < gpus; i++)
        look_at_state(&l, measure.api, i);
    look_at_clock(&l, measure.api, device, stream);
    look_at_rivals(&l, measure.api, device, stream, cuda_libs);
out:
    *count = l.count;
    om__measure_close(&measure);
    return OM_OK;
}
