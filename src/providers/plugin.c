/* SPDX-License-Identifier: Apache-2.0 */
/* plugin.c: loads shared objects that bring a provider or a benchmark of the user's own. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/dynlib.h"
#include "base/error.h"
#include "base/text.h"
#include "providers/providers.h"

/* A path without a slash would send dlopen through the system's search path: the user means the
 * file in the working folder. */
static char *plugin_path(const char *path)
{
    if (strchr(path, '/') != NULL)
        return om__strdup(path);
    om_text text = {0};
    om__text_addf(&text, "./%s", path);
    return text.data;
}

static om_status check_benchmark(const om_benchmark *benchmark, const char *from, om_error *err)
{
    if (benchmark->abi != OM_BENCHMARK_ABI)
        return om__error_set(err, OM_UNSUPPORTED,
                             "%s: made for benchmark ABI %u, this program has %u", from,
                             benchmark->abi, OM_BENCHMARK_ABI);
    if (benchmark->suite == NULL || benchmark->provider == NULL || benchmark->suite[0] == '\0' ||
        benchmark->provider[0] == '\0')
        return om__error_set(err, OM_INVALID, "%s: the benchmark names no suite or no provider",
                             from);
    const char *missing = benchmark->open == NULL      ? "open"
                          : benchmark->prepare == NULL ? "prepare"
                          : benchmark->run == NULL     ? "run"
                                                       : NULL;
    if (missing != NULL)
        return om__error_set(err, OM_INVALID, "%s: benchmark %s has no %s function", from,
                             benchmark->suite, missing);
    return OM_OK;
}

om_status om__plugin_load(const char *path, om_plugin *plugin, om_error *err)
{
    om_status status = OM_OK;
    *plugin = (om_plugin){0};
    plugin->path = plugin_path(path);
    if (plugin->path == NULL)
        return om__error_set(err, OM_NO_MEMORY, "no memory for a path");
    if (access(plugin->path, R_OK) != 0) {
        status = om__error_set(err, OM_IO, "plug-in %s: no such file, or not readable", path);
        goto out;
    }
    if (om__dynlib_open(plugin->path, &plugin->library, err) != OM_OK) {
        status = om__error_prefix(err, OM_IO, "plug-in %s: ", path);
        goto out;
    }
    om_provider_entry_fn provider_entry = NULL;
    om_benchmark_entry_fn benchmark_entry = NULL;
    bool has_provider =
        om__library_symbol(plugin->library, "om_provider_entry", &provider_entry, NULL) == OM_OK;
    bool has_benchmark =
        om__library_symbol(plugin->library, "om_benchmark_entry", &benchmark_entry, NULL) == OM_OK;
    if (!has_provider && !has_benchmark) {
        status = om__error_set(err, OM_UNSUPPORTED,
                               "plug-in %s exports neither om_provider_entry nor "
                               "om_benchmark_entry",
                               path);
        goto out;
    }
    if (has_provider)
        plugin->provider = provider_entry();
    if (has_benchmark)
        plugin->benchmark = benchmark_entry();
    if (plugin->provider == NULL && plugin->benchmark == NULL) {
        status =
            om__error_set(err, OM_UNSUPPORTED, "plug-in %s says that it cannot serve here", path);
        goto out;
    }
    if (plugin->provider != NULL)
        OM_TRY_OUT(om__provider_check(plugin->provider, path, err));
    if (plugin->benchmark != NULL)
        OM_TRY_OUT(check_benchmark(plugin->benchmark, path, err));
out:
    if (status != OM_OK)
        om__plugin_release(plugin);
    return status;
}

void om__plugin_release(om_plugin *plugin)
{
    free(plugin->path);
    *plugin = (om_plugin){0};
}
