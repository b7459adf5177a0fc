/* SPDX-License-Identifier: Apache-2.0 */
/* moe_rows_avx2.c: routing and sums of rows at this level. */
#include "kernels/cpu/moe_rows_body.h"

const om__moe_level om__moe_avx2 = MOE_LEVEL;
