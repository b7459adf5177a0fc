# cast: bf16 to fp8 with a scale, and back.
[smoke]
cast m=32 h=128 to=e4m3,e5m2 scaling=given,current
cast m=32 h=128 from=e4m3,e5m2 to=bf16

[edge]
cast m=0 h=16 scaling=given,current
cast m=16 h=0
cast m=1 h=1 to=e5m2
cast m=3 h=7,63,65 scaling=current
cast m=5 h=33 from=e5m2 to=bf16

[perf]
cast m=1024,8192 h=4096 to=e4m3 scaling=given,current
cast m=8192 h=4096 to=e5m2
cast m=8192 h=4096 from=e4m3 to=bf16
