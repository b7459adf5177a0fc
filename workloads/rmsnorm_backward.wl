# rmsnorm backward: gradients of x and gamma.
[smoke]
rmsnorm pass=backward m=16 h=512 dtype=bf16,fp16,f32

[edge]
rmsnorm pass=backward m=0 h=8
rmsnorm pass=backward m=4 h=0
rmsnorm pass=backward m=1 h=1
rmsnorm pass=backward m=3 h=7
rmsnorm pass=backward m=129 h=33 dtype=f32
rmsnorm pass=backward m=5 h=4097

[perf]
rmsnorm pass=backward m=2048 h=4096
