/* SPDX-License-Identifier: Apache-2.0 */
/* parallel.h: what kernels ask of OpenMP, and the answers without it. */
#ifndef OM_KERNELS_CPU_PARALLEL_H
#define OM_KERNELS_CPU_PARALLEL_H

#ifdef _OPENMP
#include <omp.h>
#else
static inline int omp_get_thread_num(void)
{
    return 0;
}
static inline int omp_get_num_threads(void)
{
    return 1;
}
#endif

#include "core/kernel.h"

/* Threads worth starting for this much work: one for each `grain` of it, within the environment. */
static inline int om__threads_for(const om_kernel_env *env, double work, double grain)
{
    double most = work / grain;
    return most >= env->threads ? env->threads : most < 1 ? 1 : (int)most;
}

#endif
