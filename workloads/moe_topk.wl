# moe_topk: the K best experts of each token.
[smoke]
moe_topk t=33 e=128 k=8
moe_topk t=33 e=384 k=8 score=sigmoid renormalize=1
moe_topk t=17 e=256 k=8 score=sigmoid renormalize=1 has_bias=1 routed_scaling_factor=2.5 dtype=f32

[edge]
moe_topk t=0 e=64 k=4
moe_topk t=1 e=1 k=1
moe_topk t=3 e=7 k=7 dtype=fp16
moe_topk t=5 e=33 k=1 renormalize=1
moe_topk t=65 e=100 k=10 score=sigmoid dtype=f32
moe_topk t=2 e=1000 k=32 score=sigmoid has_bias=1

[perf]
moe_topk t=1,32,512,4096 e=128 k=8
moe_topk t=1,32,512,4096 e=384 k=8 score=sigmoid renormalize=1
