# shared_fused_moe: fused_moe with a shared expert beside the routed ones.
[smoke]
shared_fused_moe t=16 h=64 f=32 fs=48 e=8 k=2 dtype=bf16,fp16
shared_fused_moe t=24 h=64 f=32 fs=64 e=16 k=4 score=sigmoid renormalize=1 has_bias=1 routed_scaling_factor=2.5

[edge]
shared_fused_moe t=0 h=8 f=8 fs=8 e=4 k=2
shared_fused_moe t=1 h=1 f=1 fs=1 e=1 k=1
shared_fused_moe t=3 h=8 f=8 fs=0 e=4 k=2
shared_fused_moe t=65 h=33 f=17 fs=31 e=7 k=2

[perf]
shared_fused_moe t=1,64,512 h=1024 f=512 fs=2048 e=32 k=4 score=sigmoid renormalize=1
