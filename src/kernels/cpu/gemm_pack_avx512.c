/* SPDX-License-Identifier: Apache-2.0 */
/* gemm_pack_avx512.c: the packers and stores of the GEMM core at this level. */
#include "kernels/cpu/gemm_pack_body.h"

const om__gemm_level om__gemm_avx512 = {
    .isa = OM_ISA_AVX512,
    .tiles = &om__tiles_avx512_f32,
    LEVEL_PACKERS,
};
