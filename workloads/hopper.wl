# hopper.wl: the rows of the published operator page that the first Hopper kernels serve, under their published
# names; cold, as published. `opmark run workloads/hopper.wl --device cuda:0`

moe_topk name=1-128-8-softmax-norenormalize table=FusedTopK t=1 e=128 k=8 score=softmax renormalize=0
moe_topk name=1-384-8-sigmoid-renormalize table=FusedTopK t=1 e=384 k=8 score=sigmoid renormalize=1
moe_topk name=32-128-8-softmax-norenormalize table=FusedTopK t=32 e=128 k=8 score=softmax renormalize=0
moe_topk name=32-384-8-sigmoid-renormalize table=FusedTopK t=32 e=384 k=8 score=sigmoid renormalize=1
moe_topk name=4096-128-8-softmax-norenormalize table=FusedTopK t=4096 e=128 k=8 score=softmax renormalize=0
moe_topk name=4096-384-8-sigmoid-renormalize table=FusedTopK t=4096 e=384 k=8 score=sigmoid renormalize=1
moe_topk name=512-128-8-softmax-norenormalize table=FusedTopK t=512 e=128 k=8 score=softmax renormalize=0
moe_topk name=512-384-8-sigmoid-renormalize table=FusedTopK t=512 e=384 k=8 score=sigmoid renormalize=1

moe_permute_align name=deepseek-v3-decode-int32 table=MoePermuteAlignFwd t=1 e=256 k=8 block_size=64
moe_permute_align name=deepseek-v3-medium-int32 table=MoePermuteAlignFwd t=512 e=256 k=8 block_size=64
moe_permute_align name=deepseek-v3-prefill-int32 table=MoePermuteAlignFwd t=4096 e=256 k=8 block_size=64
moe_permute_align name=deepseek-v3-small-int32 table=MoePermuteAlignFwd t=32 e=256 k=8 block_size=64
moe_permute_align name=kimi-k2-decode-int32 table=MoePermuteAlignFwd t=1 e=384 k=8 block_size=64
moe_permute_align name=kimi-k2-medium-int32 table=MoePermuteAlignFwd t=512 e=384 k=8 block_size=64
moe_permute_align name=kimi-k2-prefill-int32 table=MoePermuteAlignFwd t=4096 e=384 k=8 block_size=64
moe_permute_align name=kimi-k2-small-int32 table=MoePermuteAlignFwd t=32 e=384 k=8 block_size=64
moe_permute_align name=qwen3-decode-int32 table=MoePermuteAlignFwd t=1 e=128 k=8 block_size=64
moe_permute_align name=qwen3-medium-int32 table=MoePermuteAlignFwd t=512 e=128 k=8 block_size=64
moe_permute_align name=qwen3-prefill-int32 table=MoePermuteAlignFwd t=4096 e=128 k=8 block_size=64
moe_permute_align name=qwen3-small-int32 table=MoePermuteAlignFwd t=32 e=128 k=8 block_size=64

moe_permute name=deepseek-v3-decode-bfloat16 table=MoePermuteNopadFwd t=1 h=7168 e=256 k=8
moe_permute name=deepseek-v3-ep2-decode-bfloat16 table=MoePermuteNopadFwd t=1 h=7168 e=256 k=8 e_local=128 has_map=1
moe_permute name=deepseek-v3-ep2-medium-bfloat16 table=MoePermuteNopadFwd t=512 h=7168 e=256 k=8 e_local=128 has_map=1
moe_permute name=deepseek-v3-ep2-prefill-bfloat16 table=MoePermuteNopadFwd t=4096 h=7168 e=256 k=8 e_local=128 has_map=1
moe_permute name=deepseek-v3-medium-bfloat16 table=MoePermuteNopadFwd t=512 h=7168 e=256 k=8
moe_permute name=deepseek-v3-prefill-bfloat16 table=MoePermuteNopadFwd t=4096 h=7168 e=256 k=8
moe_permute name=deepseek-v3-small-bfloat16 table=MoePermuteNopadFwd t=32 h=7168 e=256 k=8
moe_permute name=kimi-k2-decode-bfloat16 table=MoePermuteNopadFwd t=1 h=7168 e=384 k=8
moe_permute name=kimi-k2-medium-bfloat16 table=MoePermuteNopadFwd t=512 h=7168 e=384 k=8
moe_permute name=kimi-k2-prefill-bfloat16 table=MoePermuteNopadFwd t=4096 h=7168 e=384 k=8
moe_permute name=kimi-k2-small-bfloat16 table=MoePermuteNopadFwd t=32 h=7168 e=384 k=8
moe_permute name=qwen3-235b-decode-bfloat16 table=MoePermuteNopadFwd t=1 h=7168 e=128 k=8
moe_permute name=qwen3-235b-ep2-medium-bfloat16 table=MoePermuteNopadFwd t=512 h=7168 e=128 k=8 e_local=64 has_map=1
moe_permute name=qwen3-235b-medium-bfloat16 table=MoePermuteNopadFwd t=512 h=7168 e=128 k=8
moe_permute name=qwen3-235b-prefill-bfloat16 table=MoePermuteNopadFwd t=4096 h=7168 e=128 k=8
moe_permute name=qwen3-235b-small-bfloat16 table=MoePermuteNopadFwd t=32 h=7168 e=128 k=8
moe_permute name=qwen3-30b-decode-bfloat16 table=MoePermuteNopadFwd t=1 h=3072 e=128 k=8
moe_permute name=qwen3-30b-medium-bfloat16 table=MoePermuteNopadFwd t=512 h=3072 e=128 k=8
moe_permute name=qwen3-30b-prefill-bfloat16 table=MoePermuteNopadFwd t=4096 h=3072 e=128 k=8
moe_permute name=qwen3-30b-small-bfloat16 table=MoePermuteNopadFwd t=32 h=3072 e=128 k=8

moe_unpermute name=large-hidden-decode-bfloat16 table=MoeUnpermuteFwd t=1 h=7168 k=8
moe_unpermute name=large-hidden-medium-bfloat16 table=MoeUnpermuteFwd t=512 h=7168 k=8
moe_unpermute name=large-hidden-prefill-bfloat16 table=MoeUnpermuteFwd t=4096 h=7168 k=8
moe_unpermute name=large-hidden-small-bfloat16 table=MoeUnpermuteFwd t=32 h=7168 k=8
moe_unpermute name=small-hidden-decode-bfloat16 table=MoeUnpermuteFwd t=1 h=3072 k=8
moe_unpermute name=small-hidden-medium-bfloat16 table=MoeUnpermuteFwd t=512 h=3072 k=8
moe_unpermute name=small-hidden-prefill-bfloat16 table=MoeUnpermuteFwd t=4096 h=3072 k=8
moe_unpermute name=small-hidden-small-bfloat16 table=MoeUnpermuteFwd t=32 h=3072 k=8

fp8_quant name=kv-index-4k-d128-float32 table=FP8QuantFwd s=4096 d=128 dtype=f32
fp8_quant name=kv-index-8k-d64-bfloat16 table=FP8QuantFwd s=8192 d=64 dtype=bf16
fp8_quant name=kv-index-8k-d64-float16 table=FP8QuantFwd s=8192 d=64 dtype=fp16

lightning_indexer name=lightning-indexer-s8k-h32-d64-bfloat16 table=FP8LightningIndexerFwd s=8192 n=8192 h=32 d=64 windows=beyond
