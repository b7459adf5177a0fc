# kernels.wl: problems at the borders of the device kernels' schedules, for check_kernels.
[edge]
moe_topk t=0 e=8 k=2
moe_topk t=3 e=5 k=5
moe_topk t=130 e=8 k=8 dtype=fp16 renormalize=1
moe_topk t=65 e=127 k=8 routed_scaling_factor=2.5
moe_topk t=33 e=128 k=8 dtype=fp16
moe_topk t=17 e=129 k=8
moe_topk t=40 e=256 k=8 renormalize=1
moe_topk t=40 e=257 k=33
moe_topk t=2100 e=384 k=8 score=sigmoid renormalize=1 routed_scaling_factor=2.827
moe_topk t=31 e=385 k=7 score=sigmoid dtype=fp16
moe_topk t=31 e=512 k=8 score=sigmoid
moe_topk t=31 e=512 k=512
moe_topk t=50 e=384 k=8 score=sigmoid has_bias=1 renormalize=1
moe_topk t=50 e=100 k=9 score=sigmoid has_bias=1 dtype=f32
moe_topk t=2049 e=128 k=8 dtype=f32
moe_topk t=9 e=1 k=1 renormalize=1

moe_permute_align t=0 e=384 k=8
moe_permute_align t=1 e=1 k=1 block_size=1
moe_permute_align t=1 e=512 k=8 block_size=3
moe_permute_align t=64 e=128 k=8 block_size=16
moe_permute_align t=65 e=129 k=8 block_size=128
moe_permute_align t=511 e=256 k=8 block_size=64 routing=one
moe_permute_align t=512 e=384 k=8 block_size=64
moe_permute_align t=513 e=385 k=8 block_size=7 routing=zipf
moe_permute_align t=1023 e=8 k=7 block_size=1
moe_permute_align t=1024 e=512 k=8 block_size=64 routing=skewed
moe_permute_align t=1025 e=512 k=8 block_size=64
moe_permute_align t=4096 e=256 k=8 block_size=64
moe_permute_align t=4099 e=8 k=8 block_size=64 routing=one
moe_permute_align t=20011 e=40 k=3 block_size=32 routing=zipf

moe_permute t=0 h=64 e=300 k=8
moe_permute t=1 h=1 e=1 k=1 dtype=f32
moe_permute t=1 h=7168 e=384 k=8
moe_permute t=3 h=1025 e=61 k=5 dtype=fp16
moe_permute t=32 h=3072 e=62 k=8
moe_permute t=64 h=2048 e=63 k=8 e_local=31 has_map=1
moe_permute t=65 h=1032 e=93 k=8 routing=zipf
moe_permute t=40 h=24 e=64 k=17
moe_permute t=127 h=64 e=128 k=8 routing=one
moe_permute t=128 h=64 e=512 k=8
moe_permute t=131 h=128 e=512 k=8 e_local=256 has_map=1
moe_permute t=512 h=256 e=256 k=8 routing=skewed
moe_permute t=500 h=18432 e=16 k=4
moe_permute t=300 h=18440 e=16 k=4
moe_permute t=100 h=8 e=600 k=40 e_local=500 has_map=1
moe_permute t=1100 h=40 e=20 k=1
moe_permute t=2000 h=1024 e=200 k=8
moe_permute t=9000 h=8 e=64 k=8 routing=zipf
moe_permute t=40000 h=8 e=32 k=3

moe_unpermute t=0 h=64 k=8
moe_unpermute t=5 h=0 k=8
moe_unpermute t=7 h=1 k=1
moe_unpermute t=33 h=7168 k=8 missing=40
moe_unpermute t=9 h=1025 k=8
moe_unpermute t=9 h=1027 k=3 dtype=f32
moe_unpermute t=11 h=1032 k=9 dtype=fp16 missing=20
moe_unpermute t=5 h=4096 k=33 dtype=f32
moe_unpermute t=3 h=24 k=7 missing=21

fp8_quant s=0 d=64
fp8_quant s=1 d=1
fp8_quant s=33 d=64 g=3 b=2
fp8_quant s=67 d=128 dtype=f32
fp8_quant s=67 d=8 dtype=f32
fp8_quant s=29 d=256 dtype=fp16
fp8_quant s=29 d=16 dtype=bf16
fp8_quant s=29 d=264 dtype=bf16
fp8_quant s=29 d=100 dtype=f32
fp8_quant s=9000 d=32

lightning_indexer s=16 n=32 h=8 d=32 windows=full
lightning_indexer s=17 n=33 h=32 d=64 windows=full
lightning_indexer s=100 n=900 h=32 d=64
lightning_indexer s=33 n=257 h=33 d=72 windows=documents
lightning_indexer s=20 n=300 h=64 d=128 dtype=e4m3 has_k_scale=1
lightning_indexer s=3 n=5000 h=16 d=128
lightning_indexer s=50 n=130 h=12 g=3 d=24 b=2 windows=documents
lightning_indexer s=50 n=131 h=4 g=4 d=8 keep_masked=1
lightning_indexer s=40 n=2050 h=8 d=64 windows=beyond
