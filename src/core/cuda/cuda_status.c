/* SPDX-License-Identifier: Apache-2.0 */
/* cuda_status.c: turning codes of the CUDA runtime into statuses. */
#include "core/cuda/cuda_status.h"

#include <cuda_runtime_api.h>
#include <string.h>

#include "base/error.h"

int om__cuda_is_sticky(int code)
{
    switch ((cudaError_t)code) {
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchFailure:
    case cudaErrorLaunchTimeout:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorHardwareStackError:
    case cudaErrorAssert:
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
    case cudaErrorContained:
    case cudaErrorTensorMemoryLeak:
    case cudaErrorExternalDevice:
    case cudaErrorUnknown:
        return 1;
    default:
        return 0;
    }
}

static om_status status_of(cudaError_t code)
{
    switch (code) {
    case cudaSuccess:
        return OM_OK;
    case cudaErrorMemoryAllocation:
        return OM_NO_MEMORY;
    case cudaErrorNoDevice:
    case cudaErrorInsufficientDriver:
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorUnsupportedPtxVersion:
    case cudaErrorInvalidDevice:
    case cudaErrorStubLibrary:
        return OM_UNSUPPORTED;
    case cudaErrorInvalidValue:
    case cudaErrorInvalidConfiguration:
        return OM_INTERNAL;
    default:
        return OM_DEVICE;
    }
}

/* What a user can do about it, in place of the runtime's "driver version is insufficient". */
static om_status say_driver(om_error *err)
{
    int driver = 0, runtime = 0;
    (void)cudaGetLastError();
    (void)cudaDriverGetVersion(&driver);
    (void)cudaRuntimeGetVersion(&runtime);
    if (driver == 0)
        return om__error_set(err, OM_UNSUPPORTED, "no NVIDIA driver (libcuda.so.1) found here");
    return om__error_set(err, OM_UNSUPPORTED,
                         "the NVIDIA driver serves CUDA %d.%d, this build needs %d.%d or newer",
                         driver / 1000, driver % 1000 / 10, runtime / 1000, runtime % 1000 / 10);
}

om_status om__cuda_check(int code, const char *what, om_error *err)
{
    if (code == cudaSuccess)
        return OM_OK;
    if (code == cudaErrorInsufficientDriver || code == cudaErrorStubLibrary)
        return say_driver(err);
    const char *name = cudaGetErrorName((cudaError_t)code);
    const char *text = cudaGetErrorString((cudaError_t)code);
    /* Only what is before the argument list: the statement itself helps nobody. */
    size_t size = strcspn(what, "(");
    if (!om__cuda_is_sticky(code))
        (void)cudaGetLastError();
    return om__error_set(err, status_of((cudaError_t)code), "%.*s: %s (%s)", (int)size, what, name,
                         text);
}

om_status om__cuda_launched(const char *kernel, om_error *err)
{
    cudaError_t code = cudaGetLastError();
    if (code == cudaSuccess)
        return OM_OK;
    return om__error_set(err, status_of(code), "launch of %s: %s (%s)", kernel,
                         cudaGetErrorName(code), cudaGetErrorString(code));
}
