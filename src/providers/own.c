/* SPDX-License-Identifier: Apache-2.0 */
/* own.c: the providers `own` and `device_reference`: opmark's kernels, chosen by dispatch.
 *
 * prepare chooses the kernel and its workspace once, as a program that calls an operator in a loop
 * would see it; run launches that kernel and nothing else.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "core/context.h"
#include "kernels/dispatch.h"
#include "opmark/opmark.h"
#include "ops/op.h"
#include "providers/providers.h"

typedef struct own {
    om_context *context;
    bool reference;
} own;

typedef struct own_plan {
    const om_kernel *kernel;
    om_kernel_env env;
} own_plan;

static om_status own_open_as(const om_provider_host *host, bool reference, void **self,
                             om_error *err)
{
    if (host->context == NULL)
        return om__error_set(err, OM_INTERNAL, "no context was given");
    own *o = calloc(1, sizeof *o);
    if (o == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for a provider");
    *o = (own){.context = host->context, .reference = reference};
    *self = o;
    return OM_OK;
}

static om_status own_open(const om_provider_host *host, void **self, om_error *err)
{
    return own_open_as(host, false, self, err);
}

static om_status own_open_reference(const om_provider_host *host, void **self, om_error *err)
{
    return own_open_as(host, true, self, err);
}

static void own_close(void *self)
{
    free(self);
}

static void own_describe(void *self, char *version, size_t version_size, char *details,
                         size_t details_size)
{
    const own *o = self;
    snprintf(version, version_size, "opmark %s", om_version());
    snprintf(details, details_size, "isa=%s\nthread_runtime=%s\n",
             o->context->isa == OM_ISA_AVX512 ? "avx512"
             : o->context->isa == OM_ISA_AVX2 ? "avx2"
                                              : "scalar",
#ifdef _OPENMP
             "openmp"
#else
             "none"
#endif
    );
}

static om_status own_find(const own *o, const om_problem *problem, const om_kernel **kernel,
                          size_t *workspace_bytes, om_error *err)
{
    const om_op *op = om__op_find(problem->op, problem->pass);
    if (op == NULL)
        return om__error_set(err, OM_UNSUPPORTED, "opmark has no operator %s %s", problem->op,
                             problem->pass);
    return om__kernel_find(o->context, op, problem->args, o->reference, kernel, workspace_bytes,
                           err);
}

static om_status own_query(void *self, const om_problem *problem, om_error *err)
{
    const om_kernel *kernel;
    size_t workspace_bytes;
    return own_find(self, problem, &kernel, &workspace_bytes, err);
}

static om_status own_prepare(void *self, const om_problem *problem, void **plan,
                             size_t *workspace_bytes, om_error *err)
{
    const own *o = self;
    own_plan *p = calloc(1, sizeof *p);
    if (p == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for a plan");
    om_status status = own_find(o, problem, &p->kernel, workspace_bytes, err);
    if (status != OM_OK) {
        free(p);
        return status;
    }
    om__context_kernel_env(o->context, &p->env);
    *plan = p;
    return OM_OK;
}

static om_status own_run(void *self, void *plan, const om_problem *problem, void *workspace,
                         om_error *err)
{
    (void)self;
    const own_plan *p = plan;
    return p->kernel->run(&p->env, problem->args, workspace, err);
}

static void own_release(void *self, void *plan)
{
    (void)self;
    free(plan);
}

static void own_explain(void *self, void *plan, char *text, size_t size)
{
    (void)self;
    snprintf(text, size, "%s", ((const own_plan *)plan)->kernel->name);
}

const om_provider om_provider_own = {
    .abi = OM_PROVIDER_ABI,
    .name = "own",
    .role = OM_ROLE_OWN,
    .summary = "opmark's own kernels",
    .open = own_open,
    .close = own_close,
    .describe = own_describe,
    .query = own_query,
    .prepare = own_prepare,
    .run = own_run,
    .release = own_release,
    .explain = own_explain,
};

const om_provider om_provider_device_reference = {
    .abi = OM_PROVIDER_ABI,
    .name = "device_reference",
    .role = OM_ROLE_REFERENCE,
    .summary = "the plain reference kernels of the device",
    .by_name_only = 1,
    .open = own_open_reference,
    .close = own_close,
    .describe = own_describe,
    .query = own_query,
    .prepare = own_prepare,
    .run = own_run,
    .release = own_release,
    .explain = own_explain,
};
