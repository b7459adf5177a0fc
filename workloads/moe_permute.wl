# moe_permute: rows of the tokens gathered by expert.
[smoke]
moe_permute t=32 h=512 e=128 k=8
moe_permute t=33 h=256 e=64 k=4 e_local=32 has_map=1 dtype=fp16

[edge]
moe_permute t=0 h=64 e=8 k=2
moe_permute t=1 h=0 e=8 k=2
moe_permute t=1 h=1 e=1 k=1
moe_permute t=5 h=3 e=7 k=7 dtype=f32
moe_permute t=64 h=33 e=16 k=2 routing=one
moe_permute t=64 h=40 e=50 k=4 routing=skewed
moe_permute t=31 h=129 e=40 k=6 routing=zipf e_local=1 has_map=1
moe_permute t=9 h=24 e=8 k=2 has_map=1

[perf]
moe_permute t=1,32,512,4096 h=7168 e=256 k=8
