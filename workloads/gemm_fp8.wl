# gemm_fp8: product of e4m3 operands, scaled by tensor or by blocks of 128.
[smoke]
gemm_fp8 m=64 n=96 k=256 scale_mode=per_tensor,block128 out_dtype=bf16,fp16
gemm_fp8 m=16 n=128 k=384 has_bias=1

[edge]
gemm_fp8 m=0 n=16 k=128
gemm_fp8 m=16 n=0 k=128 has_bias=1
gemm_fp8 m=5 n=7 k=0 has_bias=1 scale_mode=per_tensor,block128
gemm_fp8 m=1 n=1 k=1 scale_mode=per_tensor,block128
gemm_fp8 m=1,8 n=129 k=127 scale_mode=block128
gemm_fp8 m=33 n=65 k=130 scale_mode=block128 has_bias=1
gemm_fp8 m=127 n=63 k=200 out_dtype=fp16

[perf]
gemm_fp8 m=1,128,1024 n=4096 k=2048 scale_mode=per_tensor,block128
