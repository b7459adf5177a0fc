/* SPDX-License-Identifier: Apache-2.0 */
/* providers.h: the providers of this program: built in, fake, and loaded as plug-ins.
 *
 * A provider serves an operator by one function and one row of its table:
 *
 *     static const om_serve rows[] = {
 *         {"gemm", "forward", query_gemm, gemm_workspace, run_gemm},
 *     };
 */
#ifndef OM_PROVIDERS_PROVIDERS_H
#define OM_PROVIDERS_PROVIDERS_H

#include <stddef.h>

#include "base/pairs.h"
#include "opmark/benchmark.h"
#include "opmark/provider.h"

/* All built-in providers, in the order of providers.def, fakes last. */
const om_provider *const *om__providers_get(size_t *count);
extern const om_provider om_provider_own;

/* By name among the built-in ones; NULL where there is none. */
const om_provider *om__provider_find(const char *name);

/* The virtual time of the fake device, handed to providers as om_provider_host.stream. Fake
 * providers advance it, the fake clock reads it; nothing waits. */
typedef struct om_fake_time {
    double now_ns;
} om_fake_time;

/* By how many percent the provider own_delayed holds up a row: above 0 on the head side, below 0 on
 * the base side, 0 on neither. params: all of them, as om__args_format gives them. */
struct om_op;
om_status om__delay_find(const struct om_op *op, const om_pairs *params, double *percent,
                         om_error *err);

/* ---- tables of what a provider serves ---- */

typedef struct om_serve {
    const char *op;
    const char *pass; /* NULL: "forward" */
    /* OM_UNSUPPORTED with the reason; NULL: every problem of this operator. */
    om_status (*query)(void *self, const om_problem *problem, om_error *err);
    /* Bytes of workspace; NULL: none. */
    size_t (*workspace)(const om_problem *problem);
    om_status (*run)(void *self, const om_problem *problem, void *workspace, om_error *err);
} om_serve;

typedef struct om_serve_table {
    const char *provider;
    const om_serve *rows;
    size_t count;
} om_serve_table;

/* The row for a problem, or OM_UNSUPPORTED as "<provider> does not serve <op> <pass>". */
om_status om__serve_find(const om_serve_table *table, const om_problem *problem,
                         const om_serve **serve, om_error *err);

/* om_provider.query, prepare and run by a table: the plan is the row. */
om_status om__serve_query(const om_serve_table *table, void *self, const om_problem *problem,
                          om_error *err);
om_status om__serve_prepare(const om_serve_table *table, const om_problem *problem, void **plan,
                            size_t *workspace_bytes, om_error *err);
om_status om__serve_run(void *self, void *plan, const om_problem *problem, void *workspace,
                        om_error *err);
void om__serve_release(void *self, void *plan);

/* The tensor of a problem by its name in the contract; NULL: the problem has none. */
const om_tensor *om__problem_tensor(const om_problem *problem, const char *name);

/* ---- conversions around libraries that know f32 only ---- */

/* f32 from any float dtype, and bf16, fp16 or f32 back with one rounding, by `threads` OpenMP
 * threads and the best instructions of the processor; the same bits as core/convert.h. */
void om__widen(float *to, const void *from, om_dtype dtype, int64_t count, int threads);
void om__narrow(void *to, const float *from, om_dtype dtype, int64_t count, int threads);

/* Resolves a symbol into the function pointer at `function`; OM_UNSUPPORTED naming it. */
om_status om__library_symbol(void *library, const char *name, void *function, om_error *err);

/* ---- plug-ins ---- */

typedef struct om_plugin {
    void *library;
    char *path;
    const om_provider *provider;   /* NULL: it brings none */
    const om_benchmark *benchmark; /* NULL: it brings none */
} om_plugin;

/* Loads a plug-in. OM_IO (no such file, not a shared object), OM_UNSUPPORTED (neither entry point,
 * a foreign ABI, or it says that it cannot serve here), OM_INVALID (a table with holes). */
om_status om__plugin_load(const char *path, om_plugin *plugin, om_error *err);
void om__plugin_release(om_plugin *plugin); /* a zeroed one is accepted */

/* Checks a provider's table: ABI, name, the functions it must have. */
om_status om__provider_check(const om_provider *provider, const char *from, om_error *err);

#endif
