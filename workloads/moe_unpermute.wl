# moe_unpermute: experts' rows summed back to their tokens.
[smoke]
moe_unpermute t=32 h=512 k=8
moe_unpermute t=33 h=256 k=4 missing=40 dtype=fp16

[edge]
moe_unpermute t=0 h=64 k=2
moe_unpermute t=1 h=0 k=2
moe_unpermute t=1 h=1 k=1
moe_unpermute t=5 h=3 k=7 dtype=f32
moe_unpermute t=6 h=33 k=3 missing=18
moe_unpermute t=7 h=4097 k=10

[perf]
moe_unpermute t=1,32,512,4096 h=7168 k=8
