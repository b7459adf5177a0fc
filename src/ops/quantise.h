/* SPDX-License-Identifier: Apache-2.0 */
/* quantise.h: rows and tensors to fp8 with a scale, as fp8_quant, lightning_indexer and fp8_linear
 * define it.
 */
#ifndef OM_OPS_QUANTISE_H
#define OM_OPS_QUANTISE_H

#include <stdint.h>

#include "opmark/dtype.h"

/* Quantises `count` values from element `first` on: returns max(amax, 1e-4) / 448 and, where out is
 * not NULL, writes value / scale as e4m3. A NaN among them makes everything NaN. */
float om__quantise_row(const void *x, om_dtype dtype, int64_t first, int64_t count, uint8_t *out);

/* The largest absolute value; NaN where there is a NaN; 0 for nothing. */
float om__amax(const void *x, om_dtype dtype, int64_t first, int64_t count);

/* 448 for OM_E4M3, 57344 for OM_E5M2. */
float om__fp8_limit(om_dtype dtype);

#endif
