/* SPDX-License-Identifier: Apache-2.0 */
/* offsets.h: what a launch adds to all its rows, and rows freed of it.
 *
 * Matrices are row-major, one row of the report a row, one launch a column, in order of time; the
 * values are natural logarithms, so an offset is a factor of time. NaN is a missing value.
 */
#ifndef OM_STATS_OFFSETS_H
#define OM_STATS_OFFSETS_H

#include <stdbool.h>
#include <stddef.h>

#include "opmark/status.h"

/* offsets[t] = median over rows of (value - median of its row), centred to median 0. `use` says
 * which rows take part (NULL: all). A launch without any value gets NaN. */
om_status om__offsets(const double *y, size_t rows, size_t launches, const bool *use,
                      double *offsets, om_error *err);

/* Subtracts the offsets from one row where that makes the row quieter (by the median absolute
 * deviation over all its launches), else copies it; a NaN offset subtracts nothing. scratch has
 * 2 × launches entries. Returns whether it subtracted. */
bool om__offsets_pick(const double *y, const double *offsets, size_t launches, double *picked,
                      double *scratch);

/* Median of the values of the heads minus that of the others. */
double om__offsets_difference(const double *offsets, const bool *head, size_t launches,
                              double *scratch);

#endif
