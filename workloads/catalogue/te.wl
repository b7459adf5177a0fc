# te.wl: the cases of the TransformerEngine microbenchmark suites, one line a timed cell: a case is named
# by its published Case and parameter columns, its table is the published file. Measured warm, as published.
# Attention is causal; casts read a known scale and reduce the amax in the same pass; fp8_linear casts with
# delayed scaling inside the call.

[catalogue]

# benchmark_gemm: 96 cases, 192 cells
gemm table=benchmark_gemm name="Llama3-8B/TP1-QKV M=1024 N=6144 K=4096 dtype=torch.bfloat16" pass=forward cache=warm m=1024 n=6144 k=4096 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Llama3-8B/TP1-QKV M=1024 N=6144 K=4096 dtype=torch.bfloat16" pass=backward cache=warm m=1024 n=6144 k=4096 dtype=bf16
gemm table=benchmark_gemm name="Llama3-8B/TP1-AttnOut M=1024 N=4096 K=4096 dtype=torch.bfloat16" pass=forward cache=warm m=1024 n=4096 k=4096 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Llama3-8B/TP1-AttnOut M=1024 N=4096 K=4096 dtype=torch.bfloat16" pass=backward cache=warm m=1024 n=4096 k=4096 dtype=bf16
gemm table=benchmark_gemm name="Llama3-8B/TP1-GateUp M=1024 N=28672 K=4096 dtype=torch.bfloat16" pass=forward cache=warm m=1024 n=28672 k=4096 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Llama3-8B/TP1-GateUp M=1024 N=28672 K=4096 dtype=torch.bfloat16" pass=backward cache=warm m=1024 n=28672 k=4096 dtype=bf16
gemm table=benchmark_gemm name="Llama3-8B/TP1-Down M=1024 N=4096 K=14336 dtype=torch.bfloat16" pass=forward cache=warm m=1024 n=4096 k=14336 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Llama3-8B/TP1-Down M=1024 N=4096 K=14336 dtype=torch.bfloat16" pass=backward cache=warm m=1024 n=4096 k=14336 dtype=bf16
gemm table=benchmark_gemm name="Llama3-8B/TP1-QKV M=2048 N=6144 K=4096 dtype=torch.bfloat16" pass=forward cache=warm m=2048 n=6144 k=4096 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Llama3-8B/TP1-QKV M=2048 N=6144 K=4096 dtype=torch.bfloat16" pass=backward cache=warm m=2048 n=6144 k=4096 dtype=bf16
gemm table=benchmark_gemm name="Llama3-8B/TP1-AttnOut M=2048 N=4096 K=4096 dtype=torch.bfloat16" pass=forward cache=warm m=2048 n=4096 k=4096 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Llama3-8B/TP1-AttnOut M=2048 N=4096 K=4096 dtype=torch.bfloat16" pass=backward cache=warm m=2048 n=4096 k=4096 dtype=bf16
gemm table=benchmark_gemm name="Llama3-8B/TP1-GateUp M=2048 N=28672 K=4096 dtype=torch.bfloat16" pass=forward cache=warm m=2048 n=28672 k=4096 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Llama3-8B/TP1-GateUp M=2048 N=28672 K=4096 dtype=torch.bfloat16" pass=backward cache=warm m=2048 n=28672 k=4096 dtype=bf16
gemm table=benchmark_gemm name="Llama3-8B/TP1-Down M=2048 N=4096 K=14336 dtype=torch.bfloat16" pass=forward cache=warm m=2048 n=4096 k=14336 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Llama3-8B/TP1-Down M=2048 N=4096 K=14336 dtype=torch.bfloat16" pass=backward cache=warm m=2048 n=4096 k=14336 dtype=bf16
gemm table=benchmark_gemm name="Llama3-8B/TP1-QKV M=4096 N=6144 K=4096 dtype=torch.bfloat16" pass=forward cache=warm m=4096 n=6144 k=4096 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Llama3-8B/TP1-QKV M=4096 N=6144 K=4096 dtype=torch.bfloat16" pass=backward cache=warm m=4096 n=6144 k=4096 dtype=bf16
gemm table=benchmark_gemm name="Llama3-8B/TP1-AttnOut M=4096 N=4096 K=4096 dtype=torch.bfloat16" pass=forward cache=warm m=4096 n=4096 k=4096 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Llama3-8B/TP1-AttnOut M=4096 N=4096 K=4096 dtype=torch.bfloat16" pass=backward cache=warm m=4096 n=4096 k=4096 dtype=bf16
gemm table=benchmark_gemm name="Llama3-8B/TP1-GateUp M=4096 N=28672 K=4096 dtype=torch.bfloat16" pass=forward cache=warm m=4096 n=28672 k=4096 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Llama3-8B/TP1-GateUp M=4096 N=28672 K=4096 dtype=torch.bfloat16" pass=backward cache=warm m=4096 n=28672 k=4096 dtype=bf16
gemm table=benchmark_gemm name="Llama3-8B/TP1-Down M=4096 N=4096 K=14336 dtype=torch.bfloat16" pass=forward cache=warm m=4096 n=4096 k=14336 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Llama3-8B/TP1-Down M=4096 N=4096 K=14336 dtype=torch.bfloat16" pass=backward cache=warm m=4096 n=4096 k=14336 dtype=bf16
gemm table=benchmark_gemm name="Llama3-8B/TP1-QKV M=8192 N=6144 K=4096 dtype=torch.bfloat16" pass=forward cache=warm m=8192 n=6144 k=4096 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Llama3-8B/TP1-QKV M=8192 N=6144 K=4096 dtype=torch.bfloat16" pass=backward cache=warm m=8192 n=6144 k=4096 dtype=bf16
gemm table=benchmark_gemm name="Llama3-8B/TP1-AttnOut M=8192 N=4096 K=4096 dtype=torch.bfloat16" pass=forward cache=warm m=8192 n=4096 k=4096 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Llama3-8B/TP1-AttnOut M=8192 N=4096 K=4096 dtype=torch.bfloat16" pass=backward cache=warm m=8192 n=4096 k=4096 dtype=bf16
gemm table=benchmark_gemm name="Llama3-8B/TP1-GateUp M=8192 N=28672 K=4096 dtype=torch.bfloat16" pass=forward cache=warm m=8192 n=28672 k=4096 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Llama3-8B/TP1-GateUp M=8192 N=28672 K=4096 dtype=torch.bfloat16" pass=backward cache=warm m=8192 n=28672 k=4096 dtype=bf16
gemm table=benchmark_gemm name="Llama3-8B/TP1-Down M=8192 N=4096 K=14336 dtype=torch.bfloat16" pass=forward cache=warm m=8192 n=4096 k=14336 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Llama3-8B/TP1-Down M=8192 N=4096 K=14336 dtype=torch.bfloat16" pass=backward cache=warm m=8192 n=4096 k=14336 dtype=bf16
gemm table=benchmark_gemm name="Llama3-8B/TP8-QKV M=1024 N=768 K=4096 dtype=torch.bfloat16" pass=forward cache=warm m=1024 n=768 k=4096 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Llama3-8B/TP8-QKV M=1024 N=768 K=4096 dtype=torch.bfloat16" pass=backward cache=warm m=1024 n=768 k=4096 dtype=bf16
gemm table=benchmark_gemm name="Llama3-8B/TP8-AttnOut M=1024 N=4096 K=512 dtype=torch.bfloat16" pass=forward cache=warm m=1024 n=4096 k=512 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Llama3-8B/TP8-AttnOut M=1024 N=4096 K=512 dtype=torch.bfloat16" pass=backward cache=warm m=1024 n=4096 k=512 dtype=bf16
gemm table=benchmark_gemm name="Llama3-8B/TP8-GateUp M=1024 N=3584 K=4096 dtype=torch.bfloat16" pass=forward cache=warm m=1024 n=3584 k=4096 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Llama3-8B/TP8-GateUp M=1024 N=3584 K=4096 dtype=torch.bfloat16" pass=backward cache=warm m=1024 n=3584 k=4096 dtype=bf16
gemm table=benchmark_gemm name="Llama3-8B/TP8-Down M=1024 N=4096 K=1792 dtype=torch.bfloat16" pass=forward cache=warm m=1024 n=4096 k=1792 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Llama3-8B/TP8-Down M=1024 N=4096 K=1792 dtype=torch.bfloat16" pass=backward cache=warm m=1024 n=4096 k=1792 dtype=bf16
gemm table=benchmark_gemm name="Llama3-8B/TP8-QKV M=2048 N=768 K=4096 dtype=torch.bfloat16" pass=forward cache=warm m=2048 n=768 k=4096 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Llama3-8B/TP8-QKV M=2048 N=768 K=4096 dtype=torch.bfloat16" pass=backward cache=warm m=2048 n=768 k=4096 dtype=bf16
gemm table=benchmark_gemm name="Llama3-8B/TP8-AttnOut M=2048 N=4096 K=512 dtype=torch.bfloat16" pass=forward cache=warm m=2048 n=4096 k=512 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Llama3-8B/TP8-AttnOut M=2048 N=4096 K=512 dtype=torch.bfloat16" pass=backward cache=warm m=2048 n=4096 k=512 dtype=bf16
gemm table=benchmark_gemm name="Llama3-8B/TP8-GateUp M=2048 N=3584 K=4096 dtype=torch.bfloat16" pass=forward cache=warm m=2048 n=3584 k=4096 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Llama3-8B/TP8-GateUp M=2048 N=3584 K=4096 dtype=torch.bfloat16" pass=backward cache=warm m=2048 n=3584 k=4096 dtype=bf16
gemm table=benchmark_gemm name="Llama3-8B/TP8-Down M=2048 N=4096 K=1792 dtype=torch.bfloat16" pass=forward cache=warm m=2048 n=4096 k=1792 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Llama3-8B/TP8-Down M=2048 N=4096 K=1792 dtype=torch.bfloat16" pass=backward cache=warm m=2048 n=4096 k=1792 dtype=bf16
gemm table=benchmark_gemm name="Llama3-8B/TP8-QKV M=4096 N=768 K=4096 dtype=torch.bfloat16" pass=forward cache=warm m=4096 n=768 k=4096 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Llama3-8B/TP8-QKV M=4096 N=768 K=4096 dtype=torch.bfloat16" pass=backward cache=warm m=4096 n=768 k=4096 dtype=bf16
gemm table=benchmark_gemm name="Llama3-8B/TP8-AttnOut M=4096 N=4096 K=512 dtype=torch.bfloat16" pass=forward cache=warm m=4096 n=4096 k=512 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Llama3-8B/TP8-AttnOut M=4096 N=4096 K=512 dtype=torch.bfloat16" pass=backward cache=warm m=4096 n=4096 k=512 dtype=bf16
gemm table=benchmark_gemm name="Llama3-8B/TP8-GateUp M=4096 N=3584 K=4096 dtype=torch.bfloat16" pass=forward cache=warm m=4096 n=3584 k=4096 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Llama3-8B/TP8-GateUp M=4096 N=3584 K=4096 dtype=torch.bfloat16" pass=backward cache=warm m=4096 n=3584 k=4096 dtype=bf16
gemm table=benchmark_gemm name="Llama3-8B/TP8-Down M=4096 N=4096 K=1792 dtype=torch.bfloat16" pass=forward cache=warm m=4096 n=4096 k=1792 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Llama3-8B/TP8-Down M=4096 N=4096 K=1792 dtype=torch.bfloat16" pass=backward cache=warm m=4096 n=4096 k=1792 dtype=bf16
gemm table=benchmark_gemm name="Llama3-8B/TP8-QKV M=8192 N=768 K=4096 dtype=torch.bfloat16" pass=forward cache=warm m=8192 n=768 k=4096 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Llama3-8B/TP8-QKV M=8192 N=768 K=4096 dtype=torch.bfloat16" pass=backward cache=warm m=8192 n=768 k=4096 dtype=bf16
gemm table=benchmark_gemm name="Llama3-8B/TP8-AttnOut M=8192 N=4096 K=512 dtype=torch.bfloat16" pass=forward cache=warm m=8192 n=4096 k=512 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Llama3-8B/TP8-AttnOut M=8192 N=4096 K=512 dtype=torch.bfloat16" pass=backward cache=warm m=8192 n=4096 k=512 dtype=bf16
gemm table=benchmark_gemm name="Llama3-8B/TP8-GateUp M=8192 N=3584 K=4096 dtype=torch.bfloat16" pass=forward cache=warm m=8192 n=3584 k=4096 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Llama3-8B/TP8-GateUp M=8192 N=3584 K=4096 dtype=torch.bfloat16" pass=backward cache=warm m=8192 n=3584 k=4096 dtype=bf16
gemm table=benchmark_gemm name="Llama3-8B/TP8-Down M=8192 N=4096 K=1792 dtype=torch.bfloat16" pass=forward cache=warm m=8192 n=4096 k=1792 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Llama3-8B/TP8-Down M=8192 N=4096 K=1792 dtype=torch.bfloat16" pass=backward cache=warm m=8192 n=4096 k=1792 dtype=bf16
gemm table=benchmark_gemm name="Llama3-70B/TP8-QKV M=1024 N=1280 K=8192 dtype=torch.bfloat16" pass=forward cache=warm m=1024 n=1280 k=8192 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Llama3-70B/TP8-QKV M=1024 N=1280 K=8192 dtype=torch.bfloat16" pass=backward cache=warm m=1024 n=1280 k=8192 dtype=bf16
gemm table=benchmark_gemm name="Llama3-70B/TP8-AttnOut M=1024 N=8192 K=1024 dtype=torch.bfloat16" pass=forward cache=warm m=1024 n=8192 k=1024 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Llama3-70B/TP8-AttnOut M=1024 N=8192 K=1024 dtype=torch.bfloat16" pass=backward cache=warm m=1024 n=8192 k=1024 dtype=bf16
gemm table=benchmark_gemm name="Llama3-70B/TP8-GateUp M=1024 N=7168 K=8192 dtype=torch.bfloat16" pass=forward cache=warm m=1024 n=7168 k=8192 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Llama3-70B/TP8-GateUp M=1024 N=7168 K=8192 dtype=torch.bfloat16" pass=backward cache=warm m=1024 n=7168 k=8192 dtype=bf16
gemm table=benchmark_gemm name="Llama3-70B/TP8-Down M=1024 N=8192 K=3584 dtype=torch.bfloat16" pass=forward cache=warm m=1024 n=8192 k=3584 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Llama3-70B/TP8-Down M=1024 N=8192 K=3584 dtype=torch.bfloat16" pass=backward cache=warm m=1024 n=8192 k=3584 dtype=bf16
gemm table=benchmark_gemm name="Llama3-70B/TP8-QKV M=2048 N=1280 K=8192 dtype=torch.bfloat16" pass=forward cache=warm m=2048 n=1280 k=8192 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Llama3-70B/TP8-QKV M=2048 N=1280 K=8192 dtype=torch.bfloat16" pass=backward cache=warm m=2048 n=1280 k=8192 dtype=bf16
gemm table=benchmark_gemm name="Llama3-70B/TP8-AttnOut M=2048 N=8192 K=1024 dtype=torch.bfloat16" pass=forward cache=warm m=2048 n=8192 k=1024 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Llama3-70B/TP8-AttnOut M=2048 N=8192 K=1024 dtype=torch.bfloat16" pass=backward cache=warm m=2048 n=8192 k=1024 dtype=bf16
gemm table=benchmark_gemm name="Llama3-70B/TP8-GateUp M=2048 N=7168 K=8192 dtype=torch.bfloat16" pass=forward cache=warm m=2048 n=7168 k=8192 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Llama3-70B/TP8-GateUp M=2048 N=7168 K=8192 dtype=torch.bfloat16" pass=backward cache=warm m=2048 n=7168 k=8192 dtype=bf16
gemm table=benchmark_gemm name="Llama3-70B/TP8-Down M=2048 N=8192 K=3584 dtype=torch.bfloat16" pass=forward cache=warm m=2048 n=8192 k=3584 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Llama3-70B/TP8-Down M=2048 N=8192 K=3584 dtype=torch.bfloat16" pass=backward cache=warm m=2048 n=8192 k=3584 dtype=bf16
gemm table=benchmark_gemm name="Llama3-70B/TP8-QKV M=4096 N=1280 K=8192 dtype=torch.bfloat16" pass=forward cache=warm m=4096 n=1280 k=8192 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Llama3-70B/TP8-QKV M=4096 N=1280 K=8192 dtype=torch.bfloat16" pass=backward cache=warm m=4096 n=1280 k=8192 dtype=bf16
gemm table=benchmark_gemm name="Llama3-70B/TP8-AttnOut M=4096 N=8192 K=1024 dtype=torch.bfloat16" pass=forward cache=warm m=4096 n=8192 k=1024 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Llama3-70B/TP8-AttnOut M=4096 N=8192 K=1024 dtype=torch.bfloat16" pass=backward cache=warm m=4096 n=8192 k=1024 dtype=bf16
gemm table=benchmark_gemm name="Llama3-70B/TP8-GateUp M=4096 N=7168 K=8192 dtype=torch.bfloat16" pass=forward cache=warm m=4096 n=7168 k=8192 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Llama3-70B/TP8-GateUp M=4096 N=7168 K=8192 dtype=torch.bfloat16" pass=backward cache=warm m=4096 n=7168 k=8192 dtype=bf16
gemm table=benchmark_gemm name="Llama3-70B/TP8-Down M=4096 N=8192 K=3584 dtype=torch.bfloat16" pass=forward cache=warm m=4096 n=8192 k=3584 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Llama3-70B/TP8-Down M=4096 N=8192 K=3584 dtype=torch.bfloat16" pass=backward cache=warm m=4096 n=8192 k=3584 dtype=bf16
gemm table=benchmark_gemm name="Llama3-70B/TP8-QKV M=8192 N=1280 K=8192 dtype=torch.bfloat16" pass=forward cache=warm m=8192 n=1280 k=8192 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Llama3-70B/TP8-QKV M=8192 N=1280 K=8192 dtype=torch.bfloat16" pass=backward cache=warm m=8192 n=1280 k=8192 dtype=bf16
gemm table=benchmark_gemm name="Llama3-70B/TP8-AttnOut M=8192 N=8192 K=1024 dtype=torch.bfloat16" pass=forward cache=warm m=8192 n=8192 k=1024 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Llama3-70B/TP8-AttnOut M=8192 N=8192 K=1024 dtype=torch.bfloat16" pass=backward cache=warm m=8192 n=8192 k=1024 dtype=bf16
gemm table=benchmark_gemm name="Llama3-70B/TP8-GateUp M=8192 N=7168 K=8192 dtype=torch.bfloat16" pass=forward cache=warm m=8192 n=7168 k=8192 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Llama3-70B/TP8-GateUp M=8192 N=7168 K=8192 dtype=torch.bfloat16" pass=backward cache=warm m=8192 n=7168 k=8192 dtype=bf16
gemm table=benchmark_gemm name="Llama3-70B/TP8-Down M=8192 N=8192 K=3584 dtype=torch.bfloat16" pass=forward cache=warm m=8192 n=8192 k=3584 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Llama3-70B/TP8-Down M=8192 N=8192 K=3584 dtype=torch.bfloat16" pass=backward cache=warm m=8192 n=8192 k=3584 dtype=bf16
gemm table=benchmark_gemm name="Llama3-405B/TP8-QKV M=1024 N=2304 K=16384 dtype=torch.bfloat16" pass=forward cache=warm m=1024 n=2304 k=16384 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Llama3-405B/TP8-QKV M=1024 N=2304 K=16384 dtype=torch.bfloat16" pass=backward cache=warm m=1024 n=2304 k=16384 dtype=bf16
gemm table=benchmark_gemm name="Llama3-405B/TP8-AttnOut M=1024 N=16384 K=2048 dtype=torch.bfloat16" pass=forward cache=warm m=1024 n=16384 k=2048 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Llama3-405B/TP8-AttnOut M=1024 N=16384 K=2048 dtype=torch.bfloat16" pass=backward cache=warm m=1024 n=16384 k=2048 dtype=bf16
gemm table=benchmark_gemm name="Llama3-405B/TP8-GateUp M=1024 N=13312 K=16384 dtype=torch.bfloat16" pass=forward cache=warm m=1024 n=13312 k=16384 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Llama3-405B/TP8-GateUp M=1024 N=13312 K=16384 dtype=torch.bfloat16" pass=backward cache=warm m=1024 n=13312 k=16384 dtype=bf16
gemm table=benchmark_gemm name="Llama3-405B/TP8-Down M=1024 N=16384 K=6656 dtype=torch.bfloat16" pass=forward cache=warm m=1024 n=16384 k=6656 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Llama3-405B/TP8-Down M=1024 N=16384 K=6656 dtype=torch.bfloat16" pass=backward cache=warm m=1024 n=16384 k=6656 dtype=bf16
gemm table=benchmark_gemm name="Llama3-405B/TP8-QKV M=2048 N=2304 K=16384 dtype=torch.bfloat16" pass=forward cache=warm m=2048 n=2304 k=16384 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Llama3-405B/TP8-QKV M=2048 N=2304 K=16384 dtype=torch.bfloat16" pass=backward cache=warm m=2048 n=2304 k=16384 dtype=bf16
gemm table=benchmark_gemm name="Llama3-405B/TP8-AttnOut M=2048 N=16384 K=2048 dtype=torch.bfloat16" pass=forward cache=warm m=2048 n=16384 k=2048 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Llama3-405B/TP8-AttnOut M=2048 N=16384 K=2048 dtype=torch.bfloat16" pass=backward cache=warm m=2048 n=16384 k=2048 dtype=bf16
gemm table=benchmark_gemm name="Llama3-405B/TP8-GateUp M=2048 N=13312 K=16384 dtype=torch.bfloat16" pass=forward cache=warm m=2048 n=13312 k=16384 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Llama3-405B/TP8-GateUp M=2048 N=13312 K=16384 dtype=torch.bfloat16" pass=backward cache=warm m=2048 n=13312 k=16384 dtype=bf16
gemm table=benchmark_gemm name="Llama3-405B/TP8-Down M=2048 N=16384 K=6656 dtype=torch.bfloat16" pass=forward cache=warm m=2048 n=16384 k=6656 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Llama3-405B/TP8-Down M=2048 N=16384 K=6656 dtype=torch.bfloat16" pass=backward cache=warm m=2048 n=16384 k=6656 dtype=bf16
gemm table=benchmark_gemm name="Llama3-405B/TP8-QKV M=4096 N=2304 K=16384 dtype=torch.bfloat16" pass=forward cache=warm m=4096 n=2304 k=16384 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Llama3-405B/TP8-QKV M=4096 N=2304 K=16384 dtype=torch.bfloat16" pass=backward cache=warm m=4096 n=2304 k=16384 dtype=bf16
gemm table=benchmark_gemm name="Llama3-405B/TP8-AttnOut M=4096 N=16384 K=2048 dtype=torch.bfloat16" pass=forward cache=warm m=4096 n=16384 k=2048 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Llama3-405B/TP8-AttnOut M=4096 N=16384 K=2048 dtype=torch.bfloat16" pass=backward cache=warm m=4096 n=16384 k=2048 dtype=bf16
gemm table=benchmark_gemm name="Llama3-405B/TP8-GateUp M=4096 N=13312 K=16384 dtype=torch.bfloat16" pass=forward cache=warm m=4096 n=13312 k=16384 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Llama3-405B/TP8-GateUp M=4096 N=13312 K=16384 dtype=torch.bfloat16" pass=backward cache=warm m=4096 n=13312 k=16384 dtype=bf16
gemm table=benchmark_gemm name="Llama3-405B/TP8-Down M=4096 N=16384 K=6656 dtype=torch.bfloat16" pass=forward cache=warm m=4096 n=16384 k=6656 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Llama3-405B/TP8-Down M=4096 N=16384 K=6656 dtype=torch.bfloat16" pass=backward cache=warm m=4096 n=16384 k=6656 dtype=bf16
gemm table=benchmark_gemm name="Llama3-405B/TP8-QKV M=8192 N=2304 K=16384 dtype=torch.bfloat16" pass=forward cache=warm m=8192 n=2304 k=16384 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Llama3-405B/TP8-QKV M=8192 N=2304 K=16384 dtype=torch.bfloat16" pass=backward cache=warm m=8192 n=2304 k=16384 dtype=bf16
gemm table=benchmark_gemm name="Llama3-405B/TP8-AttnOut M=8192 N=16384 K=2048 dtype=torch.bfloat16" pass=forward cache=warm m=8192 n=16384 k=2048 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Llama3-405B/TP8-AttnOut M=8192 N=16384 K=2048 dtype=torch.bfloat16" pass=backward cache=warm m=8192 n=16384 k=2048 dtype=bf16
gemm table=benchmark_gemm name="Llama3-405B/TP8-GateUp M=8192 N=13312 K=16384 dtype=torch.bfloat16" pass=forward cache=warm m=8192 n=13312 k=16384 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Llama3-405B/TP8-GateUp M=8192 N=13312 K=16384 dtype=torch.bfloat16" pass=backward cache=warm m=8192 n=13312 k=16384 dtype=bf16
gemm table=benchmark_gemm name="Llama3-405B/TP8-Down M=8192 N=16384 K=6656 dtype=torch.bfloat16" pass=forward cache=warm m=8192 n=16384 k=6656 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Llama3-405B/TP8-Down M=8192 N=16384 K=6656 dtype=torch.bfloat16" pass=backward cache=warm m=8192 n=16384 k=6656 dtype=bf16
gemm table=benchmark_gemm name="Qwen2.5-7B/TP1-QKV M=1024 N=4608 K=3584 dtype=torch.bfloat16" pass=forward cache=warm m=1024 n=4608 k=3584 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Qwen2.5-7B/TP1-QKV M=1024 N=4608 K=3584 dtype=torch.bfloat16" pass=backward cache=warm m=1024 n=4608 k=3584 dtype=bf16
gemm table=benchmark_gemm name="Qwen2.5-7B/TP1-AttnOut M=1024 N=3584 K=3584 dtype=torch.bfloat16" pass=forward cache=warm m=1024 n=3584 k=3584 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Qwen2.5-7B/TP1-AttnOut M=1024 N=3584 K=3584 dtype=torch.bfloat16" pass=backward cache=warm m=1024 n=3584 k=3584 dtype=bf16
gemm table=benchmark_gemm name="Qwen2.5-7B/TP1-GateUp M=1024 N=37888 K=3584 dtype=torch.bfloat16" pass=forward cache=warm m=1024 n=37888 k=3584 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Qwen2.5-7B/TP1-GateUp M=1024 N=37888 K=3584 dtype=torch.bfloat16" pass=backward cache=warm m=1024 n=37888 k=3584 dtype=bf16
gemm table=benchmark_gemm name="Qwen2.5-7B/TP1-Down M=1024 N=3584 K=18944 dtype=torch.bfloat16" pass=forward cache=warm m=1024 n=3584 k=18944 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Qwen2.5-7B/TP1-Down M=1024 N=3584 K=18944 dtype=torch.bfloat16" pass=backward cache=warm m=1024 n=3584 k=18944 dtype=bf16
gemm table=benchmark_gemm name="Qwen2.5-7B/TP1-QKV M=2048 N=4608 K=3584 dtype=torch.bfloat16" pass=forward cache=warm m=2048 n=4608 k=3584 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Qwen2.5-7B/TP1-QKV M=2048 N=4608 K=3584 dtype=torch.bfloat16" pass=backward cache=warm m=2048 n=4608 k=3584 dtype=bf16
gemm table=benchmark_gemm name="Qwen2.5-7B/TP1-AttnOut M=2048 N=3584 K=3584 dtype=torch.bfloat16" pass=forward cache=warm m=2048 n=3584 k=3584 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Qwen2.5-7B/TP1-AttnOut M=2048 N=3584 K=3584 dtype=torch.bfloat16" pass=backward cache=warm m=2048 n=3584 k=3584 dtype=bf16
gemm table=benchmark_gemm name="Qwen2.5-7B/TP1-GateUp M=2048 N=37888 K=3584 dtype=torch.bfloat16" pass=forward cache=warm m=2048 n=37888 k=3584 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Qwen2.5-7B/TP1-GateUp M=2048 N=37888 K=3584 dtype=torch.bfloat16" pass=backward cache=warm m=2048 n=37888 k=3584 dtype=bf16
gemm table=benchmark_gemm name="Qwen2.5-7B/TP1-Down M=2048 N=3584 K=18944 dtype=torch.bfloat16" pass=forward cache=warm m=2048 n=3584 k=18944 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Qwen2.5-7B/TP1-Down M=2048 N=3584 K=18944 dtype=torch.bfloat16" pass=backward cache=warm m=2048 n=3584 k=18944 dtype=bf16
gemm table=benchmark_gemm name="Qwen2.5-7B/TP1-QKV M=4096 N=4608 K=3584 dtype=torch.bfloat16" pass=forward cache=warm m=4096 n=4608 k=3584 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Qwen2.5-7B/TP1-QKV M=4096 N=4608 K=3584 dtype=torch.bfloat16" pass=backward cache=warm m=4096 n=4608 k=3584 dtype=bf16
gemm table=benchmark_gemm name="Qwen2.5-7B/TP1-AttnOut M=4096 N=3584 K=3584 dtype=torch.bfloat16" pass=forward cache=warm m=4096 n=3584 k=3584 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Qwen2.5-7B/TP1-AttnOut M=4096 N=3584 K=3584 dtype=torch.bfloat16" pass=backward cache=warm m=4096 n=3584 k=3584 dtype=bf16
gemm table=benchmark_gemm name="Qwen2.5-7B/TP1-GateUp M=4096 N=37888 K=3584 dtype=torch.bfloat16" pass=forward cache=warm m=4096 n=37888 k=3584 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Qwen2.5-7B/TP1-GateUp M=4096 N=37888 K=3584 dtype=torch.bfloat16" pass=backward cache=warm m=4096 n=37888 k=3584 dtype=bf16
gemm table=benchmark_gemm name="Qwen2.5-7B/TP1-Down M=4096 N=3584 K=18944 dtype=torch.bfloat16" pass=forward cache=warm m=4096 n=3584 k=18944 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Qwen2.5-7B/TP1-Down M=4096 N=3584 K=18944 dtype=torch.bfloat16" pass=backward cache=warm m=4096 n=3584 k=18944 dtype=bf16
gemm table=benchmark_gemm name="Qwen2.5-7B/TP1-QKV M=8192 N=4608 K=3584 dtype=torch.bfloat16" pass=forward cache=warm m=8192 n=4608 k=3584 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Qwen2.5-7B/TP1-QKV M=8192 N=4608 K=3584 dtype=torch.bfloat16" pass=backward cache=warm m=8192 n=4608 k=3584 dtype=bf16
gemm table=benchmark_gemm name="Qwen2.5-7B/TP1-AttnOut M=8192 N=3584 K=3584 dtype=torch.bfloat16" pass=forward cache=warm m=8192 n=3584 k=3584 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Qwen2.5-7B/TP1-AttnOut M=8192 N=3584 K=3584 dtype=torch.bfloat16" pass=backward cache=warm m=8192 n=3584 k=3584 dtype=bf16
gemm table=benchmark_gemm name="Qwen2.5-7B/TP1-GateUp M=8192 N=37888 K=3584 dtype=torch.bfloat16" pass=forward cache=warm m=8192 n=37888 k=3584 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Qwen2.5-7B/TP1-GateUp M=8192 N=37888 K=3584 dtype=torch.bfloat16" pass=backward cache=warm m=8192 n=37888 k=3584 dtype=bf16
gemm table=benchmark_gemm name="Qwen2.5-7B/TP1-Down M=8192 N=3584 K=18944 dtype=torch.bfloat16" pass=forward cache=warm m=8192 n=3584 k=18944 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Qwen2.5-7B/TP1-Down M=8192 N=3584 K=18944 dtype=torch.bfloat16" pass=backward cache=warm m=8192 n=3584 k=18944 dtype=bf16
gemm table=benchmark_gemm name="Qwen2.5-72B/TP8-QKV M=1024 N=1280 K=8192 dtype=torch.bfloat16" pass=forward cache=warm m=1024 n=1280 k=8192 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Qwen2.5-72B/TP8-QKV M=1024 N=1280 K=8192 dtype=torch.bfloat16" pass=backward cache=warm m=1024 n=1280 k=8192 dtype=bf16
gemm table=benchmark_gemm name="Qwen2.5-72B/TP8-AttnOut M=1024 N=8192 K=1024 dtype=torch.bfloat16" pass=forward cache=warm m=1024 n=8192 k=1024 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Qwen2.5-72B/TP8-AttnOut M=1024 N=8192 K=1024 dtype=torch.bfloat16" pass=backward cache=warm m=1024 n=8192 k=1024 dtype=bf16
gemm table=benchmark_gemm name="Qwen2.5-72B/TP8-GateUp M=1024 N=7392 K=8192 dtype=torch.bfloat16" pass=forward cache=warm m=1024 n=7392 k=8192 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Qwen2.5-72B/TP8-GateUp M=1024 N=7392 K=8192 dtype=torch.bfloat16" pass=backward cache=warm m=1024 n=7392 k=8192 dtype=bf16
gemm table=benchmark_gemm name="Qwen2.5-72B/TP8-Down M=1024 N=8192 K=3696 dtype=torch.bfloat16" pass=forward cache=warm m=1024 n=8192 k=3696 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Qwen2.5-72B/TP8-Down M=1024 N=8192 K=3696 dtype=torch.bfloat16" pass=backward cache=warm m=1024 n=8192 k=3696 dtype=bf16
gemm table=benchmark_gemm name="Qwen2.5-72B/TP8-QKV M=2048 N=1280 K=8192 dtype=torch.bfloat16" pass=forward cache=warm m=2048 n=1280 k=8192 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Qwen2.5-72B/TP8-QKV M=2048 N=1280 K=8192 dtype=torch.bfloat16" pass=backward cache=warm m=2048 n=1280 k=8192 dtype=bf16
gemm table=benchmark_gemm name="Qwen2.5-72B/TP8-AttnOut M=2048 N=8192 K=1024 dtype=torch.bfloat16" pass=forward cache=warm m=2048 n=8192 k=1024 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Qwen2.5-72B/TP8-AttnOut M=2048 N=8192 K=1024 dtype=torch.bfloat16" pass=backward cache=warm m=2048 n=8192 k=1024 dtype=bf16
gemm table=benchmark_gemm name="Qwen2.5-72B/TP8-GateUp M=2048 N=7392 K=8192 dtype=torch.bfloat16" pass=forward cache=warm m=2048 n=7392 k=8192 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Qwen2.5-72B/TP8-GateUp M=2048 N=7392 K=8192 dtype=torch.bfloat16" pass=backward cache=warm m=2048 n=7392 k=8192 dtype=bf16
gemm table=benchmark_gemm name="Qwen2.5-72B/TP8-Down M=2048 N=8192 K=3696 dtype=torch.bfloat16" pass=forward cache=warm m=2048 n=8192 k=3696 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Qwen2.5-72B/TP8-Down M=2048 N=8192 K=3696 dtype=torch.bfloat16" pass=backward cache=warm m=2048 n=8192 k=3696 dtype=bf16
gemm table=benchmark_gemm name="Qwen2.5-72B/TP8-QKV M=4096 N=1280 K=8192 dtype=torch.bfloat16" pass=forward cache=warm m=4096 n=1280 k=8192 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Qwen2.5-72B/TP8-QKV M=4096 N=1280 K=8192 dtype=torch.bfloat16" pass=backward cache=warm m=4096 n=1280 k=8192 dtype=bf16
gemm table=benchmark_gemm name="Qwen2.5-72B/TP8-AttnOut M=4096 N=8192 K=1024 dtype=torch.bfloat16" pass=forward cache=warm m=4096 n=8192 k=1024 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Qwen2.5-72B/TP8-AttnOut M=4096 N=8192 K=1024 dtype=torch.bfloat16" pass=backward cache=warm m=4096 n=8192 k=1024 dtype=bf16
gemm table=benchmark_gemm name="Qwen2.5-72B/TP8-GateUp M=4096 N=7392 K=8192 dtype=torch.bfloat16" pass=forward cache=warm m=4096 n=7392 k=8192 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Qwen2.5-72B/TP8-GateUp M=4096 N=7392 K=8192 dtype=torch.bfloat16" pass=backward cache=warm m=4096 n=7392 k=8192 dtype=bf16
gemm table=benchmark_gemm name="Qwen2.5-72B/TP8-Down M=4096 N=8192 K=3696 dtype=torch.bfloat16" pass=forward cache=warm m=4096 n=8192 k=3696 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Qwen2.5-72B/TP8-Down M=4096 N=8192 K=3696 dtype=torch.bfloat16" pass=backward cache=warm m=4096 n=8192 k=3696 dtype=bf16
gemm table=benchmark_gemm name="Qwen2.5-72B/TP8-QKV M=8192 N=1280 K=8192 dtype=torch.bfloat16" pass=forward cache=warm m=8192 n=1280 k=8192 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Qwen2.5-72B/TP8-QKV M=8192 N=1280 K=8192 dtype=torch.bfloat16" pass=backward cache=warm m=8192 n=1280 k=8192 dtype=bf16
gemm table=benchmark_gemm name="Qwen2.5-72B/TP8-AttnOut M=8192 N=8192 K=1024 dtype=torch.bfloat16" pass=forward cache=warm m=8192 n=8192 k=1024 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Qwen2.5-72B/TP8-AttnOut M=8192 N=8192 K=1024 dtype=torch.bfloat16" pass=backward cache=warm m=8192 n=8192 k=1024 dtype=bf16
gemm table=benchmark_gemm name="Qwen2.5-72B/TP8-GateUp M=8192 N=7392 K=8192 dtype=torch.bfloat16" pass=forward cache=warm m=8192 n=7392 k=8192 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Qwen2.5-72B/TP8-GateUp M=8192 N=7392 K=8192 dtype=torch.bfloat16" pass=backward cache=warm m=8192 n=7392 k=8192 dtype=bf16
gemm table=benchmark_gemm name="Qwen2.5-72B/TP8-Down M=8192 N=8192 K=3696 dtype=torch.bfloat16" pass=forward cache=warm m=8192 n=8192 k=3696 dtype=bf16 trans_b=1
gemm table=benchmark_gemm name="Qwen2.5-72B/TP8-Down M=8192 N=8192 K=3696 dtype=torch.bfloat16" pass=backward cache=warm m=8192 n=8192 k=3696 dtype=bf16

# benchmark_gemm_fp8: 96 cases, 192 cells
fp8_linear table=benchmark_gemm_fp8 name="Llama3-8B/TP1-QKV M=1024 N=6144 K=4096 dtype=torch.bfloat16" pass=forward cache=warm m=1024 n=6144 k=4096 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-8B/TP1-QKV M=1024 N=6144 K=4096 dtype=torch.bfloat16" pass=backward cache=warm m=1024 n=6144 k=4096 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-8B/TP1-AttnOut M=1024 N=4096 K=4096 dtype=torch.bfloat16" pass=forward cache=warm m=1024 n=4096 k=4096 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-8B/TP1-AttnOut M=1024 N=4096 K=4096 dtype=torch.bfloat16" pass=backward cache=warm m=1024 n=4096 k=4096 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-8B/TP1-GateUp M=1024 N=28672 K=4096 dtype=torch.bfloat16" pass=forward cache=warm m=1024 n=28672 k=4096 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-8B/TP1-GateUp M=1024 N=28672 K=4096 dtype=torch.bfloat16" pass=backward cache=warm m=1024 n=28672 k=4096 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-8B/TP1-Down M=1024 N=4096 K=14336 dtype=torch.bfloat16" pass=forward cache=warm m=1024 n=4096 k=14336 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-8B/TP1-Down M=1024 N=4096 K=14336 dtype=torch.bfloat16" pass=backward cache=warm m=1024 n=4096 k=14336 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-8B/TP1-QKV M=2048 N=6144 K=4096 dtype=torch.bfloat16" pass=forward cache=warm m=2048 n=6144 k=4096 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-8B/TP1-QKV M=2048 N=6144 K=4096 dtype=torch.bfloat16" pass=backward cache=warm m=2048 n=6144 k=4096 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-8B/TP1-AttnOut M=2048 N=4096 K=4096 dtype=torch.bfloat16" pass=forward cache=warm m=2048 n=4096 k=4096 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-8B/TP1-AttnOut M=2048 N=4096 K=4096 dtype=torch.bfloat16" pass=backward cache=warm m=2048 n=4096 k=4096 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-8B/TP1-GateUp M=2048 N=28672 K=4096 dtype=torch.bfloat16" pass=forward cache=warm m=2048 n=28672 k=4096 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-8B/TP1-GateUp M=2048 N=28672 K=4096 dtype=torch.bfloat16" pass=backward cache=warm m=2048 n=28672 k=4096 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-8B/TP1-Down M=2048 N=4096 K=14336 dtype=torch.bfloat16" pass=forward cache=warm m=2048 n=4096 k=14336 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-8B/TP1-Down M=2048 N=4096 K=14336 dtype=torch.bfloat16" pass=backward cache=warm m=2048 n=4096 k=14336 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-8B/TP1-QKV M=4096 N=6144 K=4096 dtype=torch.bfloat16" pass=forward cache=warm m=4096 n=6144 k=4096 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-8B/TP1-QKV M=4096 N=6144 K=4096 dtype=torch.bfloat16" pass=backward cache=warm m=4096 n=6144 k=4096 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-8B/TP1-AttnOut M=4096 N=4096 K=4096 dtype=torch.bfloat16" pass=forward cache=warm m=4096 n=4096 k=4096 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-8B/TP1-AttnOut M=4096 N=4096 K=4096 dtype=torch.bfloat16" pass=backward cache=warm m=4096 n=4096 k=4096 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-8B/TP1-GateUp M=4096 N=28672 K=4096 dtype=torch.bfloat16" pass=forward cache=warm m=4096 n=28672 k=4096 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-8B/TP1-GateUp M=4096 N=28672 K=4096 dtype=torch.bfloat16" pass=backward cache=warm m=4096 n=28672 k=4096 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-8B/TP1-Down M=4096 N=4096 K=14336 dtype=torch.bfloat16" pass=forward cache=warm m=4096 n=4096 k=14336 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-8B/TP1-Down M=4096 N=4096 K=14336 dtype=torch.bfloat16" pass=backward cache=warm m=4096 n=4096 k=14336 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-8B/TP1-QKV M=8192 N=6144 K=4096 dtype=torch.bfloat16" pass=forward cache=warm m=8192 n=6144 k=4096 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-8B/TP1-QKV M=8192 N=6144 K=4096 dtype=torch.bfloat16" pass=backward cache=warm m=8192 n=6144 k=4096 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-8B/TP1-AttnOut M=8192 N=4096 K=4096 dtype=torch.bfloat16" pass=forward cache=warm m=8192 n=4096 k=4096 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-8B/TP1-AttnOut M=8192 N=4096 K=4096 dtype=torch.bfloat16" pass=backward cache=warm m=8192 n=4096 k=4096 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-8B/TP1-GateUp M=8192 N=28672 K=4096 dtype=torch.bfloat16" pass=forward cache=warm m=8192 n=28672 k=4096 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-8B/TP1-GateUp M=8192 N=28672 K=4096 dtype=torch.bfloat16" pass=backward cache=warm m=8192 n=28672 k=4096 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-8B/TP1-Down M=8192 N=4096 K=14336 dtype=torch.bfloat16" pass=forward cache=warm m=8192 n=4096 k=14336 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-8B/TP1-Down M=8192 N=4096 K=14336 dtype=torch.bfloat16" pass=backward cache=warm m=8192 n=4096 k=14336 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-8B/TP8-QKV M=1024 N=768 K=4096 dtype=torch.bfloat16" pass=forward cache=warm m=1024 n=768 k=4096 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-8B/TP8-QKV M=1024 N=768 K=4096 dtype=torch.bfloat16" pass=backward cache=warm m=1024 n=768 k=4096 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-8B/TP8-AttnOut M=1024 N=4096 K=512 dtype=torch.bfloat16" pass=forward cache=warm m=1024 n=4096 k=512 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-8B/TP8-AttnOut M=1024 N=4096 K=512 dtype=torch.bfloat16" pass=backward cache=warm m=1024 n=4096 k=512 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-8B/TP8-GateUp M=1024 N=3584 K=4096 dtype=torch.bfloat16" pass=forward cache=warm m=1024 n=3584 k=4096 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-8B/TP8-GateUp M=1024 N=3584 K=4096 dtype=torch.bfloat16" pass=backward cache=warm m=1024 n=3584 k=4096 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-8B/TP8-Down M=1024 N=4096 K=1792 dtype=torch.bfloat16" pass=forward cache=warm m=1024 n=4096 k=1792 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-8B/TP8-Down M=1024 N=4096 K=1792 dtype=torch.bfloat16" pass=backward cache=warm m=1024 n=4096 k=1792 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-8B/TP8-QKV M=2048 N=768 K=4096 dtype=torch.bfloat16" pass=forward cache=warm m=2048 n=768 k=4096 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-8B/TP8-QKV M=2048 N=768 K=4096 dtype=torch.bfloat16" pass=backward cache=warm m=2048 n=768 k=4096 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-8B/TP8-AttnOut M=2048 N=4096 K=512 dtype=torch.bfloat16" pass=forward cache=warm m=2048 n=4096 k=512 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-8B/TP8-AttnOut M=2048 N=4096 K=512 dtype=torch.bfloat16" pass=backward cache=warm m=2048 n=4096 k=512 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-8B/TP8-GateUp M=2048 N=3584 K=4096 dtype=torch.bfloat16" pass=forward cache=warm m=2048 n=3584 k=4096 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-8B/TP8-GateUp M=2048 N=3584 K=4096 dtype=torch.bfloat16" pass=backward cache=warm m=2048 n=3584 k=4096 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-8B/TP8-Down M=2048 N=4096 K=1792 dtype=torch.bfloat16" pass=forward cache=warm m=2048 n=4096 k=1792 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-8B/TP8-Down M=2048 N=4096 K=1792 dtype=torch.bfloat16" pass=backward cache=warm m=2048 n=4096 k=1792 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-8B/TP8-QKV M=4096 N=768 K=4096 dtype=torch.bfloat16" pass=forward cache=warm m=4096 n=768 k=4096 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-8B/TP8-QKV M=4096 N=768 K=4096 dtype=torch.bfloat16" pass=backward cache=warm m=4096 n=768 k=4096 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-8B/TP8-AttnOut M=4096 N=4096 K=512 dtype=torch.bfloat16" pass=forward cache=warm m=4096 n=4096 k=512 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-8B/TP8-AttnOut M=4096 N=4096 K=512 dtype=torch.bfloat16" pass=backward cache=warm m=4096 n=4096 k=512 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-8B/TP8-GateUp M=4096 N=3584 K=4096 dtype=torch.bfloat16" pass=forward cache=warm m=4096 n=3584 k=4096 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-8B/TP8-GateUp M=4096 N=3584 K=4096 dtype=torch.bfloat16" pass=backward cache=warm m=4096 n=3584 k=4096 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-8B/TP8-Down M=4096 N=4096 K=1792 dtype=torch.bfloat16" pass=forward cache=warm m=4096 n=4096 k=1792 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-8B/TP8-Down M=4096 N=4096 K=1792 dtype=torch.bfloat16" pass=backward cache=warm m=4096 n=4096 k=1792 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-8B/TP8-QKV M=8192 N=768 K=4096 dtype=torch.bfloat16" pass=forward cache=warm m=8192 n=768 k=4096 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-8B/TP8-QKV M=8192 N=768 K=4096 dtype=torch.bfloat16" pass=backward cache=warm m=8192 n=768 k=4096 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-8B/TP8-AttnOut M=8192 N=4096 K=512 dtype=torch.bfloat16" pass=forward cache=warm m=8192 n=4096 k=512 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-8B/TP8-AttnOut M=8192 N=4096 K=512 dtype=torch.bfloat16" pass=backward cache=warm m=8192 n=4096 k=512 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-8B/TP8-GateUp M=8192 N=3584 K=4096 dtype=torch.bfloat16" pass=forward cache=warm m=8192 n=3584 k=4096 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-8B/TP8-GateUp M=8192 N=3584 K=4096 dtype=torch.bfloat16" pass=backward cache=warm m=8192 n=3584 k=4096 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-8B/TP8-Down M=8192 N=4096 K=1792 dtype=torch.bfloat16" pass=forward cache=warm m=8192 n=4096 k=1792 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-8B/TP8-Down M=8192 N=4096 K=1792 dtype=torch.bfloat16" pass=backward cache=warm m=8192 n=4096 k=1792 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-70B/TP8-QKV M=1024 N=1280 K=8192 dtype=torch.bfloat16" pass=forward cache=warm m=1024 n=1280 k=8192 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-70B/TP8-QKV M=1024 N=1280 K=8192 dtype=torch.bfloat16" pass=backward cache=warm m=1024 n=1280 k=8192 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-70B/TP8-AttnOut M=1024 N=8192 K=1024 dtype=torch.bfloat16" pass=forward cache=warm m=1024 n=8192 k=1024 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-70B/TP8-AttnOut M=1024 N=8192 K=1024 dtype=torch.bfloat16" pass=backward cache=warm m=1024 n=8192 k=1024 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-70B/TP8-GateUp M=1024 N=7168 K=8192 dtype=torch.bfloat16" pass=forward cache=warm m=1024 n=7168 k=8192 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-70B/TP8-GateUp M=1024 N=7168 K=8192 dtype=torch.bfloat16" pass=backward cache=warm m=1024 n=7168 k=8192 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-70B/TP8-Down M=1024 N=8192 K=3584 dtype=torch.bfloat16" pass=forward cache=warm m=1024 n=8192 k=3584 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-70B/TP8-Down M=1024 N=8192 K=3584 dtype=torch.bfloat16" pass=backward cache=warm m=1024 n=8192 k=3584 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-70B/TP8-QKV M=2048 N=1280 K=8192 dtype=torch.bfloat16" pass=forward cache=warm m=2048 n=1280 k=8192 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-70B/TP8-QKV M=2048 N=1280 K=8192 dtype=torch.bfloat16" pass=backward cache=warm m=2048 n=1280 k=8192 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-70B/TP8-AttnOut M=2048 N=8192 K=1024 dtype=torch.bfloat16" pass=forward cache=warm m=2048 n=8192 k=1024 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-70B/TP8-AttnOut M=2048 N=8192 K=1024 dtype=torch.bfloat16" pass=backward cache=warm m=2048 n=8192 k=1024 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-70B/TP8-GateUp M=2048 N=7168 K=8192 dtype=torch.bfloat16" pass=forward cache=warm m=2048 n=7168 k=8192 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-70B/TP8-GateUp M=2048 N=7168 K=8192 dtype=torch.bfloat16" pass=backward cache=warm m=2048 n=7168 k=8192 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-70B/TP8-Down M=2048 N=8192 K=3584 dtype=torch.bfloat16" pass=forward cache=warm m=2048 n=8192 k=3584 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-70B/TP8-Down M=2048 N=8192 K=3584 dtype=torch.bfloat16" pass=backward cache=warm m=2048 n=8192 k=3584 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-70B/TP8-QKV M=4096 N=1280 K=8192 dtype=torch.bfloat16" pass=forward cache=warm m=4096 n=1280 k=8192 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-70B/TP8-QKV M=4096 N=1280 K=8192 dtype=torch.bfloat16" pass=backward cache=warm m=4096 n=1280 k=8192 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-70B/TP8-AttnOut M=4096 N=8192 K=1024 dtype=torch.bfloat16" pass=forward cache=warm m=4096 n=8192 k=1024 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-70B/TP8-AttnOut M=4096 N=8192 K=1024 dtype=torch.bfloat16" pass=backward cache=warm m=4096 n=8192 k=1024 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-70B/TP8-GateUp M=4096 N=7168 K=8192 dtype=torch.bfloat16" pass=forward cache=warm m=4096 n=7168 k=8192 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-70B/TP8-GateUp M=4096 N=7168 K=8192 dtype=torch.bfloat16" pass=backward cache=warm m=4096 n=7168 k=8192 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-70B/TP8-Down M=4096 N=8192 K=3584 dtype=torch.bfloat16" pass=forward cache=warm m=4096 n=8192 k=3584 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-70B/TP8-Down M=4096 N=8192 K=3584 dtype=torch.bfloat16" pass=backward cache=warm m=4096 n=8192 k=3584 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-70B/TP8-QKV M=8192 N=1280 K=8192 dtype=torch.bfloat16" pass=forward cache=warm m=8192 n=1280 k=8192 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-70B/TP8-QKV M=8192 N=1280 K=8192 dtype=torch.bfloat16" pass=backward cache=warm m=8192 n=1280 k=8192 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-70B/TP8-AttnOut M=8192 N=8192 K=1024 dtype=torch.bfloat16" pass=forward cache=warm m=8192 n=8192 k=1024 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-70B/TP8-AttnOut M=8192 N=8192 K=1024 dtype=torch.bfloat16" pass=backward cache=warm m=8192 n=8192 k=1024 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-70B/TP8-GateUp M=8192 N=7168 K=8192 dtype=torch.bfloat16" pass=forward cache=warm m=8192 n=7168 k=8192 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-70B/TP8-GateUp M=8192 N=7168 K=8192 dtype=torch.bfloat16" pass=backward cache=warm m=8192 n=7168 k=8192 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-70B/TP8-Down M=8192 N=8192 K=3584 dtype=torch.bfloat16" pass=forward cache=warm m=8192 n=8192 k=3584 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-70B/TP8-Down M=8192 N=8192 K=3584 dtype=torch.bfloat16" pass=backward cache=warm m=8192 n=8192 k=3584 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-405B/TP8-QKV M=1024 N=2304 K=16384 dtype=torch.bfloat16" pass=forward cache=warm m=1024 n=2304 k=16384 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-405B/TP8-QKV M=1024 N=2304 K=16384 dtype=torch.bfloat16" pass=backward cache=warm m=1024 n=2304 k=16384 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-405B/TP8-AttnOut M=1024 N=16384 K=2048 dtype=torch.bfloat16" pass=forward cache=warm m=1024 n=16384 k=2048 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-405B/TP8-AttnOut M=1024 N=16384 K=2048 dtype=torch.bfloat16" pass=backward cache=warm m=1024 n=16384 k=2048 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-405B/TP8-GateUp M=1024 N=13312 K=16384 dtype=torch.bfloat16" pass=forward cache=warm m=1024 n=13312 k=16384 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-405B/TP8-GateUp M=1024 N=13312 K=16384 dtype=torch.bfloat16" pass=backward cache=warm m=1024 n=13312 k=16384 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-405B/TP8-Down M=1024 N=16384 K=6656 dtype=torch.bfloat16" pass=forward cache=warm m=1024 n=16384 k=6656 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-405B/TP8-Down M=1024 N=16384 K=6656 dtype=torch.bfloat16" pass=backward cache=warm m=1024 n=16384 k=6656 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-405B/TP8-QKV M=2048 N=2304 K=16384 dtype=torch.bfloat16" pass=forward cache=warm m=2048 n=2304 k=16384 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-405B/TP8-QKV M=2048 N=2304 K=16384 dtype=torch.bfloat16" pass=backward cache=warm m=2048 n=2304 k=16384 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-405B/TP8-AttnOut M=2048 N=16384 K=2048 dtype=torch.bfloat16" pass=forward cache=warm m=2048 n=16384 k=2048 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-405B/TP8-AttnOut M=2048 N=16384 K=2048 dtype=torch.bfloat16" pass=backward cache=warm m=2048 n=16384 k=2048 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-405B/TP8-GateUp M=2048 N=13312 K=16384 dtype=torch.bfloat16" pass=forward cache=warm m=2048 n=13312 k=16384 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-405B/TP8-GateUp M=2048 N=13312 K=16384 dtype=torch.bfloat16" pass=backward cache=warm m=2048 n=13312 k=16384 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-405B/TP8-Down M=2048 N=16384 K=6656 dtype=torch.bfloat16" pass=forward cache=warm m=2048 n=16384 k=6656 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-405B/TP8-Down M=2048 N=16384 K=6656 dtype=torch.bfloat16" pass=backward cache=warm m=2048 n=16384 k=6656 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-405B/TP8-QKV M=4096 N=2304 K=16384 dtype=torch.bfloat16" pass=forward cache=warm m=4096 n=2304 k=16384 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-405B/TP8-QKV M=4096 N=2304 K=16384 dtype=torch.bfloat16" pass=backward cache=warm m=4096 n=2304 k=16384 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-405B/TP8-AttnOut M=4096 N=16384 K=2048 dtype=torch.bfloat16" pass=forward cache=warm m=4096 n=16384 k=2048 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-405B/TP8-AttnOut M=4096 N=16384 K=2048 dtype=torch.bfloat16" pass=backward cache=warm m=4096 n=16384 k=2048 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-405B/TP8-GateUp M=4096 N=13312 K=16384 dtype=torch.bfloat16" pass=forward cache=warm m=4096 n=13312 k=16384 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-405B/TP8-GateUp M=4096 N=13312 K=16384 dtype=torch.bfloat16" pass=backward cache=warm m=4096 n=13312 k=16384 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-405B/TP8-Down M=4096 N=16384 K=6656 dtype=torch.bfloat16" pass=forward cache=warm m=4096 n=16384 k=6656 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-405B/TP8-Down M=4096 N=16384 K=6656 dtype=torch.bfloat16" pass=backward cache=warm m=4096 n=16384 k=6656 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-405B/TP8-QKV M=8192 N=2304 K=16384 dtype=torch.bfloat16" pass=forward cache=warm m=8192 n=2304 k=16384 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-405B/TP8-QKV M=8192 N=2304 K=16384 dtype=torch.bfloat16" pass=backward cache=warm m=8192 n=2304 k=16384 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-405B/TP8-AttnOut M=8192 N=16384 K=2048 dtype=torch.bfloat16" pass=forward cache=warm m=8192 n=16384 k=2048 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-405B/TP8-AttnOut M=8192 N=16384 K=2048 dtype=torch.bfloat16" pass=backward cache=warm m=8192 n=16384 k=2048 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-405B/TP8-GateUp M=8192 N=13312 K=16384 dtype=torch.bfloat16" pass=forward cache=warm m=8192 n=13312 k=16384 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-405B/TP8-GateUp M=8192 N=13312 K=16384 dtype=torch.bfloat16" pass=backward cache=warm m=8192 n=13312 k=16384 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-405B/TP8-Down M=8192 N=16384 K=6656 dtype=torch.bfloat16" pass=forward cache=warm m=8192 n=16384 k=6656 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Llama3-405B/TP8-Down M=8192 N=16384 K=6656 dtype=torch.bfloat16" pass=backward cache=warm m=8192 n=16384 k=6656 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Qwen2.5-7B/TP1-QKV M=1024 N=4608 K=3584 dtype=torch.bfloat16" pass=forward cache=warm m=1024 n=4608 k=3584 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Qwen2.5-7B/TP1-QKV M=1024 N=4608 K=3584 dtype=torch.bfloat16" pass=backward cache=warm m=1024 n=4608 k=3584 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Qwen2.5-7B/TP1-AttnOut M=1024 N=3584 K=3584 dtype=torch.bfloat16" pass=forward cache=warm m=1024 n=3584 k=3584 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Qwen2.5-7B/TP1-AttnOut M=1024 N=3584 K=3584 dtype=torch.bfloat16" pass=backward cache=warm m=1024 n=3584 k=3584 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Qwen2.5-7B/TP1-GateUp M=1024 N=37888 K=3584 dtype=torch.bfloat16" pass=forward cache=warm m=1024 n=37888 k=3584 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Qwen2.5-7B/TP1-GateUp M=1024 N=37888 K=3584 dtype=torch.bfloat16" pass=backward cache=warm m=1024 n=37888 k=3584 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Qwen2.5-7B/TP1-Down M=1024 N=3584 K=18944 dtype=torch.bfloat16" pass=forward cache=warm m=1024 n=3584 k=18944 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Qwen2.5-7B/TP1-Down M=1024 N=3584 K=18944 dtype=torch.bfloat16" pass=backward cache=warm m=1024 n=3584 k=18944 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Qwen2.5-7B/TP1-QKV M=2048 N=4608 K=3584 dtype=torch.bfloat16" pass=forward cache=warm m=2048 n=4608 k=3584 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Qwen2.5-7B/TP1-QKV M=2048 N=4608 K=3584 dtype=torch.bfloat16" pass=backward cache=warm m=2048 n=4608 k=3584 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Qwen2.5-7B/TP1-AttnOut M=2048 N=3584 K=3584 dtype=torch.bfloat16" pass=forward cache=warm m=2048 n=3584 k=3584 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Qwen2.5-7B/TP1-AttnOut M=2048 N=3584 K=3584 dtype=torch.bfloat16" pass=backward cache=warm m=2048 n=3584 k=3584 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Qwen2.5-7B/TP1-GateUp M=2048 N=37888 K=3584 dtype=torch.bfloat16" pass=forward cache=warm m=2048 n=37888 k=3584 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Qwen2.5-7B/TP1-GateUp M=2048 N=37888 K=3584 dtype=torch.bfloat16" pass=backward cache=warm m=2048 n=37888 k=3584 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Qwen2.5-7B/TP1-Down M=2048 N=3584 K=18944 dtype=torch.bfloat16" pass=forward cache=warm m=2048 n=3584 k=18944 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Qwen2.5-7B/TP1-Down M=2048 N=3584 K=18944 dtype=torch.bfloat16" pass=backward cache=warm m=2048 n=3584 k=18944 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Qwen2.5-7B/TP1-QKV M=4096 N=4608 K=3584 dtype=torch.bfloat16" pass=forward cache=warm m=4096 n=4608 k=3584 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Qwen2.5-7B/TP1-QKV M=4096 N=4608 K=3584 dtype=torch.bfloat16" pass=backward cache=warm m=4096 n=4608 k=3584 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Qwen2.5-7B/TP1-AttnOut M=4096 N=3584 K=3584 dtype=torch.bfloat16" pass=forward cache=warm m=4096 n=3584 k=3584 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Qwen2.5-7B/TP1-AttnOut M=4096 N=3584 K=3584 dtype=torch.bfloat16" pass=backward cache=warm m=4096 n=3584 k=3584 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Qwen2.5-7B/TP1-GateUp M=4096 N=37888 K=3584 dtype=torch.bfloat16" pass=forward cache=warm m=4096 n=37888 k=3584 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Qwen2.5-7B/TP1-GateUp M=4096 N=37888 K=3584 dtype=torch.bfloat16" pass=backward cache=warm m=4096 n=37888 k=3584 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Qwen2.5-7B/TP1-Down M=4096 N=3584 K=18944 dtype=torch.bfloat16" pass=forward cache=warm m=4096 n=3584 k=18944 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Qwen2.5-7B/TP1-Down M=4096 N=3584 K=18944 dtype=torch.bfloat16" pass=backward cache=warm m=4096 n=3584 k=18944 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Qwen2.5-7B/TP1-QKV M=8192 N=4608 K=3584 dtype=torch.bfloat16" pass=forward cache=warm m=8192 n=4608 k=3584 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Qwen2.5-7B/TP1-QKV M=8192 N=4608 K=3584 dtype=torch.bfloat16" pass=backward cache=warm m=8192 n=4608 k=3584 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Qwen2.5-7B/TP1-AttnOut M=8192 N=3584 K=3584 dtype=torch.bfloat16" pass=forward cache=warm m=8192 n=3584 k=3584 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Qwen2.5-7B/TP1-AttnOut M=8192 N=3584 K=3584 dtype=torch.bfloat16" pass=backward cache=warm m=8192 n=3584 k=3584 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Qwen2.5-7B/TP1-GateUp M=8192 N=37888 K=3584 dtype=torch.bfloat16" pass=forward cache=warm m=8192 n=37888 k=3584 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Qwen2.5-7B/TP1-GateUp M=8192 N=37888 K=3584 dtype=torch.bfloat16" pass=backward cache=warm m=8192 n=37888 k=3584 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Qwen2.5-7B/TP1-Down M=8192 N=3584 K=18944 dtype=torch.bfloat16" pass=forward cache=warm m=8192 n=3584 k=18944 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Qwen2.5-7B/TP1-Down M=8192 N=3584 K=18944 dtype=torch.bfloat16" pass=backward cache=warm m=8192 n=3584 k=18944 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Qwen2.5-72B/TP8-QKV M=1024 N=1280 K=8192 dtype=torch.bfloat16" pass=forward cache=warm m=1024 n=1280 k=8192 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Qwen2.5-72B/TP8-QKV M=1024 N=1280 K=8192 dtype=torch.bfloat16" pass=backward cache=warm m=1024 n=1280 k=8192 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Qwen2.5-72B/TP8-AttnOut M=1024 N=8192 K=1024 dtype=torch.bfloat16" pass=forward cache=warm m=1024 n=8192 k=1024 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Qwen2.5-72B/TP8-AttnOut M=1024 N=8192 K=1024 dtype=torch.bfloat16" pass=backward cache=warm m=1024 n=8192 k=1024 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Qwen2.5-72B/TP8-GateUp M=1024 N=7392 K=8192 dtype=torch.bfloat16" pass=forward cache=warm m=1024 n=7392 k=8192 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Qwen2.5-72B/TP8-GateUp M=1024 N=7392 K=8192 dtype=torch.bfloat16" pass=backward cache=warm m=1024 n=7392 k=8192 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Qwen2.5-72B/TP8-Down M=1024 N=8192 K=3696 dtype=torch.bfloat16" pass=forward cache=warm m=1024 n=8192 k=3696 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Qwen2.5-72B/TP8-Down M=1024 N=8192 K=3696 dtype=torch.bfloat16" pass=backward cache=warm m=1024 n=8192 k=3696 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Qwen2.5-72B/TP8-QKV M=2048 N=1280 K=8192 dtype=torch.bfloat16" pass=forward cache=warm m=2048 n=1280 k=8192 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Qwen2.5-72B/TP8-QKV M=2048 N=1280 K=8192 dtype=torch.bfloat16" pass=backward cache=warm m=2048 n=1280 k=8192 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Qwen2.5-72B/TP8-AttnOut M=2048 N=8192 K=1024 dtype=torch.bfloat16" pass=forward cache=warm m=2048 n=8192 k=1024 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Qwen2.5-72B/TP8-AttnOut M=2048 N=8192 K=1024 dtype=torch.bfloat16" pass=backward cache=warm m=2048 n=8192 k=1024 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Qwen2.5-72B/TP8-GateUp M=2048 N=7392 K=8192 dtype=torch.bfloat16" pass=forward cache=warm m=2048 n=7392 k=8192 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Qwen2.5-72B/TP8-GateUp M=2048 N=7392 K=8192 dtype=torch.bfloat16" pass=backward cache=warm m=2048 n=7392 k=8192 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Qwen2.5-72B/TP8-Down M=2048 N=8192 K=3696 dtype=torch.bfloat16" pass=forward cache=warm m=2048 n=8192 k=3696 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Qwen2.5-72B/TP8-Down M=2048 N=8192 K=3696 dtype=torch.bfloat16" pass=backward cache=warm m=2048 n=8192 k=3696 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Qwen2.5-72B/TP8-QKV M=4096 N=1280 K=8192 dtype=torch.bfloat16" pass=forward cache=warm m=4096 n=1280 k=8192 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Qwen2.5-72B/TP8-QKV M=4096 N=1280 K=8192 dtype=torch.bfloat16" pass=backward cache=warm m=4096 n=1280 k=8192 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Qwen2.5-72B/TP8-AttnOut M=4096 N=8192 K=1024 dtype=torch.bfloat16" pass=forward cache=warm m=4096 n=8192 k=1024 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Qwen2.5-72B/TP8-AttnOut M=4096 N=8192 K=1024 dtype=torch.bfloat16" pass=backward cache=warm m=4096 n=8192 k=1024 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Qwen2.5-72B/TP8-GateUp M=4096 N=7392 K=8192 dtype=torch.bfloat16" pass=forward cache=warm m=4096 n=7392 k=8192 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Qwen2.5-72B/TP8-GateUp M=4096 N=7392 K=8192 dtype=torch.bfloat16" pass=backward cache=warm m=4096 n=7392 k=8192 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Qwen2.5-72B/TP8-Down M=4096 N=8192 K=3696 dtype=torch.bfloat16" pass=forward cache=warm m=4096 n=8192 k=3696 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Qwen2.5-72B/TP8-Down M=4096 N=8192 K=3696 dtype=torch.bfloat16" pass=backward cache=warm m=4096 n=8192 k=3696 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Qwen2.5-72B/TP8-QKV M=8192 N=1280 K=8192 dtype=torch.bfloat16" pass=forward cache=warm m=8192 n=1280 k=8192 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Qwen2.5-72B/TP8-QKV M=8192 N=1280 K=8192 dtype=torch.bfloat16" pass=backward cache=warm m=8192 n=1280 k=8192 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Qwen2.5-72B/TP8-AttnOut M=8192 N=8192 K=1024 dtype=torch.bfloat16" pass=forward cache=warm m=8192 n=8192 k=1024 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Qwen2.5-72B/TP8-AttnOut M=8192 N=8192 K=1024 dtype=torch.bfloat16" pass=backward cache=warm m=8192 n=8192 k=1024 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Qwen2.5-72B/TP8-GateUp M=8192 N=7392 K=8192 dtype=torch.bfloat16" pass=forward cache=warm m=8192 n=7392 k=8192 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Qwen2.5-72B/TP8-GateUp M=8192 N=7392 K=8192 dtype=torch.bfloat16" pass=backward cache=warm m=8192 n=7392 k=8192 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Qwen2.5-72B/TP8-Down M=8192 N=8192 K=3696 dtype=torch.bfloat16" pass=forward cache=warm m=8192 n=8192 k=3696 scaling=delayed
fp8_linear table=benchmark_gemm_fp8 name="Qwen2.5-72B/TP8-Down M=8192 N=8192 K=3696 dtype=torch.bfloat16" pass=backward cache=warm m=8192 n=8192 k=3696 scaling=delayed

# benchmark_grouped_gemm: 80 cases, 160 cells
grouped_gemm table=benchmark_grouped_gemm name="DSV2-Lite-GateUP B=2 M=512 N=2816 K=2048 dtype=torch.bfloat16" pass=forward cache=warm g=2 m=512 n=2816 k=2048 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-Lite-GateUP B=2 M=512 N=2816 K=2048 dtype=torch.bfloat16" pass=backward cache=warm g=2 m=512 n=2816 k=2048 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-Lite-Down B=2 M=512 N=2048 K=1408 dtype=torch.bfloat16" pass=forward cache=warm g=2 m=512 n=2048 k=1408 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-Lite-Down B=2 M=512 N=2048 K=1408 dtype=torch.bfloat16" pass=backward cache=warm g=2 m=512 n=2048 k=1408 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-Lite-GateUP B=2 M=1024 N=2816 K=2048 dtype=torch.bfloat16" pass=forward cache=warm g=2 m=1024 n=2816 k=2048 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-Lite-GateUP B=2 M=1024 N=2816 K=2048 dtype=torch.bfloat16" pass=backward cache=warm g=2 m=1024 n=2816 k=2048 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-Lite-Down B=2 M=1024 N=2048 K=1408 dtype=torch.bfloat16" pass=forward cache=warm g=2 m=1024 n=2048 k=1408 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-Lite-Down B=2 M=1024 N=2048 K=1408 dtype=torch.bfloat16" pass=backward cache=warm g=2 m=1024 n=2048 k=1408 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-Lite-GateUP B=2 M=2048 N=2816 K=2048 dtype=torch.bfloat16" pass=forward cache=warm g=2 m=2048 n=2816 k=2048 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-Lite-GateUP B=2 M=2048 N=2816 K=2048 dtype=torch.bfloat16" pass=backward cache=warm g=2 m=2048 n=2816 k=2048 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-Lite-Down B=2 M=2048 N=2048 K=1408 dtype=torch.bfloat16" pass=forward cache=warm g=2 m=2048 n=2048 k=1408 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-Lite-Down B=2 M=2048 N=2048 K=1408 dtype=torch.bfloat16" pass=backward cache=warm g=2 m=2048 n=2048 k=1408 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-Lite-GateUP B=2 M=4096 N=2816 K=2048 dtype=torch.bfloat16" pass=forward cache=warm g=2 m=4096 n=2816 k=2048 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-Lite-GateUP B=2 M=4096 N=2816 K=2048 dtype=torch.bfloat16" pass=backward cache=warm g=2 m=4096 n=2816 k=2048 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-Lite-Down B=2 M=4096 N=2048 K=1408 dtype=torch.bfloat16" pass=forward cache=warm g=2 m=4096 n=2048 k=1408 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-Lite-Down B=2 M=4096 N=2048 K=1408 dtype=torch.bfloat16" pass=backward cache=warm g=2 m=4096 n=2048 k=1408 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-Lite-GateUP B=4 M=512 N=2816 K=2048 dtype=torch.bfloat16" pass=forward cache=warm g=4 m=512 n=2816 k=2048 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-Lite-GateUP B=4 M=512 N=2816 K=2048 dtype=torch.bfloat16" pass=backward cache=warm g=4 m=512 n=2816 k=2048 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-Lite-Down B=4 M=512 N=2048 K=1408 dtype=torch.bfloat16" pass=forward cache=warm g=4 m=512 n=2048 k=1408 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-Lite-Down B=4 M=512 N=2048 K=1408 dtype=torch.bfloat16" pass=backward cache=warm g=4 m=512 n=2048 k=1408 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-Lite-GateUP B=4 M=1024 N=2816 K=2048 dtype=torch.bfloat16" pass=forward cache=warm g=4 m=1024 n=2816 k=2048 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-Lite-GateUP B=4 M=1024 N=2816 K=2048 dtype=torch.bfloat16" pass=backward cache=warm g=4 m=1024 n=2816 k=2048 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-Lite-Down B=4 M=1024 N=2048 K=1408 dtype=torch.bfloat16" pass=forward cache=warm g=4 m=1024 n=2048 k=1408 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-Lite-Down B=4 M=1024 N=2048 K=1408 dtype=torch.bfloat16" pass=backward cache=warm g=4 m=1024 n=2048 k=1408 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-Lite-GateUP B=4 M=2048 N=2816 K=2048 dtype=torch.bfloat16" pass=forward cache=warm g=4 m=2048 n=2816 k=2048 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-Lite-GateUP B=4 M=2048 N=2816 K=2048 dtype=torch.bfloat16" pass=backward cache=warm g=4 m=2048 n=2816 k=2048 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-Lite-Down B=4 M=2048 N=2048 K=1408 dtype=torch.bfloat16" pass=forward cache=warm g=4 m=2048 n=2048 k=1408 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-Lite-Down B=4 M=2048 N=2048 K=1408 dtype=torch.bfloat16" pass=backward cache=warm g=4 m=2048 n=2048 k=1408 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-Lite-GateUP B=4 M=4096 N=2816 K=2048 dtype=torch.bfloat16" pass=forward cache=warm g=4 m=4096 n=2816 k=2048 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-Lite-GateUP B=4 M=4096 N=2816 K=2048 dtype=torch.bfloat16" pass=backward cache=warm g=4 m=4096 n=2816 k=2048 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-Lite-Down B=4 M=4096 N=2048 K=1408 dtype=torch.bfloat16" pass=forward cache=warm g=4 m=4096 n=2048 k=1408 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-Lite-Down B=4 M=4096 N=2048 K=1408 dtype=torch.bfloat16" pass=backward cache=warm g=4 m=4096 n=2048 k=1408 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-Lite-GateUP B=8 M=512 N=2816 K=2048 dtype=torch.bfloat16" pass=forward cache=warm g=8 m=512 n=2816 k=2048 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-Lite-GateUP B=8 M=512 N=2816 K=2048 dtype=torch.bfloat16" pass=backward cache=warm g=8 m=512 n=2816 k=2048 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-Lite-Down B=8 M=512 N=2048 K=1408 dtype=torch.bfloat16" pass=forward cache=warm g=8 m=512 n=2048 k=1408 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-Lite-Down B=8 M=512 N=2048 K=1408 dtype=torch.bfloat16" pass=backward cache=warm g=8 m=512 n=2048 k=1408 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-Lite-GateUP B=8 M=1024 N=2816 K=2048 dtype=torch.bfloat16" pass=forward cache=warm g=8 m=1024 n=2816 k=2048 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-Lite-GateUP B=8 M=1024 N=2816 K=2048 dtype=torch.bfloat16" pass=backward cache=warm g=8 m=1024 n=2816 k=2048 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-Lite-Down B=8 M=1024 N=2048 K=1408 dtype=torch.bfloat16" pass=forward cache=warm g=8 m=1024 n=2048 k=1408 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-Lite-Down B=8 M=1024 N=2048 K=1408 dtype=torch.bfloat16" pass=backward cache=warm g=8 m=1024 n=2048 k=1408 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-Lite-GateUP B=8 M=2048 N=2816 K=2048 dtype=torch.bfloat16" pass=forward cache=warm g=8 m=2048 n=2816 k=2048 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-Lite-GateUP B=8 M=2048 N=2816 K=2048 dtype=torch.bfloat16" pass=backward cache=warm g=8 m=2048 n=2816 k=2048 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-Lite-Down B=8 M=2048 N=2048 K=1408 dtype=torch.bfloat16" pass=forward cache=warm g=8 m=2048 n=2048 k=1408 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-Lite-Down B=8 M=2048 N=2048 K=1408 dtype=torch.bfloat16" pass=backward cache=warm g=8 m=2048 n=2048 k=1408 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-Lite-GateUP B=8 M=4096 N=2816 K=2048 dtype=torch.bfloat16" pass=forward cache=warm g=8 m=4096 n=2816 k=2048 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-Lite-GateUP B=8 M=4096 N=2816 K=2048 dtype=torch.bfloat16" pass=backward cache=warm g=8 m=4096 n=2816 k=2048 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-Lite-Down B=8 M=4096 N=2048 K=1408 dtype=torch.bfloat16" pass=forward cache=warm g=8 m=4096 n=2048 k=1408 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-Lite-Down B=8 M=4096 N=2048 K=1408 dtype=torch.bfloat16" pass=backward cache=warm g=8 m=4096 n=2048 k=1408 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-GateUP B=5 M=512 N=3072 K=5120 dtype=torch.bfloat16" pass=forward cache=warm g=5 m=512 n=3072 k=5120 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-GateUP B=5 M=512 N=3072 K=5120 dtype=torch.bfloat16" pass=backward cache=warm g=5 m=512 n=3072 k=5120 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-Down B=5 M=512 N=5120 K=1536 dtype=torch.bfloat16" pass=forward cache=warm g=5 m=512 n=5120 k=1536 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-Down B=5 M=512 N=5120 K=1536 dtype=torch.bfloat16" pass=backward cache=warm g=5 m=512 n=5120 k=1536 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-GateUP B=5 M=1024 N=3072 K=5120 dtype=torch.bfloat16" pass=forward cache=warm g=5 m=1024 n=3072 k=5120 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-GateUP B=5 M=1024 N=3072 K=5120 dtype=torch.bfloat16" pass=backward cache=warm g=5 m=1024 n=3072 k=5120 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-Down B=5 M=1024 N=5120 K=1536 dtype=torch.bfloat16" pass=forward cache=warm g=5 m=1024 n=5120 k=1536 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-Down B=5 M=1024 N=5120 K=1536 dtype=torch.bfloat16" pass=backward cache=warm g=5 m=1024 n=5120 k=1536 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-GateUP B=5 M=2048 N=3072 K=5120 dtype=torch.bfloat16" pass=forward cache=warm g=5 m=2048 n=3072 k=5120 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-GateUP B=5 M=2048 N=3072 K=5120 dtype=torch.bfloat16" pass=backward cache=warm g=5 m=2048 n=3072 k=5120 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-Down B=5 M=2048 N=5120 K=1536 dtype=torch.bfloat16" pass=forward cache=warm g=5 m=2048 n=5120 k=1536 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-Down B=5 M=2048 N=5120 K=1536 dtype=torch.bfloat16" pass=backward cache=warm g=5 m=2048 n=5120 k=1536 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-GateUP B=5 M=4096 N=3072 K=5120 dtype=torch.bfloat16" pass=forward cache=warm g=5 m=4096 n=3072 k=5120 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-GateUP B=5 M=4096 N=3072 K=5120 dtype=torch.bfloat16" pass=backward cache=warm g=5 m=4096 n=3072 k=5120 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-Down B=5 M=4096 N=5120 K=1536 dtype=torch.bfloat16" pass=forward cache=warm g=5 m=4096 n=5120 k=1536 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-Down B=5 M=4096 N=5120 K=1536 dtype=torch.bfloat16" pass=backward cache=warm g=5 m=4096 n=5120 k=1536 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-GateUP B=10 M=512 N=3072 K=5120 dtype=torch.bfloat16" pass=forward cache=warm g=10 m=512 n=3072 k=5120 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-GateUP B=10 M=512 N=3072 K=5120 dtype=torch.bfloat16" pass=backward cache=warm g=10 m=512 n=3072 k=5120 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-Down B=10 M=512 N=5120 K=1536 dtype=torch.bfloat16" pass=forward cache=warm g=10 m=512 n=5120 k=1536 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-Down B=10 M=512 N=5120 K=1536 dtype=torch.bfloat16" pass=backward cache=warm g=10 m=512 n=5120 k=1536 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-GateUP B=10 M=1024 N=3072 K=5120 dtype=torch.bfloat16" pass=forward cache=warm g=10 m=1024 n=3072 k=5120 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-GateUP B=10 M=1024 N=3072 K=5120 dtype=torch.bfloat16" pass=backward cache=warm g=10 m=1024 n=3072 k=5120 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-Down B=10 M=1024 N=5120 K=1536 dtype=torch.bfloat16" pass=forward cache=warm g=10 m=1024 n=5120 k=1536 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-Down B=10 M=1024 N=5120 K=1536 dtype=torch.bfloat16" pass=backward cache=warm g=10 m=1024 n=5120 k=1536 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-GateUP B=10 M=2048 N=3072 K=5120 dtype=torch.bfloat16" pass=forward cache=warm g=10 m=2048 n=3072 k=5120 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-GateUP B=10 M=2048 N=3072 K=5120 dtype=torch.bfloat16" pass=backward cache=warm g=10 m=2048 n=3072 k=5120 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-Down B=10 M=2048 N=5120 K=1536 dtype=torch.bfloat16" pass=forward cache=warm g=10 m=2048 n=5120 k=1536 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-Down B=10 M=2048 N=5120 K=1536 dtype=torch.bfloat16" pass=backward cache=warm g=10 m=2048 n=5120 k=1536 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-GateUP B=10 M=4096 N=3072 K=5120 dtype=torch.bfloat16" pass=forward cache=warm g=10 m=4096 n=3072 k=5120 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-GateUP B=10 M=4096 N=3072 K=5120 dtype=torch.bfloat16" pass=backward cache=warm g=10 m=4096 n=3072 k=5120 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-Down B=10 M=4096 N=5120 K=1536 dtype=torch.bfloat16" pass=forward cache=warm g=10 m=4096 n=5120 k=1536 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-Down B=10 M=4096 N=5120 K=1536 dtype=torch.bfloat16" pass=backward cache=warm g=10 m=4096 n=5120 k=1536 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-GateUP B=20 M=512 N=3072 K=5120 dtype=torch.bfloat16" pass=forward cache=warm g=20 m=512 n=3072 k=5120 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-GateUP B=20 M=512 N=3072 K=5120 dtype=torch.bfloat16" pass=backward cache=warm g=20 m=512 n=3072 k=5120 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-Down B=20 M=512 N=5120 K=1536 dtype=torch.bfloat16" pass=forward cache=warm g=20 m=512 n=5120 k=1536 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-Down B=20 M=512 N=5120 K=1536 dtype=torch.bfloat16" pass=backward cache=warm g=20 m=512 n=5120 k=1536 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-GateUP B=20 M=1024 N=3072 K=5120 dtype=torch.bfloat16" pass=forward cache=warm g=20 m=1024 n=3072 k=5120 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-GateUP B=20 M=1024 N=3072 K=5120 dtype=torch.bfloat16" pass=backward cache=warm g=20 m=1024 n=3072 k=5120 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-Down B=20 M=1024 N=5120 K=1536 dtype=torch.bfloat16" pass=forward cache=warm g=20 m=1024 n=5120 k=1536 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-Down B=20 M=1024 N=5120 K=1536 dtype=torch.bfloat16" pass=backward cache=warm g=20 m=1024 n=5120 k=1536 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-GateUP B=20 M=2048 N=3072 K=5120 dtype=torch.bfloat16" pass=forward cache=warm g=20 m=2048 n=3072 k=5120 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-GateUP B=20 M=2048 N=3072 K=5120 dtype=torch.bfloat16" pass=backward cache=warm g=20 m=2048 n=3072 k=5120 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-Down B=20 M=2048 N=5120 K=1536 dtype=torch.bfloat16" pass=forward cache=warm g=20 m=2048 n=5120 k=1536 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-Down B=20 M=2048 N=5120 K=1536 dtype=torch.bfloat16" pass=backward cache=warm g=20 m=2048 n=5120 k=1536 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-GateUP B=20 M=4096 N=3072 K=5120 dtype=torch.bfloat16" pass=forward cache=warm g=20 m=4096 n=3072 k=5120 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-GateUP B=20 M=4096 N=3072 K=5120 dtype=torch.bfloat16" pass=backward cache=warm g=20 m=4096 n=3072 k=5120 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-Down B=20 M=4096 N=5120 K=1536 dtype=torch.bfloat16" pass=forward cache=warm g=20 m=4096 n=5120 k=1536 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV2-Down B=20 M=4096 N=5120 K=1536 dtype=torch.bfloat16" pass=backward cache=warm g=20 m=4096 n=5120 k=1536 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV3-GateUP B=8 M=512 N=4096 K=7168 dtype=torch.bfloat16" pass=forward cache=warm g=8 m=512 n=4096 k=7168 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV3-GateUP B=8 M=512 N=4096 K=7168 dtype=torch.bfloat16" pass=backward cache=warm g=8 m=512 n=4096 k=7168 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV3-Down B=8 M=512 N=7168 K=2048 dtype=torch.bfloat16" pass=forward cache=warm g=8 m=512 n=7168 k=2048 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV3-Down B=8 M=512 N=7168 K=2048 dtype=torch.bfloat16" pass=backward cache=warm g=8 m=512 n=7168 k=2048 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV3-GateUP B=8 M=1024 N=4096 K=7168 dtype=torch.bfloat16" pass=forward cache=warm g=8 m=1024 n=4096 k=7168 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV3-GateUP B=8 M=1024 N=4096 K=7168 dtype=torch.bfloat16" pass=backward cache=warm g=8 m=1024 n=4096 k=7168 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV3-Down B=8 M=1024 N=7168 K=2048 dtype=torch.bfloat16" pass=forward cache=warm g=8 m=1024 n=7168 k=2048 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV3-Down B=8 M=1024 N=7168 K=2048 dtype=torch.bfloat16" pass=backward cache=warm g=8 m=1024 n=7168 k=2048 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV3-GateUP B=8 M=2048 N=4096 K=7168 dtype=torch.bfloat16" pass=forward cache=warm g=8 m=2048 n=4096 k=7168 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV3-GateUP B=8 M=2048 N=4096 K=7168 dtype=torch.bfloat16" pass=backward cache=warm g=8 m=2048 n=4096 k=7168 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV3-Down B=8 M=2048 N=7168 K=2048 dtype=torch.bfloat16" pass=forward cache=warm g=8 m=2048 n=7168 k=2048 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV3-Down B=8 M=2048 N=7168 K=2048 dtype=torch.bfloat16" pass=backward cache=warm g=8 m=2048 n=7168 k=2048 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV3-GateUP B=8 M=4096 N=4096 K=7168 dtype=torch.bfloat16" pass=forward cache=warm g=8 m=4096 n=4096 k=7168 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV3-GateUP B=8 M=4096 N=4096 K=7168 dtype=torch.bfloat16" pass=backward cache=warm g=8 m=4096 n=4096 k=7168 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV3-Down B=8 M=4096 N=7168 K=2048 dtype=torch.bfloat16" pass=forward cache=warm g=8 m=4096 n=7168 k=2048 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV3-Down B=8 M=4096 N=7168 K=2048 dtype=torch.bfloat16" pass=backward cache=warm g=8 m=4096 n=7168 k=2048 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV3-GateUP B=16 M=512 N=4096 K=7168 dtype=torch.bfloat16" pass=forward cache=warm g=16 m=512 n=4096 k=7168 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV3-GateUP B=16 M=512 N=4096 K=7168 dtype=torch.bfloat16" pass=backward cache=warm g=16 m=512 n=4096 k=7168 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV3-Down B=16 M=512 N=7168 K=2048 dtype=torch.bfloat16" pass=forward cache=warm g=16 m=512 n=7168 k=2048 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV3-Down B=16 M=512 N=7168 K=2048 dtype=torch.bfloat16" pass=backward cache=warm g=16 m=512 n=7168 k=2048 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV3-GateUP B=16 M=1024 N=4096 K=7168 dtype=torch.bfloat16" pass=forward cache=warm g=16 m=1024 n=4096 k=7168 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV3-GateUP B=16 M=1024 N=4096 K=7168 dtype=torch.bfloat16" pass=backward cache=warm g=16 m=1024 n=4096 k=7168 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV3-Down B=16 M=1024 N=7168 K=2048 dtype=torch.bfloat16" pass=forward cache=warm g=16 m=1024 n=7168 k=2048 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV3-Down B=16 M=1024 N=7168 K=2048 dtype=torch.bfloat16" pass=backward cache=warm g=16 m=1024 n=7168 k=2048 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV3-GateUP B=16 M=2048 N=4096 K=7168 dtype=torch.bfloat16" pass=forward cache=warm g=16 m=2048 n=4096 k=7168 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV3-GateUP B=16 M=2048 N=4096 K=7168 dtype=torch.bfloat16" pass=backward cache=warm g=16 m=2048 n=4096 k=7168 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV3-Down B=16 M=2048 N=7168 K=2048 dtype=torch.bfloat16" pass=forward cache=warm g=16 m=2048 n=7168 k=2048 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV3-Down B=16 M=2048 N=7168 K=2048 dtype=torch.bfloat16" pass=backward cache=warm g=16 m=2048 n=7168 k=2048 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV3-GateUP B=16 M=4096 N=4096 K=7168 dtype=torch.bfloat16" pass=forward cache=warm g=16 m=4096 n=4096 k=7168 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV3-GateUP B=16 M=4096 N=4096 K=7168 dtype=torch.bfloat16" pass=backward cache=warm g=16 m=4096 n=4096 k=7168 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV3-Down B=16 M=4096 N=7168 K=2048 dtype=torch.bfloat16" pass=forward cache=warm g=16 m=4096 n=7168 k=2048 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV3-Down B=16 M=4096 N=7168 K=2048 dtype=torch.bfloat16" pass=backward cache=warm g=16 m=4096 n=7168 k=2048 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV3-GateUP B=32 M=512 N=4096 K=7168 dtype=torch.bfloat16" pass=forward cache=warm g=32 m=512 n=4096 k=7168 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV3-GateUP B=32 M=512 N=4096 K=7168 dtype=torch.bfloat16" pass=backward cache=warm g=32 m=512 n=4096 k=7168 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV3-Down B=32 M=512 N=7168 K=2048 dtype=torch.bfloat16" pass=forward cache=warm g=32 m=512 n=7168 k=2048 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV3-Down B=32 M=512 N=7168 K=2048 dtype=torch.bfloat16" pass=backward cache=warm g=32 m=512 n=7168 k=2048 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV3-GateUP B=32 M=1024 N=4096 K=7168 dtype=torch.bfloat16" pass=forward cache=warm g=32 m=1024 n=4096 k=7168 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV3-GateUP B=32 M=1024 N=4096 K=7168 dtype=torch.bfloat16" pass=backward cache=warm g=32 m=1024 n=4096 k=7168 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV3-Down B=32 M=1024 N=7168 K=2048 dtype=torch.bfloat16" pass=forward cache=warm g=32 m=1024 n=7168 k=2048 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV3-Down B=32 M=1024 N=7168 K=2048 dtype=torch.bfloat16" pass=backward cache=warm g=32 m=1024 n=7168 k=2048 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV3-GateUP B=32 M=2048 N=4096 K=7168 dtype=torch.bfloat16" pass=forward cache=warm g=32 m=2048 n=4096 k=7168 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV3-GateUP B=32 M=2048 N=4096 K=7168 dtype=torch.bfloat16" pass=backward cache=warm g=32 m=2048 n=4096 k=7168 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV3-Down B=32 M=2048 N=7168 K=2048 dtype=torch.bfloat16" pass=forward cache=warm g=32 m=2048 n=7168 k=2048 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV3-Down B=32 M=2048 N=7168 K=2048 dtype=torch.bfloat16" pass=backward cache=warm g=32 m=2048 n=7168 k=2048 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV3-GateUP B=32 M=4096 N=4096 K=7168 dtype=torch.bfloat16" pass=forward cache=warm g=32 m=4096 n=4096 k=7168 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV3-GateUP B=32 M=4096 N=4096 K=7168 dtype=torch.bfloat16" pass=backward cache=warm g=32 m=4096 n=4096 k=7168 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV3-Down B=32 M=4096 N=7168 K=2048 dtype=torch.bfloat16" pass=forward cache=warm g=32 m=4096 n=7168 k=2048 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="DSV3-Down B=32 M=4096 N=7168 K=2048 dtype=torch.bfloat16" pass=backward cache=warm g=32 m=4096 n=7168 k=2048 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="Grok-V2-GateUP B=1 M=512 N=32768 K=8192 dtype=torch.bfloat16" pass=forward cache=warm g=1 m=512 n=32768 k=8192 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="Grok-V2-GateUP B=1 M=512 N=32768 K=8192 dtype=torch.bfloat16" pass=backward cache=warm g=1 m=512 n=32768 k=8192 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="Grok-V2-Down B=1 M=512 N=8192 K=16384 dtype=torch.bfloat16" pass=forward cache=warm g=1 m=512 n=8192 k=16384 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="Grok-V2-Down B=1 M=512 N=8192 K=16384 dtype=torch.bfloat16" pass=backward cache=warm g=1 m=512 n=8192 k=16384 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="Grok-V2-GateUP B=1 M=1024 N=32768 K=8192 dtype=torch.bfloat16" pass=forward cache=warm g=1 m=1024 n=32768 k=8192 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="Grok-V2-GateUP B=1 M=1024 N=32768 K=8192 dtype=torch.bfloat16" pass=backward cache=warm g=1 m=1024 n=32768 k=8192 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="Grok-V2-Down B=1 M=1024 N=8192 K=16384 dtype=torch.bfloat16" pass=forward cache=warm g=1 m=1024 n=8192 k=16384 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="Grok-V2-Down B=1 M=1024 N=8192 K=16384 dtype=torch.bfloat16" pass=backward cache=warm g=1 m=1024 n=8192 k=16384 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="Grok-V2-GateUP B=1 M=2048 N=32768 K=8192 dtype=torch.bfloat16" pass=forward cache=warm g=1 m=2048 n=32768 k=8192 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="Grok-V2-GateUP B=1 M=2048 N=32768 K=8192 dtype=torch.bfloat16" pass=backward cache=warm g=1 m=2048 n=32768 k=8192 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="Grok-V2-Down B=1 M=2048 N=8192 K=16384 dtype=torch.bfloat16" pass=forward cache=warm g=1 m=2048 n=8192 k=16384 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="Grok-V2-Down B=1 M=2048 N=8192 K=16384 dtype=torch.bfloat16" pass=backward cache=warm g=1 m=2048 n=8192 k=16384 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="Grok-V2-GateUP B=1 M=4096 N=32768 K=8192 dtype=torch.bfloat16" pass=forward cache=warm g=1 m=4096 n=32768 k=8192 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="Grok-V2-GateUP B=1 M=4096 N=32768 K=8192 dtype=torch.bfloat16" pass=backward cache=warm g=1 m=4096 n=32768 k=8192 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="Grok-V2-Down B=1 M=4096 N=8192 K=16384 dtype=torch.bfloat16" pass=forward cache=warm g=1 m=4096 n=8192 k=16384 dtype=bf16
grouped_gemm table=benchmark_grouped_gemm name="Grok-V2-Down B=1 M=4096 N=8192 K=16384 dtype=torch.bfloat16" pass=backward cache=warm g=1 m=4096 n=8192 k=16384 dtype=bf16

# benchmark_attention: 24 cases, 48 cells
attention table=benchmark_attention name="Llama3-8B/TP1 batch=2 seq_len=1024 num_q_heads=32 num_kv_heads=8 head_dim=128" pass=forward cache=warm b=2 s=1024 hq=32 hkv=8 d=128 dtype=bf16 causal=1
attention table=benchmark_attention name="Llama3-8B/TP1 batch=2 seq_len=1024 num_q_heads=32 num_kv_heads=8 head_dim=128" pass=backward cache=warm b=2 s=1024 hq=32 hkv=8 d=128 dtype=bf16 causal=1
attention table=benchmark_attention name="Llama3-8B/TP1 batch=2 seq_len=2048 num_q_heads=32 num_kv_heads=8 head_dim=128" pass=forward cache=warm b=2 s=2048 hq=32 hkv=8 d=128 dtype=bf16 causal=1
attention table=benchmark_attention name="Llama3-8B/TP1 batch=2 seq_len=2048 num_q_heads=32 num_kv_heads=8 head_dim=128" pass=backward cache=warm b=2 s=2048 hq=32 hkv=8 d=128 dtype=bf16 causal=1
attention table=benchmark_attention name="Llama3-8B/TP1 batch=2 seq_len=4096 num_q_heads=32 num_kv_heads=8 head_dim=128" pass=forward cache=warm b=2 s=4096 hq=32 hkv=8 d=128 dtype=bf16 causal=1
attention table=benchmark_attention name="Llama3-8B/TP1 batch=2 seq_len=4096 num_q_heads=32 num_kv_heads=8 head_dim=128" pass=backward cache=warm b=2 s=4096 hq=32 hkv=8 d=128 dtype=bf16 causal=1
attention table=benchmark_attention name="Llama3-8B/TP1 batch=2 seq_len=8192 num_q_heads=32 num_kv_heads=8 head_dim=128" pass=forward cache=warm b=2 s=8192 hq=32 hkv=8 d=128 dtype=bf16 causal=1
attention table=benchmark_attention name="Llama3-8B/TP1 batch=2 seq_len=8192 num_q_heads=32 num_kv_heads=8 head_dim=128" pass=backward cache=warm b=2 s=8192 hq=32 hkv=8 d=128 dtype=bf16 causal=1
attention table=benchmark_attention name="Llama3-8B/TP8 batch=2 seq_len=1024 num_q_heads=4 num_kv_heads=1 head_dim=128" pass=forward cache=warm b=2 s=1024 hq=4 hkv=1 d=128 dtype=bf16 causal=1
attention table=benchmark_attention name="Llama3-8B/TP8 batch=2 seq_len=1024 num_q_heads=4 num_kv_heads=1 head_dim=128" pass=backward cache=warm b=2 s=1024 hq=4 hkv=1 d=128 dtype=bf16 causal=1
attention table=benchmark_attention name="Llama3-8B/TP8 batch=2 seq_len=2048 num_q_heads=4 num_kv_heads=1 head_dim=128" pass=forward cache=warm b=2 s=2048 hq=4 hkv=1 d=128 dtype=bf16 causal=1
attention table=benchmark_attention name="Llama3-8B/TP8 batch=2 seq_len=2048 num_q_heads=4 num_kv_heads=1 head_dim=128" pass=backward cache=warm b=2 s=2048 hq=4 hkv=1 d=128 dtype=bf16 causal=1
attention table=benchmark_attention name="Llama3-8B/TP8 batch=2 seq_len=4096 num_q_heads=4 num_kv_heads=1 head_dim=128" pass=forward cache=warm b=2 s=4096 hq=4 hkv=1 d=128 dtype=bf16 causal=1
attention table=benchmark_attention name="Llama3-8B/TP8 batch=2 seq_len=4096 num_q_heads=4 num_kv_heads=1 head_dim=128" pass=backward cache=warm b=2 s=4096 hq=4 hkv=1 d=128 dtype=bf16 causal=1
attention table=benchmark_attention name="Llama3-8B/TP8 batch=2 seq_len=8192 num_q_heads=4 num_kv_heads=1 head_dim=128" pass=forward cache=warm b=2 s=8192 hq=4 hkv=1 d=128 dtype=bf16 causal=1
attention table=benchmark_attention name="Llama3-8B/TP8 batch=2 seq_len=8192 num_q_heads=4 num_kv_heads=1 head_dim=128" pass=backward cache=warm b=2 s=8192 hq=4 hkv=1 d=128 dtype=bf16 causal=1
attention table=benchmark_attention name="Llama3-70B/TP8 batch=2 seq_len=1024 num_q_heads=8 num_kv_heads=1 head_dim=128" pass=forward cache=warm b=2 s=1024 hq=8 hkv=1 d=128 dtype=bf16 causal=1
attention table=benchmark_attention name="Llama3-70B/TP8 batch=2 seq_len=1024 num_q_heads=8 num_kv_heads=1 head_dim=128" pass=backward cache=warm b=2 s=1024 hq=8 hkv=1 d=128 dtype=bf16 causal=1
attention table=benchmark_attention name="Llama3-70B/TP8 batch=2 seq_len=2048 num_q_heads=8 num_kv_heads=1 head_dim=128" pass=forward cache=warm b=2 s=2048 hq=8 hkv=1 d=128 dtype=bf16 causal=1
attention table=benchmark_attention name="Llama3-70B/TP8 batch=2 seq_len=2048 num_q_heads=8 num_kv_heads=1 head_dim=128" pass=backward cache=warm b=2 s=2048 hq=8 hkv=1 d=128 dtype=bf16 causal=1
attention table=benchmark_attention name="Llama3-70B/TP8 batch=2 seq_len=4096 num_q_heads=8 num_kv_heads=1 head_dim=128" pass=forward cache=warm b=2 s=4096 hq=8 hkv=1 d=128 dtype=bf16 causal=1
attention table=benchmark_attention name="Llama3-70B/TP8 batch=2 seq_len=4096 num_q_heads=8 num_kv_heads=1 head_dim=128" pass=backward cache=warm b=2 s=4096 hq=8 hkv=1 d=128 dtype=bf16 causal=1
attention table=benchmark_attention name="Llama3-70B/TP8 batch=2 seq_len=8192 num_q_heads=8 num_kv_heads=1 head_dim=128" pass=forward cache=warm b=2 s=8192 hq=8 hkv=1 d=128 dtype=bf16 causal=1
attention table=benchmark_attention name="Llama3-70B/TP8 batch=2 seq_len=8192 num_q_heads=8 num_kv_heads=1 head_dim=128" pass=backward cache=warm b=2 s=8192 hq=8 hkv=1 d=128 dtype=bf16 causal=1
attention table=benchmark_attention name="Llama3-405B/TP8 batch=2 seq_len=1024 num_q_heads=16 num_kv_heads=1 head_dim=128" pass=forward cache=warm b=2 s=1024 hq=16 hkv=1 d=128 dtype=bf16 causal=1
attention table=benchmark_attention name="Llama3-405B/TP8 batch=2 seq_len=1024 num_q_heads=16 num_kv_heads=1 head_dim=128" pass=backward cache=warm b=2 s=1024 hq=16 hkv=1 d=128 dtype=bf16 causal=1
attention table=benchmark_attention name="Llama3-405B/TP8 batch=2 seq_len=2048 num_q_heads=16 num_kv_heads=1 head_dim=128" pass=forward cache=warm b=2 s=2048 hq=16 hkv=1 d=128 dtype=bf16 causal=1
attention table=benchmark_attention name="Llama3-405B/TP8 batch=2 seq_len=2048 num_q_heads=16 num_kv_heads=1 head_dim=128" pass=backward cache=warm b=2 s=2048 hq=16 hkv=1 d=128 dtype=bf16 causal=1
attention table=benchmark_attention name="Llama3-405B/TP8 batch=2 seq_len=4096 num_q_heads=16 num_kv_heads=1 head_dim=128" pass=forward cache=warm b=2 s=4096 hq=16 hkv=1 d=128 dtype=bf16 causal=1
attention table=benchmark_attention name="Llama3-405B/TP8 batch=2 seq_len=4096 num_q_heads=16 num_kv_heads=1 head_dim=128" pass=backward cache=warm b=2 s=4096 hq=16 hkv=1 d=128 dtype=bf16 causal=1
attention table=benchmark_attention name="Llama3-405B/TP8 batch=2 seq_len=8192 num_q_heads=16 num_kv_heads=1 head_dim=128" pass=forward cache=warm b=2 s=8192 hq=16 hkv=1 d=128 dtype=bf16 causal=1
attention table=benchmark_attention name="Llama3-405B/TP8 batch=2 seq_len=8192 num_q_heads=16 num_kv_heads=1 head_dim=128" pass=backward cache=warm b=2 s=8192 hq=16 hkv=1 d=128 dtype=bf16 causal=1
attention table=benchmark_attention name="Qwen2.5-7B/TP1 batch=2 seq_len=1024 num_q_heads=28 num_kv_heads=4 head_dim=128" pass=forward cache=warm b=2 s=1024 hq=28 hkv=4 d=128 dtype=bf16 causal=1
attention table=benchmark_attention name="Qwen2.5-7B/TP1 batch=2 seq_len=1024 num_q_heads=28 num_kv_heads=4 head_dim=128" pass=backward cache=warm b=2 s=1024 hq=28 hkv=4 d=128 dtype=bf16 causal=1
attention table=benchmark_attention name="Qwen2.5-7B/TP1 batch=2 seq_len=2048 num_q_heads=28 num_kv_heads=4 head_dim=128" pass=forward cache=warm b=2 s=2048 hq=28 hkv=4 d=128 dtype=bf16 causal=1
attention table=benchmark_attention name="Qwen2.5-7B/TP1 batch=2 seq_len=2048 num_q_heads=28 num_kv_heads=4 head_dim=128" pass=backward cache=warm b=2 s=2048 hq=28 hkv=4 d=128 dtype=bf16 causal=1
attention table=benchmark_attention name="Qwen2.5-7B/TP1 batch=2 seq_len=4096 num_q_heads=28 num_kv_heads=4 head_dim=128" pass=forward cache=warm b=2 s=4096 hq=28 hkv=4 d=128 dtype=bf16 causal=1
attention table=benchmark_attention name="Qwen2.5-7B/TP1 batch=2 seq_len=4096 num_q_heads=28 num_kv_heads=4 head_dim=128" pass=backward cache=warm b=2 s=4096 hq=28 hkv=4 d=128 dtype=bf16 causal=1
attention table=benchmark_attention name="Qwen2.5-7B/TP1 batch=2 seq_len=8192 num_q_heads=28 num_kv_heads=4 head_dim=128" pass=forward cache=warm b=2 s=8192 hq=28 hkv=4 d=128 dtype=bf16 causal=1
attention table=benchmark_attention name="Qwen2.5-7B/TP1 batch=2 seq_len=8192 num_q_heads=28 num_kv_heads=4 head_dim=128" pass=backward cache=warm b=2 s=8192 hq=28 hkv=4 d=128 dtype=bf16 causal=1
attention table=benchmark_attention name="Qwen2.5-72B/TP8 batch=2 seq_len=1024 num_q_heads=8 num_kv_heads=1 head_dim=128" pass=forward cache=warm b=2 s=1024 hq=8 hkv=1 d=128 dtype=bf16 causal=1
attention table=benchmark_attention name="Qwen2.5-72B/TP8 batch=2 seq_len=1024 num_q_heads=8 num_kv_heads=1 head_dim=128" pass=backward cache=warm b=2 s=1024 hq=8 hkv=1 d=128 dtype=bf16 causal=1
attention table=benchmark_attention name="Qwen2.5-72B/TP8 batch=2 seq_len=2048 num_q_heads=8 num_kv_heads=1 head_dim=128" pass=forward cache=warm b=2 s=2048 hq=8 hkv=1 d=128 dtype=bf16 causal=1
attention table=benchmark_attention name="Qwen2.5-72B/TP8 batch=2 seq_len=2048 num_q_heads=8 num_kv_heads=1 head_dim=128" pass=backward cache=warm b=2 s=2048 hq=8 hkv=1 d=128 dtype=bf16 causal=1
attention table=benchmark_attention name="Qwen2.5-72B/TP8 batch=2 seq_len=4096 num_q_heads=8 num_kv_heads=1 head_dim=128" pass=forward cache=warm b=2 s=4096 hq=8 hkv=1 d=128 dtype=bf16 causal=1
attention table=benchmark_attention name="Qwen2.5-72B/TP8 batch=2 seq_len=4096 num_q_heads=8 num_kv_heads=1 head_dim=128" pass=backward cache=warm b=2 s=4096 hq=8 hkv=1 d=128 dtype=bf16 causal=1
attention table=benchmark_attention name="Qwen2.5-72B/TP8 batch=2 seq_len=8192 num_q_heads=8 num_kv_heads=1 head_dim=128" pass=forward cache=warm b=2 s=8192 hq=8 hkv=1 d=128 dtype=bf16 causal=1
attention table=benchmark_attention name="Qwen2.5-72B/TP8 batch=2 seq_len=8192 num_q_heads=8 num_kv_heads=1 head_dim=128" pass=backward cache=warm b=2 s=8192 hq=8 hkv=1 d=128 dtype=bf16 causal=1

# benchmark_normalization: 40 cases, 80 cells
rmsnorm table=benchmark_normalization name="Llama3-8B/RMSNorm M=1024 hidden_size=4096 dtype=torch.bfloat16" pass=forward cache=warm m=1024 h=4096 dtype=bf16
rmsnorm table=benchmark_normalization name="Llama3-8B/RMSNorm M=1024 hidden_size=4096 dtype=torch.bfloat16" pass=backward cache=warm m=1024 h=4096 dtype=bf16
rmsnorm table=benchmark_normalization name="Llama3-8B/RMSNorm M=2048 hidden_size=4096 dtype=torch.bfloat16" pass=forward cache=warm m=2048 h=4096 dtype=bf16
rmsnorm table=benchmark_normalization name="Llama3-8B/RMSNorm M=2048 hidden_size=4096 dtype=torch.bfloat16" pass=backward cache=warm m=2048 h=4096 dtype=bf16
rmsnorm table=benchmark_normalization name="Llama3-8B/RMSNorm M=4096 hidden_size=4096 dtype=torch.bfloat16" pass=forward cache=warm m=4096 h=4096 dtype=bf16
rmsnorm table=benchmark_normalization name="Llama3-8B/RMSNorm M=4096 hidden_size=4096 dtype=torch.bfloat16" pass=backward cache=warm m=4096 h=4096 dtype=bf16
rmsnorm table=benchmark_normalization name="Llama3-8B/RMSNorm M=8192 hidden_size=4096 dtype=torch.bfloat16" pass=forward cache=warm m=8192 h=4096 dtype=bf16
rmsnorm table=benchmark_normalization name="Llama3-8B/RMSNorm M=8192 hidden_size=4096 dtype=torch.bfloat16" pass=backward cache=warm m=8192 h=4096 dtype=bf16
layernorm table=benchmark_normalization name="Llama3-8B/LayerNorm M=1024 hidden_size=4096 dtype=torch.bfloat16" pass=forward cache=warm m=1024 h=4096 dtype=bf16
layernorm table=benchmark_normalization name="Llama3-8B/LayerNorm M=1024 hidden_size=4096 dtype=torch.bfloat16" pass=backward cache=warm m=1024 h=4096 dtype=bf16
layernorm table=benchmark_normalization name="Llama3-8B/LayerNorm M=2048 hidden_size=4096 dtype=torch.bfloat16" pass=forward cache=warm m=2048 h=4096 dtype=bf16
layernorm table=benchmark_normalization name="Llama3-8B/LayerNorm M=2048 hidden_size=4096 dtype=torch.bfloat16" pass=backward cache=warm m=2048 h=4096 dtype=bf16
layernorm table=benchmark_normalization name="Llama3-8B/LayerNorm M=4096 hidden_size=4096 dtype=torch.bfloat16" pass=forward cache=warm m=4096 h=4096 dtype=bf16
layernorm table=benchmark_normalization name="Llama3-8B/LayerNorm M=4096 hidden_size=4096 dtype=torch.bfloat16" pass=backward cache=warm m=4096 h=4096 dtype=bf16
layernorm table=benchmark_normalization name="Llama3-8B/LayerNorm M=8192 hidden_size=4096 dtype=torch.bfloat16" pass=forward cache=warm m=8192 h=4096 dtype=bf16
layernorm table=benchmark_normalization name="Llama3-8B/LayerNorm M=8192 hidden_size=4096 dtype=torch.bfloat16" pass=backward cache=warm m=8192 h=4096 dtype=bf16
rmsnorm table=benchmark_normalization name="Llama3-70B/RMSNorm M=1024 hidden_size=8192 dtype=torch.bfloat16" pass=forward cache=warm m=1024 h=8192 dtype=bf16
rmsnorm table=benchmark_normalization name="Llama3-70B/RMSNorm M=1024 hidden_size=8192 dtype=torch.bfloat16" pass=backward cache=warm m=1024 h=8192 dtype=bf16
rmsnorm table=benchmark_normalization name="Llama3-70B/RMSNorm M=2048 hidden_size=8192 dtype=torch.bfloat16" pass=forward cache=warm m=2048 h=8192 dtype=bf16
rmsnorm table=benchmark_normalization name="Llama3-70B/RMSNorm M=2048 hidden_size=8192 dtype=torch.bfloat16" pass=backward cache=warm m=2048 h=8192 dtype=bf16
rmsnorm table=benchmark_normalization name="Llama3-70B/RMSNorm M=4096 hidden_size=8192 dtype=torch.bfloat16" pass=forward cache=warm m=4096 h=8192 dtype=bf16
rmsnorm table=benchmark_normalization name="Llama3-70B/RMSNorm M=4096 hidden_size=8192 dtype=torch.bfloat16" pass=backward cache=warm m=4096 h=8192 dtype=bf16
rmsnorm table=benchmark_normalization name="Llama3-70B/RMSNorm M=8192 hidden_size=8192 dtype=torch.bfloat16" pass=forward cache=warm m=8192 h=8192 dtype=bf16
rmsnorm table=benchmark_normalization name="Llama3-70B/RMSNorm M=8192 hidden_size=8192 dtype=torch.bfloat16" pass=backward cache=warm m=8192 h=8192 dtype=bf16
layernorm table=benchmark_normalization name="Llama3-70B/LayerNorm M=1024 hidden_size=8192 dtype=torch.bfloat16" pass=forward cache=warm m=1024 h=8192 dtype=bf16
layernorm table=benchmark_normalization name="Llama3-70B/LayerNorm M=1024 hidden_size=8192 dtype=torch.bfloat16" pass=backward cache=warm m=1024 h=8192 dtype=bf16
layernorm table=benchmark_normalization name="Llama3-70B/LayerNorm M=2048 hidden_size=8192 dtype=torch.bfloat16" pass=forward cache=warm m=2048 h=8192 dtype=bf16
layernorm table=benchmark_normalization name="Llama3-70B/LayerNorm M=2048 hidden_size=8192 dtype=torch.bfloat16" pass=backward cache=warm m=2048 h=8192 dtype=bf16
layernorm table=benchmark_normalization name="Llama3-70B/LayerNorm M=4096 hidden_size=8192 dtype=torch.bfloat16" pass=forward cache=warm m=4096 h=8192 dtype=bf16
layernorm table=benchmark_normalization name="Llama3-70B/LayerNorm M=4096 hidden_size=8192 dtype=torch.bfloat16" pass=backward cache=warm m=4096 h=8192 dtype=bf16
layernorm table=benchmark_normalization name="Llama3-70B/LayerNorm M=8192 hidden_size=8192 dtype=torch.bfloat16" pass=forward cache=warm m=8192 h=8192 dtype=bf16
layernorm table=benchmark_normalization name="Llama3-70B/LayerNorm M=8192 hidden_size=8192 dtype=torch.bfloat16" pass=backward cache=warm m=8192 h=8192 dtype=bf16
rmsnorm table=benchmark_normalization name="Llama3-405B/RMSNorm M=1024 hidden_size=16384 dtype=torch.bfloat16" pass=forward cache=warm m=1024 h=16384 dtype=bf16
rmsnorm table=benchmark_normalization name="Llama3-405B/RMSNorm M=1024 hidden_size=16384 dtype=torch.bfloat16" pass=backward cache=warm m=1024 h=16384 dtype=bf16
rmsnorm table=benchmark_normalization name="Llama3-405B/RMSNorm M=2048 hidden_size=16384 dtype=torch.bfloat16" pass=forward cache=warm m=2048 h=16384 dtype=bf16
rmsnorm table=benchmark_normalization name="Llama3-405B/RMSNorm M=2048 hidden_size=16384 dtype=torch.bfloat16" pass=backward cache=warm m=2048 h=16384 dtype=bf16
rmsnorm table=benchmark_normalization name="Llama3-405B/RMSNorm M=4096 hidden_size=16384 dtype=torch.bfloat16" pass=forward cache=warm m=4096 h=16384 dtype=bf16
rmsnorm table=benchmark_normalization name="Llama3-405B/RMSNorm M=4096 hidden_size=16384 dtype=torch.bfloat16" pass=backward cache=warm m=4096 h=16384 dtype=bf16
rmsnorm table=benchmark_normalization name="Llama3-405B/RMSNorm M=8192 hidden_size=16384 dtype=torch.bfloat16" pass=forward cache=warm m=8192 h=16384 dtype=bf16
rmsnorm table=benchmark_normalization name="Llama3-405B/RMSNorm M=8192 hidden_size=16384 dtype=torch.bfloat16" pass=backward cache=warm m=8192 h=16384 dtype=bf16
layernorm table=benchmark_normalization name="Llama3-405B/LayerNorm M=1024 hidden_size=16384 dtype=torch.bfloat16" pass=forward cache=warm m=1024 h=16384 dtype=bf16
layernorm table=benchmark_normalization name="Llama3-405B/LayerNorm M=1024 hidden_size=16384 dtype=torch.bfloat16" pass=backward cache=warm m=1024 h=16384 dtype=bf16
layernorm table=benchmark_normalization name="Llama3-405B/LayerNorm M=2048 hidden_size=16384 dtype=torch.bfloat16" pass=forward cache=warm m=2048 h=16384 dtype=bf16
layernorm table=benchmark_normalization name="Llama3-405B/LayerNorm M=2048 hidden_size=16384 dtype=torch.bfloat16" pass=backward cache=warm m=2048 h=16384 dtype=bf16
layernorm table=benchmark_normalization name="Llama3-405B/LayerNorm M=4096 hidden_size=16384 dtype=torch.bfloat16" pass=forward cache=warm m=4096 h=16384 dtype=bf16
layernorm table=benchmark_normalization name="Llama3-405B/LayerNorm M=4096 hidden_size=16384 dtype=torch.bfloat16" pass=backward cache=warm m=4096 h=16384 dtype=bf16
layernorm table=benchmark_normalization name="Llama3-405B/LayerNorm M=8192 hidden_size=16384 dtype=torch.bfloat16" pass=forward cache=warm m=8192 h=16384 dtype=bf16
layernorm table=benchmark_normalization name="Llama3-405B/LayerNorm M=8192 hidden_size=16384 dtype=torch.bfloat16" pass=backward cache=warm m=8192 h=16384 dtype=bf16
rmsnorm table=benchmark_normalization name="Qwen2.5-7B/RMSNorm M=1024 hidden_size=3584 dtype=torch.bfloat16" pass=forward cache=warm m=1024 h=3584 dtype=bf16
rmsnorm table=benchmark_normalization name="Qwen2.5-7B/RMSNorm M=1024 hidden_size=3584 dtype=torch.bfloat16" pass=backward cache=warm m=1024 h=3584 dtype=bf16
rmsnorm table=benchmark_normalization name="Qwen2.5-7B/RMSNorm M=2048 hidden_size=3584 dtype=torch.bfloat16" pass=forward cache=warm m=2048 h=3584 dtype=bf16
rmsnorm table=benchmark_normalization name="Qwen2.5-7B/RMSNorm M=2048 hidden_size=3584 dtype=torch.bfloat16" pass=backward cache=warm m=2048 h=3584 dtype=bf16
rmsnorm table=benchmark_normalization name="Qwen2.5-7B/RMSNorm M=4096 hidden_size=3584 dtype=torch.bfloat16" pass=forward cache=warm m=4096 h=3584 dtype=bf16
rmsnorm table=benchmark_normalization name="Qwen2.5-7B/RMSNorm M=4096 hidden_size=3584 dtype=torch.bfloat16" pass=backward cache=warm m=4096 h=3584 dtype=bf16
rmsnorm table=benchmark_normalization name="Qwen2.5-7B/RMSNorm M=8192 hidden_size=3584 dtype=torch.bfloat16" pass=forward cache=warm m=8192 h=3584 dtype=bf16
rmsnorm table=benchmark_normalization name="Qwen2.5-7B/RMSNorm M=8192 hidden_size=3584 dtype=torch.bfloat16" pass=backward cache=warm m=8192 h=3584 dtype=bf16
layernorm table=benchmark_normalization name="Qwen2.5-7B/LayerNorm M=1024 hidden_size=3584 dtype=torch.bfloat16" pass=forward cache=warm m=1024 h=3584 dtype=bf16
layernorm table=benchmark_normalization name="Qwen2.5-7B/LayerNorm M=1024 hidden_size=3584 dtype=torch.bfloat16" pass=backward cache=warm m=1024 h=3584 dtype=bf16
layernorm table=benchmark_normalization name="Qwen2.5-7B/LayerNorm M=2048 hidden_size=3584 dtype=torch.bfloat16" pass=forward cache=warm m=2048 h=3584 dtype=bf16
layernorm table=benchmark_normalization name="Qwen2.5-7B/LayerNorm M=2048 hidden_size=3584 dtype=torch.bfloat16" pass=backward cache=warm m=2048 h=3584 dtype=bf16
layernorm table=benchmark_normalization name="Qwen2.5-7B/LayerNorm M=4096 hidden_size=3584 dtype=torch.bfloat16" pass=forward cache=warm m=4096 h=3584 dtype=bf16
layernorm table=benchmark_normalization name="Qwen2.5-7B/LayerNorm M=4096 hidden_size=3584 dtype=torch.bfloat16" pass=backward cache=warm m=4096 h=3584 dtype=bf16
layernorm table=benchmark_normalization name="Qwen2.5-7B/LayerNorm M=8192 hidden_size=3584 dtype=torch.bfloat16" pass=forward cache=warm m=8192 h=3584 dtype=bf16
layernorm table=benchmark_normalization name="Qwen2.5-7B/LayerNorm M=8192 hidden_size=3584 dtype=torch.bfloat16" pass=backward cache=warm m=8192 h=3584 dtype=bf16
rmsnorm table=benchmark_normalization name="Qwen2.5-72B/RMSNorm M=1024 hidden_size=8192 dtype=torch.bfloat16" pass=forward cache=warm m=1024 h=8192 dtype=bf16
rmsnorm table=benchmark_normalization name="Qwen2.5-72B/RMSNorm M=1024 hidden_size=8192 dtype=torch.bfloat16" pass=backward cache=warm m=1024 h=8192 dtype=bf16
rmsnorm table=benchmark_normalization name="Qwen2.5-72B/RMSNorm M=2048 hidden_size=8192 dtype=torch.bfloat16" pass=forward cache=warm m=2048 h=8192 dtype=bf16
rmsnorm table=benchmark_normalization name="Qwen2.5-72B/RMSNorm M=2048 hidden_size=8192 dtype=torch.bfloat16" pass=backward cache=warm m=2048 h=8192 dtype=bf16
rmsnorm table=benchmark_normalization name="Qwen2.5-72B/RMSNorm M=4096 hidden_size=8192 dtype=torch.bfloat16" pass=forward cache=warm m=4096 h=8192 dtype=bf16
rmsnorm table=benchmark_normalization name="Qwen2.5-72B/RMSNorm M=4096 hidden_size=8192 dtype=torch.bfloat16" pass=backward cache=warm m=4096 h=8192 dtype=bf16
rmsnorm table=benchmark_normalization name="Qwen2.5-72B/RMSNorm M=8192 hidden_size=8192 dtype=torch.bfloat16" pass=forward cache=warm m=8192 h=8192 dtype=bf16
rmsnorm table=benchmark_normalization name="Qwen2.5-72B/RMSNorm M=8192 hidden_size=8192 dtype=torch.bfloat16" pass=backward cache=warm m=8192 h=8192 dtype=bf16
layernorm table=benchmark_normalization name="Qwen2.5-72B/LayerNorm M=1024 hidden_size=8192 dtype=torch.bfloat16" pass=forward cache=warm m=1024 h=8192 dtype=bf16
layernorm table=benchmark_normalization name="Qwen2.5-72B/LayerNorm M=1024 hidden_size=8192 dtype=torch.bfloat16" pass=backward cache=warm m=1024 h=8192 dtype=bf16
layernorm table=benchmark_normalization name="Qwen2.5-72B/LayerNorm M=2048 hidden_size=8192 dtype=torch.bfloat16" pass=forward cache=warm m=2048 h=8192 dtype=bf16
layernorm table=benchmark_normalization name="Qwen2.5-72B/LayerNorm M=2048 hidden_size=8192 dtype=torch.bfloat16" pass=backward cache=warm m=2048 h=8192 dtype=bf16
layernorm table=benchmark_normalization name="Qwen2.5-72B/LayerNorm M=4096 hidden_size=8192 dtype=torch.bfloat16" pass=forward cache=warm m=4096 h=8192 dtype=bf16
layernorm table=benchmark_normalization name="Qwen2.5-72B/LayerNorm M=4096 hidden_size=8192 dtype=torch.bfloat16" pass=backward cache=warm m=4096 h=8192 dtype=bf16
layernorm table=benchmark_normalization name="Qwen2.5-72B/LayerNorm M=8192 hidden_size=8192 dtype=torch.bfloat16" pass=forward cache=warm m=8192 h=8192 dtype=bf16
layernorm table=benchmark_normalization name="Qwen2.5-72B/LayerNorm M=8192 hidden_size=8192 dtype=torch.bfloat16" pass=backward cache=warm m=8192 h=8192 dtype=bf16

# benchmark_casting: 80 cases, 80 cells
cast table=benchmark_casting name="Llama3-8B/BF16-to-FP8-E4M3 M=1024 hidden_size=4096 dtype_str=BF16-to-FP8-E4M3" pass=forward cache=warm m=1024 h=4096 from=bf16 to=e4m3 scaling=given
cast table=benchmark_casting name="Llama3-8B/BF16-to-FP8-E4M3 M=2048 hidden_size=4096 dtype_str=BF16-to-FP8-E4M3" pass=forward cache=warm m=2048 h=4096 from=bf16 to=e4m3 scaling=given
cast table=benchmark_casting name="Llama3-8B/BF16-to-FP8-E4M3 M=4096 hidden_size=4096 dtype_str=BF16-to-FP8-E4M3" pass=forward cache=warm m=4096 h=4096 from=bf16 to=e4m3 scaling=given
cast table=benchmark_casting name="Llama3-8B/BF16-to-FP8-E4M3 M=8192 hidden_size=4096 dtype_str=BF16-to-FP8-E4M3" pass=forward cache=warm m=8192 h=4096 from=bf16 to=e4m3 scaling=given
cast table=benchmark_casting name="Llama3-8B/FP8-E4M3-to-BF16 M=1024 hidden_size=4096 dtype_str=FP8-E4M3-to-BF16" pass=forward cache=warm m=1024 h=4096 from=e4m3 to=bf16 scaling=given
cast table=benchmark_casting name="Llama3-8B/FP8-E4M3-to-BF16 M=2048 hidden_size=4096 dtype_str=FP8-E4M3-to-BF16" pass=forward cache=warm m=2048 h=4096 from=e4m3 to=bf16 scaling=given
cast table=benchmark_casting name="Llama3-8B/FP8-E4M3-to-BF16 M=4096 hidden_size=4096 dtype_str=FP8-E4M3-to-BF16" pass=forward cache=warm m=4096 h=4096 from=e4m3 to=bf16 scaling=given
cast table=benchmark_casting name="Llama3-8B/FP8-E4M3-to-BF16 M=8192 hidden_size=4096 dtype_str=FP8-E4M3-to-BF16" pass=forward cache=warm m=8192 h=4096 from=e4m3 to=bf16 scaling=given
cast table=benchmark_casting name="Llama3-8B/BF16-to-FP8-E5M2 M=1024 hidden_size=4096 dtype_str=BF16-to-FP8-E5M2" pass=forward cache=warm m=1024 h=4096 from=bf16 to=e5m2 scaling=given
cast table=benchmark_casting name="Llama3-8B/BF16-to-FP8-E5M2 M=2048 hidden_size=4096 dtype_str=BF16-to-FP8-E5M2" pass=forward cache=warm m=2048 h=4096 from=bf16 to=e5m2 scaling=given
cast table=benchmark_casting name="Llama3-8B/BF16-to-FP8-E5M2 M=4096 hidden_size=4096 dtype_str=BF16-to-FP8-E5M2" pass=forward cache=warm m=4096 h=4096 from=bf16 to=e5m2 scaling=given
cast table=benchmark_casting name="Llama3-8B/BF16-to-FP8-E5M2 M=8192 hidden_size=4096 dtype_str=BF16-to-FP8-E5M2" pass=forward cache=warm m=8192 h=4096 from=bf16 to=e5m2 scaling=given
cast table=benchmark_casting name="Llama3-8B/FP8-E5M2-to-BF16 M=1024 hidden_size=4096 dtype_str=FP8-E5M2-to-BF16" pass=forward cache=warm m=1024 h=4096 from=e5m2 to=bf16 scaling=given
cast table=benchmark_casting name="Llama3-8B/FP8-E5M2-to-BF16 M=2048 hidden_size=4096 dtype_str=FP8-E5M2-to-BF16" pass=forward cache=warm m=2048 h=4096 from=e5m2 to=bf16 scaling=given
cast table=benchmark_casting name="Llama3-8B/FP8-E5M2-to-BF16 M=4096 hidden_size=4096 dtype_str=FP8-E5M2-to-BF16" pass=forward cache=warm m=4096 h=4096 from=e5m2 to=bf16 scaling=given
cast table=benchmark_casting name="Llama3-8B/FP8-E5M2-to-BF16 M=8192 hidden_size=4096 dtype_str=FP8-E5M2-to-BF16" pass=forward cache=warm m=8192 h=4096 from=e5m2 to=bf16 scaling=given
cast table=benchmark_casting name="Llama3-70B/BF16-to-FP8-E4M3 M=1024 hidden_size=8192 dtype_str=BF16-to-FP8-E4M3" pass=forward cache=warm m=1024 h=8192 from=bf16 to=e4m3 scaling=given
cast table=benchmark_casting name="Llama3-70B/BF16-to-FP8-E4M3 M=2048 hidden_size=8192 dtype_str=BF16-to-FP8-E4M3" pass=forward cache=warm m=2048 h=8192 from=bf16 to=e4m3 scaling=given
cast table=benchmark_casting name="Llama3-70B/BF16-to-FP8-E4M3 M=4096 hidden_size=8192 dtype_str=BF16-to-FP8-E4M3" pass=forward cache=warm m=4096 h=8192 from=bf16 to=e4m3 scaling=given
cast table=benchmark_casting name="Llama3-70B/BF16-to-FP8-E4M3 M=8192 hidden_size=8192 dtype_str=BF16-to-FP8-E4M3" pass=forward cache=warm m=8192 h=8192 from=bf16 to=e4m3 scaling=given
cast table=benchmark_casting name="Llama3-70B/FP8-E4M3-to-BF16 M=1024 hidden_size=8192 dtype_str=FP8-E4M3-to-BF16" pass=forward cache=warm m=1024 h=8192 from=e4m3 to=bf16 scaling=given
cast table=benchmark_casting name="Llama3-70B/FP8-E4M3-to-BF16 M=2048 hidden_size=8192 dtype_str=FP8-E4M3-to-BF16" pass=forward cache=warm m=2048 h=8192 from=e4m3 to=bf16 scaling=given
cast table=benchmark_casting name="Llama3-70B/FP8-E4M3-to-BF16 M=4096 hidden_size=8192 dtype_str=FP8-E4M3-to-BF16" pass=forward cache=warm m=4096 h=8192 from=e4m3 to=bf16 scaling=given
cast table=benchmark_casting name="Llama3-70B/FP8-E4M3-to-BF16 M=8192 hidden_size=8192 dtype_str=FP8-E4M3-to-BF16" pass=forward cache=warm m=8192 h=8192 from=e4m3 to=bf16 scaling=given
cast table=benchmark_casting name="Llama3-70B/BF16-to-FP8-E5M2 M=1024 hidden_size=8192 dtype_str=BF16-to-FP8-E5M2" pass=forward cache=warm m=1024 h=8192 from=bf16 to=e5m2 scaling=given
cast table=benchmark_casting name="Llama3-70B/BF16-to-FP8-E5M2 M=2048 hidden_size=8192 dtype_str=BF16-to-FP8-E5M2" pass=forward cache=warm m=2048 h=8192 from=bf16 to=e5m2 scaling=given
cast table=benchmark_casting name="Llama3-70B/BF16-to-FP8-E5M2 M=4096 hidden_size=8192 dtype_str=BF16-to-FP8-E5M2" pass=forward cache=warm m=4096 h=8192 from=bf16 to=e5m2 scaling=given
cast table=benchmark_casting name="Llama3-70B/BF16-to-FP8-E5M2 M=8192 hidden_size=8192 dtype_str=BF16-to-FP8-E5M2" pass=forward cache=warm m=8192 h=8192 from=bf16 to=e5m2 scaling=given
cast table=benchmark_casting name="Llama3-70B/FP8-E5M2-to-BF16 M=1024 hidden_size=8192 dtype_str=FP8-E5M2-to-BF16" pass=forward cache=warm m=1024 h=8192 from=e5m2 to=bf16 scaling=given
cast table=benchmark_casting name="Llama3-70B/FP8-E5M2-to-BF16 M=2048 hidden_size=8192 dtype_str=FP8-E5M2-to-BF16" pass=forward cache=warm m=2048 h=8192 from=e5m2 to=bf16 scaling=given
cast table=benchmark_casting name="Llama3-70B/FP8-E5M2-to-BF16 M=4096 hidden_size=8192 dtype_str=FP8-E5M2-to-BF16" pass=forward cache=warm m=4096 h=8192 from=e5m2 to=bf16 scaling=given
cast table=benchmark_casting name="Llama3-70B/FP8-E5M2-to-BF16 M=8192 hidden_size=8192 dtype_str=FP8-E5M2-to-BF16" pass=forward cache=warm m=8192 h=8192 from=e5m2 to=bf16 scaling=given
cast table=benchmark_casting name="Llama3-405B/BF16-to-FP8-E4M3 M=1024 hidden_size=16384 dtype_str=BF16-to-FP8-E4M3" pass=forward cache=warm m=1024 h=16384 from=bf16 to=e4m3 scaling=given
cast table=benchmark_casting name="Llama3-405B/BF16-to-FP8-E4M3 M=2048 hidden_size=16384 dtype_str=BF16-to-FP8-E4M3" pass=forward cache=warm m=2048 h=16384 from=bf16 to=e4m3 scaling=given
cast table=benchmark_casting name="Llama3-405B/BF16-to-FP8-E4M3 M=4096 hidden_size=16384 dtype_str=BF16-to-FP8-E4M3" pass=forward cache=warm m=4096 h=16384 from=bf16 to=e4m3 scaling=given
cast table=benchmark_casting name="Llama3-405B/BF16-to-FP8-E4M3 M=8192 hidden_size=16384 dtype_str=BF16-to-FP8-E4M3" pass=forward cache=warm m=8192 h=16384 from=bf16 to=e4m3 scaling=given
cast table=benchmark_casting name="Llama3-405B/FP8-E4M3-to-BF16 M=1024 hidden_size=16384 dtype_str=FP8-E4M3-to-BF16" pass=forward cache=warm m=1024 h=16384 from=e4m3 to=bf16 scaling=given
cast table=benchmark_casting name="Llama3-405B/FP8-E4M3-to-BF16 M=2048 hidden_size=16384 dtype_str=FP8-E4M3-to-BF16" pass=forward cache=warm m=2048 h=16384 from=e4m3 to=bf16 scaling=given
cast table=benchmark_casting name="Llama3-405B/FP8-E4M3-to-BF16 M=4096 hidden_size=16384 dtype_str=FP8-E4M3-to-BF16" pass=forward cache=warm m=4096 h=16384 from=e4m3 to=bf16 scaling=given
cast table=benchmark_casting name="Llama3-405B/FP8-E4M3-to-BF16 M=8192 hidden_size=16384 dtype_str=FP8-E4M3-to-BF16" pass=forward cache=warm m=8192 h=16384 from=e4m3 to=bf16 scaling=given
cast table=benchmark_casting name="Llama3-405B/BF16-to-FP8-E5M2 M=1024 hidden_size=16384 dtype_str=BF16-to-FP8-E5M2" pass=forward cache=warm m=1024 h=16384 from=bf16 to=e5m2 scaling=given
cast table=benchmark_casting name="Llama3-405B/BF16-to-FP8-E5M2 M=2048 hidden_size=16384 dtype_str=BF16-to-FP8-E5M2" pass=forward cache=warm m=2048 h=16384 from=bf16 to=e5m2 scaling=given
cast table=benchmark_casting name="Llama3-405B/BF16-to-FP8-E5M2 M=4096 hidden_size=16384 dtype_str=BF16-to-FP8-E5M2" pass=forward cache=warm m=4096 h=16384 from=bf16 to=e5m2 scaling=given
cast table=benchmark_casting name="Llama3-405B/BF16-to-FP8-E5M2 M=8192 hidden_size=16384 dtype_str=BF16-to-FP8-E5M2" pass=forward cache=warm m=8192 h=16384 from=bf16 to=e5m2 scaling=given
cast table=benchmark_casting name="Llama3-405B/FP8-E5M2-to-BF16 M=1024 hidden_size=16384 dtype_str=FP8-E5M2-to-BF16" pass=forward cache=warm m=1024 h=16384 from=e5m2 to=bf16 scaling=given
cast table=benchmark_casting name="Llama3-405B/FP8-E5M2-to-BF16 M=2048 hidden_size=16384 dtype_str=FP8-E5M2-to-BF16" pass=forward cache=warm m=2048 h=16384 from=e5m2 to=bf16 scaling=given
cast table=benchmark_casting name="Llama3-405B/FP8-E5M2-to-BF16 M=4096 hidden_size=16384 dtype_str=FP8-E5M2-to-BF16" pass=forward cache=warm m=4096 h=16384 from=e5m2 to=bf16 scaling=given
cast table=benchmark_casting name="Llama3-405B/FP8-E5M2-to-BF16 M=8192 hidden_size=16384 dtype_str=FP8-E5M2-to-BF16" pass=forward cache=warm m=8192 h=16384 from=e5m2 to=bf16 scaling=given
cast table=benchmark_casting name="Qwen2.5-7B/BF16-to-FP8-E4M3 M=1024 hidden_size=3584 dtype_str=BF16-to-FP8-E4M3" pass=forward cache=warm m=1024 h=3584 from=bf16 to=e4m3 scaling=given
cast table=benchmark_casting name="Qwen2.5-7B/BF16-to-FP8-E4M3 M=2048 hidden_size=3584 dtype_str=BF16-to-FP8-E4M3" pass=forward cache=warm m=2048 h=3584 from=bf16 to=e4m3 scaling=given
cast table=benchmark_casting name="Qwen2.5-7B/BF16-to-FP8-E4M3 M=4096 hidden_size=3584 dtype_str=BF16-to-FP8-E4M3" pass=forward cache=warm m=4096 h=3584 from=bf16 to=e4m3 scaling=given
cast table=benchmark_casting name="Qwen2.5-7B/BF16-to-FP8-E4M3 M=8192 hidden_size=3584 dtype_str=BF16-to-FP8-E4M3" pass=forward cache=warm m=8192 h=3584 from=bf16 to=e4m3 scaling=given
cast table=benchmark_casting name="Qwen2.5-7B/FP8-E4M3-to-BF16 M=1024 hidden_size=3584 dtype_str=FP8-E4M3-to-BF16" pass=forward cache=warm m=1024 h=3584 from=e4m3 to=bf16 scaling=given
cast table=benchmark_casting name="Qwen2.5-7B/FP8-E4M3-to-BF16 M=2048 hidden_size=3584 dtype_str=FP8-E4M3-to-BF16" pass=forward cache=warm m=2048 h=3584 from=e4m3 to=bf16 scaling=given
cast table=benchmark_casting name="Qwen2.5-7B/FP8-E4M3-to-BF16 M=4096 hidden_size=3584 dtype_str=FP8-E4M3-to-BF16" pass=forward cache=warm m=4096 h=3584 from=e4m3 to=bf16 scaling=given
cast table=benchmark_casting name="Qwen2.5-7B/FP8-E4M3-to-BF16 M=8192 hidden_size=3584 dtype_str=FP8-E4M3-to-BF16" pass=forward cache=warm m=8192 h=3584 from=e4m3 to=bf16 scaling=given
cast table=benchmark_casting name="Qwen2.5-7B/BF16-to-FP8-E5M2 M=1024 hidden_size=3584 dtype_str=BF16-to-FP8-E5M2" pass=forward cache=warm m=1024 h=3584 from=bf16 to=e5m2 scaling=given
cast table=benchmark_casting name="Qwen2.5-7B/BF16-to-FP8-E5M2 M=2048 hidden_size=3584 dtype_str=BF16-to-FP8-E5M2" pass=forward cache=warm m=2048 h=3584 from=bf16 to=e5m2 scaling=given
cast table=benchmark_casting name="Qwen2.5-7B/BF16-to-FP8-E5M2 M=4096 hidden_size=3584 dtype_str=BF16-to-FP8-E5M2" pass=forward cache=warm m=4096 h=3584 from=bf16 to=e5m2 scaling=given
cast table=benchmark_casting name="Qwen2.5-7B/BF16-to-FP8-E5M2 M=8192 hidden_size=3584 dtype_str=BF16-to-FP8-E5M2" pass=forward cache=warm m=8192 h=3584 from=bf16 to=e5m2 scaling=given
cast table=benchmark_casting name="Qwen2.5-7B/FP8-E5M2-to-BF16 M=1024 hidden_size=3584 dtype_str=FP8-E5M2-to-BF16" pass=forward cache=warm m=1024 h=3584 from=e5m2 to=bf16 scaling=given
cast table=benchmark_casting name="Qwen2.5-7B/FP8-E5M2-to-BF16 M=2048 hidden_size=3584 dtype_str=FP8-E5M2-to-BF16" pass=forward cache=warm m=2048 h=3584 from=e5m2 to=bf16 scaling=given
cast table=benchmark_casting name="Qwen2.5-7B/FP8-E5M2-to-BF16 M=4096 hidden_size=3584 dtype_str=FP8-E5M2-to-BF16" pass=forward cache=warm m=4096 h=3584 from=e5m2 to=bf16 scaling=given
cast table=benchmark_casting name="Qwen2.5-7B/FP8-E5M2-to-BF16 M=8192 hidden_size=3584 dtype_str=FP8-E5M2-to-BF16" pass=forward cache=warm m=8192 h=3584 from=e5m2 to=bf16 scaling=given
cast table=benchmark_casting name="Qwen2.5-72B/BF16-to-FP8-E4M3 M=1024 hidden_size=8192 dtype_str=BF16-to-FP8-E4M3" pass=forward cache=warm m=1024 h=8192 from=bf16 to=e4m3 scaling=given
cast table=benchmark_casting name="Qwen2.5-72B/BF16-to-FP8-E4M3 M=2048 hidden_size=8192 dtype_str=BF16-to-FP8-E4M3" pass=forward cache=warm m=2048 h=8192 from=bf16 to=e4m3 scaling=given
cast table=benchmark_casting name="Qwen2.5-72B/BF16-to-FP8-E4M3 M=4096 hidden_size=8192 dtype_str=BF16-to-FP8-E4M3" pass=forward cache=warm m=4096 h=8192 from=bf16 to=e4m3 scaling=given
cast table=benchmark_casting name="Qwen2.5-72B/BF16-to-FP8-E4M3 M=8192 hidden_size=8192 dtype_str=BF16-to-FP8-E4M3" pass=forward cache=warm m=8192 h=8192 from=bf16 to=e4m3 scaling=given
cast table=benchmark_casting name="Qwen2.5-72B/FP8-E4M3-to-BF16 M=1024 hidden_size=8192 dtype_str=FP8-E4M3-to-BF16" pass=forward cache=warm m=1024 h=8192 from=e4m3 to=bf16 scaling=given
cast table=benchmark_casting name="Qwen2.5-72B/FP8-E4M3-to-BF16 M=2048 hidden_size=8192 dtype_str=FP8-E4M3-to-BF16" pass=forward cache=warm m=2048 h=8192 from=e4m3 to=bf16 scaling=given
cast table=benchmark_casting name="Qwen2.5-72B/FP8-E4M3-to-BF16 M=4096 hidden_size=8192 dtype_str=FP8-E4M3-to-BF16" pass=forward cache=warm m=4096 h=8192 from=e4m3 to=bf16 scaling=given
cast table=benchmark_casting name="Qwen2.5-72B/FP8-E4M3-to-BF16 M=8192 hidden_size=8192 dtype_str=FP8-E4M3-to-BF16" pass=forward cache=warm m=8192 h=8192 from=e4m3 to=bf16 scaling=given
cast table=benchmark_casting name="Qwen2.5-72B/BF16-to-FP8-E5M2 M=1024 hidden_size=8192 dtype_str=BF16-to-FP8-E5M2" pass=forward cache=warm m=1024 h=8192 from=bf16 to=e5m2 scaling=given
cast table=benchmark_casting name="Qwen2.5-72B/BF16-to-FP8-E5M2 M=2048 hidden_size=8192 dtype_str=BF16-to-FP8-E5M2" pass=forward cache=warm m=2048 h=8192 from=bf16 to=e5m2 scaling=given
cast table=benchmark_casting name="Qwen2.5-72B/BF16-to-FP8-E5M2 M=4096 hidden_size=8192 dtype_str=BF16-to-FP8-E5M2" pass=forward cache=warm m=4096 h=8192 from=bf16 to=e5m2 scaling=given
cast table=benchmark_casting name="Qwen2.5-72B/BF16-to-FP8-E5M2 M=8192 hidden_size=8192 dtype_str=BF16-to-FP8-E5M2" pass=forward cache=warm m=8192 h=8192 from=bf16 to=e5m2 scaling=given
cast table=benchmark_casting name="Qwen2.5-72B/FP8-E5M2-to-BF16 M=1024 hidden_size=8192 dtype_str=FP8-E5M2-to-BF16" pass=forward cache=warm m=1024 h=8192 from=e5m2 to=bf16 scaling=given
cast table=benchmark_casting name="Qwen2.5-72B/FP8-E5M2-to-BF16 M=2048 hidden_size=8192 dtype_str=FP8-E5M2-to-BF16" pass=forward cache=warm m=2048 h=8192 from=e5m2 to=bf16 scaling=given
cast table=benchmark_casting name="Qwen2.5-72B/FP8-E5M2-to-BF16 M=4096 hidden_size=8192 dtype_str=FP8-E5M2-to-BF16" pass=forward cache=warm m=4096 h=8192 from=e5m2 to=bf16 scaling=given
cast table=benchmark_casting name="Qwen2.5-72B/FP8-E5M2-to-BF16 M=8192 hidden_size=8192 dtype_str=FP8-E5M2-to-BF16" pass=forward cache=warm m=8192 h=8192 from=e5m2 to=bf16 scaling=given
