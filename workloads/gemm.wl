# gemm: the dense matrix product, in four storage layouts.
[smoke]
gemm m=64 n=96 k=128 dtype=bf16,fp16,f32
gemm m=33 n=65 k=100 trans_a=0,1 trans_b=0,1 dtype=bf16,f32

[edge]
gemm m=0 n=16 k=16
gemm m=16 n=0 k=16
gemm m=16 n=16 k=0 dtype=bf16,f32
gemm m=1 n=1 k=1 dtype=bf16,fp16,f32
gemm m=1,2,7 n=1,15,17 k=31 trans_b=0,1
gemm m=127 n=129 k=255 trans_a=1 dtype=fp16
gemm m=5 n=3 k=2049 trans_b=1 dtype=f32
gemm m=257 n=31 k=64
gemm m=3,16 n=32 k=4104 trans_a=1 trans_b=0,1 dtype=bf16,f32

[perf]
gemm m=1,16,128,1024,4096 n=4096 k=4096 trans_b=1 dtype=bf16
gemm m=1024 n=4096 k=2048 trans_a=0,1 trans_b=0,1 dtype=bf16,f32
gemm m=4096 n=7168 k=2048 trans_b=1 dtype=fp16
