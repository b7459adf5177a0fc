/* SPDX-License-Identifier: Apache-2.0 */
/* benchmark.h: the plug-in interface of a user's own benchmark: anything that can be called and
 * timed.
 *
 * A plug-in exports
 *
 *     const om_benchmark *om_benchmark_entry(void);
 *
 * Its cases are timed by the same clock, cache and stopping rules as opmark's own operators and
 * land in the same records, with no operator behind them.
 */
#ifndef OPMARK_BENCHMARK_H
#define OPMARK_BENCHMARK_H

#include <stddef.h>
#include <stdint.h>

#include "opmark/provider.h"

#ifdef __cplusplus
extern "C" {
#endif

#define OM_BENCHMARK_ABI 1u

typedef struct om_benchmark_case {
    const char *name;    /* unique in its suite */
    const char *params;  /* "n=1024 mode=fast", or NULL */
    double flops, bytes; /* work of one call; 0: not stated */
} om_benchmark_case;

typedef struct om_benchmark {
    uint32_t abi; /* OM_BENCHMARK_ABI */
    const char *suite;
    const char *provider; /* the name the rows carry */
    const char *version;
    const char *device_kind; /* "cpu", "cuda"; NULL: cpu */
    /* The cases; the array lives until close. */
    om_status (*open)(const om_provider_host *host, void **self, const om_benchmark_case **cases,
                      size_t *count, om_error *err);
    void (*close)(void *self);
    om_status (*prepare)(void *self, size_t index, void **state, om_error *err);
    om_status (*run)(void *self, void *state, om_error *err); /* one call; timed */
    /* Is the result right? Called before and after the timed calls; NULL: not checked, and the
     * record says so. */
    om_status (*check)(void *self, void *state, om_error *err);
    void (*release)(void *self, void *state);
} om_benchmark;

/* What a plug-in defines; the program itself has none. */
OM_API const om_benchmark *om_benchmark_entry(void);
typedef const om_benchmark *(*om_benchmark_entry_fn)(void);

#ifdef __cplusplus
}
#endif

#endif
