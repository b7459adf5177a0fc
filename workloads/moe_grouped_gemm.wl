# moe_grouped_gemm: the rows of each expert times its weight.
[smoke]
moe_grouped_gemm g=8 s=96 n=64 k=48 dtype=bf16,fp16
moe_grouped_gemm g=16 s=100 n=40 k=56 routing=skewed,zipf

[edge]
moe_grouped_gemm g=4 s=0 n=8 k=8
moe_grouped_gemm g=1 s=1 n=1 k=1
moe_grouped_gemm g=9 s=4 n=17 k=15
moe_grouped_gemm g=5 s=67 n=33 k=31 routing=one

[perf]
moe_grouped_gemm g=32 s=512 n=2048 k=1024
