# quick.wl: what `make bench` runs in less than three minutes: shapes of Llama-3-8B with a quarter of its hidden
# size (1024; feed-forward 3584) and a few of its own, each call 0.05 to 20 ms on two cores. Only operators that
# have kernels of ours.

# Projections of a prefill of 256 tokens, weights stored [N,K].
gemm name=qkv-prefill       m=256 n=1536 k=1024 trans_b=1 dtype=bf16,fp16,f32
gemm name=gate-up-prefill   m=256 n=3584 k=1024 trans_b=1 dtype=bf16
gemm name=down-prefill      m=256 n=1024 k=3584 trans_b=1 dtype=bf16
# One token, and a small batch.
gemm name=gate-up-decode    m=1,16 n=7168 k=1024 trans_b=1 dtype=bf16
gemm name=down-decode       m=1 n=1024 k=3584 trans_b=1 dtype=fp16
# The other storage layouts: gradients of the input (NN) and of the weight (TN), and TT.
gemm name=qkv-dgrad         m=256 n=1024 k=1536 dtype=bf16,f32
gemm name=qkv-wgrad         m=1536 n=1024 k=256 trans_a=1 dtype=bf16,f32
gemm name=square-tt         m=512 n=512 k=512 trans_a=1 trans_b=1 dtype=f32

rmsnorm name=hidden-prefill m=512 h=4096 dtype=bf16,f32
rmsnorm name=hidden-decode  m=16 h=8192 dtype=bf16

cast name=quantise          m=512 h=4096 to=e4m3 scaling=given,current
cast name=widen             m=512 h=4096 from=e4m3 to=bf16

# One row each of the other operators: enough to see that they run, are right and have not become slower.
gemm name=qkv-backward      m=128 n=1536 k=1024 pass=backward
bmm name=scores             batch=8 m=128 n=256 k=128
gemm_fp8 name=qkv           m=64 n=1536 k=1024
gemm_w4a16 name=down        m=4 n=1024 k=3584
grouped_gemm_nt name=up     g=4 s=128 n=1024 k=1024
attention name=prefill      s=256 hq=8 hkv=2 d=128 causal=1
layernorm name=hidden       m=512 h=4096
rmsnorm name=hidden-backward m=512 h=4096 pass=backward
moe_topk name=route         t=1024 e=128 k=8
moe_permute name=gather     t=256 h=1024 e=64 k=8
moe_unpermute name=combine  t=256 h=1024 k=8
moe_gate_up name=experts    e=8 s=128 f=512 k=1024
moe_experts name=layer      t=32 h=1024 f=512 e=16 k=2
lightning_indexer name=causal s=128 n=512 h=32 d=64
