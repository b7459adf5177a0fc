/* SPDX-License-Identifier: Apache-2.0 */
/* import_asv_names.h: what asv's benchmarks.json says of a benchmark: the names of its parameters
 * and the unit of its values. */
#ifndef OM_STORE_IMPORT_ASV_NAMES_H
#define OM_STORE_IMPORT_ASV_NAMES_H

#include "base/pairs.h"
#include "opmark/status.h"

typedef struct om_asv_names {
    om_pairs names; /* benchmark → its parameters' names, each followed by a line break */
    om_pairs units; /* benchmark → unit */
} om_asv_names;

/* Reads the benchmarks.json beside a result file or one folder up, as asv lays it. Without one, or
 * where it cannot be read, nothing is known: results are whole without it. */
om_status om__asv_names_read(const char *result_file, om_asv_names *names, om_error *err);
void om__asv_names_release(om_asv_names *names);

/* The name of a benchmark's parameter, or "param1" and so on. */
void om__asv_names_param(const om_asv_names *names, const char *benchmark, size_t index, char *name,
                         size_t size);
/* NULL: not known. */
const char *om__asv_names_unit(const om_asv_names *names, const char *benchmark);

#endif
