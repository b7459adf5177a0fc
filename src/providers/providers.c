/* SPDX-License-Identifier: Apache-2.0 */
/* providers.c: the list of built-in providers and the tables of what a provider serves. */
#include "providers/providers.h"

#include <string.h>

#include "base/dynlib.h"
#include "base/error.h"

#define OM_PROVIDER_ENTRY(provider) extern const om_provider provider;
#include "providers/providers.def"
#undef OM_PROVIDER_ENTRY

static const om_provider *const all[] = {
#define OM_PROVIDER_ENTRY(provider) &(provider),
#include "providers/providers.def"
#undef OM_PROVIDER_ENTRY
};

const om_provider *const *om__providers_get(size_t *count)
{
    *count = sizeof all / sizeof all[0];
    return all;
}

const om_provider *om__provider_find(const char *name)
{
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (strcmp(all[i]->name, name) == 0)
            return all[i];
    return NULL;
}

om_status om__serve_find(const om_serve_table *table, const om_problem *problem,
                         const om_serve **serve, om_error *err)
{
    for (size_t i = 0; i < table->count; i++) {
        const om_serve *row = &table->rows[i];
        const char *pass = row->pass != NULL ? row->pass : "forward";
        if (strcmp(row->op, problem->op) == 0 && strcmp(pass, problem->pass) == 0) {
            *serve = row;
            return OM_OK;
        }
    }
    return om__error_set(err, OM_UNSUPPORTED, "%s does not serve %s %s", table->provider,
                         problem->op, problem->pass);
}

om_status om__serve_query(const om_serve_table *table, void *self, const om_problem *problem,
                          om_error *err)
{
    const om_serve *serve = NULL;
    OM_TRY(om__serve_find(table, problem, &serve, err));
    return serve->query != NULL ? serve->query(self, problem, err) : OM_OK;
}

om_status om__serve_prepare(const om_serve_table *table, const om_problem *problem, void **plan,
                            size_t *workspace_bytes, om_error *err)
{
    const om_serve *serve = NULL;
    OM_TRY(om__serve_find(table, problem, &serve, err));
    *workspace_bytes = serve->workspace != NULL ? serve->workspace(problem) : 0;
    *plan = (void *)(uintptr_t)serve;
    return OM_OK;
}

om_status om__serve_run(void *self, void *plan, const om_problem *problem, void *workspace,
                        om_error *err)
{
    const om_serve *serve = plan;
    return serve->run(self, problem, workspace, err);
}

void om__serve_release(void *self, void *plan)
{
    (void)self;
    (void)plan;
}

const om_tensor *om__problem_tensor(const om_problem *problem, const char *name)
{
    for (size_t i = 0; i < problem->tensor_count; i++)
        if (strcmp(problem->tensors[i].name, name) == 0)
            return problem->tensors[i].tensor.dtype == OM_DTYPE_DEFAULT
                       ? NULL
                       : &problem->tensors[i].tensor;
    return NULL;
}

om_status om__provider_check(const om_provider *provider, const char *from, om_error *err)
{
    if (provider->abi != OM_PROVIDER_ABI)
        return om__error_set(err, OM_UNSUPPORTED,
                             "%s: made for provider ABI %u, this program has %u", from,
                             provider->abi, OM_PROVIDER_ABI);
    if (provider->name == NULL || provider->name[0] == '\0')
        return om__error_set(err, OM_INVALID, "%s: the provider has no name", from);
    for (const char *c = provider->name; *c != '\0'; c++)
        if ((unsigned char)*c <= ' ' || *c == ',' || *c == '"' || *c == 127)
            return om__error_set(err, OM_INVALID,
                                 "%s: a provider name holds no blanks, commas, quotes or control "
                                 "characters",
                                 from);
    const char *missing = provider->open == NULL      ? "open"
                          : provider->query == NULL   ? "query"
                          : provider->prepare == NULL ? "prepare"
                          : provider->run == NULL     ? "run"
                                                      : NULL;
    if (missing != NULL)
        return om__error_set(err, OM_INVALID, "%s: provider %s has no %s function", from,
                             provider->name, missing);
    if (provider->role < OM_ROLE_COMPETITOR || provider->role > OM_ROLE_PREVIOUS)
        return om__error_set(err, OM_INVALID, "%s: provider %s has an unknown role", from,
                             provider->name);
    return OM_OK;
}

om_status om__library_symbol(void *library, const char *name, void *function, om_error *err)
{
    void *symbol = om__dynlib_find(library, name);
    if (symbol == NULL)
        return om__error_set(err, OM_UNSUPPORTED, "the library has no %s", name);
    memcpy(function, &symbol, sizeof symbol);
    return OM_OK;
}
