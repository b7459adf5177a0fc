/* SPDX-License-Identifier: Apache-2.0 */
/* vendors.h: the providers that opmark-measure-cuda.so brings. */
#ifndef OM_PROVIDERS_CUDA_VENDORS_H
#define OM_PROVIDERS_CUDA_VENDORS_H

#include "opmark/provider.h"

extern const om_provider om_provider_cublaslt;
extern const om_provider om_provider_cublaslt_fast;
extern const om_provider om_provider_cudnn;

#endif
