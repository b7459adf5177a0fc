/* SPDX-License-Identifier: Apache-2.0 */
/* device.h: the context: a device, its threads or stream, and the memory operators work in.
 *
 * A context may be used by several threads at once. Operators called through it allocate nothing on
 * the hot path: workspace comes from a pool that the context owns and keeps.
 */
#ifndef OPMARK_DEVICE_H
#define OPMARK_DEVICE_H

#include <stddef.h>

#include "opmark/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Instruction sets of the CPU kernels, weakest first. A context takes the strongest one the
 * processor has, or less when asked; asking for more than there is, is OM_UNSUPPORTED. */
typedef enum om_isa {
    OM_ISA_DEFAULT = 0,
    OM_ISA_SCALAR,
    OM_ISA_AVX2,   /* with FMA and F16C */
    OM_ISA_AVX512, /* F, BW, DQ, VL, VBMI */
    OM_ISA_COUNT
} om_isa;

typedef struct om_context om_context; /* opaque */

typedef struct om_context_options {
    const char *device; /* "cpu" (NULL), "cuda:0", … */
    int threads; /* CPU threads an operator may use; 0: one for each processor this process may run
                    on */
    om_isa isa;  /* strongest instruction set to use; 0: what the processor has */
    const char *library_dir; /* where libopmark-cuda.so lies; NULL: beside libopmark or the program,
                                then the system's search path */
    void *stream;            /* CUDA: the stream to launch on; NULL: the default stream */
} om_context_options;

/* Creates a context; options may be NULL. Errors: OM_UNSUPPORTED (no such device or instruction set
 * here, with the reason), OM_INVALID (malformed name, negative threads), OM_NO_MEMORY, OM_DEVICE.
 */
OM_API OM_MUST_USE om_status om_context_create(const om_context_options *options,
                                               om_context **context, om_error *err);

/* Frees the context and its workspace. NULL is accepted. No operator may be running in it. */
OM_API void om_context_destroy(om_context *context);

/* Memory on the context's device, aligned to 256 bytes or better. size_bytes 0 gives a valid
 * pointer to nothing. */
OM_API OM_MUST_USE om_status om_memory_create(om_context *context, size_t size_bytes, void **memory,
                                              om_error *err);
OM_API void om_memory_destroy(om_context *context, void *memory);

/* Copies between host and device memory (on the CPU device: memcpy). Ordered with the operators of
 * the context; returns when the copy is complete. */
OM_API OM_MUST_USE om_status om_memory_upload(om_context *context, void *device, const void *host,
                                              size_t size_bytes, om_error *err);
OM_API OM_MUST_USE om_status om_memory_download(om_context *context, void *host, const void *device,
                                                size_t size_bytes, om_error *err);

/* Waits until everything launched in the context is done; reports what failed meanwhile. */
OM_API OM_MUST_USE om_status om_context_synchronize(om_context *context, om_error *err);

#ifdef __cplusplus
}
#endif

#endif
