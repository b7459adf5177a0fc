/* SPDX-License-Identifier: Apache-2.0 */
/* dispatch.c: the kernel lists, the choice among them, and the public calls of all operators. */
#include "kernels/dispatch.h"

#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "core/cpu.h"
#include "opmark/opmark.h"
#include "ops/op.h"

#define OM_KERNEL_CPU(kernel) extern const om_kernel kernel;
#define OM_KERNEL_CUDA(kernel)
#include "kernels/kernels.def"
#undef OM_KERNEL_CPU

static const om_kernel *const cpu_kernels[] = {
#define OM_KERNEL_CPU(kernel) &kernel,
#include "kernels/kernels.def"
#undef OM_KERNEL_CPU
#undef OM_KERNEL_CUDA
    NULL,
};

const om_kernel *const *om__kernels_get(const om_context *context, size_t *count)
{
    if (strcmp(context->api->kind, "cpu") != 0)
        return context->api->kernels(count);
    *count = sizeof cpu_kernels / sizeof *cpu_kernels - 1;
    return cpu_kernels;
}

static om_status find_kernel(const om_context *context, const om_op *op, const void *args,
                             bool reference, const om_kernel **kernel, size_t *workspace_bytes,
                             om_error *err)
{
    om_kernel_env env;
    size_t count;
    const om_kernel *const *kernels = om__kernels_get(context, &count);
    om__context_kernel_env(context, &env);
    for (size_t i = 0; i < count; i++) {
        const om_kernel *candidate = kernels[i];
        if ((candidate->is_reference != 0) != reference || strcmp(candidate->op, op->name) != 0 ||
            strcmp(candidate->pass, op->pass) != 0)
            continue;
        if (candidate->isa > context->isa) {
            om__error_set(err, OM_UNSUPPORTED, "%s needs %s", candidate->name,
                          om__isa_name(candidate->isa));
            continue;
        }
        *workspace_bytes = 0;
        om_status status = candidate->query(&env, args, workspace_bytes, err);
        if (status == OM_OK) {
            *kernel = candidate;
            return OM_OK;
        }
        if (status != OM_UNSUPPORTED)
            return status;
    }
    return OM_UNSUPPORTED;
}

om_status om__kernel_find(const om_context *context, const om_op *op, const void *args,
                          bool reference, const om_kernel **kernel, size_t *workspace_bytes,
                          om_error *err)
{
    /* Why a kernel refuses is put into words only where no other serves. */
    om_status status = find_kernel(context, op, args, reference, kernel, workspace_bytes, NULL);
    if (status == OM_OK || err == NULL)
        return status;
    om__error_set(err, OM_UNSUPPORTED, "no %s of ours for %s %s on %s",
                  reference ? "reference kernel" : "kernel", op->name, op->pass,
                  context->api->kind);
    return find_kernel(context, op, args, reference, kernel, workspace_bytes, err);
}

om_status om__op_call(om_context *context, const om_op *op, const void *args, om_error *err)
{
    _Alignas(max_align_t) char checked[OM_MAX_ARGS_SIZE];
    const om_kernel *kernel = NULL;
    size_t workspace_bytes = 0;
    void *workspace = NULL;
    om_kernel_env env;
    if (context == NULL || args == NULL)
        return om__error_set(err, OM_INVALID, "%s: a NULL context or argument struct", op->name);
    memcpy(checked, args, op->args_size);
    OM_TRY(om__args_check(op, checked, true, err));
    OM_TRY(om__kernel_find(context, op, checked, false, &kernel, &workspace_bytes, err));
    om__context_kernel_env(context, &env);
    OM_TRY(om__workspace_take(context, workspace_bytes, &workspace, err));
    om_status status = kernel->run(&env, checked, workspace, err);
    om__workspace_give(context, workspace);
    return status;
}

#define OM_OP(contract, call, args_type)                                                           \
    extern const om_op contract;                                                                   \
    om_status call(om_context *context, const args_type *args, om_error *err)                      \
    {                                                                                              \
        return om__op_call(context, &contract, args, err);                                         \
    }
#include "ops/ops.def"
#undef OM_OP
