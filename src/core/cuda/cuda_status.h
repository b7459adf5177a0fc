/* SPDX-License-Identifier: Apache-2.0 */
/* cuda_status.h: turning codes of the CUDA runtime into statuses; for host code beside kernels. */
#ifndef OM_CORE_CUDA_CUDA_STATUS_H
#define OM_CORE_CUDA_CUDA_STATUS_H

#include "opmark/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* OM_OK for cudaSuccess (0); else the status that fits, with "what: name (text)". A code that
 * leaves the context usable (short of memory, a bad launch shape) is cleared from the runtime. */
om_status om__cuda_check(int code, const char *what, om_error *err);

/* To be called right after a launch: the launch's own error, if any. */
om_status om__cuda_launched(const char *kernel, om_error *err);

/* 1 for a code after which every further call of the process fails: only a new process helps. */
int om__cuda_is_sticky(int code);

#ifdef __cplusplus
}
#endif

#define OM_TRY_CUDA(call, err)                                                                     \
    do {                                                                                           \
        om_status om_try_cuda_ = om__cuda_check((int)(call), #call, (err));                        \
        if (om_try_cuda_ != OM_OK)                                                                 \
            return om_try_cuda_;                                                                   \
    } while (0)

#endif
