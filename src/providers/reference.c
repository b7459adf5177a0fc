/* SPDX-License-Identifier: Apache-2.0 */
/* reference.c: the provider `reference`: the contract's own host reference, timed like the others.
 */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "opmark/opmark.h"
#include "ops/op.h"
#include "providers/providers.h"

static om_status reference_open(const om_provider_host *host, void **self, om_error *err)
{
    if (strncmp(host->device, "cpu", 3) != 0 && strncmp(host->device, "fake", 4) != 0)
        return om__error_set(err, OM_UNSUPPORTED, "the host reference cannot read the memory of %s",
                             host->device);
    *self = NULL;
    return OM_OK;
}

static void reference_describe(void *self, char *version, size_t version_size, char *details,
                               size_t details_size)
{
    (void)self;
    snprintf(version, version_size, "opmark %s", om_version());
    snprintf(details, details_size, "%s", "");
}

static om_status reference_query(void *self, const om_problem *problem, om_error *err)
{
    (void)self;
    const om_op *op = om__op_find(problem->op, problem->pass);
    if (op == NULL)
        return om__error_set(err, OM_UNSUPPORTED, "opmark has no operator %s %s", problem->op,
                             problem->pass);
    return OM_OK;
}

static om_status reference_prepare(void *self, const om_problem *problem, void **plan,
                                   size_t *workspace_bytes, om_error *err)
{
    (void)self;
    *plan = (void *)(uintptr_t)om__op_find(problem->op, problem->pass);
    *workspace_bytes = 0;
    return *plan != NULL ? OM_OK : om__error_set(err, OM_INTERNAL, "prepared without a contract");
}

static om_status reference_run(void *self, void *plan, const om_problem *problem, void *workspace,
                               om_error *err)
{
    (void)self;
    (void)workspace;
    return ((const om_op *)plan)->reference(problem->args, NULL, err);
}

const om_provider om_provider_reference = {
    .abi = OM_PROVIDER_ABI,
    .name = "reference",
    .role = OM_ROLE_REFERENCE,
    .summary = "the host reference of each contract: plain C, never a rival",
    .by_name_only = 1,
    .open = reference_open,
    .describe = reference_describe,
    .query = reference_query,
    .prepare = reference_prepare,
    .run = reference_run,
};
