/* SPDX-License-Identifier: Apache-2.0 */
/* gemm_f16_sm90.cu: gemm and bmm in fp16 on Hopper's tensor cores; gemm_core_sm90.cuh says how. */
#include "kernels/cuda/gemm_core_sm90.cuh"

extern "C" {
extern const om_kernel om_gemm_sm90_f16__tensor;
const om_kernel om_gemm_sm90_f16__tensor = {
    "om_gemm_sm90_f16__tensor", "gemm", "forward", OM_ISA_DEFAULT, 0, query<OM_F16, call_of_gemm>,
    run<__half, call_of_gemm>,
};
extern const om_kernel om_bmm_sm90_f16__tensor;
const om_kernel om_bmm_sm90_f16__tensor = {
    "om_bmm_sm90_f16__tensor", "bmm", "forward", OM_ISA_DEFAULT, 0, query<OM_F16, call_of_bmm>,
    run<__half, call_of_bmm>,
};
}
