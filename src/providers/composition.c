/* SPDX-License-Identifier: Apache-2.0 */
/* composition.c: the provider `composition`: each fused operator as the sequence of its parts.
 *
 * The parts are opmark's own operators, called one after another through the public interface with
 * their intermediate results in memory, as a program without the fused operator would. It is what
 * fusing has to beat, so it counts as a competitor. Each family of operators has a file of its own.
 */
#include "providers/composition.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"

static const om_serve *const families[] = {om__composition_moe, om__composition_attention,
                                           om__composition_indexer, om__composition_fp8};
#define FAMILY_COUNT (sizeof families / sizeof families[0])

/* The table of the family that serves the problem; of the last one where none does. */
static om_serve_table table_of(const om_problem *problem)
{
    om_serve_table table = {.provider = "composition"};
    for (size_t i = 0; i < FAMILY_COUNT; i++) {
        const om_serve *found;
        table.rows = families[i];
        table.count = 0;
        while (table.rows[table.count].op != NULL)
            table.count++;
        if (om__serve_find(&table, problem, &found, NULL) == OM_OK)
            break;
    }
    return table;
}

static om_status composition_open(const om_provider_host *host, void **out, om_error *err)
{
    om__composition *self = calloc(1, sizeof *self);
    if (self == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for a provider");
    self->context = host->context;
    self->threads = host->threads > 0 ? host->threads : 1;
    *out = self;
    return OM_OK;
}

static void composition_close(void *self)
{
    free(self);
}

static void composition_describe(void *self, char *version, size_t version_size, char *details,
                                 size_t details_size)
{
    (void)self;
    snprintf(version, version_size, "opmark %s", om_version());
    snprintf(details, details_size, "parts=opmark's own operators\n");
}

static om_status composition_query(void *self, const om_problem *problem, om_error *err)
{
    const om_serve_table table = table_of(problem);
    return om__serve_query(&table, self, problem, err);
}

static om_status composition_prepare(void *self, const om_problem *problem, void **plan,
                                     size_t *workspace_bytes, om_error *err)
{
    const om_serve_table table = table_of(problem);
    (void)self;
    return om__serve_prepare(&table, problem, plan, workspace_bytes, err);
}

const om_provider om_provider_composition = {
    .abi = OM_PROVIDER_ABI,
    .name = "composition",
    .role = OM_ROLE_COMPETITOR,
    .device_kind = "cpu",
    .summary = "fused operators as the sequence of their parts, by opmark's own operators",
    .open = composition_open,
    .close = composition_close,
    .describe = composition_describe,
    .query = composition_query,
    .prepare = composition_prepare,
    .run = om__serve_run,
    .release = om__serve_release,
};
