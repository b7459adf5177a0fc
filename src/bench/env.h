/* SPDX-License-Identifier: Apache-2.0 */
/* env.h: where a measurement takes place, and who else used the processors while it ran. */
#ifndef OM_BENCH_ENV_H
#define OM_BENCH_ENV_H

#include <stdbool.h>
#include <stdint.h>

#include "base/pairs.h"
#include "opmark/status.h"

/* Facts about the host that change timings: kernel, governor, turbo, huge pages, SMT, hypervisor.
 * Those that the system does not tell are left out. */
om_status om__env_settings(om_pairs *settings, om_error *err);
/* The environment variables on the allow-list (thread runtimes, libraries under test, devices). */
om_status om__env_variables(om_pairs *environment, om_error *err);

/* A list such as "0-3,8"; ascending, without repeats. */
typedef struct om_cpu_list {
    int *items;
    int count;
} om_cpu_list;
om_status om__cpus_parse(const char *text, om_cpu_list *cpus, om_error *err);
/* The processors this process may run on. */
om_status om__cpus_allowed(om_cpu_list *cpus, om_error *err);
/* "0-3,8", cut to size. */
void om__cpus_format(const om_cpu_list *cpus, char *text, size_t size);
void om__cpus_release(om_cpu_list *cpus);

/* Two of these around a stretch of time tell who used the processors in it. */
typedef struct om_env_usage {
    double wall_ns;
    double own_ns;    /* processor time of this process */
    double busy_ns;   /* of the listed processors, all processes together; < 0: not known */
    double waited_ns; /* that threads of this process were ready and had to wait; < 0: not known */
    double load;      /* one-minute load average; < 0: not known */
} om_env_usage;
void om__env_usage_take(const om_cpu_list *cpus, om_env_usage *usage);
/* The share of the listed processors that others had between two readings, 0..1; < 0: not known, or
 * the stretch was too short for the system's counters (10 ms a step). */
double om__env_others(const om_cpu_list *cpus, const om_env_usage *before,
                      const om_env_usage *after);

/* The share of the stretch that a thread of ours waited for a processor, over `threads` threads;
 * < 0: not known. */
double om__env_waited(int threads, const om_env_usage *before, const om_env_usage *after);

/* Bytes a second that this host's memory gives `threads` threads: the best each of them reaches in
 * reading, writing and copying buffers beyond the last-level cache, counted in processor time and
 * added up. Takes some tenths of a second. */
om_status om__env_bandwidth(int threads, double *bytes_per_second, om_error *err);

/* Memory of this process above `base` since the last reset; base is what reset returned; -1: the
 * system does not tell. */
int64_t om__env_peak_reset(void);
int64_t om__env_peak_bytes(int64_t base);

/* "2026-11-30T18:04:05.123Z" */
void om__env_now(char text[32]);

#endif
