/* SPDX-License-Identifier: Apache-2.0 */
/* record.c: making and freeing records, their words, their summary. */
#include "record/record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/pool.h"
#include "base/text.h"
#include "record/schema.h"
#include "stats/quantile.h"

static const char *const outcome_names[OM_OUTCOME_COUNT] = {
    [OM_OUTCOME_OK] = "ok",
    [OM_OUTCOME_WRONG] = "wrong",
    [OM_OUTCOME_UNSUPPORTED] = "unsupported",
    [OM_OUTCOME_SKIPPED] = "skipped",
    [OM_OUTCOME_MISTRUSTED] = "mistrusted",
    [OM_OUTCOME_TIMEOUT] = "timeout",
    [OM_OUTCOME_CRASHED] = "crashed",
    [OM_OUTCOME_ERROR] = "error",
    [OM_OUTCOME_NOT_RUN] = "not_run",
};

static const char *const role_names[] = {
    [OM_ROLE_COMPETITOR] = "competitor",
    [OM_ROLE_OWN] = "own",
    [OM_ROLE_REFERENCE] = "reference",
    [OM_ROLE_PREVIOUS] = "previous",
};

static const char *const better_names[] = {
    [OM_BETTER_UNKNOWN] = "unknown",
    [OM_BETTER_LOWER] = "lower",
    [OM_BETTER_HIGHER] = "higher",
};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const char *name_of(const char *const *names, size_t count, unsigned value)
{
    return value < count ? names[value] : "unknown";
}

const char *om__outcome_name(om_outcome outcome)
{
    return name_of(outcome_names, COUNT(outcome_names), (unsigned)outcome);
}

const char *om__role_name(om_role role)
{
    return name_of(role_names, COUNT(role_names), (unsigned)role);
}

const char *om__better_name(om_better better)
{
    return name_of(better_names, COUNT(better_names), (unsigned)better);
}

static om_status parse_name(const char *const *names, size_t count, const char *what,
                            const char *text, int *value, om_error *err)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(names[i], text) == 0) {
            *value = (int)i;
            return OM_OK;
        }
    }
    om_text list = {0};
    for (size_t i = 0; i < count; i++)
        om__text_addf(&list, "%s%s", i == 0 ? "" : ", ", names[i]);
    om_status status = om__error_set(err, OM_INVALID, "\"%.80s\" is not %s (%s)", text, what,
                                     list.failed ? "" : list.data);
    om__text_release(&list);
    return status;
}

om_status om__outcome_parse(const char *text, om_outcome *outcome, om_error *err)
{
    int value = 0;
    OM_TRY(parse_name(outcome_names, COUNT(outcome_names), "an outcome", text, &value, err));
    *outcome = (om_outcome)value;
    return OM_OK;
}

om_status om__role_parse(const char *text, om_role *role, om_error *err)
{
    int value = 0;
    OM_TRY(parse_name(role_names, COUNT(role_names), "a role", text, &value, err));
    *role = (om_role)value;
    return OM_OK;
}

om_status om__better_parse(const char *text, om_better *better, om_error *err)
{
    int value = 0;
    OM_TRY(parse_name(better_names, COUNT(better_names), "a direction", text, &value, err));
    *better = (om_better)value;
    return OM_OK;
}

void om__record_init(om_record *record)
{
    memset(record, 0, sizeof *record);
    record->summary = (om_summary){0, NAN, NAN, NAN, NAN, NAN, NAN};
    record->check.error = NAN;
    record->check.max_abs_error = NAN;
    record->workspace_bytes = -1;
    record->peak_bytes = -1;
}

void om__record_release(om_record *record)
{
    size_t count;
    const om_member *members = om__record_members(&count);
    for (size_t i = 0; i < count && !record->shared; i++) {
        void *field = (char *)record + members[i].offset;
        if (members[i].kind == OM_MEMBER_TEXT || members[i].kind == OM_MEMBER_REASON)
            free(*(char **)field);
        else if (members[i].kind == OM_MEMBER_PAIRS)
            om__pairs_release(field);
    }
    if (!record->shared) {
        for (size_t i = 0; record->sample_reasons != NULL && i < record->sample_count; i++)
            free(record->sample_reasons[i]);
        free(record->sample_reasons);
        free(record->samples);
        free(record->unknown);
    }
    om__record_init(record);
}

om_status om__record_summarise(om_record *record, om_error *err)
{
    om_summary summary = {0, NAN, NAN, NAN, NAN, NAN, NAN};
    if (record->sample_count > 0) {
        double *values = malloc(record->sample_count * sizeof *values);
        if (values == NULL)
            return om__error_set(err, OM_NO_MEMORY, "no memory to summarise %zu samples",
                                 record->sample_count);
        for (size_t i = 0; i < record->sample_count; i++)
            values[i] = record->samples[i];
        size_t n = om__stats_sort_valid(values, record->sample_count, values);
        summary.n = (int64_t)n;
        if (n > 0) {
            summary.min = values[0];
            summary.p25 = om__stats_quantile_sorted(values, n, 0.25);
            summary.median = om__stats_median_sorted(values, n);
            summary.p75 = om__stats_quantile_sorted(values, n, 0.75);
            om__stats_median_interval_sorted(values, n, 0.95, &summary.ci_low, &summary.ci_high);
        }
        free(values);
    }
    record->summary = summary;
    return OM_OK;
}

void om__record_set_release(om_record_set *set)
{
    for (size_t i = 0; i < set->count; i++)
        if (!set->items[i].shared)
            om__record_release(&set->items[i]);
    free(set->items);
    om__pairs_release(&set->warnings);
    om__pool_destroy(set->pool);
    *set = (om_record_set){0};
}
