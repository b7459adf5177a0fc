# gemm backward: both gradients of d = a · bᵀ.
[smoke]
gemm pass=backward m=64 n=96 k=128 dtype=bf16,fp16,f32
gemm pass=backward m=33 n=65 k=100

[edge]
gemm pass=backward m=0 n=16 k=16
gemm pass=backward m=16 n=0 k=16
gemm pass=backward m=16 n=16 k=0
gemm pass=backward m=1 n=1 k=1 dtype=bf16,fp16,f32
gemm pass=backward m=127 n=31 k=129 dtype=fp16
gemm pass=backward m=2 n=257 k=15 dtype=f32

[perf]
gemm pass=backward m=1024 n=4096 k=2048
