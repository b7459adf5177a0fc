/* SPDX-License-Identifier: Apache-2.0 */
/* gemm_bf16_sm90.cu: gemm and bmm in bf16 on Hopper's tensor cores; gemm_core_sm90.cuh says how. */
#include "kernels/cuda/gemm_core_sm90.cuh"

extern "C" {
extern const om_kernel om_gemm_sm90_bf16__tensor;
const om_kernel om_gemm_sm90_bf16__tensor = {
    "om_gemm_sm90_bf16__tensor",
    "gemm",
    "forward",
    OM_ISA_DEFAULT,
    0,
    query<OM_BF16, call_of_gemm>,
    run<__nv_bfloat16, call_of_gemm>,
};
extern const om_kernel om_bmm_sm90_bf16__tensor;
const om_kernel om_bmm_sm90_bf16__tensor = {
    "om_bmm_sm90_bf16__tensor",
    "bmm",
    "forward",
    OM_ISA_DEFAULT,
    0,
    query<OM_BF16, call_of_bmm>,
    run<__nv_bfloat16, call_of_bmm>,
};
}
