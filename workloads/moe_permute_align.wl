# moe_permute_align: choices sorted by expert, padded to whole blocks.
[smoke]
moe_permute_align t=32 e=128 k=8
moe_permute_align t=100 e=64 k=4 block_size=16 routing=skewed

[edge]
moe_permute_align t=0 e=8 k=2
moe_permute_align t=1 e=200 k=8
moe_permute_align t=1 e=1 k=1 block_size=1
moe_permute_align t=33 e=5 k=5 block_size=7
moe_permute_align t=129 e=16 k=2 block_size=128 routing=one
moe_permute_align t=65 e=384 k=8 routing=zipf

[perf]
moe_permute_align t=1,32,512,4096 e=256 k=8
