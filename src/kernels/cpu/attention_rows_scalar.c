/* SPDX-License-Identifier: Apache-2.0 */
/* attention_rows_scalar.c: the row functions of attention at this level. */
#include "kernels/cpu/attention_rows_body.h"

const om__attention_level om__attention_scalar = ATTENTION_LEVEL;
