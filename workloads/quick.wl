# quick.wl: what `make bench` runs: shapes of Llama-3-8B with a quarter of its hidden size (1024; feed-forward
# 3584) and a few of its own, each call 0.05 to 20 ms on two cores. Only operators that have kernels of ours.

# Projections of a prefill of 256 tokens, weights stored [N,K].
gemm name=qkv-prefill       m=256 n=1536 k=1024 trans_b=1 dtype=bf16,fp16,f32
gemm name=gate-up-prefill   m=256 n=7168 k=1024 trans_b=1 dtype=bf16
gemm name=down-prefill      m=256 n=1024 k=3584 trans_b=1 dtype=bf16,f32
# One token, and a small batch.
gemm name=gate-up-decode    m=1,16 n=7168 k=1024 trans_b=1 dtype=bf16
gemm name=down-decode       m=1 n=1024 k=3584 trans_b=1 dtype=fp16,f32
# The other storage layouts: gradients of the input (NN) and of the weight (TN), and TT.
gemm name=qkv-dgrad         m=256 n=1024 k=1536 dtype=bf16,f32
gemm name=qkv-wgrad         m=1536 n=1024 k=256 trans_a=1 dtype=bf16,f32
gemm name=square-tt         m=512 n=512 k=512 trans_a=1 trans_b=1 dtype=f32

rmsnorm name=hidden-prefill m=512 h=4096 dtype=bf16,f32
rmsnorm name=hidden-decode  m=16 h=8192 dtype=bf16

cast name=quantise          m=512 h=4096 to=e4m3 scaling=given,current
cast name=quantise-gradient m=512 h=4096 to=e5m2
cast name=widen             m=512 h=4096 from=e4m3 to=bf16
