/* SPDX-License-Identifier: Apache-2.0 */
/* gemm_stream.h: the plan for few rows of A and B stored [N,K]: A becomes a panel, and the rows of
 * B run past it where they lie.
 *
 * Of two operands stored along K one has to be turned, and this plan turns the small one. Each row
 * of B comes from memory once, while the multiply-adds of the rows before it go on.
 */
#ifndef OM_KERNELS_CPU_GEMM_STREAM_H
#define OM_KERNELS_CPU_GEMM_STREAM_H

#include "kernels/cpu/gemm_core.h"

/* Whether an item takes this plan: of its shape and the call alone. */
int om__stream_serves(const om__gemm *gemm, const om__gemm_item *item);

/* Memory for the packed A of an item of so many rows. */
int64_t om__stream_panel_bytes(int64_t rows, int64_t steps);
/* Returns 1 when A holds a value that the tiles mistake. */
int om__stream_pack(const om__gemm *gemm, const om__gemm_item *item, char *panels);

/* Sums of one task as the tiles leave them, [column][row], and turned. */
#define OM_STREAM_STRIDE (OM_STREAM_MOST_ROWS + 16)
#define OM_STREAM_TURNED (OM_PANEL_WIDTH + 16)
#define OM_STREAM_SUMS                                                                             \
    ((OM_PANEL_WIDTH + OM_STREAM_HEIGHT) * OM_STREAM_STRIDE +                                      \
     OM_STREAM_MOST_ROWS * OM_STREAM_TURNED)
/* Makes and stores the given columns. Returns 1, with nothing stored, when a row of B holds a value
 * that the tiles mistake. sums: OM_STREAM_SUMS floats. */
int om__stream_run(const om__gemm *gemm, const om__gemm_item *item, const char *panels,
                   int64_t column, int64_t columns, float *sums);

#endif
