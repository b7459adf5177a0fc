# cpu.wl: shapes of real models at sizes a CPU works on in milliseconds to a second: full widths with few tokens,
# or, where weights would not fit, a share of the experts.

# Llama-3-8B, one device: hidden 4096, qkv 6144, feed-forward 14336.
gemm name=llama3-8b-qkv       m=1,32,512 n=6144 k=4096 trans_b=1 dtype=bf16
gemm name=llama3-8b-gate-up   m=1,32,128 n=28672 k=4096 trans_b=1 dtype=bf16
gemm name=llama3-8b-down      m=1,32,128 n=4096 k=14336 trans_b=1 dtype=bf16,fp16
gemm name=llama3-8b-attn-out  m=512 n=4096 k=4096 trans_b=1 dtype=f32
gemm name=llama3-8b-dgrad     m=256 n=4096 k=6144 dtype=bf16,f32
gemm name=llama3-8b-wgrad     m=6144 n=4096 k=256 trans_a=1 dtype=bf16,f32
# DeepSeek-V3: hidden 7168, experts of 2048.
gemm name=deepseek-v3-gate-up m=16,128 n=2112 k=7168 trans_b=1 dtype=bf16

rmsnorm name=llama3-8b        m=1,128,4096 h=4096 dtype=bf16
rmsnorm name=llama3-405b      m=1024 h=16384 dtype=bf16,f32

cast name=llama3-8b           m=4096 h=4096 to=e4m3 scaling=given,current
cast name=llama3-8b-gradient  m=4096 h=4096 to=e5m2
cast name=llama3-8b-widen     m=4096 h=4096 from=e4m3 to=bf16

moe_topk name=deepseek-v3           t=32,4096 e=256 k=8 score=sigmoid renormalize=1 has_bias=1
moe_topk name=qwen3                 t=32,4096 e=128 k=8
moe_permute_align name=deepseek-v3  t=32,4096 e=256 k=8
moe_permute name=deepseek-v3        t=32,1024 h=7168 e=256 k=8
moe_permute name=qwen3-skewed       t=1024 h=3072 e=128 k=8 routing=skewed
moe_unpermute name=deepseek-v3      t=32,1024 h=7168 k=8

fp8_quant name=kv-index             s=8192 d=64,128
lightning_indexer name=deepseek-v32 s=256 n=1024 h=32 d=64 windows=causal,documents

gemm name=llama3-8b-backward           m=256 n=4096 k=4096 pass=backward
bmm name=mha-decode                    batch=32 m=128 n=2048 k=128 dtype=bf16,fp16
bmm_fp8_nk name=mha-decode             batch=32 m=128 n=512 k=128
bmm_fp8_kn name=mha-decode             batch=32 m=128 n=128 k=512
gemm_fp8 name=deepseek-v3-down         m=1,128 n=7168 k=2048 scale_mode=per_tensor,block128
gemm_w4a16 name=decode                 m=1,16 n=8192 k=8192
fp8_linear name=llama3-8b-qkv          m=256 n=6144 k=4096
fp8_linear name=llama3-8b-qkv-backward m=256 n=6144 k=4096 pass=backward

# Mixtral-8x7B and a share of DeepSeek-V3: every expert gets rows, or one in five most of them.
grouped_gemm name=dsv2-lite-down       g=8 m=64 n=2048 k=1408
grouped_gemm name=dsv2-lite-down-bwd   g=8 m=64 n=2048 k=1408 pass=backward
grouped_gemm_nt name=up                g=16 s=512 n=2048 k=2048 routing=uniform,skewed
grouped_gemm_nn name=dgrad             g=16 s=512 n=2048 k=2048
grouped_gemm_tn name=wgrad             g=8 s=512 n=2048 k=2048
moe_grouped_gemm name=down             g=16 s=512 n=4096 k=1024
moe_gate_up name=deepseek-v3-share     e=16 s=256 f=2048 k=7168
moe_experts name=qwen3-30b-share       t=64 h=2048 f=768 e=32 k=8
fused_moe name=qwen3-30b-share         t=64 h=2048 f=768 e=32 k=8 renormalize=1
shared_fused_moe name=deepseek-share   t=32 h=2048 f=1408 e=16 k=4 fs=2816

attention name=llama3-8b-prefill       s=1024 hq=32 hkv=8 d=128 causal=1
attention name=llama3-8b-backward      s=512 hq=8 hkv=2 d=128 causal=1 pass=backward
layernorm name=hidden                  m=128,4096 h=4096
layernorm name=hidden-backward         m=1024 h=4096 pass=backward
rmsnorm name=llama3-8b-backward        m=1024 h=4096 pass=backward
