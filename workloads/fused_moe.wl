# fused_moe: routing and experts in one call.
[smoke]
fused_moe t=16 h=64 f=32 e=8 k=2 dtype=bf16,fp16
fused_moe t=24 h=64 f=32 e=16 k=4 score=sigmoid renormalize=1
fused_moe t=24 h=64 f=32 e=16 k=4 score=sigmoid renormalize=1 has_bias=1 routed_scaling_factor=2.5

[edge]
fused_moe t=0 h=8 f=8 e=4 k=2
fused_moe t=1 h=1 f=1 e=1 k=1
fused_moe t=5 h=33 f=17 e=7 k=7
fused_moe t=67 h=40 f=24 e=3 k=1 renormalize=1

[perf]
fused_moe t=1,64,512 h=1024 f=512 e=32 k=4 score=sigmoid renormalize=1
