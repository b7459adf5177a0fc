/* SPDX-License-Identifier: Apache-2.0 */
/* gemm_f16_sm90.cu: gemm in fp16 on Hopper's tensor cores; gemm_core_sm90.cuh says how. */
#include "kernels/cuda/gemm_core_sm90.cuh"

static om_status query(const om_kernel_env *env, const void *arguments, size_t *workspace_bytes,
                       om_error *err)
{
    *workspace_bytes = 0;
    return product_query(env, (const om_gemm_args *)arguments, OM_F16, err);
}

static om_status run(const om_kernel_env *env, const void *arguments, void *workspace,
                     om_error *err)
{
    (void)workspace;
    return product_run<__half>(env, (const om_gemm_args *)arguments, err);
}

extern "C" {
extern const om_kernel om_gemm_sm90_f16__tensor;
const om_kernel om_gemm_sm90_f16__tensor = {
    "om_gemm_sm90_f16__tensor", "gemm", "forward", OM_ISA_DEFAULT, 0, query, run,
};
}
