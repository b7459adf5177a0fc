/* SPDX-License-Identifier: Apache-2.0 */
/* cast_run_scalar.c: the cast functions at this level. */
#include "kernels/cpu/cast_run_body.h"

const om__cast_level om__cast_scalar = CAST_LEVEL;
