/* SPDX-License-Identifier: Apache-2.0 */
/* workload.h: what is to be measured, as data: suites in .wl files, lines from the command line,
 * sweeps and filters.
 *
 *     gemm m=16,64 n=4096 k=4096 trans_b=1 name=proj     two workloads, "proj m=16" and "proj m=64"
 *
 * The first word names the operator; pairs are its parameters, except the reserved keys name,
 * table, pass and cache (cold is standard). A value with commas is a sweep, and all sweeps of a
 * line multiply. table is the operator's name unless stated; name is made of the parameters that
 * differ from their standard. (suite, table, name, pass) must be unique.
 *
 * Faults of a line are errors with file and line. Only in a section [catalogue], which lists what
 * was published elsewhere, a row that this build does not know stays as a workload with `missing`
 * set: it is reported as unsupported and never vanishes.
 */
#ifndef OM_BENCH_WORKLOAD_H
#define OM_BENCH_WORKLOAD_H

#include <stddef.h>

#include "base/pairs.h"
#include "base/wl.h"
#include "ops/op.h"

typedef struct om_workload {
    char *suite, *table, *name;
    char *op_name, *pass, *dtype;
    const om_op *op; /* NULL where `missing` is set */
    char *cache;     /* "cold" or "warm" */
    char *section, *file;
    long line;
    om_pairs params; /* in the order of the contract, without those at their standard value */
    om_pairs all;    /* every parameter; what filters see */
    char *missing;   /* NULL, or why this build cannot know the problem */
    _Alignas(max_align_t) unsigned char args[OM_MAX_ARGS_SIZE]; /* parameters set, pointers NULL */
} om_workload;

typedef struct om_workloads {
    om_workload *items;
    size_t count, capacity;
} om_workloads;

/* Appends the workloads of one line; they have suite's name. On an error the set is unchanged. */
om_status om__workloads_add_line(om_workloads *set, const char *suite, const char *file,
                                 const om_wl_line *line, om_error *err);
/* Appends those of a file, or of one that was parsed; the suite is named after the file. Two
 * workloads of one key are OM_INVALID, naming both lines. */
om_status om__workloads_add_file(om_workloads *set, const om_wl *wl, om_error *err);
om_status om__workloads_read(om_workloads *set, const char *path, om_error *err);

/* A suite by name, looked for in folder and folder/catalogue, or by the path of a .wl file.
 * OM_INVALID with a near-miss hint where there is none. */
om_status om__suite_find(const char *folder, const char *name, char **path, om_error *err);
/* The names of all suites of a folder, each with its path as value, sorted. */
om_status om__suites_list(const char *folder, om_pairs *suites, om_error *err);

/* Keeps the workloads that match every filter "key=value[,value…]" (* stands for any text). Keys:
 * suite, table, name (or workload), op, pass, dtype, cache, section, and every parameter.
 * OM_INVALID with how many there are and a near-miss hint where none is left. */
om_status om__workloads_filter(om_workloads *set, const char *const *filters, size_t count,
                               om_error *err);

/* Drops all but the first `count`. */
void om__workloads_cut(om_workloads *set, size_t count);
void om__workloads_release(om_workloads *set);

/* How many workloads a line would make, without making them; OM_INVALID beyond a hundred thousand.
 */
om_status om__sweep_count(const om_wl_line *line, const char *file, size_t *count, om_error *err);

#endif
