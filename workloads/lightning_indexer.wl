# lightning_indexer: scores of queries against the keys of their windows.
[smoke]
lightning_indexer s=64 n=64 h=32 d=64
lightning_indexer s=40 n=100 h=8 d=128 windows=documents
lightning_indexer s=32 n=64 h=4 g=2 d=64 b=2 dtype=e4m3 has_k_scale=1

[edge]
lightning_indexer s=0 n=8 h=2 d=16
lightning_indexer s=8 n=0 h=2 d=16
lightning_indexer s=1 n=1 h=1 d=1
lightning_indexer s=17 n=33 h=3 d=40 windows=full
lightning_indexer s=16 n=40 h=8 d=64 windows=beyond
lightning_indexer s=65 n=20 h=6 g=3 d=64 dtype=e4m3
lightning_indexer s=33 n=70 h=4 d=64 keep_masked=1 windows=documents

[perf]
lightning_indexer s=8192 n=8192 h=32 d=64 windows=beyond
lightning_indexer s=2048 n=2048 h=32 d=64 windows=causal,documents
