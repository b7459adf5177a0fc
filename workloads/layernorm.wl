# layernorm: layer normalisation, forward and backward.
[smoke]
layernorm m=16 h=512 dtype=bf16,fp16,f32
layernorm pass=backward m=16 h=512 dtype=bf16,fp16,f32

[edge]
layernorm m=0 h=8
layernorm m=4 h=0
layernorm m=1 h=1
layernorm m=3 h=7 eps=0.1
layernorm m=5 h=4097 dtype=f32
layernorm pass=backward m=0 h=8
layernorm pass=backward m=4 h=0
layernorm pass=backward m=1 h=1
layernorm pass=backward m=129 h=33

[perf]
layernorm m=2048 h=4096
layernorm pass=backward m=2048 h=4096
