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

/* Part `part` of `parts` of some work; `work` is what the caller handed in. */
typedef void (*om__part_fn)(const void *work, int part, int parts);

/* All parts, each by a thread of its own. One alone runs outside of OpenMP, whose region of one
 * thread costs as much as a small operator. */
static inline void om__run_parts(int parts, om__part_fn run, const void *work)
{
    if (parts == 1) {
        run(work, 0, 1);
        return;
    }
#pragma omp parallel for schedule(static) num_threads(parts)
    for (int part = 0; part < parts; part++)
        run(work, part, parts);
}

#endif
