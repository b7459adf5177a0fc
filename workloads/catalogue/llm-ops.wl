# llm-ops.wl: 152 workloads of language-model operators as published for an NVIDIA H200, under their published
# headings and names. Measured cold, as published.

[catalogue]

# BmmFp8NKFwd: 5 workloads
bmm_fp8_nk table=BmmFp8NKFwd name=mha-decode-b32-pv-per-tensor-float8_e4m3fn batch=32 m=128 n=128 k=2048
bmm_fp8_nk table=BmmFp8NKFwd name=mha-decode-b64-qk-per-tensor-float8_e4m3fn batch=64 m=128 n=2048 k=128
bmm_fp8_nk table=BmmFp8NKFwd name=moe-prefill-b128-per-tensor-float8_e4m3fn batch=128 m=512 n=512 k=2048
bmm_fp8_nk table=BmmFp8NKFwd name=square-b4-1k-per-tensor-float8_e4m3fn batch=4 m=1024 n=1024 k=1024
bmm_fp8_nk table=BmmFp8NKFwd name=square-b8-2k-per-tensor-float8_e4m3fn batch=8 m=2048 n=2048 k=2048

# grouped_gemm_nt: 2 workloads
grouped_gemm_nt table=grouped_gemm_nt name=nt-batch16-m4096-n4096-k4096-bfloat16 g=16 s=4096 n=4096 k=4096 dtype=bf16
grouped_gemm_nt table=grouped_gemm_nt name=nt-batch16-m4096-n4096-k4096-float16 g=16 s=4096 n=4096 k=4096 dtype=fp16

# grouped_gemm_3wg_baselines: 12 workloads
grouped_gemm_nt table=grouped_gemm_3wg_baselines name=GLM-5-744B-down-T=131072 g=256 s=1048576 n=6144 k=2048 dtype=bf16
grouped_gemm_nt table=grouped_gemm_3wg_baselines name=GLM-5-744B-down-T=262144 g=256 s=2097152 n=6144 k=2048 dtype=bf16
grouped_gemm_nt table=grouped_gemm_3wg_baselines name=GLM-5-744B-down-T=32768 g=256 s=262144 n=6144 k=2048 dtype=bf16
grouped_gemm_nt table=grouped_gemm_3wg_baselines name=GLM-5-744B-down-T=65536 g=256 s=524288 n=6144 k=2048 dtype=bf16
grouped_gemm_nt table=grouped_gemm_3wg_baselines name=GLM-5-744B-up-T=131072 g=256 s=1048576 n=4096 k=6144 dtype=bf16
grouped_gemm_nt table=grouped_gemm_3wg_baselines name=GLM-5-744B-up-T=262144 g=256 s=2097152 n=4096 k=6144 dtype=bf16
grouped_gemm_nt table=grouped_gemm_3wg_baselines name=GLM-5-744B-up-T=32768 g=256 s=262144 n=4096 k=6144 dtype=bf16
grouped_gemm_nt table=grouped_gemm_3wg_baselines name=GLM-5-744B-up-T=65536 g=256 s=524288 n=4096 k=6144 dtype=bf16
grouped_gemm_nt table=grouped_gemm_3wg_baselines name=Llama4-128E-down-T=131072 g=128 s=131072 n=5120 k=8192 dtype=bf16
grouped_gemm_nt table=grouped_gemm_3wg_baselines name=Llama4-128E-up-T=131072 g=128 s=131072 n=16384 k=5120 dtype=bf16
grouped_gemm_nt table=grouped_gemm_3wg_baselines name=qwen3.5-397B-down-T52429 g=512 s=524288 n=4096 k=1024 dtype=bf16
grouped_gemm_nt table=grouped_gemm_3wg_baselines name=qwen3.5-397B-up-T52429 g=512 s=524288 n=2048 k=4096 dtype=bf16

# BmmFwd: 16 workloads
bmm table=BmmFwd name=mha-decode-b64-pv-bfloat16 batch=64 m=128 n=128 k=2048 dtype=bf16
bmm table=BmmFwd name=mha-decode-b64-pv-float16 batch=64 m=128 n=128 k=2048 dtype=fp16
bmm table=BmmFwd name=mha-decode-b64-qk-bfloat16 batch=64 m=128 n=2048 k=128 dtype=bf16
bmm table=BmmFwd name=mha-decode-b64-qk-float16 batch=64 m=128 n=2048 k=128 dtype=fp16
bmm table=BmmFwd name=moe-prefill-b128-bfloat16 batch=128 m=512 n=512 k=2048 dtype=bf16
bmm table=BmmFwd name=small-b8-128-bfloat16 batch=8 m=128 n=128 k=128 dtype=bf16
bmm table=BmmFwd name=small-b8-128-float16 batch=8 m=128 n=128 k=128 dtype=fp16
bmm table=BmmFwd name=square-b16-512-bfloat16 batch=16 m=512 n=512 k=512 dtype=bf16
bmm table=BmmFwd name=square-b16-512-float16 batch=16 m=512 n=512 k=512 dtype=fp16
bmm table=BmmFwd name=square-b32-256-bfloat16 batch=32 m=256 n=256 k=256 dtype=bf16
bmm table=BmmFwd name=square-b32-256-float16 batch=32 m=256 n=256 k=256 dtype=fp16
bmm table=BmmFwd name=square-b4-4k-bfloat16 batch=4 m=4096 n=4096 k=4096 dtype=bf16
bmm table=BmmFwd name=square-b8-1k-bfloat16 batch=8 m=1024 n=1024 k=1024 dtype=bf16
bmm table=BmmFwd name=square-b8-1k-float16 batch=8 m=1024 n=1024 k=1024 dtype=fp16
bmm table=BmmFwd name=square-b8-2k-bfloat16 batch=8 m=2048 n=2048 k=2048 dtype=bf16
bmm table=BmmFwd name=square-b8-2k-float16 batch=8 m=2048 n=2048 k=2048 dtype=fp16

# grouped_gemm_nn: 1 workloads
grouped_gemm_nn table=grouped_gemm_nn name=nn-batch16-m4096-n4096-k4096-float16 g=16 s=4096 n=4096 k=4096 dtype=fp16

# BmmFp8KNFwd: 5 workloads
bmm_fp8_kn table=BmmFp8KNFwd name=mha-decode-b32-pv-per-tensor-float8_e4m3fn batch=32 m=128 n=128 k=2048
bmm_fp8_kn table=BmmFp8KNFwd name=mha-decode-b64-qk-per-tensor-float8_e4m3fn batch=64 m=128 n=2048 k=128
bmm_fp8_kn table=BmmFp8KNFwd name=moe-prefill-b128-per-tensor-float8_e4m3fn batch=128 m=512 n=512 k=2048
bmm_fp8_kn table=BmmFp8KNFwd name=square-b4-1k-per-tensor-float8_e4m3fn batch=4 m=1024 n=1024 k=1024
bmm_fp8_kn table=BmmFp8KNFwd name=square-b8-2k-per-tensor-float8_e4m3fn batch=8 m=2048 n=2048 k=2048

# GemmW4A16Fwd: 6 workloads
gemm_w4a16 table=GemmW4A16Fwd name=compile-smoke-rect-128x256x256-float16 m=128 n=256 k=256
gemm_w4a16 table=GemmW4A16Fwd name=compile-smoke-square-64x64x128-float16 m=64 n=64 k=128
gemm_w4a16 table=GemmW4A16Fwd name=decode-hbm-streaming-threshold-float16 m=1 n=8192 k=16384
gemm_w4a16 table=GemmW4A16Fwd name=decode-l2-resident-ish-float16 m=1 n=8192 k=8192
gemm_w4a16 table=GemmW4A16Fwd name=decode-long-k-pressure-float16 m=1 n=8192 k=81920
gemm_w4a16 table=GemmW4A16Fwd name=decode-non-power2-low-cta-float16 m=1 n=7168 k=20480

# grouped_gemm_tn: 1 workloads
grouped_gemm_tn table=grouped_gemm_tn name=tn-batch16-m4096-n4096-k4096-float16 g=16 s=4096 n=4096 k=4096 dtype=fp16

# GemmFwd: 14 workloads
gemm table=GemmFwd name=ds-v3-decode-down-bfloat16 m=128 n=7168 k=2048 dtype=bf16 trans_b=1
gemm table=GemmFwd name=ds-v3-decode-gate-up-bfloat16 m=128 n=2112 k=7168 dtype=bf16 trans_b=1
gemm table=GemmFwd name=ds-v3-prefill-attn-proj-bfloat16 m=4096 n=4096 k=7168 dtype=bf16 trans_b=1
gemm table=GemmFwd name=ds-v3-prefill-attn-proj-float16 m=4096 n=4096 k=7168 dtype=fp16 trans_b=1
gemm table=GemmFwd name=ds-v3-prefill-down-bfloat16 m=4096 n=7168 k=2048 dtype=bf16 trans_b=1
gemm table=GemmFwd name=ds-v3-prefill-gate-up-bfloat16 m=4096 n=2112 k=7168 dtype=bf16 trans_b=1
gemm table=GemmFwd name=k-dominant-7168x16384-bfloat16 m=4096 n=7168 k=16384 dtype=bf16 trans_b=1
gemm table=GemmFwd name=mid-m16-attn-bfloat16 m=16 n=4096 k=7168 dtype=bf16 trans_b=1
gemm table=GemmFwd name=mid-m32-attn-bfloat16 m=32 n=4096 k=7168 dtype=bf16 trans_b=1
gemm table=GemmFwd name=mid-m64-down-bfloat16 m=64 n=7168 k=2048 dtype=bf16 trans_b=1
gemm table=GemmFwd name=mid-m96-gate-up-bfloat16 m=96 n=2112 k=7168 dtype=bf16 trans_b=1
gemm table=GemmFwd name=square-1k-nn-bfloat16 m=1024 n=1024 k=1024 dtype=bf16
gemm table=GemmFwd name=square-1k-nn-float16 m=1024 n=1024 k=1024 dtype=fp16
gemm table=GemmFwd name=wide-n-24576-bfloat16 m=4096 n=24576 k=1536 dtype=bf16 trans_b=1

# GemmFp8Fwd: 15 workloads
gemm_fp8 table=GemmFp8Fwd name=ds-v3-decode-down-block128-float8_e4m3fn m=128 n=7168 k=2048 scale_mode=block128
gemm_fp8 table=GemmFp8Fwd name=ds-v3-decode-down-per-tensor-float8_e4m3fn m=128 n=7168 k=2048 scale_mode=per_tensor
gemm_fp8 table=GemmFp8Fwd name=ds-v3-decode-gate-up-block128-float8_e4m3fn m=128 n=2112 k=7168 scale_mode=block128
gemm_fp8 table=GemmFp8Fwd name=ds-v3-decode-gate-up-per-tensor-bias-float8_e4m3fn m=128 n=2112 k=7168 scale_mode=per_tensor has_bias=1
gemm_fp8 table=GemmFp8Fwd name=ds-v3-decode-gate-up-per-tensor-float8_e4m3fn m=128 n=2112 k=7168 scale_mode=per_tensor
gemm_fp8 table=GemmFp8Fwd name=ds-v3-prefill-attn-proj-block128-float8_e4m3fn m=4096 n=4096 k=7168 scale_mode=block128
gemm_fp8 table=GemmFp8Fwd name=ds-v3-prefill-down-block128-float8_e4m3fn m=4096 n=7168 k=2048 scale_mode=block128
gemm_fp8 table=GemmFp8Fwd name=ds-v3-prefill-down-per-tensor-float8_e4m3fn m=4096 n=7168 k=2048 scale_mode=per_tensor
gemm_fp8 table=GemmFp8Fwd name=ds-v3-prefill-gate-up-block128-float8_e4m3fn m=4096 n=2112 k=7168 scale_mode=block128
gemm_fp8 table=GemmFp8Fwd name=ds-v3-prefill-gate-up-per-tensor-float8_e4m3fn m=4096 n=2112 k=7168 scale_mode=per_tensor
gemm_fp8 table=GemmFp8Fwd name=gemv-down-m1-block128-float8_e4m3fn m=1 n=7168 k=2048 scale_mode=block128
gemm_fp8 table=GemmFp8Fwd name=gemv-down-m1-per-tensor-float8_e4m3fn m=1 n=7168 k=2048 scale_mode=per_tensor
gemm_fp8 table=GemmFp8Fwd name=k-dominant-7168x16384-block128-float8_e4m3fn m=4096 n=7168 k=16384 scale_mode=block128
gemm_fp8 table=GemmFp8Fwd name=small-batch-down-m8-per-tensor-float8_e4m3fn m=8 n=7168 k=2048 scale_mode=per_tensor
gemm_fp8 table=GemmFp8Fwd name=wide-n-24576-block128-float8_e4m3fn m=4096 n=24576 k=1536 scale_mode=block128

# MoeGateUpFwd: 2 workloads
moe_gate_up table=MoeGateUpFwd name=deepseek-v3-decode-gate-up-bfloat16 e=256 s=4096 f=2048 k=7168 dtype=bf16
moe_gate_up table=MoeGateUpFwd name=deepseek-v3-prefill-gate-up-bfloat16 e=256 s=32768 f=2048 k=7168 dtype=bf16

# MoeGroupedGemmNopadFwd: 4 workloads
moe_grouped_gemm table=MoeGroupedGemmNopadFwd name=deepseek-v3-decode-down-bfloat16 g=256 s=4096 n=7168 k=2048 dtype=bf16
moe_grouped_gemm table=MoeGroupedGemmNopadFwd name=deepseek-v3-decode-gate-up-bfloat16 g=256 s=4096 n=4096 k=7168 dtype=bf16
moe_grouped_gemm table=MoeGroupedGemmNopadFwd name=deepseek-v3-prefill-down-bfloat16 g=256 s=32768 n=7168 k=2048 dtype=bf16
moe_grouped_gemm table=MoeGroupedGemmNopadFwd name=deepseek-v3-prefill-gate-up-bfloat16 g=256 s=32768 n=4096 k=7168 dtype=bf16

# MoePermuteAlignFwd: 12 workloads
moe_permute_align table=MoePermuteAlignFwd name=deepseek-v3-decode-int32 t=1 e=256 k=8 block_size=64
moe_permute_align table=MoePermuteAlignFwd name=deepseek-v3-medium-int32 t=512 e=256 k=8 block_size=64
moe_permute_align table=MoePermuteAlignFwd name=deepseek-v3-prefill-int32 t=4096 e=256 k=8 block_size=64
moe_permute_align table=MoePermuteAlignFwd name=deepseek-v3-small-int32 t=32 e=256 k=8 block_size=64
moe_permute_align table=MoePermuteAlignFwd name=kimi-k2-decode-int32 t=1 e=384 k=8 block_size=64
moe_permute_align table=MoePermuteAlignFwd name=kimi-k2-medium-int32 t=512 e=384 k=8 block_size=64
moe_permute_align table=MoePermuteAlignFwd name=kimi-k2-prefill-int32 t=4096 e=384 k=8 block_size=64
moe_permute_align table=MoePermuteAlignFwd name=kimi-k2-small-int32 t=32 e=384 k=8 block_size=64
moe_permute_align table=MoePermuteAlignFwd name=qwen3-decode-int32 t=1 e=128 k=8 block_size=64
moe_permute_align table=MoePermuteAlignFwd name=qwen3-medium-int32 t=512 e=128 k=8 block_size=64
moe_permute_align table=MoePermuteAlignFwd name=qwen3-prefill-int32 t=4096 e=128 k=8 block_size=64
moe_permute_align table=MoePermuteAlignFwd name=qwen3-small-int32 t=32 e=128 k=8 block_size=64

# MoeUnpermuteFwd: 8 workloads
moe_unpermute table=MoeUnpermuteFwd name=large-hidden-decode-bfloat16 t=1 h=7168 k=8 dtype=bf16
moe_unpermute table=MoeUnpermuteFwd name=large-hidden-medium-bfloat16 t=512 h=7168 k=8 dtype=bf16
moe_unpermute table=MoeUnpermuteFwd name=large-hidden-prefill-bfloat16 t=4096 h=7168 k=8 dtype=bf16
moe_unpermute table=MoeUnpermuteFwd name=large-hidden-small-bfloat16 t=32 h=7168 k=8 dtype=bf16
moe_unpermute table=MoeUnpermuteFwd name=small-hidden-decode-bfloat16 t=1 h=3072 k=8 dtype=bf16
moe_unpermute table=MoeUnpermuteFwd name=small-hidden-medium-bfloat16 t=512 h=3072 k=8 dtype=bf16
moe_unpermute table=MoeUnpermuteFwd name=small-hidden-prefill-bfloat16 t=4096 h=3072 k=8 dtype=bf16
moe_unpermute table=MoeUnpermuteFwd name=small-hidden-small-bfloat16 t=32 h=3072 k=8 dtype=bf16

# MoePermuteNopadFwd: 20 workloads
moe_permute table=MoePermuteNopadFwd name=deepseek-v3-decode-bfloat16 t=1 h=7168 e=256 k=8 dtype=bf16
moe_permute table=MoePermuteNopadFwd name=deepseek-v3-ep2-decode-bfloat16 t=1 h=7168 e=256 k=8 e_local=128 has_map=1 dtype=bf16
moe_permute table=MoePermuteNopadFwd name=deepseek-v3-ep2-medium-bfloat16 t=512 h=7168 e=256 k=8 e_local=128 has_map=1 dtype=bf16
moe_permute table=MoePermuteNopadFwd name=deepseek-v3-ep2-prefill-bfloat16 t=4096 h=7168 e=256 k=8 e_local=128 has_map=1 dtype=bf16
moe_permute table=MoePermuteNopadFwd name=deepseek-v3-medium-bfloat16 t=512 h=7168 e=256 k=8 dtype=bf16
moe_permute table=MoePermuteNopadFwd name=deepseek-v3-prefill-bfloat16 t=4096 h=7168 e=256 k=8 dtype=bf16
moe_permute table=MoePermuteNopadFwd name=deepseek-v3-small-bfloat16 t=32 h=7168 e=256 k=8 dtype=bf16
moe_permute table=MoePermuteNopadFwd name=kimi-k2-decode-bfloat16 t=1 h=7168 e=384 k=8 dtype=bf16
moe_permute table=MoePermuteNopadFwd name=kimi-k2-medium-bfloat16 t=512 h=7168 e=384 k=8 dtype=bf16
moe_permute table=MoePermuteNopadFwd name=kimi-k2-prefill-bfloat16 t=4096 h=7168 e=384 k=8 dtype=bf16
moe_permute table=MoePermuteNopadFwd name=kimi-k2-small-bfloat16 t=32 h=7168 e=384 k=8 dtype=bf16
moe_permute table=MoePermuteNopadFwd name=qwen3-235b-decode-bfloat16 t=1 h=7168 e=128 k=8 dtype=bf16
moe_permute table=MoePermuteNopadFwd name=qwen3-235b-ep2-medium-bfloat16 t=512 h=7168 e=128 k=8 e_local=64 has_map=1 dtype=bf16
moe_permute table=MoePermuteNopadFwd name=qwen3-235b-medium-bfloat16 t=512 h=7168 e=128 k=8 dtype=bf16
moe_permute table=MoePermuteNopadFwd name=qwen3-235b-prefill-bfloat16 t=4096 h=7168 e=128 k=8 dtype=bf16
moe_permute table=MoePermuteNopadFwd name=qwen3-235b-small-bfloat16 t=32 h=7168 e=128 k=8 dtype=bf16
moe_permute table=MoePermuteNopadFwd name=qwen3-30b-decode-bfloat16 t=1 h=3072 e=128 k=8 dtype=bf16
moe_permute table=MoePermuteNopadFwd name=qwen3-30b-medium-bfloat16 t=512 h=3072 e=128 k=8 dtype=bf16
moe_permute table=MoePermuteNopadFwd name=qwen3-30b-prefill-bfloat16 t=4096 h=3072 e=128 k=8 dtype=bf16
moe_permute table=MoePermuteNopadFwd name=qwen3-30b-small-bfloat16 t=32 h=3072 e=128 k=8 dtype=bf16

# FusedTopK: 8 workloads
moe_topk table=FusedTopK name=1-128-8-softmax-norenormalize t=1 e=128 k=8 dtype=bf16 score=softmax
moe_topk table=FusedTopK name=1-384-8-sigmoid-renormalize t=1 e=384 k=8 dtype=bf16 score=sigmoid renormalize=1
moe_topk table=FusedTopK name=32-128-8-softmax-norenormalize t=32 e=128 k=8 dtype=bf16 score=softmax
moe_topk table=FusedTopK name=32-384-8-sigmoid-renormalize t=32 e=384 k=8 dtype=bf16 score=sigmoid renormalize=1
moe_topk table=FusedTopK name=4096-128-8-softmax-norenormalize t=4096 e=128 k=8 dtype=bf16 score=softmax
moe_topk table=FusedTopK name=4096-384-8-sigmoid-renormalize t=4096 e=384 k=8 dtype=bf16 score=sigmoid renormalize=1
moe_topk table=FusedTopK name=512-128-8-softmax-norenormalize t=512 e=128 k=8 dtype=bf16 score=softmax
moe_topk table=FusedTopK name=512-384-8-sigmoid-renormalize t=512 e=384 k=8 dtype=bf16 score=sigmoid renormalize=1

# FusedMoeFwd: 6 workloads
fused_moe table=FusedMoeFwd name=deepseek-v3-decode-bfloat16 t=512 h=7168 f=2048 e=256 k=8 dtype=bf16 score=sigmoid
fused_moe table=FusedMoeFwd name=deepseek-v3-prefill-bfloat16 t=4096 h=7168 f=2048 e=256 k=8 dtype=bf16 score=sigmoid
fused_moe table=FusedMoeFwd name=kimi-k2-decode-bfloat16 t=512 h=7168 f=2048 e=256 k=8 dtype=bf16 score=sigmoid renormalize=1 has_bias=1 routed_scaling_factor=2.827
fused_moe table=FusedMoeFwd name=kimi-k2-prefill-bfloat16 t=4096 h=7168 f=2048 e=256 k=8 dtype=bf16 score=sigmoid renormalize=1 has_bias=1 routed_scaling_factor=2.827
fused_moe table=FusedMoeFwd name=qwen3-235b-decode-bfloat16 t=512 h=7168 f=2048 e=128 k=8 dtype=bf16 score=softmax
fused_moe table=FusedMoeFwd name=qwen3-235b-prefill-bfloat16 t=4096 h=7168 f=2048 e=128 k=8 dtype=bf16 score=softmax

# FusedMoEExpertsNopadPersistent3WGFwd: 6 workloads
moe_experts table=FusedMoEExpertsNopadPersistent3WGFwd name=deepseek-v3-decode-bfloat16 t=512 h=7168 f=2048 e=256 k=8 dtype=bf16
moe_experts table=FusedMoEExpertsNopadPersistent3WGFwd name=deepseek-v3-ep2-decode-bfloat16 t=512 h=7168 f=2048 e=256 k=8 e_local=128 has_map=1 dtype=bf16
moe_experts table=FusedMoEExpertsNopadPersistent3WGFwd name=deepseek-v3-ep2-prefill-bfloat16 t=4096 h=7168 f=2048 e=256 k=8 e_local=128 has_map=1 dtype=bf16
moe_experts table=FusedMoEExpertsNopadPersistent3WGFwd name=deepseek-v3-prefill-bfloat16 t=4096 h=7168 f=2048 e=256 k=8 dtype=bf16
moe_experts table=FusedMoEExpertsNopadPersistent3WGFwd name=qwen3-235b-decode-bfloat16 t=512 h=7168 f=2048 e=128 k=8 dtype=bf16
moe_experts table=FusedMoEExpertsNopadPersistent3WGFwd name=qwen3-235b-prefill-bfloat16 t=4096 h=7168 f=2048 e=128 k=8 dtype=bf16

# SharedFusedMoE: 5 workloads
shared_fused_moe table=SharedFusedMoE name=1-384-8-7168-2048-18432-sigmoid-renormalize-correctionbias-2.827-bfloat16 t=1 h=7168 f=2048 e=384 k=8 fs=18432 dtype=bf16 score=sigmoid renormalize=1 has_bias=1 routed_scaling_factor=2.827
shared_fused_moe table=SharedFusedMoE name=2048-384-8-7168-2048-18432-sigmoid-renormalize-correctionbias-2.827-bfloat16 t=2048 h=7168 f=2048 e=384 k=8 fs=18432 dtype=bf16 score=sigmoid renormalize=1 has_bias=1 routed_scaling_factor=2.827
shared_fused_moe table=SharedFusedMoE name=32-384-8-7168-2048-18432-sigmoid-renormalize-correctionbias-2.827-bfloat16 t=32 h=7168 f=2048 e=384 k=8 fs=18432 dtype=bf16 score=sigmoid renormalize=1 has_bias=1 routed_scaling_factor=2.827
shared_fused_moe table=SharedFusedMoE name=4096-384-8-7168-2048-18432-sigmoid-renormalize-correctionbias-2.827-bfloat16 t=4096 h=7168 f=2048 e=384 k=8 fs=18432 dtype=bf16 score=sigmoid renormalize=1 has_bias=1 routed_scaling_factor=2.827
shared_fused_moe table=SharedFusedMoE name=512-384-8-7168-2048-18432-sigmoid-renormalize-correctionbias-2.827-bfloat16 t=512 h=7168 f=2048 e=384 k=8 fs=18432 dtype=bf16 score=sigmoid renormalize=1 has_bias=1 routed_scaling_factor=2.827

# FP8LightningIndexerFwd: 1 workloads
lightning_indexer table=FP8LightningIndexerFwd name=lightning-indexer-s8k-h32-d64-bfloat16 b=1 s=8192 n=8192 h=32 g=1 d=64 dtype=bf16 windows=beyond

# FP8QuantFwd: 3 workloads
fp8_quant table=FP8QuantFwd name=kv-index-4k-d128-float32 b=1 s=4096 g=1 d=128 dtype=f32
fp8_quant table=FP8QuantFwd name=kv-index-8k-d64-bfloat16 b=1 s=8192 g=1 d=64 dtype=bf16
fp8_quant table=FP8QuantFwd name=kv-index-8k-d64-float16 b=1 s=8192 g=1 d=64 dtype=fp16
