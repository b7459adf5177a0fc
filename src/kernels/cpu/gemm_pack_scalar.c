/* SPDX-License-Identifier: Apache-2.0 */
/* gemm_pack_scalar.c: the packers and stores of the GEMM core at this level. */
#include "kernels/cpu/gemm_pack_body.h"

const om__gemm_level om__gemm_scalar = {
    .isa = OM_ISA_SCALAR,
    .tiles = &om__tiles_scalar_f32,
    LEVEL_PACKERS,
};
