/* SPDX-License-Identifier: Apache-2.0 */
/* serve_cuda.h: what the vendor's providers share. */
#ifndef OM_PROVIDERS_CUDA_SERVE_CUDA_H
#define OM_PROVIDERS_CUDA_SERVE_CUDA_H

#include "opmark/status.h"

/* Makes the host's device ("cuda:1") the current one of this thread. */
om_status om__cuda_host_enter(const char *device, om_error *err);

#endif
