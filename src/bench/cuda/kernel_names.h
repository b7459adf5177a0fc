/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_names.h: the kernels of a call in words a reader can follow. */
#ifndef OM_BENCH_CUDA_KERNEL_NAMES_H
#define OM_BENCH_CUDA_KERNEL_NAMES_H

#include "bench/cuda/recorder.h"

/* Zero-initialise. Texts live until release. */
typedef struct om_kernel_names {
    char **items;
    size_t count, capacity;
} om_kernel_names;

/* "permute_rows, gemm_bf16 x2": names in launch order without arguments, repeats counted, cut to
 * 400 bytes; "" for no kernel; NULL when memory is short. */
const char *om__kernel_names_join(om_kernel_names *names, const om_device_work *work, size_t count);
void om__kernel_names_release(om_kernel_names *names);

#endif
