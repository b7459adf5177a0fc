/* SPDX-License-Identifier: Apache-2.0 */
/* gemm_pack_scalar.c: the packers and stores of the GEMM core at this level. */
#include "kernels/cpu/gemm_pack_body.h"

const om__gemm_level om__gemm_scalar = {
    .isa = OM_ISA_SCALAR,
    .tiles = &om__tiles_scalar_f32,
    LEVEL_PACKERS,
    .dot = {[OM_F32] = om__gemm_dot_scalar_f32,
            [OM_BF16] = om__gemm_dot_scalar_bf16,
            [OM_F16] = om__gemm_dot_scalar_f16,
            [OM_E4M3] = om__gemm_dot_scalar_e4m3},
    .dot_block128 = om__gemm_dot_scalar_block128,
    .dot_int4 = om__gemm_dot_scalar_int4,
    .dot_rows = 16,
};
