# attention: grouped-query attention, forward and backward.
[smoke]
attention b=2 s=64 hq=4 hkv=2 d=64 causal=0,1 dtype=bf16,fp16
attention s=96 hq=2 hkv=1 d=128 causal=1
attention pass=backward b=2 s=48 hq=4 hkv=2 d=64 causal=0,1
attention pass=backward s=64 hq=2 hkv=1 d=128 causal=1 dtype=fp16

[edge]
attention s=0 hq=2 d=64
attention s=1 hq=1 d=1
attention s=1 hq=8 hkv=2 d=128 b=3
attention s=65 hq=3 hkv=1 d=96 causal=1
attention s=33 hq=2 d=256 scale=0.5
attention s=129 hq=1 d=64 causal=1 dtype=f32
attention s=31 hq=2 d=72 causal=1
attention pass=backward s=0 hq=2 d=64
attention pass=backward s=1 hq=2 hkv=1 d=64
attention pass=backward s=65 hq=3 hkv=1 d=96 causal=1
attention pass=backward s=33 hq=1 d=256
attention pass=backward s=31 hq=2 d=72 causal=1 dtype=f32

[perf]
attention s=1024 hq=8 hkv=2 d=128 causal=1
attention pass=backward s=1024 hq=8 hkv=2 d=128 causal=1
