/* SPDX-License-Identifier: Apache-2.0 */
/* gemm_pack_avx512.c: the packers and stores of the GEMM core at this level. */
#include "kernels/cpu/gemm_pack_body.h"

const om__gemm_level om__gemm_avx512 = {
    .isa = OM_ISA_AVX512,
    .tiles = &om__tiles_avx512_f32,
    LEVEL_PACKERS,
    .dot = {[OM_F32] = om__gemm_dot_avx512_f32,
            [OM_BF16] = om__gemm_dot_avx512_bf16,
            [OM_F16] = om__gemm_dot_avx512_f16,
            [OM_E4M3] = om__gemm_dot_avx512_e4m3},
    .dot_block128 = om__gemm_dot_avx512_block128,
    .dot_int4 = om__gemm_dot_avx512_int4,
    .dot_rows = 16,
    .streams = &om__streams_avx512_f32,
    .turn = b_rows_f32,
};
