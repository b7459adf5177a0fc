# fp8_linear: a linear layer in bf16 that casts to fp8 inside the call.
[smoke]
fp8_linear m=64 n=96 k=128 scaling=delayed,current
fp8_linear pass=backward m=64 n=96 k=128 scaling=delayed,current

[edge]
fp8_linear m=0 n=16 k=16 scaling=delayed,current
fp8_linear m=16 n=0 k=16
fp8_linear m=16 n=16 k=0 scaling=current
fp8_linear m=1 n=1 k=1 scaling=delayed,current
fp8_linear m=33 n=65 k=127
fp8_linear pass=backward m=0 n=16 k=16
fp8_linear pass=backward m=16 n=0 k=16 scaling=current
fp8_linear pass=backward m=1 n=1 k=1 scaling=delayed,current
fp8_linear pass=backward m=33 n=65 k=127

[perf]
fp8_linear m=1024 n=4096 k=2048
fp8_linear pass=backward m=1024 n=4096 k=2048
