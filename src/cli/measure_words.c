/* SPDX-License-Identifier: Apache-2.0 */
/* measure_words.c: what the commands that measure ask alike, read and checked. */
#include <string.h>

#include "base/error.h"
#include "cli/measure.h"
#include "core/cpu.h"

const char *const om__cache_words[] = {"cold", "warm", "flush", NULL};

/* Processors that exist and that this process may use. */
static om_status check_cpus(const char *text, om_error *err)
{
    om_status status = OM_OK;
    om_cpu_list wanted = {0}, allowed = {0};
    char shown[128];
    OM_TRY_OUT(om__cpus_parse(text, &wanted, err));
    OM_TRY_OUT(om__cpus_allowed(&allowed, err));
    om__cpus_format(&allowed, shown, sizeof shown);
    for (int i = 0; i < wanted.count; i++) {
        int j = 0;
        while (j < allowed.count && allowed.items[j] != wanted.items[i])
            j++;
        if (j == allowed.count) {
            status = om__error_set(err, OM_INVALID,
                                   "--cpus: processor %d is not among those allowed here (%s)",
                                   wanted.items[i], shown);
            goto out;
        }
    }
out:
    om__cpus_release(&wanted);
    om__cpus_release(&allowed);
    return status;
}

static om_status check_count(const char *name, int64_t value, int64_t least, int64_t most,
                             om_error *err)
{
    if (value >= 0 && value <= most)
        return OM_OK;
    return om__error_set(err, OM_INVALID, "--%s: %lld to %lld, not %lld", name, (long long)least,
                         (long long)most, (long long)value);
}

om_status om__measure_words_read(const om_measure_words *w, const char *time,
                                 om_measure_config *config, om_error *err)
{
    om_session_options *s = &config->run.launch.session;
    OM_TRY(check_count("threads", w->threads, 1, 4096, err));
    OM_TRY(check_count("rounds", w->rounds, 3, 1000000, err));
    config->force_skipped = w->force_skipped;
    s->device = w->device;
    s->clock = w->clock;
    s->library_dir = w->library_dir;
    s->cuda_libs = w->cuda_libs;
    s->threads = (int)w->threads;
    s->cpus = w->cpus;
    s->seed = (uint64_t)w->seed;
    s->max_rounds = (int)w->rounds;
    s->min_rounds = w->rounds > 0 && w->rounds < 10 ? (int)w->rounds : 0;
    s->warm = w->cache != NULL && strcmp(w->cache, "warm") == 0;
    s->flush = w->cache != NULL && strcmp(w->cache, "flush") == 0;
    s->providers = w->providers.items;
    s->provider_count = w->providers.count;
    s->named = w->providers.count > 0;
    s->plugins = w->plugins.items;
    s->plugin_count = w->plugins.count;
    if (w->cpus != NULL)
        OM_TRY(check_cpus(w->cpus, err));
    OM_TRY(om__duration_parse(time, &s->time_s, err));
    return om__duration_parse(w->timeout, &config->run.launch.step_limit_s, err);
}
