/* SPDX-License-Identifier: Apache-2.0 */
/* dispatch.h: choosing the kernel for a problem, and calling it. */
#ifndef OM_KERNELS_DISPATCH_H
#define OM_KERNELS_DISPATCH_H

#include <stdbool.h>

#include "core/context.h"
#include "core/kernel.h"

struct om_op;

/* The first kernel of the context's device that serves the problem; the refusal of the last one
 * asked, or "no kernel for …", as OM_UNSUPPORTED. reference: only the device's plain reference
 * kernels, else only the others. */
om_status om__kernel_find(const om_context *context, const struct om_op *op, const void *args,
                          bool reference, const om_kernel **kernel, size_t *workspace_bytes,
                          om_error *err);

/* All kernels of the context's device, best first within an operator. */
const om_kernel *const *om__kernels_get(const om_context *context, size_t *count);

/* What every public call does: check the arguments (on a copy that takes the standard values),
 * choose, take workspace, run. */
om_status om__op_call(om_context *context, const struct om_op *op, const void *args, om_error *err);

#endif
