# grouped_gemm: products of equal groups of rows, forward and backward.
[smoke]
grouped_gemm g=4 m=32 n=48 k=64 dtype=bf16,fp16,f32
grouped_gemm pass=backward g=4 m=32 n=48 k=64 dtype=bf16,f32

[edge]
grouped_gemm g=0 m=4 n=4 k=4
grouped_gemm g=2 m=0 n=4 k=4
grouped_gemm g=2 m=4 n=4 k=0
grouped_gemm g=3 m=1 n=1 k=1
grouped_gemm g=2 m=127 n=31 k=33 dtype=fp16
grouped_gemm pass=backward g=2 m=0 n=4 k=4
grouped_gemm pass=backward g=2 m=4 n=0 k=4
grouped_gemm pass=backward g=3 m=1 n=1 k=1
grouped_gemm pass=backward g=2 m=33 n=127 k=31

[perf]
grouped_gemm g=4 m=512 n=2816 k=2048
grouped_gemm pass=backward g=4 m=512 n=2816 k=2048
