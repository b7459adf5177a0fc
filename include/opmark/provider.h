/* SPDX-License-Identifier: Apache-2.0 */
/* provider.h: the plug-in interface of an implementation of opmark's operators.
 *
 * A plug-in is a shared object that exports
 *
 *     const om_provider *om_provider_entry(void);
 *
 * (or om_benchmark_entry, see benchmark.h). A provider is asked about each problem (query),
 * prepares once for its shape, runs many times and is released. prepare sees shapes and workspace,
 * never tensor contents; whatever depends on data, weight packing included, belongs into run. All
 * calls of one provider come from one thread at a time.
 */
#ifndef OPMARK_PROVIDER_H
#define OPMARK_PROVIDER_H

#include <stddef.h>
#include <stdint.h>

#include "opmark/device.h"
#include "opmark/tensor.h"

#ifdef __cplusplus
extern "C" {
#endif

#define OM_PROVIDER_ABI 1u

typedef enum om_role {
    OM_ROLE_COMPETITOR = 0, /* computes the contract: counts as "fastest alternative" */
    OM_ROLE_OWN,
    OM_ROLE_REFERENCE, /* shown, never a rival */
    OM_ROLE_PREVIOUS,  /* an earlier build of `own` */
} om_role;

/* One tensor of a problem, by the name it has in the operator's contract ("a", "scale_a"). */
typedef struct om_named_tensor {
    const char *name;
    int is_output;
    om_tensor tensor; /* data is NULL in query and prepare */
} om_named_tensor;

typedef struct om_problem {
    const char *op;   /* "gemm" */
    const char *pass; /* "forward" or "backward" */
    const void *args; /* the operator's public argument struct, om_gemm_args for "gemm"; tensors set
                         in run only */
    size_t args_size;
    const om_named_tensor *tensors;
    size_t tensor_count;
} om_problem;

/* What the host offers a provider; valid while it is open. */
typedef struct om_provider_host {
    uint32_t abi;
    const char *device;    /* "cpu", "cuda:0" */
    int threads;           /* CPU threads every contender gets */
    void *stream;          /* CUDA: launch here */
    om_context *context;   /* of the device under test; providers of opmark itself call operators
                              through it */
    const char *cuda_libs; /* folder of vendor libraries asked for by the user, or NULL */
} om_provider_host;

typedef struct om_provider {
    uint32_t abi; /* OM_PROVIDER_ABI */
    const char *name;
    om_role role;
    const char *device_kind; /* "cpu", "cuda"; NULL: any */
    const char *summary;     /* one line for `opmark list providers` */
    int by_name_only;        /* 1: takes part only when the user names it (fakes, references) */

    /* Loads what the provider needs. OM_UNSUPPORTED with the reason when this machine lacks it.
     * *self is the provider's own state, handed to all other calls. */
    om_status (*open)(const om_provider_host *host, void **self, om_error *err);
    void (*close)(void *self);
    /* Version and build of the implementation ("OpenBLAS 0.3.21, SkylakeX"), and one fact a line as
     * "key=value" (library path, thread runtime) in details; both cut to size. Called after open.
     */
    void (*describe)(void *self, char *version, size_t version_size, char *details,
                     size_t details_size);

    /* May the problem be served? OM_OK, or OM_UNSUPPORTED with the reason. No work, no allocation.
     */
    om_status (*query)(void *self, const om_problem *problem, om_error *err);
    /* Prepares for one shape. *plan is handed to run; *workspace_bytes of device memory will be
     * there in run. */
    om_status (*prepare)(void *self, const om_problem *problem, void **plan,
                         size_t *workspace_bytes, om_error *err);
    /* One call of the operator on problem's tensors. On a device: launches on the stream and
     * returns. */
    om_status (*run)(void *self, void *plan, const om_problem *problem, void *workspace,
                     om_error *err);
    void (*release)(void *self, void *plan);
    /* What prepare chose, in words (kernel name, algorithm number); NULL: nothing to say. Cut to
     * size. */
    void (*explain)(void *self, void *plan, char *text, size_t size);
} om_provider;

/* What a plug-in defines; the program itself has none. NULL tells the host that the plug-in cannot
 * serve here. */
OM_API const om_provider *om_provider_entry(void);
typedef const om_provider *(*om_provider_entry_fn)(void);

#ifdef __cplusplus
}
#endif

#endif
