# SPDX-License-Identifier: Apache-2.0
"""What PyTorch's own kernels read under the flush and the clock of these results: additions on one
element and the copy of 4 GiB. Prints medians and the 10th and 90th of 100 cold calls in µs."""
import random

import torch
from torch.autograd import DeviceType
from torch.profiler import ProfilerActivity, profile

ROUNDS = 101
l2 = torch.cuda.get_device_properties(0).L2_cache_size
flush = torch.zeros(2 * l2 // 4, dtype=torch.int32, device="cuda")
pool = torch.zeros(1 << 22, device="cuda")  # operands in lines of their own
x, y, z = (pool[i << 20 : (i << 20) + 1] for i in range(3))
xb, yb = x.bfloat16(), y.bfloat16()
forms = {
    "x.add_(1)": lambda: x.add_(1),
    "x.add_(y)": lambda: x.add_(y),
    "torch.add(x, y)": lambda: torch.add(x, y),
    "torch.add(x, y, out=z)": lambda: torch.add(x, y, out=z),
    "bf16 x.add_(y)": lambda: xb.add_(yb),
}


def device_records(prof):
    records = [
        (e.start_ns(), e.duration_ns() / 1e3)
        for e in prof.profiler.kineto_results.events()
        if e.device_type() == DeviceType.CUDA
    ]
    return [us for _, us in sorted(records)]


order = []
with profile(activities=[ProfilerActivity.CUDA]) as prof:
    for _ in range(ROUNDS):
        for name in random.sample(list(forms), len(forms)):
            flush.add_(1)  # reads and writes twice the L2
            torch.cuda.synchronize()
            forms[name]()
            torch.cuda.synchronize()
            order.append(name)
short = [us for us in device_records(prof) if us < 20]
assert len(short) == len(order), "a record is missing"
for name in forms:
    times = sorted(us for n, us in zip(order, short) if n == name)
    print(f"{name:24} {times[50]:.3f} ({times[10]:.3f} to {times[90]:.3f})")

a = torch.empty(1 << 32, dtype=torch.uint8, device="cuda")
b = torch.empty_like(a)
with profile(activities=[ProfilerActivity.CUDA]) as prof:
    for _ in range(5):
        b.copy_(a)
        torch.cuda.synchronize()
print("copy of 4 GiB           ", [round(us) for us in device_records(prof) if us > 1000])
