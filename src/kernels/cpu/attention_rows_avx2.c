/* SPDX-License-Identifier: Apache-2.0 */
/* attention_rows_avx2.c: the row functions of attention at this level. */
#include "kernels/cpu/attention_rows_body.h"

const om__attention_level om__attention_avx2 = ATTENTION_LEVEL;
