# bmm: batches of matrix products.
[smoke]
bmm batch=4 m=32 n=48 k=64 dtype=bf16,fp16,f32
bmm batch=3 m=33 n=17 k=65

[edge]
bmm batch=0 m=4 n=4 k=4
bmm batch=2 m=0 n=4 k=4
bmm batch=2 m=4 n=0 k=4
bmm batch=2 m=4 n=4 k=0
bmm batch=5 m=1 n=1 k=1 dtype=bf16,fp16,f32
bmm batch=2 m=1 n=127 k=129 dtype=fp16
bmm batch=2 m=127 n=1 k=31

[perf]
bmm batch=64 m=128 n=128 k=2048 dtype=bf16
bmm batch=64 m=128 n=2048 k=128 dtype=bf16
