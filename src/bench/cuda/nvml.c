/* SPDX-License-Identifier: Apache-2.0 */
/* nvml.c: what the driver's management library says of a GPU.
 *
 * The library comes with the driver and its header with neither driver nor toolkit everywhere, so
 * the few calls needed are declared here. It is loaded once a process: starting it takes
 * milliseconds, and it is asked around every row.
 */
#include "bench/cuda/nvml.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/relatives.h"

typedef struct nvml_device *nvml_handle;

typedef struct nvml_process {
    unsigned int pid;
    unsigned long long used_bytes;
    unsigned int gpu_instance, compute_instance;
} nvml_process;

enum { CLOCK_SM = 1, CLOCK_MEMORY = 2, TEMPERATURE_GPU = 0, ANSWER_TOO_LONG = 7 };

static struct nvml {
    pthread_once_t once;
    void *library;
    char refusal[160];
    int (*init)(void);
    int (*driver_version)(char *text, unsigned int size);
    int (*by_bus_id)(const char *bus_id, nvml_handle *device);
    int (*clock)(nvml_handle device, int which, unsigned int *mhz);
    int (*max_clock)(nvml_handle device, int which, unsigned int *mhz);
    int (*application_clock)(nvml_handle device, int which, unsigned int *mhz);
    int (*power)(nvml_handle device, unsigned int *mw);
    int (*power_limit)(nvml_handle device, unsigned int *mw);
    int (*temperature)(nvml_handle device, int which, unsigned int *celsius);
    int (*reasons)(nvml_handle device, unsigned long long *reasons);
    int (*processes)(nvml_handle device, unsigned int *count, nvml_process *processes);
    int (*persistence)(nvml_handle device, int *on);
    int (*ecc)(nvml_handle device, int *current, int *pending);
    int (*mig)(nvml_handle device, unsigned int *current, unsigned int *pending);
    int (*utilisation)(nvml_handle device, unsigned int percent[2]);
} nvml = {.once = PTHREAD_ONCE_INIT};

static void resolve(const char *name, void *function)
{
    void *symbol = dlsym(nvml.library, name);
    memcpy(function, &symbol, sizeof symbol);
}

static void load(void)
{
    nvml.library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (nvml.library == NULL) {
        snprintf(nvml.refusal, sizeof nvml.refusal, "libnvidia-ml.so.1 not found");
        return;
    }
    resolve("nvmlInit_v2", &nvml.init);
    resolve("nvmlSystemGetDriverVersion", &nvml.driver_version);
    resolve("nvmlDeviceGetHandleByPciBusId_v2", &nvml.by_bus_id);
    resolve("nvmlDeviceGetClockInfo", &nvml.clock);
    resolve("nvmlDeviceGetMaxClockInfo", &nvml.max_clock);
    resolve("nvmlDeviceGetApplicationsClock", &nvml.application_clock);
    resolve("nvmlDeviceGetPowerUsage", &nvml.power);
    resolve("nvmlDeviceGetEnforcedPowerLimit", &nvml.power_limit);
    resolve("nvmlDeviceGetTemperature", &nvml.temperature);
    resolve("nvmlDeviceGetCurrentClocksEventReasons", &nvml.reasons);
    if (nvml.reasons == NULL)
        resolve("nvmlDeviceGetCurrentClocksThrottleReasons", &nvml.reasons);
    resolve("nvmlDeviceGetComputeRunningProcesses_v3", &nvml.processes);
    resolve("nvmlDeviceGetPersistenceMode", &nvml.persistence);
    resolve("nvmlDeviceGetEccMode", &nvml.ecc);
    resolve("nvmlDeviceGetMigMode", &nvml.mig);
    resolve("nvmlDeviceGetUtilizationRates", &nvml.utilisation);
    int code = nvml.init != NULL && nvml.by_bus_id != NULL ? nvml.init() : -1;
    if (code != 0)
        snprintf(nvml.refusal, sizeof nvml.refusal, "libnvidia-ml.so.1 does not start (code %d)",
                 code);
}

/* false: nothing can be read, and `pairs` says so. */
static bool find(const char *bus_id, nvml_handle *device, om_pairs *pairs, om_status *status,
                 om_error *err)
{
    *status = OM_OK;
    (void)pthread_once(&nvml.once, load);
    if (nvml.refusal[0] != '\0') {
        *status = om__pairs_set(pairs, "nvml", nvml.refusal, err);
        return false;
    }
    int code = nvml.by_bus_id(bus_id, device);
    if (code != 0) {
        *status = om__pairs_setf(pairs, "nvml", err, "no GPU at %s (code %d)", bus_id, code);
        return false;
    }
    return true;
}

void om__nvml_format_reasons(unsigned long long reasons, char *text, size_t size)
{
    static const struct {
        unsigned long long bit;
        const char *words;
    } names[] = {
        {0x1, "idle"},
        {0x2, "clocks set"},
        {0x4, "power cap"},
        {0x8, "hardware slowdown"},
        {0x10, "sync boost"},
        {0x20, "thermal"},
        {0x40, "hardware thermal"},
        {0x80, "power brake"},
        {0x100, "display clocks"},
    };
    size_t used = 0;
    unsigned long long unknown = reasons;
    snprintf(text, size, "none");
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (!(reasons & names[i].bit))
            continue;
        unknown &= ~names[i].bit;
        int more = snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "", names[i].words);
        if (more < 0 || (size_t)more >= size - used)
            return;
        used += (size_t)more;
    }
    if (unknown != 0)
        snprintf(text + used, size - used, "%s0x%llx", used > 0 ? ", " : "", unknown);
}

static om_status add_number(int (*read)(nvml_handle, unsigned int *), nvml_handle device,
                            const char *key, double scale, int decimals, om_pairs *pairs,
                            om_error *err)
{
    unsigned int value;
    if (read == NULL || read(device, &value) != 0)
        return OM_OK;
    return om__pairs_setf(pairs, key, err, "%.*f", decimals, value * scale);
}

static om_status add_choice(int (*read)(nvml_handle, int, unsigned int *), nvml_handle device,
                            int which, const char *key, om_pairs *pairs, om_error *err)
{
    unsigned int value;
    if (read == NULL || read(device, which, &value) != 0)
        return OM_OK;
    return om__pairs_setf(pairs, key, err, "%u", value);
}

om_status om__nvml_settings(const char *bus_id, om_pairs *settings, om_error *err)
{
    nvml_handle device;
    om_status status;
    char text[96];
    int on, pending;
    unsigned int mig, mig_pending;
    if (!find(bus_id, &device, settings, &status, err))
        return status;
    if (nvml.driver_version != NULL && nvml.driver_version(text, sizeof text) == 0)
        OM_TRY(om__pairs_set(settings, "driver", text, err));
    OM_TRY(add_number(nvml.power_limit, device, "power_limit_w", 1e-3, 0, settings, err));
    OM_TRY(add_choice(nvml.max_clock, device, CLOCK_SM, "sm_max_mhz", settings, err));
    OM_TRY(add_choice(nvml.max_clock, device, CLOCK_MEMORY, "memory_max_mhz", settings, err));
    OM_TRY(
        add_choice(nvml.application_clock, device, CLOCK_SM, "sm_application_mhz", settings, err));
    if (nvml.persistence != NULL && nvml.persistence(device, &on) == 0)
        OM_TRY(om__pairs_set(settings, "persistence", on ? "on" : "off", err));
    if (nvml.ecc != NULL && nvml.ecc(device, &on, &pending) == 0)
        OM_TRY(om__pairs_set(settings, "ecc", on ? "on" : "off", err));
    if (nvml.mig != NULL && nvml.mig(device, &mig, &mig_pending) == 0)
        OM_TRY(om__pairs_set(settings, "mig", mig ? "on" : "off", err));
    return OM_OK;
}

/* Processes with a compute context that are no part of this run; −1: not known. */
static int count_others(nvml_handle device)
{
    nvml_process processes[64];
    unsigned int count = 64;
    int others = 0;
    if (nvml.processes == NULL)
        return -1;
    int code = nvml.processes(device, &count, processes);
    if (code == ANSWER_TOO_LONG)
        return (int)count - 1;
    if (code != 0)
        return -1;
    for (unsigned int i = 0; i < count; i++)
        others += !om__process_is_relative((pid_t)processes[i].pid);
    return others;
}

om_status om__nvml_state(const char *bus_id, om_pairs *evidence, om_error *err)
{
    nvml_handle device;
    om_status status;
    unsigned long long reasons;
    unsigned int busy[2];
    char text[128];
    if (!find(bus_id, &device, evidence, &status, err))
        return status;
    OM_TRY(add_choice(nvml.clock, device, CLOCK_SM, "nvml_sm_mhz", evidence, err));
    OM_TRY(add_choice(nvml.clock, device, CLOCK_MEMORY, "nvml_memory_mhz", evidence, err));
    OM_TRY(add_choice(nvml.temperature, device, TEMPERATURE_GPU, "temperature_c", evidence, err));
    OM_TRY(add_number(nvml.power, device, "power_w", 1e-3, 0, evidence, err));
    if (nvml.reasons != NULL && nvml.reasons(device, &reasons) == 0) {
        om__nvml_format_reasons(reasons, text, sizeof text);
        OM_TRY(om__pairs_set(evidence, "throttle", text, err));
    }
    if (nvml.utilisation != NULL && nvml.utilisation(device, busy) == 0)
        OM_TRY(om__pairs_setf(evidence, "gpu_busy_percent", err, "%u", busy[0]));
    int others = count_others(device);
    if (others >= 0)
        OM_TRY(om__pairs_setf(evidence, "other_processes", err, "%d", others));
    return OM_OK;
}
