/* SPDX-License-Identifier: Apache-2.0 */
/* gemm_dot_avx512.c: dot products of few rows of A with rows of B at this level. */
#define LEVEL(NAME) om__gemm_dot_avx512_##NAME
#include "kernels/cpu/gemm_dot_body.h"
