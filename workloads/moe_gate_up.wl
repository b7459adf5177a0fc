# moe_gate_up: gate and up products of each expert's rows, with the activation.
[smoke]
moe_gate_up e=8 s=64 f=32 k=64 dtype=bf16,fp16,f32
moe_gate_up e=10 s=70 f=40 k=48 routing=skewed,zipf activation=gelu

[edge]
moe_gate_up e=4 s=0 f=8 k=8
moe_gate_up e=4 s=9 f=0 k=8
moe_gate_up e=4 s=9 f=8 k=0
moe_gate_up e=1 s=1 f=1 k=1
moe_gate_up e=9 s=4 f=17 k=15
moe_gate_up e=5 s=67 f=33 k=31 routing=one

[perf]
moe_gate_up e=32 s=512 f=1024 k=1024
