# grouped_gemm_tn: a product for each group of rows, of sizes that are data.
[smoke]
grouped_gemm_tn g=4 s=128 n=48 k=64 dtype=bf16,fp16
grouped_gemm_tn g=10 s=100 n=32 k=40 routing=skewed,zipf

[edge]
grouped_gemm_tn g=4 s=0 n=8 k=8
grouped_gemm_tn g=4 s=9 n=0 k=8
grouped_gemm_tn g=4 s=9 n=8 k=0
grouped_gemm_tn g=1 s=1 n=1 k=1 dtype=bf16,fp16,f32
grouped_gemm_tn g=9 s=4 n=17 k=15
grouped_gemm_tn g=5 s=67 n=33 k=31 routing=one
grouped_gemm_tn g=3 s=129 n=65 k=127 routing=zipf dtype=f32

[perf]
grouped_gemm_tn g=16 s=1024 n=1024 k=1024
