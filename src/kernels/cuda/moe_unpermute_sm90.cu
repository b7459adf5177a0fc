/* SPDX-License-Identifier: Apache-2.0 */
/* moe_unpermute_sm90.cu: the weighted sum of each token's K expert rows.
 *
 * Shapes     rows[T·K,H], fwd_idx[T,K] i32, weights[T,K] f32 -> out[T,H]; bf16, fp16, f32
 * Layout     a block of 128 threads holds one 2-KB piece of one token; a thread 16 bytes of it
 * Schedule   slots and weights first, then the loads of all K rows before the first sum, past L1
 *            and without pushing dirty lines out of L2; pieces of a token are neighbouring blocks
 * Numerics   f32 fused multiply-adds, k ascending, one rounding at the end; the same bits on
 *            every run
 * Refuses    more than 2^30 pieces
 * Cost       2TKH flop; (K + 1) T H elements, 8TK bytes; no shared memory, no workspace
 */
#include "kernels/cuda/kernel_util.cuh"

extern "C" {
#include "opmark/moe_unpermute.h"
}

#define PIECE_THREADS 128

typedef struct unpermute_problem {
    const uint8_t *rows;
    const int32_t *slots;
    const float *weights;
    uint8_t *out;
    int64_t row_bytes;
    int32_t tokens;
    int32_t k;
    om_divisor pieces;
} unpermute_problem;

/* The elements of one access as TYPE. */
template <typename UNIT, typename TYPE> union access {
    UNIT unit;
    TYPE element[sizeof(UNIT) / sizeof(TYPE)];
};

template <typename UNIT, typename TYPE, bool K8>
static __global__ void __launch_bounds__(PIECE_THREADS) unpermute_pieces(unpermute_problem p)
{
    constexpr int N = sizeof(UNIT) / sizeof(TYPE);
    const uint32_t token = om__fast_div(blockIdx.x, p.pieces);
    const uint32_t piece = blockIdx.x - token * p.pieces.value;
    const int64_t unit = (int64_t)piece * PIECE_THREADS + threadIdx.x;
    if (unit * (int64_t)sizeof(UNIT) >= p.row_bytes)
        return;
    const int k_count = K8 ? 8 : p.k;
    const int32_t *slots = p.slots + (int64_t)token * k_count;
    const float *weights = p.weights + (int64_t)token * k_count;
    float sum[N];
#pragma unroll
    for (int i = 0; i < N; i++)
        sum[i] = 0.0f;

    for (int k0 = 0; k0 < k_count; k0 += 8) {
        int slot[8];
        float weight[8];
        if (K8) {
            *(int4 *)slot = __ldg((const int4 *)slots);
            *(int4 *)(slot + 4) = __ldg((const int4 *)slots + 1);
            *(float4 *)weight = __ldg((const float4 *)weights);
            *(float4 *)(weight + 4) = __ldg((const float4 *)weights + 1);
        } else {
#pragma unroll
            for (int k = 0; k < 8; k++) {
                bool there = k0 + k < k_count;
                slot[k] = there ? __ldg(slots + k0 + k) : -1;
                weight[k] = there ? __ldg(weights + k0 + k) : 0.0f;
            }
        }
        access<UNIT, TYPE> value[8];
#pragma unroll
        for (int k = 0; k < 8; k++)
            if (slot[k] >= 0)
                value[k].unit =
                    om__load_once((const UNIT *)(p.rows + slot[k] * p.row_bytes) + unit);
#pragma unroll
        for (int k = 0; k < 8; k++)
            if (slot[k] >= 0)
#pragma unroll
                for (int i = 0; i < N; i++)
                    sum[i] = fmaf(weight[k], om__to_f32(value[k].element[i]), sum[i]);
    }
    access<UNIT, TYPE> result;
#pragma unroll
    for (int i = 0; i < N; i++)
        om__from_f32(&result.element[i], sum[i]);
    ((UNIT *)(p.out + (int64_t)token * p.row_bytes))[unit] = result.unit;
}

/* ---- host side ---- */

static om_status query(const om_kernel_env *env, const void *arguments, size_t *workspace_bytes,
                       om_error *err)
{
    const om_moe_unpermute_args *args = (const om_moe_unpermute_args *)arguments;
    (void)env;
    *workspace_bytes = 0;
    if (args->t > 0 && args->h / PIECE_THREADS + 1 > ((int64_t)1 << 30) / args->t)
        return om__error_set(err, OM_UNSUPPORTED, "too many pieces for one launch");
    return OM_OK;
}

template <typename UNIT, typename TYPE> static void launch(unpermute_problem p, cudaStream_t stream)
{
    int64_t units = p.row_bytes / (int64_t)sizeof(UNIT);
    p.pieces = om__divisor((uint32_t)om__ceil_div(units, PIECE_THREADS));
    unsigned blocks = (unsigned)p.tokens * p.pieces.value;
    if (p.k == 8 && om__is_aligned(p.slots, 16) && om__is_aligned(p.weights, 16))
        unpermute_pieces<UNIT, TYPE, true><<<blocks, PIECE_THREADS, 0, stream>>>(p);
    else
        unpermute_pieces<UNIT, TYPE, false><<<blocks, PIECE_THREADS, 0, stream>>>(p);
}

template <typename TYPE, typename SINGLE>
static void launch_aligned(const unpermute_problem &p, cudaStream_t stream)
{
    if (p.row_bytes % 16 == 0 && om__is_aligned(p.rows, 16) && om__is_aligned(p.out, 16))
        launch<uint4, TYPE>(p, stream);
    else
        launch<SINGLE, TYPE>(p, stream);
}

static om_status run(const om_kernel_env *env, const void *arguments, void *workspace,
                     om_error *err)
{
    const om_moe_unpermute_args *args = (const om_moe_unpermute_args *)arguments;
    unpermute_problem p;
    (void)workspace;
    p.rows = (const uint8_t *)args->rows;
    p.slots = args->fwd_idx;
    p.weights = args->weights;
    p.out = (uint8_t *)args->out;
    p.row_bytes = args->h * (om_dtype_bits(args->dtype) / 8);
    p.tokens = (int32_t)args->t;
    p.k = (int32_t)args->k;
    if (args->t == 0 || args->h == 0)
        return OM_OK;
    if (args->dtype == OM_F32)
        launch_aligned<float, uint32_t>(p, om__stream(env));
    else if (args->dtype == OM_F16)
        launch_aligned<__half, uint16_t>(p, om__stream(env));
    else
        launch_aligned<__nv_bfloat16, uint16_t>(p, om__stream(env));
    return om__cuda_launched("moe_unpermute", err);
}

extern "C" {
extern const om_kernel om_moe_unpermute_sm90_any__pieces;
const om_kernel om_moe_unpermute_sm90_any__pieces = {
    "om_moe_unpermute_sm90_any__pieces", "moe_unpermute", "forward", OM_ISA_DEFAULT, 0, query, run,
};
}
