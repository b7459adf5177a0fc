/* SPDX-License-Identifier: Apache-2.0 */
/* serve_cuda.c: what the vendor's providers share. */
#include "providers/cuda/serve_cuda.h"

#include <cuda_runtime_api.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "core/cuda/cuda_status.h"

om_status om__cuda_host_enter(const char *device, om_error *err)
{
    int64_t number = 0;
    const char *colon = device != NULL ? strchr(device, ':') : NULL;
    if (colon != NULL && (!om__parse_int64(colon + 1, &number) || number < 0 || number > 1023))
        return om__error_set(err, OM_INVALID, "'%s' is no device name", device);
    OM_TRY_CUDA(cudaSetDevice((int)number), err);
    return OM_OK;
}
