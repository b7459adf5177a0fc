# bmm_fp8_nk: batches of e4m3 products, b stored [N,K].
[smoke]
bmm_fp8_nk batch=4 m=32 n=48 k=128 out_dtype=bf16,fp16
bmm_fp8_nk batch=2 m=65 n=33 k=100

[edge]
bmm_fp8_nk batch=0 m=4 n=4 k=4
bmm_fp8_nk batch=2 m=0 n=4 k=4
bmm_fp8_nk batch=2 m=4 n=0 k=4
bmm_fp8_nk batch=2 m=4 n=4 k=0
bmm_fp8_nk batch=3 m=1 n=1 k=1
bmm_fp8_nk batch=2 m=127 n=63 k=31 out_dtype=fp16

[perf]
bmm_fp8_nk batch=32 m=128 n=128 k=2048
