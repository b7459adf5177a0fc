# rmsnorm: rows scaled to unit root mean square.
[smoke]
rmsnorm m=32 h=128 dtype=bf16,fp16,f32
rmsnorm m=17 h=100 eps=1e-6

[edge]
rmsnorm m=0 h=64
rmsnorm m=4 h=0
rmsnorm m=1 h=1 dtype=bf16,f32
rmsnorm m=3 h=7,15,17,33
rmsnorm m=2 h=8191 dtype=f32
rmsnorm m=1000 h=1

[perf]
rmsnorm m=1,128,1024,8192 h=4096,8192
