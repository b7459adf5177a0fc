# gemm_w4a16: fp16 product with int4 weights.
[smoke]
gemm_w4a16 m=1 n=256 k=512
gemm_w4a16 m=64 n=64 k=128
gemm_w4a16 m=48 n=96 k=256

[edge]
gemm_w4a16 m=0 n=16 k=128
gemm_w4a16 m=16 n=0 k=128
gemm_w4a16 m=4 n=5 k=0
gemm_w4a16 m=1 n=1 k=128
gemm_w4a16 m=7 n=13 k=384
gemm_w4a16 m=17 n=129 k=256

[perf]
gemm_w4a16 m=1,16,256 n=4096 k=4096
