# moe_experts: each token's weighted sum of its experts' MLPs.
[smoke]
moe_experts t=16 h=64 f=32 e=8 k=2 dtype=bf16,fp16
moe_experts t=24 h=64 f=48 e=16 k=4 routing=skewed,zipf
moe_experts t=24 h=64 f=32 e=8 k=3 e_local=4 has_map=1

[edge]
moe_experts t=0 h=8 f=8 e=4 k=2
moe_experts t=1 h=1 f=1 e=1 k=1
moe_experts t=3 h=8 f=0 e=4 k=2
moe_experts t=5 h=33 f=17 e=7 k=7
moe_experts t=66 h=40 f=24 e=6 k=1 routing=one
moe_experts t=9 h=24 f=16 e=12 k=2 e_local=1 has_map=1

[perf]
moe_experts t=1,64,512 h=1024 f=512 e=32 k=4
