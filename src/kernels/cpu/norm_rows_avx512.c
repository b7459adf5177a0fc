/* SPDX-License-Identifier: Apache-2.0 */
/* norm_rows_avx512.c: the row functions of the norms at this level. */
#include "kernels/cpu/norm_rows_body.h"

const om__norm_level om__norm_avx512 = NORM_LEVEL;
