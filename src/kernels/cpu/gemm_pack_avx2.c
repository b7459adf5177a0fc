/* SPDX-License-Identifier: Apache-2.0 */
/* gemm_pack_avx2.c: the packers and stores of the GEMM core at this level. */
#include "kernels/cpu/gemm_pack_body.h"

const om__gemm_level om__gemm_avx2 = {
    .isa = OM_ISA_AVX2,
    .tiles = &om__tiles_avx2_f32,
    LEVEL_PACKERS,
};
