# fp8_quant: rows quantised to e4m3 with a scale each.
[smoke]
fp8_quant s=256 d=128 dtype=f32
fp8_quant s=256 d=64
fp8_quant s=64 d=64 g=3 b=2 dtype=fp16

[edge]
fp8_quant s=0 d=64
fp8_quant s=1 d=1
fp8_quant s=3 d=7 dtype=fp16
fp8_quant s=5 d=127 dtype=f32
fp8_quant s=7 d=1000 g=2
fp8_quant s=2 d=9001

[perf]
fp8_quant s=4096 d=128 dtype=f32
fp8_quant s=8192 d=64 dtype=bf16,fp16
