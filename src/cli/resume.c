/* SPDX-License-Identifier: Apache-2.0 */
/* resume.c: which cases of a plan a folder already holds, measured as this run would. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/text.h"
#include "cli/resume.h"

static bool same_text(const char *a, const char *b)
{
    return strcmp(a != NULL ? a : "", b != NULL ? b : "") == 0;
}

static om_status canonical(const om_case *c, om_pairs *params, om_error *err)
{
    _Alignas(max_align_t) char args[OM_MAX_ARGS_SIZE];
    const om_op *op = c->op != NULL ? om__op_find(c->op, c->pass) : NULL;
    if (op == NULL || om__args_parse(op, &c->params, args, NULL) != OM_OK)
        return om__pairs_copy(params, &c->params, err);
    return om__args_format(op, args, params, err);
}

/* What a row must have to count as measured here. */
typedef struct wanted {
    const om_run_options *run;
    const char *fill, *machine; /* machine class; "": not known before a worker has asked */
} wanted;

/* The identity of the work, and what of the method is known before a run: the machine, cache, fill
 * and threads. */
static bool is_of_case(const om_record *r, const om_case *c, const om_pairs *params,
                       const wanted *w)
{
    const om_run_options *run = w->run;
    const om_session_options *s = &run->launch.session;
    const char *cache = c->cache != NULL ? c->cache : s->warm ? "warm" : "cold";
    const char *threads = om__pairs_find(&r->method.more, "threads");
    const char *device = strncmp(s->device, "cpu", 3) == 0 ? "monotonic" : NULL;
    int64_t counted = 0;
    if (r->outcome != OM_OUTCOME_OK || !same_text(r->metric.name, "time") ||
        !same_text(r->benchmark.suite, c->suite) || !same_text(r->benchmark.table, c->table) ||
        !same_text(r->benchmark.name, c->name) || !same_text(r->benchmark.op, c->op) ||
        !same_text(r->benchmark.pass, c->pass != NULL || c->op == NULL ? c->pass : "forward") ||
        !om__pairs_equal(&r->benchmark.params, params))
        return false;
    if (c->op != NULL &&
        (!same_text(r->method.cache, cache) || !same_text(r->method.fill, w->fill)))
        return false;
    if (device != NULL && !same_text(r->method.clock, device))
        return false;
    if (w->machine[0] != '\0' && !same_text(r->place.machine_class, w->machine))
        return false;
    return s->threads == 0 || threads == NULL ||
           (om__parse_int64(threads, &counted) && counted == s->threads);
}

static bool is_wanted(const om_record *r, const om_run_options *run)
{
    const om_session_options *s = &run->launch.session;
    bool named = s->provider_count == 0, variant = run->variant_count == 0;
    for (size_t i = 0; i < s->provider_count; i++)
        named = named || same_text(s->providers[i], r->subject.provider);
    for (size_t i = 0; i < run->variant_count; i++)
        variant = variant || same_text(run->variants[i].name, r->subject.variant);
    if (run->variant_count == 0)
        variant = r->subject.variant == NULL;
    return named && variant;
}

/* Every contender that was named has ok records of all launches and variants in one run; without
 * names, own has. */
static bool is_finished(const om_record_set *set, const om_case *c, const om_pairs *params,
                        const wanted *w)
{
    const om_run_options *run = w->run;
    const om_session_options *s = &run->launch.session;
    size_t names = s->provider_count > 0 ? s->provider_count : 1;
    size_t units = (size_t)(run->launches > 0 ? run->launches : 3) *
                   (run->variant_count > 0 ? run->variant_count : 1);
    const char *last_run = NULL;
    for (size_t i = set->count; i > 0 && last_run == NULL; i--)
        if (is_of_case(&set->items[i - 1], c, params, w) && is_wanted(&set->items[i - 1], run))
            last_run = set->items[i - 1].when.run;
    if (last_run == NULL)
        return false;
    for (size_t n = 0; n < names; n++) {
        const char *name = s->provider_count > 0 ? s->providers[n] : "own";
        size_t found = 0;
        for (size_t i = 0; i < set->count; i++) {
            const om_record *r = &set->items[i];
            bool mine = c->op != NULL ? same_text(r->subject.provider, name) : true;
            found += mine && same_text(r->when.run, last_run) && is_wanted(r, run) &&
                     is_of_case(r, c, params, w);
        }
        if (found < units)
            return false;
    }
    return true;
}

om_status om__resume_find(const char *out, const om_run_options *run, const char *machine,
                          const om_plan *plan, unsigned char *finished, om_error *err)
{
    om_status status = OM_OK;
    om_record_set set = {0};
    om_text path = {0}, fill = {0};
    struct stat there;
    om__text_addf(&path, "%s/records.jsonl", out);
    om__text_addf(&fill, "counter seed=%llu", (unsigned long long)run->launch.session.seed);
    OM_TRY_OUT(om__text_check(&path, err));
    OM_TRY_OUT(om__text_check(&fill, err));
    if (stat(path.data, &there) != 0 || there.st_size == 0)
        goto out;
    OM_TRY_OUT(om__records_read(path.data, false, &set, err));
    const wanted w = {run, fill.data, machine};
    for (size_t i = 0; i < plan->count; i++) {
        om_pairs params = {0};
        OM_TRY_OUT(canonical(&plan->cases[i], &params, err));
        finished[i] = is_finished(&set, &plan->cases[i], &params, &w);
        om__pairs_release(&params);
    }
out:
    om__record_set_release(&set);
    om__text_release(&path);
    om__text_release(&fill);
    return status;
}
